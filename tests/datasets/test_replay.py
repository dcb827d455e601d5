"""Only the timestamps that the configuration asks for are replayed."""

from pathlib import Path

import pytest

from burstlab.datasets.prepare import prepare
from burstlab.datasets.replay import trace_s
from burstlab.errors import BurstlabError
from burstlab.study.schema import Dataset

TRACE = Dataset(source="azure-trace", path="in.csv")
STAND_IN = Dataset(source="synthetic-burstgpt", rows=10)


@pytest.fixture
def prepared(tmp_path: Path) -> Path:
    rows = ["2023-11-16 18:15:46.6805900,10,2", "2023-11-16 18:15:48.1805900,10,2"]
    (tmp_path / "in.csv").write_text("\n".join(["TIMESTAMP,ContextTokens,GeneratedTokens", *rows, ""]))
    prepare("azure", TRACE, tmp_path / "azure", root=tmp_path)
    return tmp_path / "azure"


def test_the_arrivals_of_a_prepared_trace(prepared: Path) -> None:
    assert trace_s("azure", TRACE, prepared).tolist() == [0.0, 1.5]


def test_timestamps_that_were_changed_are_an_error(prepared: Path) -> None:
    path = prepared / "timestamps.csv"
    path.write_text(path.read_text().replace("1.5", "1.6"))
    with pytest.raises(BurstlabError, match=r"timestamps\.csv is not the file"):
        trace_s("azure", TRACE, prepared)
    path.unlink()
    with pytest.raises(BurstlabError, match=r"timestamps\.csv: cannot be read"):
        trace_s("azure", TRACE, prepared)


def test_timestamps_of_another_recipe_are_an_error(tmp_path: Path) -> None:
    prepare("burst", STAND_IN, tmp_path)
    with pytest.raises(BurstlabError, match="prepare it anew"):
        trace_s("burst", STAND_IN.model_copy(update={"seed": 1}), tmp_path)


def test_a_dataset_without_times_is_no_trace(tmp_path: Path) -> None:
    talk = Dataset(source="synthetic-sharegpt", rows=10)
    prepare("talk", talk, tmp_path)
    with pytest.raises(
        BurstlabError, match=r"datasets\.talk: a synthetic-sharegpt dataset has no timestamps"
    ):
        trace_s("talk", talk, tmp_path)


def test_what_is_not_prepared_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BurstlabError, match="not been prepared"):
        trace_s("azure", TRACE, tmp_path)
