"""The crate's metadata, `ro-crate-metadata.json`: Workflow Run Crate 0.5 on RO-Crate 1.1.

(https://w3id.org/ro/wfrun/workflow/0.5, https://w3id.org/ro/wfrun/process/0.5,
https://w3id.org/workflowhub/workflow-ro-crate/1.0, https://w3id.org/ro/crate/1.1)
"""

from __future__ import annotations

import json
import mimetypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import PurePosixPath
from urllib.parse import quote

from burstlab import __version__
from burstlab.archive.actions import (
    COMPLETED,
    WORKFLOW,
    Entity,
    cell_folder,
    reference,
    session_actions,
    times,
    what_is,
)
from burstlab.archive.zip_file import Member
from burstlab.records.schema import CellRecord

METADATA = "ro-crate-metadata.json"
README = "README.md"
CONFIGURATION = "config.yaml"
LICENCE = "https://spdx.org/licenses/Apache-2.0"

_CRATE = "https://w3id.org/ro/crate/1.1"
_WORKFLOW_CRATE = "https://w3id.org/workflowhub/workflow-ro-crate/1.0"
_PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": ("Process Run Crate", "0.5"),
    "https://w3id.org/ro/wfrun/workflow/0.5": ("Workflow Run Crate", "0.5"),
    _WORKFLOW_CRATE: ("Workflow RO-Crate", "1.0"),
}
_CONTEXT = [f"{_CRATE}/context", "https://w3id.org/ro/terms/workflow-run/context"]
_LANGUAGE = "https://w3id.org/workflowhub/workflow-ro-crate#snakemake"
_SNAKEMAKE = "https://snakemake.github.io"
_RUN = "#workflow-run"
_PARAMETER = "#configuration"
_TYPES = {".parquet": "application/vnd.apache.parquet", ".yaml": "application/yaml", ".smk": "text/plain"}


@dataclass(frozen=True)
class Agent:
    """Who ran the study; `identifier` is a URI, such as an ORCID."""

    name: str
    identifier: str | None = None


@dataclass(frozen=True)
class Crate:
    """All that the metadata tells: cells and profiled runs with their files, by their paths below the results, and others."""

    name: str
    description: str
    dated: str
    records: Mapping[str, CellRecord]
    cell_files: Mapping[str, Sequence[Member]]
    sources: Sequence[Member]
    inputs: Sequence[Member]
    results: Sequence[Member]
    agent: Agent | None = None
    own: Sequence[Member] = field(default=())

    @property
    def members(self) -> list[Member]:
        """All files, the cells' last, each cell's after its folder."""
        cells = [
            member
            for name, files in self.cell_files.items()
            for member in (Member.of_text(f"results/{name}/", ""), *files)
        ]
        return [*self.own, *self.inputs, *self.sources, *self.results, *cells]


def metadata(crate: Crate) -> Member:
    """The metadata as the member `ro-crate-metadata.json`."""
    graph = [_descriptor(), _root(crate), *_profiles(), *_context_of_the_workflow(), *_people(crate)]
    graph += [_file(member) for member in [*crate.own, *crate.inputs, *crate.sources, *crate.results]]
    for name, files in crate.cell_files.items():
        graph.append(_cell(name, crate.records[name], files))
        graph += [_file(member) for member in files]
    graph += [_run(crate), *session_actions(crate.records, [member.name for member in crate.inputs])]
    if crate.agent is not None:
        for entity in graph:
            if entity["@type"] == "CreateAction":
                entity["agent"] = reference(_agent_id(crate.agent))
    graph = [_flat(entity) for entity in graph]
    text = json.dumps({"@context": _CONTEXT, "@graph": graph}, indent=1, ensure_ascii=False)
    return Member.of_text(METADATA, text + "\n")


def _flat(entity: Entity) -> Entity:
    """The entity with a list of one value as that value, as RO-Crate asks for."""
    return {
        key: value[0] if isinstance(value, list) and len(value) == 1 else value
        for key, value in entity.items()
    }


def _descriptor() -> Entity:
    return {
        "@id": METADATA,
        "@type": "CreativeWork",
        "about": reference("./"),
        "conformsTo": [reference(_CRATE), reference(_WORKFLOW_CRATE)],
    }


def _root(crate: Crate) -> Entity:
    files = [*crate.own, *crate.inputs, *crate.sources, *crate.results]
    actions = [entity for entity in session_actions(crate.records, []) if entity["@type"] == "CreateAction"]
    return {
        "@id": "./",
        "@type": "Dataset",
        "name": crate.name,
        "description": crate.description,
        # The same cells give the same archive, so it is dated by them and not by the clock.
        "datePublished": crate.dated,
        "license": reference(LICENCE),
        "conformsTo": [reference(profile) for profile in _PROFILES],
        "mainEntity": reference(WORKFLOW),
        "hasPart": [reference(quote(member.name)) for member in files]
        + [reference(cell_folder(name)) for name in crate.cell_files],
        "mentions": [reference(_RUN), *(reference(action["@id"]) for action in actions)],
    } | ({"author": reference(_agent_id(crate.agent))} if crate.agent else {})


def _profiles() -> list[Entity]:
    return [
        {"@id": profile, "@type": "CreativeWork", "name": name, "version": number}
        for profile, (name, number) in _PROFILES.items()
    ]


def _context_of_the_workflow() -> list[Entity]:
    try:
        snakemake: Entity = {"version": version("snakemake")}
    except PackageNotFoundError:  # the library alone needs none
        snakemake = {}
    return [
        {
            "@id": _LANGUAGE,
            "@type": "ComputerLanguage",
            "name": "Snakemake",
            "identifier": reference(_SNAKEMAKE),
            "url": reference(_SNAKEMAKE),
            **snakemake,
        },
        {"@id": _SNAKEMAKE, "@type": "WebSite", "name": "Snakemake"},
        {"@id": LICENCE, "@type": "CreativeWork", "name": "Apache-2.0", "description": "Apache License 2.0"},
        {
            "@id": _PARAMETER,
            "@type": "FormalParameter",
            "name": "configuration",
            "description": "Which cells the study has, and how they are measured.",
            "additionalType": "File",
            "encodingFormat": _TYPES[".yaml"],
            "workExample": reference(CONFIGURATION),
            "conformsTo": reference("https://bioschemas.org/profiles/FormalParameter/1.0-RELEASE"),
        },
    ]


def _people(crate: Crate) -> list[Entity]:
    if crate.agent is None:
        return []
    return [{"@id": _agent_id(crate.agent), "@type": "Person", "name": crate.agent.name}]


def _agent_id(agent: Agent) -> str:
    return agent.identifier or "#agent"


def _file(member: Member) -> Entity:
    entity: Entity = {
        "@id": quote(member.name),
        "@type": "File",
        "name": PurePosixPath(member.name).name,
        "contentSize": str(member.bytes),
        "sha256": member.sha256,
        "encodingFormat": _encoding(member.name),
    }
    if member.name == README:
        entity["about"] = reference("./")
    if member.name == CONFIGURATION:
        entity["exampleOfWork"] = reference(_PARAMETER)
    if member.name == WORKFLOW:
        entity |= {
            "@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow"],
            "name": "burstlab",
            "version": __version__,
            "programmingLanguage": reference(_LANGUAGE),
            "license": reference(LICENCE),
            "input": [reference(_PARAMETER)],
            "conformsTo": reference("https://bioschemas.org/profiles/ComputationalWorkflow/1.0-RELEASE"),
        }
    return entity


def _encoding(name: str) -> str:
    suffix = PurePosixPath(name).suffix
    if suffix == ".md":
        return "text/markdown"
    return _TYPES.get(suffix) or mimetypes.types_map.get(suffix, "text/plain")


def _cell(name: str, record: CellRecord, files: Sequence[Member]) -> Entity:
    counted = f"does not count: {', '.join(record.failed_gates)}" if record.failed_gates else "counts"
    return {
        "@id": cell_folder(name),
        "@type": "Dataset",
        "name": record.cell.cell().id,
        "description": f"One {what_is(name)}, {record.evidence}; it {counted}.",
        "hasPart": [reference(quote(member.name)) for member in files],
    }


def _run(crate: Crate) -> Entity:
    results = [reference(quote(member.name)) for member in crate.results]
    run: Entity = {
        "@id": _RUN,
        "@type": "CreateAction",
        "name": f"The study {crate.name}",
        "description": "All cells packed here, and the tables, figures and report that were made of them.",
        "instrument": reference(WORKFLOW),
        "object": [reference(quote(member.name)) for member in crate.inputs],
        "result": results + [reference(cell_folder(name)) for name in crate.cell_files],
        "actionStatus": COMPLETED,
    }
    return run | times(crate.records)
