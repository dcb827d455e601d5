"""`burstlab cells`: list the cells that a configuration asks for."""

import argparse

from burstlab.commands.options import add_config, shown
from burstlab.errors import BurstlabError
from burstlab.study.expand import cells
from burstlab.study.load import read_study
from burstlab.study.profiled import profiled

HELP = "list the cells that a configuration asks for, or its profiled runs"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `burstlab cells`."""
    add_config(parser)
    parser.add_argument(
        "--profiles", action="store_true", help="list the profiled runs, which have identities like cells"
    )


def run(asked: argparse.Namespace) -> str:
    """A line a cell, or a profiled run."""
    study = read_study(asked.config)
    listed = profiled(study) if asked.profiles else study
    if listed is None:
        raise BurstlabError(f"{shown(asked.config)}: has no `profiles`, so there are no profiled runs")
    return "\n".join(cell.id for cell in cells(listed))
