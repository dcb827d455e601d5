"""Build an environment: a virtual environment with exactly the packages of a lock, and last its record.

Standard library only, since `make` builds the workflow's own environment with this too:
`PYTHONPATH=workflow python3 -m burstlab.environments.build NAME LOCK FOLDER`.

The record is named after what was installed (`built-<hash>.json`) and lies in the environment's folder. So a
changed lock is a new target, a removed folder takes its record with it, and an interrupted build has none and
starts afresh.
"""

import argparse
import fcntl
import hashlib
import importlib.util
import json
import platform
import shutil
import sys
import sysconfig
import tempfile
import time
import venv
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from importlib import metadata
from pathlib import Path

from burstlab.environments import pip
from burstlab.environments.alias import install_alias
from burstlab.environments.failures import explain, missing_package
from burstlab.environments.recipe import FALLBACK_INDEXES, Recipe, recipe_of
from burstlab.environments.requirements import split
from burstlab.errors import BurstlabError
from burstlab.files import atomic_write_text, sha256_of

_FROM_WHEELS = ("--only-binary", ":all:")
_FROM_SOURCE = ("--no-binary", ":all:", "--no-build-isolation", "--use-pep517")


def record_path(lock: Path, folder: Path) -> Path:
    """Where the record of the environment `folder` lies once it holds what `lock` asks for.

    Raises BurstlabError when there is no such lock.
    """
    return folder / f"built-{_fingerprint(lock)[:12]}.json"


def build(name: str, lock: Path, folder: Path) -> Path:
    """Build the environment `name` from `lock` in `folder`, unless it is there. Returns its record's path.

    Raises BurstlabError, with nothing left in `folder`, when it cannot be built.
    """
    record = record_path(lock, folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with _only_one(folder) as held:
        if is_built(lock, folder):
            return record
        recipe = recipe_of(lock)
        _check_python(name, lock, recipe)
        started = time.monotonic()
        try:
            shutil.rmtree(folder, ignore_errors=True)
            venv.EnvBuilder(with_pip=True, clear=True, symlinks=True).create(folder)
            _install(name, lock, folder, recipe, held)
            for alias, version in recipe.aliases.items():
                install_alias(alias, version, site_packages(folder))
            _write_record(record, name, lock, time.monotonic() - started)
        except OSError as error:
            shutil.rmtree(folder, ignore_errors=True)
            raise BurstlabError(f"environment {name}: {folder} could not be written: {error}") from error
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
    return record


def is_built(lock: Path, folder: Path) -> bool:
    """Whether `folder` holds a finished environment of `lock`, made there, for the Python that asks."""
    try:
        record = json.loads(record_path(lock, folder).read_text())
    except (FileNotFoundError, ValueError):
        return False
    made_for = (record["python"].rsplit(".", 1)[0], record["folder"])
    asked_for = (platform.python_version().rsplit(".", 1)[0], str(folder.absolute()))
    return made_for == asked_for and (folder / "bin" / "python").exists()


def site_packages(folder: Path) -> Path:
    """The folder that the environment in `folder` imports packages from."""
    return Path(sysconfig.get_path("purelib", "venv", vars={"base": str(folder), "platbase": str(folder)}))


def _fingerprint(lock: Path) -> str:
    if not lock.is_file():
        raise BurstlabError(f"{lock}: no such lock file; `make lock` writes those of envs/environments.toml")
    settings = json.dumps(dict(recipe_of(lock).aliases), sort_keys=True)
    return hashlib.sha256(lock.read_bytes() + settings.encode()).hexdigest()


@contextmanager
def _only_one(folder: Path) -> Iterator[int]:
    """Wait until no one else builds in `folder`.

    pip inherits the lock, so that the orphan of a killed build is waited for too.
    """
    with (folder.parent / f"{folder.name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield file.fileno()


def _check_python(name: str, lock: Path, recipe: Recipe) -> None:
    first, last = (tuple(map(int, text.split("."))) for text in recipe.python)
    if not first <= sys.version_info[:2] <= last:
        raise BurstlabError(
            f"environment {name}: {lock} is for Python {' to '.join(recipe.python)}, and {sys.executable} is "
            f"{platform.python_version()}; name another one, as in `make study PYTHON=python3.12`"
        )
    if importlib.util.find_spec("ensurepip") is None:
        raise BurstlabError(
            f"environment {name}: {sys.executable} cannot make virtual environments, since its module "
            f"ensurepip is missing; install it (on Debian and Ubuntu the package python3-venv)"
        )


def _install(name: str, lock: Path, folder: Path, recipe: Recipe, held: int) -> None:
    """Install exactly the lock: nothing it does not name (--no-deps), no other file (--require-hashes).

    Packages that come as source are built last, with the build tools of the lock and not an index's newest.
    """
    wheels, sources = split(lock.read_text(), recipe.from_source)
    with tempfile.TemporaryDirectory() as scratch:
        for text, how in ((wheels, _FROM_WHEELS), (sources, _FROM_SOURCE)):
            if text:
                requirements = Path(scratch) / lock.name
                requirements.write_text(text)
                arguments = ["--no-deps", "--require-hashes", *how, "--requirement", str(requirements)]
                _run_pip(name, lock, folder, recipe.fallback_index, arguments, held)


def _run_pip(
    name: str, lock: Path, folder: Path, fallback_index: str | None, arguments: list[str], held: int
) -> None:
    installed, output = pip.install(folder, arguments, keep_open=[held])
    if not installed and fallback_index and missing_package(output):
        index = FALLBACK_INDEXES[fallback_index]
        print(f"environment {name}: looking for {missing_package(output)} at {index} as well", flush=True)
        installed, output = pip.install(folder, ["--extra-index-url", index, *arguments], keep_open=[held])
    if not installed:
        raise BurstlabError(explain(output, name, lock, folder))


def _write_record(path: Path, name: str, lock: Path, build_s: float) -> None:
    installed = metadata.distributions(path=[str(site_packages(path.parent))])
    record = {
        "format": 1,
        "environment": name,
        "lock": lock.name,
        "lock_sha256": sha256_of(lock),
        "folder": str(path.parent.absolute()),
        "python": platform.python_version(),
        "build_s": round(build_s, 1),
        "packages": dict(sorted((found.name.lower(), found.version) for found in installed)),
    }
    atomic_write_text(path, json.dumps(record, indent=2) + "\n")


def install_project(root: Path, folder: Path) -> None:
    """Install the project of `root` into the environment as an editable package, unless that was done.

    Raises BurstlabError when pip cannot; the build backend must be in the environment: no index is asked.
    """
    marker = folder / "project.json"
    pyproject = root / "pyproject.toml"
    wanted = json.dumps({"root": str(root.absolute()), "pyproject_sha256": sha256_of(pyproject)})
    if marker.is_file() and marker.read_text() == wanted:
        return
    arguments = ["--no-deps", "--no-build-isolation", "--no-index", "--editable", str(root)]
    installed, output = pip.install(folder, arguments)
    if not installed:
        raise BurstlabError(explain(output, folder.name, pyproject, folder))
    atomic_write_text(marker, wanted)


def build_told(name: str, lock: Path, folder: Path, project: Path | None, log: Path) -> None:
    """Build for someone who waits: a line on standard error at start and end, pip's output in `log`.

    Says nothing where nothing is to be done. Raises BurstlabError, naming the log, when it cannot be built.
    """
    new = not is_built(lock, folder)
    started = time.monotonic()
    if new:
        _tell(f"building {folder} from {lock}, which can take some minutes; pip's output goes to {log}")
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("w" if new else "a") as sink, redirect_stdout(sink):
        try:
            build(name, lock, folder)
            if project:
                install_project(project, folder)
        except BurstlabError as error:
            raise BurstlabError(f"{error}\nAll that pip said: {log}") from error
    if new:
        _tell(f"{folder} was built in {time.monotonic() - started:.0f} s")


def _tell(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Build the virtual environment of a lock, if need be.")
    parser.add_argument("name", help="what to call it in messages")
    parser.add_argument("lock", type=Path, help="pinned requirements with hashes, as in envs/")
    parser.add_argument("folder", type=Path, help="where to build it")
    parser.add_argument("--editable", type=Path, metavar="ROOT", help="a project to install as editable")
    parser.add_argument("--log", type=Path, help="where pip's output goes (logs/environments/NAME.log)")
    asked = parser.parse_args()
    log = asked.log or Path("logs", "environments", f"{asked.name}.log")
    try:
        build_told(asked.name, asked.lock, asked.folder, asked.editable, log)
    except KeyboardInterrupt:
        sys.exit(f"stopped; the next run builds {asked.folder} anew")
    except BurstlabError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
