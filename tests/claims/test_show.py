from burstlab.claims.show import WIDTH, show

ROW = {
    "id": "B1",
    "verdict": "different conditions",
    "trend": "fails",
    "evidence": "measured",
    "platform": "cpu",
    "statement": "It falls.",
    "published": "TPOT 30 ms",
    "summary": "It rose. " * 40,
}
MISSING = ROW | {
    "id": "S1",
    "verdict": "not run",
    "trend": "",
    "evidence": "",
    "platform": "",
    "published": "",
}


def test_an_entry_a_verdict_and_the_counts_below() -> None:
    lines = show([ROW, MISSING]).splitlines()
    assert lines[:3] == [
        "B1  different conditions, trend fails [measured · cpu]",
        "    It falls.",
        "    Published: TPOT 30 ms.",
    ]
    assert "S1  not run" in lines
    assert lines[-1] == "2 verdicts on 2 claims: 1 different conditions (1 measured), 1 not run"
    assert max(map(len, lines)) <= WIDTH
