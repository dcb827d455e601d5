"""The program that runs in the engine's environment: what does not take vLLM."""

import os
from collections import defaultdict
from typing import Any

import pytest

from burstlab.exact_batches.inside import Batches, Clock, measure, take_a_workers_cores

A, B = [[[1, 8]]], [[[4, 0]], [[1, 8]]]


class Machine:
    """Stands for batches and clock: each call takes a ms of the clock for each request, and a second of the time of day."""

    def __init__(self) -> None:
        self.ms: defaultdict[str, float] = defaultdict(float)
        self.now_s = 0.0
        self.calls: list[Any] = []

    def run(self, call: list[list[int]]) -> None:
        self.calls.append(call)
        self.ms["forward"] += len(call)
        self.now_s += 1.0


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = Machine()
    monkeypatch.setattr("burstlab.exact_batches.inside.time.monotonic", lambda: made.now_s)
    return made


def timed(machine: Machine, repetitions: int, least: int, budget_s: float) -> list[list[dict[str, float]]]:
    job = {"repetitions": [[A, B]] * repetitions, "least": least, "budget_s": budget_s}
    batches: Any = machine
    return measure(job, batches, batches)


def test_a_step_of_two_calls_is_one_time(machine: Machine) -> None:
    assert timed(machine, 2, 1, 100) == [[{"forward": 1.0}, {"forward": 2.0}]] * 2


def test_every_batch_is_warmed_up_before_any_is_timed(machine: Machine) -> None:
    timed(machine, 1, 1, 100)
    assert machine.calls[:6] == [*A, *A, *B, *B]


def test_no_repetition_begins_after_the_time_is_up(machine: Machine) -> None:
    # A repetition takes 3 s: one begins at 0, 3 and 6 s.
    assert len(timed(machine, 40, 1, 7.0)) == 3


def test_the_least_number_is_timed_however_long_it_takes(machine: Machine) -> None:
    assert len(timed(machine, 40, 8, 0.0)) == 8


def test_no_more_than_asked_for(machine: Machine) -> None:
    assert len(timed(machine, 5, 1, 1e9)) == 5


@pytest.mark.parametrize(("cores", "own"), [({0, 1, 5}, [0, 1]), ({3}, [3])])
def test_one_core_is_left_alone_where_there_are_several(
    monkeypatch: pytest.MonkeyPatch, cores: set[int], own: list[int]
) -> None:
    taken: list[Any] = []
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: cores)
    monkeypatch.setattr(os, "sched_setaffinity", lambda _, some: taken.append(some))
    monkeypatch.setenv("OMP_NUM_THREADS", "9")
    assert take_a_workers_cores() == len(own)
    assert taken == [own]
    assert os.environ["OMP_NUM_THREADS"] == str(len(own))


class Module:
    """Stands for a module of torch: calls its hooks, and takes a second of its clock for its own work."""

    now_s = 0.0

    def __init__(self, *inner: "Module") -> None:
        self.inner = inner
        self.before: list[Any] = []
        self.after: list[Any] = []

    def register_forward_pre_hook(self, hook: Any) -> None:
        self.before.append(hook)

    def register_forward_hook(self, hook: Any) -> None:
        self.after.append(hook)

    def children(self) -> tuple["Module", ...]:
        return self.inner

    def modules(self) -> list["Module"]:
        return [self, *(module for child in self.inner for module in child.modules())]

    def __call__(self) -> None:
        for hook in self.before:
            hook(self, ())
        for child in self.inner:
            child()
        Module.now_s += 1.0
        for hook in self.after:
            hook(self, (), None)


class Attention(Module): ...


class QwenGatedDeltaNetAttention(Module): ...


class RowParallelLinear(Module): ...


class Kernel(Module): ...


def test_a_part_is_its_layers_without_their_products(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("burstlab.exact_batches.inside.time.perf_counter", lambda: Module.now_s)
    delta_net = QwenGatedDeltaNetAttention(RowParallelLinear(), Kernel(), RowParallelLinear())
    model = Module(Attention(), delta_net, RowParallelLinear(), Attention())
    clock = Clock()
    clock.watch(model)
    model()
    assert dict(clock.layers) == {"attention": 2, "gdn": 1}
    # Of the Gated DeltaNet layer its own second and the kernel's; of the model all eight.
    assert {part: ms / 1000 for part, ms in clock.ms.items()} == {
        "attention": 2.0,
        "gdn": 2.0,
        "forward": 8.0,
    }


class Spec:
    def __init__(self, block_size: int) -> None:
        self.block_size = block_size


class MambaSpec(Spec): ...


@pytest.mark.parametrize(
    ("spec", "tokens", "blocks"), [(Spec(16), 16, 1), (Spec(16), 17, 2), (MambaSpec(16), 999, 1)]
)
def test_blocks_of_the_cache(spec: Spec, tokens: int, blocks: int) -> None:
    assert Batches._count(spec, tokens) == blocks
