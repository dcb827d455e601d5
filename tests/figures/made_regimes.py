"""A made-up sweep for the regime map."""

from pathlib import Path

import pandas as pd


def regimes(folder: Path, change: float = -0.3) -> None:
    """Two knobs and two loads in each family."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [
        {
            "family": family,
            "knob": knob,
            "load": load,
            "ratio": 1.5 * knob,
            "seeds": 5,
            "steady_burstiness": 1.0,
            "bursty_burstiness": 0.1,
            "evidence": "simulated",
            **{
                f"{metric}_change{part}": change + width
                for metric in ("tpot", "e2el")
                for part, width in (("", 0.0), ("_low", -0.1), ("_high", 0.1))
            },
        }
        for family in ("decodes", "prompts")
        for knob in (1.0, 4.0)
        for load in (0.2, 0.8)
    ]
    pd.DataFrame(rows).to_parquet(folder / "regimes.parquet")
