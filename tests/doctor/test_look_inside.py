"""A Python with a made-up vLLM is asked, by the very program that real environments run."""

import sys
from pathlib import Path

import pytest
from tests.doctor.conftest import FakeMachine, Make

from burstlab.doctor.look_inside import backends_of, look_inside
from burstlab.doctor.machine import Machine
from burstlab.doctor.subject import Subject
from burstlab.study.expand import cells, sessions

REGISTRY = """
import importlib, enum
class AttentionBackendEnum(enum.Enum):
    FLASH_ATTN = "vllm.plain"
    FLASHINFER = "vllm.plain"
    TRITON_ATTN = "vllm.plain"
    CPU_ATTN = "vllm.plain"
    BROKEN = "vllm.no_such_module"
    def get_class(self):
        return importlib.import_module(self.value)
"""
FLASH = "def fa_version_unsupported_reason(version): return None if version == 2 else f'{version} needs a newer GPU'\n"
GPU = {"gpu": {"kind": "cuda", "gpus": 1}}


@pytest.fixture
def python(tmp_path: Path) -> Path:
    """A Python that finds a made-up vLLM, its kernels of FlashAttention, and no other kernels."""
    library = tmp_path / "library"
    for name, text in {
        "vllm/__init__.py": "print('chatter of an import')\n__version__ = '0.33.0'\n",
        "vllm/plain.py": "",
        "vllm/v1/attention/backends/registry.py": REGISTRY,
        "vllm/vllm_flash_attn/flash_attn_interface.py": FLASH,
    }.items():
        (library / name).parent.mkdir(parents=True, exist_ok=True)
        (library / name).write_text(text)
    program = tmp_path / "python"
    program.write_text(f'#!/bin/sh\nPYTHONPATH={library} exec {sys.executable} "$@"\n')
    program.chmod(0o755)
    return program


def with_backends(subject: Make, python: Path, *names: str, **more: int) -> Subject:
    engines = {name.lower(): {"environment": "vllm", "attention_backend": name} for name in names}
    versions = {
        f"fa{version}": {"environment": "vllm", "flash_attn_version": version} for version in more.values()
    }
    made = subject(platforms=GPU, environments={"vllm": {"python": str(python)}}, engines={
        "plain": {"environment": "vllm", "attention_backend": "CPU_ATTN"}, **engines, **versions,
    })  # fmt: skip
    block = made.study.blocks[0].model_copy(update={"engines": tuple(made.study.engines)})
    study = made.study.model_copy(update={"blocks": (block,)})
    return Subject(study, sessions(cells(study), study), Machine())


def test_version_and_backends_are_told(subject: Make, python: Path) -> None:
    inside = look_inside(
        with_backends(subject, python, "FLASH_ATTN", "FLASHINFER", "BROKEN", "NO_SUCH"), "vllm"
    )
    assert inside is not None
    assert inside.vllm == "0.33.0"
    assert inside.backends["CPU_ATTN"] is None and inside.backends["FLASH_ATTN"] is None
    assert inside.backends["FLASHINFER"] == "ModuleNotFoundError: No module named 'flashinfer'"
    assert inside.backends["BROKEN"] == "ModuleNotFoundError: No module named 'vllm.no_such_module'"
    assert str(inside.backends["NO_SUCH"]).startswith("KeyError")


def test_versions_of_flash_attention_are_asked_of_its_own_kernels(subject: Make, python: Path) -> None:
    inside = look_inside(with_backends(subject, python, first=2, second=3), "vllm")
    assert inside is not None
    assert inside.backends["fa2"] is None
    assert inside.backends["fa3"] == "3 needs a newer GPU"


def test_a_python_without_vllm_says_so(subject: Make) -> None:
    made = subject(environments={"vllm": {"python": sys.executable}})
    inside = look_inside(Subject(made.study, made.sessions, Machine()), "vllm")
    assert inside is not None and inside.vllm is None
    assert "No module named 'vllm'" in inside.error


def test_what_is_no_python_is_no_exception(subject: Make, tmp_path: Path) -> None:
    for text, said in (("echo hello", "its Python answers 'hello'"), ("echo why >&2; exit 3", "why")):
        program = tmp_path / "python"
        program.write_text(f"#!/bin/sh\n{text}\n")
        program.chmod(0o755)
        made = subject(environments={"vllm": {"python": str(program)}})
        inside = look_inside(Subject(made.study, made.sessions, Machine()), "vllm")
        assert inside is not None and inside.vllm is None and said in inside.error


def test_an_environment_is_asked_once(subject: Make, tmp_path: Path) -> None:
    machine = FakeMachine({sys.executable: '{"vllm": "1", "error": null, "backends": {}}'})
    made = subject(machine, environments={"vllm": {"python": sys.executable}})
    assert look_inside(made, "vllm") is look_inside(made, "vllm")
    assert len(machine.asked) == 1


def test_an_environment_that_is_not_built_is_not_asked(subject: Make) -> None:
    assert look_inside(subject(), "vllm") is None


def test_where_vllm_chooses_the_usual_backends_are_tried_on_a_gpu(subject: Make) -> None:
    assert backends_of(subject(), "vllm") == ["FLASHINFER", "FLASH_ATTN", "TRITON_ATTN"]
    assert backends_of(subject(platforms={"cpu": {"kind": "cpu"}}), "vllm") == []


@pytest.mark.engine
def test_a_real_vllm_tells_its_version(default_study: object, vllm_python: str, subject: Make) -> None:
    made = subject(
        platforms={"cpu": {"kind": "cpu"}},
        environments={"vllm": {"python": vllm_python}},
        engines={"plain": {"environment": "vllm", "attention_backend": "CPU_ATTN"}},
    )
    inside = look_inside(Subject(made.study, made.sessions, Machine()), "vllm")
    assert inside is not None and inside.vllm is not None and inside.vllm.startswith("0.32.0")
    assert inside.backends == {"CPU_ATTN": None}
