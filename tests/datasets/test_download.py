"""Downloads against a server on loopback that can cut, refuse ranges, redirect and change its file."""

import hashlib
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from burstlab.datasets.download import Patience, download, file_name
from burstlab.errors import BurstlabError

BODY = bytes(range(256)) * 4000
SHA256 = hashlib.sha256(BODY).hexdigest()
HURRIED = Patience(attempts=3, first_pause_s=0.001, timeout_s=5)


@dataclass
class Behaviour:
    """What the server does, and the Range headers that it saw."""

    body: bytes = BODY
    etag: str | None = '"v1"'
    ranges: bool = True
    cut_after: list[int] = field(
        default_factory=list
    )  # bytes of the body sent by the first, second, … answer
    statuses: list[int] = field(default_factory=list)
    seen: list[str | None] = field(default_factory=list)


class Server(ThreadingHTTPServer):
    behaviour: Behaviour

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/data.csv"

    def handle_error(self, request, client_address) -> None:
        pass  # the client going away is not news


class Handler(BaseHTTPRequestHandler):
    server: Server

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        how = self.server.behaviour
        if self.path == "/redirect.csv":
            self.send_response(302)
            self.send_header("Location", "/data.csv")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        how.seen.append(self.headers.get("Range"))
        if how.statuses and (status := how.statuses.pop(0)) != 200:
            self.send_error(status)
            return
        start = self._start(how)
        if start is not None and start >= len(how.body):
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{len(how.body)}")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        rest = how.body[start or 0 :]
        self.send_response(200 if start is None else 206)
        if start is not None:
            self.send_header("Content-Range", f"bytes {start}-{len(how.body) - 1}/{len(how.body)}")
        if how.etag:
            self.send_header("ETag", how.etag)
        self.send_header("Content-Length", str(len(rest)))
        self.end_headers()
        self.wfile.write(rest[: how.cut_after.pop(0)] if how.cut_after else rest)
        self.close_connection = True

    def _start(self, how: Behaviour) -> int | None:
        asked = self.headers.get("Range")
        if not how.ranges or asked is None or self.headers.get("If-Range", how.etag) != how.etag:
            return None
        return int(asked.removeprefix("bytes=").removesuffix("-"))


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with Server(("127.0.0.1", 0), Handler) as running:
        running.behaviour = Behaviour()
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def leftovers(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if not path.name.endswith(".lock"))


def test_a_file_is_downloaded_and_checked(server: Server, tmp_path: Path) -> None:
    target = download(server.url, SHA256, tmp_path / "downloads" / "data.csv", HURRIED)
    assert target.read_bytes() == BODY
    assert leftovers(tmp_path / "downloads") == ["data.csv"]


def test_a_cut_download_goes_on_where_it_stopped(server: Server, tmp_path: Path) -> None:
    server.behaviour.cut_after = [300_000, 200_000]
    assert download(server.url, SHA256, tmp_path / "data.csv", HURRIED).read_bytes() == BODY
    assert server.behaviour.seen == [None, "bytes=300000-", "bytes=500000-"]


def test_a_later_call_goes_on_where_an_earlier_one_gave_up(server: Server, tmp_path: Path) -> None:
    server.behaviour.cut_after = [1000, 0, 0]
    with pytest.raises(BurstlabError):
        download(server.url, SHA256, tmp_path / "data.csv", HURRIED)
    assert leftovers(tmp_path) == ["data.csv.part", "data.csv.part.json"]
    server.behaviour.seen.clear()
    assert download(server.url, SHA256, tmp_path / "data.csv", HURRIED).read_bytes() == BODY
    assert server.behaviour.seen == ["bytes=1000-"]
    assert leftovers(tmp_path) == ["data.csv"]


def test_a_server_without_ranges_starts_again(server: Server, tmp_path: Path) -> None:
    server.behaviour.ranges = False
    server.behaviour.cut_after = [300_000]
    assert download(server.url, SHA256, tmp_path / "data.csv", HURRIED).read_bytes() == BODY
    assert server.behaviour.seen == [None, "bytes=300000-"]


def test_a_part_of_a_file_that_changed_since_is_not_continued(server: Server, tmp_path: Path) -> None:
    server.behaviour.body = b"old" * 1000
    server.behaviour.cut_after = [1000, 0, 0]
    with pytest.raises(BurstlabError):
        download(server.url, SHA256, tmp_path / "data.csv", HURRIED)
    server.behaviour.body, server.behaviour.etag = BODY, '"v2"'
    assert download(server.url, SHA256, tmp_path / "data.csv", HURRIED).read_bytes() == BODY


def test_a_wrong_part_without_validator_is_thrown_away_and_loaded_again(
    server: Server, tmp_path: Path
) -> None:
    server.behaviour.etag = None
    server.behaviour.body = b"old" * 1000
    server.behaviour.cut_after = [1000, 0, 0]
    with pytest.raises(BurstlabError):
        download(server.url, SHA256, tmp_path / "data.csv", HURRIED)
    server.behaviour.body = BODY
    server.behaviour.seen.clear()
    assert download(server.url, SHA256, tmp_path / "data.csv", HURRIED).read_bytes() == BODY
    assert server.behaviour.seen == ["bytes=1000-", None]


def test_a_part_that_is_complete_already_is_only_checked(server: Server, tmp_path: Path) -> None:
    (tmp_path / "data.csv.part").write_bytes(BODY)
    (tmp_path / "data.csv.part.json").write_text(f'{{"url": "{server.url}", "validator": ""}}')
    assert download(server.url, SHA256, tmp_path / "data.csv", HURRIED).read_bytes() == BODY
    assert server.behaviour.seen == [f"bytes={len(BODY)}-"]


def test_a_part_of_another_url_is_not_continued(server: Server, tmp_path: Path) -> None:
    (tmp_path / "data.csv.part").write_bytes(b"x" * 100)
    (tmp_path / "data.csv.part.json").write_text('{"url": "http://127.0.0.1/other", "validator": ""}')
    assert download(server.url, SHA256, tmp_path / "data.csv", HURRIED).read_bytes() == BODY
    assert server.behaviour.seen == [None]


def test_a_wrong_checksum_names_both_and_keeps_nothing(server: Server, tmp_path: Path) -> None:
    with pytest.raises(BurstlabError, match=f"{SHA256}.*{'0' * 64}"):
        download(server.url, "0" * 64, tmp_path / "data.csv", HURRIED)
    assert leftovers(tmp_path) == []


def test_without_checksum_the_log_says_unchecked(server: Server, tmp_path: Path, caplog) -> None:
    assert download(server.url, None, tmp_path / "data.csv", HURRIED).read_bytes() == BODY
    assert "unchecked" in caplog.text


def test_not_found_is_not_tried_again(server: Server, tmp_path: Path) -> None:
    server.behaviour.statuses = [404, 404]
    with pytest.raises(BurstlabError, match="404"):
        download(server.url, SHA256, tmp_path / "data.csv", HURRIED)
    assert len(server.behaviour.seen) == 1


def test_a_busy_server_is_tried_again(server: Server, tmp_path: Path) -> None:
    server.behaviour.statuses = [503, 429]
    assert download(server.url, SHA256, tmp_path / "data.csv", HURRIED).read_bytes() == BODY
    assert len(server.behaviour.seen) == 3


def test_redirects_are_followed(server: Server, tmp_path: Path) -> None:
    url = server.url.replace("data.csv", "redirect.csv")
    assert download(url, SHA256, tmp_path / "redirect.csv", HURRIED).read_bytes() == BODY


def test_offline_says_which_file_to_put_where(server: Server, tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/data.csv"
        with pytest.raises(BurstlabError) as caught:
            download(url, SHA256, tmp_path / "data.csv", HURRIED)
    for part in (url, SHA256, str(tmp_path / "data.csv")):
        assert part in str(caught.value)


def test_a_file_put_there_by_hand_is_used(server: Server, tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_bytes(BODY)
    download(server.url, SHA256, tmp_path / "data.csv", HURRIED)
    assert server.behaviour.seen == []


def test_a_wrong_file_put_there_by_hand_is_refused_and_kept(server: Server, tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_bytes(b"something else")
    with pytest.raises(BurstlabError, match=r"data\.csv has SHA-256"):
        download(server.url, SHA256, tmp_path / "data.csv", HURRIED)
    assert (tmp_path / "data.csv").read_bytes() == b"something else"


def test_an_empty_file_is_a_file(server: Server, tmp_path: Path) -> None:
    server.behaviour.body = b""
    empty = hashlib.sha256(b"").hexdigest()
    assert download(server.url, empty, tmp_path / "data.csv", HURRIED).read_bytes() == b""


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://a.example/x/Burst_2.csv", "Burst_2.csv"),
        ("https://a.example/x/a%20b.json?download=true", "a b.json"),
    ],
)
def test_a_download_is_named_by_its_url(url: str, name: str) -> None:
    assert file_name(url) == name


@pytest.mark.parametrize("url", ["https://a.example/", "https://a.example", "https://a.example/x/.."])
def test_a_url_without_file_name_is_refused(url: str) -> None:
    with pytest.raises(BurstlabError, match="file name"):
        file_name(url)
