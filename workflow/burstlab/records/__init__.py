"""The record of a cell: what was measured, whether it is whole, and whether it is what is asked for."""
