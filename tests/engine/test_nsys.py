"""What nsys is told, word for word."""

from pathlib import Path

import pytest

from burstlab.engine import nsys


def test_an_engine_is_started_in_a_session_that_records_nothing_yet() -> None:
    assert nsys.launch("burstlab-1") == [
        "nsys",
        "launch",
        "--session-new=burstlab-1",
        "--trace=cuda,nvtx,osrt",
        "--cuda-graph-trace=node",
        "--trace-fork-before-exec=true",
    ]


def test_recording_samples_no_cpu() -> None:
    assert nsys.start("burstlab-1", Path("/traces/report"), ["--gpu-metrics-devices=all"]) == [
        "nsys",
        "start",
        "--session=burstlab-1",
        "--output=/traces/report",
        "--force-overwrite=true",
        "--sample=none",
        "--cpuctxsw=none",
        "--gpu-metrics-devices=all",
    ]


def test_a_recording_is_ended() -> None:
    assert nsys.stop("burstlab-1") == ["nsys", "stop", "--session=burstlab-1"]


def test_a_report_becomes_a_database() -> None:
    assert nsys.export(Path("/t/report.nsys-rep"), Path("/t/report.sqlite")) == [
        "nsys",
        "export",
        "--type=sqlite",
        "--output=/t/report.sqlite",
        "--force-overwrite=true",
        "--quiet=true",
        "/t/report.nsys-rep",
    ]


@pytest.mark.parametrize(
    ("said", "version"),
    [
        ("NVIDIA Nsight Systems version 2025.3.2.474-253236389321v0\n", (2025, 3)),
        ("NVIDIA Nsight Systems version 2022.4.2.1-df9881f\n", (2022, 4)),
        ("no such program", None),
    ],
)
def test_the_version_is_read_from_what_it_says(said: str, version: tuple[int, int] | None) -> None:
    assert nsys.version_of(said) == version
