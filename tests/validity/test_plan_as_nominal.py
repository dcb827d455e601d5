"""The limits of a plan's CV."""

import math

from burstlab.arrivals.dispersion import gaps_s, realised_cv
from burstlab.arrivals.gamma import planned_send_s
from burstlab.validity.gates.plan_as_nominal import cv_limits


def test_plans_of_vllm_lie_within_the_limits_but_for_two_in_ten_thousand() -> None:
    outside = 0
    for burstiness in (1.0, 0.1):
        low, high = cv_limits(100, burstiness)
        plans = [planned_send_s(100, 8.0, burstiness, seed) for seed in range(500)]
        outside += sum(not low <= realised_cv(gaps_s(plan)) <= high for plan in plans)
    assert outside <= 3  # of 1000; more than that has a chance of 1 in 20,000


def test_the_limits_close_in_on_the_nominal_cv() -> None:
    few, many = cv_limits(50, 0.5), cv_limits(1000, 0.5)
    assert few[0] < many[0] < math.sqrt(2) < many[1] < few[1]


def test_plans_of_another_burstiness_lie_outside() -> None:
    low, high = cv_limits(200, 1.0)
    assert not low <= realised_cv(gaps_s(planned_send_s(200, 8.0, 0.25, 0))) <= high
