from pathlib import Path

from tests.claims.made import PUBLISHED, cells, checks, evidence, results


def test_each_burstiness_is_held_against_its_own_numbers(tmp_path: Path) -> None:
    rows = cells(1.0, PUBLISHED, decode_only_token_share=0.712, mean_decode_only_ms=26.0, mean_mixed_ms=300.0)
    rows += cells(0.1, PUBLISHED, decode_only_token_share=0.88, mean_decode_only_ms=14.4, mean_mixed_ms=116.0)
    found = evidence(tmp_path, rows)
    assert results("B3", found) == {
        "decode-only share": "holds",
        "decode-only iteration": "holds",
        "mixed iteration": "fails",
    }
    assert set(results("B4", found).values()) == {"holds"}


def test_not_on_other_hardware(tmp_path: Path) -> None:
    assert checks("B3", evidence(tmp_path, cells(1.0) + cells(0.1))) == []


def test_with_a_stand_in_for_the_data_set_values_are_checked_on_different_conditions(tmp_path: Path) -> None:
    stand_in = PUBLISHED | {"workload": "synthetic-burstgpt"}
    rows = cells(1.0, stand_in, decode_only_token_share=0.712) + cells(0.1, stand_in)
    share = next(one for one in checks("B3", evidence(tmp_path, rows)) if one.quantity == "decode-only share")
    assert (share.result, share.direct) == ("holds", False)
