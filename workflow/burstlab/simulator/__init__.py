"""The simulator: predicts what an engine would do, iteration by iteration (docs/simulator.md)."""
