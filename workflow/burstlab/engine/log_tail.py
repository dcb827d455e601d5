"""The lines of an engine's log that tell a person why it ended."""

import re
from pathlib import Path

_WINDOW_BYTES = 200_000
_ANSI = re.compile(r"\x1b\[[0-9;]*m")
_PREFIX = re.compile(
    r"^(\(\w+ pid=\d+\) )?((INFO|WARNING|ERROR|CRITICAL|DEBUG) \d\d-\d\d \d\d:\d\d:\d\d )?(\[[^\]]+\] )?"
)
_CAUSE = re.compile(r"^\s*(\w+\.)*\w*(Error|Exception|OutOfMemory\w*|Killed)\b.*")


def _tail(log: Path) -> list[str]:
    try:
        with log.open("rb") as stream:
            stream.seek(max(0, log.stat().st_size - _WINDOW_BYTES))
            text = stream.read().decode(errors="replace")
    except OSError:
        return []
    return [line for line in (_ANSI.sub("", raw).rstrip() for raw in text.splitlines()) if line]


def last_lines(log: Path, count: int = 12) -> str:
    """The last lines that are not blank, colours removed."""
    return "\n".join(_tail(log)[-count:]) or "(the log is empty)"


def causes(log: Path) -> list[str]:
    """Lines that name an exception, without the logger's prefix, each once, in order."""
    found: dict[str, None] = {}
    for line in _tail(log):
        text = _PREFIX.sub("", line)
        if _CAUSE.match(text):
            found[text.strip()] = None
    return list(found)


def explain(log: Path) -> str:
    """A short account of why the engine ended: the exceptions its log names, else its last lines."""
    named = causes(log)
    return "\n".join(named[-4:]) if named else last_lines(log)
