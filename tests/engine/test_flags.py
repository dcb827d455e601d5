"""What the published study would run on machines that are not here: every flag is one of the vLLM version it is for."""

import itertools
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.engine.flags.extract import extract, read_sources

from burstlab.bench.command import bench_arguments, warm_up_arguments
from burstlab.datasets import vllm_arguments
from burstlab.datasets.vllm_arguments import dataset_arguments
from burstlab.engine.command import engine_environment, server_arguments
from burstlab.session.targets import cores
from burstlab.slurm.resources import resources
from burstlab.study.cells import Session
from burstlab.study.expand import cells, sessions
from burstlab.study.load import read_study
from burstlab.study.schema import Study

ROOT = Path(__file__).parents[2]
FLAGS = ROOT / "tests/engine/flags"
# Read by vLLM elsewhere than in vllm/envs.py, or by libraries below it.
OTHER_VARIABLES = {"CUDA_DEVICE_ORDER", "CUDA_VISIBLE_DEVICES", "DO_NOT_TRACK", "HF_HUB_OFFLINE"}


@pytest.fixture(scope="module")
def seed_study() -> Study:
    return read_study(ROOT / "config/seed-study.yaml", ROOT)


@pytest.fixture(scope="module")
def seed_sessions(seed_study: Study) -> tuple[Session, ...]:
    return sessions(cells(seed_study), seed_study)


def version_of(study: Study, session: Session) -> str:
    lock = study.environments[study.engines[session.engine].environment].lock
    assert lock is not None
    found = re.search(r"^vllm==([0-9.]+)", (ROOT / lock).read_text(), re.MULTILINE)
    assert found is not None
    return found[1]


def known(version: str) -> dict[str, list[str]]:
    return json.loads((FLAGS / f"{version}.json").read_text())  # type: ignore[no-any-return]


def flags_in(words: list[str]) -> Iterator[str]:
    """The flags of a command line: `-cc.cudagraph_mode=FULL` is one key of the flag `-cc`."""
    for word in words:
        if re.match(r"--?[a-z]", word):
            flag = word.split("=")[0]
            yield flag if flag.startswith("--") else flag.split(".")[0]


def server_of(study: Study, session: Session) -> list[str]:
    model = study.models[session.model]
    return server_arguments(study.engines[session.engine], model, [model.hub or ""], port=8000)


def test_each_server_has_only_flags_of_its_version(
    seed_study: Study, seed_sessions: tuple[Session, ...]
) -> None:
    versions = set()
    for session in seed_sessions:
        version = version_of(seed_study, session)
        versions.add(version)
        words = server_of(seed_study, session)
        assert set(flags_in(words)) <= set(known(version)["serve"]), session.id
        for flag, value in itertools.pairwise(words):
            if flag == "--attention-config":
                assert set(json.loads(value)) <= set(known(version)["attention_config"]), session.id
    assert versions == {"0.33.0", "0.22.1"}


def test_each_client_has_only_flags_of_its_version(
    seed_study: Study, seed_sessions: tuple[Session, ...], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # The data sets are not here; that they can be read is another test's business.
    monkeypatch.setattr(
        vllm_arguments, "_prepared", lambda workload, datasets, folder: ["--dataset-path", "file"]
    )
    for session in seed_sessions:
        flags = set(known(version_of(seed_study, session))["bench"])
        assert set(flags_in(warm_up_arguments(base_url="http://x", model="m"))) <= flags
        for cell in session.cells:
            asked = dataset_arguments(
                seed_study.workloads[cell.workload], seed_study.datasets, tmp_path, cell.seed
            )
            words = bench_arguments(
                cell, base_url="http://x", model="m", dataset_arguments=asked, folder=tmp_path
            )
            assert set(flags_in(words)) <= flags, cell.id


def test_each_variable_is_one_of_its_version(seed_study: Study, seed_sessions: tuple[Session, ...]) -> None:
    for session in seed_sessions:
        engine, platform = seed_study.engines[session.engine], seed_study.platforms[session.platform]
        settings = engine_environment(platform, engine, ["0", "1"][: platform.gpus], local_model=False)
        variables = set(known(version_of(seed_study, session))["variables"])
        assert set(settings) - OTHER_VARIABLES <= variables, session.id


def test_a_session_of_the_published_study_is_exactly_this_command_and_job(
    seed_study: Study, seed_sessions: tuple[Session, ...]
) -> None:
    (session,) = [one for one in seed_sessions if one.id == "2xh200/llama-3-70b/default/0"]
    assert " ".join(server_of(seed_study, session)) == (
        "meta-llama/Meta-Llama-3-70B --host 127.0.0.1 --port 8000 --dtype bfloat16 --max-model-len 4096"
        " --max-num-batched-tokens 2048 --max-num-seqs 256 --tensor-parallel-size 2 --enable-chunked-prefill"
        " --no-enable-prefix-caching --no-async-scheduling --enable-logging-iteration-details --api-server-count 1"
        " --disable-uvicorn-access-log --seed 0"
    )
    asked: dict[str, Any] = resources(session, seed_study)
    assert {key: value for key, value in asked.items() if not callable(value)} == {
        "gpu": 2,
        "gpu_model": "h200",
        "nodes": 1,
    }
    assert [asked["runtime"](None, attempt=attempt) for attempt in (1, 2)] == [240, 240]
    assert [asked["mem_mb"](None, attempt=attempt) for attempt in (1, 2, 3)] == [
        192 * 1024,
        256 * 1024,
        256 * 1024,
    ]
    assert cores(session, seed_study, None) == 4


@pytest.mark.engine
def test_what_is_read_from_sources_is_what_the_parser_of_that_version_has(vllm_python: str) -> None:
    # The extraction itself, against the one version that can be imported here.
    program = (
        "import json, vllm\n"
        "from vllm.entrypoints.launchers.cli_args import make_arg_parser\n"
        "from vllm.utils.argparse_utils import FlexibleArgumentParser\n"
        "from vllm.benchmarks.serve import add_cli_args\n"
        "serve = make_arg_parser(FlexibleArgumentParser())\n"
        "bench = FlexibleArgumentParser(); add_cli_args(bench)\n"
        "print(json.dumps([sorted(p._option_string_actions) for p in (serve, bench)] + [vllm.__file__]))\n"
    )
    done = subprocess.run([vllm_python, "-c", program], capture_output=True, text=True, check=True)
    serve, bench, file = json.loads(done.stdout.splitlines()[-1])
    read = extract(read_sources(Path(file).parents[1]))
    for theirs, ours in ((serve, read["serve"]), (bench, read["bench"])):
        assert set(ours) == set(theirs) - {"-h", "--help"}
