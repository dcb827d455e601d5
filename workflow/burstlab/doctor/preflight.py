"""Before any session starts: what can be told at once, on this machine, and would make it fail for certain."""

from __future__ import annotations

from collections.abc import Sequence

from burstlab.doctor import cluster, cores, environment, gpus, memory, models
from burstlab.doctor.checkup import softened
from burstlab.doctor.finding import Finding
from burstlab.doctor.subject import Subject
from burstlab.study.place import KeyPlaces

_EVERYWHERE = (environment.check, models.folders)
_OF_THIS_MACHINE = (gpus.check, memory.check, cores.check)


def preflight(subject: Subject, *, remote: bool) -> list[Finding]:
    """Warnings and errors. `remote` says that sessions run on other machines than this one.

    Then this machine's GPUs, memory and cores are not asked for, and what else is not here may be there: a warning.
    """
    if not subject.sessions:
        return []
    checks = _EVERYWHERE if remote else (*_EVERYWHERE, *_OF_THIS_MACHINE)
    found = [finding for check in checks for finding in check(subject) if finding.level != "ok"]
    return [softened(finding) for finding in found] if remote else found


def forecast(subject: Subject) -> list[Finding]:
    """The same before it is known where sessions run: not on this machine if their platform names a cluster's keys."""
    elsewhere = cluster.platforms(subject)
    there = [session for session in subject.sessions if session.platform in elsewhere]
    here = [session for session in subject.sessions if session.platform not in elsewhere]
    study, machine = subject.study, subject.machine
    found = [
        *preflight(Subject(study, here, machine), remote=False),
        *preflight(Subject(study, there, machine), remote=True),
    ]
    return list(dict.fromkeys(found))


def line(finding: Finding, places: KeyPlaces) -> str:
    """One line: file, line, key and value, what was found, what would be right."""
    place = f"{places.where(finding.path)}: " if finding.path else ""
    return f"{place}{finding.found}; {finding.cure}"


def lines(findings: Sequence[Finding], places: KeyPlaces, level: str) -> str:
    """The lines of the findings of that level, joined; "" if there are none."""
    return "\n".join(line(finding, places) for finding in findings if finding.level == level)
