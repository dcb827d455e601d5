"""What ran is read from the engine's log, whatever was asked for."""

from pathlib import Path

from burstlab.engine.reported import reported

CPU = """\
(APIServer pid=1) INFO 11-29 15:41:17 [api_utils.py:286] non-default args: {'model': 'm', 'max_num_batched_tokens': 1024, \
'max_num_seqs': 64, 'async_scheduling': False}
(APIServer pid=1) INFO 11-29 15:41:18 [scheduler.py:307] Chunked prefill is enabled with max_num_batched_tokens=1024.
(EngineCore pid=2) INFO 11-29 15:41:32 [core.py:133] Initializing a V1 LLM engine (v0.32.0) with config: model='m', \
dtype=torch.float32, max_seq_len=1024, tensor_parallel_size=1, enforce_eager=True, enable_prefix_caching=False, \
enable_chunked_prefill=True, compilation_config={'cudagraph_mode': <CUDAGraphMode.NONE: 0>}
(EngineCore pid=2) INFO 11-29 15:41:32 [ompmultiprocessing.py:185] 	local_rank=0, core ids=[0]
(EngineCore pid=2) INFO 11-29 15:41:50 [kv_cache_utils.py:2327] CPU KV cache size: 1,048,576 tokens
"""
GPU = """\
INFO [cuda.py:300] Using FLASHINFER attention backend out of potential backends: ...
INFO [cuda.py:300] Using FLASH_ATTN attention backend out of potential backends: ...
INFO [flash_attn.py:1118] Using FlashAttention version 2
WARNING [scheduler.py:244] Using custom scheduler class my.Scheduler. This scheduler interface is not public.
INFO [vllm.py:1] Asynchronous scheduling is disabled.
"""


def write(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def test_a_cpu_engine_states_version_limits_and_modes(tmp_path: Path) -> None:
    assert reported(write(tmp_path / "log", CPU)) == {
        "version": "0.32.0",
        "dtype": "float32",
        "max_model_len": "1024",
        "tensor_parallel": "1",
        "enforce_eager": "True",
        "prefix_caching": "False",
        "chunked_prefill": "True",
        "cudagraph_mode": "NONE",
        "max_batched_tokens": "1024",
        "kv_cache_tokens": "1048576",
        "argument_max_sequences": "64",
        "argument_max_batched_tokens": "1024",
        "argument_async_scheduling": "False",
        "cpu_cores": "0",
    }


def test_a_backend_that_a_cpu_refuses_is_named(tmp_path: Path) -> None:
    line = "INFO 11-29 15:41:33 [cpu.py:178] Cannot use AttentionBackendEnum.FLASH_ATTN backend on CPU.\n"
    assert reported(write(tmp_path / "log", line)) == {"refused_attention_backend": "FLASH_ATTN"}


def test_the_last_mention_counts(tmp_path: Path) -> None:
    used = reported(write(tmp_path / "log", GPU))
    assert used["attention_backend"] == "FLASH_ATTN"
    assert used["flash_attn_version"] == "2"
    assert used["async_scheduling"] == "disabled"
    assert used["scheduler"] == "my.Scheduler"


def test_what_the_log_does_not_say_is_not_made_up(tmp_path: Path) -> None:
    assert reported(write(tmp_path / "log", "nothing of note\n")) == {}
