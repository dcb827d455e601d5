"""Where the code of a scheduler plug-in is looked for."""

import hashlib
from pathlib import Path

from burstlab.study.scheduler_code import scheduler_sha256


def put(path: Path, text: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return hashlib.sha256(text.encode()).hexdigest()


def test_it_is_found_in_the_study_and_in_its_workflow(tmp_path: Path) -> None:
    assert scheduler_sha256("pack.mine.Queue", tmp_path, {}) is None
    below = put(tmp_path / "workflow/pack/mine.py", "below")
    assert scheduler_sha256("pack.mine.Queue", tmp_path, {}) == below
    above = put(tmp_path / "pack/mine/__init__.py", "above")
    assert scheduler_sha256("pack.mine.Queue", tmp_path, {}) == above


def test_folders_of_pythonpath_count_first_if_they_are_the_studys(tmp_path: Path) -> None:
    put(tmp_path / "outside/mine.py", "outside")
    root = tmp_path / "study"
    inside = put(root / "plugins/mine.py", "inside")
    put(root / "mine.py", "root")
    variables = {"PYTHONPATH": f"{tmp_path / 'outside'}:plugins"}
    assert scheduler_sha256("mine.Queue", root, variables) == inside
