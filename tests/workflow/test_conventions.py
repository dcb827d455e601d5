"""What Snakemake's catalogue, `snakedeploy` and citation tools look for."""

from pathlib import Path

import yaml

import burstlab


def test_the_citation_is_of_this_version(root: Path) -> None:
    citation = yaml.safe_load((root / "CITATION.cff").read_text())
    assert citation["cff-version"] == "1.2.0"
    assert citation["version"] == burstlab.__version__
    assert citation["license"] == "Apache-2.0"
    assert "Apache License" in (root / "LICENSE").read_text()
    assert {"message", "title", "authors"} <= set(citation)


def test_the_catalogue_finds_what_it_asks_for(root: Path) -> None:
    usage = yaml.safe_load((root / ".snakemake-workflow-catalog.yml").read_text())["usage"]
    assert set(usage) == {"mandatory-flags", "software-stack-deployment"}
    assert set(usage["mandatory-flags"]) == {"desc", "flags"}
    assert set(usage["software-stack-deployment"]) == {"conda", "apptainer", "apptainer+conda", "report"}
    assert (root / "workflow/Snakefile").is_file()
    assert (root / "config/README.md").is_file()


def test_the_configuration_that_is_deployed_is_the_default_study(root: Path) -> None:
    assert (root / "config/config.yaml").read_bytes() == (root / "config.yaml").read_bytes()
