"""Sums over iterations that each take a little longer than the one before."""

from __future__ import annotations

from math import isqrt


def total_ps(first_ps: int, growth_ps: int, steps: int) -> int:
    """first + (first + growth) + …, `steps` terms."""
    return steps * first_ps + growth_ps * (steps * (steps - 1) // 2)


def steps_to_reach(first_ps: int, growth_ps: int, span_ps: int) -> int:
    """The fewest steps, at least 1, that take `span_ps` or longer; `first_ps` must be above 0."""
    if span_ps <= first_ps:
        return 1
    if growth_ps == 0:
        return -(-span_ps // first_ps)
    # growth·n² + (2·first − growth)·n ≥ 2·span, solved for n; isqrt is exact, so n is the answer or one below it.
    linear = 2 * first_ps - growth_ps
    steps = (isqrt(linear * linear + 8 * growth_ps * span_ps) - linear) // (2 * growth_ps)
    while total_ps(first_ps, growth_ps, steps) < span_ps:
        steps += 1
    return steps
