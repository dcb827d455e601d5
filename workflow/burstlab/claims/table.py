"""Verdicts and the checks behind them as tables."""

import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from burstlab.claims.check import Check
from burstlab.claims.decide import Verdict
from burstlab.claims.schema import Claim
from burstlab.claims.summary import by_quantity, published_text, summarise
from burstlab.files import atomic_write_bytes

_TEXT, _NUMBER = pa.string(), pa.float64()

VERDICTS_SCHEMA = pa.schema(
    [
        *(
            pa.field(name, _TEXT, nullable=False)
            for name in ("id", "source", "kind", "statement", "conditions")
        ),
        *(pa.field(name, _TEXT, nullable=False) for name in ("verdict", "trend", "evidence", "platform")),
        *(pa.field(name, _TEXT, nullable=False) for name in ("quantity", "unit")),
        *(pa.field(name, _NUMBER) for name in ("estimate", "low", "high")),
        pa.field("groups", pa.int64(), nullable=False),
        pa.field("published_value", _NUMBER),
        *(
            pa.field(name, _TEXT, nullable=False)
            for name in ("published", "confounds", "summary", "needs", "command")
        ),
    ]
)
CHECKS_SCHEMA = pa.schema(
    [
        *(
            pa.field(name, _TEXT, nullable=False)
            for name in ("id", "verdict", "evidence", "platform", "model")
        ),
        *(pa.field(name, _TEXT, nullable=False) for name in ("engine", "workload")),
        pa.field("rate", _NUMBER),
        *(pa.field(name, _TEXT, nullable=False) for name in ("setting", "quantity", "unit")),
        *(pa.field(name, _NUMBER, nullable=False) for name in ("estimate", "low", "high")),
        pa.field("units", pa.int64(), nullable=False),
        *(pa.field(name, _TEXT, nullable=False) for name in ("method", "claimed", "result")),
        *(pa.field(name, pa.bool_(), nullable=False) for name in ("headline", "direct")),
        *(pa.field(name, _NUMBER) for name in ("published_value", "p_value", "adjusted_p")),
        pa.field("comparisons", pa.int64()),
        *(pa.field(name, _TEXT, nullable=False) for name in ("note", "confounds", "alike")),
    ]
)


def write_tables(verdicts: Sequence[Verdict], folder: Path) -> None:
    """Writes `verdicts` and `checks` into `folder`, as Parquet and as CSV."""
    checks = [_check_row(verdict, check) for verdict in verdicts for check in verdict.checks]
    _write(folder / "verdicts", map(verdict_row, verdicts), VERDICTS_SCHEMA)
    _write(folder / "checks", checks, CHECKS_SCHEMA)


def verdict_row(verdict: Verdict) -> dict[str, Any]:
    """One verdict's row.

    Its estimate is the one of its first headline quantity; where several groups have one, the median over them, and the
    interval reaches from the lowest bound of any to the highest. The checks have each group's own.
    """
    claim = verdict.claim
    first = next(iter(by_quantity(verdict.headline).values()), [])
    shown = [check.published for check in first if check.published is not None]
    return {
        **{
            name: getattr(claim, name)
            for name in ("id", "source", "kind", "statement", "conditions", "needs")
        },
        **{name: getattr(verdict, name) for name in ("verdict", "trend", "evidence", "platform")},
        "quantity": first[0].quantity if first else "",
        "unit": first[0].unit if first else "",
        "estimate": float(np.median([check.interval.estimate for check in first])) if first else None,
        "low": min((check.interval.low for check in first), default=None),
        "high": max((check.interval.high for check in first), default=None),
        "groups": len(first),
        "published_value": shown[0] if shown else _first_value(claim),
        "published": "; ".join(published_text(one) for one in claim.published),
        "confounds": "; ".join(verdict.confounds),
        "summary": summarise(verdict),
        "command": claim.command or "",
    }


def _first_value(claim: Claim) -> float | None:
    return claim.published[0].value if claim.published else None


def _check_row(verdict: Verdict, check: Check) -> dict[str, Any]:
    names = ("evidence", "quantity", "unit", "result", "headline", "direct", "note")
    corrected = ("p_value", "adjusted_p", "comparisons")
    subject = ("platform", "model", "engine", "workload", "rate", "setting")
    interval = ("estimate", "low", "high", "units", "method")
    return {
        "id": verdict.claim.id,
        "verdict": verdict.verdict,
        **{name: getattr(check, name) for name in names + corrected},
        **{name: getattr(check.subject, name) for name in subject},
        **{name: getattr(check.interval, name) for name in interval},
        "claimed": check.region.words,
        "published_value": check.published,
        "confounds": "; ".join(check.confounds),
        "alike": "; ".join(check.alike),
    }


def _write(base: Path, rows: Iterable[dict[str, Any]], schema: pa.Schema) -> None:
    table = pa.Table.from_pylist(list(rows), schema=schema)
    binary, text = io.BytesIO(), io.BytesIO()
    pq.write_table(table, binary, compression="zstd")
    pa.csv.write_csv(table, text)
    atomic_write_bytes(base.with_suffix(".parquet"), binary.getvalue())
    atomic_write_bytes(base.with_suffix(".csv"), text.getvalue())
