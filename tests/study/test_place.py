from pathlib import Path

import pytest

from burstlab.study.locate import read_source
from burstlab.study.place import KeyPlaces


@pytest.fixture
def places(tmp_path: Path) -> KeyPlaces:
    (tmp_path / "a.yaml").write_text("name: x\nplatforms:\n  cpu: {kind: cpu}\n  gpu:\n    kind: cuda\n")
    (tmp_path / "b.yaml").write_text("platforms:\n  gpu:\n    gpus: 2\n")
    sources = [read_source(tmp_path / name, name) for name in ("a.yaml", "b.yaml")]
    config = {
        "name": "y",
        "platforms": {"cpu": {"kind": "cpu"}, "gpu": {"kind": "cuda", "gpus": 2}},
        "text": "t" * 70,
    }
    return KeyPlaces(config, sources)


def test_a_key_stands_in_the_file_that_holds_its_value(places: KeyPlaces) -> None:
    assert places.where(("platforms", "gpu", "gpus")) == "b.yaml:3: platforms.gpu.gpus = 2"
    assert places.where(("platforms", "gpu", "kind")) == "a.yaml:5: platforms.gpu.kind = 'cuda'"


def test_an_absent_key_stands_where_its_section_does(places: KeyPlaces) -> None:
    assert places.where(("platforms", "cpu", "cores")) == "a.yaml:3: platforms.cpu.cores"


def test_a_section_is_named_without_its_content(places: KeyPlaces) -> None:
    assert places.where(("platforms", "cpu")) == "a.yaml:3: platforms.cpu"


def test_what_no_file_holds_came_from_the_command_line(places: KeyPlaces) -> None:
    assert places.where(("name",)) == "--config: name = 'y'"


def test_a_long_value_is_cut(places: KeyPlaces) -> None:
    assert places.key(("text",)) == f"text = '{'t' * 58}…"
