"""The command `burstlab`: small questions about a study. Running one is Snakemake's business."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from burstlab import __version__
from burstlab.errors import BurstlabError
from burstlab.study.expand import cells, sessions
from burstlab.study.load import read_study


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0 if all is well, 1 after an error of the user's, which is printed."""
    asked = _parser().parse_args(arguments)
    try:
        print(_COMMANDS[asked.command](asked.config))
    except BurstlabError as error:
        print(error, file=sys.stderr)
        return 1
    except BrokenPipeError:  # `burstlab cells | head`
        sys.stderr.close()
    return 0


def _cells(config: Path) -> str:
    return "\n".join(cell.id for cell in cells(read_study(config)))


def _check(config: Path) -> str:
    study = read_study(config)
    found = cells(study)
    return f"{config}: study {study.name} has {len(found)} cells in {len(sessions(found, study))} sessions"


_COMMANDS = {"cells": _cells, "check": _check}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="burstlab", description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--version", action="version", version=f"burstlab {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    listing = commands.add_parser("cells", help="list the cells that a configuration asks for")
    listing.add_argument("--config", type=Path, default=Path("config.yaml"), metavar="FILE")
    check = commands.add_parser("check", help="say what is wrong with a configuration")
    check.add_argument("config", type=Path, metavar="CONFIG")
    return parser


if __name__ == "__main__":
    sys.exit(main())
