import math

import pytest
from tests.advice.made import question

from burstlab.advice.lengths import lengths
from burstlab.advice.question import Question
from burstlab.errors import BurstlabError


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"rate_per_s": 0.0}, "--rate 0"),
        ({"rate_per_s": math.inf}, "--rate inf"),
        ({"rate_per_s": math.nan}, "--rate nan"),
        ({"bursty": 0.0}, "--burstiness 1 0"),
        ({"seeds": 2}, "--seeds 2: at least 3"),
        ({"requests": 5}, "--requests 5: at least 20"),
    ],
)
def test_what_cannot_be_asked_is_told(more: dict[str, float], told: str) -> None:
    with pytest.raises(BurstlabError, match=told):
        Question(**{"rate_per_s": 5.0, "lengths": lengths("10/10"), **more})  # type: ignore[arg-type]


def test_both_sides_are_sent_the_same_requests_at_other_times() -> None:
    one = question(sizes="synthetic-sharegpt")
    steady, bursty = one.sent(1.0, 3), one.sent(0.1, 3)
    assert steady.prompt_tokens.tolist() == bursty.prompt_tokens.tolist()
    assert steady.send_ps[-1] == bursty.send_ps[-1] == 200 / 10 * 10**12
    assert steady.send_ps.tolist() != bursty.send_ps.tolist()
