# Short names for the scripts. Each installs the Debian packages it lacks (scripts/packages.txt).
.PHONY: help demo wheel test test-all lint format bench bench-peers experiments sanitize clean
.NOTPARALLEL:

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 18

demo:  ## build the program and solve the data-centre example
	@scripts/demo.sh

wheel:  ## the Python package as a wheel that needs nothing but numpy, into build/wheel
	@scripts/wheel.sh

test:  ## every test: release build, Python package, report page, short fuzzing under sanitizers (20 minutes on 2 cores)
	@scripts/test.sh release python web fuzz

test-all:  ## also more random models, all tests under sanitizers, clang, every kernel, long fuzzing, lint
	@scripts/test.sh release-long python web kernels bench sanitize tsan clang fuzz-long lint

lint:  ## clang-format and clang-tidy, findings are errors
	@scripts/lint.sh

format:  ## rewrite the sources as clang-format wants them
	@scripts/lint.sh --fix-format

bench:  ## every table of docs/performance.md: ratios, growth, the kernel against the hardware
	@scripts/bench.sh

bench-peers:  ## install the model checker Storm (stormpy) into build/venv, for make bench
	@scripts/bench-peers.sh

experiments:  ## the paper's experiments, and beyond: half an hour, into build/experiments
	@scripts/experiments.sh

sanitize:  ## the tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@scripts/test.sh sanitize

clean:  ## remove build/
	rm -rf build
