"""The four outcomes of a gate."""

from burstlab.records.schema import Gate


def decided(
    name: str, ok: bool, message: str, value: float | None = None, limit: float | None = None
) -> Gate:
    """Passed or failed; the message states the figure and the limit with their unit."""
    # numpy's own booleans and numbers are none to a record.
    value, limit = (None if number is None else float(number) for number in (value, limit))
    return Gate(name=name, passed=bool(ok), message=message, value=value, limit=limit)


def not_judged(name: str, missing: str) -> Gate:
    """No verdict, since `missing` is not there: this is not a pass."""
    return Gate(name=name, passed=None, message=f"not judged: {missing}")


def not_applicable(name: str, why: str) -> Gate:
    """The condition means nothing for this cell."""
    return Gate(name=name, passed=None, applies=False, message=f"not applicable: {why}")
