"""`burstlab collect`: make a collection of a study's finished cells, to ship or to hand on."""

import argparse

from burstlab.commands.options import add_config
from burstlab.commands.renaming import a_name, renaming
from burstlab.study.load import read_study
from burstlab.wording import count

HELP = "make a collection of the study's finished cells, named after the machine they were measured on"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `burstlab collect`."""
    parser.add_argument("name", metavar="NAME", help="of the new folder in collections/")
    parser.add_argument(
        "--platform",
        action="append",
        default=[],
        metavar="OLD=NEW",
        help="what a platform of the study is called in the collection, such as cpu=xeon-2-cores; once a platform",
    )
    add_config(parser)
    parser.add_argument(
        "--simulated",
        action="store_true",
        help="with the simulated cells, which are left out otherwise: anyone can make them anew in seconds",
    )
    parser.add_argument("--title", help="what reports call it")
    parser.add_argument("--origin", help="where its cells come from, for the readers of reports")


def run(asked: argparse.Namespace) -> str:
    """One line that says what was made."""
    from burstlab.collections.collect import collect

    platforms = dict(renaming(text) for text in asked.platform)
    manifest = collect(
        read_study(asked.config),
        a_name(asked.name, "NAME"),
        platforms,
        asked.title,
        asked.origin,
        simulated=asked.simulated,
    )
    size_mib = sum(entry.bytes for entry in manifest.files.values()) / 2**20
    runs = manifest.profiled_records
    profiled = f" and {count(len(runs), 'profiled run')}" if runs else ""
    return (
        f"collections/{manifest.name}: {count(len(manifest.records), 'cell')}{profiled}, {count(len(manifest.files), 'file')}, "
        f"{size_mib:.1f} MiB"
    )
