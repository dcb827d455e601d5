"""The gates of a cell, one a file: each says why it is there, and where its limit comes from."""
