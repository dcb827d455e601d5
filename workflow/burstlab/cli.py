"""The command `burstlab`: questions about a study. Running one is Snakemake's business."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence

from burstlab import __version__
from burstlab.errors import BurstlabError

COMMANDS = (
    "cells",
    "check",
    "seeds",
    "advise",
    "doctor",
    "slurm",
    "archive",
    "import_",
    "collect",
    "compare",
    "verify",
    "gates",
    "kernels",
)
"""Modules of `burstlab.commands`, in the order in which `--help` lists them."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0 if all is well, 1 after an error of the user's, which is printed, or errors that were found."""
    asked = command_line().parse_args(arguments)
    try:
        answer = asked.run(asked)
        status: int
        text, status = answer if isinstance(answer, tuple) else (answer, 0)
        print(text)
    except BurstlabError as error:
        print(error, file=sys.stderr)
        return 1
    except BrokenPipeError:  # `burstlab cells | head`
        sys.stderr.close()
        return 0
    return status


def command_line() -> argparse.ArgumentParser:
    """All subcommands with their options."""
    parser = argparse.ArgumentParser(prog="burstlab", description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--version", action="version", version=f"burstlab {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    for name in COMMANDS:
        module = importlib.import_module(f"burstlab.commands.{name}")
        command = commands.add_parser(name.rstrip("_"), help=module.HELP, description=module.HELP)
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return parser


if __name__ == "__main__":
    sys.exit(main())
