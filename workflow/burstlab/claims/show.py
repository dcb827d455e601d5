"""The verdicts on a terminal."""

import textwrap
from collections.abc import Mapping, Sequence

from burstlab.claims.counts import by_evidence
from burstlab.wording import count

WIDTH = 120


def show(rows: Sequence[Mapping[str, str]]) -> str:
    """Rows of the table of verdicts: a line each, with what was found below it, and the number of each verdict."""
    claims = len({row["id"] for row in rows})
    last = ", ".join(
        f"{number} {word}" + (f" ({evidence})" if evidence else "")
        for word, number, evidence in by_evidence(rows)
    )
    return "\n".join(
        [
            *(_entry(row) for row in rows),
            "",
            f"{count(len(rows), 'verdict')} on {count(claims, 'claim')}: {last}",
        ]
    )


def _entry(row: Mapping[str, str]) -> str:
    verdict = row["verdict"]
    if row["trend"]:
        verdict += f", trend {row['trend']}"
    source = " · ".join(word for word in (row["evidence"], row["platform"]) if word)
    head = f"{row['id']:<4}{verdict}" + (f" [{source}]" if source else "")
    body = [
        row["statement"],
        *([f"Published: {row['published']}."] if row["published"] else []),
        row["summary"],
    ]
    lines = [textwrap.fill(text, WIDTH, initial_indent="    ", subsequent_indent="      ") for text in body]
    return "\n".join([head, *lines])
