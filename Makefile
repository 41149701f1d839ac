# Every task of the project; `make` by itself lists them.

PYTHON     ?= python3
PYTHON_ENV ?= .venv
PYTEST_ARGS ?=
FUZZ_SECONDS ?= 60
BENCH_PRESET ?= quick

SHELL       := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:

VENV   := .venv
BIN    := $(VENV)/bin
STAMPS := $(VENV)/stamps
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# What goes into the wheel. The compiled module that `make develop` leaves there does not.
SOURCES = find Cargo.toml Cargo.lock pyproject.toml README.md LICENSE NOTICE crates python \
	-type f ! -path '*/__pycache__/*' ! -name '*.so' ! -name '*.pyd'

headline = @printf '\n== %s\n' "$(1)"

.PHONY: help demo test test-python test-rust fuzz bench lint format develop wheel picture lines vectors vocabs tables clean FORCE

help: ## list the tasks
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# ---------------------------------------------------------------- the two commands

demo: cargo $(STAMPS)/installed ## build, install, and see a tokenizer trained, saved and compared (about 3 minutes at first)
	$(call headline,demo)
	@mkdir -p target/demo
	@$(BIN)/python examples/demo.py target/demo/tokenizer.json

test: cargo lint test-rust $(STAMPS)/installed ## everything that must pass: lint, types, Rust, the installed wheel, docs, examples
	$(call headline,stubtest: the stub against the compiled module)
	@$(BIN)/python -m mypy.stubtest bytepair._core
	$(call headline,pytest: the installed wheel)
	@HYPOTHESIS_PROFILE=ci $(BIN)/python -m pytest $(PYTEST_ARGS)

exhaustive: cargo lint $(STAMPS)/installed ## the same at full effort: every character, whole corpora, many examples (hours)
	@mkdir -p target
	@{ $(MAKE) --no-print-directory all-of-rust all-of-python; } 2>&1 | tee target/exhaustive.log

# ---------------------------------------------------------------- parts of them

test-python: ## the Python tests alone, against the bytepair installed in PYTHON_ENV (needs no Rust)
	$(call headline,pytest: the bytepair installed in $(PYTHON_ENV))
	@$(PYTHON_ENV)/bin/python -c 'import bytepair, pytest' || { \
		echo "error: \`$(PYTHON_ENV)\` holds no bytepair with its test extra" >&2; \
		echo "hint: $(PYTHON_ENV)/bin/pip install 'PATH/TO/WHEEL[test]', or name another with PYTHON_ENV=…" >&2; \
		exit 1; }
	@HYPOTHESIS_PROFILE=ci $(PYTHON_ENV)/bin/python -m pytest $(PYTEST_ARGS)

test-rust: | cargo ## the Rust tests of the core, and what fuzzers found played again
	$(call headline,cargo test)
	@cargo test --locked --quiet -p bytepair-core -p bytepair-fuzz

# Without the release profile's link-time optimization, which takes minutes for each target and finds nothing.
fuzz: export CARGO_PROFILE_RELEASE_LTO = off
fuzz: export CARGO_PROFILE_RELEASE_CODEGEN_UNITS = 16
fuzz: export RUSTC_BOOTSTRAP = 1
# What it grows stays in target/; fuzz/corpus is read alone, and a crash is written to fuzz/artifacts.
fuzz: | cargo ## each fuzz target for FUZZ_SECONDS (needs cargo-fuzz and a C++ compiler)
	@cargo fuzz --version >/dev/null 2>&1 || { \
		echo "error: no \`cargo fuzz\`" >&2; \
		echo "hint: cargo install cargo-fuzz; without it \`make test-rust\` plays the corpus again" >&2; \
		exit 1; }
	@for target in $$(cargo fuzz list --fuzz-dir fuzz); do \
		printf '\n== fuzz: %s\n' "$$target"; \
		mkdir -p "target/fuzz/corpus/$$target"; \
		cargo fuzz run --fuzz-dir fuzz --target-dir target/fuzz --sanitizer none --features libfuzzer \
			"$$target" "target/fuzz/corpus/$$target" "fuzz/corpus/$$target" -- \
			-max_total_time=$(FUZZ_SECONDS) -timeout=20 -rss_limit_mb=2048 -print_final_stats=1; \
	done

# The other libraries live in an environment of their own: no test and no user needs them.
BENCH := target/bench/venv
bench: $(STAMPS)/installed ## side by side with other libraries, and the tables of what was measured (BENCH_PRESET=standard: 20 minutes)
	$(call headline,$(BENCH): the other libraries)
	@test -x $(BENCH)/bin/python || $(BIN)/python -m venv $(BENCH)
	@$(BENCH)/bin/pip install --quiet dist/*.whl --requirement benchmarks/requirements.txt
	@$(BENCH)/bin/pip install --quiet --force-reinstall --no-deps dist/*.whl
	$(call headline,sweep: $(BENCH_PRESET))
	@$(BENCH)/bin/python benchmarks/sweep.py --preset $(BENCH_PRESET)
	@$(BENCH)/bin/python benchmarks/render.py

# What `make exhaustive` runs and keeps the words of.
.PHONY: exhaustive all-of-rust all-of-python
all-of-rust:
	$(call headline,cargo test: release mode with more cases and the ignored tests)
	@PROPTEST_CASES=2048 cargo test --locked --release -p bytepair-core -p bytepair-fuzz -- --include-ignored
	@if cargo fuzz --version >/dev/null 2>&1; then $(MAKE) --no-print-directory fuzz; else \
		printf '\nnot run: the fuzzers, for there is no `cargo fuzz`\n'; fi

all-of-python:
	$(call headline,stubtest: the stub against the compiled module)
	@$(BIN)/python -m mypy.stubtest bytepair._core
	$(call headline,pytest: the installed wheel at full effort)
	@BYTEPAIR_EXHAUSTIVE=1 $(BIN)/python -m pytest -rs --durations=20 $(PYTEST_ARGS)

lint: $(STAMPS)/test | cargo ## formats, lints and types of both languages; changes nothing
	$(call headline,ruff format)
	@$(BIN)/ruff format --check .
	$(call headline,ruff check)
	@$(BIN)/ruff check .
	$(call headline,mypy --strict)
	@$(BIN)/python -m mypy
	$(call headline,cargo fmt)
	@cargo fmt --all --check
	$(call headline,cargo clippy)
	@cargo clippy --locked --quiet --workspace --all-targets -- -D warnings

format: $(STAMPS)/test | cargo ## format both languages and apply the safe fixes
	@$(BIN)/ruff check --fix-only --quiet .
	@$(BIN)/ruff format .
	@cargo fmt --all

# ---------------------------------------------------------------- daily work

develop: $(STAMPS)/test | cargo ## compile into .venv, with python/ itself on the path: for daily work
	@rm -f $(STAMPS)/installed
	@VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/maturin develop --release --locked

wheel: $(STAMPS)/installed ## build the release wheel into dist/ and install it into .venv
	@ls -l dist/*.whl

picture: $(STAMPS)/installed ## draw the README's picture from real output
	@$(BIN)/python scripts/render_readme_picture.py

figures: $(STAMPS)/installed $(STAMPS)/test ## draw the figures of the course from the studies
	@$(BIN)/python scripts/render_study_figures.py

lines: $(STAMPS)/venv ## count the lines of code, and write the numbers into the READMEs
	@$(BIN)/python scripts/count_lines.py --write

vectors: ## write spec/vectors from the reference
	@$(PYTHON) spec/generate.py

vocabs: $(STAMPS)/test ## write the bundled vocabularies from their originals
	@$(BIN)/python scripts/build_vocabs.py

tables: $(STAMPS)/test ## write the Unicode 16 tables of both languages
	@$(BIN)/python scripts/generate_unicode_tables.py

clean: ## remove whatever make has built, .venv included
	rm -rf $(VENV) dist target .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find python -name __pycache__ -prune -exec rm -rf {} + -o -name '_core*.so' -exec rm -f {} +

# ---------------------------------------------------------------- what they stand on

.PHONY: cargo
cargo:
	@command -v cargo >/dev/null || { \
		echo "error: no \`cargo\` on the PATH, and the core is written in Rust" >&2; \
		echo "hint: install a Rust toolchain with rustup, or put ~/.cargo/bin on the PATH" >&2; \
		exit 1; }

$(STAMPS)/venv:
	@for python in $(PYTHON) python3.14 python3.13 python3.12 python3.11; do \
		if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			printf '\n== %s\n' "$(VENV): $$($$python --version)"; \
			$$python -m venv $(VENV); mkdir -p $(STAMPS); touch $@; exit 0; \
		fi; \
	done; \
	echo "error: \`$(PYTHON)\` is $$($(PYTHON) --version 2>&1 || true); bytepair needs Python 3.11 or later" >&2; \
	echo "hint: make PYTHON=/path/to/python3.11" >&2; \
	exit 1

# requirements for: build (what a wheel is made with, and runs with), test (all of it).
list_requirements = import sys, tomllib; \
	p = tomllib.load(open("pyproject.toml", "rb")); x = p["project"]["optional-dependencies"]; \
	print(*p["build-system"]["requires"], *p["project"]["dependencies"], *x.get(sys.argv[1], []), sep="\n")

$(STAMPS)/build $(STAMPS)/test: $(STAMPS)/%: pyproject.toml | $(STAMPS)/venv
	$(call headline,$(VENV): requirements for $*)
	@$(BIN)/python -c '$(list_requirements)' $* > $@.txt
	@$(BIN)/pip install --quiet --requirement $@.txt
	@touch $@

# A list of checksums, touched only when one differs: removed and restored files count, dates do not.
$(STAMPS)/sources: FORCE | $(STAMPS)/venv
	@$(SOURCES) | LC_ALL=C sort | xargs cksum > $@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

$(STAMPS)/installed: $(STAMPS)/sources $(STAMPS)/build | cargo
	$(call headline,the release wheel)
	@rm -rf dist
	@$(BIN)/maturin build --release --locked --interpreter $(BIN)/python --out dist
	@$(BIN)/pip install --quiet --force-reinstall --no-deps dist/*.whl
	@touch $@
