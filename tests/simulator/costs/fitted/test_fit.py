"""Fits to durations that are made up, so that the truth is known."""

import numpy as np
import pytest

from burstlab.errors import BurstlabError
from burstlab.simulator.costs.fitted.batches import Batch
from burstlab.simulator.costs.fitted.costs import FittedCosts
from burstlab.simulator.costs.fitted.fit import Fit, fit
from burstlab.simulator.costs.fitted.terms import TERMS, values
from burstlab.simulator.costs.fitted.validation import cross_validate
from burstlab.simulator.costs.interface import Line

TRUE_MS = np.array([8.0, 0.6, 0.4, 0.3, 0.001, 2.0, 0.5, 0.25, 0.0001, 0.2, 0.002])


def made_up(count: int, seed: int, true_ms: np.ndarray = TRUE_MS) -> list[Batch]:
    generator = np.random.default_rng(seed)
    batches = []
    for number in range(count):
        decodes = int(generator.integers(0 if number % 4 else 1, 40))
        context = int(decodes * generator.integers(10, 400))
        chunks = [
            (int(generator.integers(1, 500)), int(generator.integers(0, 300))) for _ in range(number % 4)
        ]
        batches.append(
            Batch(decodes, context, chunks, float(np.dot(values(decodes, context, chunks), true_ms)))
        )
    return batches


def disturbed(batches: list[Batch], factors: np.ndarray) -> list[Batch]:
    return [
        Batch(batch.decodes, batch.context_tokens, batch.chunks, batch.elapsed_ms * float(factor))
        for batch, factor in zip(batches, factors, strict=True)
    ]


def test_a_term_has_a_unit_and_a_meaning() -> None:
    assert len({term.name for term in TERMS}) == len(values(1, 1, [(1, 0)])) == len(TERMS)
    assert all(term.unit and term.meaning for term in TERMS)


def test_values_by_hand() -> None:
    assert values(18, 900, ()) == (1, 4, 12, 2, 900, 0, 0, 0, 0, 0, 0)
    # 3 tokens after 10 attend to 11, 12 and 13; 2 new ones to 1 and 2.
    assert values(2, 50, [(3, 10), (2, 0)]) == (1, 2, 0, 0, 50, 1, 2, 5, 39, 2, 50)


def test_coefficients_come_back() -> None:
    found = fit(made_up(400, 0))
    assert found.coefficients_ms == pytest.approx(TRUE_MS, rel=1e-3)
    assert np.abs(found.residuals).max() < 1e-3


def test_a_term_that_costs_nothing_gets_nothing_and_none_is_negative() -> None:
    true_ms = TRUE_MS.copy()
    true_ms[-2:] = 0
    noise = np.random.default_rng(1).normal(1, 0.05, 400)
    found = fit(disturbed(made_up(400, 0, true_ms), noise)).coefficients_ms
    assert (found >= 0).all()
    assert found[-2:] == pytest.approx([0, 0], abs=0.15)


def test_outliers_bend_no_coefficient_but_count_in_the_sum() -> None:
    slow = np.where(np.arange(400) % 20 == 3, 4.0, 1.0)
    batches = disturbed(made_up(400, 0), slow)
    found = fit(batches)
    assert found.coefficients_ms / found.coefficients_ms[0] == pytest.approx(TRUE_MS / TRUE_MS[0], rel=0.05)
    measured = sum(batch.elapsed_ms for batch in batches)
    fitted = sum(
        np.dot(values(b.decodes, b.context_tokens, b.chunks), found.coefficients_ms) for b in batches
    )
    assert fitted == pytest.approx(measured)


def test_a_few_batches_are_refused() -> None:
    with pytest.raises(BurstlabError, match="49 iterations are too few"):
        fit(made_up(49, 0))


def test_a_group_that_ran_slower_shows_when_it_is_left_out() -> None:
    groups = [
        ("a", made_up(200, 1)),
        ("b", made_up(200, 2)),
        ("slow", disturbed(made_up(200, 3), np.full(200, 1.25))),
    ]
    found = {held_out.group: held_out for held_out in cross_validate(groups)}
    assert found["slow"].of_sum == pytest.approx(1 / 1.25 - 1, abs=0.01)
    assert found["slow"].typical == pytest.approx(0.2, abs=0.01)
    assert found["a"].of_sum > 0.05  # the slow group is among those fitted
    with pytest.raises(BurstlabError, match="2"):
        cross_validate(groups[:1])


def test_fitted_terms_as_costs() -> None:
    costs = FittedCosts(Fit(TRUE_MS, np.zeros(0)))
    # 8 + 4 · 0.6 + 1 · 0.4 + 1000 · 0.001 ms, and 5 more tokens of context each time.
    assert costs.decode(5, 1000) == Line(11_800_000_000, 5_000_000)
    assert costs.mixed(5, 1000, [(10, 0)]) == round((11.8 + 2 + 0.5 + 2.5 + 0.0055 + 1 + 2) * 1e9)
    assert costs.mixed(0, 0, [(10, 0)]) == round((8 + 2 + 0.5 + 2.5 + 0.0055) * 1e9)
