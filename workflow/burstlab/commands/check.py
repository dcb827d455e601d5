"""`burstlab check`: say what is wrong with a configuration, or what it asks for."""

import argparse
from pathlib import Path

from burstlab.commands.options import add_config
from burstlab.doctor.preflight import forecast, line
from burstlab.doctor.subject import Subject
from burstlab.records.status import status
from burstlab.session.targets import MEMORY, RESULTS
from burstlab.study.cells import Session
from burstlab.study.expand import cells, sessions
from burstlab.study.load import read_study_and_places
from burstlab.study.schema import Study
from burstlab.study.specification import specifications
from burstlab.wording import count

HELP = "say what is wrong with a configuration, and warn of what this machine lacks for it"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `burstlab check`."""
    add_config(parser)


def run(asked: argparse.Namespace) -> str:
    """One line that sums the study up, and one for each reason why its sessions would fail here.

    These are warnings: a study can be planned, and its figures drawn, where it cannot be measured.
    """
    study, places = read_study_and_places(asked.config)
    found = cells(study)
    summary = (
        f"{asked.config}: study {study.name} has {count(len(found), 'cell')} "
        f"in {count(len(sessions(found, study)), 'session')}"
    )
    findings = forecast(Subject(study, _to_measure(study)))
    return "\n".join([summary, *(f"warning: {line(finding, places)}" for finding in findings)])


def _to_measure(study: Study) -> tuple[Session, ...]:
    if study.mode == "cached":
        return ()
    found = cells(study)
    verdicts = status(found, specifications(found, study), Path(RESULTS), MEMORY / "index.json")
    return sessions((cell for cell, verdict in verdicts.items() if verdict.state != "valid"), study)
