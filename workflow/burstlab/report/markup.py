"""Text of messages as HTML."""

import re

from markupsafe import Markup, escape

_CODE = re.compile(r"`([^`]+)`")


def code(text: str) -> Markup:
    """The text, escaped, with what stands between two backticks marked as code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704 - it is escaped just here
