"""Arrivals as a named condition, for figures that put them side by side rather than along an axis."""

import pandas as pd

from burstlab.figures.style import number


def with_condition(cells: pd.DataFrame) -> pd.DataFrame:
    """The cells with the column `condition`: "b=0.1", or the name of a replayed trace."""
    return cells.assign(
        condition=[
            f"b={number(burstiness)}" if arrivals == "gamma" else str(arrivals).removeprefix("trace:")
            for arrivals, burstiness in zip(cells["arrivals"], cells["burstiness"], strict=True)
        ]
    )


def ordered_conditions(frame: pd.DataFrame) -> list[str]:
    """The conditions from steady to bursty: by mean CV, then by name."""
    cv = frame.groupby("condition")["cv"].mean().reset_index()
    return [str(name) for name in cv.sort_values(["cv", "condition"])["condition"]]


def label(condition: str, cv: float) -> str:
    """The condition with its CV: "b=0.1 (CV 3.16)"."""
    return f"{condition} (CV {cv:.3g})" if pd.notna(cv) else condition
