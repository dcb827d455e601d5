"""Simulated comparisons that are one: engines under several names whose differences the simulator takes no notice of.

FlashAttention 3 is vLLM's choice on Hopper, so that `default` and `fa3` are the same costs there. Their cells are alike to the
last digit, and a count of groups must not grow with the number of names.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from burstlab.claims.check import Check, Subject
from burstlab.claims.evidence import Contrast
from burstlab.records.cell_record import SIMULATED

_ORDER = ["burstiness", "seed"]
_COMPARED = [
    *_ORDER,
    "mean_ttft_ms",
    "mean_tpot_ms",
    "mean_e2el_ms",
    "p99_e2el_ms",
    "decode_only_token_share",
]
_Engine = tuple[str, str, str]
"""Platform, model and engine."""

Alike = Mapping[Subject, Subject]
"""The subject of a simulated comparison → that of the first which is the same simulation, itself where there is none before."""


def alike(contrasts: Iterable[Contrast]) -> dict[Subject, Subject]:
    """Of all simulated comparisons; two are the same if they differ in the engine's name and in no cell's metrics."""
    first: dict[tuple[object, ...], Subject] = {}
    return {
        contrast.subject: first.setdefault(_key(contrast), contrast.subject)
        for contrast in contrasts
        if contrast.evidence == SIMULATED
    }


def first_of(contrast: Contrast, found: Alike) -> Subject:
    """The subject of the comparison that stands for this one, which is its own unless it repeats a simulation."""
    own = contrast.subject
    return found.get(own, own) if contrast.evidence == SIMULATED else own


def merged(checks: Sequence[Check], found: Alike) -> Iterator[Check]:
    """The checks without those that another engine's name repeats; the one that stays names the others as `alike`.

    What repeats has the same quantity and interval too. What is said of an engine under no such load, as of its exact batches, is
    a repetition where the two engines are alike under every load that they share.
    """
    engines = _alike_engines(found)
    kept: dict[object, list[Check]] = {}
    for place, check in enumerate(checks):
        key: object = place
        if check.evidence == SIMULATED:
            subject = check.subject
            own = replace(subject, engine=engines.get(_engine(subject), subject.engine))
            key = (found.get(subject, own), check.quantity, check.interval, check.region)
        kept.setdefault(key, []).append(check)
    for check, *others in kept.values():
        yield replace(check, alike=_names(check, others)) if others else check


def _names(check: Check, others: Sequence[Check]) -> tuple[str, ...]:
    # An engine that is held against two others, which are alike, is there twice itself.
    engine = check.subject.engine
    return tuple(other.note if other.subject.engine == engine else other.subject.engine for other in others)


def _alike_engines(found: Alike) -> dict[_Engine, str]:
    """Engine → the one that stands for it under every load."""
    firsts: defaultdict[_Engine, set[str]] = defaultdict(set)
    for subject, first in found.items():
        firsts[_engine(subject)].add(first.engine)
    return {engine: some.pop() for engine, some in firsts.items() if len(some) == 1}


def _engine(subject: Subject) -> _Engine:
    return (subject.platform, subject.model, subject.engine)


def _key(contrast: Contrast) -> tuple[object, ...]:
    cells = contrast.cells.sort_values(_ORDER)
    # What is not known of two cells is the same of both.
    metrics = cells[[name for name in _COMPARED if name in cells]].astype(float).fillna(-1.0)
    return (replace(contrast.subject, engine=""), *metrics.itertuples(index=False, name=None))
