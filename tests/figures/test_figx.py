"""Exact batches as a figure."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from tests.exact_batches.test_effects import rows

from burstlab.figures import figx
from burstlab.figures.registry import BY_NAME, WHOLE_STUDY
from burstlab.figures.tables import Tables
from burstlab.figures.write import render


def tables(folder: Path, *engines: str, repetitions: int = 8, **changes: Any) -> Tables:
    made = [
        {**row, "engine": engine}
        for engine in engines
        for number in range(repetitions)
        for row in rows(number, **changes)
    ]
    pd.DataFrame(made).to_parquet(folder / "exact_batches.parquet")
    return Tables(folder)


def test_a_row_a_comparison_with_its_interval(tmp_path: Path) -> None:
    frame = figx.data(tables(tmp_path, "eager"))
    assert dict(zip(frame["effect"], frame["extra"], strict=True)) == pytest.approx(
        {
            "beside a prompt, in one call": 0.4,
            "beside a prompt, in two calls": 0.0,
            "beside a prompt twice, not beside two at once": 0.6,
            "padded to two tokens": 0.5,
        }
    )
    assert set(frame["repetitions"]) == {8}
    assert set(frame["decode_ms"]) == {10.0}


def test_it_is_drawn_with_every_engine(tmp_path: Path) -> None:
    _, svg = render(BY_NAME["figX"], tables(tmp_path, "eager", "compiled"), WHOLE_STUDY)
    text = svg.decode()
    for words in ("cpu · m", "eager", "compiled", "2 decodes of 100 tokens,", "30 of a prompt", "measured"):
        assert words in text
    assert "8 repetitions" in text


def test_an_engine_whose_parts_were_timed_has_panels_of_its_own(tmp_path: Path) -> None:
    found = tables(tmp_path, "eager", "compiled")
    made = pd.read_parquet(tmp_path / "exact_batches.parquet")
    attention = made[made["engine"] == "eager"].assign(part="attention")
    pd.concat([made, attention]).to_parquet(tmp_path / "exact_batches.parquet")
    frame = figx.data(found)
    detailed, together = figx.draw(frame).axes
    assert detailed.get_title().startswith("cpu · m · eager\n2 decodes")
    assert [label.get_text() for label in together.get_yticklabels()] == ["cpu · m\ncompiled"]


def test_engines_with_the_very_same_times_are_one_line(tmp_path: Path) -> None:
    frame = figx.data(tables(tmp_path, "default", "fa3", "fa2")).assign(evidence="simulated", by="roofline")
    frame.loc[frame["engine"] == "fa2", ["extra", "low", "high"]] += 0.01
    (together,) = figx.draw(frame).axes
    assert [label.get_text() for label in together.get_yticklabels()] == [
        "cpu · m\ndefault, fa3",
        "cpu · m\nfa2",
    ]


def test_engines_that_were_timed_are_a_line_each_whatever_came_out(tmp_path: Path) -> None:
    (together,) = figx.draw(figx.data(tables(tmp_path, "default", "fa3"))).axes
    assert len(together.get_yticklabels()) == 2


def test_an_engine_without_times_leaves_the_shapes_of_others_whole_numbers(tmp_path: Path) -> None:
    tables(tmp_path, "eager")
    made = pd.read_parquet(tmp_path / "exact_batches.parquet")
    none = {"platform": "cpu", "model": "m", "engine": "old", "evidence": "measured", "why": "it has none"}
    pd.concat([made, pd.DataFrame([none])]).to_parquet(tmp_path / "exact_batches.parquet")
    (panel,) = figx.draw(figx.data(Tables(tmp_path))).axes
    assert panel.get_title() == "2 decodes of 100 tokens,\n30 of a prompt"


def test_a_machine_that_did_something_else_is_said_to_have(tmp_path: Path) -> None:
    assert b"Other programs" not in render(BY_NAME["figX"], tables(tmp_path, "eager"), WHOLE_STUDY)[1]
    made = pd.read_parquet(tmp_path / "exact_batches.parquet").assign(others_share=0.3)
    made.to_parquet(tmp_path / "exact_batches.parquet")
    assert (
        b"Other programs used up to 30% of the cores"
        in render(BY_NAME["figX"], Tables(tmp_path), WHOLE_STUDY)[1]
    )


def test_a_simulated_engine_is_drawn_as_such(tmp_path: Path) -> None:
    made = pd.DataFrame(
        [row | {"evidence": "simulated", "by": "roofline", "others_share": None} for row in rows(0)]
    )
    made.to_parquet(tmp_path / "exact_batches.parquet")
    text = render(BY_NAME["figX"], Tables(tmp_path), WHOLE_STUDY)[1].decode()
    assert "Hollow: simulated, by the costs of roofline" in text
    assert "repetition" not in text


def test_what_was_not_timed_of_any_engine_is_not_in_the_legend(tmp_path: Path) -> None:
    text = render(BY_NAME["figX"], tables(tmp_path, "eager", packed=None), WHOLE_STUDY)[1].decode()
    assert "padded to two tokens" in text
    assert "two at once" not in text.replace("two prompts come at once", "")


def test_too_few_repetitions_are_not_drawn(tmp_path: Path) -> None:
    frame, svg = render(BY_NAME["figX"], tables(tmp_path, "eager", repetitions=5), WHOLE_STUDY)
    assert frame.empty
    assert b"Nothing to draw" in svg


def test_an_engine_without_times_is_named_with_the_reason(tmp_path: Path) -> None:
    tables(tmp_path, "eager")
    made = pd.read_parquet(tmp_path / "exact_batches.parquet")
    none = {**made.iloc[0].to_dict(), "engine": "old", "ms": None, "why": "it has none"}
    pd.concat([made, pd.DataFrame([none])]).to_parquet(tmp_path / "exact_batches.parquet")
    frame, svg = render(BY_NAME["figX"], Tables(tmp_path), WHOLE_STUDY)
    assert frame["why"].dropna().tolist() == ["it has none"]
    assert "Not timed: cpu · m · old (it has none)." in svg.decode()
    assert "cpu · m · eager" not in svg.decode()
    assert "2 decodes of 100 tokens" in svg.decode()
    pd.DataFrame([none]).to_parquet(tmp_path / "exact_batches.parquet")
    text = render(BY_NAME["figX"], Tables(tmp_path), WHOLE_STUDY)[1].decode()
    assert "No exact batches were timed. Not timed: cpu · m · old (it has none)." in text
