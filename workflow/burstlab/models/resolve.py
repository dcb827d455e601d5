"""What to tell vLLM about a model: the folder or the name on the hub, and whether it can be had at all."""

import os
import socket
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from burstlab.errors import BurstlabError
from burstlab.models.recipes import recipe
from burstlab.study.schema import Model

BUILT = Path("resources/models")
"""Where the workflow builds the tiny models, relative to the repository."""

_HUB = "https://huggingface.co"
_REACH_S = 5.0


def reachable(url: str) -> bool:
    """Whether the host of `url` takes connections; a proxy is taken to reach anything."""
    if any(os.environ.get(name) for name in ("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY")):
        return True
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        socket.create_connection((parts.hostname or "", port), timeout=_REACH_S).close()
    except OSError:
        return False
    return True


def model_arguments(
    name: str,
    model: Model,
    variables: Mapping[str, str] = os.environ,
    can_reach: Callable[[str], bool] = reachable,
) -> list[str]:
    """The arguments of `vllm serve` that say which weights, the model itself first.

    `name` is what the configuration calls it. Raises BurstlabError when a folder is not there or has no model
    in it, and when a model of the hub is neither in the cache nor to be downloaded.
    """
    if model.build is not None:
        folder = _folder(name, "build", BUILT / model.build, "build it with `snakemake models`")
        return [folder, "--load-format", recipe(model.build)["weights"]]
    if model.path is not None:
        path = Path(model.path).expanduser()
        return [_folder(name, "path", path, "put config.json, the tokenizer and the weights there")]
    assert model.hub is not None  # noqa: S101 - the schema has exactly one of the three
    _check_hub(name, model.hub, model.revision or "main", variables, can_reach)
    return [model.hub, *(["--revision", model.revision] if model.revision else [])]


def _folder(name: str, key: str, folder: Path, remedy: str) -> str:
    if not (folder / "config.json").is_file():
        what = "has no config.json" if folder.is_dir() else "is not a folder"
        raise BurstlabError(f"models: {name}: {key}: {folder} {what}; {remedy}")
    return str(folder)


def _check_hub(
    name: str, hub: str, revision: str, variables: Mapping[str, str], can_reach: Callable[[str], bool]
) -> None:
    if is_cached(hub, revision, variables):
        return
    cache = hub_cache(variables)
    offline = variables.get("HF_HUB_OFFLINE", "").upper() in ("1", "TRUE", "YES", "ON")
    if offline or not can_reach(variables.get("HF_ENDPOINT", _HUB)):
        why = "HF_HUB_OFFLINE is set" if offline else "the hub cannot be reached"
        raise BurstlabError(
            f"models: {name}: hub: {hub} (revision {revision}) is not in the cache {cache}, and {why}. Where "
            f"there is internet, run `hf download {hub} --revision {revision}` and copy that cache here "
            f"(HF_HOME says where it is), or give the model's folder as `path` in place of `hub`"
        )


def hub_cache(variables: Mapping[str, str]) -> Path:
    """Where the hub's downloads lie, by the rules of huggingface_hub."""
    if "HF_HUB_CACHE" in variables:
        return Path(variables["HF_HUB_CACHE"]).expanduser()
    cache_home = Path(variables.get("XDG_CACHE_HOME", "~/.cache"))
    return Path(variables.get("HF_HOME", cache_home / "huggingface")).expanduser() / "hub"


def is_cached(hub: str, revision: str, variables: Mapping[str, str]) -> bool:
    """Whether the cache has the model's configuration at that branch, tag or commit."""
    repository = hub_cache(variables) / f"models--{hub.replace('/', '--')}"
    reference = repository / "refs" / revision
    commit = reference.read_text().strip() if reference.is_file() else revision
    return (repository / "snapshots" / commit / "config.json").exists()
