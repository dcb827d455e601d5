"""Before any session starts: what can be told at once, on this machine, and would make it fail for certain."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence

from burstlab.doctor import (
    accounting,
    cluster,
    cluster_limits,
    cores,
    environment,
    gpus,
    memory,
    models,
    profiler,
)
from burstlab.doctor.checkup import softened
from burstlab.doctor.finding import Finding
from burstlab.doctor.subject import Subject
from burstlab.errors import BurstlabError
from burstlab.study.place import KeyPlaces

_EVERYWHERE = (environment.check, models.folders, profiler.needed)
_OF_THE_CLUSTER = (cluster.check, cluster_limits.check, accounting.accounts)
_OF_THIS_MACHINE = (gpus.check, memory.check, cores.check)


def preflight(subject: Subject, *, remote: bool) -> list[Finding]:
    """Warnings and errors. `remote` says that sessions run on other machines than this one.

    Then the cluster is asked in place of this machine, and what else is not here may be there: a warning.
    """
    if not subject.sessions:
        return []
    checks = (*_EVERYWHERE, *(_OF_THE_CLUSTER if remote else _OF_THIS_MACHINE))
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


def refuse_hopeless(
    subject: Subject, places: KeyPlaces, *, remote: bool, warn: Callable[[str], None]
) -> None:
    """Raise BurstlabError, with a line a fault, if a session of the subject would fail for certain.

    Warnings go to `warn`, a line each. For `remote` see `preflight`.
    """
    findings = preflight(subject, remote=remote)
    for finding in findings:
        if finding.level == "warning":
            warn(f"warning: {line(finding, places)}")
    faults = [finding for finding in findings if finding.level == "error"]
    if faults:
        told = [line(finding, places) for finding in faults]
        raise BurstlabError("\n".join([*told, _what_now(subject, faults, places)]))


def _what_now(subject: Subject, faults: Sequence[Finding], places: KeyPlaces) -> str:
    text = f"nothing was started; `burstlab doctor{_of(places, 'config')}` says more about this machine"
    at_fault = {str(fault.path[1]) for fault in faults if fault.path[:1] == ("platforms",)}
    others = [name for name in subject.platforms if name not in at_fault]
    if at_fault and others:
        alone = f"snakemake measure_{others[0]} --cores all{_of(places, 'configfile')}"
        text += f", and `{alone}` measures platform {others[0]} alone"
    return text


def _of(places: KeyPlaces, option: str) -> str:
    """How a command is told of the configuration, if it would take another one by itself."""
    files = [source.label for source in places.sources]
    if files == ["config.yaml"]:
        return ""
    return f" --{option} {shlex.quote(files[0]) if len(files) == 1 else 'FILE'}"
