"""`burstlab doctor` and the preflight: whether this machine can measure what a study asks for. One check a file."""
