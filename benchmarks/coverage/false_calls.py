"""How often the ledger calls a change in a study without any.

A null study has six groups, as the default study has, and every column of `claims.families.FAMILIES`. The columns are computed
from made-up requests, so those of one group move together as measured ones do: E2EL holds the TTFT and the TPOT of the same
requests. The corrections are those that the ledger itself computes (`claims.families.corrections`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from made_up import GROUPS, draw, seeded

from burstlab.claims.check import FALSE_DISCOVERIES, Subject
from burstlab.claims.evidence import BySeed, Contrast
from burstlab.claims.families import FAMILIES, Correction, Key, corrections
from burstlab.statistics.relative_change import change_p_value

STEADY_B, BURSTY_B = 1.0, 0.1
TOKENS = 32
Columns = dict[str, np.ndarray]
"""Column → values, shape (studies, seeds)."""


def false_calls(studies: int, all_seeds: Sequence[int]) -> Iterator[tuple[str, list[float]]]:
    """Rows of the table: one share of studies for each number of seeds."""
    rows: dict[str, list[float]] = {}
    for seeds in all_seeds:
        found = _counted(studies, seeds)
        for name, share in found.items():
            rows.setdefault(name, []).append(share)
    yield from rows.items()


def _counted(studies: int, seeds: int) -> dict[str, float]:
    rng = np.random.default_rng(100 + seeds)
    groups = [_group(rng, studies, seeds) for _ in range(GROUPS)]
    single, uncorrected = [], []
    verdicts: dict[str, list[bool]] = {name: [] for name in FAMILIES}
    for study in range(studies):
        contrasts = [_contrast(number, *pair, study) for number, pair in enumerate(groups)]
        p_values = [_uncorrected(one, column) for one in contrasts for column in FAMILIES["TPOT and E2EL"]]
        single.append(np.mean([p_value <= FALSE_DISCOVERIES for p_value in p_values]))
        uncorrected.append(min(p_values) <= FALSE_DISCOVERIES)
        found = corrections(contrasts, same={})
        for name, columns in FAMILIES.items():
            verdicts[name].append(_calls(found, columns))
    rows = {
        "no change: one comparison calls one": float(np.mean(single)),
        f"no change: any of {GROUPS * len(FAMILIES['TPOT and E2EL'])} calls one, uncorrected": float(
            np.mean(uncorrected)
        ),
    }
    for name, calls in verdicts.items():
        count = GROUPS * len(FAMILIES[name])
        rows[f"no change: a verdict on all {count} of '{name}' calls one"] = float(np.mean(calls))
    rows["no change: any of these four verdicts calls one"] = float(
        np.mean(np.any(list(verdicts.values()), axis=0))
    )
    return rows


def _calls(found: Mapping[Key, Correction], columns: Sequence[str]) -> bool:
    return any(
        correction.adjusted_p <= FALSE_DISCOVERIES
        for (_, _, column), correction in found.items()
        if column in columns
    )


def _group(rng: np.random.Generator, studies: int, seeds: int) -> tuple[Columns, Columns]:
    """Both conditions of one group in all studies."""
    drawn = [draw(rng, studies, seeds, change=False) for _ in range(3)]
    steady, bursty = ([pair[condition] for pair in drawn] for condition in (0, 1))
    return _columns(*steady), _columns(*bursty)


def _columns(tpot: np.ndarray, ttft: np.ndarray, prompts: np.ndarray) -> Columns:
    """The families' columns of runs: `tpot` and `ttft` in any unit, `prompts` what decides how batches mix."""
    e2el = 10 * ttft + TOKENS * tpot
    mixed = prompts.mean(axis=-1)
    return {
        "median_tpot_ms": np.median(tpot, axis=-1),
        "p90_tpot_ms": np.quantile(tpot, 0.9, axis=-1),
        "mean_e2el_ms": e2el.mean(axis=-1),
        "median_e2el_ms": np.median(e2el, axis=-1),
        "p90_e2el_ms": np.quantile(e2el, 0.9, axis=-1),
        "mean_ttft_ms": ttft.mean(axis=-1),
        "median_ttft_ms": np.median(ttft, axis=-1),
        "decode_only_token_share": (prompts < 1.0).mean(axis=-1),
        "mean_mixed_tokens": mixed,
        "mixed_context_share": mixed / (1.0 + mixed),
        "mean_mixed_ms": mixed + tpot.mean(axis=-1),
    }


@dataclass(frozen=True)
class _MadeUp(Contrast):
    """Of one study, without a table that would have to be searched."""

    before: Columns
    after: Columns
    study: int

    def steady(self, column: str) -> BySeed:
        return seeded(self.before[column][self.study])

    def bursty(self, column: str) -> BySeed:
        return seeded(self.after[column][self.study])


def _contrast(number: int, steady: Columns, bursty: Columns, study: int) -> Contrast:
    subject = Subject("made-up", f"group {number}")
    return _MadeUp(subject, "simulated", STEADY_B, BURSTY_B, _NAMES, steady, bursty, study)


_NAMES = pd.DataFrame(columns=[column for columns in FAMILIES.values() for column in columns])


def _uncorrected(contrast: Contrast, column: str) -> float:
    found = change_p_value(contrast.steady(column), contrast.bursty(column))
    assert found is not None
    return found
