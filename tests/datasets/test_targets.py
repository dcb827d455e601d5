"""Which datasets a study prepares, and where."""

from pathlib import Path

import pytest

from burstlab.datasets.prepare import prepare
from burstlab.datasets.recipe import folder_name
from burstlab.datasets.targets import dataset_record, dataset_records, datasets_used, last_damage
from burstlab.study.expand import cells
from burstlab.study.load import load_study
from burstlab.study.schema import Study


def study(tmp_path: Path) -> Study:
    (tmp_path / "lock.txt").write_text("vllm==0.33.0\n")
    lengths = {"input_tokens": 1, "output_tokens": 1}
    config = {
        "name": "small",
        "platforms": {"cpu": {"kind": "cpu"}},
        "environments": {"vllm": {"lock": "lock.txt"}},
        "models": {"tiny": {"build": "tiny-gqa"}},
        "engines": {"plain": {"environment": "vllm"}},
        "datasets": {
            "talk": {"source": "synthetic-sharegpt"},
            "times": {"source": "synthetic-burstgpt"},
            "unused": {"source": "synthetic-burstgpt"},
        },
        "workloads": {
            "random": {"dataset": "random", "requests": 5, **lengths},
            "talks": {"dataset": "talk", "requests": 5},
            "unsent": {"dataset": "unused", "requests": 5},
        },
        "blocks": [
            {
                "platforms": ["cpu"],
                "models": ["tiny"],
                "engines": ["plain"],
                "workloads": ["random", "talks"],
                "rates": [1],
                "traces": ["times"],
                "seeds": [0],
            }
        ],
    }
    return load_study(config, [], tmp_path)


def test_what_is_sent_and_what_is_replayed_is_prepared(tmp_path: Path) -> None:
    assert datasets_used(study(tmp_path)) == ["talk", "times"]


def test_a_cell_needs_its_prompts_and_its_timestamps(tmp_path: Path) -> None:
    asked = study(tmp_path)
    talk, times = (dataset_record(asked, name) for name in ("talk", "times"))
    assert talk == f"resources/datasets/{folder_name('talk', asked.datasets['talk'])}/dataset.json"
    assert [dataset_records(asked, cell) for cell in cells(asked)] == [[times], [talk, times]]


def test_a_damaged_dataset_is_prepared_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    asked = study(tmp_path)
    memory = tmp_path / "memory"
    record = Path(dataset_record(asked, "talk"))
    prepare("talk", asked.datasets["talk"], record.parent)

    def is_newer() -> bool:
        return Path(last_damage(asked, "talk", memory)).stat().st_mtime_ns > record.stat().st_mtime_ns

    assert not is_newer()
    record.write_bytes(record.read_bytes()[:50])
    assert is_newer()
    prepare("talk", asked.datasets["talk"], record.parent)
    assert not is_newer()
