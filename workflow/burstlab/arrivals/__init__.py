"""Planned send times: gamma renewal processes as vLLM draws them, and replayed traces."""
