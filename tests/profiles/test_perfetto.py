"""Profiles as traces that Perfetto opens."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from tests.profiles.torch_made import PID, THREAD, two_iterations_on_a_cpu, two_iterations_on_a_gpu

from burstlab.cli import command_line
from burstlab.commands import kernels
from burstlab.profiles.perfetto import write_perfetto
from burstlab.profiles.profile import Profile
from burstlab.profiles.read import read_profile


@pytest.fixture
def cpu(tmp_path: Path) -> Profile:
    return read_profile(two_iterations_on_a_cpu().write(tmp_path / "cpu.json"))


@pytest.fixture
def gpu(tmp_path: Path) -> Profile:
    return read_profile(two_iterations_on_a_gpu().write(tmp_path / "gpu.json"))


def events(profile: Profile, path: Path) -> list[dict[str, Any]]:
    write_perfetto(path, profile)
    found: list[dict[str, Any]] = json.loads(path.read_text())["traceEvents"]
    return found


def test_iterations_are_a_track_of_their_own(cpu: Profile, tmp_path: Path) -> None:
    found = events(cpu, tmp_path / "out.json")
    track = next(one["tid"] for one in found if one["ph"] == "M" and one["args"].get("name") == "iterations")
    drawn = [one for one in found if one["ph"] == "X" and one["tid"] == track]
    assert [(one["name"], one["cat"], one["ts"], one["dur"]) for one in drawn] == [
        ("execute_context_0(0)_generation_4(4)", "user_annotation,decode-only", 0, 115),
        ("execute_context_1(50)_generation_4(4)", "user_annotation,mixed", 200, 200),
    ]


def test_a_launch_has_its_thread_and_its_family(cpu: Profile, tmp_path: Path) -> None:
    attention = [
        one for one in events(cpu, tmp_path / "out.json") if one["name"] == "_C::cpu_attention_with_kv_cache"
    ]
    assert [(one["pid"], one["tid"], one["cat"], one["ts"], one["dur"]) for one in attention] == [
        (PID, THREAD, "cpu_op,cpu-attention", 60, 30),
        (PID, THREAD, "cpu_op,cpu-attention", 210, 180),
    ]
    assert attention[1]["args"]["kind"] == "mixed"


def test_a_kernel_is_on_its_stream_with_its_grid(gpu: Profile, tmp_path: Path) -> None:
    found = events(gpu, tmp_path / "out.json")
    kernel = next(one for one in found if one["name"] == "kernel_unified_attention")
    assert (kernel["tid"], kernel["cat"]) == (7, "kernel,triton-attention")
    assert (kernel["args"]["grid"], kernel["args"]["iteration"]) == ([1, 20, 8], 1)
    named = {one["tid"]: one["args"]["name"] for one in found if one["name"] == "thread_name"}
    assert named == {0: "iterations", 7: "GPU 0, stream 7"}


def test_the_tokens_of_each_iteration_are_a_counter(gpu: Profile, tmp_path: Path) -> None:
    counted = [one for one in events(gpu, tmp_path / "out.json") if one["ph"] == "C"]
    assert [one["args"] for one in counted] == [
        {"prompt": 0, "generated": 4},
        {"prompt": 50, "generated": 4},
    ]


def test_every_event_has_what_the_format_asks_for(gpu: Profile, tmp_path: Path) -> None:
    for event in events(gpu, tmp_path / "out.json"):
        assert {"ph", "name", "pid", "tid", "ts"} <= event.keys()
        assert event["ph"] in "XCM"
        if event["ph"] == "X":
            assert event["dur"] >= 0


@pytest.mark.parametrize("name", ["out.json", "out.json.gz"])
def test_a_profile_of_a_cpu_is_read_back_as_it_was(cpu: Profile, tmp_path: Path, name: str) -> None:
    write_perfetto(tmp_path / name, cpu)
    again = read_profile(tmp_path / name)
    assert again.iterations.drop_columns(["range_us"]) == cpu.iterations.drop_columns(["range_us"])
    # How a launch was found, and in which range, is known of the first trace alone.
    left_out = ["joined", "phase"]
    assert (
        again.launches.drop_columns(left_out).to_pylist() == cpu.launches.drop_columns(left_out).to_pylist()
    )


def test_launches_of_a_gpu_are_read_back_without_their_iterations(gpu: Profile, tmp_path: Path) -> None:
    write_perfetto(tmp_path / "out.json", gpu)
    again = read_profile(tmp_path / "out.json")
    same = ["start_us", "duration_us", "name", "family", "device", "stream", "grid", "block"]
    assert again.launches.select(same).to_pylist() == gpu.launches.select(same).to_pylist()
    assert again.launches["iteration"].null_count == again.launches.num_rows
    assert again.iterations["kind"].to_pylist() == ["decode-only", "mixed"]


def test_the_same_profile_gives_the_same_bytes(gpu: Profile, tmp_path: Path) -> None:
    for name in ("a.json.gz", "b.json.gz"):
        write_perfetto(tmp_path / name, gpu)
    assert (tmp_path / "a.json.gz").read_bytes() == (tmp_path / "b.json.gz").read_bytes()


def test_nothing_is_left_of_a_file_that_could_not_be_written(
    gpu: Profile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr("burstlab.profiles.perfetto._write", fail)
    with pytest.raises(OSError, match="no space left"):
        write_perfetto(tmp_path / "new" / "out.json", gpu)
    assert list((tmp_path / "new").iterdir()) == []


def test_the_command_writes_it(tmp_path: Path) -> None:
    trace = two_iterations_on_a_cpu().write(tmp_path / "cpu.json")
    asked = command_line().parse_args(["kernels", str(trace), "--perfetto", str(tmp_path / "p.json.gz")])
    kernels.run(asked)
    with gzip.open(tmp_path / "p.json.gz") as file:
        assert json.load(file)["displayTimeUnit"] == "ms"
