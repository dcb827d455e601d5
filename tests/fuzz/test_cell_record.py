"""`cell.json` and the tables beside it: an edit shows, and a record that somebody else sealed is possible or refused."""

import json
import math
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fuzz.fuzzing import fuzzed, read_or_refused
from tests.fuzz.mutated_bytes import mutated
from tests.fuzz.mutated_json import mutated_json, mutated_values
from tests.records.sample_cells import SampleCells

from burstlab.bench.requests_table import SCHEMA as REQUESTS
from burstlab.iterations.log import SCHEMA as ITERATIONS
from burstlab.records.cell_record import RECORD_SHA256, parse_record
from burstlab.records.compressed import read_compressed, write_compressed
from burstlab.records.parquet import read_parquet
from burstlab.records.schema import CellRecord, Gate
from burstlab.report.provenance import gather
from burstlab.sealed import seal_of
from burstlab.study.specification import specification_sha256
from burstlab.study.unseen import same_measurement
from burstlab.tables.study_tables import build_tables

GATES = (
    Gate(name="steady", passed=True, value=0.5, limit=1.0),
    Gate(name="lateness", passed=None, applies=False),
)
LOG = b"Engine 000: Iteration(1): 0 context requests\n" * 50


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished cell."""
    samples = SampleCells(tmp_path_factory.mktemp("records") / "results")
    return samples.build(samples.cell(), gates=GATES)


@pytest.fixture(scope="module")
def valid(folder: Path) -> bytes:
    """Its record."""
    return (folder / "cell.json").read_bytes()


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for damaged files."""
    return tmp_path_factory.mktemp("damaged")


def unchanged_or_refused(data: bytes, valid: bytes) -> None:
    if read_or_refused(lambda: parse_record(data, Path("cell.json")), "cell.json") is not None:
        assert json.loads(data) == json.loads(valid)


@fuzzed(200)
@given(st.data())
def test_no_damaged_bytes_are_taken(valid: bytes, data: st.DataObject) -> None:
    unchanged_or_refused(data.draw(mutated(valid)), valid)


@fuzzed(300)
@given(st.data())
def test_no_edited_value_is_taken(valid: bytes, data: st.DataObject) -> None:
    unchanged_or_refused(data.draw(mutated_json(json.loads(valid))), valid)


@fuzzed(300)
@given(st.data())
def test_a_sealed_record_of_anything_makes_possible_tables_or_none(
    folder: Path, valid: bytes, data: st.DataObject
) -> None:
    content = data.draw(mutated_values(json.loads(valid)))
    path = folder / "cell.json"
    try:
        path.write_text(json.dumps(sealed(content)))
        record = read_or_refused(lambda: parse_record(path.read_bytes(), path), "cell.json")
        if record is not None:
            is_possible(record, path)
    finally:
        path.write_bytes(valid)


def sealed(content: dict[str, Any]) -> dict[str, Any]:
    """The content with its two hashes made anew."""
    if isinstance(content.get("specification"), dict):
        content["specification_sha256"] = specification_sha256(content["specification"])
    content[RECORD_SHA256] = seal_of(content, RECORD_SHA256)
    return content


def is_possible(record: CellRecord, path: Path) -> None:
    assert record.cell.cell().id.count("/") >= 6
    same_measurement({"engine": {"max_sequences": 64}}, record.specification)
    read_or_refused(lambda: gather([path]), "cell.json")
    tables = path.parents[8] / "tables"
    read_or_refused(lambda: build_tables([path], tables), path.parent.name)
    if not (tables / "cells.parquet").exists():
        return
    (row,) = pq.read_table(tables / "cells.parquet").to_pylist()
    assert row["rate"] > 0
    assert row["counted"] is (row["failed_gates"] == "")
    assert all(
        math.isfinite(value) for name, value in row.items() if isinstance(value, float) and name != "rate"
    )
    (tables / "cells.parquet").unlink()


@pytest.mark.parametrize("name", ["requests", "iterations"])
def test_no_damaged_table_is_read_as_another(folder: Path, name: str) -> None:
    schema = {"requests": REQUESTS, "iterations": ITERATIONS}[name]
    valid = (folder / f"{name}.parquet").read_bytes()

    @fuzzed(150)
    @given(mutated(valid, most=2))
    def damaged(data: bytes) -> None:
        path = Path(f"{name}.parquet")
        table = read_or_refused(lambda: read_parquet(data, schema, path), path.name)
        if table is not None:
            assert table.schema.equals(schema)
            table.to_pylist()

    damaged()


@fuzzed(150)
@given(st.data())
def test_no_damaged_compressed_file_is_read_as_a_part(scratch: Path, data: st.DataObject) -> None:
    path = scratch / "iterations.log.zst"
    write_compressed(path, LOG)
    valid = path.read_bytes()
    path.write_bytes(data.draw(mutated(valid, most=1)))
    found = read_or_refused(lambda: read_compressed(path), path.name)
    # A cell's record has the checksum of the file; without it a flipped byte may still unpack, but never a cut file.
    if found is not None and valid.startswith(path.read_bytes()):
        assert found == LOG
