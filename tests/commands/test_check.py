"""What `make study` says of a configuration before Snakemake reads it."""

from pathlib import Path

import pytest

from burstlab import cli

STUDY = """
name: small
mode: measure
platforms: {cpu: {kind: cpu}}
environments: {mine: {python: /no/python}}
models: {m: {path: /no/model}}
engines: {plain: {environment: mine}}
workloads: {short: {dataset: random, requests: 2, input_tokens: 8, output_tokens: 4}}
blocks:
  - {platforms: [cpu], models: [m], engines: [plain], workloads: [short], rates: [1], burstiness: [1.0], seeds: [0]}
"""


def test_what_this_machine_lacks_is_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.yaml").write_text(STUDY)
    assert cli.main(["check", "--config", "my.yaml"]) == 0
    summary, python, model = capsys.readouterr().out.splitlines()
    assert summary == "my.yaml: study small has 1 cell in 1 session"
    assert python.startswith("warning: my.yaml:5: environments.mine.python = '/no/python': ")
    assert model.startswith("warning: my.yaml:6: models.m.path = '/no/model': ")


def test_what_is_not_to_be_measured_needs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.yaml").write_text(STUDY.replace("mode: measure", "mode: cached"))
    assert cli.main(["check", "--config", "my.yaml"]) == 0
    assert "warning" not in capsys.readouterr().out


def test_what_a_run_would_replace_is_named_before_it_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.yaml").write_text(STUDY)
    cell = "cpu/m/plain/short/rate-1/burst-1/seed-0"
    (tmp_path / "results/cells" / cell).mkdir(parents=True)
    (tmp_path / "results/cells" / cell / "cell.json").write_text("{")
    assert cli.main(["check", "--config", "my.yaml"]) == 0
    _, told, again, *_ = capsys.readouterr().out.splitlines()
    assert told == "warning: a run measures 1 cell again, and moves what is there to results/retired/:"
    assert again.startswith(f"  again: {cell}: cell.json: ")
    (tmp_path / "my.yaml").write_text(STUDY.replace("mode: measure", "mode: cached"))
    assert cli.main(["check", "--config", "my.yaml"]) == 0
    assert "again" not in capsys.readouterr().out


def test_profiled_runs_are_counted_beside_cells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    block = "{platforms: [cpu], models: [m], engines: [plain], workloads: [short], rates: [1], burstiness: [1.0], seeds: [0, 1]}"
    (tmp_path / "my.yaml").write_text(f"{STUDY}profiles: {{blocks: [{block}]}}\n")
    assert cli.main(["check", "--config", "my.yaml"]) == 0
    summary, *warnings = capsys.readouterr().out.splitlines()
    assert summary == "my.yaml: study small has 1 cell in 1 session and 2 profiled runs in 1 session"
    assert len(warnings) == len(set(warnings)) == 2
    assert cli.main(["cells", "--config", "my.yaml", "--profiles"]) == 0
    assert capsys.readouterr().out.split() == [
        f"cpu/m/plain/short/rate-1/burst-1/seed-{seed}" for seed in (0, 1)
    ]


def test_a_study_without_profiled_runs_lists_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my.yaml").write_text(STUDY)
    assert cli.main(["cells", "--config", "my.yaml", "--profiles"]) == 1
    assert "my.yaml: has no `profiles`" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "x.yaml: cannot read this configuration: No such file or directory"),
        ("folder", "x.yaml: cannot read this configuration: Is a directory"),
        (b"", "x.yaml:1: a configuration must be a mapping of keys to values; this file is empty"),
        (b"name: \xff\n", "x.yaml: cannot read this configuration: it is no UTF-8 text"),
        (b"a: [1\nb: 2\n", "x.yaml:2: not valid YAML: "),
        (b"- a\n", "x.yaml:1: a configuration must be a mapping of keys to values"),
    ],
)
def test_a_file_that_is_no_configuration_is_one_message(
    content: bytes | str | None,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    if content == "folder":
        (tmp_path / "x.yaml").mkdir()
    elif isinstance(content, bytes):
        (tmp_path / "x.yaml").write_bytes(content)
    assert cli.main(["check", "--config", "x.yaml"]) == 1
    captured = capsys.readouterr()
    assert said in captured.err
    assert captured.out == ""
