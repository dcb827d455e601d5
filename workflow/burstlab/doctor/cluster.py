"""Can the SLURM cluster give what a platform's jobs ask for? It would leave an impossible request waiting without a word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from burstlab.doctor import partitions
from burstlab.doctor.finding import Finding
from burstlab.doctor.partitions import Nodes
from burstlab.doctor.subject import Subject
from burstlab.slurm.resources import gpu_type
from burstlab.study.faults import suggestion
from burstlab.study.schema import Platform, Slurm

CHECK = "slurm"


def platforms(subject: Subject) -> dict[str, Platform]:
    """The platforms whose sessions are jobs of a cluster."""
    return {name: platform for name, platform in subject.platforms.items() if platform.slurm is not None}


def check(subject: Subject) -> Iterator[Finding]:
    """Findings for each platform with a `slurm` section."""
    asking = platforms(subject)
    if not asking:
        return
    listing = partitions.ask(subject.machine)
    for name, platform in asking.items():
        path = ("platforms", name, "slurm")
        if listing.status != 0:
            cure = "run this where the cluster's jobs are submitted"
            yield Finding(CHECK, "error", f"the cluster cannot be asked: {listing.reason}", cure, path)
        else:
            faults = [*_faults(name, platform, partitions.read(listing.out))]
            yield from faults or [Finding(CHECK, "ok", "the cluster has what its jobs ask for", path=path)]


def _faults(name: str, platform: Platform, known: Sequence[Nodes]) -> Iterator[Finding]:
    slurm = platform.slurm
    if slurm is None:
        return
    nodes = [one for one in known if one.partition in _wanted(slurm, known)]
    yield from _partition(name, slurm, known)
    if nodes:
        yield from _features(name, slurm, nodes)
        yield from _gpus(name, platform, nodes)


def _wanted(slurm: Slurm, known: Sequence[Nodes]) -> list[str]:
    """Partitions in which a job may run: `partition` may name several."""
    return slurm.partition.split(",") if slurm.partition else [one.partition for one in known if one.default]


def _partition(name: str, slurm: Slurm, known: Sequence[Nodes]) -> Iterator[Finding]:
    path = ("platforms", name, "slurm", "partition")
    names = list(dict.fromkeys(one.partition for one in known))
    if not _wanted(slurm, known):
        yield Finding(CHECK, "error", "the cluster has no default partition", suggestion("", names), path)
    for wanted in _wanted(slurm, known):
        here = [one for one in known if one.partition == wanted]
        if not here:
            found = f"the cluster has no partition {wanted}"
            yield Finding(CHECK, "error", found, suggestion(wanted, names), path)
        elif not any(one.up for one in here):
            found = f"partition {wanted} is not up"
            yield Finding(CHECK, "warning", found, "ask those who keep it, or name another", path)


def _features(name: str, slurm: Slurm, nodes: Sequence[Nodes]) -> Iterator[Finding]:
    path = ("platforms", name, "slurm", "constraint")
    features = sorted({feature for one in nodes for feature in one.features})
    for word in re.findall(r"[A-Za-z_][\w.-]*", slurm.constraint or ""):
        if word not in features:
            found = f"no node there has the feature {word}"
            cure = suggestion(word, features) if features else "leave it out: the cluster names no features"
            yield Finding(CHECK, "error", found, cure, path)


def _gpus(name: str, platform: Platform, nodes: Sequence[Nodes]) -> Iterator[Finding]:
    if platform.kind != "cuda":
        return
    kind = gpu_type(platform)
    most = max(sum(count for of, count in one.gpus.items() if kind in (None, of)) for one in nodes)
    listed = sorted({f"{count} {of or 'without a type'}" for one in nodes for of, count in one.gpus.items()})
    found = f"a node there has GPUs: {', '.join(listed) or 'none'}"
    if most == 0:
        key = ("gpu_model",) if platform.gpu_model == kind and kind else ("slurm", "gpu_type")
        cure = "name the type as the cluster does, in slurm: gpu_type (any: whichever), or another partition"
        yield Finding(CHECK, "error", f"{found}; asked for: {kind or 'any'}", cure, ("platforms", name, *key))
    elif most < platform.gpus:
        cure = "ask for no more than one node has: a session runs on one"
        yield Finding(CHECK, "error", found, cure, ("platforms", name, "gpus"))
