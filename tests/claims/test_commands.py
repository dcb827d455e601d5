"""What the ledger says would run a claim: the command is there, and its study holds cells that bring a verdict."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.claims.made import USUAL, evidence
from tests.claims.made_profiles import cost, path, profiles, run

from burstlab.claims.decide import DIFFERENT, NOT_RUN, REPRODUCED
from burstlab.claims.judge import judge
from burstlab.claims.load import load_claims
from burstlab.claims.schema import Claim, Where
from burstlab.study.cells import Cell
from burstlab.study.expand import cells
from burstlab.study.load import read_study
from burstlab.study.profiled import profiled
from burstlab.study.schema import Study

ROOT = Path(__file__).parents[2]
COMMANDS = {claim.id: claim for claim in load_claims() if claim.command is not None}
ON_PROFILED_RUNS = {name: COMMANDS[name] for name in ("B8", "B10", "B11", "B12")}
ON_CELLS = {
    name: claim
    for name, claim in COMMANDS.items()
    if claim.where is not None and name not in ON_PROFILED_RUNS
}
# What vLLM makes of its default: decode-only iterations in full graphs, mixed ones piecewise.
GRAPH_MODES = {"default": "FULL_AND_PIECEWISE", "none": "NONE"}
WOBBLE = (0.98, 1.0, 1.02, 1.01, 0.99)


def target_and_config(command: str) -> tuple[str, str, str | None]:
    match = re.fullmatch(r"(make|snakemake) ([a-z]+)(?: CONFIG=(\S+))?", command)
    assert match, command
    return match[1], match[2], match[3]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_command_is_one_that_there_is(name: str) -> None:
    program, target, config = target_and_config(str(COMMANDS[name].command))
    if program == "make":
        assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE)
        assert config is None or (ROOT / config).is_file()
    else:
        rules = "\n".join(path.read_text() for path in (ROOT / "workflow/rules").glob("*.smk"))
        assert re.search(rf"^rule {target}:", rules, re.MULTILINE)


@cache
def study(config: str) -> Study:
    return read_study(ROOT / config, ROOT)


def as_published(claim: Claim) -> Iterator[Cell]:
    """Cells of the command's study that are as published: of its many rates and prompts, one of each."""
    _, _, config = target_and_config(str(claim.command))
    assert config is not None
    assert claim.where is not None
    for cell in cells(study(config)):
        if cell.rate == 20 and cell.workload.startswith("burstgpt") and _holds(claim.where, cell):
            yield cell


def _holds(where: Where, cell: Cell) -> bool:
    return where.holds(cell.platform, cell.model, cell.workload)


def row(cell: Cell, asked: Study) -> dict[str, Any]:
    """A cell of the study as the table would have it, with usual metrics that wobble from seed to seed."""
    engine = asked.engines[cell.engine]
    wobble = WOBBLE[(cell.seed * (1 if cell.arrivals.burstiness == 1 else 2)) % len(WOBBLE)]
    metrics = {name: value * wobble for name, value in USUAL.items() if isinstance(value, float)}
    return {
        **USUAL,
        **metrics,
        **dict(zip(("platform", "model", "engine", "workload"), cell.group, strict=True)),
        "cell": cell.id,
        "rate": cell.rate,
        "seed": cell.seed,
        "burstiness": cell.arrivals.burstiness,
        "on_gpu": True,
        "vllm_version": "0.33.0",
        "cudagraph_mode": GRAPH_MODES.get(engine.cuda_graphs, engine.cuda_graphs.upper()),
        "max_batched_tokens": engine.max_batched_tokens,
        "max_sequences": engine.max_sequences,
    }


def iterations(cell: Cell) -> list[dict[str, Any]]:
    """Enough for a fit."""
    return [
        {"cell": cell.id, "kind": "mixed", "elapsed_ms": 5.0 + 2 * made + (made * context) % 7}
        | {"context_tokens": context, "generation_tokens": made}
        for made, context in ((1, 90), (4, 10), (9, 40), (16, 5), (25, 60), (36, 20))
    ]


@pytest.mark.parametrize("name", ON_CELLS)
def test_the_commands_study_brings_a_verdict_under_the_sources_conditions(name: str, tmp_path: Path) -> None:
    claim = ON_CELLS[name]
    _, _, config = target_and_config(str(claim.command))
    found = list(as_published(claim))
    rows = [row(cell, study(str(config))) for cell in found]
    tables = evidence(tmp_path, rows, [line for cell in found for line in iterations(cell)])
    verdicts = [one for one in judge([claim], tables) if one.evidence == "measured"]
    assert {one.verdict for one in verdicts} - {DIFFERENT, NOT_RUN}
    assert claim.where is not None
    assert {one.platform for one in verdicts} == set(claim.where.platforms)


# What each of them launches, so that no claim is contradicted.
FAMILIES = {
    "fa2": {"decode-only": "fa2-packed", "mixed": "fa2-unpacked"},
    "fa3": {"decode-only": "fa3-packed", "mixed": "fa3-packed"},
    "gdn": {"decode-only": "gdn-recurrent", "mixed": "gdn-chunked"},
}


@pytest.mark.parametrize("name", ON_PROFILED_RUNS)
def test_the_commands_profiled_runs_bring_a_verdict_under_the_sources_conditions(
    name: str, tmp_path: Path
) -> None:
    claim = ON_PROFILED_RUNS[name]
    _, _, config = target_and_config(str(claim.command))
    runs = profiled(study(str(config)))
    assert runs is not None
    costs, paths = [], []
    for cell in cells(runs):
        named = dict(zip(("platform", "model", "engine", "workload"), cell.group, strict=True))
        version = "0.22.1" if runs.engines[cell.engine].environment.endswith("0.22.1") else "0.33.0"
        of = run(named, float(cell.arrivals.burstiness or 1), cell.seed, vllm_version=version)
        costs += [cost(of, "token", 3 + cell.seed / 100), cost(of, "iteration", 2 + cell.seed / 100)]
        paths += [path(of, kind, family, 200) for kind, family in FAMILIES[cell.engine[:3]].items()]
    verdicts = [one.verdict for one in judge([claim], profiles(tmp_path, costs, paths))]
    assert REPRODUCED in verdicts


def test_the_engines_that_an_entry_pairs_are_those_of_its_study() -> None:
    for claim in ON_CELLS.values():
        _, _, config = target_and_config(str(claim.command))
        named = {name for pair in claim.engines for name in pair}
        assert named <= set(study(str(config)).engines), claim.id
