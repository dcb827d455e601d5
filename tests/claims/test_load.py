from pathlib import Path

import pytest

from burstlab.claims.load import load_claims
from burstlab.claims.registry import estimator, estimator_names
from burstlab.errors import BurstlabError

ENTRY = "{id: B1, source: s, statement: t, kind: trend, conditions: c, needs: n%s}"


def ledger(folder: Path, text: str) -> Path:
    path = folder / "claims.yaml"
    path.write_text(text)
    return path


def test_the_ledger_holds_every_claim_in_order() -> None:
    expected = [f"B{number}" for number in range(1, 21)] + [f"S{number}" for number in range(1, 12)]
    assert [claim.id for claim in load_claims()] == expected


def test_every_estimator_serves_a_claim_and_can_be_called() -> None:
    used = {claim.estimator for claim in load_claims()} - {None}
    assert used == set(estimator_names())
    assert all(callable(estimator(name)) for name in used if name)


def test_what_no_estimator_checks_says_what_it_lacks_and_promises_no_command() -> None:
    for claim in load_claims():
        if claim.estimator is None:
            assert claim.command is None, claim.id
            assert "not built" in claim.needs, claim.id


def test_an_unknown_estimator_is_named_with_those_that_exist(tmp_path: Path) -> None:
    path = ledger(tmp_path, f"claims: [{ENTRY % ', estimator: guesswork'}]")
    with pytest.raises(BurstlabError, match=r"claims.yaml: B1: estimator = 'guesswork'.*kingman"):
        load_claims(path)


def test_a_faulty_key_is_named_with_its_place(tmp_path: Path) -> None:
    path = ledger(tmp_path, f"claims: [{ENTRY % ', colour: red'}]")
    with pytest.raises(BurstlabError, match=r"claims.0.colour"):
        load_claims(path)


@pytest.mark.parametrize("text", ["claims: [", "", "claims: []", "- 1"])
def test_what_is_no_ledger_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(BurstlabError, match=r"claims\.yaml"):
        load_claims(ledger(tmp_path, text))


def test_a_missing_ledger_is_named(tmp_path: Path) -> None:
    with pytest.raises(BurstlabError, match=r"nowhere\.yaml: cannot read the ledger"):
        load_claims(tmp_path / "nowhere.yaml")
