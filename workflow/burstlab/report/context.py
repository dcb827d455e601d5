"""Everything the page shows, gathered from tables, figures and records."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from burstlab import __version__
from burstlab.claims.load import load_claims
from burstlab.collections.manifest import read_manifest
from burstlab.collections.places import record_of
from burstlab.datasets.sources import SOURCES
from burstlab.figures.registry import FIGURES, WHOLE_STUDY, FigureKind, Group, group_slug, of_pair
from burstlab.figures.tables import Tables
from burstlab.report import (
    comparability,
    excluded,
    findings,
    origins,
    provenance,
    simulator,
    unjudged,
    verdicts,
)
from burstlab.report.embed import Picture, data_address, download_address, file_address, picture
from burstlab.report.shown import Table, chosen, narrow
from burstlab.wording import quantity, rate

CELLS_SHOWN = 100
ROWS_SHOWN = 30
INLINE_CELLS = 400
GROUPS_OPEN = 16
TABLES_OPEN = 40
# About a megabyte each; a page of hundreds would be more than a browser shows.
GROUPS_INSIDE = 30


@dataclass(frozen=True, slots=True)
class Drawn:
    """A figure of one group: the picture, its words, and the numbers behind it.

    `tables` is None where picture and numbers are files beside the page.
    """

    kind: FigureKind
    picture: Picture
    alternative: str
    note: str
    tables: list[Table] | None
    svg_address: str
    csv_address: str
    csv_name: str


@dataclass(frozen=True, slots=True)
class GroupSection:
    """What the page says of one platform, model, engine and workload."""

    anchor: str
    platform: str
    model: str
    engine: str
    workload: str
    dataset: str
    synthetic: bool
    evidence: list[str]
    cells: int
    counted: int
    capacity: str
    capacity_excluded: bool
    loads: list[str]
    comparisons: list[findings.Comparison]
    figures: list[Drawn]
    summary: Table
    unlike_seeds: bool
    cell_table: Table
    cells_csv: str | None


def gather(
    study: str,
    results: Path,
    groups: Iterable[Group],
    page_folder: Path,
    figures: Iterable[FigureKind] = FIGURES,
    collections: Sequence[Path] = (),
    profiled: Iterable[Group] = (),
    of_study: Iterable[FigureKind] = (),
) -> dict[str, Any]:
    """The template's variables.

    `results` holds `tables/`, `figures/` and `cells/`; cells may be in one of `collections` instead. Large CSV files, and
    the figures of all groups after the first `GROUPS_INSIDE`, are linked relative to `page_folder`. `of_study` are the kinds
    of figures that were drawn of the whole study.
    Raises BurstlabError where a table or a record is missing or unreadable.
    """
    tables = Tables(results / "tables")
    cells = tables.cells
    found = provenance.gather(record_of(cell, results, collections) for cell in cells["cell"])
    manifests = [read_manifest(folder) for folder in collections]
    among = findings.Among.of(cells)
    kinds, with_profiles = tuple(figures), set(profiled)
    sections = [
        _section(
            number,
            group,
            tables,
            found,
            among,
            results,
            page_folder,
            tuple(figures_of(kinds, group, with_profiles)),
        )
        for number, group in enumerate(sorted(groups))
    ]
    beside = max(0, len(sections) - GROUPS_INSIDE)
    return {
        "study": study,
        "version": __version__,
        "origins": origins.gather(cells, found.started_utc, results, collections, manifests),
        "evidence": sorted(cells["evidence"].unique()),
        "cells": len(cells),
        "counted": int(cells["counted"].sum()),
        "requests": int(cells["requests"].sum()),
        "failed_requests": int(cells["failed_requests"].sum()),
        "settings": [found.settings[key] for key in sorted(found.settings)],
        "datasets": list(_datasets(found)),
        "collections": manifests,
        "sections": sections,
        "study_figures": [_drawn(kind, WHOLE_STUDY, results, page_folder, True) for kind in of_study],
        "verdicts": verdicts.gather(results / "tables"),
        "by_model": _by_model(sections),
        "open_groups": len(sections) <= GROUPS_OPEN,
        "open_tables": len(sections) <= TABLES_OPEN,
        "groups_beside": beside,
        "metrics": findings.METRICS,
        "statements": {claim.id: claim.statement for claim in load_claims()},
        "excluded": excluded.gather(cells, results, collections),
        "comparability": comparability.gather(cells),
        "unjudged": unjudged.gather(cells),
        "simulator": simulator.gather(results / "tables", page_folder),
    }


def figures_of(
    kinds: Iterable[FigureKind], group: Group, profiled: Collection[Group]
) -> Iterator[tuple[FigureKind, Group]]:
    """The figures of a group, and what each is drawn of; that of a pair of engines is shown with the older one."""
    for kind in kinds:
        if kind.of_pairs:
            yield from ((kind, pair) for pair in sorted(profiled) if _older(pair) == group)
        elif not kind.of_study and (group in profiled or not kind.of_profiles):
            yield kind, group


def _older(group: Group) -> Group | None:
    one, *others = of_pair(group)
    return one if others else None


def _section(
    number: int,
    group: Group,
    tables: Tables,
    found: provenance.Provenance,
    among: findings.Among,
    results: Path,
    page_folder: Path,
    figures: tuple[tuple[FigureKind, Group], ...],
) -> GroupSection:
    platform, model, engine, workload = group
    cells = tables.group(group)
    sources = sorted(found.prompts.get(group, set()))
    capacity = cells["capacity_req_s"].astype(float).dropna()
    inside = number < GROUPS_INSIDE
    return GroupSection(
        anchor=f"group-{number + 1}",
        platform=platform,
        model=model,
        engine=engine,
        workload=workload,
        dataset=", ".join(sources),
        synthetic=any(source in SOURCES and SOURCES[source].synthetic for source in sources),
        evidence=sorted(cells["evidence"].unique()),
        cells=len(cells),
        counted=int(cells["counted"].sum()),
        capacity=quantity(float(capacity.iloc[0]), "req/s") if len(capacity) else "",
        capacity_excluded=not len(capacity) and bool(cells["rate"].eq(float("inf")).any()),
        loads=list(_loads(cells)),
        comparisons=list(findings.comparisons(cells, among)),
        figures=[_drawn(kind, of, results, page_folder, inside) for kind, of in figures],
        summary=_summary(cells),
        unlike_seeds=_unlike_seeds(cells),
        cell_table=chosen(_named_arrivals(cells), CELL_COLUMNS, CELLS_SHOWN),
        cells_csv=_cells_csv(cells) if inside else None,
    )


def _by_model(sections: list[GroupSection]) -> list[tuple[tuple[str, str], list[GroupSection]]]:
    """Sections under their platform and model, in order."""
    found: dict[tuple[str, str], list[GroupSection]] = {}
    for section in sections:
        found.setdefault((section.platform, section.model), []).append(section)
    return list(found.items())


def _loads(cells: pd.DataFrame) -> Iterator[str]:
    paced = cells[cells["rate"] < float("inf")]
    for at_rate, some in paced.groupby("rate", sort=True):
        load = some["load"].astype(float).dropna()
        share = f"{load.mean():.0%} of capacity" if len(load) else "load not known"
        yield f"{rate(float(str(at_rate)))} ({share})"


def _drawn(kind: FigureKind, group: Sequence[str], results: Path, page_folder: Path, inside: bool) -> Drawn:
    base = results / "figures" / kind.name / group_slug(group)
    csv, svg = base.with_name(f"{base.name}.csv"), base.with_name(f"{base.name}.svg")
    # A model may be called "null" or "NA": only what is empty is missing.
    frame = pd.read_csv(csv, keep_default_na=False, na_values=[""])
    note = str(kind.module().note(frame))
    return Drawn(
        kind=kind,
        picture=picture(svg, None if inside else page_folder),
        alternative=f"{kind.label}, {kind.title}, for {' · '.join(group)}. {note}",
        note=note,
        tables=_by_mark(frame) if inside else None,
        svg_address=file_address(svg, page_folder),
        csv_address=download_address(csv, page_folder) if inside else file_address(csv, page_folder),
        csv_name=f"{kind.name}--{csv.name}",
    )


def _by_mark(frame: pd.DataFrame) -> list[Table]:
    """A table a kind of mark, since these differ in their columns: seeds and means, points and coefficients."""
    if "mark" not in frame:
        return [narrow(frame, ROWS_SHOWN)]
    return [narrow(some, ROWS_SHOWN) for _, some in frame.groupby("mark", sort=True)]


SUMMARY = {
    "median_tpot_ms": "median TPOT (ms)",
    "p90_tpot_ms": "p90 TPOT (ms)",
    "mean_e2el_ms": "mean E2EL (ms)",
    "median_ttft_ms": "median TTFT (ms)",
    "decode_only_token_share": "decode-only share",
    "mean_mixed_tokens": "tokens per mixed iteration",
    "throughput_req_s": "throughput (req/s)",
}


def _summary(cells: pd.DataFrame) -> Table:
    """Means over counted seeds, a row for each rate, arrivals and evidence."""
    header = ["rate", "arrivals", "evidence", "counted", *SUMMARY.values()]
    rows = []
    keys = ["rate", "cv", "arrivals", "burstiness", "evidence"]
    grouping = cells.assign(cv=cells["cv"].where(cells["arrivals"] == "gamma"))
    for values, some in grouping.groupby(keys, sort=True, dropna=False):
        at_rate, cv, arrivals, burstiness, evidence = (str(value) for value in values)
        if arrivals != "gamma":
            cv = str(cells.loc[some.index, "cv"].mean())
        name = _arrivals(arrivals, float(burstiness), float(cv))
        used = some[some["counted"]]
        means = [quantity(float(used[column].astype(float).mean())) for column in SUMMARY]
        counted = f"{len(used)} of {len(some)}"
        rows.append([rate(float(at_rate)), name, evidence, counted, *means])
    return Table(header, rows, len(rows))


def _unlike_seeds(cells: pd.DataFrame) -> bool:
    """Whether at one rate arrivals were counted with other seeds than others, so that their means are not of the same seeds."""
    counted = cells[cells["counted"] & (cells["arrivals"] == "gamma")]
    return any(
        some.groupby("burstiness")["seed"].agg(frozenset).nunique() > 1
        for _, some in counted.groupby(["rate", "evidence"])
    )


def _arrivals(arrivals: str, burstiness: float, cv: float) -> str:
    """As "b=0.1 (CV 3.16)", or the trace with its CV."""
    return f"{f'b={burstiness:g}' if arrivals == 'gamma' else arrivals} (CV {cv:.3g})"


def _named_arrivals(cells: pd.DataFrame) -> pd.DataFrame:
    rows = zip(cells["arrivals"], cells["burstiness"], cells["cv"], strict=True)
    return cells.assign(named=[_arrivals(str(kind), b, cv) for kind, b, cv in rows])


CELL_COLUMNS = {
    "rate": "rate (req/s)",
    "named": "arrivals",
    "realised_cv": "realised CV",
    "seed": "seed",
    "evidence": "evidence",
    "counted": "counted",
    "failed_requests": "failed requests",
    "lateness_p99_ms": "client late by, p99 (ms)",
    "median_tpot_ms": "median TPOT (ms)",
    "mean_e2el_ms": "mean E2EL (ms)",
    "median_ttft_ms": "median TTFT (ms)",
    "decode_only_token_share": "decode-only share",
}


def _cells_csv(cells: pd.DataFrame) -> str | None:
    if len(cells) > INLINE_CELLS:
        return None
    return data_address(
        "text/csv", cells.to_csv(index=False, float_format="%.8g", lineterminator="\n").encode()
    )


def _datasets(found: provenance.Provenance) -> Iterator[dict[str, Any]]:
    for facts, cells in found.datasets.listed():
        named = dict(facts)
        source = named.pop("source", "unknown")
        known = SOURCES.get(source)
        yield {
            "source": source,
            "title": known.title if known else "prompts of random tokens, drawn by vLLM's own client",
            "synthetic": bool(known and known.synthetic),
            "licence": known.licence if known else "none: generated as it is sent",
            "publisher": known.publisher if known else "–",
            "recipe": list(named.items()),
            "cells": cells,
        }
