from pathlib import Path

from tests.claims.made import cells, checks, evidence

FA2 = {"platform": "h200", "model": "llama-3.1-8b", "engine": "fa2", "workload": "burstgpt"}
FA3 = FA2 | {"engine": "fa3"}


def test_version_2_gains_and_version_3_does_not(tmp_path: Path) -> None:
    rows = cells(1.0, FA2) + cells(0.1, FA2, median_tpot_ms=20.0)
    rows += cells(1.0, FA3, decode_only_token_share=0.7, median_tpot_ms=20.0, median_e2el_ms=900.0)
    rows += cells(
        0.1,
        FA3,
        decode_only_token_share=0.9,
        median_tpot_ms=20.2,
        median_ttft_ms=400.0,
        median_e2el_ms=1200.0,
    )
    found = checks("B13", evidence(tmp_path, rows))
    assert [check.result for check in found] == ["holds"] * 5
    assert all(check.direct for check in found)


def test_one_version_alone_says_nothing(tmp_path: Path) -> None:
    assert checks("B13", evidence(tmp_path, cells(1.0, FA3) + cells(0.1, FA3))) == []
