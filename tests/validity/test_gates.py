"""Every gate passes a good cell, fails one made to fail it, and no other gate fails with it."""

import pkgutil
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from benchmarks.toy_engine import Toy, run
from tests.validity import spoil

from burstlab.records.schema import Gate, LogLines
from burstlab.study.cells import Arrivals
from burstlab.validity import gates
from burstlab.validity.evidence import Evidence
from burstlab.validity.judge import judge
from burstlab.validity.registry import GATES

Spoil = Callable[[Evidence], Evidence]


def verdict(evidence: Evidence, name: str) -> Gate:
    (found,) = [gate for gate in judge(evidence) if gate.name == name]
    return found


def failed(evidence: Evidence) -> list[str]:
    return [gate.name for gate in judge(evidence) if gate.state == "failed"]


def late(times: np.ndarray) -> np.ndarray:
    """A client that stands still for a second in the middle of the run."""
    middle = times[times.size // 2]
    held = (times > middle) & (times < middle + 1.0)
    times[held] = middle + 1.0
    return times


FAILURES: dict[str, Spoil] = {
    "requests-succeeded": spoil.with_error,
    "outputs-full-length": lambda good: spoil.observing(good, "engine", finished_by_length=79),
    "plan-as-nominal": lambda good: replace(good, cell=replace(good.cell, arrivals=Arrivals.gamma(4.0))),
    "rate-delivered": lambda good: spoil.column(good, "send_s", lambda times: times * 1.02),
    "bursts-delivered": lambda good: spoil.column(good, "send_s", lambda times: 0.2 + np.arange(80) / 5.4),
    "client-punctual": lambda good: spoil.column(good, "send_s", late),
    "attention-backend": lambda good: spoil.reporting(good, attention_backend="FLASHINFER"),
    "flash-attention-version": lambda good: spoil.reporting(good, flash_attn_version="3"),
    "graph-mode": lambda good: spoil.reporting(good, cudagraph_mode="PIECEWISE"),
    "scheduler": lambda good: spoil.reporting(good, scheduler="my.Scheduler"),
    "chunked-prefill": lambda good: spoil.reporting(good, chunked_prefill="False"),
    "batch-limits": lambda good: spoil.reporting(good, argument_max_sequences="256"),
    "number-format": lambda good: spoil.reporting(good, dtype="bfloat16"),
    "async-scheduling-off": lambda good: spoil.reporting(good, async_scheduling="enabled"),
    "prefix-cache-unused": lambda good: spoil.observing(good, "engine", prefix_cache_hits=16),
    "few-preemptions": lambda good: spoil.observing(good, "engine", preemptions=3),
    "log-complete": lambda good: spoil.without_lines(good, 1),
    "tokens-agree": lambda good: spoil.observing(good, "engine", generation_tokens=1),
    "no-drift": lambda good: replace(
        good, iterations=run(Toy(drift=-0.6, slow_noise=0.0), 80, 5.4, 0.5, 0).iterations
    ),
    "steady": lambda good: replace(good, requests=run(Toy(), 80, 18.0, 0.5, 0).requests),
    "cores-to-itself": lambda good: spoil.observing(good, "cpu", own_s=10.0),
    "no-steal": lambda good: spoil.observing(good, "cpu", steal_s=1.0),
    "gpu-clocks": lambda good: spoil.on_gpu(good, {"hardware-thermal-slowdown": 0.1}, 0),
    "gpu-to-itself": lambda good: spoil.on_gpu(good, {}, 1),
}


# A gate passes the good cell, or another good one where it means nothing for that.
GOOD: dict[str, Spoil] = {gate.name: lambda good: good for gate in GATES} | dict.fromkeys(
    ("gpu-clocks", "gpu-to-itself"),
    lambda good: spoil.on_gpu(good, {"software-power-cap": 1.0, "software-thermal-slowdown": 0.05}, 0),
)


def test_every_gate_has_a_case_that_fails_it_and_one_that_passes_it() -> None:
    names = [gate.name for gate in GATES]
    assert sorted(FAILURES) == sorted(GOOD) == sorted(names)


def test_no_gate_is_left_out_of_the_registry() -> None:
    files = {module.name for module in pkgutil.iter_modules(gates.__path__)}
    assert {gate.name.replace("-", "_") for gate in GATES} == files


@pytest.mark.parametrize("name", GOOD)
def test_a_good_cell_passes_the_gate(good: Evidence, name: str) -> None:
    gate = verdict(GOOD[name](good), name)
    assert gate.state == "passed", gate.message
    assert gate.message


@pytest.mark.parametrize("name", FAILURES)
def test_a_cell_made_to_fail_a_gate_fails_it(good: Evidence, name: str) -> None:
    gate = verdict(FAILURES[name](good), name)
    assert gate.state == "failed", gate.message
    assert gate.message


def test_a_good_cell_passes_all_that_applies_to_it(good: Evidence) -> None:
    states = {gate.name: gate.state for gate in judge(good)}
    assert {name for name, state in states.items() if state == "not applicable"} == {
        "gpu-clocks",
        "gpu-to-itself",
    }
    assert {state for name, state in states.items() if not name.startswith("gpu-")} == {"passed"}


def test_a_good_cell_on_a_gpu_passes_all(good: Evidence) -> None:
    assert {gate.state for gate in judge(GOOD["gpu-clocks"](good))} == {"passed"}


@pytest.mark.parametrize(
    ("shares", "state"),
    [
        (None, "not judged"),
        ({}, "passed"),
        ({"unknown-0x400": 0.05}, "passed"),
        ({"unknown-0x400": 0.5}, "not judged"),
        ({"unknown-0x400": 0.5, "hardware-slowdown": 0.5}, "failed"),
        ({"hardware-slowdown": 0.05, "software-power-cap": 1.0}, "passed"),
        ({"hardware-power-brake": 0.06}, "failed"),
    ],
)
def test_a_gpu_whose_reasons_nobody_knows_is_not_called_good(
    good: Evidence, shares: dict[str, float] | None, state: str
) -> None:
    assert verdict(spoil.on_gpu(good, shares, 0), "gpu-clocks").state == state


def test_a_second_gpu_that_tells_nothing_leaves_no_verdict(good: Evidence) -> None:
    one = spoil.on_gpu(good, {}, 0)
    assert one.observed is not None
    (state,) = one.observed.gpus
    both = (state, state.model_copy(update={"gpu": "GPU-b", "throttle_shares": None}))
    two = replace(one, observed=one.observed.model_copy(update={"gpus": both}))
    gate = verdict(two, "gpu-clocks")
    assert (gate.state, gate.message) == (
        "not judged",
        "not judged: throttling by share of samples: GPU-a none, GPU-b not told; limit 5%",
    )


def test_of_a_machine_that_nobody_describes_gpus_are_not_judged(good: Evidence) -> None:
    imported = spoil.asking(good, "platform", kind=None)
    for name in ("gpu-clocks", "gpu-to-itself"):
        assert verdict(imported, name).state == "not judged"


def test_a_backend_that_the_engine_refuses_fails_though_none_is_named(good: Evidence) -> None:
    silent = spoil.reporting(good, attention_backend=None)
    assert verdict(silent, "attention-backend").state == "not judged"
    refused = spoil.reporting(silent, refused_attention_backend="FLASH_ATTN")
    assert verdict(refused, "attention-backend").state == "failed"
    other = spoil.asking(refused, "engine", attention_backend="CPU_ATTN")
    assert verdict(other, "attention-backend").state == "not judged"


@pytest.mark.parametrize(
    "name",
    [
        "outputs-full-length",
        "attention-backend",
        "prefix-cache-unused",
        "no-steal",
        "cores-to-itself",
        "graph-mode",
        "number-format",
    ],
)
def test_one_fault_fails_one_gate(good: Evidence, name: str) -> None:
    assert failed(FAILURES[name](good)) == [name]


def test_without_evidence_there_is_no_verdict(good: Evidence) -> None:
    blind = replace(good, observed=None, engine_reported={}, iterations=good.iterations.slice(0, 0))
    unjudged = {gate.name for gate in judge(blind) if gate.state == "not judged"}
    assert unjudged == {
        "outputs-full-length",
        "attention-backend",
        "flash-attention-version",
        "graph-mode",
        "scheduler",
        "chunked-prefill",
        "batch-limits",
        "number-format",
        "async-scheduling-off",
        "prefix-cache-unused",
        "few-preemptions",
        "log-complete",
        "tokens-agree",
        "no-drift",
        "cores-to-itself",
        "no-steal",
    }
    assert failed(blind) == []


def test_an_unknown_plan_is_not_judged(good: Evidence) -> None:
    unknown = spoil.column(good, "planned_send_s", lambda times: np.full_like(times, np.nan))
    for name in ("plan-as-nominal", "rate-delivered", "bursts-delivered", "client-punctual"):
        assert verdict(unknown, name).state == "not judged"


def test_a_capacity_cell_is_full_by_nature(good: Evidence) -> None:
    full = run(Toy(), 80, float("inf"), 1.0, 0)
    for name in ("steady", "rate-delivered", "bursts-delivered", "plan-as-nominal"):
        assert verdict(full, name).state == "not applicable"
    assert failed(full) == []


def test_a_simulated_cell_has_no_client_and_no_machine(good: Evidence) -> None:
    simulated = replace(good, evidence="simulated", observed=None)
    judged = {gate.name for gate in judge(simulated) if gate.state != "not applicable"}
    assert judged == {
        "requests-succeeded",
        "outputs-full-length",
        "plan-as-nominal",
        "rate-delivered",
        "bursts-delivered",
        "few-preemptions",
        "log-complete",
        "steady",
    }


def test_what_was_not_asked_for_is_not_compared(good: Evidence) -> None:
    free = spoil.asking(
        good, "engine", attention_backend=None, flash_attn_version=None, cuda_graphs="default"
    )
    for name in ("attention-backend", "flash-attention-version", "graph-mode"):
        assert verdict(free, name).state == "not applicable"


def test_where_nobody_knows_what_was_asked_for_there_is_no_verdict(good: Evidence) -> None:
    without = {key: value for key, value in good.specification.items() if key != "engine"}
    imported = replace(good, specification=without | {"model": {"name": "m"}}, engine_reported={})
    for name in (
        "attention-backend",
        "flash-attention-version",
        "graph-mode",
        "scheduler",
        "chunked-prefill",
        "batch-limits",
        "number-format",
    ):
        gate = verdict(imported, name)
        assert (gate.state, gate.message) == ("not judged", "not judged: it is not known what was asked for")


def test_a_scheduler_of_ones_own_must_be_the_one_named(good: Evidence) -> None:
    asked = spoil.asking(good, "engine", scheduler="my.Scheduler")
    assert verdict(asked, "scheduler").state == "not judged"
    assert verdict(spoil.reporting(asked, scheduler="my.Scheduler"), "scheduler").state == "passed"
    assert verdict(spoil.reporting(asked, scheduler="other.Scheduler"), "scheduler").state == "failed"


def test_an_iteration_larger_than_the_limit_fails_whatever_the_log_says(good: Evidence) -> None:
    small = spoil.reporting(
        spoil.asking(good, "engine", max_batched_tokens=100), argument_max_batched_tokens="100"
    )
    gate = verdict(small, "batch-limits")
    assert gate.state == "failed"
    assert "max_batched_tokens is 100" in gate.message


def test_a_study_of_the_prefix_cache_may_use_it(good: Evidence) -> None:
    hits = spoil.observing(good, "engine", prefix_cache_hits=16)
    asked = spoil.asking(hits, "engine", arguments={"enable-prefix-caching": True})
    assert verdict(asked, "prefix-cache-unused").state == "not applicable"


def test_lines_that_cannot_be_read_fail_the_log(good: Evidence) -> None:
    assert verdict(replace(good, log_lines=LogLines(unparsed=1)), "log-complete").state == "failed"


def test_known_lengths_need_no_engine_to_tell(good: Evidence) -> None:
    blind = spoil.asking(replace(good, observed=None), "workload", output_tokens=40, range_ratio=0.0)
    shortened = spoil.column(blind, "output_tokens", lambda tokens: np.minimum(tokens, 39))
    assert verdict(shortened, "outputs-full-length").state == "failed"
    full = spoil.column(blind, "output_tokens", lambda tokens: np.full_like(tokens, 40))
    assert verdict(full, "outputs-full-length").state == "passed"
