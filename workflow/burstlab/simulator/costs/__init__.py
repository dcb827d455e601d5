"""How long an iteration takes; one source of costs a file or folder."""
