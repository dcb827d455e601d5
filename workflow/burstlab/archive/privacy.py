"""What must not leave a machine by accident: access tokens, and the names of its folders."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from burstlab.errors import BurstlabError

_TEXT = {"", ".json", ".csv", ".yaml", ".yml", ".html", ".md", ".txt", ".svg", ".cff", ".toml", ".py", ".smk"}
# A chunk's end is looked at again with the next chunk, so nothing hides on the border.
_OVERLAP = 512
# Looking for fixed bytes is much faster than for a pattern, and nearly no file has any.
_MARKS = (b"hf_", b"ghp_", b"gho_", b"ghu_", b"ghs_", b"ghr_", b"sk-", b"AKIA", b"PRIVATE KEY")
_TOKEN = re.compile(
    rb"\bhf_[A-Za-z0-9]{30,}|\bgh[pousr]_[A-Za-z0-9]{36,}|\bsk-[A-Za-z0-9_-]{32,}|\bAKIA[0-9A-Z]{16}\b"
    rb"|-----BEGIN [A-Z ]*PRIVATE KEY-----"
)


@dataclass
class Watch:
    """Looks at what is packed. `folders` are absolute paths of this machine; `named_in` the files that name one."""

    folders: Sequence[str] = ()
    named_in: list[str] = field(default_factory=list)

    def over(self, name: str) -> Callable[[bytes], None]:
        """A function that is given the content of the file `name`, chunk by chunk.

        It raises BurstlabError where the content has an access token or a private key in it.
        """
        folders = [folder.encode() for folder in self.folders if len(folder) > 1]
        tail = b""

        def look(chunk: bytes) -> None:
            nonlocal tail
            data = tail + chunk
            if any(mark in data for mark in _MARKS) and _TOKEN.search(data):
                raise BurstlabError(
                    f"{name}: has an access token or a private key in it, so it is not packed"
                )
            if name not in self.named_in[-1:] and any(folder in data for folder in folders):
                self.named_in.append(name)
            tail = data[-_OVERLAP:]

        return look if PurePosixPath(name).suffix in _TEXT else _look_at_nothing


def _look_at_nothing(_: bytes) -> None:
    """Parquet is compressed, and made by burstlab itself."""
