import re
from pathlib import Path
from typing import Any

import pytest
from tests.claims.made import CPU, cells, evidence

from burstlab.claims.judge import write_verdicts
from burstlab.report.page import environment
from burstlab.report.verdicts import Answer, gather

TEMPLATES = Path(__file__).parents[2] / "report"
HOSTILE = CPU | {"model": "<b>m</b>"}


def rendered(verdicts: dict[str, Any] | None) -> str:
    source = "{% import 'macros.html.j2' as show %}{% set opened = ' open' %}{% include 'verdicts.html.j2' %}"
    return environment(TEMPLATES).from_string(source).render(verdicts=verdicts)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("tables")
    rows = cells(1.0, mean_decode_only_ms=20.0) + cells(0.1, median_tpot_ms=20.0, mean_decode_only_ms=10.0)
    rows += cells(1.0, HOSTILE) + cells(0.1, HOSTILE, median_tpot_ms=60.0)
    rows += cells(1.0, evidence="simulated") + cells(0.1, evidence="simulated")
    evidence(folder, rows)
    write_verdicts(folder)
    gathered = gather(folder)
    assert gathered is not None
    return gathered


def test_each_model_and_evidence_is_answered_apart(found: dict[str, Any]) -> None:
    answers: dict[tuple[str, str], Answer] = {(one.model, one.evidence): one for one in found["answers"]}
    assert set(answers) == {("tiny-gqa", "measured"), ("tiny-gqa", "simulated"), ("<b>m</b>", "measured")}
    assert answers["tiny-gqa", "measured"].sentence.startswith(
        "Yes: of 1 comparison, median TPOT fell in 1 and rose in 0; 0 not told."
    )
    assert "their cost lowered it in 1 of 1" in answers["tiny-gqa", "measured"].sentence
    assert answers["<b>m</b>", "measured"].sentence.startswith("No: of 1 comparison")
    assert answers["tiny-gqa", "simulated"].sentence.startswith("Simulated: The data do not tell")


def test_a_row_has_the_change_with_its_interval_and_seeds(found: dict[str, Any]) -> None:
    (row,) = next(
        one for one in found["answers"] if (one.model, one.evidence) == ("tiny-gqa", "measured")
    ).rows
    assert row.change.startswith("−50.0% (−5")
    assert (row.told, row.seeds, row.rate, row.arrivals) == ("fell", 5, "10 req/s", "b=1 → 0.1")
    assert row.parts[1].startswith("−7.0")  # 70% of the tokens, ten milliseconds sooner
    assert " ms (−7.29 to −6.71 ms)" in row.parts[1]


def test_every_claim_is_on_the_page_and_hostile_names_are_text(found: dict[str, Any]) -> None:
    html = rendered(found)
    for number in range(1, 21):
        assert f'<th scope="row">B{number}</th>' in html
    assert "<b>m</b>" not in html
    assert "&lt;b&gt;m&lt;/b&gt;" in html


def test_verdicts_are_counted_over_claims_and_code_is_marked(found: dict[str, Any]) -> None:
    html = rendered(found)
    verdicts = len(found["run"]) + len(found["not_run"])
    claims = len({entry["id"] for entry in [*found["run"], *found["not_run"]]})
    assert verdicts > claims
    assert f"<p>{verdicts} verdicts on {claims} claims: " in html
    assert sum(number for _, number, _ in found["counts"]) == verdicts
    assert "<code>make study CONFIG=config/seed-study.yaml</code> would run it" in html
    assert "`" not in html


def test_before_there_are_verdicts_the_page_says_how_to_make_them(tmp_path: Path) -> None:
    assert gather(tmp_path) is None
    assert "<code>snakemake verdicts</code>" in rendered(None)


def test_a_comparison_that_a_gate_objects_to_is_no_answer_and_names_the_confound(tmp_path: Path) -> None:
    other = CPU | {"workload": "w"}
    rows = cells(1.0) + cells(0.1, median_tpot_ms=20.0)
    rows += cells(1.0, other) + cells(0.1, other, median_tpot_ms=20.0, vllm_version="0.22.1")
    evidence(tmp_path, rows)
    write_verdicts(tmp_path)
    gathered = gather(tmp_path)
    assert gathered is not None
    (answer,) = gathered["answers"]
    assert [row.told for row in answer.rows] == ["fell", "different conditions"]
    assert answer.sentence.startswith(
        "Not everywhere: of 2 comparisons, median TPOT fell in 1 and rose in 0; 1 not told."
    )
    html = rendered(gathered)
    assert "also different: same-engine-version: vLLM 0.22.1, 0.33.0" in html


def test_too_few_pairs_are_shown_and_not_counted(tmp_path: Path) -> None:
    thin = CPU | {"workload": "w"}
    rows = cells(1.0) + cells(0.1, median_tpot_ms=20.0)
    rows += cells(1.0, thin, seeds=2) + cells(0.1, thin, seeds=2, median_tpot_ms=20.0)
    evidence(tmp_path, rows)
    write_verdicts(tmp_path)
    gathered = gather(tmp_path)
    assert gathered is not None
    (answer,) = gathered["answers"]
    assert [row.told for row in answer.rows] == ["fell", "no verdict"]
    assert answer.sentence.startswith(
        "Yes: of 1 comparison, median TPOT fell in 1 and rose in 0; 0 not told. "
        "1 more comparison of fewer than 3 pairs: not counted here."
    )


def test_a_change_that_only_its_interval_would_tell_is_said_in_the_answer_and_the_row(tmp_path: Path) -> None:
    others = [CPU | {"workload": f"calm {n}"} for n in range(5)]
    rows = [row for group in others for b in (1.0, 0.1) for row in cells(b, group)]
    risen = (52.0, 96.0, 64.0, 48.0, 90.0)
    rows += cells(1.0)
    rows += [row | {"median_tpot_ms": value} for row, value in zip(cells(0.1), risen, strict=True)]
    evidence(tmp_path, rows)
    write_verdicts(tmp_path)
    gathered = gather(tmp_path)
    assert gathered is not None
    (answer,) = gathered["answers"]
    remark = "the 95% interval excludes 0, but among 30 comparisons this is not told"
    assert answer.sentence.startswith(
        f"The data do not tell: of 6 comparisons none tells a change of tiny-gqa's median TPOT. In 1, {remark}."
    )
    assert [(row.told, row.remark) for row in answer.rows if row.remark] == [("not told", remark)]
    assert remark in rendered(gathered)


def test_the_evidence_of_verdicts_is_told_beside_their_number(found: dict[str, Any]) -> None:
    text = re.sub(r"<[^>]+>", "", rendered(found))
    reproduced = next(number for word, number, _ in found["counts"] if word == "reproduced")
    assert f"{reproduced} reproduced (none measured, " in text
    assert "arithmetic on published numbers" in text
