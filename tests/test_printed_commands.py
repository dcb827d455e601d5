"""Every command that a document, a message or a comment tells one to run is one that there is."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from burstlab.cli import COMMANDS, command_line

ROOT = Path(__file__).parents[1]
TEXTS = (
    "README.md",
    "config.yaml",
    "Makefile",
    "docs/**/*.md",
    "config/*",
    "report/*.j2",
    "workflow/**/*.py",
)
FENCED = re.compile(r"^```\n(.*?)^```", re.M | re.S)
QUOTED = re.compile(r"(?:`|<code>|\(RUN\) |^#   |^    )burstlab ([a-z]+)([^`<|#\n]*)", re.M)
ALONE = re.compile(r"^burstlab ([a-z]+)([^|#\n]*)", re.M)


def printed() -> Iterator[tuple[str, str, str]]:
    """File, subcommand and arguments of each command that is written out."""
    for pattern in TEXTS:
        for path in sorted(ROOT.glob(pattern)):
            text = path.read_text()
            blocks = "\n".join(FENCED.findall(text))
            for found in [*QUOTED.finditer(text), *ALONE.finditer(blocks)]:
                yield str(path.relative_to(ROOT)), found[1], re.sub(r"\s{2,}.*", "", found[2].strip())


def test_all_of_them_can_be_parsed(capsys: pytest.CaptureFixture[str]) -> None:
    known = {name.rstrip("_") for name in COMMANDS}
    parsed = set()
    for place, command, rest in printed():
        assert command in known, f"{place}: there is no command burstlab {command}"
        # A command alone is its name; of what has a value put in, the rest is not known here.
        if rest and not set("{$") & set(rest):
            try:
                command_line().parse_args([command, *shlex.split(rest)])
            except SystemExit:
                pytest.fail(f"{place}: burstlab {command} {rest}: {capsys.readouterr().err}")
            parsed.add(command)
    assert parsed >= {"check", "doctor", "cells", "collect", "archive", "import", "seeds"}
