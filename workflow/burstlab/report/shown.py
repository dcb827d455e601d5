"""Tables as the page shows them: text, few columns, and where they are cut."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from burstlab.report.embed import data_address
from burstlab.wording import quantity

# Named by what a row shows anyway; its text is as long as a row.
_LEFT_OUT = ("cell",)
GATES = "failed_gates"


@dataclass(frozen=True, slots=True)
class Table:
    """Header and rows of text; `total` rows exist, and the first ones are shown. `same` holds in every row."""

    header: list[str]
    rows: list[list[str]]
    total: int
    same: tuple[tuple[str, str], ...] = ()

    @property
    def csv(self) -> str:
        """What is shown, as an address."""
        frame = pd.DataFrame(self.rows, columns=self.header)
        return data_address("text/csv", frame.to_csv(index=False, lineterminator="\n").encode())


def chosen(frame: pd.DataFrame, columns: Mapping[str, str], shown: int) -> Table:
    """The first rows of some columns, under the names that `columns` gives them."""
    some = _spaced(frame.head(shown)[[name for name in columns if name in frame]])
    rows = [[_text(value) for value in row] for row in some.astype(object).itertuples(index=False, name=None)]
    return Table([columns[name] for name in some.columns], rows, len(frame))


def narrow(frame: pd.DataFrame, shown: int) -> Table:
    """The first rows, without columns that are empty or, in a frame of several rows, the same throughout.

    What is the same in all rows of the frame is in `same`; nothing is lost by leaving it out of each.
    """
    kept = [name for name in frame.columns if name not in _LEFT_OUT and frame[name].notna().any()]
    same = [name for name in kept if len(frame) > 1 and frame[name].nunique(dropna=False) == 1]
    rest = [name for name in kept if name not in same]
    table = chosen(frame, {name: name for name in rest}, shown)
    told = tuple((name, _text(_spaced(frame.head(1))[name].iloc[0])) for name in same)
    return Table(table.header, table.rows, table.total, told)


def _spaced(frame: pd.DataFrame) -> pd.DataFrame:
    """With a space after each name in lists of gates, where a line may end."""
    if GATES not in frame:
        return frame
    return frame.assign(
        **{GATES: [str(names).replace(",", ", ") if names == names else names for names in frame[GATES]]}
    )


def _text(value: Any) -> str:
    if value is True or value is False:
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.0f}" if value.is_integer() and abs(value) < 1e6 else quantity(value)
    return "–" if value is None or value is pd.NA else str(value)
