"""Does the cluster keep accounts, and does it know the platform's?"""

from __future__ import annotations

import getpass
from collections.abc import Iterator

from burstlab.doctor import cluster
from burstlab.doctor.finding import Finding
from burstlab.doctor.subject import Subject
from burstlab.study.faults import suggestion

CHECK = "accounting"
_TIMEOUT_S = 60.0


def check(subject: Subject) -> Iterator[Finding]:
    """One finding about the cluster, one for each account that it does not know."""
    asking = cluster.platforms(subject)
    if not asking or not subject.machine.has("sacct"):
        return
    answer = subject.machine.run(["sacct", "--noheader", "--parsable2", "--format=jobid"], _TIMEOUT_S)
    if answer.status != 0:
        found = f"the cluster keeps no accounts: {answer.reason}"
        cure = "`make study PROFILE=slurm` follows jobs by squeue then; with Snakemake alone add `$(burstlab slurm)`"
        yield Finding(CHECK, "warning", found, cure)
        return
    yield Finding(CHECK, "ok", "sacct answers")
    yield from accounts(subject)


def accounts(subject: Subject) -> Iterator[Finding]:
    """An error for each account of a platform that the cluster does not know this user to have."""
    if not any(one.slurm and one.slurm.account for one in cluster.platforms(subject).values()):
        return
    user = getpass.getuser()
    command = [
        "sacctmgr",
        "--noheader",
        "--parsable2",
        "show",
        "associations",
        f"user={user}",
        "format=account",
    ]
    answer = subject.machine.run(command, _TIMEOUT_S)
    known = sorted({line.strip() for line in answer.out.splitlines() if line.strip()})
    if answer.status != 0 or not known:
        return
    for name, platform in cluster.platforms(subject).items():
        account = platform.slurm.account if platform.slurm else None
        path = ("platforms", name, "slurm", "account")
        if account is not None and str(account) not in known:
            found = f"this user has no account {account}"
            yield Finding(CHECK, "error", found, suggestion(str(account), known), path)
