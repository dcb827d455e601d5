"""The answer in words, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from burstlab.advice.answer import BOTH, HELPS, HURTS, Answer
from burstlab.advice.compare import told
from burstlab.advice.mechanism import DECODE_ONLY, MIXED, SHARES, Mechanism
from burstlab.advice.sensitivity import LOAD_SEEDS, SEEDS, Varied
from burstlab.statistics.interval import Interval
from burstlab.wording import quantity, signed

WIDTH = 110
LITTLE = 0.02
"""A constant that moves the change by less decides nothing."""
_NAMES = {"tpot": "TPOT", "e2el": "E2EL", "ttft": "TTFT"}


def tell(answer: Answer) -> Iterator[str]:
    """Lines, none wider than `WIDTH` where words allow; the first says that all is simulated."""
    for line in _told(answer):
        yield from wrap(line, WIDTH, subsequent_indent="      " if line.startswith(" ") else "") or [""]


def _told(answer: Answer) -> Iterator[str]:
    question = answer.question
    yield f"Simulated, not measured: {answer.engine}."
    yield (
        f"{question.lengths.words}; {question.rate_per_s:g} requests/s, which is {answer.load:.0%} of the simulated capacity of "
        f"{quantity(answer.capacity_per_s)}; b={question.steady:g} against b={question.bursty:g}, {question.requests:,} "
        f"requests, {question.seeds} seeds."
    )
    yield ""
    yield _headline(answer)
    if answer.load >= 1:
        yield "The rate is above the capacity: the engine cannot keep up for long, and latencies grow with the run."
    yield ""
    yield from _latencies(answer)
    yield ""
    if answer.latency("mean", "tpot").change.units:
        yield from _mechanism(answer.mechanism)
        yield ""
        yield from _loads(answer)
        yield ""
        yield from _sensitivity(answer)
    else:
        yield "No request has a second token: there is no TPOT, nor anything that would change it. E2EL is TTFT."
        yield ""
        yield from _rows(answer)
    yield from _beyond(answer)


def _headline(answer: Answer) -> str:
    tpot, e2el, ttft = (answer.latency("mean", metric).change for metric in ("tpot", "e2el", "ttft"))
    start = {
        HELPS: "Burstiness helps",
        HURTS: "Burstiness hurts",
        BOTH: "Burstiness helps in part",
    }.get(answer.verdict, "Whether burstiness helps is not told")
    if answer.verdict in (HELPS, HURTS) and tpot.units and not told(e2el):
        start += " TPOT; whether it does so to E2EL is not told"
    elif answer.verdict in (HELPS, HURTS) and tpot.units and not told(tpot):
        start += " E2EL; whether it does so to TPOT is not told"
    return f"{start}: mean TPOT {change(tpot)}, mean E2EL {change(e2el)}, mean TTFT {change(ttft)}."


def change(found: Interval) -> str:
    """As "−41% (−45 to −36%)"; with "not told" where the interval holds 0."""
    if not found.units:
        return "has no value"
    text = f"{_percent(found.estimate)} ({_percent(found.low).rstrip('%')} to {_percent(found.high)})"
    return text if told(found) or found.low == found.high else f"{text}, not told"


def _percent(value: float) -> str:
    if abs(value) >= 100:
        return f"× {1 + value:.3g}"
    return f"{value:+.0%}".replace("-", "−") if round(value * 100) else "0%"


def _latencies(answer: Answer) -> Iterator[str]:
    steady, bursty = (f"b={value:g}" for value in (answer.question.steady, answer.question.bursty))
    yield f"  {'':14}{steady:>14}{bursty:>14}   change (95% interval)"
    for one in answer.latencies:
        name = f"{one.statistic} {_NAMES[one.metric]}"
        values = (quantity(one.steady_ms, "ms"), quantity(one.bursty_ms, "ms"))
        yield f"  {name:14}{values[0]:>14}{values[1]:>14}   {change(one.change)}"


def _mechanism(found: Mechanism) -> Iterator[str]:
    steady, bursty = found.steady, found.bursty
    yield (
        f"Why: the mean time between tokens is {quantity(found.interval_ms, 'ms')} in iterations, and changes by "
        f"{_ms(found.change_ms)}. Of this come"
    )
    alone = f"{quantity(steady.decode_only_ms)} → {quantity(bursty.decode_only_ms, 'ms')}"
    words = {
        SHARES: f"from decode-only iterations making {steady.decode_only_share:.0%} → {bursty.decode_only_share:.0%} of the "
        f"tokens; in mixed ones a token waits {quantity(steady.ratio)} times as long",
        DECODE_ONLY: f"from decode-only iterations of {alone}, with {steady.decode_only_decodes:.0f} → "
        f"{bursty.decode_only_decodes:.0f} decodes",
        MIXED: f"from mixed iterations of {quantity(steady.mixed_ms)} → {quantity(bursty.mixed_ms, 'ms')}, with "
        f"{steady.mixed_decodes:.0f} → {bursty.mixed_decodes:.0f} decodes and {steady.mixed_prompt_tokens:,.0f} → "
        f"{bursty.mixed_prompt_tokens:,.0f} tokens of prompts",
    }
    for name, part in found.parts.items():
        yield f"  {_ms(part)}  {words[name]}"
    if told(found.change_ms):
        yield f"Mostly responsible: {_responsible(found)}."
    else:
        yield "Whether it changes at all is not told, so none of them is called responsible."
    waiting_ms, decoding_ms = bursty.ttft_ms - steady.ttft_ms, bursty.decoding_ms - steady.decoding_ms
    yield (
        f"Of the change of mean E2EL, {signed(waiting_ms, 'ms')} is waiting for the first token (queueing and the prompt), "
        f"{signed(decoding_ms, 'ms')} the tokens after it."
    )


def _responsible(found: Mechanism) -> str:
    steady, bursty = found.steady, found.bursty
    if found.responsible == SHARES:
        more = bursty.decode_only_share > steady.decode_only_share
        return f"{'more' if more else 'fewer'} tokens come from decode-only iterations"
    if found.responsible == DECODE_ONLY:
        longer, larger = (
            bursty.decode_only_ms > steady.decode_only_ms,
            bursty.decode_only_decodes > steady.decode_only_decodes,
        )
        return (
            f"decode-only iterations take {_longer(longer)}, with {'larger' if larger else 'smaller'} batches"
        )
    longer, more = bursty.mixed_ms > steady.mixed_ms, bursty.mixed_prompt_tokens > steady.mixed_prompt_tokens
    return f"mixed iterations take {_longer(longer)}, with {'more' if more else 'less'} of prompts in each"


def _longer(yes: bool) -> str:
    return "longer" if yes else "less long"


def _ms(found: Interval) -> str:
    return f"{signed(found.estimate, 'ms')} ({signed(found.low)} to {signed(found.high)})"


def _rows(answer: Answer) -> Iterator[str]:
    yield "At other loads (mean TPOT, mean E2EL):"
    for row in answer.loads:
        yield f"  {row.load:4.0%} {quantity(row.rate_per_s):>8} req/s   TPOT {change(row.tpot):34} E2EL {change(row.e2el)}"


def _loads(answer: Answer) -> Iterator[str]:
    yield from _rows(answer)
    if answer.turns:
        for turn in answer.turns:
            words = (
                "stop shortening TPOT and lengthen it"
                if turn.to > 0
                else "stop lengthening TPOT and shorten it"
            )
            yield f"Between {quantity(turn.low_per_s)} and {quantity(turn.high_per_s)} requests/s bursts {words}."
    else:
        yield _no_turn([answer.latency("mean", "tpot").change, *(row.tpot for row in answer.loads)])


def _no_turn(changes: Sequence[Interval]) -> str:
    signs = {told(one) for one in changes} - {0}
    if not signs:
        return "At none of these loads is a change of TPOT told."
    return f"The answer on TPOT does not turn round: wherever it is told, bursts {'lengthen' if signs == {1} else 'shorten'} it."


def _sensitivity(answer: Answer) -> Iterator[str]:
    yield (
        f"If the load is off (mean TPOT, {LOAD_SEEDS} seeds): "
        + ", ".join(_off(one) for one in answer.loads_off)
        + "."
    )
    yield (
        f"If a constant is off (mean TPOT at both ends of its range, one at a time, {SEEDS} seeds; as assumed "
        f"{_percent(answer.as_assumed.estimate)}):"
    )
    for swing in answer.swings:
        ends = " to ".join(_end(one, swing.value, swing.unit) for one in (swing.low, swing.high))
        yield f"  {swing.what:18} {ends}  [{swing.why}]"
    widest = answer.swings[0] if answer.swings else None
    if widest is None or widest.width < LITTLE:
        yield "None of them decides: the change moves by less than two points."
    else:
        turned = " and turns its sign" if widest.low.tpot.estimate * widest.high.tpot.estimate < 0 else ""
        yield f"What decides is {widest.what}: it moves the change by {widest.width * 100:.0f} points{turned}."


def _off(one: Varied) -> str:
    load = "as given" if one.factor == 1 else f"{_percent(one.factor - 1)} load"
    return f"{load} {_percent(one.tpot.estimate)}"


def _end(one: Varied, value: float, unit: str) -> str:
    return f"{_percent(one.tpot.estimate)} at {quantity(one.factor * value)} {unit}"


def _beyond(answer: Answer) -> Iterator[str]:
    if answer.beyond_measured is not None and answer.beyond_measured > 1:
        yield (
            f"Beware: iterations of up to {answer.beyond_measured:.1f} times as many decodes were simulated as costs "
            "were fitted to; what lies beyond is extrapolated."
        )
