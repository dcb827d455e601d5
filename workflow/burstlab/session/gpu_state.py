"""Clocks, throttling and other work on the GPUs, sampled by one `nvidia-smi` for as long as a benchmark runs."""

import contextlib
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from burstlab.engine.guarded import Guarded
from burstlab.records.observed import GpuState
from burstlab.session.nvidia_output import (
    FIELDS,
    REASON_FIELDS,
    cards,
    is_slice,
    process_ids,
    refused,
    summarise,
)

PERIOD_MS = 500


class GpuWatch:
    """Samples `gpus` (names that CUDA takes) while the block runs; without GPUs it does nothing.

    Of a MIG slice its whole card is sampled: clocks and heat are the card's.
    """

    def __init__(self, gpus: Sequence[str], environment: dict[str, str], samples: Path) -> None:
        self._shared = any(map(is_slice, gpus))
        listing = _answer(["nvidia-smi", "--list-gpus"]) if self._shared else ""
        self._cards = ",".join(cards(gpus, listing))
        self._samples = samples
        self._stack = contextlib.ExitStack()
        self._environment = environment

    def __enter__(self) -> Self:
        if self._cards:
            command = [*_command((*FIELDS, _reason_field(self._cards)), self._cards)]
            command += ["--loop-ms", str(PERIOD_MS)]
            self._samples.unlink(missing_ok=True)
            self._stack.enter_context(Guarded(command, environment=self._environment, log=self._samples))
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def states(self) -> tuple[GpuState, ...]:
        """What was seen, a state for each card."""
        return summarise(self._samples.read_text(errors="replace")) if self._samples.exists() else ()

    def other_processes(self, own: Sequence[int]) -> int | None:
        """Compute processes on the cards now that are not among `own`; None where it cannot be told whose they are.

        Nor where a card is shared in slices: nvidia-smi names the card of a process, not its slice.
        """
        if not self._cards:
            return None
        query = ["nvidia-smi", "--query-compute-apps=pid", "--format=csv,noheader", f"--id={self._cards}"]
        others = others_among(_answer(query), own)
        return None if self._shared and others else others


def others_among(listing: str, own: Sequence[int]) -> int | None:
    """How many of the process ids in `listing`, one a line, are not `own`; None when none is: ids of another namespace."""
    pids = process_ids(listing)
    return len(pids - set(own)) if pids & set(own) else None


def _reason_field(gpus: str) -> str:
    """The name by which this driver knows the mask of reasons."""
    known = (name for name in REASON_FIELDS if not refused(_answer(_command([name], gpus))))
    return next(known, REASON_FIELDS[0])


def _command(fields: Sequence[str], gpus: str) -> list[str]:
    return ["nvidia-smi", f"--query-gpu={','.join(fields)}", "--format=csv,noheader,nounits", f"--id={gpus}"]


def _answer(command: list[str]) -> str:
    """What a command prints, whatever its status: nvidia-smi fails as a whole where one of several GPUs does."""
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
