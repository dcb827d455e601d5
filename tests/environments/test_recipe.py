import re
import sys
from pathlib import Path

import pytest

from burstlab.environments.recipe import Recipe, read_recipes, recipe_of
from burstlab.errors import BurstlabError

ENVS = Path(__file__).parents[2] / "envs"
RECIPES = read_recipes(ENVS / "environments.toml")


def test_a_lock_without_a_recipe_is_installed_as_it_is(tmp_path: Path) -> None:
    assert recipe_of(tmp_path / "mine.txt") == Recipe()
    (tmp_path / "environments.toml").write_text("[other]\n")
    assert recipe_of(tmp_path / "mine.txt") == Recipe()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[engine]\nrequire = ['a']\n", r"environments\.toml: engine: unknown key 'require'"),
        ("[engine]\nfallback_index = 'x'\n", r"engine\.fallback_index: 'x' is none of pytorch-cpu"),
    ],
)
def test_a_fault_is_named_with_file_key_and_value(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "environments.toml").write_text(text)
    with pytest.raises(BurstlabError, match=message):
        read_recipes(tmp_path / "environments.toml")


def test_each_lock_that_ships_has_a_recipe_and_each_recipe_a_lock() -> None:
    assert {path.stem for path in ENVS.glob("*.txt")} == set(RECIPES)


@pytest.mark.parametrize("name", RECIPES)
def test_a_lock_that_ships_is_complete_pins_with_hashes_and_nothing_else(name: str) -> None:
    """No index, no path, no comment: what is installed depends on nothing but the hashes."""
    requirements = re.sub(r" \\\n", "", (ENVS / f"{name}.txt").read_text()).splitlines()
    for line in requirements:
        assert re.fullmatch(r"[a-z0-9-]+==\S+( ; [^#\\/]+?)?(    --hash=sha256:[0-9a-f]{64})+", line)
    for needed in RECIPES[name].requires:
        wanted = re.split("[<>=]", needed)[0]
        assert any(line.startswith(f"{wanted}==") for line in requirements)
    for excluded in RECIPES[name].excludes:
        assert not any(line.startswith(f"{excluded}==") for line in requirements)


@pytest.mark.parametrize("name", RECIPES)
def test_the_hashes_that_an_index_may_not_show_are_in_the_lock(name: str) -> None:
    text = (ENVS / f"{name}.txt").read_text()
    for requirement, hashes in RECIPES[name].hashes.items():
        entry = text[text.index(f"\n{requirement} ") :]
        assert all(value in entry[: entry.index("\n", entry.index(max(hashes)))] for value in hashes)


def test_the_workflow_can_be_installed_by_the_python_that_tests_it() -> None:
    first, last = (tuple(map(int, version.split("."))) for version in RECIPES["workflow"].python)
    assert first <= sys.version_info[:2] <= last
