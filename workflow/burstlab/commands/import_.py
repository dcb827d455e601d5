"""`burstlab import`: make results that were measured elsewhere a part of the figures."""

import argparse
from pathlib import Path

from burstlab.imports.collect import collect, refusals
from burstlab.imports.names import Named
from burstlab.wording import count

HELP = "make an archive, or files that `vllm bench serve` saved elsewhere, a part of the figures"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `burstlab import`."""
    parser.add_argument(
        "source",
        type=Path,
        metavar="SOURCE",
        help="an archive made by `burstlab archive`, a .json file saved with --save-detailed, or a folder of such",
    )
    parser.add_argument("--name", help="of the collection; default: that of SOURCE")
    parser.add_argument("--title", help="what the report calls it; default: its name")
    names = parser.add_argument_group("what the files do not say of themselves")
    for part in ("platform", "model", "engine", "workload"):
        names.add_argument(f"--{part}", metavar="NAME")
    names.add_argument(
        "--seed", type=int, metavar="N", help="default: from the file's name or its start times"
    )


def run(asked: argparse.Namespace) -> tuple[str, int]:
    """What was imported and what was refused; the status is 1 if anything was."""
    named = Named(
        platform=asked.platform,
        model=asked.model,
        engine=asked.engine,
        workload=asked.workload,
        seed=asked.seed,
    )
    made = collect(asked.source, Path(), asked.name, named, asked.title)
    lines = [f"{made.folder}: {count(len(made.outcome.cells), 'cell')} imported"]
    lines += refusals(made.outcome)
    lines += made.outcome.notes
    return "\n".join(lines), 1 if made.outcome.refused else 0
