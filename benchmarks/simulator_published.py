"""The roofline against what the study published, where nobody says the request rate: it is swept.

    python benchmarks/simulator_published.py [--seeds 6] [--pause-ms 1] [--only gdn|attention|flash] [--what-if fla.share=0.1]

No constant is fitted to anything published. What the study leaves open is varied instead, and all of it is shown; `--what-if`
gives a constant of the roofline another value, to see what an assumed one is worth:

- gdn: Qwen3.5-9B on a GH200, vLLM up to 0.22.1, lengths like BurstGPT's (datasets/synthetic_burstgpt.py; at most 4096 tokens with
  the output): claims B2, B3, B4, B6 and B7 at each rate.
- attention: Llama-3.1-8B on an A100 with FA2, 250 requests as in profiled runs, 512/512 tokens: claim B8.
- flash: Llama-3.1-8B on an H200, FA2 and FA3, 512/512 tokens: claim B13.

Printed are means over seeds, and of changes from b = 1 to b = 0.1 the 95% interval over paired seeds. Numbers of the study are
marked as published, all others are simulated.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from what_if import add_what_if, what_if

from burstlab.arrivals.gamma import planned_send_s
from burstlab.datasets.synthetic_burstgpt import OUTPUTS, PROMPTS
from burstlab.profiles.breakdown import breakdown
from burstlab.profiles.interference import Per, interference
from burstlab.profiles.profile import Profile
from burstlab.records.summary import Value, compute_summary
from burstlab.simulator.clock import PS_PER_S, ps_from_ms
from burstlab.simulator.costs.interface import Costs
from burstlab.simulator.costs.roofline.capacity import kv_tokens
from burstlab.simulator.costs.roofline.costs import RooflineCosts
from burstlab.simulator.costs.roofline.models import model
from burstlab.simulator.loop import Delays, Run, simulate
from burstlab.simulator.memory.paged import Paged
from burstlab.simulator.noting import Noting
from burstlab.simulator.profile import profile_tables
from burstlab.simulator.requests import requests
from burstlab.simulator.scheduling.vllm_v1 import VllmV1
from burstlab.simulator.tables import iterations_table, requests_table
from burstlab.statistics.interval import Interval
from burstlab.statistics.relative_change import relative_change
from burstlab.statistics.student import mean_interval

BLOCK_TOKENS = 16
LONGEST_TOKENS = 4096  # the study's --max-model-len
CALM, BURSTY = 1.0, 0.1

Lengths = tuple[np.ndarray, np.ndarray]


def burstgpt_like(seed: int, count: int) -> Lengths:
    """Prompts and outputs; pairs that are too long for the engine are drawn again."""
    rng = np.random.default_rng(seed)
    normal = rng.standard_normal((2, 20 * count))
    prompts, outputs = (
        np.maximum(np.rint(each.median_tokens * np.exp(each.log_sd * row)), 1).astype(np.int64)
        for each, row in zip((PROMPTS, OUTPUTS), normal, strict=True)
    )
    fit = np.flatnonzero(prompts + outputs <= LONGEST_TOKENS)[:count]
    return prompts[fit], outputs[fit]


def of_512(_: int, count: int) -> Lengths:
    """512 tokens each."""
    return np.full(count, 512), np.full(count, 512)


@dataclass(frozen=True)
class Setting:
    """A model on a GPU, its kernel paths, its limits, and what it is sent."""

    model: str
    gpu: str
    attention: str
    gdn: str = "peeled"
    graphs: str = "default"
    lengths: Callable[[int, int], Lengths] = of_512
    requests: int = 1000
    limits: tuple[int, int] = (8192, 1024)  # vLLM's defaults from 70 GB of memory on
    pause_ms: float = 1.0

    @property
    def costs(self) -> RooflineCosts:
        return RooflineCosts(self.model, self.gpu, attention=self.attention, gdn=self.gdn, graphs=self.graphs)

    def run(self, rate_per_s: float, burstiness: float, seed: int, costs: Costs | None = None) -> Run:
        """One run; `costs` are the setting's own, or ask them."""
        sent = requests(
            planned_send_s(self.requests, rate_per_s, burstiness, seed), *self.lengths(seed, self.requests)
        )
        tokens = kv_tokens(model(self.model), self.gpu, sequences=self.limits[1])
        memory = Paged(tokens // BLOCK_TOKENS, BLOCK_TOKENS)
        delays = Delays(pause_ps=ps_from_ms(self.pause_ms))
        return simulate(sent, VllmV1(*self.limits), memory, costs or self.costs, delays)


@dataclass(frozen=True)
class Arms:
    """Metrics at both burstinesses, by seed."""

    calm: dict[int, dict[str, Value]]
    bursty: dict[int, dict[str, Value]]

    def mean(self, metric: str, *, bursty: bool) -> float:
        """Over seeds; not a number where no seed has it."""
        values = [number(row[metric]) for row in (self.bursty if bursty else self.calm).values()]
        return float(np.nanmean(values)) if np.isfinite(values).any() else np.nan

    def change(self, metric: str) -> Interval | None:
        """Relative change."""
        before, after = (
            {seed: number(row[metric]) for seed, row in arm.items()} for arm in (self.calm, self.bursty)
        )
        return relative_change(before, after)

    def difference(self, metric: str) -> Interval | None:
        """bursty − calm."""
        return mean_interval(
            [number(self.bursty[seed][metric]) - number(self.calm[seed][metric]) for seed in self.calm]
        )


def number(value: Value) -> float:
    """The value, or not a number."""
    return np.nan if value is None else float(value)


def arms(setting: Setting, rate_per_s: float, seeds: int) -> Arms:
    """Both arms at one rate."""

    def metrics(burstiness: float, seed: int) -> dict[str, Value]:
        run = setting.run(rate_per_s, burstiness, seed)
        return compute_summary(requests_table(run), iterations_table(run), run.end_ps / PS_PER_S)

    calm, bursty = ({seed: metrics(b, seed) for seed in range(seeds)} for b in (CALM, BURSTY))
    return Arms(calm, bursty)


def percent(found: Interval | None) -> str:
    """A change with its interval."""
    if found is None:
        return "–"
    return f"{found.estimate:+.0%} ({found.low:+.0%} to {found.high:+.0%})"


def points(found: Interval | None) -> str:
    """A difference of shares with its interval."""
    if found is None:
        return "–"
    return f"{found.estimate * 100:+.1f} ({found.low * 100:+.1f} to {found.high * 100:+.1f}) points"


def show_gdn(seeds: int, pause_ms: float) -> None:
    """B2, B3, B4, B6, B7."""
    shown = (
        ("mean_tpot_ms", "mean TPOT", "ms", "B2"),
        ("decode_only_token_share", "decode-only share", "", "B3, B4"),
        ("mean_decode_only_ms", "decode-only iteration", "ms", "B3, B4"),
        ("mean_mixed_ms", "mixed iteration", "ms", "B3, B4"),
        ("mean_mixed_tokens", "tokens in a mixed iteration", "", "B7"),
    )
    published = {
        "mean_tpot_ms": (70.0, 30.0),
        "decode_only_token_share": (0.712, 0.88),
        "mean_decode_only_ms": (26.05, 14.36),
        "mean_mixed_ms": (156.98, 116.02),
        "mean_mixed_tokens": (2074.0, 3084.0),
    }
    base = Setting("qwen3.5-9b", "gh200", "FA3", gdn="whole", lengths=burstgpt_like, pause_ms=pause_ms)
    for name, setting in (
        ("CUDA graphs by default", base),
        ("eager", replace(base, graphs="none")),
        ("vLLM from 0.23 on", replace(base, gdn="peeled")),
    ):
        print(f"\n## Qwen3.5-9B, GH200, {name}: b = 1 → b = 0.1")
        print(
            "| rate | TPOT changes | share changes | " + " | ".join(label for _, label, _, _ in shown) + " |"
        )
        print("|---|---|---|" + "---|" * len(shown))
        values = " | ".join(f"{a:g} → {b:g}" for a, b in (published[metric] for metric, *_ in shown))
        print(f"| published | −57% | +16.8 points | {values} |")
        for rate_per_s in (5, 10, 15, 20, 22, 24, 26, 28, 30, 35, 40, 60):
            found = arms(setting, rate_per_s, seeds)
            values = " | ".join(
                f"{found.mean(metric, bursty=False):.4g} → {found.mean(metric, bursty=True):.4g}"
                for metric, *_ in shown
            )
            print(
                f"| {rate_per_s} | {percent(found.change('mean_tpot_ms'))} | "
                f"{points(found.difference('decode_only_token_share'))} | {values} |"
            )


def show_attention(seeds: int, pause_ms: float) -> None:
    """B8."""
    base = Setting("llama-3.1-8b", "a100-40gb", "FA2", requests=250, limits=(2048, 256), pause_ms=pause_ms)
    print("\n## Llama-3.1-8B, A100, attention in mixed over decode-only iterations")
    print(
        "| path | rate | a decode token (published: up to 4) | an iteration (published: about 2) | preemptions a request |"
    )
    print("|---|---|---|---|---|")
    for attention in ("FA2", "FLASHINFER"):
        setting = replace(base, attention=attention)
        for rate_per_s in (2, 5, 10, 20, 40):
            ratios = np.array([_ratios(setting, rate_per_s, seed) for seed in range(seeds)])
            token, iteration, preempted = (mean_interval(column) for column in ratios.T)
            print(
                f"| {attention} | {rate_per_s} | {times(token)} | {times(iteration)} | {times(preempted)} |"
            )


def times(found: Interval | None) -> str:
    """A ratio with its interval."""
    return "–" if found is None else f"{found.estimate:.1f} ({found.low:.1f} to {found.high:.1f})"


def _ratios(setting: Setting, rate_per_s: float, seed: int) -> tuple[float, float, float]:
    """Attention in mixed over decode-only iterations: for each decode token, for each iteration; and preemptions a request.

    What is computed again after a preemption seems to be decodes, as in vLLM's log.
    """
    costs = Noting(setting.costs)
    run = setting.run(rate_per_s, CALM, seed, costs)
    found = breakdown(Profile(Path(setting.gpu), *profile_tables(run, costs)))

    def index(per: Per) -> float:
        one = next(one for one in interference(found, per) if one.part == "attention")
        return one.mixed_us / one.decode_only_us

    return index("token"), index("iteration"), run.preemptions / setting.requests


def show_flash(seeds: int, pause_ms: float) -> None:
    """B13."""
    print(
        "\n## Llama-3.1-8B, H200: what b = 0.1 changes (published for FA3: TPOT hardly, TTFT and E2EL worse, share up)"
    )
    print("| rate | attention | TPOT at b = 1 | mean TPOT | mean TTFT | mean E2EL | decode-only share |")
    print("|---|---|---|---|---|---|---|")
    for rate_per_s in (10, 20, 30, 40):
        for attention in ("FA2", "FA3"):
            found = arms(Setting("llama-3.1-8b", "h200", attention, pause_ms=pause_ms), rate_per_s, seeds)
            changes = " | ".join(
                percent(found.change(f"mean_{name}_ms")) for name in ("tpot", "ttft", "e2el")
            )
            print(
                f"| {rate_per_s} | {attention} | {found.mean('mean_tpot_ms', bursty=False):.1f} ms | {changes} | "
                f"{points(found.difference('decode_only_token_share'))} |"
            )


SHOWS = {"gdn": show_gdn, "attention": show_attention, "flash": show_flash}


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--pause-ms", type=float, default=1.0)
    parser.add_argument("--only", choices=SHOWS)
    add_what_if(parser)
    arguments = parser.parse_args()
    what_if(arguments.what_if)
    for name, show in SHOWS.items():
        if arguments.only in (None, name):
            show(arguments.seeds, arguments.pause_ms)


if __name__ == "__main__":
    main()
