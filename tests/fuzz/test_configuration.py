"""A configuration in any bytes is a study or an error with its name."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fuzz.fuzzing import fuzzed, read_or_refused
from tests.fuzz.mutated_bytes import mutated

from burstlab.study.expand import cells
from burstlab.study.load import read_study
from burstlab.study.schema import Study

ROOT = Path(__file__).parents[2]
VALID = (ROOT / "config.yaml").read_bytes()
SHORT = (
    b"\n".join(line for line in VALID.splitlines() if line.strip() and not line.lstrip().startswith(b"#"))
    + b"\n"
)
VALUES = (
    *(
        "!!int ''",
        "!!float ''",
        "!!bool x",
        "!!timestamp x",
        "!!binary é",
        "!!null x",
        "!!set {a, b}",
        "!!omap [a: 1]",
    ),
    *(
        "!!python/object:os.system x",
        "!!str [a]",
        "!!map [a]",
        "!!seq {a: 1}",
        "!!merge x",
        "!x y",
        "!!pairs [a: 1]",
    ),
    *(
        "&a [*a]",
        "*missing",
        "<<: 5",
        "{<<: [1, 2]}",
        "{<<: {a: 1}}",
        "=",
        "{? [a] : b}",
        "{? {a: 1} : b}",
        "{1: 2}",
    ),
    *(
        "2026-99-99",
        "2026-01-01T25:61:61Z",
        "1:2:3",
        ".inf",
        ".nan",
        "-.inf",
        "1e400",
        "0x" + "f" * 5000,
        "9" * 5000,
    ),
    *(
        "0b1",
        "0o7",
        "1_000",
        "~",
        "yes",
        "''",
        '"\\ud800"',
        '"\\0"',
        "|\n    a",
        "{" * 2000,
        "[" * 2000,
        "[" * 50 + "]" * 50,
    ),
    *("@", "`", "%", "\t", "- - -", "? ", ": ", "--- a", "...", "#", "'", '"'),
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("configuration") / "my.yaml"


def study_or_message(path: Path, data: bytes) -> Study | None:
    path.write_bytes(data)
    study = read_or_refused(lambda: read_study(path, path.parent), path.name)
    if study is not None:
        found = cells(study)
        assert len({cell.id for cell in found}) == len(found)
    return study


@fuzzed(40)
@given(mutated(SHORT))
def test_damaged_bytes(path: Path, data: bytes) -> None:
    study_or_message(path, data)


@fuzzed(70)
@given(st.data())
def test_values_that_yaml_makes_something_else_of(path: Path, data: st.DataObject) -> None:
    lines = SHORT.decode().splitlines()
    number = data.draw(st.integers(0, len(lines) - 1))
    key, colon, _ = lines[number].partition(":")
    lines[number] = f"{key}{colon} {data.draw(st.sampled_from(VALUES))}"
    study_or_message(path, "\n".join(lines).encode("utf-8", "surrogatepass"))


def test_aliases_that_stand_for_millions_of_values_are_refused(path: Path) -> None:
    levels = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    levels += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    assert study_or_message(path, "\n".join(levels).encode()) is None
