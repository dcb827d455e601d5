"""Validity: whether a cell counts, and what a comparison of cells may say."""
