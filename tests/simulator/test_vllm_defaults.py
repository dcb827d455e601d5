import pytest

from burstlab.simulator.vllm_defaults import gdn_path, limits


@pytest.mark.parametrize(
    ("version", "path"),
    [
        ("0.22.1", "whole"),
        ("v0.22.1+cu129", "whole"),
        ("0.23.0rc1", "peeled"),
        ("0.33.0", "peeled"),
        ("1.0", "peeled"),
        ("", None),
        ("nightly", None),
    ],
)
def test_decodes_are_taken_out_of_mixed_batches_from_0_23_on(version: str, path: str | None) -> None:
    assert gdn_path(version) == path


@pytest.mark.parametrize(
    ("gpu", "most"), [("a100-40gb", (2048, 256)), ("gh200", (8192, 1024)), ("h200", (8192, 1024))]
)
def test_limits_are_larger_from_70_gb_on(gpu: str, most: tuple[int, int]) -> None:
    assert limits(gpu) == most
