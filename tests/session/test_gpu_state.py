"""A benchmark's GPUs are watched by an nvidia-smi of any driver."""

import os
import time
from pathlib import Path

import pytest

from burstlab.records.observed import GpuState
from burstlab.session.gpu_state import GpuWatch, others_among, summarise

SAMPLES = """\
GPU-a, 1980, 1980, 45, 0x0000000000000000
GPU-b, 1980, 1200, 85, 0x0000000000000024
GPU-a, 1980, 345, 46, 0x0000000000000001
GPU-b, 1980, [N/A], 84, 0x0000000000000020
Warning: something else
"""


def test_clocks_and_reasons_are_told_a_gpu() -> None:
    first, second = summarise(SAMPLES)
    assert (first.gpu, first.samples, first.sm_clock_lowest_mhz, first.sm_clock_median_mhz) == (
        *("GPU-a", 2, 345.0),
        1162.5,
    )
    assert first.throttle_shares == {}  # being idle is no fault
    assert second.throttle_shares == {"software-power-cap": 0.5, "software-thermal-slowdown": 1.0}
    assert (second.sm_clock_lowest_mhz, second.temperature_highest_c) == (1200.0, 85.0)


@pytest.mark.parametrize(
    ("listing", "others"),
    [("10\n11\n", 0), ("10\n99\n", 1), ("99\n", None), ("", None), ("[N/A]\n", None)],
)
def test_other_processes_are_counted_only_where_ours_are_seen(listing: str, others: int | None) -> None:
    assert others_among(listing, [10, 11, 12]) == others


# Drivers before 535 know the second name only; those after know both.
OLD_DRIVER = """\
  *clocks_event_reasons.active*) echo 'Field "clocks_event_reasons.active" is not a valid field to query.'; exit 2 ;;
"""
SLICES = """\
  *--list-gpus*) echo 'GPU 0: NVIDIA H200 (UUID: GPU-a)'; echo '  MIG 3g.71gb     Device  0: (UUID: MIG-b)' ;;
  *MIG-b*) echo 'No devices were found'; exit 6 ;;
"""


def watched(folder: Path, monkeypatch: pytest.MonkeyPatch, gpu: str, cases: str) -> GpuWatch:
    """A watch that has seen a sample, of an nvidia-smi that also answers `cases`."""
    fake = folder / "nvidia-smi"
    sample = "GPU-a, 1980, 1500, 60, 0x0000000000000008"
    fake.write_text(
        f'#!/bin/sh\ncase "$*" in\n{cases}'
        "  *--query-compute-apps*) echo 4242; echo 17 ;;\n"
        f"  *--loop-ms*) echo '{sample}'; exec sleep 60 ;;\n"
        "  *) echo 0x0 ;;\nesac\n"
    )
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    samples = folder / "gpu.log"
    with GpuWatch([gpu], dict(os.environ), samples) as watch:
        while not (samples.exists() and b"\n" in samples.read_bytes()):
            time.sleep(0.01)
    return watch


def only(watch: GpuWatch) -> GpuState:
    (state,) = watch.states()
    return state


@pytest.mark.parametrize("cases", ["", OLD_DRIVER])
def test_drivers_are_asked_by_the_name_that_they_know(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cases: str
) -> None:
    watch = watched(tmp_path, monkeypatch, "0", cases)
    assert only(watch).throttle_shares == {"hardware-slowdown": 1.0}
    assert watch.other_processes([4242, 1]) == 1
    assert watch.other_processes([4242, 17]) == 0


def test_of_a_slice_the_card_is_sampled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    watch = watched(tmp_path, monkeypatch, "MIG-b", SLICES)
    assert only(watch).gpu == "GPU-a"
    # Another process may be on another slice of the card: nobody can tell.
    assert watch.other_processes([4242]) is None
    assert watch.other_processes([4242, 17]) == 0


def test_without_gpus_nothing_runs(tmp_path: Path) -> None:
    with GpuWatch([], {}, tmp_path / "gpu.log") as watch:
        pass
    assert (watch.states(), watch.other_processes([1])) == ((), None)
