"""Files that were cut, overwritten, doubled, or saved in another encoding."""

from hypothesis import strategies as st

# What tends to be read as something else than it looks like.
PIECES = (
    b"\0",
    b"\xff",
    b"\xc3(",
    b"\xed\xa0\x80",
    b"\xef\xbb\xbf",
    b"\r",
    b"\n",
    b"\n\n",
    b",",
    b'"',
    b"-",
    b".",
    b"0",
    b"9" * 20,
    b"9" * 5000,
    b"1e400",
    b"nan",
    b"inf",
    b"-1",
    b"null",
    b"[",
    b"{",
    b"[" * 3000,
    b"\\ud800",
    b"\x1b[0m",
)
ENCODINGS = ("utf-16", "utf-32", "utf-8-sig", "cp1252")


@st.composite
def mutated(draw: st.DrawFn, valid: bytes, most: int = 3) -> bytes:
    """`valid` with one to `most` faults."""
    data = valid
    for _ in range(draw(st.integers(1, most))):
        data = draw(st.sampled_from(_FAULTS))(draw, data)
    return data


def _place(draw: st.DrawFn, data: bytes) -> int:
    return draw(st.integers(0, len(data)))


def _span(draw: st.DrawFn, data: bytes) -> tuple[int, int]:
    start = _place(draw, data)
    return start, min(len(data), start + draw(st.sampled_from((1, 2, 3, 10, 100, 10_000))))


def _cut(draw: st.DrawFn, data: bytes) -> bytes:
    return data[: _place(draw, data)]


def _head_lost(draw: st.DrawFn, data: bytes) -> bytes:
    return data[_place(draw, data) :]


def _flipped(draw: st.DrawFn, data: bytes) -> bytes:
    if not data:
        return data
    at = draw(st.integers(0, len(data) - 1))
    return data[:at] + bytes([data[at] ^ draw(st.integers(1, 255))]) + data[at + 1 :]


def _overwritten(draw: st.DrawFn, data: bytes) -> bytes:
    start, end = _span(draw, data)
    return data[:start] + draw(st.binary(max_size=20)) + data[end:]


def _zeroed(draw: st.DrawFn, data: bytes) -> bytes:
    start, end = _span(draw, data)
    return data[:start] + bytes(end - start) + data[end:]


def _inserted(draw: st.DrawFn, data: bytes) -> bytes:
    at = _place(draw, data)
    return data[:at] + draw(st.sampled_from(PIECES)) + data[at:]


def _deleted(draw: st.DrawFn, data: bytes) -> bytes:
    start, end = _span(draw, data)
    return data[:start] + data[end:]


def _doubled(draw: st.DrawFn, data: bytes) -> bytes:
    start, end = _span(draw, data)
    return data[:end] + data[start:]


def _line_moved(draw: st.DrawFn, data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    if len(lines) < 2:
        return data
    line = lines.pop(draw(st.integers(0, len(lines) - 1)))
    lines.insert(draw(st.integers(0, len(lines))), line)
    return b"".join(lines)


def _recoded(draw: st.DrawFn, data: bytes) -> bytes:
    return data.decode("utf-8", "replace").encode(draw(st.sampled_from(ENCODINGS)), "replace")


_FAULTS = (
    _cut,
    _head_lost,
    _flipped,
    _flipped,
    _overwritten,
    _zeroed,
    _inserted,
    _inserted,
    _deleted,
    _doubled,
    _line_moved,
    _recoded,
)
