"""What the ledger says, for the page: the verdicts, and the study's question answered for each model."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from burstlab.claims.check import FAILS, FALSE_DISCOVERIES, HOLDS, UNTOLD, excludes_zero_in_vain
from burstlab.claims.counts import by_evidence
from burstlab.claims.decide import DIFFERENT
from burstlab.claims.estimators.efficiency_decides import PARTS
from burstlab.claims.summary import scale_of
from burstlab.report.findings import NO_VERDICT
from burstlab.statistics.pairing import LEAST_PAIRS
from burstlab.wording import count, quantity, rate, signed

TPOT = "relative change of median TPOT"
_GROUP = ["platform", "model", "engine", "workload", "rate", "evidence"]
_TOLD = {HOLDS: "fell", FAILS: "rose"}


@dataclass(frozen=True, slots=True)
class Row:
    """What was found in one group: the change of median TPOT, and the three parts of the mechanism, each with its interval.

    `remark` says where the interval of the change alone would tell more than `told` does, `alike` which engines' simulations are
    the same.
    """

    group: str
    rate: str
    arrivals: str
    seeds: int
    change: str
    told: str
    remark: str
    alike: str
    parts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """Whether bursts lower the TPOT of one model on one platform, by one kind of evidence."""

    platform: str
    model: str
    evidence: str
    sentence: str
    rows: tuple[Row, ...]


def gather(tables: Path) -> dict[str, Any] | None:
    """What the template shows, from `verdicts.parquet` and `checks.parquet`; None where there are none yet."""
    if not (tables / "verdicts.parquet").is_file() or not (tables / "checks.parquet").is_file():
        return None
    verdicts = pd.read_parquet(tables / "verdicts.parquet")
    checks = pd.read_parquet(tables / "checks.parquet")
    entries = [_entry(row) for row in verdicts.to_dict("records")]
    return {
        "counts": list(by_evidence(entries)),
        "run": [entry for entry in entries if entry["verdict"] != "not run"],
        "not_run": [entry for entry in entries if entry["verdict"] == "not run"],
        "verdicts": len(entries),
        "claims": len({entry["id"] for entry in entries}),
        "answers": list(_answers(checks)),
        "parts": PARTS,
    }


def _entry(row: dict[Any, Any]) -> dict[str, Any]:
    return {**row, "found": _found(row)}


def _found(row: dict[Any, Any]) -> str:
    if pd.isna(row["estimate"]):
        return "–"
    what = f"{row['quantity'][0].upper()}{row['quantity'][1:]}"
    where = f", over {row['groups']} checks" if row["groups"] > 1 else ""
    return f"{what}: {_interval(row)}{where}"


def _interval(row: dict[Any, Any]) -> str:
    """An estimate with its interval: relative changes in %, all else in the row's unit."""
    scale, unit = scale_of(str(row["quantity"]), str(row["unit"]))
    estimate, low, high = (float(row[name]) * scale for name in ("estimate", "low", "high"))
    text = signed if scale > 1 or low < 0 or row["quantity"] in PARTS else quantity
    if low == high:
        return f"{text(estimate)}{unit}"
    return f"{text(estimate)}{unit} ({text(low)} to {text(high)}{unit})"


def _answers(checks: pd.DataFrame) -> Iterator[Answer]:
    tpot = checks[(checks["id"] == "B1") & (checks["quantity"] == TPOT)]
    parts = checks[(checks["id"] == "B14") & checks["quantity"].isin(PARTS)]
    for (platform, model, evidence), some in tpot.groupby(["platform", "model", "evidence"], sort=True):
        rows = tuple(_row(row, parts) for row in some.to_dict("records"))
        enough = some[some["units"] >= LEAST_PAIRS]
        alike = enough["confounds"] == ""
        its_parts = parts.merge(enough.loc[alike, _GROUP], on=_GROUP)
        its_parts = its_parts[its_parts["units"] >= LEAST_PAIRS]
        said = (
            _sentence(str(model), enough["result"].where(alike, UNTOLD)),
            _in_vain(enough[alike]),
            _thin(len(some) - len(enough)),
            _why(its_parts),
        )
        sentence = " ".join(text for text in said if text)
        if evidence == "simulated":
            sentence = f"Simulated: {sentence}"
        yield Answer(str(platform), str(model), str(evidence), sentence, rows)


def _sentence(model: str, results: "pd.Series[str]") -> str:
    groups = len(results)
    if not groups:
        return f"No verdict: no comparison of {model}'s median TPOT has {LEAST_PAIRS} pairs of seeds."
    fell, rose = int((results == HOLDS).sum()), int((results == FAILS).sum())
    if not fell and not rose:
        return f"The data do not tell: of {count(groups, 'comparison')} none tells a change of {model}'s median TPOT."
    lead = "Yes" if fell == groups else "Not everywhere" if fell else "No"
    untold = groups - fell - rose
    return f"{lead}: of {count(groups, 'comparison')}, median TPOT fell in {fell} and rose in {rose}; {untold} not told."


def _in_vain(checks: pd.DataFrame) -> str:
    """Where an interval alone would tell a change."""
    comparisons = [int(row["comparisons"]) for row in checks.to_dict("records") if _taken_back(row)]
    return f"In {len(comparisons)}, {excludes_zero_in_vain(comparisons[0])}." if comparisons else ""


def _taken_back(row: dict[Any, Any]) -> bool:
    return bool(row["adjusted_p"] > FALSE_DISCOVERIES and not row["low"] <= 0 <= row["high"])


def _thin(groups: int) -> str:
    if not groups:
        return ""
    return f"{count(groups, 'more comparison')} of fewer than {LEAST_PAIRS} pairs: not counted here."


def _why(parts: pd.DataFrame) -> str:
    """How often each part of the mechanism is told, in a sentence; the first is the one that the study explains its effect by."""
    told = []
    for name, text in zip(
        PARTS, ("the shift to decode-only iterations", "their cost", "the cost of mixed ones"), strict=True
    ):
        results = parts.loc[parts["quantity"] == name, "result"]
        fell, rose = int((results == HOLDS).sum()), int((results == FAILS).sum())
        if fell or rose:
            ways = [
                f"{word} it in {number}" for word, number in (("lowered", fell), ("raised", rose)) if number
            ]
            told.append(f"{text} {' and '.join(ways)} of {len(results)}")
    return f"The interval that the kinds of iteration give: {'; '.join(told)}." if told else ""


def _row(row: dict[Any, Any], parts: pd.DataFrame) -> Row:
    same = parts
    for column in _GROUP:
        same = same[same[column] == row[column]]
    by_quantity = {part["quantity"]: part for part in same.to_dict("records")}
    return Row(
        group=f"{row['engine']} · {row['workload']}",
        rate=rate(float(row["rate"])),
        arrivals=str(row["setting"]),
        seeds=int(row["units"]),
        change=_interval(row),
        told=_told(row),
        remark=excludes_zero_in_vain(int(row["comparisons"])) if _taken_back(row) else "",
        alike=str(row["alike"]),
        parts=tuple(_interval(by_quantity[name]) if name in by_quantity else "–" for name in PARTS),
    )


def _told(row: dict[Any, Any]) -> str:
    if row["confounds"]:
        return DIFFERENT
    return NO_VERDICT if row["units"] < LEAST_PAIRS else _TOLD.get(str(row["result"]), UNTOLD)
