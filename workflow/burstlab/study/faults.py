"""A fault of a configuration: where it is, and what would be right."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """`path` leads from the top of the configuration to the key: ("blocks", 1, "rates", 0)."""

    path: Path
    message: str


class FaultAtError(ValueError):
    """Raised by a check of a whole section or list: the fault is at `key` in it."""

    def __init__(self, key: str | int, message: str) -> None:
        super().__init__(message)
        self.key = key


def dotted(path: Path) -> str:
    """The path as a user would write it: `blocks[1].rates[0]`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")


def closest(word: str, options: Iterable[str]) -> str | None:
    """The option that `word` may be a misspelling of."""
    close = difflib.get_close_matches(word, list(options), n=1, cutoff=0.6)
    return close[0] if close else None


def suggestion(word: str, options: Iterable[str]) -> str:
    """`did you mean 'x'? There are: x, y`, for a word that is none of the options; without the question `there are: x, y`."""
    known = list(options)
    if not known:
        return "there are none"
    close = closest(word, known)
    words = f"did you mean {close!r}? There are" if close else "there are"
    return f"{words}: {', '.join(known)}"
