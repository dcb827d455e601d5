"""The engine's iteration log of an imported benchmark, and whether it is of that benchmark alone."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from burstlab.engine.reported import reported
from burstlab.errors import BurstlabError
from burstlab.iterations.log import IterationLog, parse_bytes, parse_log

SUFFIXES = (".log", ".txt")
# Preempted requests compute tokens again, a warm-up adds some: more than this is another benchmark's log.
TOLERANCE = 0.05
EMPTY = parse_bytes(b"")


@dataclass(frozen=True)
class FoundLog:
    """The log beside a file, and why it is not used if `reason` is not None.

    `reported` is what the engine says in it that it used; a log may begin after that.
    """

    path: Path
    log: IterationLog
    reason: str | None
    reported: dict[str, str]


def log_beside(bench: Path) -> Path | None:
    """The file with the same stem and the suffix .log or .txt in the same folder; BurstlabError for both."""
    found = [path for suffix in SUFFIXES if (path := bench.with_suffix(suffix)).is_file()]
    if len(found) > 1:
        raise BurstlabError(
            f"{bench}: both {found[0].name} and {found[1].name} are beside it; keep its log only"
        )
    return found[0] if found else None


def read_log(path: Path, requests: pa.Table) -> FoundLog:
    """The iterations in `path`, in either of vLLM's forms, compared with the benchmark's `requests`.

    Every output token but a request's first is a generation token of the log, so the two counts agree unless
    the log is of more or less than this benchmark. Then it is not used: it would be another load's.
    """
    log, used = parse_log(path), reported(path)
    tokens = requests.filter(requests["error"].is_null())["output_tokens"].to_pylist()
    expected = sum(count - 1 for count in tokens if count)
    found = sum(log.table["generation_tokens"].to_pylist())
    if log.table.num_rows == 0:
        return FoundLog(path, log, "no line of it is an iteration of vLLM's log", used)
    if abs(found - expected) > TOLERANCE * expected:
        return FoundLog(
            path,
            log,
            f"it has {found} generation tokens, the requests {expected}: it is not of this benchmark alone",
            used,
        )
    return FoundLog(path, log, None, used)
