"""A content that cannot be seen here is not held against a record; one that can be seen is."""

from typing import Any

import pytest

from burstlab.study.unseen import UNSEEN, as_recorded, identified, same_measurement


def of(content: str | None, origin: str, seed: int = 0) -> dict[str, Any]:
    return {"seed": seed, "model": {"weights": identified(content, {"path": origin}), "dtype": "auto"}}


@pytest.mark.parametrize(
    ("asked", "recorded", "same"),
    [
        (of("x", "/a"), of("x", "/a"), True),
        (of("x", "/b"), of("x", "/a"), True),  # moved
        (of("y", "/a"), of("x", "/a"), False),  # changed in place
        (of(None, "/a"), of("x", "/a"), True),  # not on this machine
        (of(None, "/b"), of("x", "/a"), False),  # another one, as far as can be told
        (of("x", "/a"), of(None, "/a"), False),  # the record does not know what it measured
        (of(None, "/a"), of(None, "/a"), True),
        (of(None, "/a", seed=1), of("x", "/a"), False),
        (of(None, "/a"), {}, False),
        (of(None, "/a"), {"seed": 0, "model": "tiny"}, False),
    ],
)
def test_which_records_answer(asked: dict[str, Any], recorded: dict[str, Any], same: bool) -> None:
    assert same_measurement(asked, recorded) is same


def test_only_identified_parts_are_taken_from_the_record() -> None:
    asked = of(None, "/a", seed=1)
    assert as_recorded(asked, of("x", "/a")) == of("x", "/a", seed=1)
    assert asked["model"]["weights"]["content"] == UNSEEN
