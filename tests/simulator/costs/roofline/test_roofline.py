"""What the kernel paths do to an iteration."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstlab.errors import BurstlabError
from burstlab.simulator.costs.roofline.attention import BACKENDS, Attention
from burstlab.simulator.costs.roofline.batch import Iteration
from burstlab.simulator.costs.roofline.constants import CONSTANTS, Gpu, constant, varied
from burstlab.simulator.costs.roofline.costs import RooflineCosts
from burstlab.simulator.costs.roofline.launches import GRAPHS, Launches
from burstlab.simulator.costs.roofline.models import MODELS, model

MANY = Iteration(decodes=100, context_tokens=200_000, chunks=[(16, 0)])


def costs(
    name: str = "llama-3.1-8b", gpu: str = "h200", attention: str = "FA3", **more: Any
) -> RooflineCosts:
    return RooflineCosts(name, gpu, attention=attention, **more)


@pytest.mark.parametrize("name", CONSTANTS)
def test_each_constant_has_a_unit_and_a_source(name: str) -> None:
    assert CONSTANTS[name].unit
    assert len(CONSTANTS[name].source) > 10


def test_fa2_reads_keys_four_times_for_four_query_heads_in_a_mixed_batch() -> None:
    llama, gpu = model("llama-3.1-8b"), Gpu("a100-40gb")
    attention = Attention(llama, gpu, "FA2")
    decode_only_us = attention.decode_us_key() * MANY.decode_keys
    assert attention.mixed_us(MANY) / decode_only_us == pytest.approx(4, rel=0.01)


def test_fa2_leaves_a_gpu_idle_where_a_few_decodes_cannot_be_split() -> None:
    llama, gpu = model("llama-3.1-8b"), Gpu("h200")
    # One decode and one chunk: 64 tiles on 132 multiprocessors.
    few = Iteration(1, 30_000, [(16, 0)])
    attention = Attention(llama, gpu, "FA2")
    unsplit = attention.mixed_us(few) / (attention.decode_us_key() * few.decode_keys)
    assert unsplit == pytest.approx(4 * 132 / 64, rel=0.01)


@pytest.mark.parametrize("backend", ["FA3", "FA4", "FLASHINFER"])
def test_others_read_them_once(backend: str) -> None:
    attention = Attention(model("llama-3.1-8b"), Gpu("h200"), backend)
    assert attention.mixed_us(MANY) / (attention.decode_us_key() * MANY.decode_keys) == pytest.approx(
        1, rel=0.01
    )


def test_decode_only_batches_are_alike_for_all_backends_where_memory_is_the_limit() -> None:
    assert (
        len({Attention(model("llama-3.1-8b"), Gpu("h200"), backend).decode_us_key() for backend in BACKENDS})
        == 1
    )


def test_latent_attention_has_no_heads_to_pack() -> None:
    times = {
        Attention(model("glm-4.7-flash"), Gpu("h200"), backend).mixed_us(MANY) for backend in ("FA3", "FA4")
    }
    assert len(times) == 1


def test_a_whole_gated_deltanet_batch_pads_each_decode_to_a_chunk() -> None:
    whole, peeled = (costs("qwen3.5-9b", "gh200", gdn=path) for path in ("whole", "peeled"))
    assert whole.mixed(64, 64_000, [(512, 0)]) > 1.2 * peeled.mixed(64, 64_000, [(512, 0)])
    assert whole.mixed(0, 0, [(512, 0)]) == peeled.mixed(0, 0, [(512, 0)])
    assert whole.decode(64, 64_000) == peeled.decode(64, 64_000)


def test_weights_are_read_in_each_iteration() -> None:
    # 8.03 billion parameters less the embedding's 0.53, in two bytes, at 4.32 TB/s: 3.5 ms.
    assert costs().decode(1, 100).first_ps / 1e9 == pytest.approx(3.5, abs=0.3)


def test_a_long_prompt_takes_its_operations() -> None:
    # 2 · 6.98 billion parameters of layers · 4096 tokens at 791 TFLOP/s are 72.3 ms. Attention: 4 · 128 · 32 operations for each
    # of 8.4 million pairs in 32 layers at 742 TFLOP/s, 5.9 ms. Norms and activations: 19.9 GB at 4.32 TB/s, 4.6 ms.
    assert costs().mixed(0, 0, [(4096, 0)]) / 1e9 == pytest.approx(82.8, rel=0.01)


def test_without_graphs_launching_is_the_limit_of_a_small_model() -> None:
    eager, graphs = (costs("llama-3.2-1b", graphs=mode) for mode in ("none", "full"))
    line = eager.decode(1, 10)
    assert (line.first_ps, line.growth_ps) == (160 * 8 * 10**6, 0)  # 10 kernels a layer, 8 µs each
    assert graphs.decode(1, 10).first_ps < line.first_ps


@pytest.mark.parametrize("setting", GRAPHS)
def test_mixed_batches_run_in_pieces_by_default(setting: str) -> None:
    launches = Launches(model("llama-3.1-8b"), setting)
    expected = {
        "default": ("full", "piecewise"),
        "none": ("none", "none"),
        "piecewise": ("piecewise", "piecewise"),
        "full_decode_only": ("full", "none"),
        "full": ("full", "full"),
    }
    assert (launches.mode(mixed=False), launches.mode(mixed=True)) == expected[setting]


def test_two_gpus_halve_the_work_and_pay_for_sums() -> None:
    one, two = costs("llama-3-70b"), costs("llama-3-70b", tensor_parallel=2)
    ratio = one.mixed(0, 0, [(4096, 0)]) / two.mixed(0, 0, [(4096, 0)])
    assert 1.7 < ratio < 2
    assert 1.5 < one.decode(8, 8000).first_ps / two.decode(8, 8000).first_ps < 2


@given(
    st.sampled_from(sorted(MODELS)),
    st.sampled_from(["default", "none"]),
    st.integers(1, 200),
    st.integers(0, 300_000),
    st.integers(1, 3000),
)
def test_a_line_is_what_each_of_its_iterations_costs(
    name: str, graphs: str, decodes: int, context: int, later: int
) -> None:
    engine = costs(name, graphs=graphs)
    line = engine.decode(decodes, context)
    steps = min(later, line.holds - 1)
    assert (
        line.first_ps + steps * line.growth_ps == engine.decode(decodes, context + steps * decodes).first_ps
    )


@given(st.sampled_from(sorted(MODELS)), st.sampled_from(BACKENDS), st.integers(0, 64), st.integers(1, 2048))
def test_more_work_never_takes_less(name: str, backend: str, decodes: int, prompt: int) -> None:
    engine = costs(name, "h200", backend, gdn="whole")
    now = engine.mixed(decodes, 100 * decodes, [(prompt, 0)])
    assert engine.mixed(decodes, 100 * decodes, [(prompt + 64, 0)]) >= now
    assert engine.mixed(decodes, 200 * decodes, [(prompt, 0)]) >= now


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"gpu": "v100"}, "GPU v100"),
        ({"attention": "XFORMERS"}, "attention backend XFORMERS"),
        ({"gdn": "split"}, "Gated DeltaNet split"),
        ({"graphs": "some"}, "CUDA graphs some"),
    ],
)
def test_unknown_names_are_refused(arguments: dict[str, str], message: str) -> None:
    with pytest.raises(BurstlabError, match=message):
        costs(**arguments)


def test_a_cache_that_serves_all_repeated_reads_leaves_fa2_its_padding_alone() -> None:
    llama, gpu = model("llama-3.1-8b"), Gpu("a100-40gb")
    reads = Iteration(decodes=100, context_tokens=200_000, chunks=[(16, 0)])
    before_us = Attention(llama, gpu, "FA2").mixed_us(reads)
    with varied({"fa2.rereads": 0.0}):
        cached_us = Attention(llama, gpu, "FA2").mixed_us(reads)
    assert cached_us < before_us
    assert Attention(llama, gpu, "FA2").mixed_us(reads) == before_us


def test_a_varied_constant_is_itself_again_afterwards() -> None:
    assert constant("launch.graph") == 10
    with varied({"launch.graph": 2.0}):
        assert constant("launch.graph") == 20
        assert constant("launch.eager") == 8
    assert constant("launch.graph") == 10


@given(
    name=st.sampled_from(sorted(MODELS)),
    gpu=st.sampled_from(["a100-40gb", "gh200", "h200"]),
    attention=st.sampled_from(BACKENDS),
    gdn=st.sampled_from(["whole", "peeled"]),
    split=st.sampled_from([1, 2]),
    decodes=st.integers(1, 200),
    context_tokens=st.integers(0, 400_000),
    prompt_tokens=st.integers(0, 2000),
)
def test_an_iteration_takes_what_its_parts_take_or_launching_them(
    name: str,
    gpu: str,
    attention: str,
    gdn: str,
    split: int,
    decodes: int,
    context_tokens: int,
    prompt_tokens: int,
) -> None:
    found = costs(name, gpu, attention, gdn=gdn, tensor_parallel=split)
    chunks = [(prompt_tokens, 0)] if prompt_tokens else []
    parts_us = found.parts_us(Iteration(decodes, context_tokens, chunks))
    alone_ps = found.decode(decodes, context_tokens).first_ps
    took_ps = found.mixed(decodes, context_tokens, chunks) if chunks else alone_ps
    launching_us = found.launches.cpu_us(mixed=bool(chunks))
    assert min(parts_us) >= 0
    # The time of a key is rounded to whole picoseconds, so by half of one at most.
    rounding_us = (0.5 * (context_tokens + decodes) + 2) / 1e6
    assert took_ps / 1e6 == pytest.approx(max(sum(parts_us), launching_us), rel=1e-9, abs=rounding_us)
