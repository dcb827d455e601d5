"""The configuration of a study, and the cells it asks for."""
