"""Asking the cluster."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

from burstlab.errors import BurstlabError

_TIMEOUT_S = 60.0


def ask(command: Sequence[str]) -> str:
    """What a command of SLURM prints. Raises BurstlabError when it fails or gives no answer in a minute."""
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False
        )
    except FileNotFoundError:
        raise BurstlabError(
            f"no {command[0]} here: run this where the cluster's jobs are submitted"
        ) from None
    except subprocess.TimeoutExpired:
        raise BurstlabError(f"{' '.join(command)}: no answer in {_TIMEOUT_S:.0f} s") from None
    if done.returncode != 0:
        reason = (
            done.stderr.strip() or done.stdout.strip() or f"exit status {done.returncode}"
        ).splitlines()[-1]
        raise BurstlabError(f"{' '.join(command)}: {reason}")
    return done.stdout
