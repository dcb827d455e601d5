"""Simulated comparisons that are one: engines under several names whose differences the simulator takes no notice of.

FlashAttention 3 is vLLM's choice on Hopper, so that `default` and `fa3` are the same costs there. Their cells are alike to the
last digit, and a count of groups must not grow with the number of names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from burstlab.claims.check import Check, Subject
from burstlab.claims.evidence import Contrast

SIMULATED = "simulated"
_ORDER = ["burstiness", "seed"]
_COMPARED = [
    *_ORDER,
    "mean_ttft_ms",
    "mean_tpot_ms",
    "mean_e2el_ms",
    "p99_e2el_ms",
    "decode_only_token_share",
]

SAME = "the same simulation as"

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


def merged(checks: Sequence[Check], found: Alike) -> Iterator[Check]:
    """The checks without those that another engine's name repeats; the one that stays names the others in its note.

    What repeats has the same interval too: engines that are alike under some load may differ under another.
    """
    first_engine: dict[tuple[str, str, str], str] = {}
    for subject, first in found.items():
        if subject != first:
            first_engine.setdefault((subject.platform, subject.model, subject.engine), first.engine)
    kept: dict[tuple[object, ...], list[Check]] = {}
    for check in checks:
        subject = check.subject
        engine = first_engine.get((subject.platform, subject.model, subject.engine), subject.engine)
        own = replace(subject, engine=engine if check.evidence == SIMULATED else subject.engine)
        kept.setdefault((own, check.quantity, check.evidence, check.interval, check.region), []).append(check)
    for check, *others in kept.values():
        yield replace(check, note=_with_names(check, others)) if others else check


def _with_names(check: Check, others: Sequence[Check]) -> str:
    # An engine that is held against two others, which are alike, is there twice itself.
    engine = check.subject.engine
    names = [other.note if other.subject.engine == engine else other.subject.engine for other in others]
    return "; ".join(filter(None, (check.note, f"{SAME} {' and '.join(names)}")))


def _key(contrast: Contrast) -> tuple[object, ...]:
    cells = contrast.cells.sort_values(_ORDER)
    # What is not known of two cells is the same of both.
    metrics = cells[[name for name in _COMPARED if name in cells]].astype(float).fillna(-1.0)
    return (replace(contrast.subject, engine=""), *metrics.itertuples(index=False, name=None))
