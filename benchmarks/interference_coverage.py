"""How often the interval of the interference index holds the truth.

    PYTHONPATH=workflow python benchmarks/interference_coverage.py

Made-up runs: a decode token costs 3 times as much in mixed iterations, times lognormal noise that is correlated from one
iteration to the next; mixed iterations come several in a row, as in bursts.
"""

from __future__ import annotations

import argparse

import numpy as np
import pyarrow as pa

from burstlab.profiles.breakdown import Breakdown
from burstlab.profiles.families import parts
from burstlab.profiles.interference import interference
from burstlab.profiles.schema import ITERATIONS

TRUTH = 3.0
# Iterations, correlation of neighbours, iterations of a kind in a row, share of mixed ones.
CASES = (
    (300, 0.8, 5, 0.4),
    (800, 0.8, 5, 0.4),
    (800, 0.95, 5, 0.4),
    (800, 0.8, 20, 0.4),
    (800, 0.8, 5, 0.1),
    (3000, 0.8, 5, 0.4),
    (3000, 0.95, 20, 0.2),
)


def made_up(
    count: int, correlation: float, in_a_row: int, share: float, generator: np.random.Generator
) -> Breakdown:
    """The iterations of one run."""
    shocks = generator.normal(0, 0.15, count)
    noise = np.zeros(count)
    for place in range(1, count):
        noise[place] = correlation * noise[place - 1] + shocks[place]
    mixed = np.repeat(generator.random(-(-count // in_a_row)) < share, in_a_row)[:count]
    tokens = generator.integers(1, 30, count)
    time_us = np.zeros((count, len(parts())))
    time_us[:, parts().index("attention")] = tokens * np.where(mixed, TRUTH, 1.0) * np.exp(noise)
    columns = {
        "duration_us": time_us.sum(axis=1),
        "generation_tokens": tokens,
        "kind": np.where(mixed, "mixed", "decode-only").tolist(),
    }
    rows = pa.table({name: columns.get(name, np.zeros(count, np.int64)) for name in ITERATIONS.names})
    return Breakdown(parts(), time_us, rows.cast(ITERATIONS))


def main() -> None:
    """A line a case."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=800)
    options = parser.parse_args()
    generator = np.random.default_rng(1)
    print("iterations, correlation, in a row, share mixed: coverage of the 95% interval (simulated)")
    for case in CASES:
        found = []
        for _ in range(options.runs):
            indices = interference(made_up(*case, generator))
            interval = next(index.interval for index in indices if index.part == "attention")
            if interval is not None:
                found.append(interval.low <= TRUTH <= interval.high)
        print(*case, f"{np.mean(found):.1%} of {len(found)}", flush=True)


if __name__ == "__main__":
    main()
