"""What the engine's log says it really used, as opposed to what it was asked for.

vLLM may fall back to another attention backend with only a warning, so a record keeps both. A key is missing where the log
says nothing. The patterns are those of vLLM 0.22 to 0.33. Keys that begin with `argument_` are from the line in which the
engine repeats the arguments that it read: weaker evidence, since it may change them after, but some are named nowhere else.
"""

import re
from pathlib import Path

_PATTERNS: dict[str, re.Pattern[str]] = {
    "version": re.compile(r"Initializing a V1 LLM engine \(v([^)]+)\)"),
    "attention_backend": re.compile(r"Using (?:AttentionBackendEnum\.)?(\w+) (?:attention )?backend\b"),
    # On a CPU vLLM names the backend that it refuses, and none that it uses.
    "refused_attention_backend": re.compile(r"Cannot use (?:AttentionBackendEnum\.)?(\w+) backend on CPU"),
    "flash_attn_version": re.compile(r"Using FlashAttention version (\d+)"),
    "gdn_prefill_backend": re.compile(r"Using (\S+) (?:kernel for )?GDN prefill"),
    "dtype": re.compile(r"\bdtype=(?:torch\.)?(\w+)"),
    "max_model_len": re.compile(r"\bmax_seq_len=(\d+)"),
    "tensor_parallel": re.compile(r"\btensor_parallel_size=(\d+)"),
    "enforce_eager": re.compile(r"\benforce_eager=(True|False)"),
    "prefix_caching": re.compile(r"\benable_prefix_caching=(True|False)"),
    "chunked_prefill": re.compile(r"\benable_chunked_prefill=(True|False)"),
    "cudagraph_mode": re.compile(r"'cudagraph_mode': <CUDAGraphMode\.(\w+)"),
    "max_batched_tokens": re.compile(r"Chunked prefill is enabled with max_num_batched_tokens=(\d+)"),
    "kv_cache_tokens": re.compile(r"KV cache size: ([\d,]+) tokens"),
    "async_scheduling": re.compile(r"Asynchronous scheduling is (enabled|disabled)"),
    "scheduler": re.compile(r"Using custom scheduler class (\S+)\. "),
    "argument_max_sequences": re.compile(r"non-default args: \{[^\n]*'max_num_seqs': (\d+)"),
    "argument_max_batched_tokens": re.compile(r"non-default args: \{[^\n]*'max_num_batched_tokens': (\d+)"),
    "argument_async_scheduling": re.compile(r"non-default args: \{[^\n]*'async_scheduling': (True|False)"),
    "cpu_cores": re.compile(r"core ids=\[([\d, ]+)\]"),
}
_READ_BYTES = 4_000_000


def reported(log: Path, end: int | None = None) -> dict[str, str]:
    """Settings named in the first `end` bytes of the log (default: 4 MB), the last mention of each."""
    with log.open("rb") as stream:
        text = stream.read(_READ_BYTES if end is None else end).decode(errors="replace")
    found = {}
    for name, pattern in _PATTERNS.items():
        mentions = pattern.findall(text)
        if mentions:
            found[name] = mentions[-1].replace(",", "")
    return found
