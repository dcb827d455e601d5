"""A profile as a Chrome trace, to look at in Perfetto (ui.perfetto.dev opens the file, gzipped or not).

Format: the "Trace Event Format" document, JSON object form: `ph` X is a whole event, C a counter, M names a track;
`ts` and `dur` are in µs; `cat` is a list of categories with commas in between.
"""

from __future__ import annotations

import gzip
import io
import json
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc

from burstlab.profiles.profile import Profile
from burstlab.profiles.schema import LAUNCHES

# Launches in memory as Python objects at a time.
_ROWS = 1 << 16
# More than any GPU has streams: tracks of several devices of a process stay apart.
_STREAMS = 1_000_000
_COPIES = "copies"


def write_perfetto(path: Path, profile: Profile) -> None:
    """Write `profile` to `path`, gzipped if that ends in .gz, whole or not at all.

    Each process has a track of its iterations, coloured by batch, one of the tokens in each, and one for each stream of a GPU or
    each thread of a CPU, where a launch's category is its family. `read_profile` reads the file again. It has the same
    iterations and launches; of a GPU's launches it does not know whose they are, since the calls are not among the tables.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with temporary.open("wb") as file:
            if path.suffix == ".gz":
                # No time and no name in the header: the same profile gives the same bytes.
                with gzip.GzipFile(filename="", fileobj=file, mode="wb", compresslevel=5, mtime=0) as zipped:
                    _write(zipped, profile)
            else:
                _write(file, profile)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _write(file: BinaryIO | gzip.GzipFile, profile: Profile) -> None:
    text = io.TextIOWrapper(file, encoding="utf-8", newline="\n", write_through=False)
    text.write('{"displayTimeUnit": "ms", "traceEvents": [')
    comma = "\n"
    for line in _lines(profile):
        # Laid out as Kineto does, so that what reads its traces in blocks is fast with these too.
        text.write(f"{comma}  {{\n    {line[1:-1]}\n  }}")
        comma = ",\n"
    text.write("\n]}\n")
    text.flush()
    text.detach()


def _lines(profile: Profile) -> Iterator[str]:
    """The events, each as JSON in one line."""
    tracks = _tracks(profile)
    for event in _names(tracks):
        yield json.dumps(event)
    for event in _iterations(profile.iterations, tracks):
        yield json.dumps(event)
    yield from _launches(profile.launches.unify_dictionaries())


def _track_of(thread: pa.ChunkedArray, device: pa.ChunkedArray, stream: pa.ChunkedArray) -> pa.ChunkedArray:
    """The number of each launch's track in its process: its stream on a GPU, else its thread."""
    on_gpu = pc.add(pc.multiply(device.cast(pa.int64()), _STREAMS), stream.cast(pa.int64()))
    return pc.fill_null(pc.coalesce(on_gpu, thread.cast(pa.int64())), -1)


def _tracks(profile: Profile) -> dict[int, dict[int, str]]:
    """Process → track → its name. The track of the iterations comes first; no launch has its number."""
    found: dict[int, dict[int, str]] = {}
    launches = profile.launches
    table = pa.table(
        {
            "process": launches["process"],
            "track": _track_of(launches["thread"], launches["device"], launches["stream"]),
            "device": launches["device"],
            "stream": launches["stream"],
        }
    )
    for row in table.group_by(["process", "track", "device", "stream"]).aggregate([]).to_pylist():
        name = (
            f"thread {row['track']}"
            if row["stream"] is None
            else f"GPU {row['device']}, stream {row['stream']}"
        )
        found.setdefault(row["process"], {})[row["track"]] = name
    for process in sorted({*found, *profile.iterations["process"].to_pylist()}):
        launched = found.pop(process, {})
        free = next(number for number in range(len(launched) + 1) if number not in launched)
        found[process] = {free: "iterations", **dict(sorted(launched.items()))}
    return found


def _names(tracks: dict[int, dict[int, str]]) -> Iterator[dict[str, Any]]:
    for process, names in tracks.items():
        yield _metadata("process_name", process, 0, name=f"engine process {process}")
        for place, (track, name) in enumerate(names.items()):
            yield _metadata("thread_name", process, track, name=name)
            yield _metadata("thread_sort_index", process, track, sort_index=place)


def _metadata(what: str, process: int, track: int, **arguments: str | int) -> dict[str, Any]:
    return {"ph": "M", "name": what, "pid": process, "tid": track, "ts": 0, "args": arguments}


def _iterations(iterations: pa.Table, tracks: dict[int, dict[int, str]]) -> Iterator[dict[str, Any]]:
    for row in iterations.to_pylist():
        process = row["process"]
        track = next(iter(tracks[process]))
        begin_us = round(row["begin_us"], 3)
        tokens = {"prompt": row["context_tokens"], "generated": row["generation_tokens"]}
        yield {
            "ph": "X",
            "cat": f"user_annotation,{row['kind']}",
            "name": (
                f"execute_context_{row['context_requests']}({row['context_tokens']})"
                f"_generation_{row['generation_requests']}({row['generation_tokens']})"
            ),
            "pid": process,
            "tid": track,
            "ts": begin_us,
            "dur": round(row["duration_us"], 3),
            "args": {
                "iteration": row["iteration"],
                "kind": row["kind"],
                "launches": row["launches"],
                "busy_us": round(row["busy_us"], 3),
            },
        }
        yield {"ph": "C", "name": "tokens", "pid": process, "tid": track, "ts": begin_us, "args": tokens}


def _launches(launches: pa.Table) -> Iterator[str]:
    track = _track_of(launches["thread"], launches["device"], launches["stream"])
    table = launches.append_column("track", track)
    columns = [name for name in LAUNCHES.names if name not in ("name", "thread", "joined")]
    names = [json.dumps(word) for word in _words(launches["name"])]
    for start in range(0, table.num_rows, _ROWS):
        part = table.slice(start, _ROWS)
        numbers = (number for chunk in part["name"].chunks for number in chunk.indices.to_pylist())
        rows = part.select([*columns, "track"]).to_pylist()
        for number, row in zip(numbers, rows, strict=True):
            yield _launch(names[number], row)


def _words(column: pa.ChunkedArray) -> list[str]:
    """The dictionary of a column whose chunks share it."""
    return list(column.chunk(0).dictionary.to_pylist()) if column.num_chunks else []


def _launch(name: str, row: dict[str, Any]) -> str:
    on_gpu = row["stream"] is not None
    what = "gpu_memcpy" if row["family"] == _COPIES else "kernel"
    known = ("family", "part", "phase", "iteration", "kind", "device", "stream")
    arguments = {key: row[key] for key in known if row[key] is not None}
    for key in ("grid", "block"):
        if row[key] is not None:
            arguments[key] = [int(size) for size in row[key].split("x")]
    category = f"{what if on_gpu else 'cpu_op'},{row['family'] or 'unnamed'}"
    return (
        f'{{"ph": "X", "cat": {json.dumps(category)}, "name": {name}, "pid": {row["process"]}, "tid": {row["track"]}, '
        f'"ts": {row["start_us"]:.3f}, "dur": {row["duration_us"]:.3f}, "args": {json.dumps(arguments)}}}'
    )
