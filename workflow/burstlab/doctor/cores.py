"""Has the machine the cores that a session takes?"""

from __future__ import annotations

from collections.abc import Iterator

from burstlab.doctor.finding import Finding
from burstlab.doctor.subject import Subject

CHECK = "cores"


def check(subject: Subject) -> Iterator[Finding]:
    """A finding a platform that names its cores.

    Snakemake gives a session fewer, and its cells would be recorded as those of more.
    """
    here = subject.machine.cores
    for name, platform in subject.platforms.items():
        if platform.cores is None:
            continue
        path = ("platforms", name, "cores")
        if platform.cores > here:
            found = f"a session takes {platform.cores} CPU cores, this machine gives {here}"
            yield Finding(CHECK, "error", found, f"give {here} or less", path)
        else:
            yield Finding(CHECK, "ok", f"{platform.cores} of {here} CPU cores", path=path)
