"""vLLM's iteration log: what the engine ran in each step, and how long the step took."""
