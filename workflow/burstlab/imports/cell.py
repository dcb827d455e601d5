"""From a file that `vllm bench serve` saved elsewhere to a cell's folder with tables and record."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from burstlab.arrivals.gamma import planned_send_s
from burstlab.bench.requests_table import Bench, check_against_saved, read_bench, requests_table
from burstlab.errors import BurstlabError
from burstlab.files import sha256_of
from burstlab.imports import engine_log, plan
from burstlab.imports.facts import Facts, read_facts
from burstlab.imports.names import Named, seed_in_name, slug
from burstlab.records.cell_record import BENCH, ITERATIONS, ITERATIONS_LOG, MEASURED, REQUESTS, write_record
from burstlab.records.compressed import write_compressed
from burstlab.records.parquet import write_parquet
from burstlab.records.schema import Imported, LogLines
from burstlab.records.summary import compute_summary
from burstlab.study.cells import Arrivals, Cell
from burstlab.study.values import LARGEST_SEED
from burstlab.validity.evidence import Evidence
from burstlab.validity.judge import judge

NEVER_SAVED = ("hardware", "commands", "client's own lateness")


@dataclass(frozen=True)
class ImportedCell:
    """A cell that was made, and what its importer should know of it."""

    cell: Cell
    notes: tuple[str, ...]


def import_bench(path: Path, shown: str, named: Named, cells: Path) -> ImportedCell:
    """Make the folder of one cell below `cells` from the file at `path`, which is called `shown` in its record.

    `named` is what is known from outside; what is not is taken from the file. The metrics are computed anew
    and compared with those saved. Raises BurstlabError, naming file and key, when the file was saved without
    `--save-detailed`, contradicts itself or `named`, or when a part of the cell's identity is not known.
    """
    bench, facts = read_bench(path), read_facts(path)
    _check_named(path, named, facts, bench)
    seed, found = _seed(path, named, facts, bench)
    cell = Cell(
        platform=_known(path, "platform", named.platform),
        model=named.model or slug(facts.model_id),
        engine=_known(path, "engine", named.engine),
        workload=named.workload or _workload(path, bench),
        rate=facts.rate,
        arrivals=Arrivals.gamma(facts.burstiness),
        seed=seed,
    )
    requests, is_planned = _requests(bench, facts, seed, found)
    check_against_saved(requests, bench)
    log, notes = _log(path, requests)
    folder = cells / cell.id
    if folder.exists():
        raise BurstlabError(f"{path}: is {cell.id}, which another file is as well")
    source = Imported(
        file=shown,
        sha256=sha256_of(path),
        log=log.path.name if log else None,
        log_sha256=sha256_of(log.path) if log else None,
        seed="given" if named.seed is not None or not found else "found",
        planned_send="rebuilt" if is_planned else "unknown",
        unknown=(
            *NEVER_SAVED,
            *(() if log and log.reported else ("engine_reported",)),
            *(() if log and "version" in log.reported else ("versions.vllm",)),
            *(() if is_planned else ("planned_send_s",)),
            *(() if log else ("iterations",)),
        ),
    )
    _write(folder, path, cell, named, facts, bench, requests, log, source)
    return ImportedCell(cell, notes)


def _known(path: Path, part: str, value: str | None) -> str:
    if value is None:
        raise BurstlabError(f"{path}: the file does not say its {part}: give --{part} NAME")
    return value


def _workload(path: Path, bench: Bench) -> str:
    inputs, outputs = {*bench.input_lens}, {length for length in bench.output_lens if length}
    if len(inputs) != 1 or len(outputs) != 1:
        raise BurstlabError(
            f"{path}: input_lens and output_lens vary, so they make no name: give --workload NAME"
        )
    return f"in{inputs.pop()}out{outputs.pop()}-n{len(bench.ttfts)}"


def _check_named(path: Path, named: Named, facts: Facts, bench: Bench) -> None:
    for key, said, saved in (
        ("request_rate", named.rate, facts.rate),
        ("burstiness", named.burstiness, facts.burstiness),
        ("num_prompts", named.requests, facts.requests),
    ):
        if said is not None and said != saved:
            raise BurstlabError(f"{path}: {key} is saved as {saved:g}, but its path says {said:g}")
    if len(bench.ttfts) != facts.requests:
        raise BurstlabError(
            f"{path}: num_prompts is {facts.requests}, but ttfts has {len(bench.ttfts)} items"
        )
    if bench.completed == 0:
        raise BurstlabError(f"{path}: completed is 0: all requests failed")
    for key, length, lengths in (
        ("input_lens", named.input_tokens, bench.input_lens),
        ("output_lens", named.output_tokens, [n for n in bench.output_lens if n]),
    ):
        mean = float(np.mean(lengths)) if lengths else 0.0
        # A range of lengths moves the mean a little; another workload's file moves it further.
        if length is not None and not length / 2 <= mean <= length * 2:
            raise BurstlabError(f"{path}: {key} has a mean of {mean:.0f} tokens, but its path says {length}")


def _seed(path: Path, named: Named, facts: Facts, bench: Bench) -> tuple[int, bool]:
    """The seed, and whether the start times show it."""
    said = named.seed if named.seed is not None else seed_in_name(path)
    if said is not None and not 0 <= said <= LARGEST_SEED:
        raise BurstlabError(f"{path}: is said to be of seed {said}; seeds are from 0 to {LARGEST_SEED}")
    found = plan.seed_of(bench.start_times, facts.rate, facts.burstiness, said)
    if said is None and found is None:
        raise BurstlabError(
            f"{path}: the file does not say its seed, and its start_times show none of "
            f"0 to {plan.SEEDS_TRIED - 1}: give --seed N, or a name with seed<N> in it"
        )
    if said is not None and found is not None and said != found:
        raise BurstlabError(
            f"{path}: is said to be of seed {said}, but its start_times are those of seed {found}"
        )
    return (found, True) if found is not None else (said or 0, False)


def _requests(bench: Bench, facts: Facts, seed: int, found: bool) -> tuple[pa.Table, bool]:
    """The table of requests, and whether its planned send times are known; NaN stands for one that is not."""
    starts = np.asarray(bench.start_times)
    # Without gaps to draw, the plan needs no seed to be known.
    if found or np.isinf(facts.rate) or np.isinf(facts.burstiness):
        planned = planned_send_s(facts.requests, facts.rate, facts.burstiness, seed)
        return requests_table(bench, planned, plan.punctual_start_s(starts, planned)), True
    zeros = np.zeros(facts.requests)
    table = requests_table(bench, zeros, plan.punctual_start_s(starts, zeros))
    column = table.schema.get_field_index("planned_send_s")
    unknown = pa.array(np.full(facts.requests, np.nan))
    return table.set_column(column, table.schema.field(column), unknown), False


def _log(path: Path, requests: pa.Table) -> tuple[engine_log.FoundLog | None, tuple[str, ...]]:
    beside = engine_log.log_beside(path)
    if beside is None:
        return None, ()
    found = engine_log.read_log(beside, requests)
    if found.reason is not None:
        return None, (f"{beside}: not used: {found.reason}",)
    return found, ()


def _write(
    folder: Path,
    path: Path,
    cell: Cell,
    named: Named,
    facts: Facts,
    bench: Bench,
    requests: pa.Table,
    log: engine_log.FoundLog | None,
    source: Imported,
) -> None:
    iterations = log.log if log else engine_log.EMPTY
    folder.mkdir(parents=True)
    shutil.copyfile(path, folder / BENCH)
    write_parquet(folder / REQUESTS, requests)
    write_parquet(folder / ITERATIONS, iterations.table)
    if iterations.lines:
        write_compressed(folder / ITERATIONS_LOG, iterations.lines)
    asked = _specification(cell, named, facts, source)
    used = log.reported if log else {}
    log_lines = LogLines(
        unparsed=iterations.unparsed_lines, dummy=iterations.dummy_lines, idle=iterations.idle_lines
    )
    write_record(
        folder,
        cell=cell,
        evidence=MEASURED,
        specification=asked,
        versions={"vllm": used.get("version")},
        hardware={},
        commands={},
        engine_reported=used,
        log_lines=log_lines,
        gates=judge(Evidence(cell, MEASURED, asked, used, log_lines, None, requests, iterations.table)),
        times={"bench_duration_s": bench.duration_s} | ({"saved_local": facts.date} if facts.date else {}),
        summary=compute_summary(requests, iterations.table, bench.duration_s),
        imported=source,
    )


def _specification(cell: Cell, named: Named, facts: Facts, source: Imported) -> dict[str, Any]:
    """What is known of what was asked for; that of a measurement elsewhere is no specification of this study."""
    workload = {
        "requests": facts.requests,
        "input_tokens": named.input_tokens,
        "output_tokens": named.output_tokens,
    }
    return {
        "imported": {"sha256": source.sha256},
        "platform": {"name": cell.platform},
        "model": {"name": facts.model_id},
        "workload": {key: value for key, value in workload.items() if value is not None},
        "rate": "inf" if np.isinf(cell.rate) else cell.rate,
        "arrivals": {
            "kind": cell.arrivals.kind,
            "burstiness": "inf" if np.isinf(facts.burstiness) else facts.burstiness,
        },
        "seed": cell.seed,
    }


def merged(named: Named, asked: Named) -> Named:
    """`named` with what `asked`, the importer's options, says in its place."""
    said = {key: value for key, value in vars(asked).items() if value is not None}
    return replace(named, **said)
