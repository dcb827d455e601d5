"""Running vLLM's own benchmark client and reading what it saves."""
