"""Leasing devices by file lock, so that two sessions never measure on one GPU, nor on one CPU, at a time.

Snakemake's `gpu` resource only counts, and only within one workflow. The locks lie in one folder a machine and are
advisory locks of the kernel (flock(2)): they vanish with their holder, however it ends.
"""

import contextlib
import fcntl
import os
import time
from collections.abc import Callable, Iterator, Sequence

from burstlab.engine.lock_files import lease_folder, open_lock
from burstlab.errors import BurstlabError


def _try_lock(device: str) -> int | None:
    """A file descriptor that holds the device's lock, or None when another process holds it."""
    descriptor = open_lock(device)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    os.truncate(descriptor, 0)
    os.write(descriptor, f"{os.getpid()}\n".encode())
    return descriptor


def _holder(device: str) -> str:
    try:
        return (lease_folder() / f"{device}.lock").read_text().strip() or "unknown"
    except OSError:
        return "unknown"


def _try_all(devices: Sequence[str], count: int) -> tuple[list[str], list[int]]:
    names: list[str] = []
    locks: list[int] = []
    for device in devices:
        if len(names) == count:
            break
        lock = _try_lock(device)
        if lock is not None:
            names.append(device)
            locks.append(lock)
    return names, locks


@contextlib.contextmanager
def lease(
    devices: Sequence[str],
    count: int,
    *,
    wait_s: float,
    say: Callable[[str], None],
    poll_s: float = 1.0,
) -> Iterator[list[str]]:
    """Hold `count` of `devices`, waiting up to `wait_s` seconds for others to give them back.

    Either all are held or none: a session that needs two GPUs never sits on one. Raises BurstlabError when the machine
    has too few devices or the wait ends in vain.
    """
    if count > len(devices):
        raise BurstlabError(
            f"the platform asks for {count} GPUs, this machine offers {len(devices)} ({', '.join(devices) or 'none'});"
            " lower `gpus` of the platform or set CUDA_VISIBLE_DEVICES"
        )
    deadline = time.monotonic() + wait_s
    told = False
    while True:
        names, locks = _try_all(devices, count)
        if len(names) == count:
            break
        for lock in locks:
            os.close(lock)
        taken = ", ".join(f"{device} (process {_holder(device)})" for device in devices)
        if time.monotonic() >= deadline:
            raise BurstlabError(
                f"no free device after {wait_s:.0f} s: {taken}; wait for the other study or stop it"
            )
        if not told:
            say(f"waiting for a free device, up to {wait_s:.0f} s: {taken}")
            told = True
        time.sleep(poll_s)
    try:
        yield names
    finally:
        for lock in locks:
            os.close(lock)
