"""Recipes name folders, and a generator that writes something else has another version."""

import hashlib
from pathlib import Path

import pytest

from burstlab.datasets import recipe
from burstlab.datasets.prepare import prepare
from burstlab.datasets.recipe import folder_name, recipe_of
from burstlab.study.schema import Dataset


def test_only_what_decides_is_in_the_recipe() -> None:
    assert recipe_of(Dataset(source="burstgpt", url="https://example.org/b.csv")) == {
        "source": "burstgpt",
        "url": "https://example.org/b.csv",
        "version": recipe.VERSIONS["burstgpt"],
    }


def test_studies_that_call_different_recipes_the_same_do_not_share_a_folder() -> None:
    one = Dataset(source="synthetic-sharegpt", rows=10)
    names = {folder_name("talk", one), folder_name("talk", one.model_copy(update={"rows": 11}))}
    assert len(names) == 2
    assert all(name.startswith("talk-") for name in names)
    assert folder_name("talk", Dataset(source="synthetic-sharegpt", rows=10)) in names


def test_another_version_of_the_code_has_another_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = Dataset(source="synthetic-sharegpt")
    before = folder_name("talk", dataset)
    monkeypatch.setitem(recipe.VERSIONS, "synthetic-sharegpt", 99)  # type: ignore[arg-type]
    assert folder_name("talk", dataset) != before


@pytest.mark.parametrize(
    ("source", "version", "sha256"),
    [
        ("synthetic-sharegpt", 1, "d8945f00cea13755ccad29276cdfe9df39fc8fab95fcfd6688b5b90b5b81ed56"),
        ("synthetic-burstgpt", 1, "73b6f431536e9acfe0b824f3c39771ef4e2b61577f2bd2c271c7874f4af9e659"),
    ],
)
def test_a_version_stands_for_the_bytes_that_it_writes(
    tmp_path: Path, source: str, version: int, sha256: str
) -> None:
    # If this fails because the generator writes something else, raise its version, so that no cell measured with the
    # old bytes passes for one of the new.
    dataset = Dataset.model_validate({"source": source, "rows": 50, "seed": 7, "length_scale": 0.5})
    prepare("talk", dataset, tmp_path)
    files = sorted(path for path in tmp_path.iterdir() if path.name != "dataset.json")
    content = b"".join(path.read_bytes() for path in files)
    assert (recipe.VERSIONS[source], hashlib.sha256(content).hexdigest()) == (version, sha256)
