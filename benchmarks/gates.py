"""How often the gates of drift and of a steady state fail a good cell, and how often they catch a bad one.

    python benchmarks/gates.py [--cells 400] [--requests 75]

Cells are of the toy engine (toy_engine.py), so what is true of each is known: simulated, not measured. For each burstiness
it prints the share of cells that a gate fails (and, of all cells, the share without a verdict), with a 95% interval
(Wilson).
"""

import argparse
import math

from scipy.stats import binomtest
from toy_engine import Toy, run

from burstlab.validity.gates import no_drift, steady

BURSTINESS = (1.0, 0.5, 0.1)
STEADY_LOADS = (0.5, 0.7, 0.9)
OVERLOADS = (1.25, 1.5, 2.0)
DRIFTS = (0.1, 0.2, 0.4)


def capacity_per_s(toy: Toy, requests: int) -> float:
    """Requests per second when all come at once."""
    evidence = run(toy, requests, math.inf, 1.0, 0)
    return requests / (max(evidence.requests["e2el_ms"].to_pylist()) / 1000)


def share(gate: str, toy: Toy, requests: int, rate_per_s: float, burstiness: float, cells: int) -> str:
    """Of so many cells, the share that the gate fails."""
    judge = {"steady": steady.judge, "no-drift": no_drift.judge}[gate]
    states = [judge(run(toy, requests, rate_per_s, burstiness, seed)).state for seed in range(cells)]
    judged = [state for state in states if state != "not judged"]
    if not judged:
        return "no verdict"
    failed = judged.count("failed")
    interval = binomtest(failed, len(judged)).proportion_ci(method="wilson")
    return (
        f"{failed / len(judged):6.1%} ({interval.low:.1%} to {interval.high:.1%}), "
        f"no verdict {1 - len(judged) / cells:.0%}"
    )


def main() -> None:
    """Print the rates."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cells", type=int, default=400)
    parser.add_argument("--requests", type=int, default=75)
    arguments = parser.parse_args()
    toy, requests, cells = Toy(), arguments.requests, arguments.cells
    capacity = capacity_per_s(toy, 200)
    print(f"simulated: {cells} cells of {requests} requests each; capacity {capacity:.1f} requests/s")
    for load in (*STEADY_LOADS, *OVERLOADS):
        for b in BURSTINESS:
            print(
                f"steady    load {load:4.2f} b {b:3.1f}: {share('steady', toy, requests, load * capacity, b, cells)}"
            )
    for drift in (0.0, *DRIFTS):
        for b in BURSTINESS:
            drifting = Toy(drift=drift)
            found = share("no-drift", drifting, requests, 0.6 * capacity, b, cells)
            print(f"no-drift  drift {drift:4.2f} b {b:3.1f}: {found}")


if __name__ == "__main__":
    main()
