"""Traces that cannot be read: each is answered with the file's name and what is wrong with it."""

import gzip
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.profiles.nsys_made import PROCESS, Export, two_iterations
from tests.profiles.torch_made import Trace, two_iterations_on_a_cpu, two_iterations_on_a_gpu

from burstlab.errors import BurstlabError
from burstlab.profiles.read import read_profile

Make = Callable[[Path], Path]


def export(change: Callable[[Export], object]) -> Make:
    def make(folder: Path) -> Path:
        made = two_iterations()
        change(made)
        return made.sqlite(folder / "report.sqlite")

    return make


def database(change: Callable[[bytes], bytes]) -> Make:
    def make(folder: Path) -> Path:
        path = many_kernels().sqlite(folder / "report.sqlite")
        path.write_bytes(change(path.read_bytes()))
        return path

    return make


def many_kernels() -> Export:
    made = two_iterations()
    for number in range(2000):
        made.kernel(100_000 + number, 100_001 + number, number)
    return made


def written(name: str, content: bytes | str) -> Make:
    def make(folder: Path) -> Path:
        path = folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return make


def tables(change: Callable[[Path], object]) -> Make:
    def make(folder: Path) -> Path:
        path = two_iterations().folder(folder / "tables")
        change(path)
        return path

    return make


def trace(change: Callable[[Trace], object]) -> Make:
    def make(folder: Path) -> Path:
        made = two_iterations_on_a_cpu()
        change(made)
        return made.write(folder / "trace.json")

    return make


def kernel_with(**columns: int | str | None) -> Callable[[Export], None]:
    return lambda made: made.tables["CUPTI_ACTIVITY_KIND_KERNEL"][0].update(columns)


def arrow_cut_short(folder: Path) -> Path:
    path = two_iterations().arrow(folder / "report.arrow")
    path.write_bytes(path.read_bytes()[:-900])
    return path


def no_tables(folder: Path) -> Path:
    path = folder / "report.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("VACUUM")
    connection.close()
    return path


def other_ranges(made: Export) -> None:
    made.drop("NVTX_EVENTS")
    made.range(0, 10, "forward")


def no_launches(made: Export) -> None:
    for table in [name for name in made.tables if name.startswith("CUPTI")]:
        made.drop(table)


WHOLE = two_iterations_on_a_gpu().text()
ZIPPED = gzip.compress(WHOLE.encode())


def with_last_event(**values: object) -> Callable[[Trace], None]:
    return lambda made: made.events[-2].update(values)


MALFORMED: dict[str, tuple[Make, str]] = {
    "no such file": (lambda folder: folder / "lost.sqlite", "No such file"),
    "empty file": (written("report.sqlite", b""), "it is empty"),
    "a text": (written("report.sqlite", "Generating SQLite file\n"), "it is neither"),
    "kernels.parquet": (
        written("kernels.parquet", b"PAR1..PAR1"),
        "is a Parquet table, such as `burstlab kernels TRACE",
    ),
    "report of nsys": (written("report.nsys-rep", b"\0\1\2"), "nsys export --type sqlite report.nsys-rep"),
    "database cut in half": (database(lambda data: data[: len(data) // 2]), "was it copied whole?"),
    "database of a header alone": (database(lambda data: data[:100]), "was it copied whole?"),
    "database with damaged pages": (
        database(lambda data: data[:4096] + bytes(len(data) - 4096)),
        "cannot be read as an SQLite database",
    ),
    "database without tables": (no_tables, "it has no tables"),
    "no NVTX": (export(lambda made: made.drop("NVTX_EVENTS")), "no NVTX ranges"),
    "NVTX without iterations": (export(other_ranges), "no iteration among its NVTX ranges"),
    "NVTX without text": (
        export(lambda made: made.drop("NVTX_EVENTS", "text", "textId")),
        "neither a column text",
    ),
    "NVTX without threads": (
        export(lambda made: made.drop("NVTX_EVENTS", "globalTid")),
        "lacks the columns globalTid",
    ),
    "no CUDA": (export(no_launches), "no launches"),
    "no strings": (export(lambda made: made.drop("StringIds")), "no iteration among its NVTX ranges"),
    "name of a kernel not there": (export(kernel_with(demangledName=99_999)), "the first has id 99999"),
    "kernels without correlation": (
        export(lambda made: made.drop("CUPTI_ACTIVITY_KIND_KERNEL", "correlationId")),
        "lacks the columns correlationId",
    ),
    "kernels without names": (
        export(lambda made: made.drop("CUPTI_ACTIVITY_KIND_KERNEL", "demangledName", "shortName")),
        "none of the columns demangledName",
    ),
    "calls without threads": (
        export(lambda made: made.drop("CUPTI_ACTIVITY_KIND_RUNTIME", "globalTid")),
        "lacks the columns globalTid",
    ),
    "kernel that ends before it begins": (export(kernel_with(end=4_000)), "the clock went backwards"),
    "range that ends before it begins": (
        export(lambda made: made.range(50, 40, "execute_context_0(0)_generation_4(4)")),
        "the clock went backwards",
    ),
    "text among numbers": (export(kernel_with(start="soon")), "something else than numbers"),
    "text with commas among numbers": (export(kernel_with(start="1,2")), "something else than numbers"),
    "folder without tables": (lambda folder: folder, "no files *.parquet or *.arrow"),
    "folder with a damaged table": (
        tables(lambda path: (path / "NVTX_EVENTS.parquet").write_bytes(b"PAR1 not really PAR1")),
        "cannot be read as a table of nsys",
    ),
    "folder with a table cut short": (
        tables(lambda path: (path / "X.arrow").write_bytes(b"ARROW1\0\0\1\2\3")),
        "cannot be read as a table of nsys",
    ),
    "folder without NVTX": (tables(lambda path: (path / "NVTX_EVENTS.parquet").unlink()), "no NVTX ranges"),
    "Arrow file cut short": (arrow_cut_short, "cannot be read as a table of nsys"),
    "gzip of nothing": (written("trace.json.gz", gzip.compress(b"")), "it is empty"),
    "gzip cut short": (written("trace.json.gz", ZIPPED[: len(ZIPPED) // 2]), "was the file copied whole?"),
    "gzip of a header alone": (written("trace.json.gz", ZIPPED[:6]), "was the file copied whole?"),
    "gzip with other data": (written("trace.json.gz", b"\x1f\x8b\x08\0" + b"not gzip" * 9), "gzip data"),
    "gzip with a wrong sum": (written("trace.json.gz", ZIPPED[:-8] + b"\0" * 8), "the gzip data are damaged"),
    "trace cut short": (written("trace.json", WHOLE[: len(WHOLE) // 2]), "was it copied whole?"),
    "trace cut within its last event": (written("trace.json", WHOLE[:-60]), "was it copied whole?"),
    "JSON of something else": (written("trace.json", '{"requests": []}'), "no list `traceEvents`"),
    "trace without events": (written("trace.json", '{"traceEvents": []}'), "no iteration among the ranges"),
    "events that are numbers": (written("trace.json", "[1, 2]"), "is not an object"),
    "event that is no JSON": (written("trace.json", WHOLE.replace('"ph": "X"', '"ph": X', 3)), "no JSON"),
    "event without a time": (trace(with_last_event(ts=None)), "have no `ts`"),
    "event without a duration": (trace(with_last_event(dur=None)), "have no `dur`"),
    "event after the end of time": (trace(with_last_event(ts=1e30)), "or one that is no time"),
    "event whose time is a text": (trace(with_last_event(ts="soon")), "a value of a wrong type"),
    "event whose time is no number": (trace(with_last_event(ts=float("nan"))), "have no `ts`"),
    "operator that ends before it begins": (trace(with_last_event(dur=-3.0)), "the clock went backwards"),
    "ranges alone": (
        written("trace.json", json.dumps([two_iterations_on_a_cpu().events[0]])),
        "neither kernels of a GPU nor operators",
    ),
}


@pytest.mark.parametrize("what", MALFORMED)
def test_what_is_wrong_and_where(tmp_path: Path, what: str) -> None:
    make, message = MALFORMED[what]
    path = make(tmp_path)
    with pytest.raises(BurstlabError) as error:
        read_profile(path)
    assert str(error.value).startswith(str(path))
    assert message in str(error.value)
    assert str(PROCESS) not in str(error.value)


def test_nothing_is_written_beside_a_database(tmp_path: Path) -> None:
    path = two_iterations().sqlite(tmp_path / "report.sqlite")
    before = path.read_bytes()
    read_profile(path)
    assert list(tmp_path.iterdir()) == [path]
    assert path.read_bytes() == before
