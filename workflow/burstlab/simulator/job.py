"""A request on its way through the engine."""

from __future__ import annotations


class Job:
    """What the engine knows of a request that has arrived.

    `target` is how many tokens must be computed before it yields the next one: the prompt, and after a preemption also what
    it had generated. `computed` counts those that are. While it decodes, both stay as they were when it joined the decodes, and
    `generated` too: what came since follows from the number of steps (`Decodes`). `blocks` are those it held then.
    """

    __slots__ = (
        "blocks", "computed", "due", "generated", "joined", "last_token_ps", "output", "prompt", "request",
        "stretch", "target",
    )  # fmt: skip

    def __init__(self, request: int, prompt: int, output: int) -> None:
        self.request, self.prompt, self.output = request, prompt, output
        self.target = prompt
        self.computed = 0
        self.generated = 0
        self.blocks = 0
        self.joined = 0  # the step at which it joined the decodes
        self.due = 0  # the step at which its last token comes
        self.stretch = 0  # the first stretch of iterations in which it decodes
        self.last_token_ps = 0
