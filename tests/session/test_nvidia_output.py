"""The forms of nvidia-smi's output: as captured from drivers 465 to 610 and as users report them, with UUIDs shortened."""

import pytest

from burstlab.session.nvidia_output import cards, process_ids, refused, summarise

TURING_465 = "GPU-1937b558, 2145, 300, 32, 0x0000000000000001\n"
H200_580 = "GPU-6b9f4c1e, 1980, 345, 37, 0x0000000000000001\n"
H200_610 = "GPU-6b9f4c1e, 1980, 1980, 61, 0x0000000000000004\n"


@pytest.mark.parametrize(
    ("line", "highest_mhz", "clock_mhz", "temperature_c", "shares"),
    [
        (TURING_465, 2145, 300, 32, {}),
        (H200_580, 1980, 345, 37, {}),
        (H200_610, 1980, 1980, 61, {"software-power-cap": 1.0}),
    ],
)
def test_drivers_old_and_new_print_alike(
    line: str, highest_mhz: float, clock_mhz: float, temperature_c: float, shares: dict[str, float]
) -> None:
    (state,) = summarise(line)
    assert state.sm_clock_max_mhz == highest_mhz
    assert state.sm_clock_median_mhz == state.sm_clock_lowest_mhz == clock_mhz
    assert (state.temperature_highest_c, state.throttle_shares) == (temperature_c, shares)


def test_units_do_no_harm() -> None:
    (state,) = summarise("GPU-a, 1980 MHz, 345 MHz, 37, 0x00000000000001FF\n")
    assert (state.sm_clock_max_mhz, state.sm_clock_lowest_mhz) == (1980, 345)
    assert state.throttle_shares is not None
    # All that the oldest capture supports, but idle and application clocks.
    assert len(state.throttle_shares) == 7


@pytest.mark.parametrize(
    "word",
    [
        "[N/A]",
        "N/A",
        "[Not Supported]",
        "[Unknown Error]",
        "[GPU requires reset]",
        "[Insufficient Permissions]",
        "[Requested functionality has been deprecated]",
        "",
    ],
)
def test_what_a_driver_does_not_tell_is_unknown_and_no_good_news(word: str) -> None:
    (state,) = summarise(f"GPU-a, {word}, {word}, {word}, {word}\n")
    assert state.samples == 1
    assert (state.sm_clock_max_mhz, state.sm_clock_median_mhz, state.temperature_highest_c) == (None,) * 3
    assert state.throttle_shares is None


def test_shares_are_of_the_samples_that_tell_reasons() -> None:
    told = "GPU-a, 1980, 900, 90, 0x0000000000000040\n"
    (state,) = summarise(
        told + 3 * "GPU-a, [Unknown Error], [Unknown Error], [Unknown Error], [Unknown Error]\n"
    )
    assert (state.samples, state.throttle_shares) == (4, {"hardware-thermal-slowdown": 1.0})


def test_a_gpu_that_fell_off_its_bus_does_not_hide_the_others() -> None:
    lost = "Unable to determine the device handle for GPU0000:02:00.0: Unknown Error\n"
    lost += ", ".join(5 * ["[Unknown Error]"]) + "\n"
    (state,) = summarise(H200_580 + lost)
    assert (state.gpu, state.samples) == ("GPU-6b9f4c1e", 1)


@pytest.mark.parametrize(
    "text",
    [
        "No devices were found\n",
        "Failed to initialize NVML: Driver/library version mismatch\nNVML library version: 580.173\n",
        'Field "clocks_event_reasons.active" is not a valid field to query.\n\n',
        "",
    ],
)
def test_complaints_are_no_samples(text: str) -> None:
    assert summarise(text) == ()


def test_a_reason_that_is_newer_than_this_list_has_its_number() -> None:
    (state,) = summarise("GPU-a, 1980, 900, 60, 0x0000000000000401\n")
    assert state.throttle_shares == {"unknown-0x400": 1.0}


def test_a_field_that_a_driver_does_not_know_is_refused_in_words() -> None:
    assert refused('Field "clocks_event_reasons.active" is not a valid field to query.')
    assert not refused("0x0000000000000001")
    assert not refused("[N/A]")


def test_lists_of_processes() -> None:
    assert process_ids("4242\n 17\n") == {4242, 17}
    assert process_ids("[N/A]\n[Insufficient Permissions]\n") == set()
    assert process_ids("") == set()


MIG_LISTING = """\
GPU 0: NVIDIA H200 (UUID: GPU-6b9f4c1e)
  MIG 3g.71gb     Device  0: (UUID: MIG-f165f0ad)
  MIG 1g.18gb     Device  1: (UUID: MIG-0c77e9aa)
GPU 1: NVIDIA H200 (UUID: GPU-11d0a2bb)
  MIG 3g.71gb     Device  0: (UUID: MIG-GPU-11d0a2bb/2/0)
"""


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["0", "1"], ["0", "1"]),
        (["MIG-f165f0ad"], ["GPU-6b9f4c1e"]),
        (["MIG-f165f0ad", "MIG-0c77e9aa"], ["GPU-6b9f4c1e"]),
        (["MIG-GPU-11d0a2bb/2/0"], ["GPU-11d0a2bb"]),
        (["MIG-gone"], []),
    ],
)
def test_a_slice_stands_for_its_card(names: list[str], found: list[str]) -> None:
    assert cards(names, MIG_LISTING) == found
