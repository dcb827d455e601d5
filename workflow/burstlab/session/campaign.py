"""What a run of the workflow has to measure: a study's cells, and its profiled runs; what is there, and sessions for the rest."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from burstlab.records.status import Verdict, status
from burstlab.session.again import again_lines
from burstlab.session.plan import planned, recall, remember
from burstlab.session.targets import MEMORY, RESULTS, cell_record, forced_by, job_name, stale
from burstlab.study.cells import Cell, Session
from burstlab.study.expand import cells
from burstlab.study.profiled import profiled
from burstlab.study.schema import Study
from burstlab.study.specification import specifications
from burstlab.wording import count


@dataclass(frozen=True)
class Campaign:
    """The cells of one study in one folder.

    `name` stands in the names of jobs, logs and memories; it is empty for the study itself. `status` is that of the start
    of the run, `plan` has the sessions of what is missing or stale then.
    """

    name: str
    study: Study
    results: str
    cells: tuple[Cell, ...]
    status: dict[Cell, Verdict]
    plan: list[Session]

    def record(self, cell: Cell) -> str:
        """The file that says the cell is measured."""
        return cell_record(cell, self.results)

    def job(self, session: Session) -> str:
        """The name of a session's job."""
        return f"{self.name or 'session'}_{job_name(session)}"

    def forced(self, session: Session) -> list[str]:
        """What makes Snakemake run the session although its records exist, if some are stale; see `forced_by`."""
        return forced_by(session, self.status, MEMORY / self.name)

    def simulates(self, session: Session) -> bool:
        """Whether the session runs no engine."""
        return self.study.platforms[session.platform].simulated

    def again(self) -> list[str]:
        """Lines that name the cells whose records are there and will be replaced, and why."""
        return again_lines([(cell, one.reason) for cell, one in self.status.items() if one.state == "stale"])

    def message(self, session: Session) -> str:
        """What is told of the session's job when it starts, and by a dry run; braces are doubled, as Snakemake wants them."""
        again = [(cell, self.status[cell].reason) for cell in stale(session, self.status)]
        verb = "simulating" if self.simulates(session) else "measuring"
        which = (
            f", {len(again)} of them again (what is there moves to {self.results}/retired/)" if again else ""
        )
        lines = [f"{verb} {self.what(len(session.cells))} of {session.id}{which}"]
        lines += [f"  {line}" for line in again_lines(again)]
        return "\n".join(lines).replace("{", "{{").replace("}", "}}")

    @property
    def of_profiles(self) -> bool:
        """Whether its cells are profiled runs."""
        return bool(self.name)

    def what(self, number: int) -> str:
        """So many of its cells, in words."""
        return count(number, "profiled run" if self.of_profiles else "cell")

    @property
    def logs(self) -> str:
        """The folder of its sessions' logs."""
        return f"logs/{self.name or 'session'}s"

    def remember(self) -> None:
        """Write the sessions of a run that starts, for its jobs on a cluster."""
        remember(self.plan, _memory(self.name))


def campaigns(study: Study, *, of_a_job: bool) -> list[Campaign]:
    """That of the study's cells, then that of its profiled runs if it has any.

    A job of a cluster reads the rules anew, and must find the sessions of the run that submitted it. Raises BurstlabError when
    a specification cannot be made, or a cell fits in no session.
    """
    runs = profiled(study)
    found = [_campaign("", study, RESULTS, of_a_job)]
    return found if runs is None else [*found, _campaign("profile", runs, f"{RESULTS}/profiles", of_a_job)]


def _campaign(name: str, study: Study, results: str, of_a_job: bool) -> Campaign:
    asked = cells(study)
    index = MEMORY / f"index{name and '-' + name}.json"
    found = status(asked, specifications(asked, study), Path(results), index)
    remembered = _memory(name)
    known = of_a_job and remembered.exists()
    plan = recall(remembered, asked) if known else planned(study, found, Path(results))
    return Campaign(name, study, results, asked, found, plan)


def _memory(name: str) -> Path:
    return MEMORY / f"plan{name and '-' + name}.json"
