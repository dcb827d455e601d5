"""Distributions of metadata alone, for software that asks for its version under another name than its own."""

import base64
import hashlib
from pathlib import Path


def install_alias(name: str, version: str, site_packages: Path) -> None:
    """Make `importlib.metadata.version(name)` answer `version` in the environment of `site_packages`.

    The files are those of the standard "Recording installed projects", so that pip lists and removes it.
    """
    folder = site_packages / f"{name.replace('-', '_')}-{version}.dist-info"
    folder.mkdir()
    files = {
        "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nSummary: Metadata alone.\n",
        "INSTALLER": "burstlab\n",
    }
    rows = []
    for file, text in files.items():
        (folder / file).write_text(text)
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        rows.append(f"{folder.name}/{file},sha256={digest},{len(text.encode())}\n")
    (folder / "RECORD").write_text("".join([*rows, f"{folder.name}/RECORD,,\n"]))
