from hypothesis import given
from hypothesis import strategies as st

from burstlab.environments.requirements import split, with_hashes

LOCK = """\
alpha==1.0 \\
    --hash=sha256:bb \\
    --hash=sha256:cc
alpha-beta==2 ; python_full_version < '3.12' \\
    --hash=sha256:dd
torch==2.13.0+cpu \\
    --hash=sha256:ee
"""


def test_a_package_is_split_off_with_its_hashes_and_not_those_whose_names_begin_alike() -> None:
    others, chosen = split(LOCK, ["alpha"])
    assert chosen == "alpha==1.0 \\\n    --hash=sha256:bb \\\n    --hash=sha256:cc\n"
    assert others + chosen != LOCK
    assert chosen + others == LOCK


def test_hashes_are_added_sorted_and_once() -> None:
    merged = with_hashes(LOCK, {"alpha==1.0": ["sha256:dd", "sha256:aa", "sha256:bb"]})
    assert merged.startswith(
        "alpha==1.0 \\\n    --hash=sha256:aa \\\n    --hash=sha256:bb \\\n    --hash=sha256:cc \\\n"
        "    --hash=sha256:dd\nalpha-beta==2 ; "
    )


def test_a_marker_stays_where_hashes_are_added() -> None:
    merged = with_hashes(LOCK, {"alpha-beta==2": ["sha256:00"]})
    assert "alpha-beta==2 ; python_full_version < '3.12' \\\n    --hash=sha256:00 \\\n" in merged


def test_another_version_gets_none() -> None:
    assert with_hashes(LOCK, {"torch==2.13.0": ["sha256:00"]}) == LOCK


@given(st.sets(st.sampled_from(["alpha", "alpha-beta", "torch", "unknown"])))
def test_no_requirement_is_lost_or_doubled(names: set[str]) -> None:
    others, chosen = split(LOCK, names)
    assert sorted((others + chosen).splitlines()) == sorted(LOCK.splitlines())
