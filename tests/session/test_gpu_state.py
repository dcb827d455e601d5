"""GPU samples are summed up a GPU; the lines are in the form nvidia-smi documents."""

import os
from pathlib import Path

import pytest

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


def test_what_nvidia_smi_does_not_tell_is_unknown() -> None:
    (state,) = summarise("GPU-a, [N/A], [N/A], [N/A], [N/A]\n")
    assert (state.sm_clock_max_mhz, state.temperature_highest_c, state.throttle_shares) == (None, None, {})


@pytest.mark.parametrize(
    ("listing", "others"),
    [("10\n11\n", 0), ("10\n99\n", 1), ("99\n", None), ("", None), ("[N/A]\n", None)],
)
def test_other_processes_are_counted_only_where_ours_are_seen(listing: str, others: int | None) -> None:
    assert others_among(listing, [10, 11, 12]) == others


FAKE = """\
#!/bin/sh
case "$*" in
  *--query-compute-apps*) echo 4242 ;;
  *clocks_event_reasons.active*) echo 'Field "clocks_event_reasons.active" is not a valid field'; exit 2 ;;
  *--loop-ms*) echo 'GPU-a, 1980, 1500, 60, 0x0000000000000008'; exec sleep 60 ;;
  *) echo 0x0 ;;
esac
"""


def test_an_older_driver_is_asked_by_the_older_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "nvidia-smi"
    fake.write_text(FAKE)
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    samples = tmp_path / "gpu.log"
    with GpuWatch(["0"], dict(os.environ), samples) as watch:
        while not (samples.exists() and b"0008" in samples.read_bytes()):
            pass
    (state,) = watch.states()
    assert state.throttle_shares == {"hardware-slowdown": 1.0}
    assert watch.other_processes([4242, 1]) == 0


def test_without_gpus_nothing_runs(tmp_path: Path) -> None:
    with GpuWatch([], {}, tmp_path / "gpu.log") as watch:
        pass
    assert (watch.states(), watch.other_processes([1])) == ((), None)
