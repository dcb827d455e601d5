"""What would be taken for an effect of bursts or GPUs, and is one of settings."""

from dataclasses import replace

from tests.validity import spoil

from burstlab.records.schema import Gate
from burstlab.validity.compare import judge_comparison
from burstlab.validity.evidence import Evidence


def on(evidence: Evidence, platform: str, **reported: str | None) -> Evidence:
    """The cell on a GPU platform of this name."""
    moved = replace(evidence, cell=replace(evidence.cell, platform=platform))
    return spoil.reporting(spoil.asking(moved, "platform", kind="cuda"), **reported)


def open_limits(evidence: Evidence) -> Evidence:
    asked = spoil.asking(evidence, "engine", max_batched_tokens=None, max_sequences=None)
    return spoil.reporting(asked, argument_max_batched_tokens=None, argument_max_sequences=None)


def verdict(name: str, *cells: Evidence) -> Gate:
    (found,) = [gate for gate in judge_comparison(cells) if gate.name == name]
    return found


def test_platforms_with_pinned_limits_compare(good: Evidence) -> None:
    assert verdict("same-batch-limits", on(good, "a100"), on(good, "h200")).state == "passed"


def test_different_default_limits_do_not(good: Evidence) -> None:
    small = on(open_limits(good), "a100", max_batched_tokens="2048", max_sequences="256")
    large = on(open_limits(good), "h200", max_batched_tokens="8192", max_sequences="1024")
    gate = verdict("same-batch-limits", small, large)
    assert gate.state == "failed"
    assert "a100" in gate.message
    assert "8192" in gate.message


def test_limits_that_nobody_states_are_not_judged(good: Evidence) -> None:
    cells = [on(open_limits(good), platform) for platform in ("a100", "h200")]
    assert verdict("same-batch-limits", *cells).state == "not judged"


def test_within_one_platform_limits_are_alike(good: Evidence) -> None:
    assert verdict("same-batch-limits", on(good, "h200"), on(good, "h200")).state == "not applicable"


def test_full_graphs_for_decodes_alone_are_a_confound(good: Evidence) -> None:
    for mode, state in (
        ("FULL_AND_PIECEWISE", "failed"),
        ("FULL_DECODE_ONLY", "failed"),
        ("PIECEWISE", "passed"),
        ("NONE", "passed"),
        (None, "not judged"),
    ):
        assert verdict("same-graph-mode", on(good, "h200", cudagraph_mode=mode)).state == state
    assert verdict("same-graph-mode", good).state == "not applicable"


def test_versions_are_compared_within_one_engine(good: Evidence) -> None:
    old, new = on(good, "h200", version="0.22.1"), on(good, "h200", version="0.23.0")
    assert verdict("same-engine-version", old, new).state == "failed"
    assert verdict("same-engine-version", old, old).state == "passed"
    other = replace(new, cell=replace(new.cell, engine="other"))
    assert verdict("same-engine-version", old, other).state == "not applicable"
