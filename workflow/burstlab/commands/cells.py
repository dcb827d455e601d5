"""`burstlab cells`: list the cells that a configuration asks for."""

import argparse

from burstlab.commands.options import add_config
from burstlab.study.expand import cells
from burstlab.study.load import read_study

HELP = "list the cells that a configuration asks for"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `burstlab cells`."""
    add_config(parser)


def run(asked: argparse.Namespace) -> str:
    """A line a cell."""
    return "\n".join(cell.id for cell in cells(read_study(asked.config)))
