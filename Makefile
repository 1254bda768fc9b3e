# SPDX-License-Identifier: MIT
# Two commands: `make run` and `make test`. Each does its own set-up on a fresh Debian 12 machine.
.PHONY: run test program build setup asan tsan tidy format check clean

JOBS ?= $(shell nproc)

# Says how far a build is, and for how many seconds it has been running.
space := $() $()
export NINJA_STATUS = [%p, %e s]$(space)
# say_time(FILE,CPU_MINUTES): before a first build; the minutes are those of docs/benchmarks.md.
say_time = @test -e $(1) || echo "The first time takes about \
$$(( ($(2) + $(JOBS) - 1) / $(JOBS) + 2 )) minutes on $(JOBS) cores: packages, then a build"

run: program
	build/release/pliant play examples/dinosaur.toml

# The command as `pliant play` needs it. A folder that has been built in keeps its settings.
program:
	$(call say_time,build/release/pliant,31)
	./setup run
	@test -f build/release/build.ninja || cmake --preset run
	cmake --build build/release -j $(JOBS) --target pliant_command

# All of it: the rows of `bench` and `verify`, the manual page, the tests.
build: setup
	cmake --preset release
	cmake --build --preset release -j $(JOBS)

setup:
	$(call say_time,build/release/test_base,84)
	./setup test

validator = build/models/npm/node_modules/gltf-validator/package.json

test: build build/models/bunny.obj $(validator)
	ctest --preset release

# Real meshes and the validator of glTF from npm, for tests only.
build/models/bunny.obj $(validator) &:
	tools/fetch_models build/models

# Unit tests under AddressSanitizer and UBSan: those of modules that share data between threads, and
# a shard of the others (tests/CMakeLists.txt), which the number of commits chooses. All of them:
# `make asan sanitized=all`.
commits := $(shell git rev-list --count HEAD 2>/dev/null || echo 0)
sanitized = threaded shard$(shell expr $(commits) % 4 + 1)
all_shards = threaded shard1 shard2 shard3 shard4
asan: shards = $(if $(filter all,$(sanitized)),$(all_shards),$(sanitized))
asan:
	cmake --preset asan
	cmake --build --preset asan -j $(JOBS) --target $(shards:%=tests_of_%)
	ctest --preset asan -L '^($(subst $(space),|,$(shards)))$$'

# The modules that share data between threads under ThreadSanitizer.
tsan:
	cmake --preset tsan
	cmake --build --preset tsan -j $(JOBS) --target tests_of_threaded
	ctest --preset tsan -L '^threaded$$'

# clang-tidy with the checks of .clang-tidy. All files (`make tidy tidied=src/pliant`) take the better
# part of an hour; CI takes those that run in the cycle.
tidied = src/pliant/(base|table|shape|rigid|contact|haptics|world|asset)/
tidy:
	cmake --preset tidy
	run-clang-tidy -quiet -j $(JOBS) -p build/tidy '$(tidied)'

format:
	git ls-files '*.cpp' '*.hpp' | xargs clang-format -i

# What needs no build: the format, the direction of the includes and the table of the modules.
check:
	git ls-files '*.cpp' '*.hpp' | xargs clang-format --dry-run -Werror
	python3 tools/modules.py --check

clean:
	rm -rf build
