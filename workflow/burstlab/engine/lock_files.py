"""The lock files of a machine's devices, which all of its users share."""

import contextlib
import os
import secrets
from pathlib import Path

from burstlab.errors import BurstlabError

# Not the temporary folder of tempfile: clusters give each job a TMPDIR of its own, and in two folders there are two locks.
DEFAULT = Path("/tmp/burstlab-leases")  # noqa: S108 - its files hold nothing but a process id
VARIABLE = "BURSTLAB_LEASES"


def lease_folder() -> Path:
    """The machine's folder of locks, made if need be so that every user can add to it.

    `BURSTLAB_LEASES` names another one: where /tmp is private to a job or container, all that measure on the machine must
    be given one that they share. Raises BurstlabError when it cannot be made.
    """
    folder = Path(os.environ.get(VARIABLE) or DEFAULT)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unusable(folder, error) from None
    with contextlib.suppress(PermissionError):
        folder.chmod(0o1777)  # mkdir heeds the umask; who does not own the folder finds it so
    return folder


def open_lock(device: str) -> int:
    """A file descriptor of the device's lock file. Raises BurstlabError when this user may not open it."""
    path = lease_folder() / f"{device}.lock"
    flags = os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW
    try:
        with contextlib.suppress(FileNotFoundError):
            # Without O_CREAT: with it, Linux refuses another user's file in a folder like this (fs.protected_regular).
            return os.open(path, flags)
        _create(path)
        return os.open(path, flags)
    except OSError as error:
        raise _unusable(path, error) from None


def _create(path: Path) -> None:
    """Make the file, for all users whatever the umask, so that nobody sees it before it is so."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        os.fchmod(descriptor, 0o666)
        with contextlib.suppress(FileExistsError):  # another session was first
            os.link(temporary, path)
    finally:
        os.close(descriptor)
        temporary.unlink()


def _unusable(path: Path, error: OSError) -> BurstlabError:
    return BurstlabError(
        f"the lock of a device cannot be used: {path}: {error.strerror}; remove it if nobody measures (its owner can), or let "
        f"{VARIABLE} name a folder that all who measure on this machine can write to"
    )
