"""The shapes of the study's models, in bfloat16: two bytes a parameter. From each model's config.json, unless said otherwise."""

from __future__ import annotations

from dataclasses import dataclass

from burstlab.errors import BurstlabError

BYTES = 2


@dataclass(frozen=True, slots=True)
class Model:
    """Layers of attention and, possibly, of Gated DeltaNet; each is followed by a dense MLP or by experts.

    `attention_parameters` are those of the projections of one attention layer. `latent` is the width of the compressed keys and
    values of multi-head latent attention, 0 for grouped-query attention; `head_dim` is then that of prompts.
    """

    name: str
    hidden: int
    attention_layers: int
    query_heads: int
    kv_heads: int
    head_dim: int
    attention_parameters: int
    dense_layers: int
    ffn: int
    vocabulary: int
    tied: bool = False
    latent: int = 0
    latent_values: int = 0
    gdn_layers: int = 0
    gdn_key_heads: int = 0
    gdn_value_heads: int = 0
    gdn_dim: int = 0
    moe_layers: int = 0
    experts: int = 0
    experts_per_token: int = 0
    shared_experts: int = 0
    expert_ffn: int = 0

    @property
    def layers(self) -> int:
        """All layers."""
        return self.attention_layers + self.gdn_layers

    @property
    def kv_bytes_layer(self) -> int:
        """Bytes that keys and values of a token take in one attention layer."""
        return BYTES * (self.latent or 2 * self.kv_heads * self.head_dim)

    @property
    def kv_bytes(self) -> int:
        """Bytes that keys and values of a token take."""
        return self.attention_layers * self.kv_bytes_layer

    @property
    def gdn_parameters(self) -> int:
        """Of the projections of a Gated DeltaNet layer: keys and queries, values, gate, two scalars a head, and output."""
        keys, values = self.gdn_key_heads * self.gdn_dim, self.gdn_value_heads * self.gdn_dim
        return self.hidden * (2 * keys + 2 * values + 2 * self.gdn_value_heads) + values * self.hidden

    @property
    def gdn_state_bytes(self) -> int:
        """Bytes of the state of a sequence in one layer, kept in fp32."""
        return self.gdn_value_heads * self.gdn_dim**2 * 4

    @property
    def expert_parameters(self) -> int:
        """Of one expert."""
        return 3 * self.hidden * self.expert_ffn

    @property
    def parameters(self) -> int:
        """All of them, without the few of norms, convolutions and routers."""
        return (
            self.attention_layers * self.attention_parameters
            + self.gdn_layers * self.gdn_parameters
            + self.dense_layers * 3 * self.hidden * self.ffn
            + self.moe_layers * (self.experts + self.shared_experts) * self.expert_parameters
            + self.vocabulary * self.hidden * (1 if self.tied else 2)
        )


def _grouped(hidden: int, query_heads: int, kv_heads: int, head_dim: int, *, gate: bool = False) -> int:
    """Parameters of queries, keys, values and output; with `gate` queries come with as many gates."""
    queries = query_heads * head_dim
    return hidden * (queries * (2 if gate else 1) + 2 * kv_heads * head_dim) + queries * hidden


_ALL = (
    Model(
        name="qwen3.5-9b", hidden=4096, attention_layers=8, query_heads=16, kv_heads=4, head_dim=256,
        attention_parameters=_grouped(4096, 16, 4, 256, gate=True), dense_layers=32, ffn=12288, vocabulary=248_320,
        gdn_layers=24, gdn_key_heads=16, gdn_value_heads=32, gdn_dim=128,
    ),
    Model(
        name="llama-3.1-8b", hidden=4096, attention_layers=32, query_heads=32, kv_heads=8, head_dim=128,
        attention_parameters=_grouped(4096, 32, 8, 128), dense_layers=32, ffn=14336, vocabulary=128_256,
    ),
    Model(
        name="llama-3.2-1b", hidden=2048, attention_layers=16, query_heads=32, kv_heads=8, head_dim=64,
        attention_parameters=_grouped(2048, 32, 8, 64), dense_layers=16, ffn=8192, vocabulary=128_256, tied=True,
    ),
    Model(
        name="llama-3-70b", hidden=8192, attention_layers=80, query_heads=64, kv_heads=8, head_dim=128,
        attention_parameters=_grouped(8192, 64, 8, 128), dense_layers=80, ffn=28672, vocabulary=128_256,
    ),
    # The attention's parameters and the vocabulary are what makes 29.9 billion of the rest.
    Model(
        name="glm-4.7-flash", hidden=2048, attention_layers=47, query_heads=20, kv_heads=20, head_dim=256,
        attention_parameters=21_757_952, dense_layers=1, ffn=10240, vocabulary=154_880, latent=576, latent_values=512,
        moe_layers=46, experts=64, experts_per_token=4, shared_experts=1, expert_ffn=1536,
    ),
)  # fmt: skip

MODELS = {model.name: model for model in _ALL}


def model(name: str) -> Model:
    """The model of that name; BurstlabError if there is none."""
    if name not in MODELS:
        raise BurstlabError(f"model {name}: its shape is not known; those of {', '.join(MODELS)} are")
    return MODELS[name]


def named_in(hub: str) -> str:
    """The name that a model of that name on the hub has here, if its shape is known: meta-llama/Llama-3.1-8B is llama-3.1-8b."""
    return hub.rpartition("/")[2].lower().removeprefix("meta-").removesuffix("-instruct")
