"""An idealised family of costs, in which how dear mixed iterations are is a knob."""

from __future__ import annotations

from collections.abc import Sequence

from burstlab.simulator.costs.interface import Costs, Line


class Scaled:
    """Costs whose decode-only iterations are those of `base`, and whose mixed ones are dearer for one of two reasons.

    An iteration of decodes and prompts takes M in `base`, and the same decodes alone D; the prompts' own work is M − D. Here it
    takes

        decode_factor · D + prompt_factor · (M − D)

    so a decode costs `decode_factor` times as much beside prompts as alone, and a prompt's own work takes `prompt_factor` times
    as long, whoever is beside it. With both at 1 it is `base`. Without decodes D is what an empty iteration takes (reading
    weights, launching), and only the prompts are scaled.
    """

    def __init__(self, base: Costs, decode_factor: float = 1.0, prompt_factor: float = 1.0) -> None:
        self.base, self.decode_factor, self.prompt_factor = base, decode_factor, prompt_factor

    def decode(self, decodes: int, context_tokens: int) -> Line:
        """As in `base`."""
        return self.base.decode(decodes, context_tokens)

    def mixed(self, decodes: int, context_tokens: int, chunks: Sequence[tuple[int, int]]) -> int:
        """The formula above."""
        alone_ps = self.base.decode(decodes, context_tokens).first_ps
        prompts_ps = max(0, self.base.mixed(decodes, context_tokens, chunks) - alone_ps)
        decode_factor = self.decode_factor if decodes else 1.0
        return max(1, round(decode_factor * alone_ps + self.prompt_factor * prompts_ps))
