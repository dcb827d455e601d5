from typing import Any

import pytest

from burstlab.records.difference import difference


@pytest.mark.parametrize(
    ("recorded", "asked", "text"),
    [
        ({"a": 1}, {"a": 1}, ""),
        ({"a": {"b": 32}}, {"a": {"b": 64}}, "a.b was 32, is 64"),
        ({"a": {}}, {"a": {"b": "x"}}, 'a.b was not set, is "x"'),
        ({"a": None}, {}, "a was null, is not set"),
        ({"a": [1]}, {"a": (1,)}, ""),
        ({"a": 1}, {"a": True}, "a was 1, is true"),
        ({"a": 1}, {"a": 1.0}, "a was 1, is 1.0"),
        ({"a": {"b": 1}}, {"a": 2}, 'a was {"b": 1}, is 2'),
        ({"a": 1, "b": 1, "c": 1, "d": 1, "e": 1}, {}, "a was 1, is not set; b was 1, is not set; "
         "c was 1, is not set; and 2 more"),
        ({"a": "x" * 90}, {"a": ""}, 'a was "' + "x" * 38 + '…, is ""'),
    ],
)  # fmt: skip
def test_differences_in_words(recorded: dict[str, Any], asked: dict[str, Any], text: str) -> None:
    assert difference(recorded, asked) == text
