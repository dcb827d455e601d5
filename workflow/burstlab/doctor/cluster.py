"""Does the SLURM cluster know the partition, features and GPUs that a platform asks for?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from burstlab.doctor import partitions
from burstlab.doctor.finding import Finding
from burstlab.doctor.partitions import Nodes
from burstlab.doctor.subject import Subject
from burstlab.study.faults import suggestion
from burstlab.study.schema import Platform

CHECK = "slurm"


def platforms(subject: Subject) -> dict[str, Platform]:
    """Platforms whose sessions are jobs of a cluster: those that say which partition, account or nodes."""
    return {name: one for name, one in subject.platforms.items() if _asks_for(one)}


def check(subject: Subject) -> Iterator[Finding]:
    """Findings for each platform of a cluster. SLURM would leave an impossible request pending without a word."""
    asking = platforms(subject)
    if not asking:
        return
    listing = partitions.ask(subject.machine)
    for name, platform in asking.items():
        path = ("platforms", name)
        if listing.status != 0:
            cure = "run this on a node of the cluster that can submit jobs"
            yield Finding(CHECK, "error", f"the cluster cannot be asked: {listing.reason}", cure, path)
        else:
            faults = [*_faults(name, platform, partitions.read(listing.out))]
            yield from faults or [Finding(CHECK, "ok", "the cluster has what it asks for", path=path)]


def _asks_for(platform: Platform) -> dict[str, str]:
    keys = ("partition", "account", "constraint", "qos")
    found = {key: getattr(platform, key, None) for key in keys}
    return {key: str(value) for key, value in found.items() if value is not None}


def _faults(name: str, platform: Platform, known: Sequence[Nodes]) -> Iterator[Finding]:
    asked = _asks_for(platform)
    wanted = asked.get("partition", "").split(",") if "partition" in asked else []
    path = ("platforms", name, "partition")
    for one in wanted:
        here = [nodes for nodes in known if nodes.partition == one]
        if not here:
            names = list(dict.fromkeys(nodes.partition for nodes in known))
            yield Finding(CHECK, "error", f"the cluster has no partition {one}", suggestion(one, names), path)
        elif not any(nodes.up for nodes in here):
            yield Finding(
                CHECK, "warning", f"partition {one} is not up", "ask its keepers, or name another", path
            )
    nodes = [one for one in known if one.partition in wanted or (not wanted and one.default)]
    if nodes:
        yield from _features(name, asked.get("constraint", ""), nodes)
        yield from _gpus(name, platform, nodes)


def _features(name: str, constraint: str, nodes: Sequence[Nodes]) -> Iterator[Finding]:
    features = sorted(frozenset[str]().union(*(one.features for one in nodes)))
    for word in re.findall(r"[^&|()\[\]*,\s]+", constraint):
        if word not in features and not word.isdigit():
            path = ("platforms", name, "constraint")
            yield Finding(
                CHECK, "error", f"no node there has the feature {word}", suggestion(word, features), path
            )


def _gpus(name: str, platform: Platform, nodes: Sequence[Nodes]) -> Iterator[Finding]:
    if platform.kind != "cuda":
        return
    model = (platform.gpu_model or "").lower()
    most = max((_count(one, model) for one in nodes), default=0)
    listed = sorted({f"{count} {kind or 'GPUs'}" for one in nodes for kind, count in one.gpus.items()})
    there = f"its nodes have {', '.join(listed)}" if listed else "its nodes have no GPU"
    if most == 0:
        path = ("platforms", name, "gpu_model" if model else "gpus")
        yield Finding(CHECK, "error", there, "name the GPU as the cluster does, or another partition", path)
    elif most < platform.gpus:
        path = ("platforms", name, "gpus")
        yield Finding(CHECK, "error", there, "lower gpus, since a session runs on one node", path)


def _count(nodes: Nodes, model: str) -> int:
    return nodes.gpus.get(model, 0) if model else sum(nodes.gpus.values())
