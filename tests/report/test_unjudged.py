import pandas as pd

from burstlab.report.unjudged import gather


def test_counted_cells_with_a_gate_that_lacked_evidence_are_told_gate_by_gate() -> None:
    rows = [
        {"counted": True, "unjudged_gates": "no-steal,log-complete"},
        {"counted": True, "unjudged_gates": "no-steal"},
        {"counted": True, "unjudged_gates": ""},
        {"counted": False, "unjudged_gates": "no-steal"},
    ]
    found = gather(pd.DataFrame(rows))
    assert (found.cells, found.counted) == (2, 3)
    assert found.gates == (("no-steal", 2), ("log-complete", 1))


def test_a_study_whose_gates_were_all_judged() -> None:
    assert gather(pd.DataFrame([{"counted": True, "unjudged_gates": ""}])).cells == 0
