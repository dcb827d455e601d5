"""Does burstiness help this engine at this load, by how much, and why? Answers from simulated runs (docs/howto/advise.md)."""
