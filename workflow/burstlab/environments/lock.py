"""Write `envs/<name>.txt`, the complete pinned list with hashes, from the roots in `envs/environments.toml`.

Resolving reads package metadata only, so the CUDA locks can be made on any machine. The versions of a lock
that is there already are kept where they still fit, so a new lock differs by what had to change.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from burstlab.environments.recipe import FALLBACK_INDEXES, Recipe, read_recipes
from burstlab.environments.requirements import with_hashes
from burstlab.errors import BurstlabError
from burstlab.files import atomic_write_text


def lock(recipe: Recipe, target: Path, root: Path) -> None:
    """Resolve `recipe` and write `target`; `root` is where its `project` path starts.

    Raises BurstlabError when the resolver finds no solution or is not installed.
    """
    with tempfile.TemporaryDirectory() as scratch:
        draft = Path(scratch) / target.name
        if target.exists():
            draft.write_bytes(target.read_bytes())
        command = [*_compile_command(recipe, Path(scratch), root), "--output-file", str(draft)]
        result = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
        if result.returncode:
            raise BurstlabError(f"{target}: cannot be made from environments.toml:\n{result.stderr.strip()}")
        text = draft.read_text()
    atomic_write_text(target, with_hashes(text, recipe.hashes))


def _compile_command(recipe: Recipe, scratch: Path, root: Path) -> list[str]:
    def listed(name: str, lines: Sequence[str]) -> str:
        path = scratch / name
        path.write_text("".join(f"{line}\n" for line in lines))
        return str(path)

    command = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--universal", "--generate-hashes"]
    command += ["--python-version", recipe.python[0], "--no-header", "--no-annotate", "--no-emit-index-url"]
    command += ["--overrides", listed("overrides.txt", recipe.overrides)]
    command += ["--excludes", listed("excludes.txt", recipe.excludes)]
    for folder in _find_links():
        command += ["--find-links", folder]
    if recipe.fallback_index and not _find_links():
        command += ["--index", FALLBACK_INDEXES[recipe.fallback_index]]
        command += ["--index-strategy", "unsafe-best-match"]  # as pip does: the best of all indexes
    if recipe.project:
        command.append(str(root / recipe.project))
        command += [word for extra in recipe.extras for word in ("--extra", extra)]
    return [*command, listed("requires.in", recipe.requires)]


def _find_links() -> list[str]:
    """The folders of packages that pip is set up to look into, which uv does not read by itself."""
    command = [sys.executable, "-m", "pip", "config", "get"]
    for key in (":env:.find-links", "global.find-links", "user.find-links", "site.find-links"):
        result = subprocess.run([*command, key], capture_output=True, text=True, check=False)
        if result.returncode == 0:
            return result.stdout.split()
    return []


def main() -> None:
    parser = argparse.ArgumentParser(description="Write envs/<name>.txt from envs/environments.toml.")
    parser.add_argument("names", nargs="*", help="environments to lock (all)")
    parser.add_argument("--root", type=Path, default=Path.cwd(), help="the repository")
    arguments = parser.parse_args()
    recipes = read_recipes(arguments.root / "envs" / "environments.toml")
    for name in arguments.names or recipes:
        if name not in recipes:
            sys.exit(f"envs/environments.toml has no environment {name!r}; it has {', '.join(recipes)}")
        lock(recipes[name], arguments.root / "envs" / f"{name}.txt", arguments.root)


if __name__ == "__main__":
    try:
        main()
    except BurstlabError as error:
        sys.exit(str(error))
