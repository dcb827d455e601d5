"""Single-server queues and the dealing of arrivals to servers: what the claims about queueing are held against."""
