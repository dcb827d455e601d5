"""`burstlab gates`: judge cells anew from the evidence in their folders."""

import argparse
from pathlib import Path

HELP = "judge cells anew from their evidence, and say which fail a gate or lack evidence"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `burstlab gates`."""
    parser.add_argument("folder", type=Path, nargs="?", default=Path("results/cells"), metavar="FOLDER")
    parser.add_argument(
        "--write", action="store_true", help="put the verdicts into the records where they are others"
    )


def run(asked: argparse.Namespace) -> tuple[str, int]:
    """A line for each failed gate, and counts; the status is 1 when recorded verdicts are others and stay so."""
    from burstlab.validity.rejudge import rejudge

    found = rejudge(asked.folder, write=asked.write)
    lines = [f"failed: {cell}: {gate.name}: {gate.message}" for cell, gate in found.failed]
    lines += [f"not judged, in {cells} cells: {name}" for name, cells in sorted(found.not_judged.items())]
    done = "rewritten" if asked.write else "recorded otherwise: burstlab gates --write would put that right"
    lines += [f"{done}: {cell}" for cell in found.otherwise]
    excluded = len({cell for cell, _ in found.failed})
    lines.append(f"{found.cells} cells judged, {excluded} excluded")
    return "\n".join(lines), 1 if found.otherwise and not asked.write else 0
