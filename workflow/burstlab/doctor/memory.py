"""Does the machine hold the KV cache of its CPU engines?"""

from __future__ import annotations

from collections.abc import Iterator

from burstlab.doctor.finding import Finding
from burstlab.doctor.subject import Subject

CHECK = "memory"
_GIB = 1024**3


def check(subject: Subject) -> Iterator[Finding]:
    """A finding a platform that is a CPU."""
    total, available = subject.machine.memory_bytes / _GIB, subject.machine.available_bytes / _GIB
    for name, platform in subject.platforms.items():
        wanted = platform.kvcache_gib
        if wanted is None:
            continue
        path = ("platforms", name, "kvcache_gib")
        asked = f"{wanted:g} GiB are for the KV cache"
        if wanted >= total:
            yield Finding(
                CHECK,
                "error",
                f"{asked}, this machine has {total:.1f} GiB in all",
                f"give less than {total:.1f}, which must hold the model too",
                path,
            )
        elif wanted >= available:
            yield Finding(
                CHECK,
                "warning",
                f"{asked}, {available:.1f} GiB of {total:.1f} are available now",
                "end what takes the memory, or lower kvcache_gib",
                path,
            )
        else:
            yield Finding(
                CHECK, "ok", f"{asked}, {available:.1f} GiB of {total:.1f} are available", path=path
            )
