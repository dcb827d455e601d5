"""A wall clock that can be stepped for some processes alone, whose monotonic clock goes on as it should."""

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class WallClock:
    """The clock of all processes that are started with `environment`."""

    library: Path
    file: Path

    @property
    def environment(self) -> dict[str, str]:
        """Variables that put a process under this clock, and its children with it."""
        return {"LD_PRELOAD": str(self.library), "BURSTLAB_CLOCK_FILE": str(self.file)}

    def step(self, seconds: int) -> None:
        """From now on it is so far from the real one."""
        new = self.file.with_suffix(".new")
        new.write_text(str(seconds))
        new.replace(self.file)


def wall_clock(folder: Path) -> WallClock | None:
    """Such a clock with its files in `folder`, or None where there is no C compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    clock = WallClock(folder / "wall_clock.so", folder / "clock")
    source = Path(__file__).with_suffix(".c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-o", str(clock.library), str(source)], check=True)
    clock.step(0)
    return clock
