from pathlib import Path

import pytest

from burstlab.environments.failures import explain, missing_package

NO_TORCH = """\
ERROR: Could not find a version that satisfies the requirement torch==2.13.0+cpu (from versions: 2.13.0)
ERROR: No matching distribution found for torch==2.13.0+cpu (from -r lock.txt (line 7))
"""
OFFLINE = """\
WARNING: Retrying (Retry(total=0, connect=None, read=None)) after connection broken by 'NewConnectionError('\
<pip._vendor.urllib3.connection.HTTPSConnection object at 0x7f>: Failed to establish a new connection: \
[Errno -3] Temporary failure in name resolution')': /simple/numpy/
ERROR: Could not find a version that satisfies the requirement numpy==2.3.5 (from versions: none)
ERROR: No matching distribution found for numpy==2.3.5
"""


def explained(output: str) -> str:
    return explain(output, "engine", Path("envs/engine.txt"), Path(".envs/engine"))


@pytest.mark.parametrize(
    ("output", "words"),
    [
        (NO_TORCH, ["torch==2.13.0+cpu", "find-links"]),
        (OFFLINE, ["no package index could be reached", "index-url", "find-links"]),
        ("ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device", ["full"]),
        ("something new\n", ["something new"]),
    ],
)
def test_the_message_names_the_environment_the_lock_and_what_to_do(output: str, words: list[str]) -> None:
    message = explained(output)
    for word in ["engine", "envs/engine.txt", *words]:
        assert word in message


def test_a_long_output_is_cut_to_its_end() -> None:
    message = explained("\n".join(f"line {number}" for number in range(100)))
    assert "line 99" in message
    assert "line 50" not in message


def test_a_missing_package_is_told_from_other_failures() -> None:
    assert missing_package(NO_TORCH) == "torch==2.13.0+cpu"
    assert missing_package("ERROR: No space left on device") is None
