import json
from pathlib import Path

import pytest

from burstlab.doctor.finding import Finding
from burstlab.doctor.telling import as_json, as_text
from burstlab.study.locate import read_source
from burstlab.study.place import KeyPlaces

FINDINGS = [
    Finding("disk", "ok", "10 GiB free"),
    Finding("gpus", "error", "no GPU", "buy one", ("platforms", "gpu", "gpus")),
]


@pytest.fixture
def places(tmp_path: Path) -> KeyPlaces:
    (tmp_path / "x.yaml").write_text("platforms:\n  gpu: {kind: cuda,\n        gpus: 2}\n")
    source = read_source(tmp_path / "x.yaml", "x.yaml")
    return KeyPlaces(source.data, [source])


def test_each_finding_has_level_place_and_cure(places: KeyPlaces) -> None:
    assert as_text(FINDINGS, places) == (
        "ok       disk: 10 GiB free\n"
        "error    gpus: x.yaml:3: platforms.gpu.gpus = 2: no GPU\n"
        "         cure: buy one\n"
        "1 error, 0 warnings, 1 ok"
    )


def test_the_same_as_json(places: KeyPlaces) -> None:
    disk, gpus = json.loads(as_json(FINDINGS, places))
    assert disk == {
        "level": "ok",
        "check": "disk",
        "found": "10 GiB free",
        "cure": None,
        "place": None,
        "key": None,
    }
    assert (gpus["place"], gpus["key"], gpus["cure"]) == ("x.yaml:3", "platforms.gpu.gpus = 2", "buy one")
