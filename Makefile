# Headroom. `make help` lists what there is. Needs Python 3.11 or newer and nothing else: no root, no server, no account.
# On Windows, or without make: see "By hand" in README.md.

VENV   := .venv
PY     := $(VENV)/bin/python
PYTEST := $(PY) -m pytest

# The first of these that is Python 3.11 or newer makes the environment; choose another with `make PYTHON=...`.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 python3.14 python; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$p"; break; }; done)
PORT   ?= 8501
ARGS   ?=

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

.PHONY: help
help:  ## list what there is
	@echo "Headroom: capacity planning for shared GPU clusters"
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# ---- set-up -----------------------------------------------------------------------------------------------------

.PHONY: setup
setup: $(VENV)/ready  ## make the environment in .venv and compile the kernels
	@$(PY) -m scheduler_core.kernels.warm

$(PY):
	@test -n "$(PYTHON)" || { echo "Headroom needs Python 3.11 or newer; none was found. Install one, or name it: make PYTHON=/path/to/python3.11" >&2; exit 2; }
	@echo "Making the environment in $(VENV) with $(PYTHON)"
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); $(PYTHON) -m virtualenv --quiet $(VENV); } || { rm -rf $(VENV); \
		echo "$(PYTHON) cannot make environments; install its venv module (Debian and Ubuntu: python3-venv) or virtualenv" >&2; exit 2; }

# The stamp is made last, so a broken download is taken up again by the next make.
$(VENV)/ready: requirements.txt | $(PY)
	@echo "Installing requirements.txt (a minute or two, 1 GB)"
	@$(PY) -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/ready-dev: requirements-dev.txt $(VENV)/ready
	@echo "Installing requirements-dev.txt"
	@$(PY) -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

# ---- use --------------------------------------------------------------------------------------------------------

.PHONY: run
run: setup  ## start the dashboard (make run PORT=8600 for another port)
	@$(PY) -m dashboard --server.port=$(PORT)

# ---- tests ------------------------------------------------------------------------------------------------------
# The suite runs three ways: all of it compiled; then properties, the units that have kernels, the twin and two small
# recorded outputs uncompiled (plain Python) and with bounds checks. tests/conftest.py reads these variables.

# The processes share the tests of each, one a core. The kernels of both compiled ways are compiled side by side; those
# with bounds checks quietly, and asked for once more, which says what went wrong if something did.

SECOND := HEADROOM_SUITE=second
SHARED := -q -n auto

.PHONY: test
test: $(VENV)/ready  ## all tests, three ways, under 15 minutes on two cores (the browser too where Chromium is found)
	@HEADROOM_KERNELS=checked $(PY) -m scheduler_core.kernels.warm 2>/dev/null & \
		$(PY) -m scheduler_core.kernels.warm && wait
	@HEADROOM_KERNELS=checked $(PY) -m scheduler_core.kernels.warm
	@echo "== compiled: the whole suite" && $(PYTEST) $(SHARED) $(ARGS)
	@echo "== uncompiled: units, properties, twin" && HEADROOM_KERNELS=python $(SECOND) $(PYTEST) $(SHARED) $(ARGS)
	@echo "== bounds-checked: units, properties, twin" && HEADROOM_KERNELS=checked $(SECOND) $(PYTEST) $(SHARED) $(ARGS)

.PHONY: test-full
test-full: export HEADROOM_FULL = 1
test-full: test  ## make test with the slow cases too

.PHONY: e2e
e2e: setup  ## the browser tests alone; a missing Chromium is a failure
	@HEADROOM_REQUIRE_BROWSER=1 $(PYTEST) tests/e2e $(ARGS)

.PHONY: soak
soak: setup  ## 100,000 new random cases against the twin and the invariants (an hour or more)
	@HEADROOM_SOAK=1 HEADROOM_SUITE=second $(PYTEST) -q --timeout=0 $(ARGS)

.PHONY: check
check: $(VENV)/ready-dev  ## lint, types, import contracts, architecture tests
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/mypy .
	@$(VENV)/bin/lint-imports --no-logo
	@$(PYTEST) -q tests/architecture

.PHONY: bench
bench: setup  ## measure the engine on the frozen bench cases, and compare with budgets.toml
	@$(PY) -m benchmarks $(ARGS)
