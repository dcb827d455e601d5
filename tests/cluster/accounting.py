"""Job accounting for the cluster of one node: MariaDB and slurmdbd, as tests/cluster/cluster.py starts them.

Needs Debian's slurmdbd and mariadb-server. Both listen on loopback; the database lies with the cluster's state.
"""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import time
from pathlib import Path

NEEDED = ("slurmdbd", "mariadbd", "mariadb-install-db", "mariadb", "sacctmgr")
SERVICES = ("slurmdbd", "mariadbd")
"""In the order in which they end."""
CONFIGURATION = Path("/etc/slurm/slurmdbd.conf")
ACCOUNT = "serving"
PATIENCE_S = 60.0

# Jobs need an account that their user may charge, as on most real clusters.
SETTINGS = """\
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStorageEnforce=associations
"""
_CONFIGURATION = """\
{mark}
AuthType=auth/munge
DbdHost=localhost
DbdAddr=127.0.0.1
SlurmUser=root
PidFile={state}/slurmdbd.pid
LogFile={logs}/slurmdbd.log
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort={port}
StorageUser=slurm
StoragePass={password}
StorageLoc=slurm_acct
"""


def start_database(state: Path, logs: Path, mark: str, environment: dict[str, str]) -> None:
    """Start MariaDB and slurmdbd, with the cluster and one account that root may charge. munge has to run."""
    port, password = _free_port(), secrets.token_hex(16)
    _start_mariadb(state, logs, port, password, environment)
    text = _CONFIGURATION.format(mark=mark, state=state, logs=logs, port=port, password=password)
    CONFIGURATION.touch(mode=0o600)
    CONFIGURATION.write_text(text)
    subprocess.run(["slurmdbd"], check=True, env=environment, stdin=subprocess.DEVNULL)
    _until(["sacctmgr", "--noheader", "list", "cluster"])
    for thing in ("cluster burstlab", f"account {ACCOUNT}", f"user root account={ACCOUNT}"):
        subprocess.run(
            ["sacctmgr", "--immediate", "--quiet", "add", *thing.split()], capture_output=True, check=True
        )


def _start_mariadb(state: Path, logs: Path, port: int, password: str, environment: dict[str, str]) -> None:
    data, local = state / "database", state / "mariadb.socket"
    made = subprocess.run(
        [
            *("mariadb-install-db", "--no-defaults", f"--datadir={data}", "--user=root"),
            *("--auth-root-authentication-method=socket", "--skip-test-db"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    if made.returncode != 0:
        raise SystemExit(f"mariadb-install-db failed:\n{made.stdout}\n{made.stderr}")
    mariadbd = shutil.which("mariadbd", path=environment["PATH"]) or "mariadbd"
    command = [
        *(
            "setsid",
            "--fork",
            mariadbd,
            "--no-defaults",
            f"--datadir={data}",
            "--user=root",
            f"--socket={local}",
        ),
        *("--bind-address=127.0.0.1", f"--port={port}", f"--pid-file={state}/mariadbd.pid"),
        *(f"--log-error={logs}/mariadbd.log", "--innodb-lock-wait-timeout=900"),
    ]
    subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, check=True)
    client = ["mariadb", "--no-defaults", f"--socket={local}", "--user=root"]
    _until([*client, "--execute=select 1"])
    statements = (
        f"create user slurm@'127.0.0.1' identified by '{password}';"
        "grant all on slurm_acct.* to slurm@'127.0.0.1';"
    )
    subprocess.run(
        client, input=statements, text=True, check=True
    )  # not as an argument, which anyone can read


def _until(command: list[str]) -> None:
    """Repeat a command until it succeeds."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        if not subprocess.run(command, capture_output=True, env=os.environ, check=False).returncode:
            return
        time.sleep(0.3)
    raise SystemExit(f"{' '.join(command)} did not succeed within {PATIENCE_S:.0f} s")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
