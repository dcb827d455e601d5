"""Packing a study, or cells of it, as a Workflow Run RO-Crate, and reading such a crate back."""
