"""What a session saw around a benchmark: evidence for the validity gates that cannot be had later."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Count = Annotated[int, Field(ge=0)]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Milliseconds = Annotated[float, Field(allow_inf_nan=False)]

UNKNOWN_REASON = "unknown-"
"""Begins the name of a reason to lower a GPU's clock that is not known here; its bit in NVML's mask follows."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class CpuTime(_Part):
    """CPU time that passed during the benchmark on the `cores` that the session may use, in seconds.

    `busy_s` is work of all processes, `own_s` that of the session's own process tree (client and engine included),
    `interrupts_s` is spent in interrupts, `steal_s` was wanted by this machine and given to others by its hypervisor.
    """

    wall_s: Seconds
    cores: Annotated[int, Field(ge=1)]
    busy_s: Seconds
    own_s: Seconds
    interrupts_s: Seconds
    steal_s: Seconds


class EngineCounters(_Part):
    """What the engine's counters grew by during the benchmark; null where the engine has no such counter.

    `finished_by_length`: finished requests that ended because they had all tokens they asked for.
    """

    prompt_tokens: Count | None
    generation_tokens: Count | None
    finished_requests: Count | None
    finished_by_length: Count | None
    preemptions: Count | None
    prefix_cache_queries: Count | None
    prefix_cache_hits: Count | None


class Quantiles(_Part):
    """Median, 99th percentile and largest of a time in milliseconds, over the requests of a benchmark."""

    p50_ms: Milliseconds
    p99_ms: Milliseconds
    max_ms: Milliseconds


class ClientDelays(_Part):
    """How late the client was, in its two parts, which add up to send − planned send.

    `schedule_slip`: from a request's planned time until the client's schedule released it. `start_delay`: from there until the
    task of the request ran and started vLLM's clock.
    """

    schedule_slip: Quantiles
    start_delay: Quantiles


class GpuState(_Part):
    """One GPU during the benchmark, from samples of nvidia-smi; null where it does not say.

    `throttle_shares` has the share (0 to 1) of the samples that tell reasons to lower the clock in which each was active;
    null where no sample tells them.
    """

    gpu: str
    samples: Count
    sm_clock_max_mhz: float | None
    sm_clock_median_mhz: float | None
    sm_clock_lowest_mhz: float | None
    temperature_highest_c: float | None
    throttle_shares: dict[str, Annotated[float, Field(ge=0, le=1)]] | None


class Observed(_Part):
    """All of it; null where it was not observed.

    `other_gpu_processes`: compute processes on these GPUs that are not the session's; null where nvidia-smi does not tell
    whose they are, as in most containers.
    """

    cpu: CpuTime | None = None
    engine: EngineCounters | None = None
    client: ClientDelays | None = None
    gpus: tuple[GpuState, ...] = Field((), strict=False)
    other_gpu_processes: Count | None = None
