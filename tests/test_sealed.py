"""Files that hold their own hash."""

import json
from pathlib import Path

import pytest
from pydantic import BaseModel

from burstlab.errors import BurstlabError
from burstlab.sealed import json_object, parse_sealed, seal_of


class Note(BaseModel):
    text: str
    seal: str


def sealed(text: str) -> dict[str, str]:
    return {"text": text, "seal": seal_of({"text": text}, "seal")}


def test_what_was_sealed_is_read_whatever_the_order_of_its_keys() -> None:
    content = sealed("as it was")
    data = json.dumps(dict(reversed(content.items()))).encode()
    assert parse_sealed(data, Path("n.json"), Note, "seal").text == "as it was"


def test_an_edit_shows() -> None:
    data = json.dumps(sealed("as it was") | {"text": "otherwise"}).encode()
    with pytest.raises(BurstlabError, match=r"n\.json: was edited: .* recorded seal"):
        parse_sealed(data, Path("n.json"), Note, "seal")


@pytest.mark.parametrize(
    ("data", "said"), [(b"{", "not JSON"), (b"[1]", "this is a list"), (b'{"text": 1}', "text")]
)
def test_what_is_no_such_file_is_told_with_its_name(data: bytes, said: str) -> None:
    with pytest.raises(BurstlabError, match=rf"n\.json: .*{said}"):
        parse_sealed(data, Path("n.json"), Note, "seal")


def test_an_object_need_not_be_sealed() -> None:
    assert json_object(b'{"a": 1}', Path("n.json")) == {"a": 1}


def test_a_key_that_stands_there_twice_is_named() -> None:
    with pytest.raises(BurstlabError, match=r"a\.json: not JSON: the key 'b' stands there twice"):
        json_object(b'{"a": {"b": 1, "b": 2}}', Path("a.json"))
