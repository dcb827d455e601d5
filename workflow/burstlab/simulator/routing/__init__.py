"""Which replica of an engine a request goes to; one policy a file."""
