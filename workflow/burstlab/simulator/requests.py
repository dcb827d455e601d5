"""What is sent to the engine."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from burstlab.errors import BurstlabError
from burstlab.simulator.clock import ps_from_s


@dataclass(frozen=True, slots=True)
class Requests:
    """A row a request, in the order of sending; shape (requests,) each, int64. An output has at least one token, a prompt too."""

    send_ps: np.ndarray
    prompt_tokens: np.ndarray
    output_tokens: np.ndarray

    def __post_init__(self) -> None:
        if not len(self.send_ps) == len(self.prompt_tokens) == len(self.output_tokens):
            raise BurstlabError(
                f"{len(self.send_ps)} send times, {len(self.prompt_tokens)} prompts and {len(self.output_tokens)} outputs: "
                "each request needs one of each"
            )
        if (np.diff(self.send_ps) < 0).any():
            raise BurstlabError("send times must not decrease")
        if min(self.prompt_tokens.min(initial=1), self.output_tokens.min(initial=1)) < 1:
            raise BurstlabError("each prompt and each output must have at least 1 token")


def requests(
    planned_send_s: np.ndarray, prompt_tokens: np.ndarray | int, output_tokens: np.ndarray | int
) -> Requests:
    """Requests sent at `planned_send_s`, as `burstlab.arrivals` plans them; one length may stand for all."""
    shape = np.shape(planned_send_s)
    return Requests(
        send_ps=ps_from_s(planned_send_s),
        prompt_tokens=np.broadcast_to(np.asarray(prompt_tokens, dtype=np.int64), shape),
        output_tokens=np.broadcast_to(np.asarray(output_tokens, dtype=np.int64), shape),
    )
