"""The two options by which every command is told of what study it is asked."""

import argparse
from collections.abc import Sequence
from pathlib import Path

CONFIG = Path("config.yaml")
RESULTS = Path("results")


def add_config(parser: argparse.ArgumentParser, default: Path = CONFIG) -> None:
    """`--config FILE`, for commands that read a study's configuration; its results are where Snakemake puts them.

    As with Snakemake's `--configfile`, each further file is laid over those before it.
    """
    parser.add_argument(
        "--config",
        type=Path,
        default=default,
        nargs="+",
        metavar="FILE",
        help=f"of the study; default: {default}",
    )


def shown(config: Path | Sequence[Path]) -> str:
    """The files of `--config`, as they were typed."""
    return " ".join(map(str, [config] if isinstance(config, Path) else config))


def add_results(parser: argparse.ArgumentParser) -> None:
    """`--results FOLDER`, for commands that read finished cells, tables or figures, and no configuration of them."""
    parser.add_argument(
        "--results",
        type=Path,
        default=RESULTS,
        metavar="FOLDER",
        help=f"that holds cells/, tables/ and figures/; a collection is one too; default: {RESULTS}",
    )
