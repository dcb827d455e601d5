"""`burstlab advise`: whether burstiness helps an engine at a load, by how much, and why; all simulated."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from burstlab.errors import BurstlabError

if TYPE_CHECKING:
    from burstlab.advice.engines import Engine
    from burstlab.advice.lengths import Lengths

HELP = "say whether bursts help a model on a GPU at a rate, by how much and why; simulated, in seconds"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `burstlab advise`."""
    parser.add_argument("--rate", type=float, required=True, metavar="R", help="requests per second")
    parser.add_argument(
        "--lengths",
        metavar="L",
        help="512/256, 800~1.0/270~0.5 (median~log s.d.), synthetic-sharegpt, synthetic-burstgpt, or a file",
    )
    parser.add_argument("--model", metavar="NAME", help="such as llama-3.1-8b")
    parser.add_argument("--gpu", metavar="NAME", help="such as h200")
    parser.add_argument("--gpus", type=int, metavar="N", help="over which the model is split; default: 1")
    parser.add_argument(
        "--attention", metavar="A", help="FA2, FA3, FA4 or FLASHINFER; default: vLLM's for the GPU"
    )
    parser.add_argument(
        "--vllm", metavar="VERSION", help="whose paths of Gated DeltaNet are taken; default: a recent one"
    )
    parser.add_argument("--graphs", metavar="G", help="CUDA graphs: default, eager, piecewise, …")
    parser.add_argument("--no-chunked-prefill", action="store_true", default=None, help="run prompts whole")
    parser.add_argument("--max-batched-tokens", type=int, metavar="N", help="default: vLLM's for the GPU")
    parser.add_argument("--max-sequences", type=int, metavar="N", help="default: vLLM's for the GPU")
    parser.add_argument(
        "--burstiness",
        type=float,
        nargs=2,
        default=(1.0, 0.1),
        metavar="B",
        help="to compare, the burstier (lower) one second; default: 1 0.1",
    )
    parser.add_argument("--requests", type=int, default=1000, help="of a run; default: 1000")
    parser.add_argument("--seeds", type=int, default=5, help="of each comparison; default: 5")
    parser.add_argument(
        "--cells", type=Path, metavar="FOLDER", help="fit costs to the measured cells below it"
    )
    parser.add_argument("--platform", metavar="NAME", help="of the cells, where there are several")
    parser.add_argument("--engine", metavar="NAME", help="of the cells, where there are several")
    parser.add_argument("--workload", metavar="NAME", help="of the cells, whose lengths are sent")
    parser.add_argument("--json", action="store_true", help="for machines")


_OF_CELLS = ("platform", "engine", "workload")
_OF_CONSTANTS = (
    "gpu", "gpus", "attention", "vllm", "graphs", "no_chunked_prefill", "max_batched_tokens", "max_sequences",
)  # fmt: skip


def run(asked: argparse.Namespace) -> str:
    """The answer as text or JSON."""
    from burstlab.advice.answer import answer
    from burstlab.advice.as_json import as_json
    from burstlab.advice.question import Question
    from burstlab.advice.tell import tell

    engine, lengths = _of_cells(asked) if asked.cells else _of_constants(asked)
    steady, bursty = asked.burstiness
    question = Question(asked.rate, lengths, steady, bursty, asked.requests, asked.seeds)
    if bursty >= steady:
        raise BurstlabError(
            f"--burstiness {steady:g} {bursty:g}: the second must be the burstier one, which is the lower"
        )
    found = answer(engine, question)
    return as_json(found) if asked.json else "\n".join(tell(found))


def _of_constants(asked: argparse.Namespace) -> "tuple[Engine, Lengths]":
    from burstlab.advice.choose import of_constants
    from burstlab.advice.paths import Asked

    _refuse(asked, _OF_CELLS, "goes with --cells FOLDER")
    said = Asked(
        model=asked.model or "",
        gpu=asked.gpu or "",
        gpus=1 if asked.gpus is None else asked.gpus,
        attention=asked.attention,
        vllm=asked.vllm,
        graphs=asked.graphs or "default",
        chunked_prefill=not asked.no_chunked_prefill,
        max_batched_tokens=asked.max_batched_tokens,
        max_sequences=asked.max_sequences,
    )
    return of_constants(said, asked.lengths)


def _of_cells(asked: argparse.Namespace) -> "tuple[Engine, Lengths]":
    from burstlab.advice.choose import of_cells

    _refuse(asked, _OF_CONSTANTS, "is what the measured cells ran with; leave it out beside --cells")
    names = (asked.platform, asked.model, asked.engine)
    return of_cells(asked.cells, names, asked.workload, asked.lengths)


def _refuse(asked: argparse.Namespace, options: tuple[str, ...], why: str) -> None:
    for name in options:
        if getattr(asked, name) is not None:
            raise BurstlabError(f"--{name.replace('_', '-')} {getattr(asked, name)}: {why}")
