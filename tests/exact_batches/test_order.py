from burstlab.exact_batches.order import repetitions
from burstlab.exact_batches.shapes import ARMS, Shape

SHAPES = (Shape(2, 100, 30), Shape(4, 200, 60))
EVERY = sorted((place, arm) for place in range(2) for arm in ARMS)


def test_each_repetition_has_every_arm_of_every_shape_once() -> None:
    found = repetitions(SHAPES, 5)
    assert [sorted(steps) for steps in found] == [EVERY] * 5


def test_orders_differ_from_repetition_to_repetition() -> None:
    assert len({tuple(steps) for steps in repetitions(SHAPES, 20)}) == 20


def test_an_order_can_be_had_again() -> None:
    assert repetitions(SHAPES, 5, seed=3) == repetitions(SHAPES, 5, seed=3)
    assert repetitions(SHAPES, 5, seed=3) != repetitions(SHAPES, 5, seed=4)


def test_each_arm_comes_first_about_as_often_as_any_other() -> None:
    firsts = [steps[0] for steps in repetitions(SHAPES, 2000)]
    # 200 each are expected, with a standard deviation of 13.4.
    assert all(130 < firsts.count(step) < 270 for step in EVERY)
