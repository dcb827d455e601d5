"""`burstlab import`: make results that were measured elsewhere a part of the figures."""

import argparse
from pathlib import Path

from burstlab.commands.options import CONFIG, add_config
from burstlab.commands.renaming import renaming
from burstlab.errors import BurstlabError
from burstlab.imports.collect import collect, refusals
from burstlab.imports.names import Named
from burstlab.study.load import read_study
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
    names.add_argument(
        "--platform",
        action="append",
        metavar="NAME",
        help="of an archive OLD=NEW, what one of its platforms is to be called here; may be repeated then",
    )
    for part in ("model", "engine", "workload"):
        names.add_argument(f"--{part}", metavar="NAME")
    names.add_argument(
        "--seed", type=int, metavar="N", help="default: from the file's name or its start times"
    )
    add_config(parser)


def run(asked: argparse.Namespace) -> tuple[str, int]:
    """What was imported and what was refused; the status is 1 if anything was."""
    platform, platforms = _platforms(asked.platform or [])
    named = Named(
        platform=platform,
        model=asked.model,
        engine=asked.engine,
        workload=asked.workload,
        seed=asked.seed,
    )
    # Results may be brought together where no study is.
    study = None if asked.config == CONFIG and not CONFIG.exists() else read_study(asked.config)
    made = collect(asked.source, Path(), asked.name, named, asked.title, platforms=platforms, study=study)
    runs = f" and {count(len(made.outcome.runs), 'profiled run')}" if made.outcome.runs else ""
    lines = [f"{made.folder}: {count(len(made.outcome.cells), 'cell')}{runs} imported"]
    lines += refusals(made.outcome)
    lines += made.outcome.notes
    return "\n".join(lines), 1 if made.outcome.refused else 0


def _platforms(given: list[str]) -> tuple[str | None, dict[str, str]]:
    """A name for all, of files that do not say it; or new names of an archive's platforms."""
    platforms = dict(renaming(text) for text in given if "=" in text)
    names = [text for text in given if "=" not in text]
    if len(names) > 1 or (names and platforms):
        raise BurstlabError(f"--platform {names[-1]}: may be given once, or OLD=NEW once a platform")
    return (names[0] if names else None), platforms
