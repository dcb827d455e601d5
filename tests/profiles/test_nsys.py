from pathlib import Path
from typing import Any

import pytest
from tests.profiles.nsys_made import OTHER_THREAD, PID, PROCESS, THREAD, Export, two_iterations

from burstlab.errors import BurstlabError
from burstlab.profiles.joining import Joining, joining
from burstlab.profiles.profile import Profile
from burstlab.profiles.read import read_profile

WHAT = ("name", "iteration", "joined")


def launches(profile: Profile, *columns: str) -> list[tuple[Any, ...]]:
    """Launches in order of time, of some columns."""
    rows = sorted(profile.launches.to_pylist(), key=lambda row: row["start_us"])
    return [tuple(row[column] for column in columns) for row in rows]


def read(export: Export, folder: Path) -> Profile:
    return read_profile(export.sqlite(folder / "report.sqlite"))


def test_a_launch_has_all_its_columns(tmp_path: Path) -> None:
    profile = read(two_iterations(), tmp_path)
    (first, *_) = sorted(profile.launches.to_pylist(), key=lambda row: row["start_us"])
    assert first == {
        "start_us": 5.0,
        "duration_us": 3.0,
        "self_us": 3.0,
        "process": PID,
        "thread": THREAD,
        "device": 0,
        "stream": 7,
        "name": "kernel_unified_attention",
        "family": "triton-attention",
        "part": "attention",
        "grid": "1x20x8",
        "block": "128x1x1",
        "iteration": 0,
        "kind": "decode-only",
        "phase": None,
        "joined": "inside",
    }


def test_iterations_by_hand(tmp_path: Path) -> None:
    # Iteration 0 ends with its sampler at 16; 3 + 5 + 1 µs of kernels. Iteration 1 with the copy at 45; 20 + 4.
    assert read(two_iterations(), tmp_path).iterations.to_pylist() == [
        {
            "process": PID,
            "iteration": 0,
            "begin_us": 0.0,
            "duration_us": 16.0,
            "range_us": 10.0,
            "busy_us": 9.0,
            "launches": 3,
            "context_requests": 0,
            "context_tokens": 0,
            "generation_requests": 4,
            "generation_tokens": 4,
            "kind": "decode-only",
        },
        {
            "process": PID,
            "iteration": 1,
            "begin_us": 20.0,
            "duration_us": 25.0,
            "range_us": 10.0,
            "busy_us": 24.0,
            "launches": 2,
            "context_requests": 1,
            "context_tokens": 100,
            "generation_requests": 4,
            "generation_tokens": 4,
            "kind": "mixed",
        },
    ]


def test_joined_by_the_call_and_not_by_when_a_kernel_ran(tmp_path: Path) -> None:
    assert launches(read(two_iterations(), tmp_path), *WHAT) == [
        ("kernel_unified_attention", 0, "inside"),
        ("nvjet_gemm", 0, "inside"),
        ("_gumbel_sample_kernel", 0, "after"),
        ("kernel_unified_attention", 1, "inside"),
        ("CUDA memcpy Device-to-Host", 1, "inside"),
    ]


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_a_folder_of_tables_reads_the_same(tmp_path: Path, suffix: str) -> None:
    database = read(two_iterations(), tmp_path)
    folder = read_profile(two_iterations().folder(tmp_path / "tables", suffix))
    assert folder.launches.to_pylist() == database.launches.to_pylist()
    assert folder.iterations.to_pylist() == database.iterations.to_pylist()


def test_one_arrow_file_reads_the_same(tmp_path: Path) -> None:
    database = read(two_iterations(), tmp_path)
    arrow = read_profile(two_iterations().arrow(tmp_path / "report.arrow"))
    assert arrow.launches.to_pylist() == database.launches.to_pylist()
    assert arrow.iterations.to_pylist() == database.iterations.to_pylist()


def test_tables_that_hold_names_themselves(tmp_path: Path) -> None:
    export = two_iterations()
    names = {row["id"]: row["value"] for row in export.tables.pop("StringIds")}
    for row in export.tables["CUPTI_ACTIVITY_KIND_KERNEL"]:
        row["demangledName"] = names[row["demangledName"]]
    for row in export.tables["NVTX_EVENTS"]:
        row.update(text=names[row["textId"]], textId=None)
    folder = read_profile(export.folder(tmp_path / "tables"))
    assert folder.launches.to_pylist() == read(two_iterations(), tmp_path).launches.to_pylist()


def test_text_of_ranges_in_the_table_or_by_id(tmp_path: Path) -> None:
    export = Export()
    export.range(0, 10, "execute_context_0(0)_generation_4(4)", by_id=True)
    export.range(20, 30, "execute_context_1(9)_generation_4(4)", by_id=False)
    export.launch(5, 8, 1, called=5)
    assert read(export, tmp_path).iterations["kind"].to_pylist() == ["decode-only", "mixed"]


@pytest.mark.parametrize("column", ["text", "textId"])
def test_exports_with_only_one_of_both_columns(tmp_path: Path, column: str) -> None:
    export = Export()
    export.range(0, 10, "execute_context_0(0)_generation_4(4)", by_id=column == "textId")
    export.launch(5, 8, 1, called=5)
    export.drop("NVTX_EVENTS", "textId" if column == "text" else "text")
    folder, arrow = export.folder(tmp_path / "tables"), export.arrow(tmp_path / "report.arrow")
    for path in (export.sqlite(tmp_path / "report.sqlite"), folder, arrow):
        assert launches(read_profile(path), *WHAT) == [("nvjet_gemm", 0, "inside")]


def test_columns_that_older_exports_lack(tmp_path: Path) -> None:
    export = two_iterations()
    export.drop("CUPTI_ACTIVITY_KIND_KERNEL", "demangledName", "graphNodeId", "blockX")
    export.drop("NVTX_EVENTS", "eventType")
    profile = read(export, tmp_path)
    assert launches(profile, *WHAT) == launches(read_again(tmp_path), *WHAT)
    assert profile.launches["block"].null_count == profile.launches.num_rows


def read_again(folder: Path) -> Profile:
    return read_profile(two_iterations().sqlite(folder / "again.sqlite"))


def test_marks_and_other_ranges_are_no_iterations(tmp_path: Path) -> None:
    export = two_iterations()
    export.range(0, 100_000, "my own range")
    export.add(
        "NVTX_EVENTS",
        start=1,
        end=2,
        eventType=34,  # a mark
        globalTid=THREAD,
        textId=export.string("execute_context_0(0)_generation_9(9)"),
        text=None,
    )
    assert read(export, tmp_path).iterations.num_rows == 2


def test_kernels_of_a_graph_belong_to_the_launch_of_the_graph(tmp_path: Path) -> None:
    export = Export()
    export.range(0, 10, "execute_context_0(0)_generation_4(4)")
    export.call(2, correlation=77)
    for number in range(3):
        export.kernel(20 + 10 * number, 28 + 10 * number, 77, name=f"nvjet_{number}", node=900 + number)
    assert launches(read(export, tmp_path), *WHAT) == [(f"nvjet_{n}", 0, "inside") for n in range(3)]


def test_a_graph_traced_as_a_whole_is_a_launch_of_its_own_family(tmp_path: Path) -> None:
    export = two_iterations()
    export.call(3_000, correlation=6)
    export.add(
        "CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
        start=3_500,
        end=4_500,
        deviceId=0,
        streamId=7,
        correlationId=6,
        globalPid=PROCESS,
        graphId=109,
        graphExecId=110,
    )
    assert launches(read(export, tmp_path), "name", "family", "iteration")[0] == (
        "CUDA graph 109",
        "graph",
        0,
    )


def test_calls_of_another_thread_belong_to_what_its_process_ran(tmp_path: Path) -> None:
    export = two_iterations()
    export.call(25_000, 50, thread=OTHER_THREAD)
    export.kernel(46_000, 47_000, 50, name="nvjet_other", stream=20)
    assert launches(read(export, tmp_path), *WHAT)[-1] == ("nvjet_other", 1, "other-thread")


def test_what_cannot_be_joined_is_counted(tmp_path: Path) -> None:
    export = two_iterations()
    export.kernel(50_000, 52_000, 999, name="nvjet_lost")  # its call is not in the trace
    export.launch(200, 700, 1000, called=-5_000, name="nvjet_early")  # called before the first range
    profile = read(export, tmp_path)
    # 35.5 µs of launches in all.
    assert joining(profile) == [
        Joining("inside", 4, 32.0, 32 / 35.5),
        Joining(None, 2, 2.5, 2.5 / 35.5),
        Joining("after", 1, 1.0, 1 / 35.5),
    ]
    assert profile.iterations["launches"].to_pylist() == [3, 2]


def test_correlation_ids_are_of_a_process(tmp_path: Path) -> None:
    second = (1 << 56) | (4343 << 24)
    export = two_iterations()
    export.range(0, 10_000, "execute_context_0(0)_generation_8(8)", thread=second | 1)
    export.call(1_000, 1, thread=second | 1)
    export.kernel(6_000, 7_000, 1, name="nvjet_of_second", process=second)
    profile = read(export, tmp_path)
    found = [row for row in profile.launches.to_pylist() if row["name"] == "nvjet_of_second"]
    assert [(row["process"], row["iteration"]) for row in found] == [(4343, 0)]
    assert profile.iterations["process"].to_pylist() == [PID, PID, 4343]
    assert profile.iterations["busy_us"].to_pylist() == [9.0, 24.0, 1.0]


def test_phases_where_the_worker_marks_them(tmp_path: Path) -> None:
    export = two_iterations()
    export.range(500, 1_500, "gpu_model_runner: preprocess")
    export.range(1_800, 9_000, "gpu_model_runner: forward")
    export.range(11_000, 13_000, "gpu_model_runner: sample")
    phases = [phase for _, phase in launches(read(export, tmp_path), "name", "phase")]
    assert phases == ["preprocess", "forward", "sample", None, None]


def test_overlapping_streams_do_not_cover_twice(tmp_path: Path) -> None:
    export = Export()
    export.range(0, 10_000, "execute_context_0(0)_generation_4(4)")
    export.launch(2_000, 6_000, 1, called=100)
    export.call(200, 2)
    export.kernel(4_000, 9_000, 2, stream=8)
    assert read(export, tmp_path).iterations["busy_us"].to_pylist() == [7.0]


def test_an_asynchronous_engine_begins_an_iteration_while_the_one_before_runs(tmp_path: Path) -> None:
    export = Export()
    export.range(0, 1_000, "execute_context_0(0)_generation_4(4)")
    export.range(1_000, 2_000, "execute_context_0(0)_generation_4(4)")
    export.launch(500, 10_500, 1, called=100)
    export.launch(10_600, 20_000, 2, called=1_100)
    iterations = read(export, tmp_path).iterations
    assert iterations["begin_us"].to_pylist() == [0.0, 10.5]
    assert iterations["duration_us"].to_pylist() == [10.5, 9.5]
    assert iterations["busy_us"].to_pylist() == [10.0, 9.4]


def test_more_rows_than_a_part_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("burstlab.profiles.nsys.sqlite_source.ROWS", 2)
    assert launches(read(two_iterations(), tmp_path), *WHAT) == launches(read_again(tmp_path), *WHAT)


def test_a_machine_without_a_gpu_has_ranges_alone(tmp_path: Path) -> None:
    export = two_iterations()
    for table in list(export.tables):
        if table.startswith("CUPTI"):
            export.drop(table)
    path = export.sqlite(tmp_path / "report.sqlite")
    with pytest.raises(BurstlabError, match="no launches"):
        read_profile(path)
    profile = read_profile(path, need_launches=False)
    assert (profile.launches.num_rows, profile.iterations.num_rows) == (0, 2)
    assert profile.iterations["duration_us"].to_pylist() == [10.0, 10.0]
