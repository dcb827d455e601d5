"""What the fuzzing of readers shares: how many examples, and the rule that every reader keeps.

`BURSTLAB_FUZZ=100 pytest tests/fuzz` runs a hundred times as many examples, drawn anew each time. Without it the examples are
few and always the same.
"""

import os
from collections.abc import Callable
from typing import TypeVar

from hypothesis import HealthCheck, Phase, settings

from burstlab.errors import BurstlabError

TIMES = max(1, int(os.environ.get("BURSTLAB_FUZZ", "1")))
_LONG = "BURSTLAB_FUZZ" in os.environ

Read = TypeVar("Read")


def fuzzed(examples: int) -> settings:
    """Settings of a test with so many examples."""
    return settings(
        max_examples=examples * TIMES,
        derandomize=not _LONG,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )


def read_or_refused(read: Callable[[], Read], named: str) -> Read | None:
    """What is read; None where a BurstlabError refuses it, which must name the file. Any other exception fails the test."""
    try:
        return read()
    except BurstlabError as error:
        assert named in str(error), f"the message does not say {named}: {error}"
        return None
