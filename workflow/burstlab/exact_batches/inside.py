"""Run by the engine's own Python on a CPU: exact batches through vLLM's model runner, timed. Imports nothing of burstlab.

Takes two files. The first is a job, the second receives the answer, both JSON::

    {"arguments": ["--model", …], "repetitions": [[[[[1, 256], [1, 256]]], …], …], "least": 6, "budget_s": 10}
    {"vllm": …, "torch": …, "threads": 1, "layers": {"attention": 6, "gdn": 0}, "timed": [[{"forward": ms, …}, …], …]}

A repetition is a list of steps, a step a list of calls one after the other, a call a list of requests [tokens now, tokens
before]. Each step is answered with the ms of all of its calls: of the model's forward pass, and of the attention and the Gated
DeltaNet in it, without their projections. No repetition is begun after `budget_s` once there are `least`.

The batch goes to the runner as the scheduler would hand it over, each request with blocks of its own: the tokens before are in
no cache, but reading whatever is in those blocks takes as long. Sampling and preparing the batch are not in the times.
"""

import json
import os
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

Request = list[int]
Call = list[Request]


def take_a_workers_cores() -> int:
    """Leave one core alone, as vLLM does for its front end where it has several; returns how many threads compute.

    Before torch is imported, which reads the variable only then.
    """
    cores = sorted(os.sched_getaffinity(0))
    own = cores[:-1] or cores
    os.sched_setaffinity(0, own)
    os.environ["OMP_NUM_THREADS"] = str(len(own))
    return len(own)


class Clock:
    """Sums the time within modules, by the name of a part."""

    def __init__(self) -> None:
        self.ms: defaultdict[str, float] = defaultdict(float)
        self.layers: defaultdict[str, int] = defaultdict(int)

    def watch(self, model: Any) -> None:
        """Time the whole model, its attention layers, and its Gated DeltaNet layers less their products and norms."""
        self._time(model, "forward", 1)
        for module in model.modules():
            name = type(module).__name__
            if name in ("Attention", "MLAAttention"):
                self._layer(module, "attention")
            elif "GatedDeltaNet" in name:
                self._layer(module, "gdn")
                for inner in module.children():
                    if any(word in type(inner).__name__ for word in ("Linear", "Norm")):
                        self._time(inner, "gdn", -1)

    def _layer(self, module: Any, part: str) -> None:
        self.layers[part] += 1
        self._time(module, part, 1)

    def _time(self, module: Any, part: str, sign: int) -> None:
        began: list[float] = []

        def before(*_: object) -> None:
            began.append(time.perf_counter())

        def after(*_: object) -> None:
            self.ms[part] += sign * (time.perf_counter() - began.pop()) * 1000

        module.register_forward_pre_hook(before)
        module.register_forward_hook(after)


class Batches:
    """Hands exact batches to a model runner."""

    def __init__(self, runner: Any) -> None:
        self._runner = runner
        self._groups = [group.kv_cache_spec for group in runner.kv_cache_config.kv_cache_groups]
        self._blocks = runner.kv_cache_config.num_blocks

    def run(self, call: Call) -> None:
        """Compute one batch, and forget its requests."""
        from vllm.v1.core.sched.output import SchedulerOutput

        asked = SchedulerOutput.make_empty()
        block = 1  # the first one is the null block
        for number, (tokens, before) in enumerate(call):
            name = f"exact-{number}"
            blocks: list[list[int]] = []
            for spec in self._groups:
                count = self._count(spec, tokens + before)
                blocks.append(list(range(block, block + count)))
                block += count
            asked.scheduled_new_reqs.append(self._request(name, tokens, before, tuple(blocks)))
            asked.num_scheduled_tokens[name] = tokens
        if block > self._blocks:
            raise ValueError(f"the batch takes {block} blocks of the KV cache, which has {self._blocks}")
        asked.total_num_scheduled_tokens = sum(asked.num_scheduled_tokens.values())
        if self._runner.execute_model(asked) is None:
            self._runner.sample_tokens(None)
        done = SchedulerOutput.make_empty()
        done.finished_req_ids = set(asked.num_scheduled_tokens)
        self._runner.execute_model(done)

    @staticmethod
    def _count(spec: Any, tokens: int) -> int:
        size: int = spec.block_size
        return 1 if "Mamba" in type(spec).__name__ else -(-tokens // size)

    @staticmethod
    def _request(name: str, tokens: int, before: int, blocks: tuple[list[int], ...]) -> Any:
        from vllm.sampling_params import SamplingParams
        from vllm.v1.core.sched.output import NewRequestData

        # A decode's next token is no part of its prompt; whose it is, the runner does not ask here.
        prompt = [7 + place % 100 for place in range(before if tokens == 1 and before else before + tokens)]
        return NewRequestData(
            req_id=name,
            prompt_token_ids=prompt,
            prefill_token_ids=prompt,
            mm_features=[],
            sampling_params=SamplingParams(max_tokens=16, temperature=0.0),
            pooling_params=None,
            block_ids=blocks,
            num_computed_tokens=before,
            lora_request=None,
        )


def start(arguments: list[str]) -> tuple[Any, Any]:
    """The model runner of an engine with these arguments, in this process, and the configuration."""
    os.environ["VLLM_ENABLE_V1_MULTIPROCESSING"] = "0"
    from vllm import LLM
    from vllm.engine.arg_utils import EngineArgs
    from vllm.utils.argparse_utils import FlexibleArgumentParser

    parser = EngineArgs.add_cli_args(FlexibleArgumentParser())
    known, _ = parser.parse_known_args(arguments)  # what only a server takes is of no use here
    known.skip_tokenizer_init = True
    engine = LLM.from_engine_args(EngineArgs.from_cli_args(known)).llm_engine
    return engine.model_executor.driver_worker.worker.model_runner, engine.vllm_config


def measure(job: dict[str, Any], batches: Batches, clock: Clock) -> list[list[dict[str, float]]]:
    """The ms of each part of each step of as many repetitions as there is time for."""
    for step in {json.dumps(step): step for repetition in job["repetitions"] for step in repetition}.values():
        for call in step * 2:
            batches.run(call)
    timed: list[list[dict[str, float]]] = []
    deadline = time.monotonic() + job["budget_s"]
    for repetition in job["repetitions"]:
        if len(timed) >= job["least"] and time.monotonic() > deadline:
            break
        timed.append([])
        for step in repetition:
            clock.ms.clear()
            for call in step:
                batches.run(call)
            timed[-1].append({part: round(ms, 6) for part, ms in clock.ms.items()})
    return timed


def main(job_file: str, answer_file: str) -> None:
    """Do the job in one file, and write the answer to the other."""
    threads = take_a_workers_cores()
    job = json.loads(Path(job_file).read_text())
    import torch
    import vllm
    from vllm.config import set_current_vllm_config

    runner, config = start(job["arguments"])
    clock = Clock()
    clock.watch(runner.get_model())
    with torch.inference_mode(), set_current_vllm_config(config):
        timed = measure(job, Batches(runner), clock)
    answer = {
        "vllm": vllm.__version__,
        "torch": str(torch.__version__),
        "threads": threads,
        "layers": dict(clock.layers),
        "timed": timed,
    }
    Path(answer_file).write_text(json.dumps(answer))


if __name__ == "__main__":
    main(*sys.argv[1:])
