"""Faults that strike files while no workflow runs. Each returns what it did and the folder that it damaged."""

import random
from collections.abc import Callable
from pathlib import Path

from workspace import Workspace

Damage = tuple[str, str | None]


def _victim(workspace: Workspace, chance: random.Random) -> Path | None:
    records = workspace.records()
    if not records:
        return None
    return chance.choice(sorted(chance.choice(records).parent.iterdir()))


def _damaged(workspace: Workspace, path: Path | None, how: str) -> Damage:
    if path is None:
        return f"had no cell to {how}", None
    return f"{how} {path.name}", str(path.parent.relative_to(workspace.folder))


def truncate(workspace: Workspace, chance: random.Random) -> Damage:
    """Cut a file of a finished cell short."""
    path = _victim(workspace, chance)
    if path is not None:
        content = path.read_bytes()
        path.write_bytes(content[: chance.randrange(len(content))])
    return _damaged(workspace, path, "truncate")


def flip(workspace: Workspace, chance: random.Random) -> Damage:
    """Flip one bit of a file of a finished cell."""
    path = _victim(workspace, chance)
    if path is not None:
        content = bytearray(path.read_bytes())
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        path.write_bytes(bytes(content))
    return _damaged(workspace, path, "flip a bit of")


def delete(workspace: Workspace, chance: random.Random) -> Damage:
    """Delete a file of a finished cell."""
    path = _victim(workspace, chance)
    if path is not None:
        path.unlink()
    return _damaged(workspace, path, "delete")


def cut_dataset(workspace: Workspace, chance: random.Random) -> Damage:
    """Cut a prepared data set short."""
    files = [path for path in workspace.folder.glob("resources/datasets/**/*") if path.is_file()]
    if not files:
        return "had no data set to cut", None
    path = chance.choice(sorted(files))
    content = path.read_bytes()
    path.write_bytes(content[: chance.randrange(len(content) or 1)])
    return f"cut the data set's {path.name}", None


FAULTS: dict[str, Callable[[Workspace, random.Random], Damage]] = {
    "truncate": truncate,
    "flip": flip,
    "delete": delete,
    "cut-dataset": cut_dataset,
}
