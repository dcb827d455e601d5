"""Writing a figure of every group: the picture, and the numbers it draws."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

import pandas as pd

from burstlab.figures import style
from burstlab.figures.registry import BY_NAME, FigureKind, group_slug
from burstlab.figures.tables import Tables
from burstlab.files import atomic_write_bytes, atomic_write_text


def write_figures(
    name: str,
    tables_folder: Path,
    groups: Iterable[Sequence[str]],
    folder: Path,
    datasets: Mapping[str, str] | None = None,
    left_out: Collection[str] = (),
) -> None:
    """Writes `<group>.svg` and `<group>.csv` of the figure called `name` into `folder` for each group.

    `datasets` says by a group's slug which dataset its workload draws on; its name is shown beside the workload's. Tables
    that are `left_out` are another study's (see `Tables`).
    """
    tables = Tables(tables_folder, left_out)
    folder.mkdir(parents=True, exist_ok=True)
    for group in groups:
        slug = group_slug(group)
        frame, svg = render(BY_NAME[name], tables, group, (datasets or {}).get(slug))
        atomic_write_text(folder / f"{slug}.csv", csv_text(frame))
        atomic_write_bytes(folder / f"{slug}.svg", svg)


def render(
    kind: FigureKind, tables: Tables, group: Sequence[str], dataset: str | None = None
) -> tuple[pd.DataFrame, bytes]:
    """The frame of a figure and the SVG drawn from it; the same tables give the same bytes.

    One of the whole study is given `WHOLE_STUDY` as its group.
    """
    module = kind.module()
    frame: pd.DataFrame = module.data(tables) if kind.of_study else module.data(tables, group)
    own = kind.of_study or kind.of_profiles
    evidence = (frame if own else tables.group(group))["evidence"].unique()
    with style.theme():
        figure = module.draw(frame)
        shown = f"{kind.label}. {kind.title}"
        group = ["all groups of the study"] if kind.of_study else group
        style.header(figure, shown, _named(group, dataset), sorted(evidence))
        svg = style.to_svg(figure, f"{shown}: {' · '.join(group)}", f"{kind.caption} {module.note(frame)}")
    return frame, svg


def csv_text(frame: pd.DataFrame) -> str:
    """The frame as CSV with eight significant digits."""
    return frame.to_csv(index=False, float_format="%.8g", lineterminator="\n")


def _named(group: Sequence[str], dataset: str | None) -> list[str]:
    """The group's names; a synthetic dataset shows even where the workload's name hides it."""
    *others, workload = group
    hidden = dataset is not None and dataset not in workload
    return [*others, f"{workload} ({dataset})" if hidden else workload]
