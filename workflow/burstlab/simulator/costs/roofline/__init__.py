"""Costs from first principles: what each kernel computes and moves, and what the GPU can do in a second."""
