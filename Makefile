# The habits. Everything happens in .venv, made by the first target that needs it.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
COMPILE := uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --quiet

.PHONY: demo test fuzz mutation determinism ray sanitize browser lint container format schemas validity validity-short contamination-study figures bench bench-container screenshots requirements clean

demo: .venv/runtime.stamp  ## the worked example and a real pair of runs: two BLOCKs, each with its reasons
	$(BIN)/python examples/demo.py

test: .venv/dev.stamp  ## all tests with branch coverage
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest $(ARGS)
	$(BIN)/coverage combine -q
	$(BIN)/coverage report

MINUTES ?= 10

fuzz: .venv/fuzz.stamp  ## damaged samples through every reader for MINUTES, led by the code they reach (Linux on x86-64)
	$(BIN)/python -m tests.fuzz --minutes $(MINUTES) $(ARGS)

mutation: .venv/mutation.stamp  ## faults planted in statistics, checks and verdict, one at a time: how many the tests notice (an hour)
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tools.mutation $(ARGS)

ray: .venv/ray.stamp  ## the scan on clusters of Ray on this machine, workers and nodes killed (minutes)
	$(BIN)/python -m pytest -m ray tests/contamination/engines $(ARGS)

# Python's own memory is not looked at: it has leaks, and an allocator that hides where its blocks end.
sanitize: .venv/dev.stamp  ## the tests of the compiled kernel with every access to memory checked (needs gcc)
	CC=gcc $(BIN)/python hatch_build.py -g -fsanitize=address,undefined -fno-sanitize-recover=all
	LD_PRELOAD="$$(gcc -print-file-name=libasan.so)" ASAN_OPTIONS=detect_leaks=0 PYTHONMALLOC=malloc \
	  $(BIN)/python -m pytest -q tests/contamination/test_compiled.py tests/contamination/test_kernel.py -k "not memory" \
	  || { $(BIN)/python hatch_build.py; exit 1; }
	$(BIN)/python hatch_build.py

browser: .venv/dev.stamp  ## the HTML report in Chromium; installs a driver, and the browser where it may (needs node)
	.ci/browser $(ARGS)

# One environment for each Python of this machine that the project supports; one that is not there is reported as skipped.
python_of = $(or $(lastword $(wildcard $(HOME)/.pyenv/versions/$(1).*/bin/python)),$(shell command -v python$(1)))
PYTHONS := $(foreach version,3.11 3.12 3.13,$(if $(call python_of,$(version)),$(version)))

determinism: .venv/dev.stamp $(PYTHONS:%=.venv/python%.stamp)  ## the same bytes over Pythons, threads, seeds of the hash, orders, kernels (a minute)
	GATE_PYTHONS="$(subst $(eval) ,:,$(PYTHONS:%=$(CURDIR)/.venv/python%/bin/python))" $(BIN)/python -m pytest -q tests/determinism $(ARGS)

.venv/python%.stamp: requirements/runtime.txt .venv/dev.stamp
	$(call python_of,$*) -m venv .venv/python$*
	.venv/python$*/bin/python -m pip --quiet --disable-pip-version-check install --require-hashes -r requirements/runtime.txt
	touch $@

EXAMPLES := examples/*/workflow.yml examples/*/*.workflow.yml
WORKFLOWS := .github/workflows/*.yml $(EXAMPLES)

lint: .venv/dev.stamp  ## ruff, mypy, import-linter, yamllint; the action, its workflows, Dockerfile and scripts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/yamllint --strict .
	$(BIN)/check-jsonschema --builtin-schema vendor.github-actions action.yml tests/container/stand_ins/*/action.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows $(WORKFLOWS)
	$(BIN)/check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml
	$(BIN)/zizmor --offline --quiet --config .github/zizmor.yml .github action.yml $(EXAMPLES)
	PATH="$(CURDIR)/$(BIN):$$PATH" jactionlint --ignore unpinned-uses
	PATH="$(CURDIR)/$(BIN):$$PATH" jactionlint --profile correctness --ignore workflow-run-names $(EXAMPLES)
	$(BIN)/hadolint Dockerfile tests/container/runner.Dockerfile
	$(BIN)/shellcheck .ci/run .ci/container .ci/browser

container: .venv/dev.stamp  ## build the action's image and run it as GitHub's runner does (needs Docker)
	.ci/container

format: .venv/dev.stamp  ## let ruff mend what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

schemas: .venv/dev.stamp  ## write schemas/ anew from the code
	$(BIN)/python tests/schemas.py

# Each process of the study has a core to itself: threads of the matrix library would fight over them.
validity: .venv/dev.stamp  ## how often each method and the gate err: writes docs/validity.md and its figure (minutes)
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m studies.validity

validity-short: .venv/dev.stamp  ## the same with few runs, into build/; fails where a limit is broken
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m studies.validity --short

contamination-study: .venv/dev.stamp  ## how often the corpus scan errs, on real text (needs GATE_REAL_FILES and Debian 12): docs/contamination.md
	$(BIN)/python -m studies.contamination

figures: .venv/dev.stamp  ## write the teaching pages of docs/figures anew, from the report's own style and modules
	$(BIN)/python -m studies.figures

bench: .venv/bench.stamp  ## speed, as ratios within one run: writes docs/benchmarks.md (minutes)
	$(BIN)/python -m compileall -q gate
	$(BIN)/python -m benchmarks

bench-container: .venv/dev.stamp  ## the image's size and start: writes docs/container.md (needs Docker)
	.ci/container .venv/bin/python benchmarks/container.py

screenshots: .venv/screenshots.stamp  ## reports, comment and pages to try as desktops and phones show them: build/screenshots, docs/pictures (needs Chromium)
	$(BIN)/python -m tools.screenshots $(ARGS)

requirements:  ## pin all dependencies anew (needs uv)
	$(COMPILE) --output-file requirements/runtime.txt
	$(COMPILE) --extra github --constraint requirements/runtime.txt --output-file requirements/action.txt
	$(COMPILE) --extra build --constraint requirements/action.txt --output-file requirements/build.txt
	$(COMPILE) --extra build --extra github --extra parquet --extra object-stores --extra dev --constraint requirements/action.txt --constraint requirements/build.txt --output-file requirements/dev.txt
	$(COMPILE) --extra build --extra github --extra parquet --extra object-stores --extra dev --extra ray --constraint requirements/dev.txt --output-file requirements/ray.txt
	$(COMPILE) --extra build --extra github --extra parquet --extra object-stores --extra dev --extra fuzz --constraint requirements/dev.txt --output-file requirements/fuzz.txt
	$(COMPILE) --extra build --extra github --extra parquet --extra object-stores --extra dev --extra mutation --constraint requirements/dev.txt --output-file requirements/mutation.txt
	$(COMPILE) --extra build --extra screenshots --constraint requirements/dev.txt --output-file requirements/screenshots.txt
	$(COMPILE) --extra build --extra bench --constraint requirements/dev.txt --output-file requirements/bench.txt

clean:
	rm -rf .venv build dist .coverage .coverage.*

# the kernel is compiled where there is a compiler
.venv/runtime.stamp: requirements/build.txt pyproject.toml hatch_build.py gate/contamination/compiled.c
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "gate needs Python 3.11 or newer: make PYTHON=...")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP) install --require-hashes -r requirements/build.txt
	$(PIP) install --no-build-isolation --no-deps --editable .
	$(BIN)/python -m compileall -q gate
	touch $@

.venv/dev.stamp: .venv/runtime.stamp requirements/dev.txt
	$(PIP) install --require-hashes -r requirements/dev.txt
	touch $@

.venv/ray.stamp .venv/fuzz.stamp .venv/mutation.stamp: .venv/%.stamp: .venv/dev.stamp requirements/%.txt
	$(PIP) install --require-hashes -r requirements/$*.txt
	touch $@

.venv/bench.stamp: .venv/runtime.stamp requirements/bench.txt
	$(PIP) install --require-hashes -r requirements/bench.txt
	touch $@

# The style sheet is npm's; its lock file is copied, so that nothing is installed beside it.
.venv/screenshots.stamp: .venv/runtime.stamp requirements/screenshots.txt tools/screenshots/package-lock.json
	command -v npm > /dev/null || { echo "npm is missing: install it, on Debian \`apt-get install npm\`" >&2; exit 1; }
	$(PIP) install --require-hashes -r requirements/screenshots.txt
	mkdir -p .venv/screenshots
	cp tools/screenshots/package.json tools/screenshots/package-lock.json .venv/screenshots
	npm ci --prefix .venv/screenshots --ignore-scripts --no-audit --no-fund --silent
	touch $@
