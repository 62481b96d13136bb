# `make` lists the targets. Variables: DATASET (folders), VARIANTS, REPETITIONS (per sample), ARGUMENTS (further ones for spinebench).
.DEFAULT_GOAL := help
.PHONY: help setup build test test-unit browser-test document-test cluster-test bench figures peers table stress loadgen-check api-check sse-fuzz lint format
.PHONY: captures captures-test check clean codec-fuzz examples wheel wheel-test

DATASET ?= Datasets/spines-1
# One reading of each of 240 spines is enough for P95; two for P99, which needs 459 readings.
REPETITIONS ?= 1
ARGUMENTS ?=
VARIANTS ?= fast,accurate,tesseract,enrich,upload,hybrid
SOURCES := Package.swift Sources Tests Examples Apps
# Tests of servers, and of slow sources, run separately: tests that wait for programs would block the few
# threads that they need.
SOCKET_TESTS := TalariaTests|TalariaServerTests|HTTPServerTests|ScanningPipelineTests
# One build for all: the programs that are measured are those that are tested. Tests see what is internal, which costs no time to
# build. Debug information would take a sixth of it and three fifths of a program's size.
SWIFT_FLAGS := -c release -debug-info-format none -Xswiftc -enable-testing
RUN := .build/release/spinebench run --dataset $(DATASET) --variants $(VARIANTS) $(if $(REPETITIONS),--repetitions $(REPETITIONS)) $(ARGUMENTS)

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## fetch missing dependencies: Debian packages, OpenVINO, models
	@bash scripts/setup.sh

build: setup ## build the release commands, .build/release/spinebench and the back end that it starts, talaria
	swift build $(SWIFT_FLAGS) --product spinebench
	swift build $(SWIFT_FLAGS) --product talaria

tools: build ## build spinebench-tools: further commands, which 'spinebench --help' lists
	swift build $(SWIFT_FLAGS) --product spinebench-tools

wheel: tools ## make dist: wheels of the programs and of their models, a tar of both with OpenVINO, and checksums
	python3 -B scripts/wheel.py

wheel-test: ## install the wheels of dist, and those of WHEELS (a folder with openvino's), in an empty environment, and read 60 spines
	WHEELS=$(WHEELS) bash Tests/wheel/install.sh

test: setup ## build and run the tests
	python3 -B -m unittest discover --start-directory Tests/formats
	python3 -B -m unittest discover --start-directory Tests/wheel
	swift build $(SWIFT_FLAGS) --build-tests
	swift test $(SWIFT_FLAGS) --skip-build --skip '$(SOCKET_TESTS)'
	swift test $(SWIFT_FLAGS) --skip-build --filter '$(SOCKET_TESTS)'

UNIT_TESTS ?= BasicsTests BookCatalogueTests CommandSupportTests EvaluationTests HarnessTests HouseTests ImagingTests \
	ScanningPoliciesTests TextRecognitionTests
test-unit: setup ## build the core's unit tests (or UNIT_TESTS) and what they use, and run them
	SPINEBENCH_TESTS="$(UNIT_TESTS)" swift build $(SWIFT_FLAGS) --build-tests
	SPINEBENCH_TESTS="$(UNIT_TESTS)" swift test $(SWIFT_FLAGS) --skip-build

# A package of its own, which depends on this one.
CAPTURES := $(SWIFT_FLAGS) --package-path Apps/Captures --scratch-path .build/captures
captures: setup ## build .build/captures/release/captures: the package Apps/Captures
	swift build $(CAPTURES) --product captures

captures-test: setup ## build and run the tests of Apps/Captures, and test its page in a headless Chromium
	swift build $(CAPTURES) --build-tests
	swift test $(CAPTURES) --skip-build
	@bash scripts/setup.sh browser
	python3 -B -m unittest discover --start-directory Apps/Captures/Tests/programs

browser-test: build tools ## test the HTML pages in a headless Chromium (Debian's packages chromium and zint, which it installs)
	@bash scripts/setup.sh browser
	python3 -B -m unittest discover --start-directory Tests/browser

document-test: build tools captures ## type every command of the documents, on two spines each
	python3 -B -m unittest discover --start-directory Tests/documents

figures: ## write the figures of README.md and Docs/NUMBERS.md from Docs/numbers.json; RUN=tiers measures these anew first (after 'make build')
	python3 -B scripts/figures.py $(addprefix --run ,$(RUN)) $(addprefix --variants ,$(READERS)) $(if $(DATASETS),--dataset $(DATASETS))

# SPINEBENCH in the environment overrides the built program.
cluster-test: build ## run parts on a Slurm of three nodes, all on this machine, and check the files of Deploy
	python3 -B Tests/cluster/slurm_test.py
	python3 -B -m unittest discover --start-directory Tests/cluster

EXAMPLES := --package-path Examples --scratch-path .build/examples
examples: setup ## build the package in Examples, which depends on this one, and read a spine with it (minutes, without this package's products)
	swift build -c release $(EXAMPLES)
	.build/examples/release/Bookshelf .build/examples/library.sqlite Datasets/spines-1/images/spine-00001.jpg

bench: build ## measure every tier over DATASET and write a report; fails when a target is missed
	$(RUN)

# One run of an hour or so on two cores; OPTIONS of 'spinebench run', RUNS of 'spinebench score' as further rows.
TABLE ?= Reports/runs/table
OPTIONS ?= --warmup 80
table: build ## measure other OCR tools in turns over DATASET, and write a table of readers: TABLE/table.html and table.md
	@bash scripts/setup.sh peers
	python3 -B scripts/table.py --out $(TABLE) $(RUNS) --measure $(addprefix --dataset ,$(DATASET)) $(OPTIONS)

peers: build ## measure other OCR tools over DATASET (one folder or several): the suite peers
	@bash scripts/setup.sh peers
	.build/release/spinebench run --suite peers $(addprefix --dataset ,$(DATASET)) $(ARGUMENTS)

# Tests whose bars are times, alone on the machine, and programs that are killed. SIZE times as many cases; CONTRIBUTING has more.
SIZE ?= 1
MEASURED := OverheadTests|ManyReadingsTests
stress: tools captures ## run the tests that measure times, and kill programs at work to see that nothing is lost
	swift build $(SWIFT_FLAGS) --build-tests
	SPINEBENCH_SIZE=$(SIZE) swift test $(SWIFT_FLAGS) --skip-build --no-parallel --filter '$(MEASURED)'
	swift build $(CAPTURES) --build-tests
	SPINEBENCH_SIZE=$(SIZE) swift test $(CAPTURES) --skip-build --no-parallel --filter SessionGrowthTests
	python3 -B Tests/stress/scans.py
	python3 -B Apps/Captures/Tests/stress/captures.py

loadgen-check: build ## time the same readings with MLPerf's LoadGen, and compare
	@bash scripts/setup.sh loadgen
	.loadgen/bin/python research/loadgen_check.py $(ARGUMENTS) $(DATASET)

api-check: setup ## test the back end with schemathesis, for SECONDS, against its openapi.json
	@bash scripts/setup.sh api
	swift build $(SWIFT_FLAGS) --product talaria
	.api-check/bin/python research/api_check.py --seconds $(SECONDS) $(ARGUMENTS)

# Only the parser and the messages, in one module with the libFuzzer entry point: they need only Basics.
SSE := .build/sse-fuzz
COPENSSL := -Xcc -fmodule-map-file=Sources/C/COpenSSL/module.modulemap
# As Package.swift sets it.
IMPORTS := -enable-upcoming-feature InternalImportsByDefault
BASICS_SWIFTC := swiftc -O -swift-version 6 $(IMPORTS) $(COPENSSL) -wmo -parse-as-library -package-name spinebench -module-name Basics \
	$(wildcard Sources/Base/Basics/*.swift Sources/Base/Basics/*/*.swift) \
	-emit-module -emit-module-path $(SSE)/Basics.swiftmodule -emit-object -o $(SSE)/Basics.o
SSE_SOURCES := $(wildcard Sources/Kit/Talaria/Wire/*.swift) Sources/Kit/Talaria/SSE/SSEParser.swift \
	Sources/Kit/Talaria/TalariaError.swift Sources/Kit/Talaria/Client/RetryAfter.swift \
	Sources/Kit/Talaria/Transport/Transfer.swift
SSE_CHECKS := $(addprefix Sources/Tools/sse-fuzz/,ReferenceParser.swift Properties.swift)
SSE_SWIFTC := swiftc -O -swift-version 6 $(IMPORTS) $(COPENSSL) -package-name spinebench -module-name Talaria -I $(SSE) $(SSE)/Basics.o \
	$(SSE_SOURCES) $(SSE_CHECKS)
SECONDS ?= 300

sse-fuzz: ## fuzz the parser of event streams with libFuzzer and AddressSanitizer for SECONDS, then measure its speed
	@mkdir -p $(SSE)/corpus
	$(BASICS_SWIFTC)
	$(SSE_SWIFTC) -sanitize=fuzzer,address -parse-as-library Sources/Tools/sse-fuzz/LibFuzzer.swift -o $(SSE)/fuzz
	$(SSE)/fuzz -max_total_time=$(SECONDS) -max_len=2048 -dict=Sources/Tools/sse-fuzz/dictionary.txt \
		-artifact_prefix=$(SSE)/ -print_final_stats=1 $(SSE)/corpus
	$(SSE_SWIFTC) Sources/Tools/sse-fuzz/main.swift -o $(SSE)/measure
	$(SSE)/measure --benchmark

CODEC := .build/codec-fuzz
CODEC_SWIFTC := swiftc -O -swift-version 6 -package-name spinebench -module-name Imaging \
	$(foreach library,CPNG CTurboJPEG CHEIF,-Xcc -fmodule-map-file=Sources/C/$(library)/module.modulemap) \
	$(shell find Sources/Base/Imaging -name '*.swift') Sources/Tools/codec-fuzz/CodecProperties.swift

codec-fuzz: ## fuzz the decoders of pictures with libFuzzer and AddressSanitizer for SECONDS
	@mkdir -p $(CODEC)/corpus
	$(CODEC_SWIFTC) -sanitize=fuzzer,address -parse-as-library Sources/Tools/codec-fuzz/LibFuzzer.swift -o $(CODEC)/fuzz
	$(CODEC)/fuzz -max_total_time=$(SECONDS) -max_len=65536 -timeout=2 -malloc_limit_mb=64 \
		-dict=Sources/Tools/codec-fuzz/dictionary.txt -artifact_prefix=$(CODEC)/ -print_final_stats=1 \
		$(CODEC)/corpus Tests/ImagingTests/Fixtures $(ARGUMENTS)

lint: ## check format and style; changes nothing
	swift format lint --strict --parallel --recursive $(SOURCES)

format: ## format the sources
	swift format --in-place --parallel --recursive $(SOURCES)

check: lint test ## checks that a change must pass

clean: ## remove build products; keeps .deps, .peers, .loadgen, .api-check and reports
	rm -rf .build
