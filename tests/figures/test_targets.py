from typing import Any

import pytest

from burstlab.figures.registry import BY_NAME, WHOLE_STUDY, Group, of_pair
from burstlab.figures.targets import batches, drawn_of, pairs_of
from burstlab.study.schema import Engine, Study

GROUPS = [("cpu", "m", "e", f"w{number}") for number in range(7)]


def test_groups_are_cut_into_parts_in_order() -> None:
    parts = batches(GROUPS, 3)
    assert [len(part) for part in parts] == [3, 3, 1]
    assert [group for part in parts for group in part] == GROUPS


def test_no_group_is_one_part_too() -> None:
    assert batches([]) == [[]]


def engine(**changes: Any) -> Engine:
    return Engine(environment="e", attention_backend="FLASH_ATTN", **changes)


def study(**engines: Engine) -> Study:
    return Study.model_construct(engines=engines)


def group(name: str, workload: str = "w") -> Group:
    return ("h200", "m", name, workload)


PAIRED = study(
    fa2=engine(flash_attn_version=2),
    fa3=engine(flash_attn_version=3),
    eager=engine(flash_attn_version=3, cuda_graphs="none"),
    default=engine(),
)


def test_a_pair_differs_in_the_version_alone_and_the_older_one_is_first() -> None:
    groups = [group(name) for name in PAIRED.engines]
    assert pairs_of(PAIRED, groups) == [("h200", "m", "fa2+fa3", "w")]


def test_a_pair_is_of_one_workload() -> None:
    assert pairs_of(PAIRED, [group("fa2", "a"), group("fa3", "b")]) == []


def test_an_engine_of_a_collection_is_in_no_pair() -> None:
    assert pairs_of(study(fa3=PAIRED.engines["fa3"]), [group("fa2"), group("fa3")]) == []


def test_the_groups_of_a_pair() -> None:
    assert of_pair(group("fa2+fa3")) == [group("fa2"), group("fa3")]
    assert of_pair(group("fa2")) == [group("fa2")]


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("fig1", [group("fa2")]),
        ("figT", [group("fa3")]),
        ("fig6", [group("fa2+fa3")]),
        ("figR", [WHOLE_STUDY]),
        ("figX", []),
    ],
)
def test_what_each_kind_is_drawn_of(name: str, drawn: list[object]) -> None:
    given = drawn_of(BY_NAME[name], [group("fa2")], [group("fa3")], [group("fa2+fa3")])
    assert list(given) == drawn


def test_exact_batches_are_drawn_of_a_study_that_timed_them() -> None:
    assert drawn_of(BY_NAME["figX"], [], batches_timed=True) == [WHOLE_STUDY]
