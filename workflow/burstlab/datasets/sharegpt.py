"""ShareGPT: conversations of people with ChatGPT, as a JSON array of {id, conversations: [{from, value},
…]}.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from burstlab.datasets.lengths import Prepared, lengths
from burstlab.datasets.streaming import read_json_array, write_json_array
from burstlab.errors import BurstlabError

DATA = "data.json"
UNIT = "words separated by white space"


def prepare_sharegpt(source: Path, folder: Path) -> Prepared:
    """Write `data.json`: of every usable conversation the first two turns, which are all that vLLM's
    client reads.

    The client loads this file anew for each run, and without the later turns it is several times smaller.
    Rows are dropped, with the reason counted, when they are no conversation of two texts; the client's
    own limits on tokens (prompt 4 to 1024, output at least 4, together at most 2048) are left to it,
    because they depend on the tokenizer. Lengths in the record are therefore in words.

    Raises BurstlabError for a malformed file and one without a usable row.
    """
    dropped: Counter[str] = Counter()
    sizes: list[tuple[int, int]] = []
    write_json_array(folder / DATA, _kept(source, dropped, sizes))
    if not sizes:
        (folder / DATA).unlink()
        why = ", ".join(f"{reason}: {rows}" for reason, rows in dropped.items()) or "it has no rows"
        raise BurstlabError(f"{source} holds no usable conversation ({why})")
    words = np.array(sizes)
    return Prepared(
        rows_kept=len(sizes),
        rows_dropped=dict(sorted(dropped.items())),
        files=(DATA,),
        lengths=lengths(UNIT, words[:, 0], words[:, 1]),
    )


def conversation(identity: str, prompt: str, output: str) -> dict[str, object]:
    """A row of `data.json`: one question and its answer."""
    turns = [{"from": "human", "value": prompt}, {"from": "gpt", "value": output}]
    return {"id": identity, "conversations": turns}


def _kept(source: Path, dropped: Counter[str], sizes: list[tuple[int, int]]) -> Iterator[dict[str, object]]:
    for number, row in enumerate(read_json_array(source)):
        texts = _first_two_texts(row)
        if isinstance(texts, str):
            dropped[texts] += 1
            continue
        sizes.append((len(texts[0].split()), len(texts[1].split())))
        yield conversation(_identity(row, number), *texts)


def _first_two_texts(row: object) -> tuple[str, str] | str:
    """Prompt and output, or the reason why there are none."""
    turns = row.get("conversations") if isinstance(row, dict) else None
    if not isinstance(turns, list):
        return "wrong shape: no list of conversations"
    if len(turns) < 2:
        return "fewer than two turns"
    first, second = (turn.get("value") if isinstance(turn, dict) else None for turn in turns[:2])
    if not isinstance(first, str) or not isinstance(second, str):
        return "wrong shape: a turn without text"
    if not first.strip() or not second.strip():
        return "empty text"
    if _surrogates(first) or _surrogates(second):
        return "text that is not valid Unicode"
    return first, second


def _surrogates(text: str) -> bool:
    """Whether half of a surrogate pair stands alone in it, which JSON can express and UTF-8 cannot."""
    return any("\ud800" <= character <= "\udfff" for character in text) if not text.isascii() else False


def _identity(row: object, number: int) -> str:
    found = row.get("id") if isinstance(row, dict) else None
    return found if isinstance(found, str) and not _surrogates(found) else f"row-{number}"
