"""Downloading a file of hundreds of megabytes: resumable, checked, and clear about what to do without a
network.
"""

from __future__ import annotations

import fcntl
import logging
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

import httpx

from burstlab.datasets.partial import Partial
from burstlab.errors import BurstlabError
from burstlab.files import sha256_of

_LOG = logging.getLogger(__name__)
_REPORT_EVERY_S = 5.0
_BUSY = {408, 425, 429, 500, 502, 503, 504}
_ENOUGH_HOPS = 10


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to keep trying: `attempts` in a row without a new byte, the pause doubling from
    `first_pause_s`.
    """

    attempts: int = 4
    first_pause_s: float = 1.0
    timeout_s: float = 30.0


class _TryAgainError(Exception):
    """The attempt failed in a way that another one may cure."""


def file_name(url: str) -> str:
    """The name under which a download of `url` is kept: the last part of its path."""
    name = PurePosixPath(unquote(urlsplit(url).path)).name
    if not re.fullmatch(r"[\w][\w.+ -]*", name):
        raise BurstlabError(f"url {url} does not end in a file name; it must, to name the downloaded file")
    return name


def download(url: str, sha256: str | None, target: Path, patience: Patience = Patience()) -> Path:
    """Have the file of `url` at `target`, and return `target`.

    A file that is there already, downloaded or put there by hand, is used if its SHA-256 is right.
    Otherwise the bytes go to `<target>.part`, which a later call continues, and become `target` only
    after the check. Without `sha256` nothing is checked, and the log says so.

    Raises BurstlabError when the checksum is wrong, the server refuses, or there is no network; the last
    two say which file to put where.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    with _alone(target):
        if target.exists():
            _check_present(target, sha256, url)
            return target
        try:
            _fetch_checked(url, sha256, target, patience)
        except OSError as error:
            raise BurstlabError(f"cannot write {target}: {error}") from error
    return target


@contextmanager
def _alone(target: Path) -> Iterator[None]:
    # Two datasets may name the same file, and their jobs run at the same time.
    with target.with_name(f".{target.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _check_present(target: Path, sha256: str | None, url: str) -> None:
    if sha256 is None:
        _LOG.warning("%s is used unchecked: the configuration gives no sha256", target)
        return
    found = sha256_of(target)
    if found != sha256:
        raise BurstlabError(
            f"{target} has SHA-256 {found}, but the configuration asks for {sha256}: "
            f"remove the file to download {url} again, or correct sha256"
        )
    _LOG.info("%s is there already, checksum right", target)


def _fetch_checked(url: str, sha256: str | None, target: Path, patience: Patience) -> None:
    partial = Partial(target)
    resumed = partial.size_bytes(url) > 0
    _fetch(url, sha256, partial, patience)
    if sha256 is not None and sha256_of(partial.path) != sha256 and resumed:
        _LOG.warning("the continued download of %s has a wrong checksum; starting afresh", url)
        partial.discard()
        _fetch(url, sha256, partial, patience)
    if sha256 is None:
        _LOG.warning("%s is used unchecked: the configuration gives no sha256", target)
    elif (found := sha256_of(partial.path)) != sha256:
        partial.discard()
        raise BurstlabError(
            f"{url} has SHA-256 {found}, but the configuration asks for {sha256}: the published file was "
            "changed, or the url or sha256 is wrong; nothing was kept"
        )
    partial.finish()
    _LOG.info("downloaded %s (%d bytes)", target, target.stat().st_size)


def _fetch(url: str, sha256: str | None, partial: Partial, patience: Patience) -> None:
    failures = 0
    with httpx.Client(
        follow_redirects=True, max_redirects=_ENOUGH_HOPS, timeout=httpx.Timeout(patience.timeout_s)
    ) as client:
        while True:
            before = partial.size_bytes(url)
            try:
                _attempt(client, url, partial)
                return
            except (httpx.TransportError, _TryAgainError) as error:
                failures = 1 if partial.size_bytes(url) > before else failures + 1
                if failures >= patience.attempts:
                    raise _unreachable(url, sha256, partial.target, error) from error
                pause_s = patience.first_pause_s * 2 ** (failures - 1)
                _LOG.warning("%s: %s; trying again in %.1f s", url, error or type(error).__name__, pause_s)
                time.sleep(pause_s)
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                raise _unreachable(url, sha256, partial.target, error) from error


def _unreachable(url: str, sha256: str | None, target: Path, cause: object) -> BurstlabError:
    checked = f", whose SHA-256 is {sha256}," if sha256 else ""
    return BurstlabError(
        f"cannot download {url}: {cause or type(cause).__name__}. On a machine without internet, fetch "
        f"that file{checked} elsewhere and put it at {target}; it is checked and used from there"
    )


def _attempt(client: httpx.Client, url: str, partial: Partial) -> None:
    """One request for what is missing. Returns when all of it is there; raises to be called again."""
    have_bytes = partial.size_bytes(url)
    headers = {"Accept-Encoding": "identity", **partial.range_headers(url)}
    with client.stream("GET", url, headers=headers) as response:
        if response.status_code == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE and have_bytes:
            if _total_bytes(response) == have_bytes:
                return
            partial.discard()
            raise _TryAgainError("the server's file is not the one that was begun")
        if response.status_code in _BUSY:
            raise _TryAgainError(f"the server answered {response.status_code} {response.reason_phrase}")
        if not response.is_success:
            raise httpx.HTTPStatusError(
                f"the server answered {response.status_code} {response.reason_phrase}",
                request=response.request,
                response=response,
            )
        _store(response, url, partial, have_bytes)


def _store(response: httpx.Response, url: str, partial: Partial, have_bytes: int) -> None:
    # A server without ranges, or one whose file has changed since (If-Range), answers 200 with all of it.
    continued = response.status_code == httpx.codes.PARTIAL_CONTENT and _first_byte(response) == have_bytes
    if response.status_code == httpx.codes.PARTIAL_CONTENT and not continued:
        partial.discard()
        raise _TryAgainError("the server sent another range than the one asked for")
    if not continued:
        partial.begin(url, response.headers)
    total = _total_bytes(response)
    done_bytes = have_bytes if continued else 0
    reported_s = time.monotonic()
    with partial.path.open("ab") as file:
        # No chunk size: httpx would lose what it collected for a chunk when the connection ends.
        for chunk in response.iter_raw():
            file.write(chunk)
            done_bytes += len(chunk)
            if time.monotonic() - reported_s >= _REPORT_EVERY_S:
                reported_s = time.monotonic()
                _LOG.info("%s: %s", url, _progress(done_bytes, total))
    if total is not None and done_bytes < total:
        raise _TryAgainError(f"the connection ended at {_progress(done_bytes, total)}")


def _progress(done_bytes: int, total: int | None) -> str:
    if not total:
        return f"{done_bytes / 1e6:.1f} MB"
    return f"{done_bytes / 1e6:.1f} of {total / 1e6:.1f} MB ({100 * done_bytes / total:.0f}%)"


def _first_byte(response: httpx.Response) -> int | None:
    found = re.match(r"bytes (\d+)-", response.headers.get("Content-Range", ""))
    return int(found[1]) if found else None


def _total_bytes(response: httpx.Response) -> int | None:
    found = re.search(r"/(\d+)$", response.headers.get("Content-Range", ""))
    if found:
        return int(found[1])
    length = response.headers.get("Content-Length", "")
    return int(length) if length.isdigit() and response.status_code == httpx.codes.OK else None
