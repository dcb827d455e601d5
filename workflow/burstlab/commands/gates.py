"""`burstlab gates`: judge cells anew from the evidence in their folders."""

import argparse
import shlex
from pathlib import Path

from burstlab.commands.options import RESULTS, add_results
from burstlab.wording import count

HELP = "judge cells anew from their evidence, and say which fail a gate or lack evidence"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `burstlab gates`."""
    add_results(parser)
    parser.add_argument(
        "--write", action="store_true", help="put the verdicts into the records where they are others"
    )


def run(asked: argparse.Namespace) -> tuple[str, int]:
    """A line for each failed gate, and counts; the status is 1 when recorded verdicts are others and stay so."""
    from burstlab.validity.rejudge import rejudge

    found = rejudge(asked.results / "cells", write=asked.write)
    lines = [f"failed: {cell}: {gate.name}: {gate.message}" for cell, gate in found.failed]
    lines += [
        f"not judged, in {count(cells, 'cell')}: {name}" for name, cells in sorted(found.not_judged.items())
    ]
    done = (
        "rewritten"
        if asked.write
        else f"recorded otherwise: `{_writing(asked.results)}` would put that right"
    )
    lines += [f"{done}: {cell}" for cell in found.otherwise]
    excluded = len({cell for cell, _ in found.failed})
    lines.append(f"{count(found.cells, 'cell')} judged, {excluded} excluded")
    return "\n".join(lines), 1 if found.otherwise and not asked.write else 0


def _writing(results: Path) -> str:
    where = "" if results == RESULTS else f" --results {shlex.quote(str(results))}"
    return f"burstlab gates{where} --write"
