"""A verdict in a sentence."""

from collections.abc import Sequence

import numpy as np

from burstlab.claims.check import FAILS, HOLDS, UNTOLD, Check, excludes_zero_in_vain, unclaimed
from burstlab.claims.decide import Verdict
from burstlab.claims.schema import Published
from burstlab.statistics.pairing import LEAST_PAIRS
from burstlab.wording import count


def summarise(verdict: Verdict) -> str:
    """What was found of each quantity, with intervals; for a claim that was not run, what is missing."""
    if not verdict.checks:
        claim = verdict.claim
        how = f"`{claim.command}` would run it" if claim.command else "no command runs it yet"
        return f"Missing: {claim.needs}; {how}."
    told = [
        f"A trend and no more, since not only what is claimed was different: {text}"
        for text in verdict.confounds
    ]
    told += [_sentence(checks) for checks in by_quantity(verdict.headline).values()]
    told += [f"Beside it: {_sentence(checks)}" for checks in by_quantity(verdict.informing).values()]
    if verdict.thin:
        thin = count(len(verdict.thin), "check")
        left_out = "" if set(verdict.thin) & set(verdict.headline) else ": left out of counts and ranges"
        told.append(f"{thin} of fewer than {LEAST_PAIRS} pairs of seeds, on which no verdict rests{left_out}")
    text = ". ".join(told) + "."
    return f"Simulated: {text}" if verdict.platform and verdict.evidence == "simulated" else text


def by_quantity(checks: Sequence[Check]) -> dict[str, list[Check]]:
    """The checks of each quantity, in order of their first appearance."""
    found: dict[str, list[Check]] = {}
    for check in checks:
        found.setdefault(check.quantity, []).append(check)
    return found


def published_text(one: Published) -> str:
    """A published number with its name, to the digits that were printed; a relative change in %."""
    if one.name.endswith("relative change") and not one.unit:
        return f"{one.name} {_minus(f'{one.value:+.{max(one.digits - 2, 0)}%}')}"
    return f"{one.name} {_minus(f'{one.value:,.{max(one.digits, 0)}f}')} {one.unit}".strip()


def size(check: Check, value: float) -> str:
    """A value of a check as text: relative changes in %, those of shares in points, all else in four digits."""
    scale, unit = scale_of(check.quantity, check.unit)
    return f"{_digits(value * scale, bool(unit) and scale > 1)}{unit}"


def span(check: Check, low: float, high: float) -> str:
    """An interval of a check as text."""
    scale, unit = scale_of(check.quantity, check.unit)
    signs = bool(unit) and scale > 1
    return f"{_digits(low * scale, signs)} to {_digits(high * scale, signs)}{unit}"


def scale_of(name: str, unit: str) -> tuple[float, str]:
    """The factor and the unit in which a quantity of this name is shown."""
    if name.startswith(("relative change", "spared")) or " against " in name:
        return 100, "%"
    if name.startswith("change of") and not unit:
        return 100, " points"
    return 1, f" {unit}" if unit else ""


def _digits(value: float, sign: bool) -> str:
    plus, digits = ("+", 3) if sign else ("", 4)
    text = f"{value:{plus},.{digits}g}"
    # What has more digits than are shown would have an exponent.
    return _minus(f"{value:{plus},.0f}" if "e+" in text else text)


def _minus(text: str) -> str:
    return text.replace("-", "−")


def _sentence(checks: Sequence[Check]) -> str:
    one = checks[0]
    name = one.quantity[0].upper() + one.quantity[1:]
    if one.region == unclaimed():
        words = _counted(checks, ((HOLDS, "fell"), (FAILS, "rose"), (UNTOLD, "not told")))
        return f"{name}: {words} ({_middle(checks)}){_taken_back(checks)}"
    if len(checks) == 1:
        return f"{name}: {_middle(checks)}, claimed {one.region.words}: {one.result}{_taken_back(checks)}"
    words = _counted(checks, ((HOLDS, HOLDS), (FAILS, FAILS), (UNTOLD, UNTOLD)))
    return f"{name}, claimed {one.region.words}: {words} ({_middle(checks)}){_taken_back(checks)}{_where_not(checks)}"


def _counted(checks: Sequence[Check], words: Sequence[tuple[str, str]]) -> str:
    results = [check.result for check in checks]
    found = [f"{word} in {results.count(result)}" for result, word in words if result in results]
    of_what = "group" if checks[0].subject.platform else "setting"
    return f"{', '.join(found)} of {count(len(checks), of_what)}"


def _taken_back(checks: Sequence[Check]) -> str:
    """That intervals would tell more than the correction does, which is what counts."""
    some = [check for check in checks if check.taken_back]
    if not some:
        return ""
    where = f"in {len(some)} of them " if len(checks) > 1 else ""
    return f"; {where}{excludes_zero_in_vain(some[0].comparisons or 0)}"


def _middle(checks: Sequence[Check]) -> str:
    one = checks[0]
    if len(checks) == 1:
        return _single(one)
    middle = size(one, float(np.median([check.interval.estimate for check in checks])))
    within = span(
        one, min(check.interval.low for check in checks), max(check.interval.high for check in checks)
    )
    return f"median {middle}, 95% intervals within {within}"


def _single(check: Check) -> str:
    found = size(check, check.interval.estimate)
    if check.interval.low == check.interval.high:
        return found
    kind = "" if check.rounding else "95% interval "
    return f"{found} ({kind}{span(check, check.interval.low, check.interval.high)})"


def _where_not(checks: Sequence[Check]) -> str:
    """The settings in which something fails; groups are too many to name, and the checks have them."""
    named = [
        check.subject.setting for check in checks if not check.subject.platform and check.result != HOLDS
    ]
    return f"; not known to hold at {'; '.join(named)}" if named else ""
