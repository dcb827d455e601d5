import copy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from burstlab.records.fingerprint import Fingerprints

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner, max_size=2),
    max_leaves=4,
)
SPECIFICATIONS = st.dictionaries(st.text(max_size=2), VALUES, max_size=3)


@given(SPECIFICATIONS)
def test_equal_ones_agree_whether_or_not_parts_are_shared(one: dict[str, Any]) -> None:
    fingerprints = Fingerprints()
    assert fingerprints.of(one) == fingerprints.of(copy.deepcopy(one)) == Fingerprints().of(dict(one))


def test_order_of_keys_does_not_matter() -> None:
    assert Fingerprints().of({"a": {"x": 1, "y": 2}, "b": 3}) == Fingerprints().of(
        {"b": 3, "a": {"y": 2, "x": 1}}
    )


@given(st.lists(SPECIFICATIONS, min_size=2, max_size=2, unique_by=lambda value: repr(sorted(value.items()))))
def test_different_ones_differ(pair: list[dict[str, Any]]) -> None:
    one, other = pair
    if one != other:
        fingerprints = Fingerprints()
        assert fingerprints.of(one) != fingerprints.of(other)


def test_a_change_deep_inside_is_seen() -> None:
    shared = {"x": {"y": [1, 2]}}
    changed = {"x": {"y": [1, 3]}}
    fingerprints = Fingerprints()
    assert fingerprints.of({"engine": shared, "seed": 0}) != fingerprints.of({"engine": changed, "seed": 0})
