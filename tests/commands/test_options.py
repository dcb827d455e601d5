"""A study is named in the same way to every command."""

import argparse

import pytest

from burstlab.cli import COMMANDS, command_line, main


def subcommands() -> dict[str, argparse.ArgumentParser]:
    (found,) = [
        action for action in command_line()._actions if isinstance(action, argparse._SubParsersAction)
    ]
    return dict(found.choices)


def options(flag: str) -> dict[str, argparse.Action]:
    found = {}
    for name, parser in subcommands().items():
        for action in parser._actions:
            if flag in action.option_strings:
                found[name] = action
    return found


def test_a_configuration_is_named_by_one_option() -> None:
    found = options("--config")
    assert set(found) == {"cells", "check", "doctor", "archive", "collect", "compare", "import"}
    defaults = {name: str(action.default) for name, action in found.items()}
    assert {name for name, default in defaults.items() if default != "config.yaml"} == {"compare"}
    assert defaults["compare"] == "config/shipped.yaml"
    for name, action in found.items():
        assert action.help == f"of the study; default: {defaults[name]}"


def test_files_are_laid_over_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--config", "config/seed-study.yaml", "config/simulated.yaml"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("config/seed-study.yaml config/simulated.yaml: study simulated has ")
    assert "warning" not in said, "what is simulated needs nothing of this machine"


def test_a_folder_of_results_is_named_by_one_option() -> None:
    found = options("--results")
    assert set(found) == {"seeds", "gates", "verify", "compare"}
    assert {str(action.default) for action in found.values()} == {"results"}
    assert len({action.help for action in found.values()}) == 1


@pytest.mark.parametrize(
    "command", ["cells", "check", "doctor", "archive", "compare", "seeds", "gates", "verify"]
)
def test_there_is_no_second_way(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command_line().parse_args([command, "my.yaml"])
    assert "unrecognized arguments: my.yaml" in capsys.readouterr().err


def test_every_command_is_listed() -> None:
    assert list(subcommands()) == [name.rstrip("_") for name in COMMANDS]
