import json
from pathlib import Path
from typing import Any

import pytest

from burstlab.errors import BurstlabError
from burstlab.simulator.costs.fitted.batches import Batch
from burstlab.simulator.costs.fitted.from_forward import read_forward


def request(query: int, kv: int, drafts: int = 0) -> dict[str, Any]:
    return {"query_len": query, "kv_len": kv, "num_draft_tokens": drafts, "chunked": False}


def write(folder: Path, content: Any) -> Path:
    path = folder / "forward.json"
    path.write_text(json.dumps(content))
    return path


def test_cases_are_batches(tmp_path: Path) -> None:
    # --case mix=512,2*1@1024 --case chunk=100@300c --case one=1
    path = write(
        tmp_path,
        [
            {
                "case": "mix",
                "median_us": 2500.0,
                "requests": [request(512, 512), request(1, 1024), request(1, 1024)],
            },
            {"case": "chunk", "median_us": 900.5, "requests": [request(100, 300)]},
            {"case": "one", "median_us": 700.0, "requests": [request(1, 1)]},
        ],
    )
    assert read_forward(path) == [
        Batch(2, 2046, [(512, 0)], 2.5),
        Batch(0, 0, [(100, 200)], 0.9005),
        Batch(0, 0, [(1, 0)], 0.7),
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"case": "mix"}, "a list of cases"),
        ([{"case": "mix", "requests": []}], "case 0 needs median_us"),
        ([{"median_us": 1, "requests": [{"query_len": 1}]}], "case 0 needs"),
        ([{"median_us": 1, "requests": [request(4, 100, 3)]}], "num_draft_tokens"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: Any, message: str) -> None:
    with pytest.raises(BurstlabError, match=message):
        read_forward(write(tmp_path, content))


def test_a_file_that_is_no_json_is_refused(tmp_path: Path) -> None:
    (tmp_path / "forward.json").write_text("{")
    with pytest.raises(BurstlabError, match="cannot be read as JSON"):
        read_forward(tmp_path / "forward.json")
