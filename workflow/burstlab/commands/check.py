"""`burstlab check`: say what is wrong with a configuration, or what it asks for."""

import argparse
from pathlib import Path

from burstlab.study.expand import cells, sessions
from burstlab.study.load import read_study

HELP = "say what is wrong with a configuration"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `burstlab check`."""
    parser.add_argument("config", type=Path, metavar="CONFIG")


def run(asked: argparse.Namespace) -> str:
    """One line that sums the study up."""
    study = read_study(asked.config)
    found = cells(study)
    return (
        f"{asked.config}: study {study.name} has {len(found)} cells in {len(sessions(found, study))} sessions"
    )
