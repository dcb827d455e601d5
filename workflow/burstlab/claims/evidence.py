"""The cells that verdicts may rest on, by group, and their iterations."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
import pandas as pd
import pyarrow.compute as pc

from burstlab.claims.check import Subject
from burstlab.figures.profiled_runs import that_count
from burstlab.figures.tables import Tables
from burstlab.validity.compare import confounds, judge_arms, judge_kinds
from burstlab.validity.conditions import Conditions, distinct

BySeed = dict[int, float]
GROUP = ["platform", "model", "engine", "workload", "rate", "evidence"]


@dataclass(frozen=True)
class Contrast:
    """Counted cells of one group, rate and evidence under the steadiest and the burstiest gamma arrivals."""

    subject: Subject
    evidence: str
    steady_b: float
    bursty_b: float
    cells: pd.DataFrame
    """All cells of the group and rate, at every burstiness."""

    def steady(self, column: str) -> BySeed:
        """Seed → value under the steadiest arrivals."""
        return _by_seed(self.cells, column, self.steady_b)

    def bursty(self, column: str) -> BySeed:
        """Seed → value under the burstiest arrivals."""
        return _by_seed(self.cells, column, self.bursty_b)

    def confounds(self, *others: Self, kinds: bool = False) -> tuple[str, ...]:
        """What the gates of a comparison object to where these cells and those of `others` are held against each other.

        With `kinds`, also where kinds of iteration are, within the cells.
        """
        cells = [one for contrast in (self, *others) for one in contrast.conditions]
        return confounds([*judge_arms(cells), *(judge_kinds(cells) if kinds else ())])

    @cached_property
    def conditions(self) -> tuple[Conditions, ...]:
        """Under what the cells ran, each once."""
        return distinct(self.cells)


def comparable(cells: pd.DataFrame) -> pd.DataFrame:
    """Those of the study's cells that count and ran under gamma arrivals at a finite rate."""
    return cells[cells["counted"] & (cells["arrivals"] == "gamma") & (cells["rate"] < float("inf"))]


def contrasts_of(cells: pd.DataFrame) -> Iterator[Contrast]:
    """One for each platform, model, engine, workload, rate and evidence of comparable cells with two burstinesses."""
    for values, some in cells.groupby(GROUP, sort=True):
        platform, model, engine, workload, rate, evidence = values
        steady, bursty = float(some["burstiness"].max()), float(some["burstiness"].min())
        if steady == bursty:
            continue
        subject = Subject(
            str(platform),
            str(model),
            str(engine),
            str(workload),
            float(str(rate)),
            f"b={steady:g} → {bursty:g}",
        )
        yield Contrast(subject, str(evidence), steady, bursty, some)


class Evidence:
    """The study tables without the cells that a gate excluded: nothing here can rest a verdict on one."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    @cached_property
    def cells(self) -> pd.DataFrame:
        """Counted cells under gamma arrivals at a finite rate."""
        paced = comparable(self._tables.cells)
        shares = self._mixed_context_share
        return paced.assign(mixed_context_share=paced["cell"].map(shares).astype(float))

    def contrasts(self) -> Iterator[Contrast]:
        """One for each platform, model, engine, workload, rate and evidence with two burstinesses."""
        yield from self._contrasts

    @cached_property
    def _contrasts(self) -> tuple[Contrast, ...]:
        return tuple(contrasts_of(self.cells))

    @cached_property
    def interference(self) -> pd.DataFrame:
        """The costs in decode-only and in mixed iterations of profiled runs that ran what was asked for; empty without any."""
        return self._of_profiled_runs("interference")

    @cached_property
    def paths(self) -> pd.DataFrame:
        """Which kernels these runs launched in which kind of iteration."""
        return self._of_profiled_runs("paths")

    def _of_profiled_runs(self, table: str) -> pd.DataFrame:
        return that_count(self._tables.of_study(table)) if self._tables.has(table) else _NO_RUNS

    @cached_property
    def exact_batches(self) -> pd.DataFrame | None:
        """The times of exact batches; None where none were timed."""
        return self._tables.of_study("exact_batches") if self._tables.has("exact_batches") else None

    def iterations(self, cells: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
        """Rows of the iterations table of the given cells."""
        return self._tables.rows("iterations", list(cells["cell"]), columns)

    @cached_property
    def _mixed_context_share(self) -> dict[str, float]:
        """Cell → share of context tokens among all tokens of its mixed iterations."""
        sums: defaultdict[str, np.ndarray] = defaultdict(lambda: np.zeros(2, dtype=np.int64))
        columns = ["cell", "kind", "context_tokens", "generation_tokens"]
        for rows in self._tables.row_groups("iterations", columns):
            mixed = rows.filter(pc.equal(rows["kind"].cast("string"), "mixed"))
            found = mixed.group_by("cell").aggregate([(column, "sum") for column in columns[2:]])
            for cell, *tokens in zip(*(found[name].to_pylist() for name in _SUMS), strict=True):
                sums[cell] += tokens
        shares = ((cell, int(context), int(context + made)) for cell, (context, made) in sums.items())
        return {cell: context / total for cell, context, total in shares if total}


_NO_RUNS = pd.DataFrame(
    columns=[*GROUP, "cell", "per", "part", "kind", "family", "index", "burstiness", "iterations", "with_it"]
)
_SUMS = ("cell", "context_tokens_sum", "generation_tokens_sum")


def _by_seed(cells: pd.DataFrame, column: str, burstiness: float) -> BySeed:
    chosen = cells["burstiness"] == burstiness
    pairs = zip(cells["seed"][chosen], cells[column][chosen].astype(float), strict=True)
    return {int(seed): float(value) for seed, value in pairs}
