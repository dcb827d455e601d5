import json
from pathlib import Path
from typing import Any

import pytest

from burstlab.errors import BurstlabError
from burstlab.report.provenance import Provenance, flatten, gather, shell


def records(folder: Path, *changes: dict[str, Any]) -> Provenance:
    paths = []
    for number, change in enumerate(changes):
        record = {
            "cell": {"platform": "cpu", "model": "m", "engine": "e", "workload": "w"},
            "evidence": "measured",
            "hardware": {"cores": 2},
        }
        paths.append(folder / f"{number}.json")
        paths[-1].write_text(json.dumps(record | change))
    return gather(paths)


def test_states_that_differ_are_kept_apart_and_counted(tmp_path: Path) -> None:
    found = records(tmp_path, {}, {"hardware": {"cores": 4}}, {})
    setting = found.settings["cpu", "m", "e"]
    assert setting.cells == 3
    assert setting.hardware.listed() == [((("cores", "2"),), 2), ((("cores", "4"),), 1)]
    assert setting.versions.listed() == []


def test_the_time_of_each_run_is_kept(tmp_path: Path) -> None:
    times = [{"times": {"started_utc": f"2026-11-0{day}T00:00:00"}} for day in (2, 1, 3)]
    found = records(tmp_path, *times)
    assert [(path.stem, started[:10]) for path, started in found.started_utc.items()] == [
        ("0", "2026-11-02"),
        ("1", "2026-11-01"),
        ("2", "2026-11-03"),
    ]


def test_datasets_of_workloads_and_traces_are_both_found(tmp_path: Path) -> None:
    specification = {
        "workload": {"dataset": {"source": "synthetic-sharegpt", "rows": 5}},
        "arrivals": {"dataset": {"source": "azure-trace"}},
    }
    found = records(tmp_path, {"specification": specification})
    assert [dict(facts)["source"] for facts, _ in found.datasets.listed()] == [
        "azure-trace",
        "synthetic-sharegpt",
    ]
    assert found.prompts == {("cpu", "m", "e", "w"): {"synthetic-sharegpt"}}


def test_workloads_of_the_same_name_keep_their_own_prompts(tmp_path: Path) -> None:
    def drawn(platform: str, source: str) -> dict[str, Any]:
        cell = {"platform": platform, "model": "m", "engine": "e", "workload": "chat"}
        return {"cell": cell, "specification": {"workload": {"dataset": {"source": source}}}}

    found = records(tmp_path, drawn("cpu", "sharegpt"), drawn("xeon", "synthetic-sharegpt"))
    assert found.prompts == {
        ("cpu", "m", "e", "chat"): {"sharegpt"},
        ("xeon", "m", "e", "chat"): {"synthetic-sharegpt"},
    }


def test_flattening() -> None:
    nested = {"a": {"b": 1, "c": None}, "d": [1, 2], "e": [{"f": True}], "g": [], "memory_bytes": 2**31}
    expected = [("a.b", "1"), ("d", "1, 2"), ("e[0].f", "yes"), ("memory_bytes", "2,147,483,648 (2.0 GiB)")]
    assert list(flatten(nested)) == expected


def test_commands_are_quoted() -> None:
    assert shell(["vllm", "serve", "a b"]) == "vllm serve 'a b'"


@pytest.mark.parametrize("content", ["{", "[]", '{"cell": 3}'])
def test_a_broken_record_is_named(content: str, tmp_path: Path) -> None:
    path = tmp_path / "cell.json"
    path.write_text(content)
    with pytest.raises(BurstlabError, match=r"cell\.json"):
        gather([path])


def test_a_missing_record_is_named(tmp_path: Path) -> None:
    with pytest.raises(BurstlabError, match=r"none\.json"):
        gather([tmp_path / "none.json"])
