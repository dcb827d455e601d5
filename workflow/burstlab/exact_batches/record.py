"""The file with one engine's times, and the study's table of all of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv

from burstlab.errors import BurstlabError
from burstlab.exact_batches.shapes import PADDED, PADDED_TOKENS, Shape
from burstlab.exact_batches.timed import Timed
from burstlab.files import atomic_write_bytes, atomic_write_json
from burstlab.records.parquet import write_parquet
from burstlab.wording import count

TABLE = "exact_batches"
FORMAT = 1
_TEXT, _WHOLE = pa.string(), pa.int64()
# A row a batch shape, arm, repetition and part of the time; without times one that says why.
SCHEMA = pa.schema(
    [
        *(
            pa.field(name, _TEXT, nullable=False)
            for name in ("platform", "model", "engine", "evidence", "by")
        ),
        pa.field("vllm_version", _TEXT),
        pa.field("threads", _WHOLE),
        pa.field("others_share", pa.float64()),
        *(
            pa.field(name, _WHOLE)
            for name in ("decodes", "context_tokens", "chunk_tokens", "tokens_a_decode")
        ),
        pa.field("arm", _TEXT),
        pa.field("repetition", _WHOLE),
        pa.field("part", _TEXT),
        pa.field("ms", pa.float64()),
        pa.field("why", _TEXT),
    ]
)


def write_times(
    path: Path, platform: str, model: str, engine: str, shapes: Sequence[Shape], timed: Timed
) -> None:
    """Write what was timed of an engine, as JSON."""
    atomic_write_json(
        path,
        {
            "format": FORMAT,
            "platform": platform,
            "model": model,
            "engine": engine,
            "evidence": timed.evidence,
            "by": timed.by,
            "vllm": timed.vllm,
            "threads": timed.threads,
            "others_share": timed.others_share,
            "why": timed.why,
            "shapes": [asdict(shape) for shape in shapes],
            "rows": list(timed.rows),
        },
    )


def times_of(files: Iterable[Path]) -> pa.Table:
    """The rows of the table that the files give; BurstlabError where one is not as `write_times` leaves it."""
    return pa.concat_tables([SCHEMA.empty_table(), *map(_times, files)]).combine_chunks()


def build_table(files: Iterable[Path], folder: Path) -> None:
    """Write `exact_batches.parquet` and `.csv` into `folder`; BurstlabError where a file is not as `write_times` leaves it."""
    table = times_of(files)
    write_parquet(folder / f"{TABLE}.parquet", table)
    text = pa.BufferOutputStream()
    pyarrow.csv.write_csv(table, text)
    atomic_write_bytes(folder / f"{TABLE}.csv", text.getvalue().to_pybytes())


def table_from_workflow(files: Sequence[Path], folder: Path, log: Path) -> None:
    """The workflow's job: `build_table`, with a log, and SystemExit with one message when it fails."""
    try:
        build_table(files, folder)
        log.write_text(f"times of {count(len(files), 'engine')}\n")
    except BurstlabError as error:
        log.write_text(f"{error}\n")
        raise SystemExit(str(error)) from None


def _times(path: Path) -> pa.Table:
    try:
        return pa.Table.from_pylist(list(_rows(path)), schema=SCHEMA)
    except (OSError, ValueError, KeyError, TypeError, IndexError, pa.ArrowException) as error:
        raise BurstlabError(
            f"{path}: not the times of exact batches: {error!r}; delete it and run again"
        ) from error


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    said: dict[str, Any] = json.loads(path.read_bytes())
    names = ("platform", "model", "engine", "evidence", "by", "threads", "others_share")
    common = {name: said[name] for name in names}
    common["vllm_version"] = said["vllm"]
    if not said["rows"]:
        yield {**common, "why": said["why"]}
    for row in said["rows"]:
        shape = said["shapes"][row["shape"]]
        yield {
            **common,
            **shape,
            "tokens_a_decode": PADDED_TOKENS if row["arm"] == PADDED else 1,
            **{name: row[name] for name in ("arm", "repetition", "part", "ms")},
        }
