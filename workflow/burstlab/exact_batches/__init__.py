"""The causal test: batches of an exact make-up timed on their own, so that no arrivals stand between a batch and its cost."""
