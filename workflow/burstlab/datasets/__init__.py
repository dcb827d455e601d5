"""Prompts and traces: downloading, reading, checking and recording them; and synthetic stand-ins."""
