"""Files inside the page, so that it needs nothing beside it."""

import base64
import os
import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

INLINE_CSV_BYTES = 96 * 1024


@dataclass(frozen=True, slots=True)
class Picture:
    """The address of an SVG, with its size in CSS pixels."""

    address: str
    width_px: int
    height_px: int


def picture(path: Path, beside: Path | None = None) -> Picture:
    """The SVG file as an image: as such its ids, styles and names cannot touch the page or each other's.

    It is in the page itself or, where the page's folder is given as `beside`, a file beside it.
    """
    svg = path.read_bytes()
    match = re.search(rb'<svg[^>]*\bviewBox="0 0 ([\d.]+) ([\d.]+)"', svg)
    width, height = (float(part) for part in match.groups()) if match else (720.0, 432.0)
    points_to_px = 4 / 3
    return Picture(
        address=data_address("image/svg+xml", svg) if beside is None else file_address(path, beside),
        width_px=round(width * points_to_px),
        height_px=round(height * points_to_px),
    )


def download_address(path: Path, page_folder: Path) -> str:
    """The file itself where it is small, else its path beside the page, which must not outgrow browsers."""
    if path.stat().st_size <= INLINE_CSV_BYTES:
        return data_address("text/csv", path.read_bytes())
    return file_address(path, page_folder)


def file_address(path: Path, page_folder: Path) -> str:
    """The path of a file beside the page, for a link."""
    return quote(os.path.relpath(path, page_folder).replace(os.sep, "/"))


def data_address(media_type: str, content: bytes) -> str:
    """A data: address."""
    return f"data:{media_type};base64,{base64.b64encode(content).decode()}"
