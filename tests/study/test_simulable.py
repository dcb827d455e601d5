"""What a configuration asks for as the simulator takes it, and what the simulator refuses before anything starts."""

from pathlib import Path
from typing import Any

import pytest
from tests.simulated_study import in_folder, simulated_config

from burstlab.errors import BurstlabError
from burstlab.simulator.setup import Setup
from burstlab.study.simulable import reported, setup_of

PLATFORM = "gh200-simulated"


def setup(tmp_path: Path, engine: str = "new", **changes: Any) -> Setup:
    config = simulated_config()
    config["engines"][engine] |= changes
    return setup_of(in_folder(tmp_path, config), PLATFORM, "qwen3.5-9b", engine)


def refused(tmp_path: Path, config: dict[str, Any]) -> str:
    with pytest.raises(BurstlabError) as caught:
        in_folder(tmp_path, config)
    return str(caught.value)


def with_gpu(gpu: str, **engine: Any) -> dict[str, Any]:
    config = simulated_config(platforms={PLATFORM: {"kind": "simulated", "gpu_model": gpu}})
    config["engines"]["new"] |= engine
    return config


def test_the_version_of_vllm_decides_what_mixed_batches_of_gated_delta_net_take(tmp_path: Path) -> None:
    assert setup(tmp_path, "old").gdn == "whole"
    assert setup(tmp_path, "new").gdn == "peeled"


@pytest.mark.parametrize(
    ("gpu", "asked", "attention"),
    [
        ("gh200", {}, "FA3"),
        ("a100-40gb", {}, "FA2"),
        ("h200", {"flash_attn_version": 2}, "FA2"),
        ("h200", {"attention_backend": "FLASH_ATTN", "flash_attn_version": 4}, "FA4"),
        ("h200", {"attention_backend": "FLASHINFER"}, "FLASHINFER"),
    ],
)
def test_kernels_are_those_asked_for_or_vllms_own_choice(
    tmp_path: Path, gpu: str, asked: dict[str, Any], attention: str
) -> None:
    study = in_folder(tmp_path, with_gpu(gpu, **asked))
    assert setup_of(study, PLATFORM, "qwen3.5-9b", "new").attention == attention


@pytest.mark.parametrize(("gpu", "limits"), [("gh200", (8192, 1024)), ("a100-40gb", (2048, 256))])
def test_limits_left_open_are_vllms_for_the_gpu(tmp_path: Path, gpu: str, limits: tuple[int, int]) -> None:
    config = with_gpu(gpu, max_batched_tokens=None, max_sequences=None)
    config["models"] = {"llama-3.1-8b": {"hub": "meta-llama/Llama-3.1-8B"}}
    config["blocks"][0] |= {"models": ["llama-3.1-8b"]}
    found = setup_of(in_folder(tmp_path, config), PLATFORM, "llama-3.1-8b", "new")
    assert (found.max_batched_tokens, found.max_sequences) == limits


@pytest.mark.parametrize(
    ("name", "model", "shape"),
    [
        ("mine", {"hub": "meta-llama/Meta-Llama-3-70B", "tensor_parallel": 2}, "llama-3-70b"),
        ("mine", {"hub": "meta-llama/Llama-3.1-8B-Instruct"}, "llama-3.1-8b"),
        ("llama-3.2-1b", {"path": "/models/somewhere"}, "llama-3.2-1b"),
    ],
)
def test_a_model_is_known_by_its_hub_or_by_its_name(
    tmp_path: Path, name: str, model: dict[str, Any], shape: str
) -> None:
    config = simulated_config(models={name: model})
    config["platforms"][PLATFORM]["gpus"] = 2
    config["blocks"][0]["models"] = [name]
    assert setup_of(in_folder(tmp_path, config), PLATFORM, name, "new").model == shape


def test_a_model_of_the_hub_is_not_taken_for_another_that_it_is_named_after(tmp_path: Path) -> None:
    config = simulated_config(models={"qwen3.5-9b": {"hub": "Qwen/Qwen3-14B"}})
    config["blocks"][0]["models"] = ["qwen3.5-9b"]
    with pytest.raises(
        BurstlabError, match=r"models\.qwen3\.5-9b\.hub = 'Qwen/Qwen3-14B': the simulator knows"
    ):
        in_folder(tmp_path, config)


def test_a_simulated_engine_says_what_it_stands_for_by_the_keys_of_a_real_one(tmp_path: Path) -> None:
    study = in_folder(tmp_path)
    says = reported(study, "old", setup_of(study, PLATFORM, "qwen3.5-9b", "old"))
    assert (says["version"], says["cudagraph_mode"]) == ("0.22.1", "FULL_AND_PIECEWISE")
    assert (says["max_batched_tokens"], says["max_sequences"]) == (2048, 64)
    assert (says["attention"], says["gated_delta_net"]) == ("FA3", "whole")


@pytest.mark.parametrize(
    ("engine", "said"),
    [
        (
            {"scheduler": "mine.Scheduler"},
            "engines.new.scheduler = 'mine.Scheduler': the simulator knows vLLM's own",
        ),
        (
            {"attention_backend": "TRITON_ATTN"},
            "attention_backend = 'TRITON_ATTN': the simulator knows FLASH_ATTN",
        ),
        (
            {"dtype": "float32"},
            "engines.new.dtype = 'float32': the simulator knows bfloat16 and float16 only",
        ),
        ({"arguments": {"block-size": 32}}, "the simulator does not know what block-size does"),
        (
            {"arguments": {"additional-config": {"gdn_prefill_backend": "flashinfer"}}},
            "the simulator knows additional-config: {gdn_prefill_backend: triton}",
        ),
        ({"environment_variables": {"VLLM_X": "1"}}, "the simulator does not know what VLLM_X does"),
        (
            {"chunked_prefill": False, "max_batched_tokens": None},
            "engines.new.max_batched_tokens = empty: without chunked_prefill a simulated engine needs it",
        ),
        (
            {"max_sequences": 1_000_000, "max_batched_tokens": 1_000_000},
            "on platform gh200-simulated: qwen3.5-9b has",
        ),
    ],
)
def test_what_the_simulator_cannot_do_is_told_before_anything_starts(
    tmp_path: Path, engine: dict[str, Any], said: str
) -> None:
    assert said in refused(tmp_path, with_gpu("gh200", **engine))


def test_version_3_does_not_run_on_ampere(tmp_path: Path) -> None:
    said = refused(tmp_path, with_gpu("a100-40gb", flash_attn_version=3))
    assert "engines.new.flash_attn_version = 3: platform gh200-simulated is an Ampere GPU" in said


def test_an_unknown_model_is_told_which_are_known(tmp_path: Path) -> None:
    config = simulated_config(models={"mine": {"hub": "meta/other"}})
    config["blocks"][0]["models"] = ["mine"]
    said = refused(tmp_path, config)
    assert (
        "models.mine.hub = 'meta/other': the simulator knows the shapes of qwen3.5-9b, llama-3.1-8b" in said
    )
    assert said.count("\n") == 0, "once, however many engines have it"


def test_weights_that_no_gpu_holds_are_told(tmp_path: Path) -> None:
    config = simulated_config(models={"llama-3-70b": {"hub": "meta-llama/Meta-Llama-3-70B"}})
    config["blocks"][0]["models"] = ["llama-3-70b"]
    assert "llama-3-70b has 131 GiB of weights a GPU" in refused(tmp_path, config)


def test_kernels_that_depend_on_an_unknown_version_are_asked_for(tmp_path: Path) -> None:
    config = simulated_config()
    config["environments"]["new"] = {"python": "/opt/python"}
    assert "environments.new: the simulator must know the version of vLLM" in refused(tmp_path, config)
    config["environments"]["new"]["vllm_version"] = "0.23.0rc1"
    assert setup_of(in_folder(tmp_path, config), PLATFORM, "qwen3.5-9b", "new").gdn == "peeled"


def test_texts_have_no_lengths_where_there_is_no_tokenizer(tmp_path: Path) -> None:
    config = simulated_config()
    config["datasets"]["talk"] = {"source": "sharegpt", "url": "https://example.org/talk.json"}
    config["workloads"]["talk"] = {"dataset": "talk", "requests": 10}
    config["blocks"][0]["workloads"] = ["talk"]
    assert "use synthetic-sharegpt there" in refused(tmp_path, config)


def test_a_name_says_whether_a_platform_is_simulated(tmp_path: Path) -> None:
    config = simulated_config(platforms={"gh200": {"kind": "simulated", "gpu_model": "gh200"}})
    config["blocks"][0]["platforms"] = ["gh200"]
    assert "platforms.gh200: a simulated platform is called so: gh200-simulated" in refused(tmp_path, config)
    config = simulated_config()
    config["platforms"][PLATFORM] = {"kind": "cuda"}
    assert "only platforms of kind: simulated have names that end in -simulated" in refused(tmp_path, config)


@pytest.mark.parametrize(
    ("platform", "said"),
    [
        ({"kind": "simulated"}, "gpu_model: the simulator knows the GPUs a100-40gb, gh200, h200"),
        ({"kind": "simulated", "gpu_model": "b200"}, "gpu_model = 'b200': the simulator knows the GPUs"),
        ({"kind": "simulated", "gpu_model": "h200", "slurm": {}}, "what is simulated takes no job"),
        (
            {"kind": "simulated", "gpu_model": "h200", "kvcache_gib": 2.0},
            "kvcache_gib only goes with kind: cpu",
        ),
    ],
)
def test_a_simulated_platform_is_a_gpu_that_is_known(
    tmp_path: Path, platform: dict[str, Any], said: str
) -> None:
    assert said in refused(tmp_path, simulated_config(platforms={PLATFORM: platform}))


def test_a_profiled_run_of_what_cannot_be_simulated_is_refused_where_it_stands(tmp_path: Path) -> None:
    config = simulated_config()
    config["engines"]["new"]["scheduler"] = "mine.Scheduler"
    block = config["blocks"][0]
    config["blocks"] = [{**block, "engines": ["old"]}]
    config["profiles"] = {"blocks": [{**block, "seeds": [0]}]}
    assert "profiles.blocks[0]" in refused(tmp_path, config)
