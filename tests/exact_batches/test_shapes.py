import pytest

from burstlab.exact_batches.shapes import ARMS, CHUNK, DECODE, MIXED, PACKED, PADDED, SPLIT, Shape, shapes_for
from burstlab.study.schema import Engine

SHAPE = Shape(decodes=2, context_tokens=100, chunk_tokens=30)


def engine(**limits: int) -> Engine:
    return Engine(environment="e", **limits)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arm", "calls"),
    [
        (DECODE, (((1, 100), (1, 100)),)),
        (CHUNK, (((30, 0),),)),
        (MIXED, (((1, 100), (1, 100), (30, 0)),)),
        (SPLIT, (((1, 100), (1, 100)), ((30, 0),))),
        (PACKED, (((1, 100), (1, 100), (30, 0), (30, 0)),)),
        (PADDED, (((2, 100), (2, 100)),)),
    ],
)
def test_what_each_arm_computes(arm: str, calls: object) -> None:
    assert SHAPE.calls(arm) == calls


def test_one_call_and_two_compute_the_same_requests() -> None:
    def all_of(arm: str) -> list[tuple[int, int]]:
        return [request for call in SHAPE.calls(arm) for request in call]

    assert all_of(MIXED) == all_of(SPLIT) == all_of(DECODE) + all_of(CHUNK)


def test_an_engine_without_limits_takes_all_shapes() -> None:
    for kind in ("cpu", "cuda"):
        assert len(shapes_for(kind, engine())) == 2


@pytest.mark.parametrize(
    "limits",
    [{"max_batched_tokens": 519}, {"max_sequences": 9}, {"max_model_len": 257}],
    ids=lambda limits: next(iter(limits)),
)
def test_a_shape_beyond_a_limit_is_left_out(limits: dict[str, int]) -> None:
    assert Shape(8, 256, 256) not in shapes_for("cpu", engine(**limits))
    allowed = {name: value + 1 for name, value in limits.items()}
    assert Shape(8, 256, 256) in shapes_for("cpu", engine(**allowed))


def test_the_arms_have_names_of_their_own() -> None:
    assert len(set(ARMS)) == 6
