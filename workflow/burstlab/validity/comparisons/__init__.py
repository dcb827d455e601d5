"""The gates of a comparison, one a file: what would be taken for an effect and is none."""
