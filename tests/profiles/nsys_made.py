"""Small exports of nsys, made row by row."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

PID = 4242
PROCESS = (1 << 56) | (PID << 24)
THREAD = PROCESS | 7
OTHER_THREAD = PROCESS | 8

Row = dict[str, int | str | None]
Tables = dict[str, list[Row]]


class Export:
    """Tables that grow call by call. Times are in ns."""

    def __init__(self) -> None:
        self.tables: Tables = {}
        self._strings: dict[str, int] = {}

    def add(self, table: str, **row: int | str | None) -> None:
        self.tables.setdefault(table, []).append(row)

    def string(self, text: str) -> int:
        if text not in self._strings:
            self._strings[text] = len(self._strings) + 10
            self.add("StringIds", id=self._strings[text], value=text)
        return self._strings[text]

    def range(self, begin: int, end: int, name: str, thread: int = THREAD, by_id: bool = True) -> None:
        text: Row = {"textId": self.string(name), "text": None} if by_id else {"textId": None, "text": name}
        self.add("NVTX_EVENTS", start=begin, end=end, eventType=59, globalTid=thread, **text)

    def call(self, start: int, correlation: int, thread: int = THREAD) -> None:
        self.add(
            "CUPTI_ACTIVITY_KIND_RUNTIME",
            start=start,
            end=start + 5,
            globalTid=thread,
            correlationId=correlation,
            nameId=self.string("cudaLaunchKernel"),
        )

    def kernel(
        self,
        start: int,
        end: int,
        correlation: int,
        name: str = "nvjet_gemm",
        stream: int = 7,
        grid: tuple[int, int, int] = (1, 20, 8),
        process: int = PROCESS,
        node: int | None = None,
    ) -> None:
        self.add(
            "CUPTI_ACTIVITY_KIND_KERNEL",
            start=start,
            end=end,
            deviceId=0,
            streamId=stream,
            correlationId=correlation,
            globalPid=process,
            demangledName=self.string(name),
            shortName=self.string(name.split("<")[0]),
            gridX=grid[0],
            gridY=grid[1],
            gridZ=grid[2],
            blockX=128,
            blockY=1,
            blockZ=1,
            graphNodeId=node,
        )

    def launch(self, start: int, end: int, correlation: int, called: int, name: str = "nvjet_gemm") -> None:
        """A kernel and the call that launched it."""
        self.call(called, correlation)
        self.kernel(start, end, correlation, name)

    def drop(self, table: str, *columns: str) -> None:
        """Take columns out of a table, or the table."""
        if not columns:
            del self.tables[table]
            return
        self.tables[table] = [
            {name: value for name, value in row.items() if name not in columns} for row in self.tables[table]
        ]

    def sqlite(self, path: Path) -> Path:
        with sqlite3.connect(path) as database:
            for table, rows in self.tables.items():
                columns = list(rows[0])
                names = ", ".join(f'"{name}"' for name in columns)
                database.execute(f"CREATE TABLE {table} ({names})")
                marks = ", ".join("?" for _ in columns)
                database.executemany(
                    f"INSERT INTO {table} VALUES ({marks})",  # noqa: S608
                    [[row[name] for name in columns] for row in rows],
                )
        database.close()
        return path

    def folder(self, path: Path, suffix: str = ".parquet") -> Path:
        path.mkdir()
        for table, rows in self.tables.items():
            written = _arrow(rows)
            file = path / f"{table}{suffix}"
            if suffix == ".parquet":
                pq.write_table(written, file)
            else:
                with pa.ipc.new_file(file, written.schema) as writer:
                    writer.write_table(written)
        return path

    def arrow(self, path: Path) -> Path:
        """All tables in one file, as streams one after another, with texts as bytes: as version 2022.4 writes them."""
        with path.open("wb") as file:
            for table, rows in self.tables.items():
                written = _arrow(rows)
                for place, kind in enumerate(written.schema.types):
                    if kind == pa.string():
                        name = written.schema.names[place]
                        written = written.set_column(place, name, written[name].cast(pa.binary()))
                written = written.replace_schema_metadata({"table_name": table})
                with pa.ipc.new_stream(file, written.schema) as writer:
                    writer.write_table(written)
        return path


def _arrow(rows: Sequence[Row]) -> pa.Table:
    return pa.table({name: pa.array(_column(rows, name)) for name in rows[0]})


def _column(rows: Iterable[Row], name: str) -> list[int | str | None]:
    return [row[name] for row in rows]


def two_iterations() -> Export:
    """A decode-only iteration of 4 tokens and a mixed one, with launches of which each column is known.

    In µs: iteration 0 has its range from 0 to 10, kernels 5–8 and 9–14 and, sampled after the range, 15–16. Iteration 1 has
    its range from 20 to 30, a kernel 21–41 and a copy 41–45.
    """
    export = Export()
    export.range(0, 10_000, "execute_context_0(0)_generation_4(4)")
    export.range(20_000, 30_000, "execute_context_1(100)_generation_4(4)")
    export.launch(5_000, 8_000, 1, called=1_000, name="kernel_unified_attention")
    export.launch(9_000, 14_000, 2, called=2_000)
    export.launch(15_000, 16_000, 3, called=12_000, name="_gumbel_sample_kernel")
    export.launch(21_000, 41_000, 4, called=20_500, name="kernel_unified_attention")
    export.call(29_000, 5)
    export.add(
        "CUPTI_ACTIVITY_KIND_MEMCPY",
        start=41_000,
        end=45_000,
        deviceId=0,
        streamId=9,
        correlationId=5,
        globalPid=PROCESS,
        copyKind=2,
    )
    return export
