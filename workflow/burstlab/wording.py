"""Numbers as text, for readers."""

import math


def quantity(value: float | None, unit: str = "") -> str:
    """Three significant digits, no exponents: 0.0123, 1.50, 38.9, 1,280; an en dash for what is unknown."""
    if value is None or math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    size = abs(value)
    decimals = 0 if size >= 100 or size == 0 else max(0, 2 - math.floor(math.log10(size)))
    text = f"{size:,.{min(decimals, 6)}f}"
    sign = "−" if value < 0 and float(text.replace(",", "")) != 0 else ""
    return f"{sign}{text}{f' {unit}' if unit else ''}"


def signed(value: float, unit: str = "") -> str:
    """As `quantity`, with a plus before what is positive."""
    return ("+" if value > 0 else "") + quantity(value, unit)


def count(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun: 1 cell, 3 cells."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def rate(value: float) -> str:
    """A request rate: "10 req/s", or what infinity stands for."""
    return "all at once" if math.isinf(value) else f"{value:g} req/s"
