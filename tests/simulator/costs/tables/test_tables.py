"""Costs from tables and published fits, looked up by hand."""

from pathlib import Path

import pytest
from tests.simulator.made import sent, served

from burstlab.errors import BurstlabError
from burstlab.simulator.costs.interface import Line
from burstlab.simulator.costs.tables.curve import Curve, Surface
from burstlab.simulator.costs.tables.distserve import DistServeOpt13B
from burstlab.simulator.costs.tables.vidur import read_vidur
from burstlab.simulator.scheduling.vllm_v0 import VllmV0
from burstlab.simulator.scheduling.vllm_v1 import VllmV1

OPERATORS = (
    "input_layernorm", "attn_pre_proj", "attn_rope", "attn_post_proj", "post_attention_layernorm",
    "mlp_up_proj", "mlp_act", "mlp_down_proj", "add",
)  # fmt: skip


def test_a_curve_is_straight_between_its_points_and_goes_on() -> None:
    curve = Curve([10, 20, 40], [1.0, 2.0, 3.0])  # type: ignore[arg-type]
    assert [curve.at(size) for size in (5, 10, 15, 30, 60)] == [1.0, 1.0, 1.5, 2.5, 4.0]


def test_a_curve_never_falls() -> None:
    assert Curve([1, 2, 3], [5.0, 4.0, 6.0]).at(2) == 5.0  # type: ignore[arg-type]


def test_a_surface_is_straight_between_its_curves() -> None:
    low, high = Curve([0, 10], [0.0, 10.0]), Curve([0, 10], [4.0, 14.0])  # type: ignore[arg-type]
    surface = Surface({1.0: low, 5.0: high})
    assert [surface.at(2, level) for level in (0, 1, 2, 5, 9)] == [2.0, 2.0, 3.0, 6.0, 6.0]


@pytest.mark.parametrize("sizes", [[1], [1, 1]])
def test_a_curve_needs_two_sizes(sizes: list[int]) -> None:
    with pytest.raises(BurstlabError, match="two sizes"):
        Curve(sizes, [1.0] * len(sizes))  # type: ignore[arg-type]


def test_distserve_as_published() -> None:
    costs = DistServeOpt13B()
    assert costs.mixed(0, 0, [(512, 0), (100, 0)]) / 1e9 == pytest.approx(22.05 + 85.986 + 2.1989, abs=1e-3)
    assert costs.decode(10, 5000) == Line(23_480_000_000 + 607_000_000 + 2_965_000_000, 5_930_000)


def test_distserve_knows_neither_mixed_batches_nor_large_ones() -> None:
    with pytest.raises(BurstlabError, match="neither mixed batches"):
        served(sent((0, 8, 9), (1, 8, 9)), VllmV1(100, 10), costs=DistServeOpt13B())
    with pytest.raises(BurstlabError, match="below 95 decodes"):
        served(sent(*[(0, 8, 9)] * 95), VllmV0(1000, 128), costs=DistServeOpt13B())
    assert served(sent((0, 8, 9), (1, 8, 9)), VllmV0(100, 10), costs=DistServeOpt13B()).preemptions == 0


def mlp(folder: Path, workers: int = 1) -> Path:
    """A layer takes 0.9 ms at 1 token and 1.8 at 101: nine operators of a ninth each."""
    names = ",".join(f"time_stats.{name}.median" for name in OPERATORS)
    rows = [f"{tokens},{workers}," + ",".join([str(ms)] * 9) for tokens, ms in ((1, 0.1), (101, 0.2))]
    path = folder / "mlp.csv"
    path.write_text("\n".join([f"num_tokens,num_tensor_parallel_workers,{names}", *rows]) + "\n")
    return path


def attention(folder: Path) -> Path:
    names = "time_stats.attn_decode.median,time_stats.attn_prefill.median"
    rows = [
        # batch, chunk, context: decode or prefill
        "1,0,0,False,1,0.1,", "1,0,1000,False,1,0.3,",
        "9,0,0,False,1,0.1,", "9,0,1000,False,1,1.1,",
        "1,100,0,True,1,,1.0", "1,200,0,True,1,,3.0",
    ]  # fmt: skip
    path = folder / "attention.csv"
    head = f"batch_size,prefill_chunk_size,kv_cache_size,is_prefill,num_tensor_parallel_workers,{names}"
    path.write_text("\n".join([head, *rows]) + "\n")
    return path


def test_vidurs_tables_add_up_operators_decodes_and_prompts(tmp_path: Path) -> None:
    costs = read_vidur(mlp(tmp_path), attention(tmp_path), layers=2)
    # One token: 0.9. Mean context 500: 0.2 for one decode.
    assert costs.decode(1, 500).first_ps == round(2 * (0.9 + 0.2) * 1e9)
    # Five decodes lie halfway between one and nine: (0.2 + 0.6) / 2. 105 tokens: 1.8 + 4 · 0.009. A prompt of 100: 1.
    assert costs.mixed(5, 2500, [(100, 0)]) == pytest.approx(2 * (0.4 + 1.836 + 1.0) * 1e9)
    # Prompts of 90 and 120 tokens are one of 150.
    assert costs.mixed(0, 0, [(90, 0), (120, 0)]) == pytest.approx(2 * (1.8 + 109 * 0.009 + 2.0) * 1e9)


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BurstlabError, match="no rows of num_tensor_parallel_workers 2"):
        read_vidur(mlp(tmp_path), attention(tmp_path), 2, tensor_parallel=2)
    with pytest.raises(BurstlabError, match=r"column num_tokens is missing"):
        read_vidur(attention(tmp_path), attention(tmp_path), 2)
    with pytest.raises(BurstlabError, match="cannot be read as CSV"):
        read_vidur(tmp_path / "none.csv", attention(tmp_path), 2)
