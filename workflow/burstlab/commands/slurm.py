"""`burstlab slurm`: print what Snakemake must be told about this cluster."""

import argparse

from burstlab.slurm.arguments import arguments

HELP = "print the arguments that snakemake needs on this SLURM cluster, beside its profile"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """There are none."""


def run(asked: argparse.Namespace) -> str:  # noqa: ARG001 - all commands take what was asked
    """One line."""
    return " ".join(arguments())
