"""No prompt was found in the prefix cache.

Reason: prompts that were sent before, by an earlier cell or a warm-up, need no computing again: time per output token was
seen to fall by 34% that way (vLLM issue 54227). The engine counts its hits; any hit is work that the cell says was done and
was not. A study that asks for the cache has it, so there the gate does not apply.
"""

from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence
from burstlab.validity.gate import ValidityGate
from burstlab.validity.outcome import decided, not_applicable, not_judged
from burstlab.wording import count

NAME = "prefix-cache-unused"
MOST_HITS = 0


def judge(evidence: Evidence) -> Gate:
    """Failed when the engine counted hits, in tokens."""
    arguments = evidence.asked("engine", "arguments") or {}
    if any(arguments.get(key) is True for key in ("enable-prefix-caching", "enable_prefix_caching")):
        return not_applicable(NAME, "the study asks for prefix caching")
    hits = None if evidence.counters is None else evidence.counters.prefix_cache_hits
    if hits is not None:
        return decided(
            NAME, hits <= MOST_HITS, f"{count(hits, 'token')} found in the prefix cache", hits, MOST_HITS
        )
    if evidence.reported("prefix_caching") == "False":
        return decided(NAME, True, "the engine says that prefix caching is off")
    return not_judged(NAME, "the engine's count of hits is not known")


GATE = ValidityGate(NAME, "the engine's counters, or its log", judge)
