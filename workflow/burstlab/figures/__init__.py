"""Figures: one module a figure, drawn from the study tables and nothing else.

Each has `data(tables, group)`, or `data(tables)` if it is of the whole study: the tidy frame that holds exactly what is
drawn; `draw(frame)`, which needs nothing else; and `note(frame)`, which says in words what its bands and points are.
"""
