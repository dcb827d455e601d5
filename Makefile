# `make study` on a fresh machine needs Python 3.11 or later and a C compiler; it installs everything else in .venv.
PYTHON ?= python3
CONFIG ?=
ARGS ?=
PROFILE ?=
$(if $(filter-out slurm,$(PROFILE)),$(error PROFILE is slurm or nothing, not $(PROFILE)))

VENV := .venv
# Snakemake starts programs by name; they must be those of the environment.
RUN := PATH="$(CURDIR)/$(VENV)/bin:$$PATH"
SNAKEMAKE := $(RUN) snakemake $(if $(CONFIG),--configfile $(CONFIG))

.DEFAULT_GOAL := help
.PHONY: help study figures verify test lint lock clean environment

help: ## show this
	@echo "make TARGET [PYTHON=python3.12] [CONFIG=config/quick.yaml] [ARGS='...']"
	@sed -n 's/^\([a-z]*\):.*## /  \1\t/p' Makefile

study: environment ## measure what CONFIG (config.yaml) asks for and build the report; ARGS go to snakemake; PROFILE=slurm on a cluster
	@$(RUN) burstlab check --config $(or $(CONFIG),config.yaml)
ifeq ($(PROFILE),slurm)
	@cluster="$$($(RUN) burstlab slurm)" && $(SNAKEMAKE) --workflow-profile profiles/slurm $$cluster $(ARGS)
else
	$(SNAKEMAKE) --cores all $(ARGS)
endif

figures: environment ## draw all figures of the cells that ship, and the report, without measuring; compare with the figures that ship
	@if [ -d results/cells ]; then echo "results/report.html, tables, figures and verdicts will be those of the cells that ship;" \
		"your cells stay, and make study draws your own again"; fi
	@$(RUN) snakemake --configfile config/shipped.yaml --cores all --quiet rules progress reason host $(ARGS)
	@$(RUN) burstlab compare

verify: environment ## make all tables anew from the raw files of cells, own and shipped, and say what differs
	@$(RUN) burstlab verify

# Tests that take all of the machine, or measure on it, have it to themselves.
WHOLE_MACHINE = engine or slurm or browser

test: environment ## run the tests, those of a real engine too; ARGS go to pytest
	$(RUN) snakemake --quiet --cores all environments models
ifeq ($(strip $(ARGS)),)
	$(RUN) pytest -n auto --dist loadfile -m "not ($(WHOLE_MACHINE))"
	$(RUN) pytest -m "$(WHOLE_MACHINE)"
else
	$(RUN) pytest $(ARGS)
endif

lint: environment ## check style, types and the workflow
	$(RUN) ruff check
	$(RUN) ruff format --check
	$(RUN) mypy
	$(RUN) snakefmt --check Snakefile workflow/rules
	$(SNAKEMAKE) --lint

lock: environment ## write envs/*.txt anew from envs/environments.toml; ARGS name some of them
	$(RUN) python -m burstlab.environments.lock $(ARGS)

clean: ## remove all that can be built or downloaded again; results stay
	rm -rf .venv .venv.lock .envs .snakemake resources logs .mypy_cache .ruff_cache .pytest_cache .hypothesis

# Builds .venv if its lock or Python is another than last time; otherwise this takes a moment.
environment:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "$(PYTHON) is not there or older than Python 3.11: name one, as in make PYTHON=python3.12" >&2; exit 1; }
	@PYTHONPATH=workflow $(PYTHON) -m burstlab.environments.build workflow envs/workflow.txt $(VENV) --editable .
