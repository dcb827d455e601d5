"""Costs that others have measured: profiled tables and published fits."""
