"""What a failed run of pip means, in words that say what to do. Standard library only."""

import re
from pathlib import Path

_MISSING = re.compile(r"No matching distribution found for ([^\s(]+)")
_OFFLINE = re.compile(
    r"Failed to establish a new connection|Temporary failure in name resolution|Name or service not known|"
    r"NameResolutionError|NewConnectionError|ConnectTimeoutError|Network is unreachable|No route to host|"
    r"ProxyError"
)
_LAST_LINES = 12


def missing_package(output: str) -> str | None:
    """The requirement that pip found nowhere, if that is why it failed."""
    match = _MISSING.search(output)
    return match.group(1) if match else None


def explain(output: str, name: str, lock: Path, folder: Path) -> str:
    """A message for the user from the `output` of the pip that failed to install `lock` into `folder`."""
    start = f"environment {name}: the packages of {lock} could not be installed"
    missing = missing_package(output)
    if "No space left on device" in output:
        return (
            f"{start}: the disk of {folder} (or of pip's temporary folder, TMPDIR) is full; free some space"
        )
    if "DO NOT MATCH THE HASHES" in output:
        wanted = output[output.index("DO NOT MATCH THE HASHES") :].splitlines()[1:6]
        return (
            f"{start}: a downloaded file is not the one that was locked. Try again with an empty cache (pip "
            f"cache purge); if it stays so, do not trust where it came from:\n" + "\n".join(wanted)
        )
    if _OFFLINE.search(output):
        return (
            f"{start}: no package index could be reached. Go online, or point pip to a mirror (pip config "
            f"set global.index-url …) or to a folder of wheels (pip config set global.find-links …)"
        )
    if missing:
        return (
            f"{start}: no file of {missing} for this Python and processor was found. If you have one, point "
            f"pip to its folder (pip config set global.find-links …) and try again"
        )
    return f"{start}; pip's last lines:\n" + "\n".join(output.strip().splitlines()[-_LAST_LINES:])
