"""Reading what `nsys export` writes."""
