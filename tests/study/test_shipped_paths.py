"""Configurations that ship share one folder of results: what one measured must never be what another takes for stale."""

from pathlib import Path
from typing import Any

import pytest

from burstlab.study.expand import cells
from burstlab.study.load import read_study
from burstlab.study.profiled import profiled
from burstlab.study.schema import Study
from burstlab.study.specification import specifications

ROOT = Path(__file__).parents[2]
CONFIG = ROOT / "config"
OVERLAY = CONFIG / "simulated.yaml"
OTHERS = sorted({*CONFIG.glob("*.yaml")} - {CONFIG / "config.yaml", OVERLAY})
STUDIES = [*([path] for path in OTHERS), [CONFIG / "seed-study.yaml", OVERLAY]]


def measured(study: Study) -> dict[str, Any]:
    """What is asked of each cell and profiled run, by the path of its folder."""
    runs = profiled(study)
    found = {f"cells/{cell.id}": what for cell, what in specifications(cells(study), study).items()}
    if runs is not None:
        asked = specifications(cells(runs), runs)
        found |= {f"profiles/cells/{cell.id}": what for cell, what in asked.items()}
    return found


@pytest.fixture(scope="module")
def of_the_default(default_study: Study) -> dict[str, Any]:
    return measured(default_study)


@pytest.mark.parametrize("files", STUDIES, ids=lambda files: "+".join(file.stem for file in files))
def test_a_path_that_two_studies_share_is_one_measurement(
    files: list[Path], of_the_default: dict[str, Any]
) -> None:
    other = measured(read_study(files, ROOT))
    assert [path for path in other.keys() & of_the_default if other[path] != of_the_default[path]] == []


def test_the_quick_study_can_meet_no_path_of_the_default_one(default_study: Study) -> None:
    quick = read_study(ROOT / "config/quick.yaml", ROOT)
    assert quick.workloads
    assert not quick.workloads.keys() & default_study.workloads.keys()
    assert not quick.datasets.keys() & default_study.datasets.keys()
