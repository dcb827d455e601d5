"""Whatever a configuration holds, it is a study or an error with a message: never another exception."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from burstlab.errors import BurstlabError
from burstlab.study.expand import cells
from burstlab.study.load import load_study
from burstlab.study.specification import specification, specification_sha256

ROOT = Path(__file__).parents[2]
CONFIG = yaml.safe_load((ROOT / "config.yaml").read_text())

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 5000),
    st.floats(),
    st.dates(),
    st.sampled_from(
        ["", "inf", "true", "random", "tiny-gqa", "burstgpt", "cuda", "envs", "cpu", "../x", "1e3"]
    ),
    st.binary(max_size=2),
)
KEYS = st.one_of(
    st.sampled_from(["path", "url", "gpus", "arguments", "dtype", "traces", "lock", "x"]), st.integers(0, 2)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEYS, inner, max_size=2),
    max_leaves=4,
)


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    entries = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    return [path, *(deeper for key, inner in entries for deeper in paths(inner, (*path, key)))]


PATHS = [path for path in paths(CONFIG) if path]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(PATHS), VALUES, st.none() | KEYS), min_size=1, max_size=2))
def test_any_change_ends_in_a_study_or_in_a_message(changes: list[tuple[tuple[Any, ...], Any, Any]]) -> None:
    config = deepcopy(CONFIG)
    for path, value, new_key in changes:
        target = config
        for key in path[:-1]:
            target = target[key] if isinstance(target, dict | list) and _has(target, key) else {}
        if new_key is not None and isinstance(target, dict):
            target[new_key] = value
        elif isinstance(target, dict) or (isinstance(target, list) and _has(target, path[-1])):
            target[path[-1]] = value
    try:
        study = load_study(config, [ROOT / "config.yaml"], ROOT)
    except BurstlabError as error:
        for line in str(error).splitlines():
            assert line.startswith(("config.yaml:", "--config: ", "and "))
        return
    for cell in cells(study):
        specification_sha256(specification(cell, study))


def _has(target: Any, key: Any) -> bool:
    return key in target if isinstance(target, dict) else isinstance(key, int) and key < len(target)
