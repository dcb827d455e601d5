import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from burstlab.collections.members import collected_cells
from burstlab.errors import BurstlabError
from burstlab.study.expand import cells
from burstlab.study.load import load_study, read_study, require_mapping
from burstlab.study.specification import specification

ROOT = Path(__file__).parents[2]
CACHED = ROOT / "config" / "shipped.yaml"
# Laid over another, see test_simulated.py.
OVERLAY = ROOT / "config" / "simulated.yaml"
SHIPPED = [ROOT / "config.yaml", *sorted({*(ROOT / "config").glob("*.yaml")} - {CACHED, OVERLAY})]


def merged(into: dict[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """As Snakemake merges configurations: mappings key by key, all else replaced."""
    for key, value in more.items():
        both = isinstance(value, Mapping) and isinstance(into.get(key), dict)
        into[key] = merged(into[key], value) if both else value
    return into


def message(config: Mapping[str, Any], sources: list[Path], root: Path) -> str:
    with pytest.raises(BurstlabError) as caught:
        load_study(config, sources, root)
    return str(caught.value)


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.name)
def test_every_configuration_that_ships_loads_and_specifies_its_cells(file: Path) -> None:
    study = read_study(file, ROOT)
    found = cells(study)
    assert found
    assert len(set(found)) == len(found)
    assert all(specification(cell, study)["seed"] == cell.seed for cell in found)


def test_the_study_of_what_ships_measures_nothing_and_its_collection_is_there(tmp_path: Path) -> None:
    study = read_study(CACHED, ROOT)
    assert (cells(study), study.mode) == ((), "cached")
    assert len(collected_cells(study, (), tmp_path / "index.json")) == 96


@pytest.mark.parametrize("file", SHIPPED[1:], ids=lambda file: file.name)
def test_other_configurations_load_when_merged_over_the_default_one(file: Path) -> None:
    default, other = (yaml.safe_load(path.read_text()) for path in (ROOT / "config.yaml", file))
    study = load_study(merged(default, other), [ROOT / "config.yaml", file], ROOT)
    assert cells(study) == cells(read_study(file, ROOT))


def test_the_default_study_has_the_breadth_that_it_promises() -> None:
    found = cells(read_study(ROOT / "config.yaml", ROOT))
    compared = [cell for cell in found if cell.rate != float("inf")]
    measured = {cell.group for cell in compared if cell.platform == "cpu"}
    assert {model for _, model, _, _ in measured} == {"tiny-gqa", "tiny-gdn"}
    groups = {cell.group for cell in compared}
    assert (len(measured), len(groups - measured)) == (6, 7)
    assert {platform for platform, *_ in groups - measured} == {
        "a100-40gb-simulated",
        "gh200-simulated",
        "h200-simulated",
    }
    for group in groups:
        members = [cell for cell in compared if cell.group == group]
        assert {cell.arrivals.burstiness for cell in members} == {1.0, 0.5, 0.1}
        assert len({cell.seed for cell in members}) >= 5
    assert {cell.group for cell in found if cell.rate == float("inf")} == groups


def test_every_group_of_the_published_matrix_has_a_capacity() -> None:
    found = cells(read_study(ROOT / "config" / "seed-study.yaml", ROOT))
    assert {cell.group for cell in found} == {cell.group for cell in found if cell.rate == float("inf")}


def test_the_published_matrix_is_all_there() -> None:
    study = read_study(ROOT / "config" / "seed-study.yaml", ROOT)
    found = cells(study)
    assert {cell.platform for cell in found} == {"gh200", "a100-40gb", "h200", "2xh200"}
    assert {study.models[cell.model].hub.split("/")[1] for cell in found} == {  # type: ignore[union-attr]
        "Qwen3.5-9B",
        "Llama-3.1-8B",
        "Llama-3.2-1B",
        "Meta-Llama-3-70B",
        "GLM-4.7-Flash",
    }
    assert {cell.rate for cell in found} >= {10, 20, 40, 80}
    assert {cell.seed for cell in found} == {0, 1, 2, 3, 4}
    assert {study.workloads[cell.workload].requests for cell in found if cell.model == "llama-3-70b"} == {750}
    assert {study.workloads[cell.workload].requests for cell in found if cell.model != "llama-3-70b"} == {
        1000
    }
    engines = [study.engines[cell.engine] for cell in found]
    assert {(engine.dtype, engine.max_model_len) for engine in engines} == {("bfloat16", 4096)}
    assert {engine.flash_attn_version for engine in engines} == {None, 2, 3, 4}
    assert {engine.environment for engine in engines} == {"vllm-cuda", "vllm-cuda-0.22.1"}
    assert None not in {engine.max_batched_tokens for engine in engines}


def test_what_none_of_the_files_says_came_from_the_command_line(tmp_path: Path) -> None:
    config = yaml.safe_load((ROOT / "config.yaml").read_text())
    config["platforms"]["cpu"]["cores"] = "two"
    assert message(config, [ROOT / "config.yaml"], ROOT) == (
        "--config: platforms.cpu.cores = 'two': must be a whole number"
    )


def test_a_key_that_the_command_line_overrides_is_not_looked_for_in_the_file() -> None:
    config = yaml.safe_load((ROOT / "config.yaml").read_text())
    config["name"] = "My Study"
    assert message(config, [ROOT / "config.yaml"], ROOT).startswith("--config: name = 'My Study'")


def test_a_fault_is_told_of_the_file_that_it_is_in(tmp_path: Path) -> None:
    more = tmp_path / "more.yaml"
    more.write_text("name: more\nmodels:\n  tiny-gqa:\n    dtype: int4\n")
    config = merged(yaml.safe_load((ROOT / "config.yaml").read_text()), yaml.safe_load(more.read_text()))
    assert message(config, [ROOT / "config.yaml", more], ROOT).startswith(
        f"{more}:4: models.tiny-gqa.dtype = 'int4'"
    )
    config["models"]["tiny-gqa"]["dtype"] = "float32"
    config["models"]["tiny-gqa"]["build"] = "tiny-gqq"
    assert message(config, [ROOT / "config.yaml", more], ROOT).startswith("--config: models.tiny-gqa.build")


def test_files_below_the_root_are_named_from_there() -> None:
    config = yaml.safe_load((ROOT / "config" / "quick.yaml").read_text())
    del config["name"]
    assert re.match(
        r"config/quick\.yaml:1: name: this key is missing",
        message(config, [ROOT / "config" / "quick.yaml"], ROOT),
    )


def test_switches_may_come_as_text_but_numbers_may_not(small: dict[str, Any], study_of: Any) -> None:
    small["engines"]["plain"]["chunked_prefill"] = "false"
    assert study_of(small).engines["plain"].chunked_prefill is False
    small["workloads"]["random"]["requests"] = "10"
    with pytest.raises(BurstlabError, match=r"requests = '10': must be a whole number"):
        study_of(small)


def test_defaults_follow_the_kind_of_platform(small: dict[str, Any], study_of: Any) -> None:
    platforms = study_of(small).platforms
    assert (platforms["cpu"].gpus, platforms["cpu"].kvcache_gib) == (0, 2.0)
    assert (platforms["gpu"].gpus, platforms["gpu"].kvcache_gib) == (1, None)


def test_the_engine_has_the_last_word_on_the_number_format(small: dict[str, Any], study_of: Any) -> None:
    small["models"]["llama"]["dtype"] = "float16"
    small["engines"]["other"]["dtype"] = "bfloat16"
    study = study_of(small)
    formats = {
        (e, m): study.engines[e].dtype_for(study.models[m]) for e in study.engines for m in study.models
    }
    assert formats == {
        ("plain", "llama"): "float16",
        ("plain", "local"): "auto",
        ("other", "llama"): "bfloat16",
        ("other", "local"): "bfloat16",
    }


@pytest.mark.parametrize(
    "environment", [{"module": ["vllm/0.33"], "python": "python3.12"}, {"apptainer": "x.sif"}]
)
def test_environments_of_ones_own(environment: dict[str, Any], small: dict[str, Any], study_of: Any) -> None:
    small["environments"]["mine"] = environment
    assert study_of(small).environments["mine"].kind == next(iter(environment))


def test_a_dataset_without_checksum_must_be_there(
    small: dict[str, Any], study_of: Any, tmp_path: Path
) -> None:
    small["datasets"]["burst"] = {"source": "burstgpt", "path": "burst.csv"}
    with pytest.raises(BurstlabError, match=r"datasets\.burst\.path = 'burst\.csv': no such file"):
        study_of(small)
    (tmp_path / "burst.csv").write_text("")
    study_of(small)


def test_a_trace_is_no_workload(small: dict[str, Any], study_of: Any) -> None:
    small["workloads"]["talk"]["dataset"] = "azure"
    with pytest.raises(
        BurstlabError, match=r"workloads\.talk\.dataset = 'azure': .* no prompts: name it in a block's traces"
    ):
        study_of(small)


def test_random_lengths_count_with_their_spread(small: dict[str, Any], study_of: Any) -> None:
    small["workloads"]["random"] = {
        "dataset": "random",
        "requests": 1,
        "input_tokens": 100,
        "output_tokens": 100,
        "range_ratio": 0.5,
    }
    small["engines"]["plain"]["max_model_len"] = 299
    with pytest.raises(BurstlabError, match="up to 300 tokens, but engine plain has max_model_len: 299"):
        study_of(small)
    small["engines"]["plain"]["max_model_len"] = 300
    study_of(small)


def test_what_is_too_long_for_several_models_or_engines_is_one_message(
    small: dict[str, Any], study_of: Any
) -> None:
    block = small["blocks"][0]
    block["models"], block["engines"] = ["llama", "local"], ["plain", "other"]
    for engine in small["engines"].values():
        engine["max_model_len"] = 11
    with pytest.raises(BurstlabError) as caught:
        study_of(small)
    (line,) = str(caught.value).splitlines()
    assert line.endswith("up to 12 tokens, but engines plain, other have max_model_len: 11")
    small["engines"]["other"]["max_model_len"] = 10
    with pytest.raises(BurstlabError) as caught:
        study_of(small)
    assert [line.partition(", but ")[2] for line in str(caught.value).splitlines()] == [
        "engine plain has max_model_len: 11",
        "engine other has max_model_len: 10",
    ]


def test_overlapping_blocks_are_an_error_and_disjoint_ones_are_not(
    small: dict[str, Any], study_of: Any
) -> None:
    small["blocks"].append({**small["blocks"][0], "seeds": [1, 2]})
    with pytest.raises(
        BurstlabError, match=r"blocks\[1\]: blocks\[0\] already has cell .*burst-1/seed-1 and 1 more"
    ):
        study_of(small)
    small["blocks"][1]["seeds"] = [2]
    assert len(cells(study_of(small))) == 6


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "this file is empty"),
        ("# nothing\n", "this file is empty"),
        ("- a\n", "this is a list"),
        ("a\n", "a str"),
    ],
)
def test_what_is_no_mapping_is_told_with_its_file(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "x.yaml"
    file.write_text(text)
    with pytest.raises(BurstlabError, match=rf"x\.yaml:1: a configuration must be a mapping .*; .*{said}"):
        require_mapping(file)


def test_a_mapping_is_let_through_whatever_it_says(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text("no: study\n")
    require_mapping(tmp_path / "x.yaml")


def test_a_file_laid_over_another_replaces_lists_and_adds_to_mappings(tmp_path: Path) -> None:
    below = yaml.safe_load((ROOT / "config/quick.yaml").read_text())
    (tmp_path / "below.yaml").write_text(yaml.safe_dump(below))
    block = below["blocks"][2] | {"seeds": [7]}
    more = {"engines": {"eager": {"max_sequences": 8}}, "blocks": [block]}
    (tmp_path / "above.yaml").write_text(yaml.safe_dump(more))
    study = read_study([tmp_path / "below.yaml", tmp_path / "above.yaml"], ROOT)
    assert study.engines["eager"].max_sequences == 8
    assert study.engines["eager"].max_batched_tokens == 2048
    assert {cell.seed for cell in cells(study)} == {7}


def test_a_fault_is_told_in_the_file_that_it_is_in(tmp_path: Path) -> None:
    above = tmp_path / "above.yaml"
    above.write_text("engines:\n  eager:\n    max_sequences: 0\n")
    with pytest.raises(BurstlabError, match=r"above\.yaml:3: engines\.eager\.max_sequences = 0"):
        read_study([ROOT / "config/quick.yaml", above], ROOT)
