"""Does the cluster keep accounts, and does it know the platform's?"""

from __future__ import annotations

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
        cure = (
            "jobs must be followed by `slurm-status-command: squeue`, else the workflow would wait for ever"
        )
        yield Finding(CHECK, "warning", found, cure)
        return
    yield Finding(CHECK, "ok", "sacct answers")
    yield from _accounts(subject)


def _accounts(subject: Subject) -> Iterator[Finding]:
    user = subject.machine.variables.get("USER", "")
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
        account = getattr(platform, "account", None)
        path = ("platforms", name, "account")
        if account is not None and str(account) not in known:
            found = f"this user has no account {account}"
            yield Finding(CHECK, "error", found, suggestion(str(account), known), path)
