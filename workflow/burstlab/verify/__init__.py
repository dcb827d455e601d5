"""Making every table anew from what the engine and its client left, and saying what differs."""
