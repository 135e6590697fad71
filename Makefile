# Each target makes .venv from the lock by itself; nothing but Python (3.11 or newer) and make is needed.
PYTHON ?= python3
PORT ?= 8501
PY := .venv/bin/python
READY := .venv/.ready-$(shell cksum requirements.lock pyproject.toml | cksum | cut -d' ' -f1)

.PHONY: run test check bench bench-small logs lock clean help

help:  ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/'

$(READY):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "scoreproof needs Python 3.11 or newer: make PYTHON=/path/to/python3.11 ..."; exit 1; }
	test -x $(PY) || $(PYTHON) -m venv .venv
	$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(PY) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@rm -f .venv/.ready-* && touch $(READY)

run: $(READY)  ## serve the app on http://127.0.0.1:8501 (PORT=N for another port)
	$(PY) cli.py serve --port $(PORT)

test: $(READY)  ## run the whole test suite
	$(PY) -m pytest -n auto -q

check: $(READY)  ## lint, format and types
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy

bench: $(READY)  ## measure speed as ratios to floors taken in the same run
	$(PY) -m benchmarks

bench-small: $(READY)  ## the parts that take three minutes, at a million rows; fails only beyond twice a goal
	$(PY) -m benchmarks --check --only ingest --only numeric --only overview --only start

logs: $(READY)  ## make the reconstructed logs again (SOLVE=1 solves the plans again)
	$(PY) -m logs.generate $(if $(SOLVE),--solve)

lock: $(READY)  ## resolve requirements.lock again from pyproject.toml (needs uv)
	uv pip compile pyproject.toml --extra dev --extra xlsx --universal --generate-hashes \
		--no-emit-index-url --no-header --no-annotate --python-version 3.11 -o requirements.lock

clean:  ## remove what was built, not the environment
	rm -rf .scoreproof .pytest_cache .mypy_cache .ruff_cache .hypothesis
