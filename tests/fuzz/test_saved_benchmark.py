"""Importing what `vllm bench serve` saved elsewhere: a whole cell of possible numbers, or a refusal that names the file."""

import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fuzz.fuzzing import fuzzed, read_or_refused
from tests.fuzz.mutated_bytes import mutated
from tests.fuzz.mutated_json import mutated_json
from tests.imports.conftest import old_log, saved

from burstlab.imports.collect import Collected, collect
from burstlab.imports.names import Named
from burstlab.records.cell_record import check_folder, read_record
from burstlab.tables.study_tables import build_tables

LAYOUT = "vllm-0.22/a100/qwen/in64out3/rate10/burst0.5/prompts40seed3.json"
VALID = saved(requests=24)
OURS = Named(platform="lab", engine="old", workload="short")
NAMES = st.sampled_from(
    [
        "run.json",
        "seed3.json",
        f"seed{'9' * 30}.json",
        "seed4294967295.json",
        "seed-1.json",
        "e/g/m/in64out3/rate10/burst0.5/prompts24seed3.json",
        "e/g/m/in64out3/rate0/burst0.5/prompts24seed3.json",
        f"e/g/m/in{'9' * 40}out3/rate10/burst0.5/prompts24seed3.json",
        f"e/g/m/in64out3/rate10/burst0.5/prompts24seed{'9' * 20}.json",
        "e/g/-/in64out3/rate10/burst0.5/prompts24seed3.json",
        "e/g/m/in64out3/rate10/burst0.5/prompts\u0662\u0664seed3.json",
        "é\n.json",
    ]
)


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lab")


def whole_or_refused(lab: Path, name: str, data: bytes, log: bytes | None = None) -> Collected | None:
    for old in ("in", "root"):
        shutil.rmtree(lab / old, ignore_errors=True)
    path = lab / "in" / name
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    if log is not None:
        path.with_suffix(".log").write_bytes(log)
    asked = Named() if "/" in name else OURS
    found = read_or_refused(lambda: collect(lab / "in", lab / "root", "back", asked), path.name)
    if found is not None:
        (cell,) = found.outcome.cells
        record = read_record(found.folder / "cells" / cell / "cell.json")
        check_folder(found.folder / "cells" / cell, record.cell.cell())
        build_tables([found.folder / "cells" / cell / "cell.json"], lab / "root" / "tables")
        rows = pq.read_table(lab / "root/tables/requests.parquet").to_pylist()
        assert len(rows) == record.summary["requests"]
        assert all(row["ttft_ms"] is None or 0 <= row["ttft_ms"] <= row["e2el_ms"] for row in rows)
    return found


@fuzzed(60)
@given(mutated(json.dumps(VALID).encode()))
def test_damaged_bytes(lab: Path, data: bytes) -> None:
    whole_or_refused(lab, "run.json", data)


@fuzzed(150)
@given(mutated_json(VALID), NAMES)
def test_wrong_values(lab: Path, data: bytes, name: str) -> None:
    whole_or_refused(lab, name, data)


@fuzzed(40)
@given(NAMES)
def test_a_sound_file_under_any_name(lab: Path, name: str) -> None:
    whole_or_refused(lab, name, json.dumps(VALID).encode())


FACTS = st.fixed_dictionaries(
    {},
    optional={
        "request_rate": st.sampled_from([1e-320, 1e-300, 1e-9, 1e300, 1.7e308, 10**400, "inf", 5]),
        "burstiness": st.sampled_from([1e-320, 1e-300, 1e-3, 1e300, 1.7e308, 10**400, "inf", 5]),
        "model_id": st.sampled_from(["\ud800", "x" * 300, "a\0b", "..", "é/ü"]),
        "date": st.sampled_from(["\ud800", "", 5]),
        "output_lens": st.sampled_from([[0] * 24, [2**53 - 1] * 24]),
        "errors": st.sampled_from([["x"] * 24, ["\0"] + [""] * 23]),
        "start_times": st.sampled_from([[0.0] * 24, [1e15] * 24, list(range(24, 0, -1))]),
    },
)


@fuzzed(150)
@given(FACTS)
def test_extreme_values(lab: Path, changes: dict[str, object]) -> None:
    whole_or_refused(lab, "seed3.json", json.dumps(VALID | changes).encode())


@fuzzed(60)
@given(mutated(old_log(48).encode()))
def test_a_damaged_log_beside_it(lab: Path, log: bytes) -> None:
    found = whole_or_refused(lab, LAYOUT.replace("prompts40", "prompts24"), json.dumps(VALID).encode(), log)
    assert found is not None
