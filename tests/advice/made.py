"""An engine with whole-numbered costs, for answers that are known beforehand."""

from dataclasses import dataclass

from tests.simulator.made import Ticks

from burstlab.advice.lengths import lengths
from burstlab.advice.question import Question
from burstlab.simulator.loop import Run, simulate
from burstlab.simulator.memory.paged import Paged
from burstlab.simulator.regimes.family import Scaled
from burstlab.simulator.requests import Requests
from burstlab.simulator.scheduling.vllm_v1 import VllmV1

MS = 10**9


@dataclass(frozen=True)
class MadeEngine:
    """10 ms an iteration, 0.1 ms a decode and 0.2 ms a token of a prompt; decodes `dearer` times as much beside prompts."""

    dearer: float = 1.0

    def simulate(self, requests: Requests) -> Run:
        costs = Scaled(
            Ticks(base=10 * MS, decode_token=MS // 10, prompt_token=MS // 5), decode_factor=self.dearer
        )
        return simulate(requests, VllmV1(2048, 64), Paged(10_000), costs)

    def words(self) -> str:
        return "a made-up engine"


def question(rate_per_s: float = 10.0, sizes: str = "100/40", **more: float) -> Question:
    """Of few requests."""
    return Question(rate_per_s, lengths(sizes), requests=int(more.pop("requests", 200)), seeds=3, **more)  # type: ignore[arg-type]
