"""Reading the Chrome traces of torch's profiler."""
