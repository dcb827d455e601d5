"""A simulated run as a profile: each part of each iteration, by hand."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow.compute as pc
import pytest
from tests.simulator.made import sent, served

from burstlab.errors import BurstlabError
from burstlab.profiles.breakdown import breakdown, unnamed
from burstlab.profiles.families import parts
from burstlab.profiles.profile import Profile
from burstlab.profiles.schema import ITERATIONS, LAUNCHES
from burstlab.simulator.clock import PS_PER_US
from burstlab.simulator.costs.interface import Line
from burstlab.simulator.costs.roofline.batch import Iteration
from burstlab.simulator.costs.roofline.costs import Parts
from burstlab.simulator.loop import Delays, simulate
from burstlab.simulator.memory.paged import Paged
from burstlab.simulator.noting import Noting
from burstlab.simulator.profile import profile_tables
from burstlab.simulator.scheduling.vllm_v1 import VllmV1
from burstlab.simulator.tables import iterations_table

US = PS_PER_US


class FourAndAKey:
    """In µs: products take 4, attention 1 for a decode's key or a prompt's token, gaps 1."""

    def parts_us(self, iteration: Iteration) -> Parts:
        keys = iteration.decode_keys + iteration.prompt_tokens
        return Parts(gemm=4, moe=0, other=0, collectives=0, attention=keys, gdn=0, gaps=1)

    def decode(self, decodes: int, context_tokens: int) -> Line:
        return Line(round(sum(self.parts_us(Iteration(decodes, context_tokens)))) * US, decodes * US)

    def mixed(self, decodes: int, context_tokens: int, chunks: Sequence[tuple[int, int]]) -> int:
        return round(sum(self.parts_us(Iteration(decodes, context_tokens, chunks)))) * US


def profile(*requests: tuple[int, int, int]) -> Profile:
    costs = Noting(FourAndAKey())
    run = served(sent(*requests), costs=costs, delays=Delays(pause_ps=2 * US))
    return Profile(Path("run"), *profile_tables(run, costs))


def test_an_iteration_has_a_launch_a_part_one_after_the_other() -> None:
    # A prompt of 20 tokens takes 25; then two decodes, each after a pause of 2, that read 21 and 22 keys.
    found = profile((0, 20, 3))
    assert found.launches.schema.equals(LAUNCHES)
    assert found.iterations.schema.equals(ITERATIONS)
    names = ("begin_us", "duration_us", "busy_us", "launches", "kind")
    assert [tuple(row[name] for name in names) for row in found.iterations.to_pylist()] == [
        (0, 25, 24, 2, "prefill-only"),
        (27, 26, 25, 2, "decode-only"),
        (55, 27, 26, 2, "decode-only"),
    ]
    names = ("iteration", "start_us", "self_us", "name", "part")
    assert [tuple(row[name] for name in names) for row in found.launches.to_pylist()] == [
        (0, 0, 4, "simulated gemm", "gemm"),
        (0, 4, 20, "simulated attention", "attention"),
        (1, 27, 4, "simulated gemm", "gemm"),
        (1, 31, 21, "simulated attention", "attention"),
        (2, 55, 4, "simulated gemm", "gemm"),
        (2, 59, 22, "simulated attention", "attention"),
    ]


def test_decodes_beside_a_prompt_share_its_iteration() -> None:
    # The second prompt comes during the first decode, and is computed beside the second: 22 keys and 10 tokens.
    found = profile((0, 20, 3), (30 * US, 10, 1))
    mixed = found.iterations.to_pylist()[2]
    assert (mixed["kind"], mixed["context_tokens"], mixed["generation_tokens"]) == ("mixed", 10, 1)
    assert (mixed["begin_us"], mixed["duration_us"]) == (55, 4 + 22 + 10 + 1)


def test_gaps_are_overhead_and_every_name_has_a_family_of_its_own() -> None:
    found = profile((0, 20, 3))
    assert unnamed(found) == []
    families = set(found.launches["family"].to_pylist())
    assert families == {"simulated-gemm", "simulated-attention"}
    parts = breakdown(found)
    assert parts.time_us[:, parts.parts.index("overhead")].tolist() == [1, 1, 1]
    assert parts.time_us[:, parts.parts.index("attention")].tolist() == [20, 21, 22]


def test_a_run_without_iterations_has_no_profile() -> None:
    costs = Noting(FourAndAKey())
    run = simulate(sent((0, 4, 2)), VllmV1(64, 4), Paged(100), costs, log_iterations=False)
    with pytest.raises(BurstlabError, match="log_iterations"):
        profile_tables(run, costs)


def test_what_is_computed_again_is_told_as_the_log_tells_it() -> None:
    # Three blocks of 4 tokens: both prompts fit, the first decode does not, and the second request is computed again.
    costs = Noting(FourAndAKey())
    run = served(sent((0, 4, 5), (0, 4, 5)), memory=Paged(3, 4), costs=costs)
    assert run.preemptions > 0
    launches, iterations = profile_tables(run, costs)
    logged = iterations_table(run)
    for column in ("context_tokens", "generation_tokens", "kind"):
        assert iterations[column].to_pylist() == logged[column].to_pylist()
    again = Iteration(0, 0, [(5, 0)])
    assert again in [replace(asked, decodes=0, context_tokens=0) for asked in costs.asked]
    attention = launches.filter(pc.equal(launches["part"].cast("string"), "attention"))
    assert attention["self_us"].to_pylist() == pytest.approx(
        [us - 4 - 1 for us in iterations["duration_us"].to_pylist()]
    )


def test_costs_that_were_asked_more_than_once_are_refused() -> None:
    costs = Noting(FourAndAKey())
    run = served(sent((0, 20, 3)), costs=costs)
    costs.decode(1, 20)
    with pytest.raises(BurstlabError, match="asked 3 times, not once for each stretch"):
        profile_tables(run, costs)


def test_every_part_of_the_costs_is_a_part_of_a_profile() -> None:
    assert set(Parts._fields) - {"gaps"} <= set(parts())
