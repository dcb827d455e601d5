"""Reading the ledger."""

from pathlib import Path

import yaml
from pydantic import ValidationError

from burstlab.claims.registry import estimator_names
from burstlab.claims.schema import Claim, Ledger
from burstlab.errors import BurstlabError

LEDGER = Path(__file__).parents[2] / "claims.yaml"


def load_claims(path: Path = LEDGER) -> tuple[Claim, ...]:
    """The claims of a ledger in its order; raises BurstlabError that names the file, the entry and what is wrong."""
    try:
        # Tuples are lists in YAML, and strict validation takes JSON's lists for them, but not Python's.
        claims = Ledger.model_validate_json(_json(path)).claims
    except ValidationError as error:
        lines = [f"{path}: {_dotted(fault['loc'])}: {fault['msg']}" for fault in error.errors()[:10]]
        raise BurstlabError("\n".join(lines)) from None
    known = estimator_names()
    for claim in claims:
        if claim.estimator is not None and claim.estimator not in known:
            raise BurstlabError(
                f"{path}: {claim.id}: estimator = {claim.estimator!r}: there is none of this name; "
                f"there are {', '.join(known)}"
            )
    return claims


def _json(path: Path) -> str:
    import json

    try:
        return json.dumps(yaml.safe_load(path.read_text()))
    except OSError as error:
        raise BurstlabError(f"{path}: cannot read the ledger: {error.strerror}") from error
    except (yaml.YAMLError, TypeError, UnicodeDecodeError) as error:
        raise BurstlabError(f"{path}: is not a ledger in YAML: {error}") from error


def _dotted(place: tuple[int | str, ...]) -> str:
    return ".".join(map(str, place)) or "the ledger"
