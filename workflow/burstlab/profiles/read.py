"""Reading a trace, whatever wrote it."""

from __future__ import annotations

from pathlib import Path

from burstlab.errors import BurstlabError
from burstlab.profiles.nsys.arrow_source import START, ArrowSource
from burstlab.profiles.nsys.folder_source import SUFFIXES, FolderSource
from burstlab.profiles.nsys.reader import read_nsys
from burstlab.profiles.nsys.sqlite_source import SqliteSource
from burstlab.profiles.profile import Profile
from burstlab.profiles.torch_trace.reader import read_torch

_SQLITE = b"SQLite format 3\0"
_PARQUET = b"PAR1"
_QDSTRM = (".nsys-rep", ".qdrep", ".qdstrm")
_TORCH = (b"{", b"[", b"\x1f\x8b")


def read_profile(path: Path, need_launches: bool = True) -> Profile:
    """The profile in a trace: an nsys export (SQLite, Arrow, or a folder of Parquet or Arrow files) or a Chrome trace of torch.

    What it is, is told by its first bytes. With `need_launches` false a trace with iterations alone will do. Raises
    BurstlabError, which names the file, where it is none of these or lacks what it takes.
    """
    if path.is_dir():
        if not any(file.suffix in SUFFIXES for file in path.iterdir()):
            raise BurstlabError(
                f"{path}: no files *.parquet or *.arrow in it, as `nsys export --type parquetdir` writes"
            )
        return read_nsys(FolderSource(path), need_launches)
    if path.suffix in _QDSTRM:
        raise BurstlabError(
            f"{path}: a report of nsys itself; make a database of it: nsys export --type sqlite {path.name}"
        )
    try:
        with path.open("rb") as file:
            head = file.read(64)
    except OSError as error:
        raise BurstlabError(f"{path}: cannot be read: {error.strerror}") from error
    if head.startswith(_SQLITE):
        return read_nsys(SqliteSource(path), need_launches)
    if head.startswith(START):
        return read_nsys(ArrowSource(path), need_launches)
    if head.lstrip().startswith(_TORCH):
        return read_torch(path, need_launches)
    if head.startswith(_PARQUET):
        raise BurstlabError(
            f"{path}: is a Parquet table, such as `burstlab kernels TRACE --write FILE` makes or a profiled run has, and no "
            "trace; what the tables of a study's runs say is in results/tables/interference.csv and breakdown.csv"
        )
    what = "is empty" if not head else "is neither"
    raise BurstlabError(
        f"{path}: an SQLite or Arrow export of nsys or a Chrome trace of torch was expected; it {what}"
    )
