# Needs make and Python 3.11 or newer; everything else goes into .venv, and data into .lethe.
# Pass options on with ARGS: make run ARGS="--port 9000", make test ARGS="tests/domain -x"

.DEFAULT_GOAL := help
.PHONY: help setup run test check static prove clean

ARGS ?=
PYTHONS ?= python3.11 python3.12 python3.13 python3.14 python3 python

help: ## Show this list
	@sed -n 's/^\([a-z]*\): .*## /  make \1	/p' Makefile | expand -t 16

setup: ## Make .venv with what requirements.lock pins; quick when that is done
	@for python in $(PYTHONS); do \
	  if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    exec "$$python" scripts/setup.py; \
	  fi; \
	done; \
	echo "Lethe needs Python 3.11 or newer, and none of these is: $(PYTHONS)." >&2; \
	echo "Install one, or name yours: make setup PYTHONS=/path/to/python3" >&2; \
	exit 1

run: setup ## Start the service with its own Postgres on 127.0.0.1:8000
	@.venv/bin/lethe serve $(ARGS)

test: setup ## Run all tests, on a Postgres of their own
	@.venv/bin/python -m pytest $(ARGS)

check: setup ## Run everything that must pass: format, lint, types, import contracts, tests
	@.venv/bin/python scripts/check.py

static: setup ## The same without the tests
	@.venv/bin/python scripts/check.py --static

prove: setup ## Print a prover's verdict on the row-level security of every table
	@.venv/bin/python scripts/prove_walls.py

clean: ## Remove .venv and caches; the data in .lethe stays
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -not -path './.lethe/*' -prune -exec rm -rf {} +
