# `make` lists the targets. Variables: DATASET (folders), VARIANTS, REPETITIONS (of each sample), ARGUMENTS (more for spinebench).
.DEFAULT_GOAL := help
.PHONY: help setup build test browser-test bench peers harness-check scoring-check loadgen-check lint format check clean

DATASET ?= Datasets/spines-1
# One reading of each of 240 spines is enough for P95; two for P99, which is claimed from 459 readings on.
REPETITIONS ?= 1
ARGUMENTS ?=
VARIANTS ?= fast,accurate,tesseract,enrich,upload,hybrid
SOURCES := Package.swift Sources Tests
RUN := .build/release/spinebench run --dataset $(DATASET) --variants $(VARIANTS) $(if $(REPETITIONS),--repetitions $(REPETITIONS)) $(ARGUMENTS)

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## fetch what is missing: Debian packages, OpenVINO, models
	@bash scripts/setup.sh

build: setup ## build the release commands, .build/release/spinebench and the back end that it starts, talaria
	swift build -c release --product spinebench
	swift build -c release --product talaria

test: setup ## build and run the tests
	swift build --build-tests
	swift test --skip-build

browser-test: setup ## drive report.html and the page of 'dataset view' in headless Chromium (Debian's package chromium)
	swift build --product spinebench
	python3 -B -m unittest discover --start-directory Tests/browser

bench: build ## measure every tier over DATASET and write a report; fails when a target is missed
	$(RUN)

peers: build ## compare with other OCR tools over DATASET (one folder or several) in one run
	@bash scripts/setup.sh peers
	.peers/bin/python Peers/compare.py $(ARGUMENTS) $(DATASET)

harness-check: setup ## build the program that checks the harness itself, .build/release/harness-check
	swift build -c release --product harness-check

scoring-check: setup ## compare how fast lines are scored with rapidfuzz and jiwer, and whether all find the same
	@bash scripts/setup.sh peers
	swift build -c release --product harness-check
	.peers/bin/python Peers/scoring.py

loadgen-check: build ## have MLPerf's LoadGen time the same readings, and compare
	@bash scripts/setup.sh loadgen
	.loadgen/bin/python Peers/loadgen_check.py $(ARGUMENTS) $(DATASET)

lint: ## check format and style; changes nothing
	swift format lint --strict --parallel --recursive $(SOURCES)

format: ## put the sources into the project's format
	swift format --in-place --parallel --recursive $(SOURCES)

check: lint test ## what a change must pass

clean: ## remove what building made; keeps .deps, .peers, .loadgen and reports
	rm -rf .build
