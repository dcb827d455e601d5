"""Launching, watching and stopping the inference engine: no process of it outlives its session."""
