"""On a cluster's node, what is needed only while measuring lies on the node's disk."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from burstlab.errors import BurstlabError
from burstlab.session.node_logs import node_logs
from burstlab.session.places import Places
from burstlab.session.scratch import cell_scratch, scratch_folder, without_scratch


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({}, "results/scratch"),
        ({"TMPDIR": "/tmp"}, "results/scratch"),
        ({"SLURM_JOB_ID": "7"}, "results/scratch"),
        ({"SLURM_JOB_ID": "7", "TMPDIR": "/tmp"}, "/tmp/burstlab-7"),
        ({"SLURM_JOB_ID": "7", "TMPDIR": "/tmp", "SLURM_TMPDIR": "/node"}, "/node/burstlab-7"),
        ({"SLURM_JOB_ID": "7", "SLURM_TMPDIR": "/node", "BURSTLAB_SCRATCH": "/fast"}, "/fast/burstlab-7"),
    ],
)
def test_which_folder_it_is(variables: dict[str, str], expected: str) -> None:
    assert scratch_folder(Places(), variables) == Path(expected)


def test_a_recorded_command_does_not_name_the_nodes_disk() -> None:
    words = ["--result-dir", "/node/burstlab-7/a/b", "--seed", "0"]
    recorded = without_scratch(words, Path("/node/burstlab-7/a/b"), "results/scratch/a/b")
    assert recorded == ["--result-dir", "results/scratch/a/b", "--seed", "0"]


def test_after_a_cell_no_empty_folder_is_left(tmp_path: Path) -> None:
    top = tmp_path / "results/scratch"
    with cell_scratch(top, "cpu/m/seed-0") as folder:
        assert folder == top / "cpu/m/seed-0"
        assert list(folder.iterdir()) == []
        (folder / "gpu.log").touch()
    assert not top.exists()
    assert top.parent.is_dir()


def test_what_another_session_measures_in_stays(tmp_path: Path) -> None:
    (tmp_path / "cpu/m/seed-1").mkdir(parents=True)
    (tmp_path / "cpu/m/seed-1/bench.json").touch()
    with cell_scratch(tmp_path, "cpu/m/seed-0"):
        pass
    assert [path.name for path in (tmp_path / "cpu/m").iterdir()] == ["seed-1"]


def test_of_a_failed_cell_what_it_left_stays_until_it_is_tried_again(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), cell_scratch(tmp_path, "cpu/seed-0") as folder:
        (folder / "bench.json").touch()
        raise RuntimeError
    assert (tmp_path / "cpu/seed-0/bench.json").exists()
    with pytest.raises(RuntimeError), cell_scratch(tmp_path, "cpu/seed-0") as folder:
        assert list(folder.iterdir()) == []
        raise RuntimeError
    assert not tmp_path.exists()


def test_logs_can_be_read_at_their_place_while_they_are_written_and_afterwards(tmp_path: Path) -> None:
    logs, scratch = tmp_path / "logs", tmp_path / "node"
    logs.mkdir()
    with node_logs(logs, scratch):
        with (logs / "engine.log").open("ab") as log:
            log.write(b"Iteration\n")
        assert (scratch / "logs/engine.log").read_text() == "Iteration\n"
    assert (logs / "engine.log").read_text() == "Iteration\n"
    assert not (logs / "engine.log").is_symlink()
    assert not scratch.exists()


def test_a_session_that_measured_nothing_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with node_logs(Path("logs"), Path("results/scratch")):
        assert Path("results/scratch").is_dir()
    assert not Path("results/scratch").exists()
    with node_logs(Path("logs"), Path("results/scratch")):
        Path("results/scratch/of-another-session").mkdir()
    assert Path("results/scratch/of-another-session").is_dir()


def test_logs_are_kept_when_the_session_fails(tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    with pytest.raises(RuntimeError), node_logs(tmp_path / "logs", tmp_path / "node"):
        (tmp_path / "logs/engine.log").write_text("said")
        raise RuntimeError
    assert (tmp_path / "logs/engine.log").read_text() == "said"


def test_a_full_disk_is_told_before_an_engine_is_started_and_as_the_cause_of_what_it_leads_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "logs").mkdir()
    told = pytest.raises(BurstlabError, match=r"No space left on device: .* It led to this: nothing logged")
    with told, node_logs(tmp_path / "logs", tmp_path / "node"):
        monkeypatch.setattr("shutil.disk_usage", lambda path: SimpleNamespace(free=63 * 2**20))
        raise BurstlabError("nothing logged")
    with (
        pytest.raises(BurstlabError, match="has 63 MiB free"),
        node_logs(tmp_path / "logs", tmp_path / "node"),
    ):
        pytest.fail("a session must not start")
