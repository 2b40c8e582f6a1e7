# Pitboss: everything starts here, with nothing but make and Python 3.11 or newer.
#   make run        the whole house on this machine, a round of every game, then it stays up (ONCE=1: it ends)
#   make test       every test, on real servers (JOBS=2: so many at a time, ARGS="-k poker": only some)
#   make lint       linters, types, the contract, and whether generated files are current
#   make bench      measurements of this machine
# Others: install, protos, typescript, docs, site, contract, secrets, lock.

PYTHON ?= python3
BIN := .venv/bin
JOBS ?= $(shell n=$$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2); [ $$n -lt 4 ] && echo $$n || echo 4)
ARGS ?=
ONCE ?=
CODE := services protos/pitboss protos/generate.py migrations deploy tests

install: .venv/installed

.venv/installed: requirements/dev.txt pyproject.toml protos/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Pitboss needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@echo "Installing into .venv (a minute or two, once) ..."
	@$(PYTHON) -m venv .venv || { echo "Python's venv module is missing; on Debian: apt-get install python3-venv"; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e ./protos -e .
	@touch $@

run: install
	@$(BIN)/pitboss up --demo $(if $(ONCE),--once) $(ARGS)

test: install
	@$(BIN)/pytest -n $(JOBS) --dist worksteal $(ARGS)

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy $(CODE)
	$(BIN)/buf lint protos
	$(BIN)/buf breaking protos --against protos/released.binpb
	$(BIN)/python -m services.runtime.documentation --check docs/operations.md
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python protos/generate.py --check
	$(BIN)/mkdocs build --config-file deploy/docs/mkdocs.yml

bench: install
	@$(BIN)/python -m tests.bench $(ARGS)

# Stubs of the contract and the description of its JSON view, beside the protos.
protos: install
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python protos/generate.py

# The TypeScript package: types generated, compiled, linted. Takes Node 22.18 or newer, or brings that of a wheel.
TS := protos/typescript
typescript: $(TS)/dist/.built
$(TS)/node_modules/.installed: $(TS)/package.json $(TS)/package-lock.json .venv/installed
	@$(BIN)/python $(TS)/npm.py ci --prefer-offline --loglevel=error
	@touch $@
$(TS)/dist/.built: $(TS)/node_modules/.installed $(wildcard protos/pitboss/v1/*.proto $(TS)/src/*.ts $(TS)/test/*.ts $(TS)/*.json $(TS)/*.js)
	@$(BIN)/python $(TS)/npm.py run --loglevel=error build
	@$(BIN)/python $(TS)/npm.py run --loglevel=error check
	@touch $@

# Record the contract as released: from then on a change that breaks clients fails `make lint`.
contract: install
	$(BIN)/buf build protos --path protos/pitboss -o protos/released.binpb

# Tables of settings and metrics in docs/operations.md.
docs: install
	$(BIN)/python -m services.runtime.documentation docs/operations.md

# The pages of docs/ as a site in build/site; a dead link fails.
site: install
	$(BIN)/mkdocs build --config-file deploy/docs/mkdocs.yml

# Fresh secrets for docker compose, into the untracked file .env (what stands there stays).
secrets: install
	@$(BIN)/python -m services.localhouse.secret_file .env

lock:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links requirements/run.in -o requirements/run.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links requirements/run.in requirements/dev.in -c requirements/run.txt -o requirements/dev.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links requirements/node.in -o requirements/node.txt

.PHONY: install run test lint bench protos typescript contract docs site secrets lock
