"""The simulator held against measured cells that its costs and delays were not fitted to."""
