from pathlib import Path

import pytest
from tests.claims.made import checks, claim, evidence

from burstlab.claims.estimators.whole_parts import estimate


@pytest.mark.parametrize(("name", "parts"), [("S2", 8.0), ("S8", 4.0)])
def test_the_articles_arithmetic_holds(tmp_path: Path, name: str, parts: float) -> None:
    (check,) = checks(name, evidence(tmp_path, []))
    assert (check.result, check.interval.estimate, check.evidence) == ("holds", parts, "published")


def test_one_token_more_takes_a_part_more(tmp_path: Path) -> None:
    entry = claim("S2").model_copy(update={"parameters": {"tokens": 4097.0, "size": 512.0}})
    (check,) = estimate(entry, evidence(tmp_path, []))
    assert (check.result, check.interval.estimate) == ("fails", 9.0)
