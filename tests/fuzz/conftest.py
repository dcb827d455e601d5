"""A reader that hangs fails its test."""

import signal
from collections.abc import Iterator
from types import FrameType

import pytest

# No test here takes a tenth of this; a long run has as many times longer as it has more examples.
HANGS_AFTER_S = 300


@pytest.fixture(autouse=True)
def hanging_is_a_failure() -> Iterator[None]:
    """Breaks a test off that does not end."""
    from tests.fuzz.fuzzing import TIMES

    def too_long(signal_number: int, frame: FrameType | None) -> None:
        raise TimeoutError("a reader hangs")

    before = signal.signal(signal.SIGALRM, too_long)
    signal.setitimer(signal.ITIMER_REAL, HANGS_AFTER_S * TIMES)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)
