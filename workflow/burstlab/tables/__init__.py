"""The study tables: all cells in one table each of cells, requests and iterations."""
