"""Sessions as jobs of a SLURM cluster: what they ask for, how they are cut, and what is checked before they are submitted."""
