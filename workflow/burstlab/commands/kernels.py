"""`burstlab kernels`: what the time of a profiled engine went to."""

import argparse
from pathlib import Path

HELP = "say what the time of a profiled engine went to, from a trace of nsys or of torch's profiler"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `burstlab kernels`."""
    parser.add_argument(
        "trace", type=Path, help="an SQLite or Parquet export of nsys, or a worker's Chrome trace of torch"
    )
    parser.add_argument(
        "--per", choices=("token", "iteration"), default="token", help="what the index is the cost of"
    )
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the launches as Parquet too")
    parser.add_argument(
        "--perfetto",
        type=Path,
        metavar="FILE",
        help="write iterations and launches as a trace that Perfetto opens too; gzipped if FILE ends in .gz",
    )


def run(asked: argparse.Namespace) -> str:
    """What was launched and joined, the parts of an iteration, and the interference index of each process."""
    from burstlab.profiles.perfetto import write_perfetto
    from burstlab.profiles.read import read_profile
    from burstlab.profiles.store import write_launches
    from burstlab.profiles.telling import tell

    profile = read_profile(asked.trace)
    if asked.write:
        write_launches(asked.write, profile.launches)
    if asked.perfetto:
        write_perfetto(asked.perfetto, profile)
    return "\n".join(tell(profile, asked.per))
