"""Rendering the page."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from burstlab.figures.registry import FigureKind, Group
from burstlab.files import atomic_write_text
from burstlab.report.context import gather
from burstlab.report.markup import code
from burstlab.wording import count, quantity

if TYPE_CHECKING:
    from jinja2 import Environment


def write_report(
    study: str,
    results: Path,
    groups: Iterable[Group],
    templates: Path,
    page: Path,
    collections: Sequence[Path] = (),
    profiled: Iterable[Group] = (),
    of_study: Iterable[FigureKind] = (),
) -> None:
    """Writes the page from `results/{tables,figures,cells}` by the templates `page.html.j2` and `style.css`.

    Cells that are not in `results/cells` are in one of the folders `collections`; groups that are `profiled` have the figures of
    profiled runs too; of the kinds `of_study` there is one for the whole study.

    The same inputs give the same bytes: the page carries the times of the measurements, not its own.
    """
    context = gather(
        study, results, groups, page.parent, collections=collections, profiled=profiled, of_study=of_study
    )
    atomic_write_text(page, render(context, templates))


def render(context: dict[str, object], templates: Path) -> str:
    """The page as HTML; every value is escaped."""
    css = (templates / "style.css").read_text()
    return environment(templates).get_template("page.html.j2").render(css=css, **context)


def environment(templates: Path) -> "Environment":
    """What renders the templates: with the filters that they use, and nothing unescaped."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(templates),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.filters |= {"quantity": quantity, "count": count, "code": code}
    return made
