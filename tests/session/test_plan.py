"""The sessions of a run are the same in all of its jobs, whatever was finished since."""

from pathlib import Path

import pytest

from burstlab.errors import BurstlabError
from burstlab.records.status import MISSING, VALID
from burstlab.session.named import named
from burstlab.session.plan import planned, recall, remember
from burstlab.study.expand import cells
from burstlab.study.load import read_study

ROOT = Path(__file__).parents[2]


def test_a_job_finds_the_sessions_of_its_run_when_cells_are_finished(tmp_path: Path) -> None:
    study = read_study(ROOT / "config/quick.yaml", ROOT)
    known = cells(study)
    plan = planned(study, dict.fromkeys(known, MISSING), tmp_path)
    remember(plan, tmp_path / "plan.json")
    later = planned(study, dict.fromkeys(known, VALID), tmp_path)
    assert later == []
    assert recall(tmp_path / "plan.json", known) == plan


def test_only_what_is_not_valid_is_planned(tmp_path: Path) -> None:
    study = read_study(ROOT / "config/quick.yaml", ROOT)
    first, *others = cells(study)
    plan = planned(study, {first: VALID, **dict.fromkeys(others, MISSING)}, tmp_path)
    assert {cell for session in plan for cell in session.cells} == set(others)


def test_a_configuration_that_changed_since_is_an_error(tmp_path: Path) -> None:
    study = read_study(ROOT / "config/quick.yaml", ROOT)
    remember(planned(study, dict.fromkeys(cells(study), MISSING), tmp_path), tmp_path / "plan.json")
    with pytest.raises(BurstlabError, match=f"no longer asks for cell {cells(study)[0].id}"):
        recall(tmp_path / "plan.json", cells(study)[1:])


def test_a_session_is_found_by_its_name_whatever_its_part() -> None:
    study = read_study(ROOT / "config/quick.yaml", ROOT)
    for part in (0, 7):
        found = named(f"cpu/tiny-gdn/eager/{part}", study)
        assert found.id == f"cpu/tiny-gdn/eager/{part}"
        assert set(found.cells) == {cell for cell in cells(study) if cell.model == "tiny-gdn"}
