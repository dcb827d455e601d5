import json
from pathlib import Path
from typing import Any

import pytest
from tests.profiles.torch_made import (
    PID,
    THREAD,
    WORKER,
    Trace,
    two_iterations_on_a_cpu,
    two_iterations_on_a_gpu,
)

from burstlab.errors import BurstlabError
from burstlab.profiles.breakdown import breakdown
from burstlab.profiles.joining import Joining, joining
from burstlab.profiles.profile import Profile
from burstlab.profiles.read import read_profile
from burstlab.profiles.torch_trace import blocks as blocks_module
from burstlab.profiles.torch_trace.blocks import blocks


def launches(profile: Profile, *columns: str) -> list[tuple[Any, ...]]:
    rows = sorted(profile.launches.to_pylist(), key=lambda row: row["start_us"])
    return [tuple(row[column] for column in columns) for row in rows]


def read(trace: Trace, folder: Path, name: str = "rank0.pt.trace.json") -> Profile:
    return read_profile(trace.write(folder / name))


@pytest.mark.parametrize("name", ["rank0.pt.trace.json", "rank0.pt.trace.json.gz"])
def test_operators_have_their_own_time(tmp_path: Path, name: str) -> None:
    profile = read(two_iterations_on_a_cpu(), tmp_path, name)
    assert launches(profile, "name", "duration_us", "self_us", "iteration", "joined") == [
        ("aten::linear", 50.0, 20.0, 0, "inside"),
        ("aten::mm", 30.0, 30.0, 0, "inside"),
        ("_C::cpu_attention_with_kv_cache", 30.0, 30.0, 0, "inside"),
        ("_C::greedy_argmax", 5.0, 5.0, 0, "after"),
        ("_C::cpu_attention_with_kv_cache", 180.0, 180.0, 1, "inside"),
    ]
    (first, *_) = profile.launches.to_pylist()
    assert (first["process"], first["thread"], first["device"], first["stream"]) == (PID, THREAD, None, None)


def test_parts_of_a_cpu_add_up_to_the_iteration(tmp_path: Path) -> None:
    profile = read(two_iterations_on_a_cpu(), tmp_path)
    found = breakdown(profile)
    assert profile.iterations["duration_us"].to_pylist() == [115.0, 200.0]
    assert found.time_us.sum(axis=1).tolist() == [115.0, 200.0]
    assert found.time_us[:, found.parts.index("overhead")].tolist() == [30.0, 20.0]


def test_kernels_of_a_gpu_and_not_the_operators_that_launched_them(tmp_path: Path) -> None:
    profile = read(two_iterations_on_a_gpu(), tmp_path)
    assert launches(profile, "name", "family", "duration_us", "grid", "iteration", "joined") == [
        ("nvjet_gemm", "gemm", 20.0, "1x20x8", 0, "inside"),
        ("_gumbel_sample_kernel", "sampling", 5.0, "1x20x8", 0, "after"),
        ("kernel_unified_attention", "triton-attention", 100.0, "1x20x8", 1, "inside"),
        ("Memcpy DtoH (Device -> Pinned)", "copies", 2.0, None, 1, "inside"),
    ]
    assert set(launches(profile, "process", "thread", "device", "stream")) == {(PID, THREAD, 0, 7)}


def test_a_kernel_whose_call_is_not_in_the_trace_is_counted(tmp_path: Path) -> None:
    trace = two_iterations_on_a_gpu()
    trace.event("kernel", "nvjet_lost", 500, 503, 7, device=0, stream=7, correlation=99)
    (lost,) = [one for one in joining(read(trace, tmp_path)) if one.joined is None]
    assert lost == Joining(None, 1, 3.0, 3 / 130)


def test_operators_of_another_thread(tmp_path: Path) -> None:
    trace = two_iterations_on_a_cpu()
    trace.operator(220, 230, "aten::copy_", tid=WORKER)
    found = launches(read(trace, tmp_path), "name", "self_us", "iteration", "joined")
    assert ("aten::copy_", 10.0, 1, "other-thread") in found
    assert ("_C::cpu_attention_with_kv_cache", 180.0, 1, "inside") in found


def test_phases(tmp_path: Path) -> None:
    trace = two_iterations_on_a_cpu()
    trace.range(5, 95, "gpu_model_runner: forward")
    assert launches(read(trace, tmp_path), "phase") == [("forward",)] * 3 + [(None,)] * 2


def test_the_same_events_in_one_line_read_the_same(tmp_path: Path) -> None:
    trace = two_iterations_on_a_gpu()
    pretty = read(trace, tmp_path)
    for number, content in enumerate([{"traceEvents": trace.events}, trace.events]):
        path = tmp_path / f"{number}.json"
        path.write_text(json.dumps(content))
        assert read_profile(path).launches.to_pylist() == pretty.launches.to_pylist()


def test_threads_written_as_texts_and_categories_in_capitals_as_older_versions_do(tmp_path: Path) -> None:
    trace = two_iterations_on_a_cpu()
    for event in trace.events:
        event["tid"] = str(event["tid"])
        event["cat"] = {"cpu_op": "Operator"}.get(event["cat"], event["cat"])
    old = read(trace, tmp_path, "old.json")
    assert old.launches.to_pylist() == read(two_iterations_on_a_cpu(), tmp_path).launches.to_pylist()


def test_numbers_that_json_does_not_have(tmp_path: Path) -> None:
    text = two_iterations_on_a_gpu().text().replace('"bytes": 64', '"memory bandwidth (GB/s)": Infinity')
    path = tmp_path / "trace.json"
    path.write_text(text)
    assert read_profile(path).launches.num_rows == 4


@pytest.mark.parametrize("size", [1, 7, 100, 400, 5000])
@pytest.mark.parametrize("name", ["trace.json", "trace.json.gz"])
def test_however_the_file_is_cut_into_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, name: str
) -> None:
    whole = read(two_iterations_on_a_gpu(), tmp_path, name)
    monkeypatch.setattr(blocks_module, "BLOCK", size)
    assert read(two_iterations_on_a_gpu(), tmp_path, name).launches.to_pylist() == whole.launches.to_pylist()


def test_a_trace_is_read_in_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks_module, "BLOCK", 500)
    path = two_iterations_on_a_gpu().write(tmp_path / "trace.json")
    assert len(list(blocks(path))) > 2


def test_names_with_brackets_quotes_and_letters_of_all_kinds(tmp_path: Path) -> None:
    trace = two_iterations_on_a_cpu()
    name = 'a "],\n  {µ}" b'
    trace.operator(300, 310, name)
    assert (name, 1) in launches(read(trace, tmp_path), "name", "iteration")


def test_a_trace_of_the_front_end_has_no_iterations(tmp_path: Path) -> None:
    trace = Trace()
    trace.operator(0, 10, "aten::to")
    with pytest.raises(BurstlabError, match="not of the front end"):
        read(trace, tmp_path)
