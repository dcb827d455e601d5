"""What a session tells the one who waits for it: short lines on standard error, while its log has the details."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TextIO

from burstlab.session.again import again_lines
from burstlab.session.remaining import Remaining, about
from burstlab.study.cells import Cell
from burstlab.wording import count


@dataclass
class Console:
    """Counts the cells of a session, whose name is `session`, and tells of each on `stream`. `unit` is what they are called."""

    stream: TextIO
    session: str
    unit: str = "cell"
    cells: int = 0
    _done: int = field(default=0, init=False)
    _remaining: Remaining = field(default_factory=lambda: Remaining({}), init=False)

    def tell(self, message: str) -> None:
        """One line about the session as a whole."""
        self._print(f"{self.session}: {message}")

    def begin(self, todo: Sequence[tuple[Cell, str]], planned_s: Mapping[Cell, float]) -> None:
        """How many cells there are to measure and why: the first time, or again for the reasons given.

        `planned_s` says how many seconds the arrivals of each take.
        """
        self.cells = len(todo)
        self._remaining = Remaining(planned_s)
        again = [(cell, reason) for cell, reason in todo if reason]
        which = f", {len(again)} of them again" if again else ""
        self.tell(f"{count(self.cells, self.unit)} to measure{which}")
        for line in again_lines(again):
            self._print(f"  {line}")

    def measured(self, cell: Cell, wall_s: float, failed_gates: Sequence[str] = ()) -> None:
        """A cell is finished; it does not count if it failed a gate."""
        self._remaining.finished(cell, wall_s)
        excluded = f"  EXCLUDED by {', '.join(failed_gates)}" if failed_gates else ""
        self._cell(cell, f"{wall_s:.1f} s{excluded}")

    def failed(self, cell: Cell, reason: str) -> None:
        """A cell failed; the first line of the reason is shown."""
        self._remaining.failed(cell)
        self._cell(cell, f"FAILED: {reason.strip().partition(chr(10))[0]}")

    def _cell(self, cell: Cell, what: str) -> None:
        self._done += 1
        left_s = self._remaining.estimate_s()
        left = "" if left_s is None else f"  ({about(left_s)} left)"
        self._print(f"[{self._done}/{self.cells}] {cell.id}  {what}{left}")

    def _print(self, line: str) -> None:
        print(line, file=self.stream, flush=True)
