"""The unfinished file of a download, and what is known of the version that it is a part of."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from burstlab.files import atomic_write_text


class Partial:
    """`<target>.part` and `<target>.part.json`, which holds the URL and the server's validator of that
    version.
    """

    def __init__(self, target: Path) -> None:
        self.target = target
        self.path = target.with_name(target.name + ".part")
        self._note = target.with_name(target.name + ".part.json")

    def size_bytes(self, url: str) -> int:
        """Bytes that are there and belong to `url`; 0 if there are none."""
        if not self.path.exists() or self._known().get("url") != url:
            return 0
        return self.path.stat().st_size

    def range_headers(self, url: str) -> dict[str, str]:
        """Headers that ask for the rest, provided that the file has not changed since (RFC 9110,
        If-Range).
        """
        size = self.size_bytes(url)
        if size == 0:
            return {}
        headers = {"Range": f"bytes={size}-"}
        validator = self._known().get("validator")
        return {**headers, "If-Range": validator} if validator else headers

    def begin(self, url: str, headers: Mapping[str, str]) -> None:
        """Start from nothing with the version that a response's `headers` describe."""
        self.discard()
        etag = headers.get("ETag", "")
        # A weak ETag (W/"…") promises no equal bytes, so If-Range must not use it (RFC 9110, 13.1.5).
        validator = etag if etag.startswith('"') else headers.get("Last-Modified", "")
        atomic_write_text(self._note, json.dumps({"url": url, "validator": validator}) + "\n")

    def discard(self) -> None:
        """Forget what was downloaded."""
        self.path.unlink(missing_ok=True)
        self._note.unlink(missing_ok=True)

    def finish(self) -> None:
        """Make the partial file the target."""
        self.path.touch()  # an empty body leaves no part file
        self.path.replace(self.target)
        self._note.unlink(missing_ok=True)

    def _known(self) -> dict[str, str]:
        try:
            known = json.loads(self._note.read_bytes())
        except (OSError, ValueError):
            return {}
        return known if isinstance(known, dict) else {}
