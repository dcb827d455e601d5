"""The words of the configuration become exactly these flags."""

from pathlib import Path

import pytest

from burstlab.engine.command import engine_environment, inherited_environment, server_arguments
from burstlab.study.profiled import ProfiledEngine
from burstlab.study.schema import Engine, Model, Platform

TINY = Model(build="tiny-gqa", dtype="float32")
WEIGHTS = ["resources/models/tiny-gqa", "--load-format", "dummy"]


def flags(engine: Engine, model: Model = TINY) -> str:
    return " ".join(server_arguments(engine, model, WEIGHTS, port=8123))


def test_a_server_listens_on_loopback_only() -> None:
    assert "--host 127.0.0.1 --port 8123" in flags(Engine(environment="e"))


def test_what_would_spoil_a_measurement_is_off_in_every_engine() -> None:
    text = flags(Engine(environment="e"))
    for flag in (
        "--no-enable-prefix-caching",
        "--no-async-scheduling",
        "--enable-logging-iteration-details",
        "--api-server-count 1",
    ):
        assert flag in text


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("none", "--enforce-eager"),
        ("piecewise", "-cc.cudagraph_mode=PIECEWISE"),
        ("full_decode_only", "-cc.cudagraph_mode=FULL_DECODE_ONLY"),
        ("full", "-cc.cudagraph_mode=FULL"),
    ],
)
def test_the_graph_mode_is_pinned(mode: str, expected: str) -> None:
    assert expected in flags(Engine.model_validate({"environment": "e", "cuda_graphs": mode})).split()


def test_the_default_graph_mode_is_left_to_the_engine() -> None:
    text = flags(Engine(environment="e"))
    assert "cudagraph" not in text
    assert "--enforce-eager" not in text


def test_the_attention_backend_is_set_through_the_configuration_that_the_engine_heeds() -> None:
    engine = Engine(environment="e", attention_backend="FLASH_ATTN", flash_attn_version=2)
    assert '--attention-config {"backend":"FLASH_ATTN","flash_attn_version":2}' in flags(engine)


def test_limits_and_number_format_are_passed_on() -> None:
    engine = Engine(environment="e", max_model_len=4096, max_batched_tokens=8192, max_sequences=256)
    text = flags(engine, Model(build="tiny-gqa", dtype="bfloat16", tensor_parallel=2))
    assert "--dtype bfloat16 --max-model-len 4096 --max-num-batched-tokens 8192 --max-num-seqs 256" in text
    assert "--tensor-parallel-size 2" in text


def test_chunked_prefill_is_always_said_aloud() -> None:
    assert "--enable-chunked-prefill" in flags(Engine(environment="e"))
    assert "--no-enable-chunked-prefill" in flags(Engine(environment="e", chunked_prefill=False))


def test_a_scheduler_plug_in_is_named_by_its_class() -> None:
    assert "--scheduler-cls plug.In" in flags(Engine(environment="e", scheduler="plug.In"))


def test_further_arguments_become_flags() -> None:
    engine = Engine.model_validate(
        {
            "environment": "e",
            "arguments": {
                "additional-config": {"gdn_prefill_backend": "triton"},
                "enable-lora": True,
                "block-size": 16,
            },
        }
    )
    text = flags(engine)
    assert '--additional-config {"gdn_prefill_backend": "triton"}' in text
    assert "--enable-lora" in text
    assert "--block-size 16" in text


def test_a_cpu_engine_is_told_that_it_is_one() -> None:
    settings = engine_environment(
        Platform(kind="cpu", kvcache_gib=2.0), Engine(environment="e"), ["cpu"], local_model=True
    )
    assert settings["VLLM_TARGET_DEVICE"] == "cpu"
    assert settings["VLLM_CPU_KVCACHE_SPACE"] == "2"
    assert settings["HF_HUB_OFFLINE"] == "1"
    assert "CUDA_VISIBLE_DEVICES" not in settings


def test_a_gpu_engine_sees_the_leased_gpus_only() -> None:
    settings = engine_environment(
        Platform(kind="cuda", gpus=2), Engine(environment="e"), ["1", "3"], local_model=False
    )
    assert settings["CUDA_VISIBLE_DEVICES"] == "1,3"
    assert settings["CUDA_DEVICE_ORDER"] == "PCI_BUS_ID"  # as nvidia-smi counts
    assert "HF_HUB_OFFLINE" not in settings


def test_an_engine_does_not_inherit_a_key_that_locks_out_its_client() -> None:
    assert inherited_environment({"VLLM_API_KEY": "x", "HF_TOKEN": "y"}) == {"HF_TOKEN": "y"}


def test_an_engine_does_not_inherit_the_threads_of_its_job() -> None:
    job = {"OMP_NUM_THREADS": "2", "MKL_NUM_THREADS": "2", "HF_HOME": "/models", "OMP_PROC_BIND": "close"}
    assert inherited_environment(job) == {"HF_HOME": "/models", "OMP_PROC_BIND": "close"}


def test_a_profiled_engine_records_into_the_folder_it_is_given() -> None:
    engine = ProfiledEngine(environment="e", profiler="torch")
    text = " ".join(server_arguments(engine, TINY, WEIGHTS, 8123, Path("/scratch/traces")))
    assert (
        '--profiler-config {"profiler":"torch","torch_profiler_dir":"/scratch/traces","torch_profiler_with_stack":false,'
        '"torch_profiler_use_gzip":false,"torch_profiler_dump_cuda_time_total":false,"ignore_frontend":true}'
    ) in text
    with pytest.raises(ValueError, match="folder"):
        server_arguments(engine, TINY, WEIGHTS, 8123)


def test_an_engine_that_nsys_records_opens_ranges_for_it() -> None:
    engine = ProfiledEngine(environment="e", profiler="nsys")
    text = " ".join(server_arguments(engine, TINY, WEIGHTS, 8123, Path("/scratch/traces")))
    assert '--profiler-config {"profiler":"cuda"} ' in f"{text} "


def test_phases_are_named_by_torchs_own_ranges_only() -> None:
    for profiler, named in (("torch", True), ("nsys", False)):
        engine = ProfiledEngine.model_validate({"environment": "e", "profiler": profiler})
        settings = engine_environment(Platform(kind="cuda"), engine, ["0"], local_model=True)
        assert ("VLLM_CUSTOM_SCOPES_FOR_PROFILING" in settings) == named


def test_no_other_engine_records_anything() -> None:
    assert "profiler" not in flags(Engine(environment="e"))
