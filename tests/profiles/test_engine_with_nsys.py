"""A real vLLM under a real nsys, as a session starts it, on a machine without a GPU."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from tests.profiles.nsys_real import needs_nsys, ranges_library

from burstlab.engine.command import server_arguments
from burstlab.engine.guardian import descendants_of
from burstlab.engine.server import Server, free_port
from burstlab.models.resolve import model_arguments
from burstlab.profiles.read import read_profile
from burstlab.session.nsys_recorder import NsysRecorder
from burstlab.session.recorder import TorchRecorder
from burstlab.study.profiled import ProfiledEngine
from burstlab.study.schema import Study

pytestmark = pytest.mark.engine

BATCH = ["context_requests", "context_tokens", "generation_requests", "generation_tokens", "kind"]
REQUESTS = 6


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("engine")
    for name in ("nsys", "torch"):
        (made / name).mkdir()
    return made


@pytest.fixture(scope="module")
def nsys(folder: Path) -> NsysRecorder:
    return NsysRecorder(folder / "nsys", folder / "nsys.log")


@pytest.fixture(scope="module")
def engine(
    folder: Path,
    nsys: NsysRecorder,
    vllm_python: str,
    engine_settings: dict[str, str],
    default_study: Study,
    root: Path,
) -> Iterator[Server]:
    """tiny-gqa under nsys, its worker opening ranges for both profilers: see `inside/nvtx_worker.py`."""
    plain, model = default_study.engines["eager"], default_study.models["tiny-gqa"]
    profiled = ProfiledEngine.model_validate(plain.model_dump(exclude_unset=True) | {"profiler": "torch"})
    before = Path.cwd()
    os.chdir(root)
    try:
        weights = model_arguments("tiny-gqa", model)
    finally:
        os.chdir(before)
    port = free_port()
    command = [
        *nsys.prefix,
        *(vllm_python, "-m", "vllm.entrypoints.cli.main", "serve"),
        *server_arguments(profiled, model, weights, port, folder / "torch"),
        *("--worker-extension-cls", "nvtx_worker.NvtxWorker"),
    ]
    environment = {
        **os.environ,
        **engine_settings,
        "PYTHONPATH": str(Path(__file__).with_name("inside")),
        "RANGES_LIBRARY": str(ranges_library(folder)),
    }
    log = folder / "engine.log"
    with Server(command, port=port, environment=environment, log=log, folder=root) as running:
        running.wait_healthy(900)
        yield running


@needs_nsys
def test_nsys_and_torch_see_the_same_iterations(engine: Server, nsys: NsysRecorder, folder: Path) -> None:
    def ask(number: int) -> None:
        engine.complete("resources/models/tiny-gqa", list(range(100, 200 + 20 * number)), 8 + number)

    with nsys.recording():
        httpx.post(f"{engine.base_url}/start_profile", timeout=60.0).raise_for_status()
        with ThreadPoolExecutor(REQUESTS) as pool:
            list(pool.map(ask, range(REQUESTS)))
        engine.wait_idle()
        httpx.post(f"{engine.base_url}/stop_profile", timeout=600.0).raise_for_status()
    by_nsys = read_profile(nsys.trace(), need_launches=False).iterations
    by_torch = read_profile(TorchRecorder(folder / "torch").trace()).iterations
    assert by_nsys.num_rows > 8
    assert by_nsys.select(BATCH) == by_torch.select(BATCH)
    assert sum(by_nsys["context_tokens"].to_pylist()) == sum(100 + 20 * one for one in range(REQUESTS))


@needs_nsys
def test_vllm_itself_opens_no_ranges_for_nsys_on_a_cpu(engine: Server) -> None:
    """So `profiler: nsys` is refused for platforms that are CPUs; if this fails, it need not be any more."""
    assert "nvtx_worker: Unsupported profiler type for cpu: cuda" in engine.log.read_text()


@needs_nsys
def test_nothing_is_left_of_either(engine: Server) -> None:
    pids = descendants_of(engine._process.pid)
    assert any(b"--start-agent" in Path(f"/proc/{pid}/cmdline").read_bytes() for pid in pids)
    engine.stop()
    assert [pid for pid in pids if Path(f"/proc/{pid}").exists()] == []
