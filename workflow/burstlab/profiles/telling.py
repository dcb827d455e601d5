"""A profile in some lines of text: what was launched and joined, the parts of an iteration, the interference index."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from burstlab.iterations.log import DECODE_ONLY, KINDS, MIXED
from burstlab.profiles.breakdown import Breakdown, breakdown, unnamed
from burstlab.profiles.interference import Index, Per, interference
from burstlab.profiles.joining import joining
from burstlab.profiles.profile import Profile
from burstlab.wording import count

_NAMES = 10


def tell(profile: Profile, per: Per) -> list[str]:
    """The lines; the index is the cost of a decode token, or of an iteration."""
    found = breakdown(profile)
    lines = [*_joined(profile), *_unnamed(profile)]
    for process in sorted(set(profile.iterations["process"].to_pylist())):
        lines += ["", *_of_process(process, found.of_process(process), per)]
    return lines


def _joined(profile: Profile) -> Iterator[str]:
    yield f"{_launches(profile.launches.num_rows)}, {count(profile.iterations.num_rows, 'iteration')}"
    for one in joining(profile):
        yield f"joined {one.joined or 'to no iteration'}: {_launches(one.launches)}, {one.share:.2%} of their time"


def _unnamed(profile: Profile) -> Iterator[str]:
    found = unnamed(profile)
    if not found:
        return
    yield f"of no family: {count(len(found), 'name')}, {sum(one.share for one in found):.2%} of the time of launches"
    for one in found[:_NAMES]:
        yield f"  {one.share:.2%} {one.name}"
    if len(found) > _NAMES:
        yield f"  … and {len(found) - _NAMES} more"


def _of_process(process: int, found: Breakdown, per: Per) -> Iterator[str]:
    kind = np.array(found.iterations["kind"].to_pylist())
    kinds = [name for name in KINDS if (kind == name).any()]
    yield f"process {process}, µs an iteration" + _row(f"{name} ({(kind == name).sum()})" for name in kinds)
    rows = [("all", found.iterations["duration_us"].to_numpy())]
    rows += [(part, found.time_us[:, column]) for column, part in enumerate(found.parts)]
    for name, time_us in rows:
        if time_us.any():
            yield f"  {name:<24}" + _row(f"{time_us[kind == one].mean():,.1f}" for one in kinds)
    yield ""
    if not {MIXED, DECODE_ONLY} <= set(kinds):
        yield "no index: it takes mixed and decode-only iterations"
        return
    what = "decode token" if per == "token" else "iteration"
    yield f"interference index: µs for each {what}, in mixed and in decode-only iterations, and the ratio"
    for index in interference(found, per):
        yield (
            f"  {index.part:<24}"
            + _row([f"{index.mixed_us:,.1f}", f"{index.decode_only_us:,.1f}"])
            + _told(index)
        )


def _told(index: Index) -> str:
    if index.interval is None:
        return f"   no interval: {index.why}"
    one = index.interval
    return f"   {one.estimate:.2f} (95%: {one.low:.2f} to {one.high:.2f})"


def _row(words: Iterator[str] | list[str]) -> str:
    return "".join(f"{word:>22}" for word in words)


def _launches(number: int) -> str:
    return count(number, "launch", "launches")
