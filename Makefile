# Two commands do all their own set-up, in the folder .venv: make study, make test.

VENV := .venv
BIN := $(VENV)/bin

# The first Python that is new enough; PYTHON=... chooses another.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11 python3.10; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null && echo $$python && break; done)

.PHONY: study test check reference benchmark clean

study: $(VENV)/installed
	$(BIN)/winnable study tripeaks 0:999999 --rules standard --store tripeaks.sqlite

test: $(VENV)/installed-dev
	$(BIN)/pytest

# Formatter, linter and types, as in CI.
check: $(VENV)/installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

# The page of all commands, docs/commands.md, from their help.
reference: $(VENV)/installed-dev
	$(BIN)/python docs/build_reference.py

benchmark: $(VENV)/installed-dev
	$(BIN)/python benchmarks/tripeaks.py

$(VENV)/installed: pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.10 or newer is needed; PYTHON=/path/to/python3 names one." >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "This Python can't make environments; on Debian or Ubuntu: apt install python3-venv" >&2; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/installed-dev: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV)
