from tests.doctor.conftest import H200, FakeMachine, Make, smi

from burstlab.doctor import attention
from burstlab.doctor.inside_answer import Inside

FA3 = {"plain": {"environment": "vllm", "attention_backend": "FLASH_ATTN", "flash_attn_version": 3}}


def test_each_key_has_its_own_finding(subject: Make) -> None:
    made = subject(FakeMachine(smi(H200)), engines=FA3)
    made.insides["vllm"] = Inside("0.33.0", "", {"FLASH_ATTN": None, "fa3": "ImportError: _vllm_fa3_C"})
    backend, version = attention.check(made)
    assert (backend.level, backend.path) == ("ok", ("engines", "plain", "attention_backend"))
    assert (version.level, version.path) == ("error", ("engines", "plain", "flash_attn_version"))
    assert "_vllm_fa3_C" in version.found


def test_without_a_gpu_here_it_is_a_warning(subject: Make) -> None:
    made = subject(FakeMachine(), engines=FA3)
    made.insides["vllm"] = Inside("0.33.0", "", {"FLASH_ATTN": "ImportError: libcuda.so.1", "fa3": "no GPU"})
    assert [found.level for found in attention.check(made)] == ["warning", "warning"]


def test_where_vllm_chooses_it_is_told_what_it_can_choose(subject: Make) -> None:
    made = subject(FakeMachine(smi(H200)))
    made.insides["vllm"] = Inside("0.33.0", "", {"FLASH_ATTN": None, "FLASHINFER": "no", "TRITON_ATTN": None})
    (found,) = attention.check(made)
    assert (found.level, found.found) == ("ok", "vLLM chooses, and can import FLASH_ATTN, TRITON_ATTN")


def test_nothing_to_choose_from_is_a_warning(subject: Make) -> None:
    made = subject(FakeMachine(smi(H200)))
    made.insides["vllm"] = Inside("0.33.0", "", {"FLASH_ATTN": "a", "FLASHINFER": "b", "TRITON_ATTN": "c"})
    (found,) = attention.check(made)
    assert found.level == "warning" and "FLASHINFER: b" in found.found
