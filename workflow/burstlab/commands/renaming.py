"""`OLD=NEW` of options that give a platform another name."""

from pydantic import TypeAdapter, ValidationError

from burstlab.errors import BurstlabError
from burstlab.study.schema import Name

_NAME = TypeAdapter(Name)


def renaming(text: str) -> tuple[str, str]:
    """The old and the new name that `--platform` was given; BurstlabError where it is no such pair."""
    old, equals, new = text.partition("=")
    if not equals or not old:
        raise BurstlabError(f"--platform {text}: OLD=NEW was expected, such as cpu=xeon-2-cores")
    return old, a_name(new, f"--platform {text}")


def a_name(name: str, option: str) -> str:
    """The name that `option` was given; BurstlabError where it is none."""
    try:
        return _NAME.validate_python(name)
    except ValidationError as error:
        raise BurstlabError(f"{option}: {name!r}: {error.errors()[0]['msg']}") from None
