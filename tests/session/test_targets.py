"""A session's job asks for the cells that are missing or stale, and for what they need."""

from pathlib import Path

from burstlab.records.status import MISSING, VALID, Verdict
from burstlab.session import targets
from burstlab.study.cells import Arrivals, Cell, Session
from burstlab.study.load import read_study

STALE = Verdict("stale", "specification changed")


def cell(seed: int, workload: str = "random-256-32") -> Cell:
    return Cell("cpu", "tiny-gqa", "eager", workload, 6.0, Arrivals.gamma(0.5), seed)


SESSION = Session("cpu", "tiny-gqa", "eager", 0, (cell(0), cell(1), cell(2)))
STATUS = {cell(0): VALID, cell(1): MISSING, cell(2): STALE}


def test_valid_cells_are_left_alone() -> None:
    assert targets.unmeasured(SESSION, STATUS) == [cell(1), cell(2)]


def test_only_a_stale_cell_is_retired() -> None:
    assert targets.stale(SESSION, STATUS) == [cell(2)]


def test_a_session_is_about_to_run_if_a_job_makes_a_cell_of_its() -> None:
    other = Session("gpu", "tiny-gqa", "eager", 0, (Cell("gpu", "m", "e", "w", 1.0, Arrivals.gamma(1.0), 0),))
    outputs = {"results/tables/cells.parquet", targets.cell_record(cell(1))}
    assert targets.about_to_run([SESSION, other], outputs) == [SESSION]
    assert targets.about_to_run([SESSION, other], set()) == []


def test_a_job_is_named_without_slashes() -> None:
    assert targets.job_name(SESSION) == "cpu--tiny-gqa--eager--0"


def test_the_target_of_a_cell_is_its_record() -> None:
    assert targets.cell_record(cell(1)) == (
        "results/cells/cpu/tiny-gqa/eager/random-256-32/rate-6/burst-0.5/seed-1/cell.json"
    )


def test_a_session_needs_its_environment_its_model_and_each_dataset_once(root: Path) -> None:
    session = Session("cpu", "tiny-gqa", "eager", 0, (cell(0), cell(0, "text"), cell(1, "text")))
    needs = targets.needs(
        session,
        read_study(root / "config.yaml", root),
        lambda environment: f"{environment}.json",
        lambda model: [f"{model}.json"],
        lambda cell: ["text.json"] if cell.workload == "text" else [],
    )
    assert needs == ["text.json", "tiny-gqa.json", "vllm-cpu.json"]


def test_a_session_on_a_cpu_takes_all_cores_and_one_on_a_gpu_four(root: Path) -> None:
    study = read_study(root / "config.yaml", root)
    assert targets.cores(SESSION, study, 16) == 16
    seeds = read_study(root / "config" / "seed-study.yaml", root)
    on_gpu = Session("h200", "qwen3.5-9b", "any", 0, ())
    assert targets.cores(on_gpu, seeds, 16) == 4
    assert targets.cores(on_gpu, seeds, None) == 4


def test_an_environment_of_the_users_own_is_not_built(root: Path) -> None:
    needs = targets.needs(
        SESSION, read_study(root / "config.yaml", root), lambda _: None, lambda _: [], lambda _: []
    )
    assert needs == []


def test_what_forces_a_session_is_a_file_named_after_what_is_wrong(tmp_path: Path) -> None:
    (forced,) = targets.forced_by(SESSION, STATUS, tmp_path)
    assert Path(forced).read_text() == f"{cell(2).id}: specification changed\n"
    other = {**STATUS, cell(2): Verdict("stale", "bench.json is 3 bytes, recorded 9")}
    assert targets.forced_by(SESSION, other, tmp_path) != [forced]


def test_missing_cells_alone_need_no_forcing(tmp_path: Path) -> None:
    assert targets.forced_by(SESSION, {**STATUS, cell(2): MISSING}, tmp_path) == []


def test_the_list_of_cells_is_written_anew_only_when_it_changes(tmp_path: Path) -> None:
    asked = Path(targets.asked_for([cell(0), cell(1)], tmp_path))
    first = asked.stat()
    assert targets.asked_for([cell(1), cell(0)], tmp_path) == str(asked)
    assert (asked.stat().st_mtime_ns, asked.stat().st_ino) == (first.st_mtime_ns, first.st_ino)
    targets.asked_for([cell(0)], tmp_path)
    assert asked.read_text() == f"{cell(0).id}\n"
