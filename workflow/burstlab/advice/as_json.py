"""The answer for machines."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, is_dataclass
from typing import Any

from burstlab.advice.answer import EVIDENCE, Answer


def as_json(answer: Answer) -> str:
    """One object. Changes are fractions with their 95% intervals; what is unknown is null."""
    question = answer.question
    return json.dumps(
        _plain(
            {
                "evidence": EVIDENCE,
                "verdict": answer.verdict,
                "engine": answer.engine,
                "lengths": question.lengths.words,
                "rate_req_s": question.rate_per_s,
                "steady_burstiness": question.steady,
                "bursty_burstiness": question.bursty,
                "requests": question.requests,
                "seeds": question.seeds,
                "capacity_req_s": answer.capacity_per_s,
                "load": answer.load,
                "latencies": answer.latencies,
                "mechanism": answer.mechanism,
                "loads": answer.loads,
                "turns": answer.turns,
                "if_the_load_is_off": answer.loads_off,
                "as_assumed": answer.as_assumed,
                "if_a_constant_is_off": answer.swings,
                "largest_batch_over_measured": answer.beyond_measured,
            }
        ),
        indent=2,
        ensure_ascii=False,
        allow_nan=False,
    )


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return _plain(asdict(value))
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
