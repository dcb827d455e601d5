"""Telling by its name that a variable or flag holds a secret, and hiding its value. The only place that decides this.

Configurations with such names are refused (`study.values`), since records and logs would hold the value. What is
written to a record or a log all the same goes through here.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping
from urllib.parse import parse_qsl, urlsplit

HIDDEN = "(hidden)"

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_ANYWHERE = frozenset(
    (
        "secret",
        "secrets",
        "password",
        "passwd",
        "passphrase",
        "credential",
        "credentials",
        "apikey",
        "authorization",
    )
)
# `token` ends a name that holds one (HF_TOKEN); in long-prefill-token-threshold it is a number's unit. AWS_ACCESS_KEY_ID
# names a key that is no secret by itself, but belongs to one.
_AT_THE_END = (("token",), ("key",), ("keys",), ("key", "id"), ("auth",))
_SIGNATURES = frozenset(("sig", "signature"))


def is_secret(name: str) -> bool:
    """Whether what is called `name` is a secret: HF_TOKEN, api-key, apiKey, AWS_SECRET_ACCESS_KEY; not tokenizer."""
    words = [word.lower() for word in _WORDS.findall(name)]
    if _ANYWHERE.intersection(words) or ("api", "key") in itertools.pairwise(words):
        return True
    return any(tuple(words[-len(end) :]) == end for end in _AT_THE_END)


def is_secret_url(url: str) -> bool:
    """Whether the address itself holds a password or token, such as that of a signed download."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False  # no address
    names = [name for name, _ in parse_qsl(parts.query, keep_blank_values=True)]
    signed = any(is_secret(name) or name.lower().split("-")[-1] in _SIGNATURES for name in names)
    return parts.password is not None or signed


def without_secrets(settings: Mapping[str, str]) -> dict[str, str]:
    """The same variables, those that hold secrets with `(hidden)` in place of their value."""
    return {name: HIDDEN if is_secret(name) else value for name, value in settings.items()}


def without_secret_arguments(arguments: Iterable[str]) -> list[str]:
    """The same command line: `--api-key VALUE`, `--api-key=VALUE` and `HF_TOKEN=VALUE` with `(hidden)` for the value."""
    shown: list[str] = []
    hide_next = False
    for argument in arguments:
        name, equals, _ = argument.partition("=")
        flag = argument.startswith("--")
        if hide_next and not flag:
            shown.append(HIDDEN)
        elif equals and re.fullmatch(r"(--)?[\w.-]+", name) and is_secret(name):
            shown.append(f"{name}={HIDDEN}")
        else:
            shown.append(argument)
        hide_next = flag and not equals and is_secret(argument)
    return shown
