"""Which kernels each kind of iteration took."""

from pathlib import Path

from tests.profiles.torch_made import PID, Trace

from burstlab.profiles.paths import paths
from burstlab.profiles.read import read_profile

RECURRENT = "_C::fused_sigmoid_gating_delta_rule_update_cpu"
CHUNKED = "_C::chunk_gated_delta_rule_cpu"


def found(trace: Trace, folder: Path) -> dict[tuple[str, str], dict[str, object]]:
    rows = paths(read_profile(trace.write(folder / "trace.json")), PID)
    return {(str(row["kind"]), str(row["family"])): row for row in rows}


def split_batches() -> Trace:
    """Two decode-only iterations and a mixed one, in which decodes are taken out of the chunked kernel."""
    trace = Trace()
    for number in range(2):
        trace.range(100 * number, 100 * number + 50, "execute_context_0(0)_generation_4(4)")
        trace.operator(100 * number, 100 * number + 10, RECURRENT)
        trace.operator(100 * number + 10, 100 * number + 15, RECURRENT)
    trace.range(200, 300, "execute_context_1(50)_generation_4(4)")
    trace.operator(200, 220, RECURRENT)
    trace.operator(220, 290, CHUNKED)
    trace.operator(290, 295, "aten::mm")
    return trace


def test_iterations_launches_and_times_are_of_the_kind(tmp_path: Path) -> None:
    rows = found(split_batches(), tmp_path)
    assert rows.keys() == {
        ("decode-only", "gdn-recurrent"),
        ("mixed", "gdn-chunked"),
        ("mixed", "gdn-recurrent"),
    }
    decodes = rows["decode-only", "gdn-recurrent"]
    assert (decodes["iterations"], decodes["with_it"], decodes["launches"], decodes["time_us"]) == (
        2,
        2,
        4,
        30,
    )
    chunked = rows["mixed", "gdn-chunked"]
    assert (chunked["iterations"], chunked["with_it"], chunked["launches"], chunked["time_us"]) == (
        1,
        1,
        1,
        70,
    )


def test_an_iteration_without_a_launch_is_not_with_it(tmp_path: Path) -> None:
    trace = split_batches()
    trace.range(400, 450, "execute_context_0(0)_generation_4(4)")
    trace.operator(400, 410, "aten::mm")
    decodes = found(trace, tmp_path)["decode-only", "gdn-recurrent"]
    assert (decodes["iterations"], decodes["with_it"]) == (3, 2)


def test_another_process_is_left_out(tmp_path: Path) -> None:
    profile = read_profile(split_batches().write(tmp_path / "trace.json"))
    assert list(paths(profile, PID + 1)) == []
