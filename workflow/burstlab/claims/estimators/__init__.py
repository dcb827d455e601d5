"""What checks claims, one estimator a file: `estimate(claim, evidence)` yields checks."""
