from pathlib import Path

from tests.claims.made import checks, evidence


def test_formula_and_generator_agree_with_what_is_printed(tmp_path: Path) -> None:
    found = checks("B15", evidence(tmp_path, []))
    assert [check.result for check in found] == ["holds"] * 6
    assert [check.published for check in found[::2]] == [3.162, 1.414, 1.0]
    assert {check.evidence for check in found} == {"published", "simulated"}
    drawn = [check.interval for check in found if check.evidence == "simulated"]
    assert all(interval.low < interval.estimate < interval.high for interval in drawn)
