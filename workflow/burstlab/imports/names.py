"""What a saved benchmark's place or its importer says of it: names, and numbers that its content must confirm."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePath

from burstlab.errors import BurstlabError

_OTHER = re.compile(r"[^a-z0-9._-]+")
_NUMBER = r"([0-9]+(?:\.[0-9]+)?|inf)"
_LAYOUT = (
    re.compile(r"in([0-9]+)out([0-9]+)"),
    re.compile(rf"rate{_NUMBER}"),
    re.compile(rf"burst{_NUMBER}"),
    re.compile(r"prompts([0-9]+)seed([0-9]+)\.json"),
)
_DEPTH = 7
_LONGEST = 100  # file systems take 255 bytes
_SEED = re.compile(r"seed[-_=]?([0-9]+)")


@dataclass(frozen=True)
class Named:
    """What is said of one file from outside. None is what nobody said; lengths are in tokens."""

    platform: str | None = None
    model: str | None = None
    engine: str | None = None
    workload: str | None = None
    rate: float | None = None
    burstiness: float | None = None
    requests: int | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    seed: int | None = None


def from_layout(path: PurePath) -> Named | None:
    """What `<engine>/<gpu>/<model>/in<I>out<O>/rate<R>/burst<b>/prompts<N>seed<S>.json` says; None for other paths.

    Only the last seven parts count. The workload is called `in<I>out<O>-n<N>`, for N is a part of it.
    """
    parts = path.parts[-_DEPTH:]
    if len(parts) < _DEPTH:
        return None
    found = [pattern.fullmatch(part) for pattern, part in zip(_LAYOUT, parts[3:], strict=True)]
    if not all(found):
        return None
    lengths, rate, burst, repeat = (match.groups() for match in found if match)
    return Named(
        engine=slug(parts[0]),
        platform=slug(parts[1]),
        model=slug(parts[2]),
        workload=f"in{lengths[0]}out{lengths[1]}-n{repeat[0]}",
        rate=float(rate[0]),
        burstiness=float(burst[0]),
        requests=int(repeat[0]),
        input_tokens=int(lengths[0]),
        output_tokens=int(lengths[1]),
        seed=int(repeat[1]),
    )


def seed_in_name(path: PurePath) -> int | None:
    """The seed that a file's name states, as in `qwen_seed3.json`."""
    found = _SEED.findall(path.stem)
    return int(found[0]) if len(found) == 1 else None


def slug(text: str) -> str:
    """`text` as a name that can be a part of a path: `Qwen/Qwen3-8B` gives `qwen3-8b`."""
    name = _OTHER.sub("-", text.rstrip("/").rsplit("/", 1)[-1].lower()).strip("-._")
    if not name:
        raise BurstlabError(f"{text!r} makes no name: one of letters, digits, '.', '_' or '-' is needed")
    if len(name) > _LONGEST:
        raise BurstlabError(f"{text[:_LONGEST]!r}… makes no name: it is longer than {_LONGEST} characters")
    return name
