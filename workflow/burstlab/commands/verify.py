"""`burstlab verify`: make every table anew from raw files and say what differs."""

import argparse

from burstlab.commands.options import add_results
from burstlab.wording import count

HELP = "make the tables of all cells, own and of collections, anew from raw files, and say what differs"
SHOWN = 50


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `burstlab verify`."""
    add_results(parser)


def run(asked: argparse.Namespace) -> tuple[str, int]:
    """What was looked at and what differs; the status is 1 if anything does."""
    from burstlab.verify.everything import verify

    found = verify(asked.results)
    tables = f", tables in {' and '.join(found.tables)}" if found.tables else ", no tables"
    runs = f" and {count(found.runs, 'profiled run')}" if found.runs else ""
    lines = [f"{count(found.cells, 'cell')}{runs} made anew from their raw files{tables}"]
    lines += [
        f"  not made anew, in {count(number, unit)}: {what}"
        for unit, some in (("cell", found.not_raw), ("profiled run", found.runs_not_raw))
        for what, number in sorted(some.items())
    ]
    lines += [f"  differs: {difference}" for difference in found.differences[:SHOWN]]
    if len(found.differences) > SHOWN:
        lines.append(f"  and {len(found.differences) - SHOWN} more")
    differences = len(found.differences)
    lines.append(count(differences, "difference") if differences else "nothing differs")
    return "\n".join(lines), 1 if differences else 0
