# Pitboss: everything starts here, with nothing but make and Python 3.11 or newer.
#   make run        the whole house on this machine, a round of every game, then it stays up (ONCE=1: it ends) and
#                   prints a link to sit down at a table in the browser
#   make test       every test, on real servers (JOBS=2: so many at a time, ARGS="-k poker": only some)
#   make lint       linters, types, the contract, and whether generated files are current
#   make bench      measurements of this machine
# Others: install, protos, typescript, page, docs, site, contract, secrets, lock.

PYTHON ?= python3
BIN := .venv/bin
JOBS ?= $(shell n=$$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2); [ $$n -lt 4 ] && echo $$n || echo 4)
ARGS ?=
ONCE ?=
CODE := services protos/pitboss protos/generate.py migrations deploy tests

install: .venv/installed page

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

lint: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/mypy $(CODE)
	$(BIN)/buf lint protos
	$(BIN)/buf breaking protos --against protos/released.binpb
	$(BIN)/python -m services.runtime.documentation --check docs/operations.md
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python protos/generate.py --check
	$(BIN)/mkdocs build --config-file deploy/docs/mkdocs.yml

bench: .venv/installed
	@$(BIN)/python -m tests.bench $(ARGS)

# Stubs of the contract and the description of its JSON view, beside the protos.
protos: .venv/installed
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

# The page in the browser: types checked, linted, bundled.
PAGE := services/web/page
page: $(PAGE)/dist/.built
$(PAGE)/node_modules/.installed: $(PAGE)/package.json $(PAGE)/package-lock.json .venv/installed
	@$(BIN)/python $(TS)/npm.py --in $(PAGE) ci --prefer-offline --loglevel=error
	@touch $@
$(PAGE)/dist/.built: $(PAGE)/node_modules/.installed $(TS)/dist/.built $(shell find $(PAGE)/src -type f) $(wildcard $(PAGE)/*.ts $(PAGE)/*.js $(PAGE)/*.json)
	@$(BIN)/python $(TS)/npm.py --in $(PAGE) run --loglevel=error check
	@$(BIN)/python $(TS)/npm.py --in $(PAGE) run --loglevel=error build
	@touch $@

# Record the contract as released: from then on a change that breaks clients fails `make lint`.
contract: .venv/installed
	$(BIN)/buf build protos --path protos/pitboss -o protos/released.binpb

# Tables of settings and metrics in docs/operations.md.
docs: .venv/installed
	$(BIN)/python -m services.runtime.documentation docs/operations.md

# The pages of docs/ as a site in build/site; a dead link fails.
site: .venv/installed
	$(BIN)/mkdocs build --config-file deploy/docs/mkdocs.yml

# Fresh secrets for docker compose, into the untracked file .env (what stands there stays).
secrets: .venv/installed
	@$(BIN)/python -m services.localhouse.secret_file .env

lock:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links requirements/run.in -o requirements/run.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links requirements/run.in requirements/dev.in -c requirements/run.txt -o requirements/dev.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links requirements/node.in -o requirements/node.txt

.PHONY: install run test lint bench protos typescript page contract docs site secrets lock
