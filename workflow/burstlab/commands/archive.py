"""`burstlab archive`: pack a study, or cells of it, into one file."""

import argparse
import re
from pathlib import Path

from burstlab.archive.metadata import Agent
from burstlab.archive.pack import pack
from burstlab.archive.targets import archive_file
from burstlab.archive.told import told
from burstlab.commands.options import add_config
from burstlab.errors import BurstlabError
from burstlab.study.load import read_study_and_places

HELP = "pack the study in this folder, or cells of it, as a Workflow Run RO-Crate"
_ORCID = re.compile(r"https://orcid\.org/(\d{4}-){3}\d{3}[\dX]")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `burstlab archive`."""
    add_config(parser)
    parser.add_argument(
        "--cells",
        metavar="PATTERN",
        help="only cells with this identity, in which * stands for anything, or below this folder",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="default: in results/archives/, as the workflow names it",
    )
    parser.add_argument("--agent", metavar="NAME", help="who ran the study, to stand in the archive")
    parser.add_argument("--orcid", metavar="URL", help="the agent's ORCID")


def run(asked: argparse.Namespace) -> str:
    """What was packed, and what was not."""
    _, places = read_study_and_places(asked.config)
    if asked.orcid and not (asked.agent and _ORCID.fullmatch(asked.orcid)):
        raise BurstlabError(
            f"--orcid {asked.orcid}: is https://orcid.org/0000-0000-0000-0000, and goes with --agent NAME"
        )
    agent = Agent(asked.agent, asked.orcid) if asked.agent else None
    output = asked.output or archive_file(asked.cells)
    return "\n".join(told(pack(places.config, output, cells=asked.cells, agent=agent)))
