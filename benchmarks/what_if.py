"""What if constants of the roofline were others: said beside what comes of it, and used nowhere else."""

from argparse import ArgumentParser
from collections.abc import Iterable
from dataclasses import replace

from burstlab.simulator.costs.roofline.constants import CONSTANTS


def add_what_if(parser: ArgumentParser) -> None:
    """The option `--what-if`, which may be given several times."""
    parser.add_argument("--what-if", metavar="CONSTANT=VALUE", action="append", default=[])


def what_if(asked: Iterable[str]) -> None:
    """Set constants for this process, each as CONSTANT=VALUE."""
    for one in asked:
        name, value = one.split("=")
        CONSTANTS[name] = replace(CONSTANTS[name], value=float(value))
        print(f"What if {name} were {value} in place of what {CONSTANTS[name].source!r} says?")
