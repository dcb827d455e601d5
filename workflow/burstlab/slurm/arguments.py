"""How the executor plug-in is to follow its jobs on this cluster.

It asks sacct unless told otherwise. Where the cluster keeps no accounts, sacct fails, and the workflow would wait for ever.
"""

from __future__ import annotations

import re

from burstlab.slurm.ask import ask

_STORAGE = re.compile(r"^AccountingStorageType\s*=\s*(\S+)", re.MULTILINE)
_KEPT = "accounting_storage/slurmdbd"


def arguments() -> list[str]:
    """Arguments of Snakemake beside its profile's. Raises BurstlabError where there is no cluster."""
    found = _STORAGE.search(ask(["scontrol", "show", "config"]))
    if found is not None and found[1] == _KEPT:
        return ["--slurm-status-command", "sacct"]
    return ["--slurm-status-command", "squeue", "--slurm-no-account"]
