from pathlib import Path

import pytest
from tests.profiles.nsys_made import Export, two_iterations
from tests.profiles.torch_made import two_iterations_on_a_cpu

from burstlab.cli import main
from burstlab.profiles.store import read_launches


def test_what_the_time_went_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = two_iterations_on_a_cpu().write(tmp_path / "trace.json")
    assert main(["kernels", str(path)]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "5 launches, 2 iterations" in told
    assert "joined inside: 4 launches, 98.11% of their time" in told
    assert "all 115.0 200.0 attention 30.0 180.0 gemm 50.0 0.0" in told
    assert "attention 45.0 7.5 no interval: 2 iterations are too few for 4 blocks" in told


def test_names_without_a_family_and_launches_without_an_iteration_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    export = two_iterations()  # 33 µs
    export.launch(60_000, 66_000, 60, called=21_000, name="mystery")
    export.kernel(70_000, 71_000, 999)
    assert main(["kernels", str(export.sqlite(tmp_path / "report.sqlite"))]) == 0
    told = capsys.readouterr().out
    assert "of no family: 1 name, 15.00% of the time of launches\n  15.00% mystery" in told
    assert "joined to no iteration: 1 launch, 2.50% of their time" in told


def test_an_index_with_its_interval(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    export = Export()
    for number in range(400):
        begin, mixed = number * 1_000, number % 2
        export.range(begin, begin + 100, f"execute_context_{mixed}({mixed * 9})_generation_2(2)")
        export.launch(
            begin + 10, begin + 20 + 20 * mixed, number, called=begin, name="kernel_unified_attention"
        )
    assert main(["kernels", str(export.sqlite(tmp_path / "report.sqlite")), "--per", "iteration"]) == 0
    assert "3.00 (95%: 3.00 to 3.00)" in capsys.readouterr().out


def test_a_prefill_only_trace_has_no_index(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    export = Export()
    export.range(0, 100, "execute_context_1(9)_generation_0(0)")
    export.launch(10, 20, 1, called=5)
    assert main(["kernels", str(export.sqlite(tmp_path / "report.sqlite"))]) == 0
    assert "no index" in capsys.readouterr().out


def test_launches_are_written(tmp_path: Path) -> None:
    path = two_iterations().sqlite(tmp_path / "report.sqlite")
    assert main(["kernels", str(path), "--write", str(tmp_path / "new" / "kernels.parquet")]) == 0
    assert read_launches(tmp_path / "new" / "kernels.parquet").num_rows == 5


@pytest.mark.parametrize("option", ["--write", "--perfetto"])
def test_the_trace_is_not_written_over(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = two_iterations().sqlite(tmp_path / "report.sqlite")
    before = path.read_bytes()
    (tmp_path / "link.sqlite").symlink_to(path)
    assert main(["kernels", str(path), option, str(tmp_path / "link.sqlite")]) == 1
    assert "link.sqlite: would be written over the trace; name another file" in capsys.readouterr().err
    assert main(["kernels", str(tmp_path), option, str(tmp_path / "NVTX_EVENTS.parquet")]) == 1
    assert "NVTX_EVENTS.parquet: would be written over the trace" in capsys.readouterr().err
    assert path.read_bytes() == before


@pytest.mark.parametrize("option", ["--write", "--perfetto"])
def test_where_nothing_can_be_written(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = two_iterations().sqlite(tmp_path / "report.sqlite")
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    assert main(["kernels", str(path), option, str(tmp_path / "folder")]) == 1
    assert "folder: a folder; name a file" in capsys.readouterr().err
    assert main(["kernels", str(path), option, str(tmp_path / "file" / "new")]) == 1
    assert "file: cannot be written: " in capsys.readouterr().err


def test_one_file_cannot_be_both(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = two_iterations().sqlite(tmp_path / "report.sqlite")
    both = str(tmp_path / "new")
    assert main(["kernels", str(path), "--write", both, "--perfetto", both]) == 1
    assert "the same file; name two" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_a_file_that_is_no_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kernels", str(tmp_path / "lost.sqlite")]) == 1
    assert "lost.sqlite: cannot be read" in capsys.readouterr().err
