"""Costs fitted to batches whose duration was measured."""
