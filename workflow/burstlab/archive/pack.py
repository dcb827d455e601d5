"""From a study's folder to one archive."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

from burstlab.archive import contents
from burstlab.archive.actions import times
from burstlab.archive.metadata import CONFIGURATION, README, Agent, Crate, metadata
from burstlab.archive.privacy import Watch
from burstlab.archive.selection import Selection, describe, select
from burstlab.archive.zip_file import Member, write_zip
from burstlab.collections.manifest import read_manifest
from burstlab.collections.members import folders_of
from burstlab.collections.places import CELLS, RUNS
from burstlab.study.load import load_study
from burstlab.study.profiled import profiled
from burstlab.study.schema import Study
from burstlab.wording import count

_README = """# {name}

{description}

This archive is a Workflow Run RO-Crate: `ro-crate-metadata.json` lists every file with its SHA-256, and what made it.
A cell is a folder below `results/cells`: what `vllm bench serve` saved, two tables, and the record `cell.json`. The record of a
simulated cell says so, and has the tables alone beside it. A profiled run is one below `results/profiles/cells`, with two tables
more; nothing in it is a figure of performance.

- To see it beside measurements of your own: `burstlab import ARCHIVE`, then `make figures` or `make study`.
- To go on with it: unpack it, and `make study` there. A cell that is here is not measured again.
"""


@dataclass(frozen=True)
class Packed:
    """What went into the archive at `path`; `folders_named_in` are files that name a folder of this machine."""

    path: Path
    cells: int
    runs: int
    files: int
    left_out: Mapping[str, str]
    folders_named_in: tuple[str, ...]


def pack(
    config: Mapping[str, Any],
    output: Path,
    *,
    cells: str | None = None,
    results: Path = Path("results"),
    resources: Path = Path("resources"),
    agent: Agent | None = None,
) -> Packed:
    """Write the study that `config` describes to `output`, or those of its cells and profiled runs that match `cells` alone.

    The study is that of the current folder; the whole of it includes its collections. The same cells and files
    give the same bytes. Raises BurstlabError when nothing matches, a file is damaged or holds a token, or the
    tables are of other cells; an archive that was there stays then.
    """
    study = load_study(config, [], Path.cwd())
    collections = folders_of(study)
    selection = select(study, results, cells, may_be_empty=cells is None and bool(collections))
    runs = _runs(study, results, cells)
    crate = _crate(config, study, selection, runs, results, resources, agent, whole=cells is None)
    watch = Watch([str(Path.cwd()), str(Path.home())])
    about = metadata(crate)
    write_zip(output, [about, *crate.members], watch)
    left_out = {**selection.left_out, **{f"profiled run {run}": why for run, why in runs.left_out.items()}}
    packed = (len(selection.records), len(runs.records), _files(crate) + 1)
    return Packed(output, *packed, left_out, tuple(watch.named_in))


def _runs(study: Study, results: Path, pattern: str | None) -> Selection:
    """The profiled runs that match."""
    runs = profiled(study)
    if runs is None:
        return Selection({}, {})
    return select(runs, (results / RUNS).parent, pattern, may_be_empty=True)


def _files(crate: Crate) -> int:
    return sum(not member.name.endswith("/") for member in crate.members)


def _crate(
    config: Mapping[str, Any],
    study: Study,
    selection: Selection,
    runs: Selection,
    results: Path,
    resources: Path,
    agent: Agent | None,
    *,
    whole: bool,
) -> Crate:
    name = study.name if whole else f"{study.name}, {len(selection.records)} of its cells"
    description = _description(study, selection)
    records = {f"{CELLS}/{cell}": record for cell, record in selection.records.items()}
    records |= {f"{RUNS}/{run}": record for run, record in runs.records.items()}
    settings = yaml.safe_dump(_plain(config), sort_keys=False, allow_unicode=True)
    return Crate(
        name=name,
        description=description,
        dated=times(records).get("endTime") or _newest(study),
        records=records,
        cell_files=dict(contents.cell_files(results, records)),
        sources=contents.workflow_files(),
        inputs=[
            Member.of_text(CONFIGURATION, settings),
            *contents.dataset_records(resources, study.datasets),
            *(contents.collection_files(study) if whole else []),
        ],
        results=[*contents.study_files(results, selection.records), *contents.exact_batches_files(study)]
        if whole
        else [],
        agent=agent,
        own=[Member.of_text(README, _README.format(name=name, description=description))],
    )


def _newest(study: Study) -> str:
    """When the last of the study's collections was made; today for a study that knows no time at all."""
    made = [read_manifest(study.root / folder).created_utc for folder in folders_of(study)]
    return max(made, default=datetime.now(UTC).date().isoformat())


def _description(study: Study, selection: Selection) -> str:
    told = describe(selection)
    kinds = (
        ", ".join(f"{count} {evidence}" for evidence, count in told["evidence"].items()) or "none of its own"
    )
    missing = f" {count(told['left_out'], 'cell')} of those asked for left out." if told["left_out"] else ""
    return (
        f"Latency of LLM inference under arrivals of different burstiness: cells of the study {study.name}, "
        f"{kinds}.{missing}"
    )


def _plain(value: Any) -> Any:
    # Snakemake hands over mappings and lists of its own, which YAML would tag.
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    # Files that ship with burstlab are in the archive under the names that they have in its repository.
    return value.removeprefix(f"{contents.CHECKOUT}/") if isinstance(value, str) else value
