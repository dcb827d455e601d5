"""`burstlab doctor`: say whether this machine can measure what a configuration asks for."""

import argparse

from burstlab.commands.options import add_config
from burstlab.doctor.checkup import checkup
from burstlab.doctor.subject import Subject
from burstlab.doctor.telling import as_json, as_text
from burstlab.study.expand import cells, sessions
from burstlab.study.load import read_study_and_places
from burstlab.study.profiled import profiled

HELP = "say whether this machine can measure what a configuration asks for, and what to do about it"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `burstlab doctor`."""
    add_config(parser)
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")


def run(asked: argparse.Namespace) -> tuple[str, int]:
    """All findings, and 1 if one of them is an error."""
    study, places = read_study_and_places(asked.config)
    subject = Subject(study, sessions(cells(study), study))
    findings = checkup(subject)
    runs = profiled(study)
    if runs is not None:
        asked_alike = Subject(runs, sessions(cells(runs), runs), subject.machine, subject.insides)
        findings = list(dict.fromkeys([*findings, *checkup(asked_alike)]))
    text = (as_json if asked.json else as_text)(findings, places)
    return text, int(any(finding.level == "error" for finding in findings))
