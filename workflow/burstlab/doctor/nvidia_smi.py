"""The GPUs that nvidia-smi tells of, and the processes on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from burstlab.doctor.machine import NOT_STARTED, Machine, Output

_TIMEOUT_S = 60.0
_GPU_FIELDS = "index,uuid,name,driver_version,memory.total,memory.used"
_PROCESS_FIELDS = "gpu_uuid,pid,process_name,used_memory"


@dataclass(frozen=True, slots=True)
class Gpu:
    """One GPU; memory is None where the driver does not tell, as on a GPU that shares the machine's."""

    index: str
    uuid: str
    name: str
    driver: str
    memory_mib: int | None
    used_mib: int | None


@dataclass(frozen=True, slots=True)
class GpuProcess:
    """A process that computes on a GPU. In a container its name may be hidden."""

    uuid: str
    pid: str
    name: str
    used_mib: int | None


@dataclass(frozen=True, slots=True)
class Gpus:
    """The GPUs that sessions may lease, the processes on them, and why there are none, if so."""

    found: tuple[Gpu, ...] = ()
    processes: tuple[GpuProcess, ...] = ()
    why_none: str = ""


def read_gpus(machine: Machine) -> Gpus:
    """Ask nvidia-smi; `CUDA_VISIBLE_DEVICES` limits which GPUs count, as it limits what sessions lease."""
    listing = _query(machine, "gpu", _GPU_FIELDS)
    if listing.status == NOT_STARTED:
        return Gpus(why_none="there is no nvidia-smi, so no NVIDIA driver")
    if listing.status != 0:
        return Gpus(why_none=f"nvidia-smi failed: {listing.reason}")
    rows = [line.strip().split(", ") for line in listing.out.splitlines()]
    gpus = [_gpu(row) for row in rows if len(row) == 6]
    if not gpus:
        return Gpus(why_none="nvidia-smi lists no GPU")
    allowed = machine.variables.get("CUDA_VISIBLE_DEVICES")
    if allowed is not None:
        names = [name.strip() for name in allowed.split(",") if name.strip()]
        gpus = [gpu for gpu in gpus if any(_is(gpu, name) for name in names)]
    if not gpus:
        return Gpus(why_none=f"CUDA_VISIBLE_DEVICES is {allowed!r}, which leaves no GPU")
    processes = _query(machine, "compute-apps", _PROCESS_FIELDS)
    mine = {gpu.uuid for gpu in gpus}
    running = [_process(line) for line in processes.out.splitlines() if line.count(", ") >= 3]
    return Gpus(tuple(gpus), tuple(process for process in running if process.uuid in mine))


def _query(machine: Machine, what: str, fields: str) -> Output:
    return machine.run(
        ["nvidia-smi", f"--query-{what}={fields}", "--format=csv,noheader,nounits"], _TIMEOUT_S
    )


def _gpu(row: Sequence[str]) -> Gpu:
    index, uuid, name, driver, memory, used = row
    return Gpu(index, uuid, name, driver, _mib(memory), _mib(used))


def _process(line: str) -> GpuProcess:
    uuid, pid, rest = line.strip().split(", ", 2)
    name, used = rest.rsplit(", ", 1)  # a name may have a comma
    return GpuProcess(uuid, pid, name, _mib(used))


def _mib(text: str) -> int | None:
    return int(text) if text.isdigit() else None  # else [N/A], [Insufficient Permissions]


def _is(gpu: Gpu, name: str) -> bool:
    # CUDA takes a part of the UUID too, as long as it is the start of it.
    return name == gpu.index or (name.startswith("GPU-") and gpu.uuid.startswith(name))
