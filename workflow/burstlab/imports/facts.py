"""What the saved file itself says of the benchmark, beside its metrics."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from burstlab.errors import BurstlabError
from burstlab.sealed import is_unicode, json_object

# Beyond these, send times cannot be told from 0 or from each other.
_LEAST, _MOST = 1e-6, 1e9


@dataclass(frozen=True)
class Facts:
    """Keys that `vllm bench serve` saves of its own arguments. `date` is in the client's local time, as saved."""

    model_id: str
    requests: int
    rate: float
    burstiness: float
    date: str | None


def read_facts(path: Path) -> Facts:
    """The facts in the file; BurstlabError naming file and key where one is missing or of another kind."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BurstlabError(f"{path}: cannot be read: {error.strerror}") from error
    content = json_object(data, path)
    model, requests, date = content.get("model_id"), content.get("num_prompts"), content.get("date")
    if not isinstance(model, str) or not model or not is_unicode(model):
        raise BurstlabError(f"{path}: model_id is {ascii(model)[:60]}; the name of the model was expected")
    if not isinstance(requests, int) or isinstance(requests, bool) or requests < 1:
        raise BurstlabError(f"{path}: num_prompts is {ascii(requests)[:60]}; a number from 1 was expected")
    return Facts(
        model_id=model,
        requests=requests,
        rate=_positive(path, content, "request_rate"),
        burstiness=_positive(path, content, "burstiness"),
        date=date if isinstance(date, str) and is_unicode(date) else None,
    )


def _possible(value: float) -> bool:
    return value == math.inf or _LEAST <= value <= _MOST


def _positive(path: Path, content: dict[str, Any], key: str) -> float:
    value = content.get(key)
    if value == "inf":  # how vLLM saves an infinite rate
        return math.inf
    if not isinstance(value, int | float) or isinstance(value, bool) or not _possible(value):
        raise BurstlabError(
            f"{path}: {key} is {ascii(value)[:60]}; a number from {_LEAST:.0e} to {_MOST:.0e} or inf was expected"
        )
    return float(value)
