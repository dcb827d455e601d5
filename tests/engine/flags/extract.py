"""Which flags a version of vLLM knows, read from its sources without importing them.

    python tests/engine/flags/extract.py vllm-0.33.0-….whl        # a wheel, or a folder in which vLLM is installed

writes `<version>.json` beside this script: `serve` and `bench` list the flags of `vllm serve` and `vllm bench serve`,
`attention_config` the keys of `--attention-config`, `variables` the environment variables. A wheel for CUDA can be read so on a
machine that could not import it (`pip download --no-deps vllm==0.33.0`).
"""

from __future__ import annotations

import ast
import json
import re
import sys
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

HERE = Path(__file__).parent
_SERVE = re.compile(r"vllm/(engine/arg_utils|entrypoints/\w+/cli_args|utils/argparse_utils)\.py")
# The modules `create_…` beside the data sets are programs of their own.
_BENCH = re.compile(r"vllm/benchmarks/(serve|datasets|datasets/(?!create_).*)\.py")


def extract(sources: dict[str, str]) -> dict[str, list[str]]:
    """What the sources (path: text) declare."""
    serve = [ast.parse(text) for path, text in sources.items() if _SERVE.fullmatch(path)]
    bench = [ast.parse(text) for path, text in sources.items() if _BENCH.fullmatch(path)]
    attention = ast.parse(sources["vllm/config/attention.py"])
    return {
        "serve": sorted(set(_flags(serve))),
        "bench": sorted(set(_flags(bench))),
        "attention_config": sorted(name for name, _ in _fields([attention], "AttentionConfig")),
        "variables": sorted(
            set(re.findall(r'^    "(VLLM_\w+|DO_NOT_TRACK)"', sources["vllm/envs.py"], re.MULTILINE))
        ),
    }


def _flags(trees: Iterable[ast.Module]) -> Iterator[str]:
    """Flags of `add_argument`, and fields of classes `…FrontendArgs`, which become flags; with `--no-` for switches."""
    trees = list(trees)
    fields = [*_fields(trees, "EngineArgs"), *_fields(trees, "FrontendArgs")]
    switches = {name for name, kind in fields if kind in ("bool", "bool | None")}
    for name, _ in _fields(trees, "FrontendArgs"):
        yield from _forms(_flag(name), name in switches)
    for tree in trees:
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "add_argument":
                action = next(
                    (ast.unparse(word.value) for word in call.keywords if word.arg == "action"), None
                )
                for word in call.args:
                    if isinstance(word, ast.Constant) and str(word.value).startswith("-"):
                        name = str(word.value)
                        field = name.lstrip("-").replace("-", "_")
                        yield from _forms(
                            name, field in switches if action is None else "BooleanOptional" in action
                        )


def _forms(flag: str, switch: bool) -> list[str]:
    return [flag, f"--no-{flag[2:]}"] if switch and flag.startswith("--") else [flag]


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _fields(trees: Iterable[ast.Module], ending: str) -> Iterator[tuple[str, str]]:
    for tree in trees:
        for found in ast.walk(tree):
            if isinstance(found, ast.ClassDef) and found.name.endswith(ending):
                for line in found.body:
                    if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
                        yield line.target.id, ast.unparse(line.annotation)


def read_sources(place: Path) -> dict[str, str]:
    """The sources of vLLM in a wheel, or in a folder of installed packages."""
    if place.is_dir():
        return {str(path.relative_to(place)): path.read_text() for path in place.glob("vllm/**/*.py")}
    with zipfile.ZipFile(place) as wheel:
        names = [name for name in wheel.namelist() if name.startswith("vllm/") and name.endswith(".py")]
        return {name: wheel.read(name).decode() for name in names}


if __name__ == "__main__":
    wheel = Path(sys.argv[1])
    version = wheel.name.split("-")[1].partition("+")[0]
    target = HERE / f"{version}.json"
    target.write_text(json.dumps(extract(read_sources(wheel)), indent=1) + "\n")
    print(target)
