"""Results made elsewhere: archives of burstlab, and files that `vllm bench serve` saved."""
