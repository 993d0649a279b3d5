# Every command that this book needs. `make` alone lists them.
SHELL := /bin/sh
BIN := .venv/bin
PORT ?= 0
# owner/name of the repository on GitHub: adds the repository, edit, issue and Colab buttons.
REPOSITORY ?= $(GITHUB_REPOSITORY)
# The Python that .venv is made with; a .venv that exists is kept.
export PYTHON
export GITHUB_REPOSITORY := $(REPOSITORY)
NB ?=

.PHONY: help setup book test serve lab execute lint format lock verify frontier compare measure picture clean distclean
.DEFAULT_GOAL := help

help:  ## list the commands
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "make %-10s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

setup: .venv/.ready  ## create .venv and install requirements.txt into it (the others do it when needed)

.venv/.ready: requirements.txt
	@sh tools/setup

book: .venv/.ready  ## build the HTML book from the committed outputs (REPOSITORY=owner/name adds buttons)
	@sh tools/book
	@echo "Open $(CURDIR)/_build/html/index.html"

test: lint  ## everything that guards the book: notebooks, figures, exercises, site, lint
	@$(BIN)/python -m pytest

serve: book  ## build, then serve the book on 127.0.0.1 (PORT=8000 fixes the port); Ctrl-C stops
	@$(BIN)/python tools/serve.py $(PORT)

lab: .venv/.ready  ## open the notebooks in JupyterLab
	@$(BIN)/jupyter lab book

execute: .venv/.ready  ## execute all notebooks in place, in parallel (NB=path/to/one.ipynb: only that)
	@$(BIN)/python tools/execute.py $(NB)

lint: .venv/.ready  ## ruff over notebooks and Python files, codespell over all text
	@$(BIN)/ruff check -q .
	@$(BIN)/ruff format -q --check . || { echo "lint: make format rewrites these files" >&2; $(BIN)/ruff format --check . >&2; exit 1; }
	@$(BIN)/codespell

format: .venv/.ready  ## let ruff rewrite what it can
	@$(BIN)/ruff check -q --fix . && $(BIN)/ruff format -q .

lock: .venv/.ready  ## compile requirements.txt from requirements.in (needs the network)
	@$(BIN)/uv pip compile -q --universal --generate-hashes --python-version 3.11 --no-header \
		requirements.in -o requirements.txt

verify: .venv/.ready  ## check log1pexp on every float32 (minutes; prints the worst error and where)
	@$(BIN)/python tests/benchmarks/verify.py

frontier: .venv/.ready  ## what each form of log1pexp costs, as ratios measured side by side
	@$(BIN)/python tests/benchmarks/frontier.py 2>/dev/null

compare: .venv/.ready  ## log1pexp against other libraries, installed into .venv-compare (gigabytes)
	@test -x .venv-compare/bin/python || $(BIN)/python -m venv .venv-compare
	@.venv-compare/bin/python -m pip install -q --disable-pip-version-check -r requirements-compare.in
	@.venv-compare/bin/python tests/benchmarks/compare.py 2>/dev/null

measure: .venv/.ready  ## the figures that the README states, measured side by side (minutes)
	@$(BIN)/python tests/benchmarks/measure.py

picture: book  ## draw the picture of the book that the README shows (needs Chromium)
	@$(BIN)/python tools/picture.py

clean:  ## remove what was built
	rm -rf _build .pytest_cache .ruff_cache
	find . -name .venv -prune -o -name __pycache__ -type d -exec rm -rf {} +

distclean: clean  ## remove .venv too
	rm -rf .venv
