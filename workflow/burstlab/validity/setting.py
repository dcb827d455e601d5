"""Comparing one setting that was asked for with what the engine said that it used."""

from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence
from burstlab.validity.outcome import decided, not_applicable, not_judged

NOT_KNOWN = "it is not known what was asked for"


def as_asked(name: str, evidence: Evidence, asked: str | None, *keys: str) -> Gate:
    """A verdict on the first of `keys` that the engine's log named; not applicable where nothing was asked for, and none
    where nobody knows what was.

    Capitals make no difference, since vLLM writes names in both ways.
    """
    if asked is None and not evidence.asking_known:
        return not_judged(name, NOT_KNOWN)
    if asked is None:
        return not_applicable(name, "the engine was left to choose")
    for key in keys:
        used = evidence.reported(key)
        if used is not None:
            ok = used.casefold() == asked.casefold()
            message = f"{key}: asked for {asked}, the engine says {used}"
            return decided(name, ok, message)
    return not_judged(name, f"asked for {asked}, and the engine's log names no {keys[0]}")
