import hashlib
import json
import shutil
import time
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from burstlab.datasets import recipe
from burstlab.datasets.prepare import prepare
from burstlab.datasets.recipe import folder_name
from burstlab.models import content
from burstlab.study.cells import Cell
from burstlab.study.expand import cells
from burstlab.study.schema import Dataset, Study
from burstlab.study.specification import specification, specification_sha256, specifications
from burstlab.study.unseen import same_measurement

StudyOf = Callable[[dict[str, Any]], Study]


def hashes(study: Study) -> dict[Cell, str]:
    found = specifications(cells(study), study)
    return {cell: specification_sha256(one) for cell, one in found.items()}


def first_hash(study: Study) -> str:
    return next(iter(hashes(study).values()))


def reversed_keys(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: reversed_keys(value[key]) for key in reversed(value)}
    return [reversed_keys(item) for item in value] if isinstance(value, list) else value


def test_a_specification_holds_what_determines_the_measurement(
    small: dict[str, Any], study_of: StudyOf
) -> None:
    study = study_of(small)
    assert json.loads(json.dumps(specification(cells(study)[3], study))) == {
        "protocol": 3,
        "platform": {"name": "cpu", "kind": "cpu", "kvcache_gib": 2.0, "gpus": 0},
        "model": {
            "weights": {"content": "unseen", "from": {"hub": "meta/llama", "revision": "abc"}},
            "dtype": "auto",
            "tensor_parallel": 1,
        },
        # The SHA-256 of "vllm==0.33.0\n", by sha256sum.
        "environment": {"lock_sha256": "d783f8439645963df6c97898566bd4581d13e5ef8052d9110242a33cb03bd4bd"},
        "engine": {
            "cuda_graphs": "default",
            "chunked_prefill": True,
            "scheduler": "default",
            "arguments": {},
            "environment_variables": {},
        },
        "workload": {
            "dataset": {"source": "random"},
            "requests": 10,
            "input_tokens": 8,
            "output_tokens": 4,
            "range_ratio": 0.0,
        },
        "rate": 10.0,
        "arrivals": {"kind": "gamma", "burstiness": 0.5},
        "seed": 1,
    }


def test_the_hash_is_the_one_that_recorded_cells_have(small: dict[str, Any], study_of: StudyOf) -> None:
    # A change of this value makes every cell ever measured stale. If that is meant, raise PROTOCOL.
    assert first_hash(study_of(small)) == "234f515233b11432e379d87e5989b475ef418a6a2b578364fc188797eaf2f4da"


def test_the_hash_is_sha256_of_canonical_json() -> None:
    # printf '{"a":[1,0.5],"b":"inf"}' | sha256sum
    assert (
        specification_sha256({"b": "inf", "a": [1, 0.5]})
        == "73e3da069a01165b6b995f4c85cb28c8e7d07b2e41731d8ec5f0d4e47453267f"
    )


def test_infinite_rates_and_burstiness_are_json(small: dict[str, Any], study_of: StudyOf) -> None:
    small["blocks"][0] |= {"rates": ["inf"], "burstiness": [1.0]}
    study = study_of(small)
    assert specification(cells(study)[0], study)["rate"] == "inf"
    small["blocks"][0] |= {"rates": [1], "burstiness": ["inf"]}
    study = study_of(small)
    assert specification(cells(study)[0], study)["arrivals"] == {"kind": "gamma", "burstiness": "inf"}


def test_a_built_model_is_its_recipe(
    small: dict[str, Any], study_of: StudyOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    from burstlab.models import recipes

    small["models"]["llama"] = {"build": "tiny-gqa"}
    before = first_hash(study_of(small))
    monkeypatch.setitem(recipes.RECIPES, "tiny-gqa", {**recipes.RECIPES["tiny-gqa"], "num_hidden_layers": 5})  # type: ignore[arg-type]
    assert first_hash(study_of(small)) != before


@pytest.mark.parametrize(
    "changes",
    [
        {"platforms": {"cpu": {"kvcache_gib": 3}}},
        {"platforms": {"cpu": {"cores": 2}}},
        {"models": {"llama": {"revision": "abd"}}},
        {"models": {"llama": {"hub": "meta/llama-2"}}},
        {"models": {"llama": {"dtype": "float32"}}},
        {"engines": {"plain": {"environment": "mine"}}},
        {"engines": {"plain": {"cuda_graphs": "none"}}},
        {"engines": {"plain": {"chunked_prefill": False}}},
        {"engines": {"plain": {"attention_backend": "TRITON_ATTN"}}},
        {"engines": {"plain": {"scheduler": "my.Scheduler"}}},
        {"engines": {"plain": {"dtype": "float32"}}},
        {"engines": {"plain": {"max_model_len": 64}}},
        {"engines": {"plain": {"max_batched_tokens": 64}}},
        {"engines": {"plain": {"max_sequences": 64}}},
        {"engines": {"plain": {"arguments": {"block-size": 32}}}},
        {"engines": {"plain": {"environment_variables": {"A": "1"}}}},
        {"workloads": {"random": {"requests": 11}}},
        {"workloads": {"random": {"input_tokens": 9}}},
        {"workloads": {"random": {"output_tokens": 5}}},
        {"workloads": {"random": {"range_ratio": 0.5}}},
    ],
    ids=lambda changes: json.dumps(changes).translate(str.maketrans("", "", '{}"')),
)
def test_whatever_determines_the_measurement_changes_the_hash(
    changes: dict[str, Any], small: dict[str, Any], study_of: StudyOf
) -> None:
    before = first_hash(study_of(small))
    for section, entries in changes.items():
        for name, keys in entries.items():
            small[section][name] |= keys
    assert first_hash(study_of(small)) != before


@pytest.mark.parametrize("key", ["seed", "length_scale", "rows", "max_prompt_tokens", "max_output_tokens"])
def test_a_stand_in_is_its_recipe(key: str, small: dict[str, Any], study_of: StudyOf) -> None:
    small["blocks"][0]["workloads"] = ["talk"]
    before = first_hash(study_of(small))
    small["datasets"]["stand-in"][key] = 333
    assert first_hash(study_of(small)) != before


def first_specification(study: Study) -> dict[str, Any]:
    return specification(cells(study)[0], study)


def test_a_real_dataset_is_its_checksum_wherever_it_lies(small: dict[str, Any], study_of: StudyOf) -> None:
    small["workloads"]["talk"]["dataset"] = "burst"
    small["blocks"][0]["workloads"] = ["talk"]
    recorded = first_specification(study_of(small))
    small["datasets"]["burst"]["url"] = "https://example.org/mirror.csv"
    assert same_measurement(first_specification(study_of(small)), recorded)
    small["datasets"]["burst"]["sha256"] = "1" * 64
    assert not same_measurement(first_specification(study_of(small)), recorded)


def prepared_burst(root: Path, small: dict[str, Any], rows: str) -> None:
    dataset = Dataset(**small["datasets"]["burst"])
    (root / "source.csv").write_text(
        f"Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type\n{rows}"
    )
    folder = root / "resources/datasets" / folder_name("burst", dataset)
    local = Dataset(source="burstgpt", path="source.csv")
    prepare("burst", local, folder, root=root)


def test_a_download_without_checksum_is_identified_by_the_one_that_it_had(
    small: dict[str, Any], study_of: StudyOf, tmp_path: Path
) -> None:
    small["datasets"]["burst"] = {"source": "burstgpt", "url": "https://example.org/b.csv"}
    small["workloads"]["talk"]["dataset"] = "burst"
    small["blocks"][0]["workloads"] = ["talk"]
    before = first_specification(study_of(small))
    assert before["workload"]["dataset"]["file"] == {
        "content": "unseen",
        "from": {"url": "https://example.org/b.csv"},
    }
    prepared_burst(tmp_path, small, "1,GPT-4,1,1,2,API log\n")
    recorded = first_specification(study_of(small))
    checksum = hashlib.sha256((tmp_path / "source.csv").read_bytes()).hexdigest()
    assert recorded["workload"]["dataset"]["file"]["content"] == checksum
    # Who has not downloaded it holds nothing against the record; who has another file does; who pins this one does not.
    assert same_measurement(before, recorded)
    prepared_burst(tmp_path, small, "2,GPT-4,1,1,2,API log\n")
    assert not same_measurement(first_specification(study_of(small)), recorded)
    small["datasets"]["burst"]["sha256"] = checksum
    assert same_measurement(first_specification(study_of(small)), recorded)


@pytest.mark.parametrize("source", ["synthetic-sharegpt", "synthetic-burstgpt"])
def test_another_generator_makes_another_dataset(
    source: str, small: dict[str, Any], study_of: StudyOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    small["datasets"]["stand-in"]["source"] = source
    small["blocks"][0]["workloads"] = ["talk"]
    before = first_hash(study_of(small))
    monkeypatch.setitem(recipe.VERSIONS, source, 99)  # type: ignore[arg-type]
    assert first_hash(study_of(small)) != before


def test_local_weights_are_their_content_wherever_they_lie(
    small: dict[str, Any], study_of: StudyOf, tmp_path: Path
) -> None:
    def asked(folder: str) -> dict[str, Any]:
        small["models"]["llama"] = {"path": folder}
        return first_specification(study_of(small))

    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "config.json").write_text("{}")
        (tmp_path / folder / "model.safetensors").write_bytes(b"weights")
    recorded = asked("a")
    assert same_measurement(asked("b"), recorded)
    (tmp_path / "b" / "model.safetensors").write_bytes(b"Weights")
    assert not same_measurement(asked("b"), recorded)
    # Without weights, as on a reviewer's machine, the folder's name has to do.
    shutil.rmtree(tmp_path / "a")
    assert same_measurement(asked("a"), recorded)
    assert not same_measurement(asked("c"), recorded)


def test_weights_are_read_once_however_many_cells_use_them(
    small: dict[str, Any], study_of: StudyOf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[Path] = []

    def read(folder: Path) -> str:
        reads.append(folder)
        return "0" * 64

    monkeypatch.setattr(content, "folder_sha256", read)
    small["models"]["llama"] = {"path": "weights"}
    small["blocks"][0] |= {"engines": ["plain", "other"], "workloads": ["random", "talk"]}
    study = study_of(small)
    assert len(specifications(cells(study), study)) == 16
    assert reads == [tmp_path / "weights"]


def test_a_model_of_the_hub_is_the_commit_in_the_cache(
    small: dict[str, Any], study_of: StudyOf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    small["models"]["llama"] = {"hub": "meta/llama"}
    before = first_specification(study_of(small))
    reference = tmp_path / "models--meta--llama/refs/main"
    reference.parent.mkdir(parents=True)
    reference.write_text("a" * 40)
    recorded = first_specification(study_of(small))
    assert recorded["model"]["weights"] == {"content": "a" * 40, "from": {"hub": "meta/llama"}}
    assert same_measurement(before, recorded)
    reference.write_text("b" * 40)
    assert not same_measurement(first_specification(study_of(small)), recorded)


def test_a_scheduler_is_its_code(small: dict[str, Any], study_of: StudyOf, tmp_path: Path) -> None:
    small["engines"]["plain"]["scheduler"] = "mine.Queue"
    unseen = first_hash(study_of(small))
    (tmp_path / "mine.py").write_text("class Queue: ...")
    before = first_hash(study_of(small))
    (tmp_path / "mine.py").write_text("class Queue: pass")
    assert len({unseen, before, first_hash(study_of(small))}) == 3


def test_a_local_dataset_is_its_content(small: dict[str, Any], study_of: StudyOf, tmp_path: Path) -> None:
    small["datasets"]["burst"] = {"source": "burstgpt", "path": "b.csv"}
    small["blocks"][0] |= {"burstiness": [], "traces": ["burst"]}
    (tmp_path / "b.csv").write_text("1")
    before = first_hash(study_of(small))
    (tmp_path / "b.csv").write_text("2")
    assert first_hash(study_of(small)) != before


def test_an_environment_is_the_content_of_its_lock(
    small: dict[str, Any], study_of: StudyOf, tmp_path: Path
) -> None:
    before = first_hash(study_of(small))
    (tmp_path / "copy.txt").write_text("vllm==0.33.0\n")
    small["environments"]["vllm"]["lock"] = "copy.txt"
    assert first_hash(study_of(small)) == before
    (tmp_path / "copy.txt").write_text("vllm==0.34.0\n")
    assert first_hash(study_of(small)) != before


def test_what_does_not_determine_the_measurement_leaves_the_hash_alone(
    small: dict[str, Any], study_of: StudyOf
) -> None:
    before = first_hash(study_of(small))
    small["name"] = "renamed"
    small["platforms"]["cpu"]["max_cells_per_session"] = 1
    small["models"]["renamed"] = small["models"].pop("llama")
    small["engines"]["renamed"] = small["engines"].pop("plain")
    small["workloads"]["renamed"] = small["workloads"].pop("random")
    small["blocks"][0] |= {"models": ["renamed"], "engines": ["renamed"], "workloads": ["renamed"]}
    assert first_hash(study_of(small)) == before
    assert first_hash(study_of(reversed_keys(small))) == before


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    rates=st.lists(st.floats(0.1, 1e6), min_size=1, max_size=3, unique=True),
    burstiness=st.lists(st.floats(0.01, 100), min_size=1, max_size=3, unique=True),
    seeds=st.lists(st.integers(0, 2**32 - 2), min_size=1, max_size=3, unique=True),
)
def test_different_cells_have_different_hashes(
    rates: list[float], burstiness: list[float], seeds: list[int], study_of: StudyOf, small: dict[str, Any]
) -> None:
    config = deepcopy(small)
    config["blocks"][0] |= {
        "models": ["llama", "local"],
        "engines": ["plain", "other"],
        "workloads": ["random", "talk"],
        "rates": rates,
        "burstiness": burstiness,
        "traces": ["azure", "burst"],
        "seeds": seeds,
    }
    found = hashes(study_of(config))
    assert len(set(found.values())) == len(found) == 8 * len(rates) * (len(burstiness) + 2) * len(seeds)


def test_ten_thousand_cells_are_specified_quickly(small: dict[str, Any], study_of: StudyOf) -> None:
    small["blocks"][0] |= {"rates": list(range(1, 11)), "seeds": list(range(500))}
    study = study_of(small)
    begin_s = time.process_time()
    assert len(hashes(study)) == 10_000
    # About 0.3 s; the bound leaves room for a slow machine, not for work that is done again for each cell.
    assert time.process_time() - begin_s < 1.0
