"""`burstlab gates`: judge cells anew from the evidence in their folders."""

import argparse
import shlex
import sys
from pathlib import Path

from burstlab.collections.places import MANIFEST
from burstlab.commands.options import RESULTS, add_results
from burstlab.errors import BurstlabError
from burstlab.wording import count

HELP = "judge cells anew from their evidence, and say which fail a gate or lack evidence"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `burstlab gates`."""
    add_results(parser)
    either = parser.add_mutually_exclusive_group()
    either.add_argument(
        "--write", action="store_true", help="put the verdicts into the records where they are others"
    )
    either.add_argument(
        "--folders",
        action="store_true",
        help="print the folders of excluded cells alone, one a line: those to delete so that a run measures the cells again",
    )


def run(asked: argparse.Namespace) -> tuple[str, int]:
    """A line a failed gate, and counts; the status is 1 when a cell is damaged, or recorded verdicts are others and stay so."""
    from burstlab.validity.rejudge import rejudge

    if asked.folders and (asked.results / MANIFEST).exists():
        raise BurstlabError(
            f"--folders: {asked.results} is a collection, whose cells are never measured here"
        )
    found = rejudge(asked.results / "cells", write=asked.write)
    damaged = [f"damaged: {reason}" for reason in found.damaged]
    if asked.folders:
        # Not among the folders: a run finds by itself what is damaged.
        print(*damaged, sep="\n", end="\n" if damaged else "", file=sys.stderr)
        return "\n".join(map(str, found.excluded)), 1 if damaged else 0
    lines = damaged + [f"failed: {cell}: {gate.name}: {gate.message}" for cell, gate in found.failed]
    lines += [
        f"not judged, in {count(cells, 'cell')}: {name}" for name, cells in sorted(found.not_judged.items())
    ]
    done = (
        "rewritten"
        if asked.write
        else f"recorded otherwise: `{_writing(asked.results)}` would put that right"
    )
    lines += [f"{done}: {cell}" for cell in found.otherwise]
    unread = f", {len(damaged)} damaged" if damaged else ""
    lines.append(f"{count(found.cells, 'cell')} judged, {len(found.excluded)} excluded{unread}")
    return "\n".join(lines), 1 if damaged or (found.otherwise and not asked.write) else 0


def _writing(results: Path) -> str:
    where = "" if results == RESULTS else f" --results {shlex.quote(str(results))}"
    return f"burstlab gates{where} --write"
