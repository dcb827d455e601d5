"""What runs in the next iteration; one policy a file."""
