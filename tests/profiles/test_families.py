import pytest

from burstlab.profiles.families import Rule, families, family_of, parts, rule_of, rules

TRAITS = (
    "Flash_fwd_kernel_traits<(int)128, (int)64, (int)128, (int)4, (bool)0, (bool)0, cutlass::bfloat16_t, "
    "Flash_kernel_traits<(int)128, (int)64, (int)128, (int)4, cutlass::bfloat16_t>>"
)


def fa2(*flags: str, traits: str = TRAITS) -> str:
    return f"void flash::flash_fwd_splitkv_kernel<{traits}, {', '.join(flags)}>(flash::Flash_fwd_params)"


@pytest.mark.parametrize(
    ("name", "family"),
    [
        (
            "void flash::flash_fwd_splitkv_combine_kernel<Flash_fwd_kernel_traits<128, 64>>(Params)",
            "fa2-combine",
        ),
        ("void cutlass::device_kernel<flash::enable_sm90<flash::FlashAttnFwdSm90<X>>>(T1::Params)", "fa3"),
        ("void cutlass::device_kernel<flash::FlashAttnFwdCombine<X>>(T1::Params)", "fa3"),
        ("flash::prepare_varlen_num_blocks_kernel(int, int)", "fa3"),
        ("chunk_local_cumsum_scalar_kernel", "gdn-chunked"),
        ("chunk_scaled_dot_kkt_fwd_kernel", "gdn-chunked"),
        ("merge_16x16_to_64x64_inverse_kernel", "gdn-chunked"),
        ("recompute_w_u_fwd_kernel", "gdn-chunked"),
        ("chunk_gated_delta_rule_fwd_kernel_h_blockdim64", "gdn-chunked"),
        ("chunk_fwd_kernel_o", "gdn-chunked"),
        ("fused_recurrent_gated_delta_rule_packed_decode_kernel", "gdn-recurrent"),
        ("fused_sigmoid_gating_delta_rule_update_kernel", "gdn-recurrent"),
        ("_causal_conv1d_update_kernel", "gdn-recurrent"),
        (
            "void cutlass::device_kernel<flat::kernel::FlatKernelTmaWarpSpecializedDeltaRule<flat::X>>(T1)",
            "gdn-flashinfer",
        ),
        ("kernel_unified_attention", "triton-attention"),
        ("kernel_unified_attention_2d", "triton-attention"),
        ("reduce_segments", "triton-attention"),
        ("void flashinfer::BatchPrefillWithPagedKVCacheKernel<X>(T1)", "flashinfer"),
        ("void flashinfer::BatchDecodeWithPagedKVCacheKernel<X>(T1)", "flashinfer"),
        ("kernel_cutlass_kernel_flash_attncuteflash_fwd_sm100FlashAttentionForwardSm100_object_at__0", "fa4"),
        ("void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<X>>(T1::Params)", "gemm"),
        ("fused_moe_kernel", "moe"),
        ("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(Args)", "collectives"),
        ("CUDA memcpy Device-to-Host", "copies"),
        ("CUDA graph 7", "graph"),
        ("_C::cpu_attention_with_kv_cache", "cpu-attention"),
        ("_C::chunk_gated_delta_rule_cpu", "gdn-chunked"),
        ("_C::onednn_mm", "gemm"),
        ("aten::index_select", "cpu-operators"),
    ],
)
def test_names_seen_in_traces(name: str, family: str) -> None:
    assert family_of(name) == family


@pytest.mark.parametrize("name", ["", "my_kernel", "flash", "chunk_gla_fwd_kernel", "at::something", "aten"])
def test_a_name_of_no_rule_has_no_family(name: str) -> None:
    assert family_of(name) is None


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: f"{rule.family}-{rule.pattern.pattern[:20]}")
def test_examples_of_the_table_are_decided_by_their_own_rule(rule: Rule) -> None:
    assert rule.source
    assert rule.examples
    for name in rule.examples:
        assert rule_of(name) is rule, name


def test_every_rule_is_of_a_family_and_every_family_has_a_rule() -> None:
    named = {rule.family for rule in rules()} | {"fa2-packed", "fa2-unpacked", "fa3-packed", "fa3-unpacked"}
    assert named == families().keys()


def test_the_parts() -> None:
    assert parts() == (
        "attention",
        "gdn",
        "moe",
        "gemm",
        "collectives",
        "other",
        "graph",
        "unnamed",
        "overhead",
    )


@pytest.mark.parametrize(
    ("on", "off"), [("(bool)1", "(bool)0"), ("true", "false"), ("1", "0")], ids=["nsys", "torch", "short"]
)
def test_fa2_is_told_apart_by_its_template_arguments(on: str, off: str) -> None:
    rest = [off, on, off, off, off]
    assert family_of(fa2(off, off, off, *rest), (1, 20, 8)) == "fa2-packed"
    for unpacked in [(on, off, off), (off, on, off), (off, off, on)]:  # causal, a window, ALiBi
        assert family_of(fa2(*unpacked, *rest), (1, 20, 32)) == "fa2-unpacked"


def test_fa2_that_is_not_causal_but_has_long_queries_is_unpacked() -> None:
    assert family_of(fa2("false", "false", "false", "false"), (9, 20, 32)) == "fa2-unpacked"


def test_without_a_grid_the_arguments_decide() -> None:
    assert family_of(fa2("false", "false", "false", "false"), None) == "fa2-packed"


@pytest.mark.parametrize(
    "name",
    [
        "flash_fwd_splitkv_kernel",
        fa2("false"),
        fa2("what", "is", "this"),
        fa2("false", "false", "false")[:90],
    ],
)
def test_fa2_without_the_arguments_is_not_told(name: str) -> None:
    assert family_of(name, (1, 20, 8)) == "fa2"


def test_fa2_without_a_cache_is_unpacked() -> None:
    assert (
        family_of("void flash::flash_fwd_kernel<Flash_fwd_kernel_traits<128>, false, true>(Params)")
        == "fa2-unpacked"
    )
