import json
import math
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.records.sample_cells import LOG

from burstlab.errors import BurstlabError
from burstlab.iterations.log import IterationLog, parse_bytes
from burstlab.records.cell_record import FILES, RAW_FILES, check_folder, parse_record, read_record
from burstlab.records.compressed import read_compressed
from burstlab.records.observed import CpuTime, EngineCounters, Observed
from burstlab.records.schema import Gate, schema_text
from burstlab.study.cells import Arrivals


def test_a_record_reads_back_as_it_was_written(sample_cells: Any) -> None:
    cell = sample_cells.cell()
    record = check_folder(sample_cells.build(cell), cell)
    assert record.cell.cell() == cell
    assert record.cell.cv == 2.0
    assert record.evidence == "measured"
    assert record.specification == sample_cells.specification(cell)
    assert record.commands["server"] == ["vllm", "serve"]
    assert record.times["bench_duration_s"] == 4.0
    assert set(record.files) == {*FILES, *RAW_FILES}
    assert record.log_lines.unparsed == 0


def test_no_secret_of_a_command_reaches_the_record(sample_cells: Any) -> None:
    commands = {
        "server": ["vllm", "serve", "--api-key", "hush-1", "--hf-token=hush-2"],
        "environment": ["AWS_SECRET_ACCESS_KEY=hush-3", "HF_TOKEN=hush-4", "HF_HUB_OFFLINE=1"],
    }
    folder = sample_cells.build(sample_cells.cell(), commands=commands)
    text = (folder / "cell.json").read_text()
    assert "hush" not in text
    assert "HF_HUB_OFFLINE=1" in text


@pytest.mark.parametrize(
    ("rate", "arrivals", "cv"),
    [
        (math.inf, Arrivals.gamma(1.0), 1.0),
        (2.5, Arrivals.gamma(math.inf), 0.0),
        (2.5, Arrivals.replay("azure-conv"), None),
    ],
)
def test_every_kind_of_arrivals_survives_json(
    sample_cells: Any, rate: float, arrivals: Arrivals, cv: float | None
) -> None:
    cell = sample_cells.cell(rate=rate, arrivals=arrivals)
    record = check_folder(sample_cells.build(cell), cell)
    assert record.cell.cell() == cell
    assert record.cell.cv == cv


def test_failed_gates_are_named(sample_cells: Any) -> None:
    gates = (Gate(name="punctual", passed=False, message="late by 300 ms"), Gate(name="whole", passed=True))
    cell = sample_cells.cell()
    assert check_folder(sample_cells.build(cell, gates=gates), cell).failed_gates == ("punctual",)


def test_a_gate_without_evidence_is_neither_failed_nor_passed(sample_cells: Any) -> None:
    gates = (Gate(name="no-steal", passed=None), Gate(name="steady", passed=None, applies=False))
    cell = sample_cells.cell()
    record = check_folder(sample_cells.build(cell, gates=gates), cell)
    assert [gate.state for gate in record.gates] == ["not judged", "not applicable"]
    assert (record.failed_gates, record.unjudged_gates) == ((), ("no-steal",))


def test_what_was_observed_reads_back(sample_cells: Any) -> None:
    counted = EngineCounters(
        prompt_tokens=30,
        generation_tokens=4,
        finished_requests=2,
        finished_by_length=2,
        preemptions=0,
        prefix_cache_queries=None,
        prefix_cache_hits=None,
    )
    time = CpuTime(wall_s=4.0, cores=2, busy_s=6.5, own_s=6.0, interrupts_s=0.1, steal_s=0.0)
    cell = sample_cells.cell()
    observed = Observed(cpu=time, engine=counted)
    assert check_folder(sample_cells.build(cell, observed=observed), cell).observed == observed


def test_an_observation_that_no_reader_knows_is_refused(sample_cells: Any) -> None:
    cell = sample_cells.cell()
    path = sample_cells.build(cell, observed=Observed()) / "cell.json"
    path.write_text(path.read_text().replace('"other_gpu_processes"', '"other_gpus"'))
    with pytest.raises(BurstlabError, match=r"observed\.other_gpus"):
        read_record(path)


def test_the_record_comes_last_and_only_for_a_sound_benchmark(sample_cells: Any) -> None:
    cell = sample_cells.cell()
    with pytest.raises(BurstlabError, match="mean_ttft_ms is saved as 1"):
        sample_cells.build(cell, bench={"mean_ttft_ms": 1.0})
    assert not (sample_cells.folder(cell) / "cell.json").exists()


def edit(path: Path, change: str) -> None:
    content = json.loads(path.read_text())
    exec(change, {"content": content})  # noqa: S102 - the changes stand in this file
    path.write_text(json.dumps(content))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("content['summary']['mean_tpot_ms'] = 1.0", "was edited"),
        ("content['specification']['seed'] = 9", "was edited"),
        ("content['gates'] = [{'name': 'x', 'passed': False}]", "was edited"),
        ("content['files']['bench.json']['bytes'] += 1", "was edited"),
        ("content['record_sha256'] = '0' * 64", "was edited"),
        ("content['specification']['x'] = float('nan')", "was edited"),
        ("del content['files']", "files: Field required"),
        ("content['extra'] = 1", "extra: Extra inputs"),
        ("content['format'] = 2", "format: Input should be 1"),
        ("content['evidence'] = 'guessed'", "evidence: Input should be"),
        ("content['cell']['rate'] = 0", "cell.rate: Input should be greater than 0"),
        ("content['summary']['mean_tpot_ms'] = 'fast'", "summary.mean_tpot_ms"),
    ],
)
def test_an_edited_record_is_detected(sample_cells: Any, change: str, message: str) -> None:
    path = sample_cells.build(sample_cells.cell()) / "cell.json"
    edit(path, change)
    with pytest.raises(BurstlabError, match=message) as caught:
        read_record(path)
    assert str(path) in str(caught.value)


def test_layout_of_the_text_does_not_matter(sample_cells: Any) -> None:
    cell = sample_cells.cell()
    folder = sample_cells.build(cell)
    edit(folder / "cell.json", "")
    check_folder(folder, cell)


def test_a_cell_of_before_raw_lines_were_kept_is_whole_without_them(sample_cells: Any) -> None:
    cell = sample_cells.cell()
    folder = sample_cells.build(cell, log=IterationLog(parse_bytes(LOG).table, 0, 0, 0))
    assert set(check_folder(folder, cell).files) == set(FILES)
    assert not (folder / "iterations.log.zst").exists()


def test_raw_lines_of_a_killed_session_do_not_stay(sample_cells: Any) -> None:
    cell = sample_cells.cell()
    sample_cells.folder(cell).mkdir(parents=True)
    (sample_cells.folder(cell) / "iterations.log.zst").write_bytes(b"old")
    folder = sample_cells.build(cell)
    assert read_compressed(folder / "iterations.log.zst") == LOG
    assert check_folder(folder, cell).files["iterations.log.zst"].bytes > 0


@pytest.mark.parametrize("name", [*FILES, *RAW_FILES])
def test_a_damaged_file_is_detected(sample_cells: Any, name: str) -> None:
    cell = sample_cells.cell()
    path = sample_cells.build(cell) / name
    data = path.read_bytes()
    path.write_bytes(data[:-1])
    with pytest.raises(BurstlabError, match=f"{name}: is {len(data) - 1} bytes, recorded {len(data)}"):
        check_folder(path.parent, cell)
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    with pytest.raises(BurstlabError, match=f"{name}: was changed"):
        check_folder(path.parent, cell)
    path.unlink()
    with pytest.raises(BurstlabError, match=f"{name}: is missing"):
        check_folder(path.parent, cell)


def test_a_copied_folder_is_not_another_cell(sample_cells: Any) -> None:
    first, second = sample_cells.cell(0), sample_cells.cell(1)
    shutil.copytree(sample_cells.build(first), sample_cells.folder(second))
    with pytest.raises(BurstlabError, match=r"is of cpu/tiny/eager/random/rate-10/burst-0\.25/seed-0"):
        check_folder(sample_cells.folder(second), second)


def test_values_that_json_cannot_hold_are_an_error(sample_cells: Any) -> None:
    with pytest.raises(BurstlabError, match="does not fit into JSON"):
        sample_cells.build(sample_cells.cell(0), times={"wall_s": math.nan})
    with pytest.raises(BurstlabError, match="does not fit into JSON"):
        sample_cells.build(sample_cells.cell(1), specification={"x": {1, 2}})


def test_the_schema_file_is_that_of_the_code(sample_cells: Any) -> None:
    shipped = Path(__file__).parents[2] / "workflow/schemas/cell.schema.json"
    assert shipped.read_text() == schema_text()
    record = sample_cells.build(sample_cells.cell(rate=math.inf)) / "cell.json"
    jsonschema.validate(json.loads(record.read_text()), json.loads(schema_text()))


@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_damage_to_the_bytes_goes_unnoticed(sample_cells: Any, data: st.DataObject) -> None:
    cell = sample_cells.cell()
    path = sample_cells.folder(cell) / "cell.json"
    if not path.exists():
        sample_cells.build(cell)
    good = path.read_bytes()
    place = data.draw(st.integers(0, len(good) - 1))
    damaged = good[:place] + data.draw(st.binary(max_size=4)) + good[place + data.draw(st.integers(0, 4)) :]
    try:
        record = parse_record(damaged, path)
    except BurstlabError:
        return
    assert record == parse_record(good, path)


@given(st.binary(max_size=100) | st.sampled_from([b"[" * 100_000, b"{}", b"[]", b"null"]))
def test_any_bytes_give_one_kind_of_error(data: bytes) -> None:
    with pytest.raises(BurstlabError):
        parse_record(data, Path("cell.json"))
