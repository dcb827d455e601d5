"""Waiting for a server, and what is said when it does not come up."""

import os
import sys
from pathlib import Path

import pytest

from burstlab.engine.server import Server, free_port
from burstlab.errors import BurstlabError

# Health at once; one request running for the first two looks at the metrics.
FAKE = """
import http.server, sys
looks = iter([1.0, 1.0])
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        busy = next(looks, 0.0) if self.path == "/metrics" else 0.0
        body = f'vllm:num_requests_running{{engine="0"}} {busy}\\nvllm:num_requests_waiting{{engine="0"}} 0.0\\n'.encode()
        self.send_response(200); self.end_headers(); self.wfile.write(body)
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""
BROKEN = "raise ValueError('no such attention backend')"


def start(program: str, log: Path) -> Server:
    port = free_port()
    return Server([sys.executable, "-c", program, str(port)], port=port, environment=os.environ, log=log)


def test_a_server_that_ends_is_explained_by_its_own_last_words(tmp_path: Path) -> None:
    with (
        start(BROKEN, tmp_path / "log") as server,
        pytest.raises(
            BurstlabError, match=r"did not start \(exit status 1\):\nValueError: no such attention backend"
        ),
    ):
        server.wait_healthy(60)


def test_a_server_that_does_not_answer_in_time_is_given_up(tmp_path: Path) -> None:
    with (
        start("import time; time.sleep(600)", tmp_path / "log") as server,
        pytest.raises(BurstlabError, match="was not ready after 0 s"),
    ):
        server.wait_healthy(0)


def test_a_server_is_idle_when_nothing_runs_or_waits(tmp_path: Path) -> None:
    with start(FAKE, tmp_path / "log") as server:
        server.wait_healthy(60)
        length = server.wait_idle()
        assert server.busy_requests() == 0
        assert length <= (tmp_path / "log").stat().st_size
        assert server.alive()


def test_a_stopped_server_is_not_alive(tmp_path: Path) -> None:
    server = start(FAKE, tmp_path / "log")
    server.wait_healthy(60)
    server.stop()
    assert server._process.exit_status() is not None


def test_a_request_that_the_server_refuses_is_told_as_such(tmp_path: Path) -> None:
    # The fake knows no POST, which http.server answers with 501.
    with start(FAKE, tmp_path / "log") as server:
        server.wait_healthy(60)
        with pytest.raises(BurstlabError, match="the engine did not answer /v1/completions"):
            server.complete("m", [1, 2], 1)


def test_a_server_that_is_gone_is_told_as_such(tmp_path: Path) -> None:
    server = start(FAKE, tmp_path / "log")
    server.wait_healthy(60)
    server._process.stop()
    with pytest.raises(BurstlabError, match="the engine ended while it was measured"):
        server.busy_requests()
    server.stop()
