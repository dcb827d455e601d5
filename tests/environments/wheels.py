"""Wheels made on the spot, and locks of them, so that building an environment needs no index."""

import hashlib
import zipfile
from pathlib import Path


def make_wheel(folder: Path, name: str, version: str, code: str = "", requires: tuple[str, ...] = ()) -> Path:
    """A pure-Python wheel whose one module `name` is `code`."""
    path = folder / f"{name}-{version}-py3-none-any.whl"
    info = f"{name}-{version}.dist-info"
    needs = "".join(f"Requires-Dist: {other}\n" for other in requires)
    files = {
        f"{name}.py": code,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{file},,\n" for file in (*files, f"{info}/RECORD"))
    with zipfile.ZipFile(path, "w") as archive:
        for file, text in {**files, f"{info}/RECORD": record}.items():
            archive.writestr(zipfile.ZipInfo(file), text)
    return path


def pin(wheel: Path) -> str:
    """The requirement that a lock has for `wheel`."""
    name, version = wheel.name.split("-")[:2]
    return f"{name}=={version} \\\n    --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"
