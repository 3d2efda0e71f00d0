# Everything starts here: `make run` opens a club, `make test` proves it, `make help` lists the rest.

PYTHON ?= python3
PORT ?= 8000
DATA_DIR ?= var
QUEUES ?= clocks,default,slow
WEB_PROCESSES ?= 1
JOBS ?= auto
# The fast suites need neither the plugins nor the folders of the others.
LIGHT := -p no:schemathesis -p no:playwright -p no:anyio --ignore tests/browser --ignore tests/contract --ignore tests/attack
# One is always waiting for something.
TWICE = $(shell expr $$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1) \* 2)
ONE_MORE = $(shell expr $$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1) + 1)
export PORT DATA_DIR WEB_PROCESSES

VENV := .venv
BIN := $(VENV)/bin
MANAGE := $(BIN)/python manage.py

.DEFAULT_GOAL := help
.PHONY: help setup run demo web worker beat migrate move-to hold unhold release accept-key backup verify test test-long test-slow test-services test-crash test-without test-browser test-looks \
        check format lint types arch messages bench lock run-env test-env dev-env

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: run-env  ## build the environment, nothing else

run: run-env  ## open the club: pages, worker and beat in one process
	@exec $(MANAGE) serve

demo: run-env  ## fill the database with a believable club, then open it
	@$(MANAGE) migrate --verbosity 0
	@$(MANAGE) demo
	@exec $(MANAGE) serve

web: run-env  ## pages alone (WEB_PROCESSES of them; more than one needs REDIS_URL)
	@exec $(MANAGE) serve web

worker: run-env  ## background work alone, from QUEUES (needs REDIS_URL)
	@exec $(BIN)/celery -A config worker -Q $(QUEUES) --without-gossip --without-mingle

beat: run-env  ## the schedule alone (needs REDIS_URL)
	@exec $(BIN)/celery -A config beat

migrate: run-env  ## bring the database up to date
	@$(MANAGE) migrate --verbosity 0

move-to: run-env  ## move the club from SQLite to the empty PostgreSQL of DATABASE_URL
	@env -u DATABASE_URL $(MANAGE) move_to "$(DATABASE_URL)"

hold: run-env  ## let no e-mail and no webhook call leave: this is a copy of a club
	@$(MANAGE) hold

unhold: run-env  ## let them go: this copy takes the club's place (FORGET=1 drops what waited in it)
	@$(MANAGE) release $(if $(FORGET),--forget)

release: dev-env  ## make a release: VERSION=1.2.0 writes version and changelog, builds the wheel, tries it, commits and tags
	@test -n "$(VERSION)" || (echo "Say which version: make release VERSION=1.2.0 (a held copy is let go by make unhold)" && false)
	@$(BIN)/python deploy/release.py $(VERSION)

accept-key: run-env  ## use the database with the present SECRET_KEY, where the old one is lost or has leaked
	@$(MANAGE) accept_key

backup: run-env  ## copy the embedded database to BACKUP while it is in use
	@$(MANAGE) backup $(or $(BACKUP),$(DATA_DIR)/backups/barpoint-$(shell date +%Y%m%d-%H%M%S).sqlite3)

verify: run-env  ## check every invariant of the database
	@$(MANAGE) verify

# Each worker, and each server a test starts, would compile everything anew.
test test-long test-slow test-services test-crash test-without test-browser test-looks: export PYTHONDONTWRITEBYTECODE :=

test: test-env  ## the fast suite, on SQLite, without servers and browsers
	@$(BIN)/python -m pytest $(LIGHT) -n $(or $(filter-out auto,$(JOBS)),$(ONE_MORE)) -m "not slow and not long and not browser and not services and not installation"

test-long: test-env  ## whole nights and matches on SQLite, 0.4 s and more each; `make test-services ON_SERVICES=long` plays them on PostgreSQL
	@$(BIN)/python -m pytest $(LIGHT) -n $(or $(filter-out auto,$(JOBS)),$(ONE_MORE)) -m "$(if $(ON_LONG),($(ON_LONG)) and )long and not slow and not browser and not installation"

test-slow: export HYPOTHESIS_PROFILE = random
test-slow: dev-env  ## what is minutes long and asks no server: the engine and the draw against the rest of the world, the API against its schema
	@$(BIN)/python -m pytest -n $(JOBS) --maxschedchunk 1 -m "slow and (pure or contract)"

test-services: ON_SERVICES ?= services or installation or not long
test-services: dev-env  ## what hangs on the database, on PostgreSQL and Redis of its own (ON_SERVICES=long for whole nights there)
	@$(BIN)/python -m tests.services --parts "($(ON_SERVICES)) and not browser and not pure and not slow and not page"

test-crash: export HYPOTHESIS_PROFILE ?= random
test-crash: dev-env  ## servers attacked and killed again and again, long machines, short tests of pages: minutes, on PostgreSQL and Redis
	@$(BIN)/python -m tests.services -- -n $(or $(filter-out auto,$(JOBS)),2) --maxschedchunk 1 -m "($(or $(ON_CRASH),slow or (page and not long))) and not browser and not pure and not contract"

test-browser: dev-env  ## real pages in a real browser (ON_BROWSER="not long" for a share of them)
	@$(BIN)/python -m pytest -n $(or $(filter-out auto,$(JOBS)),$(TWICE)) --maxschedchunk 1 -m "$(if $(ON_BROWSER),($(ON_BROWSER)) and )browser and not slow" tests/browser

test-looks: dev-env  ## axe in every state and theme of the board: minutes
	@$(BIN)/python -m pytest -n $(or $(filter-out auto,$(JOBS)),2) -m "browser and slow" tests/browser

test-without: test-env  ## the suites that depend on optional code (WITHOUT="express matching wheel"), run without it
	@$(BIN)/python -m tests.without $(WITHOUT) -- $(LIGHT) -n $(or $(filter-out auto,$(JOBS)),$(ONE_MORE))

check:  ## all that must be green, with the time of each suite; of the long tests of each file a third, drawn (DRAWN=all runs all)
	@$(PYTHON) -m tests.check format lint types arch test test-services test-crash test-browser test-looks test-long test-slow test-without

format: dev-env  ## is every file formatted?
	@$(BIN)/ruff format --check --quiet . || (echo "Run: $(BIN)/ruff format ." && false)

lint: dev-env  ## style, templates, migrations, translations, deployment settings
	@$(BIN)/ruff check --quiet .
	@git ls-files -z --cached --others --exclude-standard '*.html' | xargs -0 $(BIN)/djade --check --target-version 5.2
	@$(MANAGE) makemigrations --check --dry-run --verbosity 0
	@$(BIN)/python -m tests.deploy_check

types: dev-env  ## mypy over all, pyright over the pure half
	@$(BIN)/mypy
	@$(BIN)/pyright --project pyproject.toml

arch: dev-env  ## who may import whom
	@$(BIN)/lint-imports

messages: dev-env  ## collect the sentences to translate
	@$(BIN)/python -m tests.catalogues --write

bench: dev-env  ## measure what users notice: bench/results.md has the questions and the last answers
	@$(BIN)/python -m bench.pages
	@$(BIN)/python -m bench.fanout
	@$(BIN)/python -m bench.live
	@$(BIN)/python -m bench.events
	@$(BIN)/python -m bench.deadlines
	@$(BIN)/python -m bench.board
	@$(BIN)/python -m bench.start
	@$(BIN)/python -m bench.idle
	@$(BIN)/python -m bench.attacks
	@$(BIN)/python -m bench.engine
	@$(BIN)/python -m bench.background
	@$(BIN)/python -m bench.opinion --length 7
	@$(BIN)/python -m bench.beside
	@$(BIN)/python -m bench.counting
	@$(BIN)/python -m bench.levels 20

lock: dev-env  ## renew the hashed locks
	@$(BIN)/python -m pip install --quiet uv
	@for extra in run test dev; do \
	  $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	    --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" \
	    $$( [ $$extra = run ] || echo --extra test ) $$( [ $$extra != dev ] || echo --extra dev ) \
	    pyproject.toml --output-file requirements/$$extra.lock; done
	@for optional in "sqlite pysqlite3>=0.6.1" "opinion bgsage==2.0.20260907"; do \
	  echo "$${optional#* }" | $(BIN)/uv pip compile --quiet --universal --python-version 3.11 \
	    --generate-hashes --no-deps --no-emit-index-url --no-emit-find-links \
	    --custom-compile-command "make lock" - --output-file requirements/$${optional%% *}.lock; done

run-env:
	@$(PYTHON) config/bootstrap.py run

test-env:
	@$(PYTHON) config/bootstrap.py test

dev-env:
	@$(PYTHON) config/bootstrap.py dev
