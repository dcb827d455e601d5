"""`burstlab kernels`: what the time of a profiled engine went to."""

import argparse
from pathlib import Path

from burstlab.errors import BurstlabError

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

    for option, path in (("--write", asked.write), ("--perfetto", asked.perfetto)):
        if path:
            _refuse_to_replace_the_trace(option, path, asked.trace)
    if asked.write and asked.perfetto and asked.write.resolve() == asked.perfetto.resolve():
        raise BurstlabError(f"--write and --perfetto {asked.perfetto}: the same file; name two")
    profile = read_profile(asked.trace)
    try:
        if asked.write:
            write_launches(asked.write, profile.launches)
        if asked.perfetto:
            write_perfetto(asked.perfetto, profile)
    except OSError as error:
        named = error.filename2 or error.filename or asked.write or asked.perfetto
        raise BurstlabError(f"{named}: cannot be written: {error.strerror or error}") from error
    return "\n".join(tell(profile, asked.per))


def _refuse_to_replace_the_trace(option: str, path: Path, trace: Path) -> None:
    """A trace may have taken a GPU's hour, and a folder of tables is a trace too."""
    if path.is_dir():
        raise BurstlabError(f"{option} {path}: a folder; name a file")
    if trace.resolve() in (path.resolve(), *path.resolve().parents):
        raise BurstlabError(f"{option} {path}: would be written over the trace; name another file")
