"""Traces of nsys and of torch's profiler: a table of kernel launches, joined to the engine's iterations."""
