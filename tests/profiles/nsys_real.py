"""A program that opens ranges for a real nsys, as vLLM's worker does around its iterations."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

needs_nsys = pytest.mark.skipif(
    shutil.which("nsys") is None, reason="nsys is not installed (Debian: nsight-systems, non-free)"
)

# NVTX is a header, which loads into the program whatever NVTX_INJECTION64_PATH names: nsys sets it.
_RANGES = """
#include <nvtx3/nvToolsExt.h>
void push(const char *name) { nvtxRangePushA(name); }
void pop(void) { nvtxRangePop(); }
"""

# Every fifth iteration is mixed. It runs until it is ended; the file says that it has begun.
PROGRAM = """
import ctypes, pathlib, sys, time
ranges = ctypes.CDLL(sys.argv[1])
number = 0
while True:
    mixed = number % 5 == 4
    name = "execute_context_1(100)_generation_4(4)" if mixed else "execute_context_0(0)_generation_4(4)"
    ranges.push(name.encode())
    time.sleep(0.005 if mixed else 0.002)
    ranges.pop()
    number += 1
    if number == 1:
        pathlib.Path(sys.argv[2]).touch()
"""


def ranges_library(folder: Path) -> Path:
    """A library with `push` and `pop`, compiled against the header that nsys comes with."""
    source, library = folder / "ranges.c", folder / "libranges.so"
    source.write_text(_RANGES)
    command = ["cc", "-shared", "-fPIC", f"-I{_headers()}", str(source), "-o", str(library), "-ldl"]
    subprocess.run(command, check=True)
    return library


def _headers() -> Path:
    program = Path(shutil.which("nsys") or "nsys").resolve()
    for folder in program.parents:
        for below in (folder, folder / "lib/nsight-systems"):
            found = sorted(below.glob("target-linux-*/nvtx/include"))
            if found:
                return found[0]
    pytest.skip(f"{program}: no header of NVTX beside it")
