"""The table of exact batches is made anew from the files with the times, own and of collections."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from burstlab.collections import collect as collect_module
from burstlab.collections.collect import collect
from burstlab.exact_batches.record import build_table
from burstlab.records.parquet import write_parquet
from burstlab.verify.everything import verify


@pytest.fixture
def study(timed: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The study with the table of its times and of those of a collection."""
    monkeypatch.setattr(collect_module, "draw", lambda *_: None)
    collect(timed.study, "shipped", {"cpu": "xeon"})
    build_table(files(timed), timed.root / "results/tables")
    return timed


def files(study: Any) -> list[Path]:
    return sorted(study.root.rglob("profiles/exact_batches/*/tiny/eager-*.json"))


def differences(study: Any) -> list[str]:
    return verify(study.root / "results").differences


def test_nothing_differs_in_what_was_timed(study: Any) -> None:
    table = pq.read_table(study.root / "results/tables/exact_batches.parquet")
    assert set(table["platform"].to_pylist()) == {"cpu", "xeon"}
    assert differences(study) == []


def test_a_time_that_the_file_does_not_give_is_told(study: Any) -> None:
    path = study.root / "results/tables/exact_batches.parquet"
    table = pq.read_table(path)
    times = table["ms"].to_pylist()
    times[-1] = 9.0
    place = table.schema.get_field_index("ms")
    write_parquet(path, table.set_column(place, table.schema.field(place), pa.array(times)))
    told, text = differences(study)
    assert told.endswith("ms of repetition 5 is 9.0, its raw files give 8.0")
    assert text.endswith("exact_batches.csv: does not say what exact_batches.parquet says")


def test_a_collections_own_table_is_made_anew_too(study: Any) -> None:
    folder = study.root / "collections/shipped"
    (path,) = (folder / "profiles").rglob("eager-*.json")
    build_table([path], folder / "tables")
    said = json.loads(path.read_text())
    said["rows"][0]["ms"] = 4.0
    path.write_text(json.dumps(said))
    told = [one for one in differences(study) if "its raw files give 4.0" in one]
    assert [one.split(": of ")[0] for one in told] == [
        f"{folder}/tables/exact_batches.parquet",
        f"{study.root}/results/tables/exact_batches.parquet",
    ]
    assert all("of xeon/tiny/eager: ms of repetition 0 is 5.0" in one for one in told)


def test_rows_of_an_engine_without_a_file_are_told(study: Any) -> None:
    next((study.root / "results/profiles/exact_batches").rglob("*.json")).unlink()
    (told,) = differences(study)
    assert told.endswith("of cpu/tiny/eager: has rows, but no file with its times is there")


def test_times_of_an_older_question_do_not_count_against_the_table(study: Any) -> None:
    own = next((study.root / "results/profiles/exact_batches").rglob("*.json"))
    said = json.loads(own.read_text())
    own.with_name("eager-000000000000.json").write_text(json.dumps({**said, "rows": said["rows"][:3]}))
    assert differences(study) == []


def test_a_damaged_file_is_told(study: Any) -> None:
    own = next((study.root / "results/profiles/exact_batches").rglob("*.json"))
    own.write_text("{}")
    (told,) = differences(study)
    assert f"{own}: not the times of exact batches" in told
