from pathlib import Path

import pytest
from tests.profiles.nsys_made import Export, two_iterations

from burstlab.profiles.breakdown import breakdown, unnamed
from burstlab.profiles.read import read_profile


def parts(export: Export, folder: Path) -> list[dict[str, float]]:
    """The parts of each iteration that are not 0."""
    folder.mkdir(exist_ok=True)
    found = breakdown(read_profile(export.sqlite(folder / "report.sqlite")))
    rows = [dict(zip(found.parts, row, strict=True)) for row in found.time_us.tolist()]
    return [{part: time for part, time in row.items() if time} for row in rows]


def test_by_hand(tmp_path: Path) -> None:
    # Iteration 0 takes 16 µs, of which launches cover 9; iteration 1 takes 25, covered 24.
    assert parts(two_iterations(), tmp_path) == [
        {"attention": 3.0, "gemm": 5.0, "other": 1.0, "overhead": 7.0},
        {"attention": 20.0, "other": 4.0, "overhead": 1.0},
    ]


def test_a_name_without_a_family_is_never_lumped(tmp_path: Path) -> None:
    export = two_iterations()
    export.launch(42_000, 44_000, 60, called=21_000, name="mystery")
    assert parts(export, tmp_path)[1] == {"attention": 20.0, "other": 4.0, "unnamed": 2.0, "overhead": 1.0}


def test_launches_of_no_iteration_are_in_no_part(tmp_path: Path) -> None:
    export = two_iterations()
    export.kernel(50_000, 52_000, 999)
    assert parts(export, tmp_path) == parts(two_iterations(), tmp_path / "again")


def test_each_process_has_its_own_iterations(tmp_path: Path) -> None:
    export = two_iterations()
    second = (1 << 56) | (4343 << 24)
    export.range(0, 10_000, "execute_context_0(0)_generation_8(8)", thread=second | 1)
    export.call(1_000, 1, thread=second | 1)
    export.kernel(6_000, 7_000, 1, process=second)
    found = breakdown(read_profile(export.sqlite(tmp_path / "report.sqlite")))
    assert found.time_us[:, found.parts.index("gemm")].tolist() == [5.0, 0.0, 1.0]
    assert found.of_process(4343).time_us[:, found.parts.index("gemm")].tolist() == [1.0]


def test_unnamed_launches_are_told_with_their_share(tmp_path: Path) -> None:
    export = two_iterations()  # 33 µs of launches
    export.launch(60_000, 64_000, 60, called=21_000, name="mystery")
    export.launch(64_000, 66_000, 61, called=21_000, name="mystery")
    export.launch(66_000, 67_000, 62, called=21_000, name="riddle")
    found = unnamed(read_profile(export.sqlite(tmp_path / "report.sqlite")))
    assert [(one.name, one.launches, one.time_us) for one in found] == [
        ("mystery", 2, 6.0),
        ("riddle", 1, 1.0),
    ]
    assert [one.share for one in found] == pytest.approx([6 / 40, 1 / 40])
