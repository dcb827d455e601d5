"""How often the 95% intervals hold the truth, and how often a verdict calls a change where there is none.

    PYTHONPATH=workflow python benchmarks/coverage [--only false-calls ...]

On made-up runs with a known truth (`made_up.py`): all numbers printed are simulated.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from false_calls import false_calls
from few_pairs import FEW, few_pairs
from intervals import SEEDS, bootstraps, levels, one_run, paired
from power_formula import power_told

PARTS = ("intervals", "bootstraps", "false-calls", "few-pairs")


def main() -> None:
    """Print the tables of docs/validity.md."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--studies", type=int, default=2000, help="made-up studies behind each figure")
    parser.add_argument(
        "--bootstrap-studies", type=int, default=600, help="the same where a study bootstraps"
    )
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="which tables")
    asked = parser.parse_args()
    if "intervals" in asked.only:
        print("coverage, by seeds", *SEEDS)
        _rows([*paired(asked.studies), *levels(asked.studies)])
    if "bootstraps" in asked.only:
        print("coverage of bootstraps, by seeds", *SEEDS)
        _rows(bootstraps(asked.bootstrap_studies))
        for step in (0.5, 0.9, 0.97):
            name = f"one run of 1000 requests correlated by {step:g}: p90, by blocks"
            _rows([(name, [one_run(asked.bootstrap_studies, step)])])
    if "false-calls" in asked.only:
        print("studies without a change that call one, and studies with one that tell it, by seeds", *SEEDS)
        _rows([*false_calls(asked.studies, SEEDS), *power_told(asked.studies, SEEDS)])
    if "few-pairs" in asked.only:
        print("few pairs, by pairs", *FEW)
        _rows(few_pairs(asked.studies))


def _rows(rows: Iterable[tuple[str, list[float]]]) -> None:
    for name, shares in rows:
        print(f"{name:<72}", *(f"{share:6.1%}" for share in shares), flush=True)


if __name__ == "__main__":
    main()
