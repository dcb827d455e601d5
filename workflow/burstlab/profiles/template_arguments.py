"""The template arguments in the name of a C++ kernel."""

from __future__ import annotations

# nsys writes (bool)1, the C++ demangler true, and some tools 1.
_FLAGS = {"(bool)1": True, "true": True, "1": True, "(bool)0": False, "false": False, "0": False}


def arguments(text: str) -> list[str]:
    """The template arguments that `text` begins with, up to the bracket that closes them."""
    found, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        if letter == "<":
            depth += 1
        elif letter == ">" and depth:
            depth -= 1
        elif letter in ",>" and not depth:
            found.append(text[start:place].strip())
            start = place + 1
            if letter == ">":
                break
    return found


def flag(argument: str) -> bool | None:
    """The truth value that an argument is; None for any other argument."""
    return _FLAGS.get(argument)
