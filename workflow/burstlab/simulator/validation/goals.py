"""What is compared, and how close the simulator is meant to come."""

from __future__ import annotations

from dataclasses import dataclass

LOADS = (0.3, 0.7)
"""The goals are for cells that load the engine to such a share of its capacity."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A metric of a cell. `goal` is the largest error that is meant to be, None where none was set.

    The error is simulated/measured − 1, or simulated − measured where the metric is a `share`.
    """

    metric: str
    goal: float | None = None
    share: bool = False

    def error(self, simulated: float, measured: float) -> float:
        """Of one cell."""
        return simulated - measured if self.share else simulated / measured - 1


SHARE = Compared("decode_only_token_share", goal=0.03, share=True)
COMPARED = (
    Compared("median_ttft_ms", goal=0.10),
    Compared("mean_ttft_ms"),
    Compared("p99_ttft_ms"),
    Compared("median_tpot_ms", goal=0.03),
    Compared("mean_tpot_ms"),
    Compared("p99_tpot_ms"),
    Compared("median_e2el_ms"),
    Compared("mean_e2el_ms", goal=0.05),
    Compared("p99_e2el_ms"),
    SHARE,
)
