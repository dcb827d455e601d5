"""`burstlab check`: say what is wrong with a configuration, or what it asks for."""

import argparse

from burstlab.commands.options import add_config, shown
from burstlab.doctor.preflight import forecast, line
from burstlab.doctor.subject import Subject
from burstlab.session.campaign import Campaign, campaigns
from burstlab.study.cells import Session
from burstlab.study.expand import sessions
from burstlab.study.load import read_study_and_places
from burstlab.wording import count

HELP = "say what is wrong with a configuration, and warn of what this machine lacks for it"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `burstlab check`."""
    add_config(parser)


def run(asked: argparse.Namespace) -> str:
    """One line that sums the study up, those of cells that a run would measure again, and one for each session's fault here.

    All but the first are warnings: a study can be planned, and its figures drawn, where it cannot be measured.
    """
    study, places = read_study_and_places(asked.config)
    found = campaigns(study, of_a_job=False)
    asked_for = " and ".join(
        f"{one.what(len(one.cells))} in {count(len(sessions(one.cells, one.study)), 'session')}"
        for one in found
    )
    summary = f"{shown(asked.config)}: study {study.name} has {asked_for}"
    findings = [finding for one in found for finding in forecast(Subject(one.study, _to_measure(one)))]
    lines = [summary, *(line for one in found for line in _again(one))]
    return "\n".join([*lines, *(f"warning: {line(finding, places)}" for finding in dict.fromkeys(findings))])


def _again(campaign: Campaign) -> list[str]:
    """What a run would replace, and so is the last moment to object to."""
    lines = [] if campaign.study.mode == "cached" else campaign.again()
    if not lines:
        return []
    number = sum(verdict.state == "stale" for verdict in campaign.status.values())
    attic = f"{campaign.results}/retired/"
    told = f"warning: a run measures {campaign.what(number)} again, and moves what is there to {attic}:"
    return [told, *(f"  {line}" for line in lines)]


def _to_measure(campaign: Campaign) -> tuple[Session, ...]:
    if campaign.study.mode == "cached":
        return ()
    todo = (cell for cell, verdict in campaign.status.items() if verdict.state != "valid")
    return sessions(todo, campaign.study)
