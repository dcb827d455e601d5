"""How memory for keys and values is handed out; one allocator a file."""
