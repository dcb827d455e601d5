"""What figures of profiled runs share: their identity, and words for the arrivals."""

from __future__ import annotations

import pandas as pd

from burstlab.figures import style
from burstlab.figures.grouping import rows_by
from burstlab.wording import count

RUN = ["cell", "rate", "arrivals", "burstiness", "cv", "seed", "evidence"]
"""What every row says of its run."""


def arrivals(frame: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """The rows of each rate and kind of arrivals, under its label, from gentle to bursty."""
    found = []
    for (rate, _, kind, burstiness), rows in rows_by(frame, ["rate", "cv", "arrivals", "burstiness"]):
        what = f"b={style.number(burstiness)}" if pd.notna(burstiness) else str(kind).removeprefix("trace:")
        found.append((f"{style.number(rate)} req/s\n{what}", rows))
    return found


def note(frame: pd.DataFrame) -> str:
    """How many runs are behind the figure."""
    runs = frame["cell"].nunique()
    return f"{count(runs, 'profiled run')}." if runs else "No profiled run."
