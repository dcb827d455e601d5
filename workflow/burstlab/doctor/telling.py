"""What `burstlab doctor` prints."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

from burstlab.doctor.finding import Finding
from burstlab.study.place import KeyPlaces

_WIDTH = 9


def as_text(findings: Sequence[Finding], places: KeyPlaces) -> str:
    """A paragraph a finding, and a last line that counts them."""
    counts = Counter(finding.level for finding in findings)
    last = f"{_plural(counts['error'], 'error')}, {_plural(counts['warning'], 'warning')}, {counts['ok']} ok"
    return "\n".join([*(_paragraph(finding, places) for finding in findings), last])


def as_json(findings: Sequence[Finding], places: KeyPlaces) -> str:
    """A list of objects: level, check, found, cure, and place and key, both null where none is concerned."""
    rows = [
        {
            "level": finding.level,
            "check": finding.check,
            "found": finding.found,
            "cure": finding.cure or None,
            "place": places.place(finding.path) if finding.path else None,
            "key": places.key(finding.path) if finding.path else None,
        }
        for finding in findings
    ]
    return json.dumps(rows, indent=2, ensure_ascii=False)


def _paragraph(finding: Finding, places: KeyPlaces) -> str:
    place = f"{places.where(finding.path)}: " if finding.path else ""
    cure = f"\n{'':{_WIDTH}}cure: {finding.cure}" if finding.cure else ""
    return f"{finding.level:{_WIDTH}}{finding.check}: {place}{finding.found}{cure}"


def _plural(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
