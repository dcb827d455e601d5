"""Studies of made-up finished cells, small enough to collect, damage and draw in a test."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.profiles.torch_made import two_iterations_on_a_cpu
from tests.records.sample_cells import BENCH, LOG

from burstlab.exact_batches.record import write_times
from burstlab.exact_batches.shapes import Shape
from burstlab.exact_batches.targets import engines_timed, times_file
from burstlab.exact_batches.timed import Timed
from burstlab.records.build import build_measured_cell
from burstlab.study.cells import Cell
from burstlab.study.expand import cells
from burstlab.study.load import load_study
from burstlab.study.profiled import profiled
from burstlab.study.schema import Study
from burstlab.study.specification import specifications

CONFIG: dict[str, Any] = {
    "name": "small",
    "platforms": {"cpu": {"kind": "cpu"}},
    "environments": {"mine": {"python": "/opt/python", "vllm_version": "0.32.0"}},
    "models": {"tiny": {"build": "tiny-gqa"}},
    "engines": {"eager": {"environment": "mine"}},
    "datasets": {"talk": {"source": "synthetic-sharegpt"}},
    "workloads": {"talk": {"dataset": "talk", "requests": 3}},
    "blocks": [
        {
            "platforms": ["cpu"],
            "models": ["tiny"],
            "engines": ["eager"],
            "workloads": ["talk"],
            "rates": [1],
            "burstiness": [1.0, 0.1],
            "seeds": [0, 1],
        }
    ],
}


class MadeStudy:
    """A study in a folder, and its cells measured by nobody."""

    def __init__(self, root: Path, config: dict[str, Any]) -> None:
        self.root, self.config = root, config
        root.mkdir(parents=True, exist_ok=True)
        (root / "config.yaml").write_text(yaml.safe_dump(config))

    @property
    def study(self) -> Study:
        """The study as its configuration is now."""
        return load_study(self.config, [], self.root)

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Its cells."""
        return cells(self.study)

    def folder(self, cell: Cell) -> Path:
        """Where a cell is."""
        return self.root / "results/cells" / cell.id

    def measure(self, *which: Cell, evidence_log: bytes = LOG) -> None:
        """Make the folders of the cells, by default all, with arrivals as planned for them."""
        asked = specifications(self.cells, self.study)
        for cell in which or self.cells:
            self._measure(cell, self.folder(cell), asked[cell], evidence_log)

    @property
    def runs(self) -> tuple[Cell, ...]:
        """Its profiled runs."""
        runs = profiled(self.study)
        return () if runs is None else cells(runs)

    def run_folder(self, run: Cell) -> Path:
        """Where a profiled run is."""
        return self.root / "results/profiles/cells" / run.id

    def profile(self) -> None:
        """Make the folders of the profiled runs, each of two iterations: see `torch_made`."""
        from burstlab.profiles.read import read_profile
        from burstlab.profiles.store import write_iterations, write_launches

        study = profiled(self.study)
        assert study is not None
        profile = read_profile(two_iterations_on_a_cpu().write(self.root / "trace.json"))
        for run, asked in specifications(self.runs, study).items():
            folder = self.run_folder(run)
            write_launches(folder / "kernels.parquet", profile.launches)
            write_iterations(folder / "profiled_iterations.parquet", profile.iterations)
            self._measure(run, folder, asked, LOG)

    def _measure(self, cell: Cell, folder: Path, asked: dict[str, Any], log: bytes) -> None:
        from burstlab.arrivals.gamma import planned_send_s
        from burstlab.iterations.log import parse_bytes

        folder.mkdir(parents=True, exist_ok=True)
        planned_s = planned_send_s(3, cell.rate, cell.arrivals.burstiness or 1.0, cell.seed)
        starts_s = [100.0 + float(one) + 0.001 for one in planned_s]
        (folder / "bench.json").write_text(json.dumps({**BENCH, "start_times": starts_s}))
        build_measured_cell(
            folder,
            cell=cell,
            specification=asked,
            planned_send_s=planned_s,
            start_clock_s=100.0,
            log=parse_bytes(log),
            versions={"vllm": "0.32.0"},
            hardware={"cpu": "some", "cores": 2},
            commands={"server": ["vllm", "serve"], "client": ["vllm", "bench", "serve"]},
            engine_reported={"attention_backend": "CPU_ATTN"},
            times={"started_utc": "2026-11-29T15:00:00.000+00:00", "wall_s": 4.5},
        )


@pytest.fixture
def make_study(tmp_path: Path) -> Callable[..., MadeStudy]:
    """Makes a study in a folder below the test's own; keywords replace keys of its configuration."""

    def make(name: str = "study", **changes: Any) -> MadeStudy:
        return MadeStudy(tmp_path / name, {**CONFIG, **changes})

    return make


@pytest.fixture
def recorded(make_study: Callable[..., MadeStudy]) -> MadeStudy:
    """A study with all its cells, and a profiled run of each kind of arrivals."""
    blocks = [{**CONFIG["blocks"][0], "seeds": [0]}]
    study = make_study(profiles={"requests": 3, "blocks": blocks})
    study.measure()
    study.profile()
    return study


@pytest.fixture
def timed(recorded: MadeStudy) -> MadeStudy:
    """The study with times of exact batches of its engine: 5 ms the decodes, 2 ms the prompt, and 8 ms both in one call."""
    (engine,) = engines_timed(recorded.study, recorded.runs)
    rows = tuple(
        {"shape": 0, "arm": arm, "repetition": number, "part": "forward", "ms": ms}
        for number in range(6)
        for arm, ms in (("decode", 5.0), ("chunk", 2.0), ("mixed", 8.0))
    )
    path = recorded.root / times_file(recorded.study, engine)
    write_times(path, "cpu", "tiny", "eager", [Shape(2, 100, 30)], Timed("model runner", "0.32.0", 1, rows))
    return recorded


@pytest.fixture
def measured(make_study: Callable[..., MadeStudy]) -> MadeStudy:
    """A study with all its cells."""
    study = make_study()
    study.measure()
    return study
