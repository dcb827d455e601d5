"""A SLURM of one node on this machine, for tests: munge, slurmctld and slurmd, without systemd.

    python -m tests.cluster.cluster start [--accounting]     # as root, with Debian's slurm-wlm and munge installed
    python -m tests.cluster.cluster stop

The node has the machine's cores, and one make-believe GPU (`gpu:fake:1` on /dev/null). With `--accounting` its jobs are kept in a
database (accounting.py). The configuration goes to its usual place, /etc/slurm, since the executor plug-in strips SLURM_CONF; one
that is not of this script is left alone.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.cluster import accounting

CONFIGURATION = Path("/etc/slurm/slurm.conf")
_GENERIC_RESOURCES = CONFIGURATION.with_name("gres.conf")
_CONFIGURATIONS = (CONFIGURATION, _GENERIC_RESOURCES, accounting.CONFIGURATION)
STATE = Path("/var/lib/burstlab-slurm")
LOGS = Path("/var/log/burstlab-slurm")
NEEDED = ("munged", "slurmctld", "slurmd", "sbatch")
PACKAGES = "slurm-wlm munge slurmdbd mariadb-server"
MARK = "# Written by tests/cluster/cluster.py"
PATIENCE_S = 30.0

_CONFIGURATION = """\
{mark}
ClusterName=burstlab
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=bf_interval=1,sched_interval=2,batch_sched_delay=1
{accounting}JobAcctGatherType=jobacct_gather/none
MpiDefault=none
GresTypes=gpu
JobRequeue=1
KillWait=15
OverTimeLimit=0
SlurmctldTimeout=30
SlurmdTimeout=10
MinJobAge=600
StateSaveLocation={state}/controller
SlurmdSpoolDir={state}/node
SlurmctldPidFile={state}/slurmctld.pid
SlurmdPidFile={state}/slurmd.pid
SlurmctldLogFile={logs}/slurmctld.log
SlurmdLogFile={logs}/slurmd.log
NodeName={host} NodeAddr=127.0.0.1 {shape} Gres=gpu:fake:1 State=UNKNOWN
PartitionName=short Nodes={host} MaxTime=60 Default=YES State=UP
"""
_NO_ACCOUNTING = "AccountingStorageType=accounting_storage/none\n"
_GENERIC = "Name=gpu Type=fake Count=1 File=/dev/null\n"


def missing(*, accounts: bool = False) -> list[str]:
    """The programs of a cluster that this machine lacks."""
    needed = [*NEEDED, *(accounting.NEEDED if accounts else ())]
    return [name for name in needed if shutil.which(name, path=_search()) is None]


def start(*, accounts: bool = False) -> None:
    """Write the configuration, start the services, and wait until the node takes jobs."""
    if missing(accounts=accounts):
        sys.exit(f"missing: {', '.join(missing(accounts=accounts))}; on Debian: apt-get install {PACKAGES}")
    if os.geteuid() != 0:
        sys.exit("slurmd starts jobs as their users, so this needs root")
    for path in _CONFIGURATIONS:
        if path.exists() and not _is_ours(path):
            sys.exit(f"{path} belongs to another cluster, so it is left alone")
    stop()
    _configure(accounting.SETTINGS if accounts else _NO_ACCOUNTING)
    _start_munge()
    if accounts:
        accounting.start_database(STATE, LOGS, MARK, _environment())
    start_controller(clean=True)
    start_node(clean=True)
    _wait_for_node()


def stop() -> None:
    """End the services that this script started, and forget all jobs."""
    for name in ("slurmd", "slurmctld", *accounting.SERVICES, "munged"):
        end(name)
    for path in _CONFIGURATIONS:
        if path.exists() and _is_ours(path):
            path.unlink()
    shutil.rmtree(STATE, ignore_errors=True)


def _is_ours(path: Path) -> bool:
    text = path.read_text()
    return MARK in text or text == _GENERIC  # as it was written before it had the mark


def start_controller(*, clean: bool = False) -> None:
    """Start slurmctld; without `clean` it goes on with the jobs it knew."""
    _run("slurmctld", *(["-c"] if clean else []))


def start_node(*, clean: bool = False) -> None:
    """Start slurmd."""
    _run("slurmd", *(["-c"] if clean else []))


def kill_node() -> None:
    """Kill slurmd, and its jobs with all of their processes, as when a node loses its power."""
    end("slurmd", signal.SIGKILL)
    queue = [pid for pid in _processes() if _name(pid).startswith("slurmstepd")]
    for pid in queue:  # parents before children, so that none can start another
        queue += [child for child in _processes() if _parent(child) == pid]
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGSTOP)
    for pid in queue:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def _processes() -> list[int]:
    return [int(folder.name) for folder in Path("/proc").iterdir() if folder.name.isdigit()]


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def _parent(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def end(name: str, number: int = signal.SIGTERM) -> None:
    """Send a signal to the service `name` that this script started, and wait until it is gone."""
    try:
        pid = int((STATE / f"{name}.pid").read_text())
        os.kill(pid, number)
    except (FileNotFoundError, ValueError, ProcessLookupError):
        return
    deadline = time.monotonic() + PATIENCE_S
    while _runs(pid) and time.monotonic() < deadline:
        time.sleep(0.1)


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def _configure(accounts: str) -> None:
    for folder in (STATE / "controller", STATE / "node", LOGS, CONFIGURATION.parent):
        folder.mkdir(parents=True, exist_ok=True)
    host = os.uname().nodename.partition(".")[0]
    told = subprocess.run(["slurmd", "-C"], capture_output=True, text=True, check=True, env=_environment())
    words = dict(word.split("=", 1) for word in told.stdout.split() if "=" in word)
    shape = " ".join(
        f"{key}={words[key]}"
        for key in ("CPUs", "Boards", "SocketsPerBoard", "CoresPerSocket", "ThreadsPerCore")
    )
    # A little less than what there is: the node must not be drained when the kernel counts otherwise another time.
    shape += f" RealMemory={int(words['RealMemory']) * 9 // 10}"
    text = _CONFIGURATION.format(
        mark=MARK, host=host, state=STATE, logs=LOGS, shape=shape, accounting=accounts
    )
    CONFIGURATION.write_text(text)
    _GENERIC_RESOURCES.write_text(f"{MARK}\n{_GENERIC}")


def _start_munge() -> None:
    folder = STATE / "munge"
    folder.mkdir(mode=0o755)
    key = folder / "key"
    key.write_bytes(os.urandom(1024))
    key.chmod(0o600)
    socket = Path("/run/munge")
    socket.mkdir(mode=0o755, exist_ok=True)
    shutil.chown(socket, "root", "root")
    options = [
        *("--force", "--key-file", str(key), "--pid-file", str(STATE / "munged.pid")),
        *("--log-file", str(LOGS / "munged.log"), "--seed-file", str(folder / "seed")),
        *("--socket", str(socket / "munge.socket.2")),
    ]
    _run("munged", *options)


def _wait_for_node() -> None:
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        told = subprocess.run(
            ["sinfo", "--noheader", "--format=%T"], capture_output=True, text=True, check=False
        )
        if re.search(r"\bidle\b", told.stdout):
            return
        time.sleep(0.3)
    sys.exit(f"the node did not become ready; see {LOGS}")


def _run(program: str, *arguments: str) -> None:
    subprocess.run([program, *arguments], check=True, env=_environment(), stdin=subprocess.DEVNULL)


def _search() -> str:
    return os.environ.get("PATH", "") + ":/usr/sbin:/sbin"


def _environment() -> dict[str, str]:
    return {**os.environ, "PATH": _search()}


if __name__ == "__main__":
    if sys.argv[1] == "start":
        start(accounts="--accounting" in sys.argv)
    else:
        stop()
