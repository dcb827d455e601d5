"""`burstlab compare`: are the figures drawn here those that the study's collections came with?"""

import argparse
from pathlib import Path

from burstlab.commands.options import add_config, add_results
from burstlab.study.load import read_study

HELP = "compare the figures in results/ with those that the study's collections came with, byte for byte"
SHIPPED = Path("config/shipped.yaml")
SHOWN = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `burstlab compare`."""
    add_config(parser, default=SHIPPED)
    add_results(parser)


def run(asked: argparse.Namespace) -> tuple[str, int]:
    """A line if all are the same, else a line a difference and status 1."""
    from burstlab.collections.compare import compare
    from burstlab.collections.members import folders_of

    folders = folders_of(read_study(asked.config))
    found = [compare(Path(folder), asked.results) for folder in folders]
    files = sum(one.files for one in found)
    differences = [difference for one in found for difference in one.differences]
    if not differences:
        return (
            f"all {files} files of figures (SVG and CSV) are byte for byte those of {' and '.join(folders)}",
            0,
        )
    lines = [f"{len(differences)} of {files} files of figures are not those of {' and '.join(folders)}:"]
    lines += [f"  {difference}" for difference in differences[:SHOWN]]
    if len(differences) > SHOWN:
        lines.append(f"  and {len(differences) - SHOWN} more")
    return "\n".join(lines), 1
