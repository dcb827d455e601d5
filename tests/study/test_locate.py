from pathlib import Path

import pytest

from burstlab.errors import BurstlabError
from burstlab.study.locate import Source, read_source


def source(text: str, folder: Path) -> Source:
    file = folder / "x.yaml"
    file.write_text(text)
    return read_source(file, "x.yaml")


def test_keys_and_items_are_found_where_they_stand(tmp_path: Path) -> None:
    found = source("# comment\na:\n  b: 1\nc:\n  - x\n  - {d: [1,\n    2]}\n", tmp_path)
    assert found.data == {"a": {"b": 1}, "c": ["x", {"d": [1, 2]}]}
    assert found.line(("a",)) == 2
    assert found.line(("a", "b")) == 3
    assert found.line(("c", 0)) == 5
    assert found.line(("c", 1, "d", 1)) == 7


def test_a_key_that_is_not_there_is_looked_for_above(tmp_path: Path) -> None:
    found = source("a:\n  b: 1\n", tmp_path)
    assert found.line(("a", "missing")) == 1
    assert found.line(("nothing", 3)) == 1


def test_repeated_keys_are_found_at_any_depth(tmp_path: Path) -> None:
    found = source("a: 1\nb:\n  - {c: 1, d: 2}\n  - {c: 1,\n     c: 2}\na: 2\n", tmp_path)
    assert found.repeated == [(("b", "1", "c"), 4, 5), (("a",), 1, 6)]


def test_merged_keys_are_found_at_their_origin_and_may_be_replaced(tmp_path: Path) -> None:
    found = source("one: &one\n  a: 1\n  b: 2\ntwo: {<<: *one, b: 3}\n", tmp_path)
    assert found.repeated == []
    assert found.data["two"] == {"a": 1, "b": 3}
    assert found.line(("two", "a")) == 2
    assert found.line(("two", "b")) == 4


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: [1\nb: 2\n", r"x\.yaml:2: not valid YAML: "),
        ("a: &a [*a]\n", r"x\.yaml: not valid YAML: a\.0 contains itself"),
        ("a: 2026-13-45\n", r"x\.yaml:1: not valid YAML: '2026-13-45' is no timestamp"),
        ("? [1]\n: 2\n", r"x\.yaml:1: not valid YAML: .*unhashable"),
        ("a: \x00\n", r"x\.yaml: not valid YAML: "),
        ("a: 1\n---\nb: 2\n", r"x\.yaml:2: not valid YAML: .*single document"),
        ("a: *b\n", r"x\.yaml:1: not valid YAML: found undefined alias"),
    ],
)
def test_what_is_no_yaml_is_an_error_with_its_line(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(BurstlabError, match=said):
        source(text, tmp_path)


def test_what_is_no_text_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_bytes(b"a: \xff\xfe")
    with pytest.raises(BurstlabError, match=r"x\.yaml: cannot read this configuration: it is no UTF-8 text"):
        read_source(tmp_path / "x.yaml", "x.yaml")


@pytest.mark.parametrize(
    "value", ["!!int ''", "!!bool x", "!!timestamp x", "2026-99-99", "0x" + "f" * 5000, "9" * 5000]
)
def test_a_value_that_its_tag_does_not_fit_is_named_with_its_line(tmp_path: Path, value: str) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(f"a: 1\nb: {value}\n")
    with pytest.raises(BurstlabError, match=r"a\.yaml:2: not valid YAML: .* can be read"):
        read_source(path, "a.yaml")
