"""What is generated from the schema has not drifted from it, and config.yaml shows every key."""

import json
import re
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from burstlab.study import reference, schema

ROOT = Path(__file__).parents[2]
SECTIONS = [
    schema.Study,
    schema.Platform,
    schema.Slurm,
    schema.Environment,
    schema.Model,
    schema.Engine,
    schema.Dataset,
    schema.Workload,
    schema.Block,
]


def test_the_documentation_is_what_the_schema_says() -> None:
    assert (ROOT / reference.MARKDOWN).read_text() == reference.markdown(), (
        "run python -m burstlab.study.reference"
    )


def test_the_json_schema_is_what_the_schema_says() -> None:
    assert (ROOT / reference.JSON_SCHEMA).read_text() == reference.json_schema(), (
        "run python -m burstlab.study.reference"
    )


@pytest.mark.parametrize("section", SECTIONS)
def test_every_key_has_a_description_and_a_comment_in_config_yaml(section: type[schema.Section]) -> None:
    text = (ROOT / "config.yaml").read_text()
    for key, field in section.model_fields.items():
        assert field.description, key
        beside, above = rf"^[ #-]*{key}:.*#", rf"#.*\n[ #-]*{key}:"
        assert re.search(f"{beside}|{above}", text, re.MULTILINE), f"config.yaml does not comment {key}"


@pytest.mark.parametrize(
    "file", [ROOT / "config.yaml", *sorted((ROOT / "config").glob("*.yaml"))], ids=lambda file: file.name
)
def test_shipped_configurations_match_the_json_schema(file: Path) -> None:
    validator = Draft202012Validator(json.loads(reference.json_schema()))
    assert list(validator.iter_errors(yaml.safe_load(file.read_text()))) == []


def test_the_json_schema_refuses_unknown_keys() -> None:
    validator = Draft202012Validator(json.loads(reference.json_schema()))
    config = yaml.safe_load((ROOT / "config.yaml").read_text())
    config["blocks"][0]["ratse"] = config["blocks"][0].pop("rates")
    assert len(list(validator.iter_errors(config))) == 2
