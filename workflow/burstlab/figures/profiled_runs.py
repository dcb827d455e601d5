"""What figures of profiled runs share: which runs they show, and words for the arrivals."""

from __future__ import annotations

import pandas as pd

from burstlab.figures import style
from burstlab.figures.grouping import rows_by
from burstlab.records.cell_record import MEASURED
from burstlab.statistics.interval import Interval
from burstlab.statistics.level import level_interval
from burstlab.wording import count

_COUNTS = frozenset(
    {
        "requests-succeeded",
        "outputs-full-length",
        "few-preemptions",
        "attention-backend",
        "flash-attention-version",
        "graph-mode",
        "scheduler",
        "chunked-prefill",
        "number-format",
        "batch-limits",
        "async-scheduling-off",
        "log-complete",
    }
)
"""The gates that count: these say that something else ran, or that kinds of iteration are not what they seem. Those about
speed and time, as whether arrivals pile up, fail a run without harm: recording slows it down, and none of its times is called
performance."""


def that_count(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows of runs that count, by the gates above."""
    reasons = _reasons(frame)
    return frame[pd.Series([not some for some in reasons], index=frame.index, dtype=bool)]


def _reasons(frame: pd.DataFrame) -> list[frozenset[str]]:
    """The failed gates for which a row's run does not count."""
    return [_COUNTS.intersection(str(gates).split(",")) for gates in frame["failed_gates"]]


def index_of(runs: pd.DataFrame) -> Interval | None:
    """The index of rows of the table `interference` that are alike but for their run.

    Of one run the interval is that of its blocks of iterations, of several that over the runs.
    """
    if len(runs) > 1:
        return level_interval(runs["index"].to_numpy(float))
    one = runs.iloc[0]
    method = "jackknife over blocks of iterations of one run"
    return Interval(float(one["index"]), float(one["low"]), float(one["high"]), int(one["blocks"]), method)


def arrivals(frame: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """The rows of each rate and kind of arrivals, under its label, from gentle to bursty."""
    found = []
    kinds = rows_by(frame, ["rate", "arrivals", "burstiness"])
    for (rate, kind, burstiness), rows in sorted(kinds, key=lambda one: (one[0][0], one[1]["cv"].mean())):
        what = f"b={style.number(burstiness)}" if pd.notna(burstiness) else str(kind).removeprefix("trace:")
        found.append((f"{style.number(rate)} req/s\n{what}", rows))
    return found


def note(frame: pd.DataFrame) -> str:
    """How many runs are behind the figure, and which are left out."""
    runs = frame["cell"].nunique()
    if not runs:
        return "No profiled run."
    left_out = frame.loc[[bool(some) for some in _reasons(frame)], "cell"].nunique()
    names = sorted(set().union(*_reasons(frame)))
    because = f", of which {left_out} left out: {', '.join(names)}" if names else ""
    slowed = " Recording slowed the measured ones down." if (frame["evidence"] == MEASURED).any() else ""
    return f"{count(runs, 'profiled run')}{because}.{slowed}"
