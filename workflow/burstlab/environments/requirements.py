"""The text of a lock: pip's requirements format, each requirement with its hashes on the lines after it."""

import re
from collections.abc import Collection, Iterator, Mapping


def split(text: str, names: Collection[str]) -> tuple[str, str]:
    """The requirements of `text` but for those of the packages `names`, and these; either may be empty."""
    others: list[str] = []
    chosen: list[str] = []
    for requirement in _requirements(text):
        (chosen if _name(requirement) in names else others).append(requirement)
    return "".join(others), "".join(chosen)


def with_hashes(text: str, hashes: Mapping[str, Collection[str]]) -> str:
    """`text` in which each requirement of `hashes`, such as "torch==2.13.0+cpu", also has these, each once.

    A requirement that `text` does not have adds nothing.
    """
    return "".join(_with_hashes(requirement, hashes) for requirement in _requirements(text))


def pinned_version(text: str, name: str) -> str | None:
    """The version that `text` pins the package `name` to; None where it does not."""
    found = re.search(rf"^{re.escape(name)}==([^\s\\;]+)", text, re.MULTILINE)
    return found[1] if found else None


def _with_hashes(requirement: str, hashes: Mapping[str, Collection[str]]) -> str:
    start = re.split(r"[ \\\n]", requirement, maxsplit=1)[0]
    if start not in hashes:
        return requirement
    head = requirement.partition(" \\\n")[0]
    known = sorted({*re.findall(r"--hash=(\S+)", requirement), *hashes[start]})
    return " \\\n".join([head, *(f"    --hash={value}" for value in known)]) + "\n"


def _requirements(text: str) -> Iterator[str]:
    """Each requirement with its lines' ends."""
    lines: list[str] = []
    for line in text.splitlines(keepends=True):
        if line.strip() and not line.startswith("#"):
            lines.append(line)
            if not line.rstrip().endswith("\\"):
                yield "".join(lines)
                lines = []


def _name(requirement: str) -> str:
    return re.split(r"[=\s\[;]", requirement, maxsplit=1)[0]
