"""Writing a figure of every group: the picture, and the numbers it draws."""

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from burstlab.figures import style
from burstlab.figures.registry import BY_NAME, FigureKind, Group, group_slug
from burstlab.figures.tables import Tables
from burstlab.files import atomic_write_bytes, atomic_write_text


def write_figures(name: str, tables_folder: Path, groups: Iterable[Group], folder: Path) -> None:
    """Writes `<group>.svg` and `<group>.csv` of the figure called `name` into `folder` for each group."""
    tables = Tables(tables_folder)
    folder.mkdir(parents=True, exist_ok=True)
    for group in groups:
        frame, svg = render(BY_NAME[name], tables, group)
        slug = group_slug(group)
        atomic_write_text(folder / f"{slug}.csv", csv_text(frame))
        atomic_write_bytes(folder / f"{slug}.svg", svg)


def render(kind: FigureKind, tables: Tables, group: Group) -> tuple[pd.DataFrame, bytes]:
    """The frame of a figure and the SVG drawn from it; the same tables give the same bytes."""
    module = kind.module()
    frame: pd.DataFrame = module.data(tables, group)
    cells = tables.group(group)
    with style.theme():
        figure = module.draw(frame)
        shown = f"{kind.label}. {kind.title}"
        style.header(figure, shown, _named(group, cells), sorted(cells["evidence"].unique()))
        svg = style.to_svg(figure, f"{shown}: {' · '.join(group)}", f"{kind.caption} {module.note(frame)}")
    return frame, svg


def csv_text(frame: pd.DataFrame) -> str:
    """The frame as CSV with eight significant digits."""
    return frame.to_csv(index=False, float_format="%.8g", lineterminator="\n")


def _named(group: Group, cells: pd.DataFrame) -> list[str]:
    """The group's names; a synthetic dataset shows even where the workload's name hides it."""
    names = list(group)
    if "dataset" in cells:
        datasets = sorted(set(cells["dataset"].dropna().astype(str)) - {group[3]})
        names[3] += f" ({', '.join(datasets)})" if datasets else ""
    return names
