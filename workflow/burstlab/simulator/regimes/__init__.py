"""The regime map: where bursts help, over load and over how dear mixed iterations are."""
