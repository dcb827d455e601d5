"""Prepared datasets: their files and their record."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from burstlab.arrivals.trace import planned_send_s
from burstlab.datasets.prepare import prepare
from burstlab.datasets.record import check_recipe, read_record
from burstlab.datasets.timestamps import read_timestamps_s
from burstlab.errors import BurstlabError
from burstlab.models.text import vocabulary
from burstlab.study.schema import Dataset

SYNTHETIC = ("synthetic-sharegpt", "synthetic-burstgpt")
AZURE = "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46,3,4\n2023-11-16 18:15:48,5,6\n"


def recipe(source: str, **values: object) -> Dataset:
    return Dataset.model_validate({"source": source, "rows": 20, "length_scale": 0.25, **values})


def test_a_file_becomes_a_dataset_with_a_record(tmp_path: Path) -> None:
    (tmp_path / "trace.csv").write_text(AZURE)
    sha256 = hashlib.sha256(AZURE.encode()).hexdigest()
    dataset = Dataset(source="azure-trace", path="trace.csv", sha256=sha256)
    prepare("azure", dataset, tmp_path / "out", root=tmp_path)
    record = read_record(tmp_path / "out")
    assert (record.name, record.source, record.synthetic) == ("azure", "azure-trace", False)
    assert record.licence == "CC-BY-4.0"
    assert record.source_file is not None
    assert record.source_file.sha256 == sha256
    times = (tmp_path / "out" / "timestamps.csv").read_bytes()
    assert record.files["timestamps.csv"].sha256 == hashlib.sha256(times).hexdigest()
    assert record.files["timestamps.csv"].bytes == len(times)
    assert (record.rows_kept, record.rows_dropped) == (2, {})
    assert record.recipe == {"source": "azure-trace", "path": "trace.csv", "sha256": sha256, "version": 1}
    assert planned_send_s(read_timestamps_s(tmp_path / "out"), 1, 4.0, 0).tolist() == [0.25]


@pytest.mark.parametrize("name", SYNTHETIC)
def test_a_stand_in_says_that_it_is_synthetic(tmp_path: Path, name: str) -> None:
    prepare("stand-in", recipe(name), tmp_path)
    stored = json.loads((tmp_path / "dataset.json").read_text())
    assert stored["synthetic"] is True
    assert stored["title"].startswith("synthetic")
    assert stored["lengths"]["unit"] == "words, each of which is one token of the tiny models' tokenizer"
    assert stored["recipe"]["length_scale"] == 0.25


@pytest.mark.parametrize("name", SYNTHETIC)
def test_a_stand_in_is_text_that_vllms_sharegpt_reader_keeps(tmp_path: Path, name: str) -> None:
    prepare("stand-in", recipe(name, length_scale=1.0, rows=200), tmp_path)
    rows = json.loads((tmp_path / "data.json").read_text())
    assert len(rows) == 200
    words = [[turn["value"].split() for turn in row["conversations"]] for row in rows]
    assert {len(turns) for turns in words} == {2}
    assert all(4 <= len(prompt) <= 1024 and len(output) >= 4 for prompt, output in words)
    assert all(len(prompt) + len(output) <= 2048 for prompt, output in words)
    assert {word for turns in words for turn in turns for word in turn} <= set(vocabulary())
    record = read_record(tmp_path)
    assert record.lengths is not None
    assert record.lengths.input.mean == pytest.approx(np.mean([len(prompt) for prompt, _ in words]))
    assert record.lengths.output.p50 == pytest.approx(np.median([len(output) for _, output in words]))


@pytest.mark.parametrize("name", SYNTHETIC)
def test_limits_on_lengths_hold(tmp_path: Path, name: str) -> None:
    prepare("stand-in", recipe(name, max_prompt_tokens=30, max_output_tokens=10), tmp_path)
    for row in json.loads((tmp_path / "data.json").read_text()):
        prompt, output = (len(turn["value"].split()) for turn in row["conversations"])
        assert prompt <= 30
        assert output <= 10


@pytest.mark.parametrize("name", SYNTHETIC)
def test_the_same_recipe_makes_the_same_bytes_and_another_seed_others(tmp_path: Path, name: str) -> None:
    for folder, seed in (("a", 1), ("b", 1), ("c", 2)):
        prepare("stand-in", recipe(name, seed=seed), tmp_path / folder)
    for file in (path.name for path in (tmp_path / "a").iterdir()):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()
        assert (tmp_path / "a" / file).read_bytes() != (tmp_path / "c" / file).read_bytes()


def test_the_burstgpt_stand_in_can_be_replayed(tmp_path: Path) -> None:
    prepare("stand-in", recipe("synthetic-burstgpt", rows=5000, length_scale=0.02), tmp_path)
    times_s = read_timestamps_s(tmp_path)
    assert times_s.size == 5000
    assert (times_s == np.floor(times_s)).all()
    assert np.diff(times_s).mean() == pytest.approx(61 * 86_400 / 1_429_700, rel=0.1)
    assert planned_send_s(times_s, 100, 5.0, 0)[-1] == 20.0


def test_a_failed_preparation_leaves_no_record(tmp_path: Path) -> None:
    (tmp_path / "trace.csv").write_text(AZURE)
    dataset = Dataset(source="azure-trace", path="trace.csv")
    prepare("azure", dataset, tmp_path / "out", root=tmp_path)
    (tmp_path / "trace.csv").write_text("nonsense")
    with pytest.raises(BurstlabError, match=r"trace\.csv"):
        prepare("azure", dataset, tmp_path / "out", root=tmp_path)
    with pytest.raises(BurstlabError, match="not been prepared"):
        read_record(tmp_path / "out")


def test_a_local_file_must_be_there_and_right(tmp_path: Path) -> None:
    dataset = Dataset(source="azure-trace", path="trace.csv", sha256="0" * 64)
    with pytest.raises(BurstlabError, match=r"datasets\.azure\.path: .*trace\.csv is no file"):
        prepare("azure", dataset, tmp_path / "out", root=tmp_path)
    (tmp_path / "trace.csv").write_text(AZURE)
    with pytest.raises(BurstlabError, match=f"SHA-256 .*{'0' * 64}"):
        prepare("azure", dataset, tmp_path / "out", root=tmp_path)


def test_a_download_that_is_there_is_used(tmp_path: Path) -> None:
    (tmp_path / "downloads").mkdir()
    (tmp_path / "downloads" / "trace.csv").write_text(AZURE)
    sha256 = hashlib.sha256(AZURE.encode()).hexdigest()
    dataset = Dataset(source="azure-trace", url="http://127.0.0.1:9/x/trace.csv", sha256=sha256)
    prepare("azure", dataset, tmp_path / "out", downloads=tmp_path / "downloads")
    assert read_record(tmp_path / "out").url == "http://127.0.0.1:9/x/trace.csv"


def test_the_licence_is_shown(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "trace.csv").write_text(AZURE)
    with caplog.at_level("INFO"):
        prepare("azure", Dataset(source="azure-trace", path="trace.csv"), tmp_path / "out", root=tmp_path)
    assert "licence: CC-BY-4.0" in caplog.text


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"format": 2}', "\xff"])
def test_a_broken_record_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "dataset.json").write_text(content, encoding="latin-1")
    with pytest.raises(BurstlabError, match=r"dataset\.json is no valid dataset record"):
        read_record(tmp_path)


def test_a_record_of_another_recipe_is_refused(tmp_path: Path) -> None:
    prepare("stand-in", recipe("synthetic-sharegpt"), tmp_path)
    record = read_record(tmp_path)
    check_recipe(record, recipe("synthetic-sharegpt"), tmp_path)
    with pytest.raises(BurstlabError, match="prepare it anew"):
        check_recipe(record, recipe("synthetic-sharegpt", seed=1), tmp_path)


def test_a_file_with_the_same_checksum_is_the_same_wherever_it_came_from(tmp_path: Path) -> None:
    (tmp_path / "trace.csv").write_text(AZURE)
    sha256 = hashlib.sha256(AZURE.encode()).hexdigest()
    prepare("azure", Dataset(source="azure-trace", path="trace.csv", sha256=sha256), tmp_path, root=tmp_path)
    elsewhere = Dataset(source="azure-trace", url="http://127.0.0.1/trace.csv", sha256=sha256)
    check_recipe(read_record(tmp_path), elsewhere, tmp_path)
    with pytest.raises(BurstlabError):
        check_recipe(read_record(tmp_path), elsewhere.model_copy(update={"sha256": "0" * 64}), tmp_path)


JOB = """
import sys
from pathlib import Path
from burstlab.datasets.job import prepare_from_workflow
entry = {"source": "azure-trace", "path": "trace.csv"}
prepare_from_workflow("azure", entry, Path("out/dataset.json"), Path("log"))
"""


def run_job(folder: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2] / "workflow")}
    return subprocess.run(
        [sys.executable, "-c", JOB], cwd=folder, env=environment, capture_output=True, text=True, timeout=60
    )


def test_the_job_shows_the_licence_and_logs_it(tmp_path: Path) -> None:
    (tmp_path / "trace.csv").write_text(AZURE)
    finished = run_job(tmp_path)
    assert finished.returncode == 0
    assert "licence: CC-BY-4.0" in finished.stderr
    assert "licence: CC-BY-4.0" in (tmp_path / "log").read_text()
    assert read_record(tmp_path / "out").rows_kept == 2


def test_the_job_fails_with_one_message_and_no_traceback(tmp_path: Path) -> None:
    finished = run_job(tmp_path)
    assert finished.returncode == 1
    assert finished.stderr.count("trace.csv is no file") == 1
    assert "Traceback" not in finished.stderr
    assert "trace.csv is no file" in (tmp_path / "log").read_text()
