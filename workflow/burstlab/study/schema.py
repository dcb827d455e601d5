"""What a configuration may say: one class a section, one field a key, each with its description.

Values are strict: a number in quotes is an error, not a number. Faults that concern two keys of one entry are
found here; those that concern two entries (a model that is not there, a prompt too long for an engine) in
`consistency`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, PrivateAttr, model_validator

from burstlab.study import values
from burstlab.study.faults import FaultAtError
from burstlab.study.platform import Platform as Platform
from burstlab.study.platform import Slurm as Slurm
from burstlab.study.section import Flag, Text
from burstlab.study.section import Name as Name
from burstlab.study.section import Section as Section

Number = float | Literal["inf"]
Rate = Annotated[float, BeforeValidator(values.rate, json_schema_input_type=Number)]
Burstiness = Annotated[float, BeforeValidator(values.burstiness, json_schema_input_type=Number)]
Seed = Annotated[int, BeforeValidator(values.seed)]
Sha256 = Annotated[str, AfterValidator(values.sha256)]
Flags = Annotated[dict[str, Any], AfterValidator(values.engine_flags)]
Variables = Annotated[dict[str, str], AfterValidator(values.environment_variables)]
Collections = Annotated[
    tuple[Name, ...] | Literal["all"],
    BeforeValidator(values.collections, json_schema_input_type=list[str] | Literal["all"]),
]
Dtype = Literal["float32", "bfloat16", "float16"]

# A YAML list is no tuple, which strict mode would mind.
Names = Annotated[tuple[Name, ...], Field(strict=False, min_length=1), AfterValidator(values.distinct)]
MaybeNames = Annotated[tuple[Name, ...], Field(strict=False), AfterValidator(values.distinct)]

SYNTHETIC = ("synthetic-sharegpt", "synthetic-burstgpt")
TRACES = ("azure-trace", "mooncake-trace")
TIMESTAMPED = ("burstgpt", "synthetic-burstgpt", *TRACES)
RANDOM = "random"


class Environment(Section):
    """Where vLLM is installed: exactly one of lock, python, module (with its python), apptainer."""

    lock: Text | None = Field(
        None, description="A pinned requirements file; the workflow builds a virtual environment from it."
    )
    python: Text | None = Field(
        None,
        description="The Python of an environment of your own that has vLLM; with module: its command's "
        "name, default python3.",
    )
    module: Annotated[tuple[Text, ...], Field(strict=False, min_length=1)] | None = Field(
        None, description="Environment modules to load, such as [vllm/0.33]."
    )
    apptainer: Text | None = Field(None, description="An Apptainer image that has vLLM.")
    vllm_version: Text | None = Field(
        None,
        description="Version of vLLM in an environment of your own: part of its cells' identity, so "
        "change it after an upgrade.",
    )

    @model_validator(mode="after")
    def _one_kind(self) -> Environment:
        kinds = [key for key in ("lock", "python", "module", "apptainer") if getattr(self, key) is not None]
        if kinds == ["python", "module"]:
            kinds = ["module"]
        if len(kinds) != 1:
            found = " and ".join(kinds) if kinds else "none"
            raise ValueError(
                f"an environment has exactly one of lock, python, module, apptainer; here: {found}"
            )
        self._only(
            ("vllm_version",), self.lock is None, "python, module or apptainer (a lock states its version)"
        )
        return self

    @property
    def kind(self) -> Literal["lock", "python", "module", "apptainer"]:
        """Which of the four it is."""
        if self.lock is not None:
            return "lock"
        if self.module is not None:
            return "module"
        return "python" if self.python is not None else "apptainer"


class Model(Section):
    """A model: exactly one of build, hub, path."""

    build: Name | None = Field(
        None, description="A tiny random-weight model that the workflow builds: tiny-gqa or tiny-gdn."
    )
    hub: Text | None = Field(
        None, description="A model on the Hugging Face hub, such as meta-llama/Llama-3.1-8B."
    )
    revision: Text | None = Field(None, description="hub only: branch, tag or commit.")
    path: Text | None = Field(None, description="A folder with config.json, tokenizer and weights.")
    dtype: Dtype | None = Field(
        None, description="Number format; unset: what the model's own configuration says."
    )
    tensor_parallel: int = Field(1, ge=1, description="GPUs that one copy of the model is split over.")

    @model_validator(mode="after")
    def _one_kind(self) -> Model:
        kinds = [key for key in ("build", "hub", "path") if getattr(self, key) is not None]
        if len(kinds) != 1:
            raise ValueError(
                f"a model has exactly one of build, hub, path; here: {' and '.join(kinds) or 'none'}"
            )
        self._only(("revision",), self.hub is not None, "hub")
        return self


class Engine(Section):
    """A vLLM version with its arguments."""

    environment: Name = Field(description="A name of `environments`.")
    attention_backend: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]*$")] | None = Field(
        None, description="vLLM's attention backend, such as FLASH_ATTN; unset: vLLM chooses."
    )
    flash_attn_version: Literal[2, 3, 4] | None = Field(
        None, description="Version of FlashAttention; unset: 3 on Hopper, 4 on Blackwell, else 2."
    )
    cuda_graphs: Literal["default", "none", "piecewise", "full_decode_only", "full"] = Field(
        "default",
        description="vLLM's CUDA graph mode; none means eager, without compilation, on a cpu platform too.",
    )
    chunked_prefill: Flag = Field(True, description="Whether a prompt may be split over iterations.")
    scheduler: Annotated[str, AfterValidator(values.scheduler)] = Field(
        "default", description="default (vLLM's own), or module.Class of a scheduler plug-in."
    )
    dtype: Dtype | None = Field(None, description="Number format, in place of the model's.")
    max_model_len: int | None = Field(None, ge=2, description="Longest prompt plus output in tokens.")
    max_batched_tokens: int | None = Field(
        None,
        ge=1,
        description="Most tokens in one iteration; vLLM's default differs by GPU: pin it to compare.",
    )
    max_sequences: int | None = Field(
        None,
        ge=1,
        description="Most requests in one iteration; vLLM's default differs by GPU: pin it to compare.",
    )
    arguments: Flags = Field(
        default_factory=dict,
        description="Other flags of `vllm serve`, without leading dashes: true or false for a switch, "
        "a mapping for JSON.",
    )
    environment_variables: Variables = Field(
        default_factory=dict, description="Environment variables of the server; values in quotes."
    )

    @model_validator(mode="after")
    def _possible(self) -> Engine:
        if self.flash_attn_version is not None and self.attention_backend not in (None, "FLASH_ATTN"):
            raise FaultAtError(
                "flash_attn_version",
                f"flash_attn_version: {self.flash_attn_version} needs attention_backend: FLASH_ATTN or none, "
                f"not {self.attention_backend}",
            )
        tokens, sequences, length = self.max_batched_tokens, self.max_sequences, self.max_model_len
        if tokens is not None and sequences is not None and tokens < sequences:
            raise FaultAtError(
                "max_batched_tokens",
                f"max_batched_tokens: {tokens} must be at least max_sequences: {sequences}",
            )
        if not self.chunked_prefill and tokens is not None and length is not None and tokens < length:
            raise FaultAtError(
                "max_batched_tokens",
                f"without chunked_prefill, max_batched_tokens: {tokens} must be at least "
                f"max_model_len: {length}",
            )
        return self

    def dtype_for(self, model: Model) -> str:
        """The number format this engine runs `model` in; `auto` leaves it to the model's configuration."""
        return self.dtype or model.dtype or "auto"


class Dataset(Section):
    """Prompts, or the timestamps of a trace. The workload `random` needs no dataset."""

    source: Literal[
        "sharegpt", "burstgpt", "azure-trace", "mooncake-trace", "synthetic-sharegpt", "synthetic-burstgpt"
    ] = Field(description="What it is, which says how it is read or made; synthetic ones need no download.")
    url: Annotated[str, Field(pattern=r"^https?://\S+$"), AfterValidator(values.url)] | None = Field(
        None, description="Where to download it."
    )
    sha256: Sha256 | None = Field(None, description="SHA-256 that the file must have.")
    path: Text | None = Field(None, description="A local copy, used in place of a download.")
    rows: int = Field(2000, ge=1, description="synthetic only: conversations to make.")
    seed: Seed = Field(0, description="synthetic only: seed of its text and lengths.")
    length_scale: float = Field(
        1.0,
        gt=0,
        allow_inf_nan=False,
        description="synthetic only: factor on all lengths, below 1 for tiny models.",
    )
    max_total_tokens: int | None = Field(
        None,
        ge=2,
        description="burstgpt only: rows with more tokens, prompt plus output, are dropped and counted. Stay some "
        "percent below max_model_len: a tokenizer may read a prompt as more tokens than vLLM's client made it of.",
    )
    max_prompt_tokens: int = Field(
        1024,
        ge=4,
        description="synthetic only: longest prompt in tokens; above 1024, where the made-up lengths end, it changes nothing.",
    )
    max_output_tokens: int = Field(
        1024,
        ge=4,
        description="synthetic only: longest output in tokens; above 1024, where the made-up lengths end, it changes nothing.",
    )

    @model_validator(mode="after")
    def _one_kind(self) -> Dataset:
        recipe = ("rows", "seed", "length_scale", "max_prompt_tokens", "max_output_tokens")
        self._only(recipe, self.synthetic, "synthetic sources")
        self._only(("url", "sha256", "path"), not self.synthetic, "sources that are files")
        self._only(("max_total_tokens",), self.source == "burstgpt", "source: burstgpt")
        if not self.synthetic and self.url is None and self.path is None:
            raise ValueError(f"source {self.source} needs a url to download or the path of a local copy")
        return self

    @property
    def synthetic(self) -> bool:
        """Whether it is made here rather than read."""
        return self.source in SYNTHETIC

    @property
    def timestamped(self) -> bool:
        """Whether its rows have times, so that it can be replayed as `traces`."""
        return self.source in TIMESTAMPED

    @property
    def prompts(self) -> bool:
        """Whether its rows have prompts or lengths that a workload can send."""
        return self.source not in TRACES


class Workload(Section):
    """What a cell's requests are."""

    dataset: Name = Field(description="random, or a name of `datasets`.")
    requests: int = Field(ge=1, description="Requests a cell sends.")
    input_tokens: int | None = Field(None, ge=1, description="random only: prompt length in tokens.")
    output_tokens: int | None = Field(None, ge=1, description="random only: output length in tokens.")
    range_ratio: float = Field(
        0.0,
        ge=0,
        lt=1,
        allow_inf_nan=False,
        description="random only: lengths vary uniformly by ± this share of the above; 0: all alike.",
    )

    @model_validator(mode="after")
    def _random(self) -> Workload:
        random = self.dataset == RANDOM
        self._only(("input_tokens", "output_tokens", "range_ratio"), random, "dataset: random")
        missing = [key for key in ("input_tokens", "output_tokens") if getattr(self, key) is None]
        if random and missing:
            raise ValueError(f"dataset: random needs {' and '.join(missing)}")
        return self


class Block(Section):
    """A small cross product: every combination of its lists is a cell."""

    platforms: Names = Field(description="Names of `platforms`.")
    models: Names = Field(description="Names of `models`.")
    engines: Names = Field(description="Names of `engines`.")
    workloads: Names = Field(description="Names of `workloads`.")
    rates: Annotated[tuple[Rate, ...], Field(strict=False, min_length=1), AfterValidator(values.distinct)] = (
        Field(description="Requests per second; inf (in a block of its own) sends all at once.")
    )
    burstiness: Annotated[tuple[Burstiness, ...], Field(strict=False), AfterValidator(values.distinct)] = (
        Field(
            (),
            description="Shape b of the gamma distribution of gaps: CV = 1/√b, so lower is burstier.",
        )
    )
    traces: MaybeNames = Field(
        (), description="Names of `datasets` whose timestamps are replayed, rescaled to the rate."
    )
    seeds: Annotated[tuple[Seed, ...], Field(strict=False, min_length=1), AfterValidator(values.distinct)] = (
        Field(description="Seeds of arrivals and prompts; each is one repetition.")
    )

    @model_validator(mode="after")
    def _arrivals(self) -> Block:
        if not self.burstiness and not self.traces:
            raise ValueError("no arrivals: give burstiness, such as [1.0, 0.1], or traces")
        if values.INF in self.rates and (self.traces or self.burstiness != (1.0,)):
            raise FaultAtError(
                "rates",
                "rate inf sends all requests at once, so arrivals mean nothing there: "
                "give it a block of its own with burstiness: [1.0] and no traces",
            )
        return self


class Profiles(Section):
    """Runs in which kernels are recorded, or the parts of an iteration simulated. Recording slows them down, so no figure of
    performance is taken from them."""

    profiler: Literal["torch", "nsys"] = Field(
        "torch",
        description="What records: torch, vLLM's own profiler of operators and kernels, or nsys, NVIDIA Nsight Systems, on GPUs. "
        "On a simulated platform nothing is recorded: its costs say what each part takes.",
    )
    requests: int = Field(250, ge=1, description="Requests a profiled run sends, whatever its workload says.")
    nsys_arguments: Annotated[tuple[Text, ...], Field(strict=False)] | None = Field(
        None,
        description="nsys only: further arguments of `nsys start`, such as [--gpu-metrics-devices=all].",
    )
    keep_traces: Flag = Field(
        False, description="Whether the traces themselves stay, in results/profiles/traces/; they are large."
    )
    blocks: Annotated[tuple[Block, ...], Field(strict=False, min_length=1)] = Field(
        description="Which runs, in blocks like those below."
    )

    @model_validator(mode="after")
    def _of_nsys(self) -> Profiles:
        self._only(("nsys_arguments",), self.profiler == "nsys", "profiler: nsys")
        return self


class Study(Section):
    """A whole configuration."""

    name: Name = Field(description="Name of the study, shown in its report.")
    mode: Literal["measure", "cached", "simulated"] = Field(
        "measure",
        description="measure runs what is missing; cached measures nothing, and a cell that is missing is an error; simulated "
        "simulates every GPU in place of measuring, and sends synthetic stand-ins in place of downloads.",
    )
    collections: Collections = Field(
        (),
        description="Finished cells that join the study's own: names of folders in collections/, or all of them.",
    )
    platforms: dict[Name, Platform] = Field(default_factory=dict, description="What engines run on.")
    environments: dict[Name, Environment] = Field(
        default_factory=dict, description="Where vLLM is installed."
    )
    models: dict[Name, Model] = Field(default_factory=dict, description="Models to serve.")
    engines: dict[Name, Engine] = Field(
        default_factory=dict, description="vLLM versions with their arguments."
    )
    datasets: dict[Name, Dataset] = Field(default_factory=dict, description="Prompts and traces.")
    workloads: dict[Name, Workload] = Field(default_factory=dict, description="What is sent.")
    blocks: Annotated[tuple[Block, ...], Field(strict=False)] = Field(
        (),
        description="Which cells to measure: each block is a small cross product, and no cell may be in two.",
    )
    profiles: Profiles | None = Field(
        None,
        description="In which runs kernels are recorded, or what each part of an iteration takes is simulated; unset: in none.",
    )

    @model_validator(mode="after")
    def _whole(self) -> Study:
        keys = ("platforms", "environments", "models", "engines", "workloads", "blocks")
        if self.collections and not any(getattr(self, key) for key in keys):
            return self  # nothing to measure, so nothing to measure with
        for key in keys:
            if not getattr(self, key):
                given = key in self.model_fields_set
                missing = f"this key is missing: {type(self).model_fields[key].description}"
                raise FaultAtError(key, "must not be empty" if given else missing)
        return self

    _root: Path = PrivateAttr(default_factory=Path)
    _shared: dict[tuple[str, ...], dict[str, Any]] = PrivateAttr(default_factory=dict)

    @property
    def every_block(self) -> tuple[Block, ...]:
        """The blocks of cells and those of profiled runs."""
        return self.blocks + (self.profiles.blocks if self.profiles else ())

    @property
    def root(self) -> Path:
        """The folder that relative paths in the configuration start from."""
        return self._root

    def at(self, root: Path) -> Study:
        """The same study with relative paths starting from `root`."""
        copy = self.model_copy()
        copy._root = root
        copy._shared = {}
        return copy

    def remembered(self, key: tuple[str, ...]) -> dict[str, Any]:
        """A memory that lives as long as this study, for what many cells share (see `specification`)."""
        return self._shared.setdefault(key, {})
