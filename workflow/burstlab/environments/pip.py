"""Running pip inside an environment, with the indexes, mirrors and folders that the user has set up."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

_DROPPED = ("PYTHONPATH", "PYTHONHOME", "PIP_TARGET", "PIP_PREFIX", "PIP_USER", "PIP_REQUIREMENT")
_QUIETLY = ("--no-compile", "--progress-bar", "off")


def install(folder: Path, arguments: Sequence[str], keep_open: Sequence[int] = ()) -> tuple[bool, str]:
    """Run `pip install` of the environment in `folder`; its output goes to stdout as it comes.

    `keep_open` are file descriptors that pip holds as long as it lives. Returns success and the output.
    """
    command = [str(folder / "bin" / "python"), "-m", "pip", "install", *_QUIETLY, *arguments]
    lines = []
    with subprocess.Popen(
        command,
        env=_environment(os.environ),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        pass_fds=keep_open,
    ) as process:
        assert process.stdout is not None  # noqa: S101
        for line in process.stdout:
            lines.append(line)
            sys.stdout.write(line)
            sys.stdout.flush()
    return process.returncode == 0, "".join(lines)


def _environment(inherited: Mapping[str, str]) -> dict[str, str]:
    """The user's environment without what would send the packages elsewhere.

    Constraints are emptied, not dropped, since a pip.conf may set them too: a lock needs none, and one that
    contradicts it would end in a message about neither.
    """
    kept = {key: value for key, value in inherited.items() if key not in _DROPPED}
    return {**kept, "PIP_CONSTRAINT": os.devnull, "PIP_NO_INPUT": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
