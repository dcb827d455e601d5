import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from pytest import approx
from tests.imports.conftest import old_log

from burstlab.collections.manifest import check_manifest
from burstlab.errors import BurstlabError
from burstlab.files import sha256_of
from burstlab.imports.collect import collect
from burstlab.imports.names import Named
from burstlab.records.cell_record import check_folder, read_record
from burstlab.records.schema import CellRecord
from burstlab.tables.study_tables import build_tables

LAYOUT = "vllm-0.22/a100/qwen/in64out3/rate10/burst0.5/prompts40seed3.json"
OURS = Named(platform="lab", engine="old", workload="short")


def only_cell(folder: Path) -> tuple[CellRecord, Path]:
    (path,) = folder.glob("cells/**/cell.json")
    record = read_record(path)
    return check_folder(path.parent, record.cell.cell()), path.parent


def test_the_predecessors_results_become_a_collection(lab: Any, tmp_path: Path) -> None:
    path = lab.save(LAYOUT, log=old_log(80))
    made = collect(lab.folder, tmp_path, None, Named())
    assert made.folder == tmp_path / "collections/lab"
    manifest = check_manifest(made.folder)
    assert manifest.evidence == ("measured",)
    assert manifest.hardware == ()
    record, folder = only_cell(made.folder)
    assert record.cell.cell().id == "a100/qwen/vllm-0.22/in64out3-n40/rate-10/burst-0.5/seed-3"
    assert (folder / "bench.json").read_bytes() == path.read_bytes()
    assert record.imported is not None
    assert record.imported.file == LAYOUT
    assert record.imported.sha256 == sha256_of(path)
    assert record.imported.planned_send == "rebuilt"
    assert record.versions == {"vllm": None}
    # TPOT is (160 − 100) / 2 ms; 40 requests of 3 tokens have 80 tokens that the log counts.
    assert record.summary["mean_tpot_ms"] == approx(30.0)
    assert record.summary["decode_only_iterations"] == 80
    assert record.summary["prefill_only_iterations"] == 1
    # All left 1 ms late, which is where the clock is taken to have started.
    assert record.summary["lateness_p99_ms"] == approx(0.0, abs=1e-6)


def test_without_a_log_iterations_are_unknown(lab: Any, tmp_path: Path) -> None:
    lab.save(LAYOUT)
    record, folder = only_cell(collect(lab.folder, tmp_path, "old", Named()).folder)
    assert record.summary["decode_only_iterations"] is None
    assert record.summary["decode_only_token_share"] is None
    assert record.imported is not None
    assert "iterations" in record.imported.unknown
    assert pq.read_table(folder / "iterations.parquet").num_rows == 0


STARTED = """\
INFO 11-29 15:41:32 [core.py:93] Initializing a V1 LLM engine (v0.22.1) with config: model='m', dtype=torch.bfloat16, \
enable_prefix_caching=False, compilation_config={'cudagraph_mode': <CUDAGraphMode.FULL_AND_PIECEWISE: (2, 1)>}
INFO 11-29 15:41:33 [vllm.py:1] Asynchronous scheduling is enabled.
"""


def test_what_the_engine_says_in_its_log_is_known_and_judged(lab: Any, tmp_path: Path) -> None:
    lab.save(LAYOUT, log=STARTED + old_log(80))
    record, _ = only_cell(collect(lab.folder, tmp_path, "old", Named()).folder)
    assert record.versions == {"vllm": "0.22.1"}
    assert record.engine_reported["cudagraph_mode"] == "FULL_AND_PIECEWISE"
    # Its iteration times mean nothing, which nobody would know without the log.
    assert "async-scheduling-off" in record.failed_gates
    assert record.imported is not None
    assert record.imported.unknown == ("hardware", "commands", "client's own lateness")


def test_a_log_that_begins_later_leaves_the_engine_unknown(lab: Any, tmp_path: Path) -> None:
    lab.save(LAYOUT, log=old_log(80))
    record, _ = only_cell(collect(lab.folder, tmp_path, "old", Named()).folder)
    assert record.imported is not None
    assert {"versions.vllm", "engine_reported"} <= set(record.imported.unknown)
    assert "async-scheduling-off" in record.unjudged_gates


def test_a_log_of_another_load_is_not_used(lab: Any, tmp_path: Path) -> None:
    lab.save(LAYOUT, log=old_log(160))
    made = collect(lab.folder, tmp_path, "old", Named())
    record, _ = only_cell(made.folder)
    assert record.summary["decode_only_iterations"] is None
    assert "160 generation tokens, the requests 80" in made.outcome.notes[0]


def test_plain_files_need_names_and_get_their_seed_from_their_arrivals(lab: Any, tmp_path: Path) -> None:
    lab.save("one.json", seed=17)
    record, _ = only_cell(collect(lab.folder, tmp_path, "plain", OURS).folder)
    assert record.cell.cell().id == "lab/qwen3-8b/old/short/rate-10/burst-0.5/seed-17"
    assert record.imported is not None
    assert record.imported.seed == "found"


def test_arrivals_that_no_seed_explains_stay_unknown(lab: Any, tmp_path: Path) -> None:
    lab.save("one.json", start_times=[100.0 + 0.1 * n for n in range(40)])
    record, folder = only_cell(
        collect(lab.folder, tmp_path, "plain", Named(**vars(OURS) | {"seed": 5})).folder
    )
    assert record.imported is not None
    assert record.imported.planned_send == "unknown"
    assert record.summary["planned_cv"] is None
    assert record.summary["lateness_p99_ms"] is None
    assert pq.read_table(folder / "requests.parquet")["planned_send_s"].to_pandas().isna().all()


@pytest.mark.parametrize(
    ("name", "changes", "said"),
    [
        (LAYOUT, {"mean_ttft_ms": 90.0}, "mean_ttft_ms is saved as 90.0"),
        (LAYOUT, {"rate": 9.0}, "request_rate is saved as 9, but its path says 10"),
        (LAYOUT, {"burstiness": 1.0}, "burstiness is saved as 1, but its path says 0.5"),
        (LAYOUT, {"seed": 4}, "said to be of seed 3, but its start_times are those of seed 4"),
        (LAYOUT, {"input_lens": [512] * 40}, "input_lens has a mean of 512 tokens, but its path says 64"),
        (LAYOUT, {"ttfts": [0.1] * 39}, "has 40 items, ttfts 39"),
        (LAYOUT, {"num_prompts": 41}, "num_prompts"),
        (LAYOUT, {"request_rate": "fast"}, "request_rate is 'fast'"),
        ("x.json", {}, "does not say its platform: give --platform NAME"),
    ],
)
def test_a_file_that_contradicts_itself_or_its_path_is_refused_by_name(
    lab: Any, tmp_path: Path, name: str, changes: dict[str, Any], said: str
) -> None:
    lab.save(name, **changes)
    with pytest.raises(BurstlabError) as error:
        collect(lab.folder, tmp_path, "old", Named())
    assert said in str(error.value)
    assert name in str(error.value)
    assert not list(tmp_path.glob("collections/*"))


def test_a_file_without_requests_of_its_own_is_refused(lab: Any, tmp_path: Path) -> None:
    path = lab.save(LAYOUT)
    content = json.loads(path.read_text())
    path.write_text(json.dumps({key: content[key] for key in content if key not in ("ttfts", "itls")}))
    with pytest.raises(BurstlabError, match="--save-detailed"):
        collect(lab.folder, tmp_path, "old", Named())


def test_one_bad_file_does_not_spoil_the_others(lab: Any, tmp_path: Path) -> None:
    lab.save(LAYOUT)
    (lab.folder / "broken.json").write_text("{")
    made = collect(lab.folder, tmp_path, "old", Named())
    assert len(made.outcome.cells) == 1
    assert list(made.outcome.refused) == ["broken.json"]
    assert "1 cell; 1 refused" in check_manifest(made.folder).origin


def test_two_files_of_one_cell_are_not_mixed_up(lab: Any, tmp_path: Path) -> None:
    lab.save("a/one.json")
    lab.save("b/one.json")
    made = collect(lab.folder, tmp_path, "plain", OURS)
    assert len(made.outcome.cells) == 1
    assert "which another file is as well" in made.outcome.refused["b/one.json"]


def test_a_collection_is_never_overwritten(lab: Any, tmp_path: Path) -> None:
    lab.save(LAYOUT)
    collect(lab.folder, tmp_path, "old", Named())
    with pytest.raises(BurstlabError, match="is there already"):
        collect(lab.folder, tmp_path, "old", Named())


def test_a_name_that_is_no_folder_is_refused(lab: Any, tmp_path: Path) -> None:
    lab.save(LAYOUT)
    with pytest.raises(BurstlabError, match="--name"):
        collect(lab.folder, tmp_path, "../old", Named())


def test_imported_cells_stand_in_the_tables_as_measured(lab: Any, tmp_path: Path) -> None:
    lab.save(LAYOUT)
    lab.save("vllm-0.22/a100/qwen/in64out3/rate10/burst0.5/prompts40seed4.json", seed=4)
    made = collect(lab.folder, tmp_path, "old", Named())
    build_tables(sorted(made.folder.glob("cells/**/cell.json")), tmp_path / "tables")
    cells = pq.read_table(tmp_path / "tables/cells.parquet").to_pylist()
    assert [row["seed"] for row in cells] == [3, 4]
    assert {row["evidence"] for row in cells} == {"measured"}
    assert [row["mean_mixed_ms"] for row in cells] == [None, None]
