"""What the engine's own reader makes of the tiny models, in the environment that the engine runs in."""

import json
import subprocess
from pathlib import Path

import pytest

from burstlab.models.build import build
from burstlab.models.recipes import RECIPES
from burstlab.models.text import vocabulary

READ = """
import json, sys
from transformers import AutoConfig, AutoTokenizer
config, tokenizer = (kind.from_pretrained(sys.argv[1]) for kind in (AutoConfig, AutoTokenizer))
print(json.dumps({
    "words": len(tokenizer(sys.argv[2]).input_ids),
    "size": len(tokenizer),
    "eos": [tokenizer.eos_token_id, config.eos_token_id],
    "longest": [tokenizer.model_max_length, config.max_position_embeddings],
    "dtype": str(config.dtype).removeprefix("torch."),
}))
"""


@pytest.mark.engine
@pytest.mark.parametrize("name", RECIPES)
def test_transformers_reads_the_tiny_models(name: str, tmp_path: Path, vllm_python: str) -> None:
    build(name, tmp_path)
    command = [vllm_python, "-c", READ, str(tmp_path), " ".join(vocabulary())]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert json.loads(output.splitlines()[-1]) == {
        "words": 2350,
        "size": 4096,
        "eos": [2, 2],
        "longest": [4096, 4096],
        "dtype": RECIPES[name]["config"]["dtype"],
    }
