"""Exact batches by costs of which every time is known."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.simulated_study import in_folder, simulated_config

from burstlab.exact_batches.record import times_of
from burstlab.exact_batches.shapes import CHUNK, DECODE, MIXED, PACKED, SPLIT, Shape
from burstlab.exact_batches.simulated import simulate_from_workflow, times_of_costs
from burstlab.exact_batches.targets import engines_simulated, times_file
from burstlab.simulator.clock import PS_PER_MS
from burstlab.simulator.costs.interface import Line
from burstlab.study.expand import cells


class Known:
    """10 ms a decode; beside prompts 5 ms more for all of them, and 1 ms a prompt token."""

    def decode(self, decodes: int, context_tokens: int) -> Line:
        return Line(10 * decodes * PS_PER_MS, 0)

    def mixed(self, decodes: int, context_tokens: int, chunks: Sequence[tuple[int, int]]) -> int:
        tokens = sum(now for now, _ in chunks)
        return (10 * decodes + (5 if decodes else 0) + tokens) * PS_PER_MS


def test_each_arm_but_the_padded_takes_what_the_costs_say() -> None:
    timed = times_of_costs(Known(), [Shape(decodes=2, context_tokens=100, chunk_tokens=30)])
    assert {row["arm"]: row["ms"] for row in timed.rows} == {
        DECODE: 20,
        CHUNK: 30,
        MIXED: 55,
        SPLIT: 50,
        PACKED: 85,
    }
    assert (timed.evidence, timed.by) == ("simulated", "roofline")


def test_each_simulated_engine_has_a_file_that_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    study = in_folder(tmp_path)
    sessions = engines_simulated(study, cells(study))
    outputs = [Path(times_file(study, one)) for one in sessions]
    engines = [(one.platform, one.model, one.engine) for one in sessions]
    simulate_from_workflow(config=simulated_config(), engines=engines, outputs=outputs, log=tmp_path / "log")
    table = times_of(outputs).to_pandas()
    assert set(table["evidence"]) == {"simulated"}
    assert set(table["engine"]) == {"old", "new"}
    assert table["ms"].gt(0).all()


def test_what_cannot_be_simulated_is_one_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    in_folder(tmp_path)
    with pytest.raises(SystemExit, match="exact batches of simulated engines"):
        simulate_from_workflow(
            config=json.loads(json.dumps(simulated_config(blocks=[{"platforms": 1}]))),
            engines=[],
            outputs=[],
            log=tmp_path / "log",
        )
