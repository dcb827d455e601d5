"""How many verdicts there are of each kind, and by what evidence."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from burstlab.claims.decide import NOT_RUN, VERDICTS

_BY = {
    "measured": "measured",
    "simulated": "simulated",
    "published": "arithmetic on published numbers",
}


def by_evidence(rows: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, int, str]]:
    """Each verdict that rows of the table of verdicts have, in their order: word, number, and the evidence in words.

    That none was measured is said; a claim that was not run has no evidence.
    """
    found = Counter((str(row["verdict"]), str(row["evidence"])) for row in rows)
    for word in VERDICTS:
        numbers = {kind: found[word, kind] for kind in _BY}
        total = sum(number for (verdict, _), number in found.items() if verdict == word)
        if total:
            parts = [f"{number} {_BY[kind]}" for kind, number in numbers.items() if number]
            if not numbers["measured"]:
                parts.insert(0, "none measured")
            yield word, total, "" if word == NOT_RUN else ", ".join(parts)
