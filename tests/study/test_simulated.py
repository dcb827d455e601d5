"""`mode: simulated` makes another study of one: of GPUs that are not there, with stand-ins in place of downloads."""

from pathlib import Path
from typing import Any

import pytest
from tests.simulated_study import in_folder, simulated_config

from burstlab.errors import BurstlabError
from burstlab.study.expand import cells
from burstlab.study.load import read_study

ROOT = Path(__file__).parents[2]
OVERLAY = ROOT / "config/simulated.yaml"


def measured_config(**changes: Any) -> dict[str, Any]:
    """A study of GPUs that are called as clusters do, and of a download that is sent and replayed."""
    config = simulated_config(mode="simulated", **changes)
    config["platforms"] = {
        "a100-40gb": {"kind": "cuda", "gpu_model": "a100", "slurm": {"gpu_type": "a100"}},
        "2xh200": {"kind": "cuda", "gpus": 2, "gpu_model": "h200", "max_cells_per_session": 3},
    }
    config["datasets"] = {
        "burstgpt": {"source": "burstgpt", "url": "https://example.org/b.csv", "max_total_tokens": 1000}
    }
    config["workloads"] = {
        "random-64-16": config["workloads"]["random-64-16"],
        "burstgpt-50": {"dataset": "burstgpt", "requests": 50},
    }
    config["blocks"][0] |= {
        "platforms": ["a100-40gb", "2xh200"],
        "workloads": ["random-64-16", "burstgpt-50"],
        "traces": ["burstgpt"],
    }
    return config


def refused(tmp_path: Path, config: dict[str, Any]) -> str:
    with pytest.raises(BurstlabError) as caught:
        in_folder(tmp_path, config)
    return str(caught.value)


def test_every_gpu_is_simulated_and_called_so(tmp_path: Path) -> None:
    study = in_folder(tmp_path, measured_config())
    assert {name: (one.kind, one.gpu_model, one.gpus) for name, one in study.platforms.items()} == {
        "a100-40gb-simulated": ("simulated", "a100-40gb", 1),
        "2xh200-simulated": ("simulated", "h200", 2),
    }
    assert {cell.platform for cell in cells(study)} == set(study.platforms)


def test_stand_ins_are_called_synthetic_wherever_they_appear(tmp_path: Path) -> None:
    study = in_folder(tmp_path, measured_config())
    assert set(study.datasets) == {"synthetic-burstgpt"}
    stand_in = study.datasets["synthetic-burstgpt"]
    assert (stand_in.source, stand_in.url) == ("synthetic-burstgpt", None)
    assert stand_in.max_prompt_tokens + stand_in.max_output_tokens <= 1000
    found = cells(study)
    assert {cell.workload for cell in found} == {"random-64-16", "synthetic-burstgpt-50"}
    assert {cell.arrivals.slug for cell in found} == {"burst-1", "burst-0.1", "trace-synthetic-burstgpt"}


def test_it_asks_for_as_many_cells_as_the_study_that_it_is_of(tmp_path: Path) -> None:
    config = measured_config()
    of_mode = cells(in_folder(tmp_path, config))
    assert len(of_mode) == len(cells(in_folder(tmp_path, config | {"mode": "measure"})))


def test_a_stand_in_has_a_row_for_each_request(tmp_path: Path) -> None:
    config = measured_config()
    config["workloads"]["burstgpt-50"]["requests"] = 5000
    assert in_folder(tmp_path, config).datasets["synthetic-burstgpt"].rows == 5001


def test_a_local_file_with_lengths_is_taken_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "b.csv").touch()
    config = measured_config()
    config["datasets"]["burstgpt"] = {"source": "burstgpt", "path": "b.csv", "max_total_tokens": 1000}
    study = in_folder(tmp_path, config)
    assert {cell.workload for cell in cells(study)} == {"random-64-16", "burstgpt-50"}


def test_a_cpu_is_an_error(tmp_path: Path) -> None:
    config = measured_config()
    config["platforms"]["cpu"] = {"kind": "cpu"}
    assert "platforms.cpu.kind = 'cpu': mode: simulated simulates GPUs" in refused(tmp_path, config)


def test_an_unknown_gpu_is_an_error(tmp_path: Path) -> None:
    config = measured_config()
    config["platforms"]["2xh200"]["gpu_model"] = "b200"
    assert "platforms.2xh200: mode: simulated knows the GPUs a100-40gb, gh200, h200" in refused(
        tmp_path, config
    )


def test_a_trace_without_a_stand_in_is_an_error(tmp_path: Path) -> None:
    config = measured_config()
    config["datasets"]["azure"] = {"source": "azure-trace", "url": "https://example.org/a.csv"}
    config["blocks"][0]["traces"] = ["azure"]
    assert "blocks[0].traces[0] = 'azure': mode: simulated downloads nothing" in refused(tmp_path, config)


def test_a_name_that_is_taken_is_an_error(tmp_path: Path) -> None:
    config = measured_config()
    config["datasets"]["synthetic-burstgpt"] = {"source": "synthetic-burstgpt"}
    assert "datasets.burstgpt: mode: simulated calls it synthetic-burstgpt, which is taken" in refused(
        tmp_path, config
    )


def test_what_cannot_be_simulated_is_told_at_its_place_in_the_configuration(tmp_path: Path) -> None:
    config = measured_config()
    config["engines"]["new"]["flash_attn_version"] = 3
    assert "engines.new.flash_attn_version = 3: platform a100-40gb-simulated is an Ampere GPU" in refused(
        tmp_path, config
    )


def test_the_published_matrix_is_simulated_by_laying_one_file_over_it() -> None:
    published = read_study(ROOT / "config/seed-study.yaml", ROOT)
    study = read_study([ROOT / "config/seed-study.yaml", OVERLAY], ROOT)
    assert len(cells(study)) == len(cells(published))
    assert {cell.platform for cell in cells(study)} == {
        f"{cell.platform}-simulated" for cell in cells(published)
    }
    assert {cell.workload for cell in cells(study) if not cell.workload.startswith("random")} == {
        f"synthetic-{cell.workload}" for cell in cells(published) if not cell.workload.startswith("random")
    }
