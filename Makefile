# SPDX-License-Identifier: MIT
# Two commands: `make run` and `make test`. Each does its own set-up on a fresh Debian 12 machine.
.PHONY: run test build setup asan tsan fuzz format clean

JOBS ?= $(shell nproc)

run: build
	build/release/pliant play examples/bridge.toml

build: setup
	cmake --preset release
	cmake --build --preset release -j $(JOBS)

validator = build/models/npm/node_modules/gltf-validator/package.json

test: build build/models/bunny.obj $(validator)
	ctest --preset release

setup:
	./setup

# Real meshes and the validator of glTF from npm, for tests only.
build/models/bunny.obj $(validator) &:
	tools/fetch_models build/models

# Unit tests under AddressSanitizer and UBSan, and those of base/ under ThreadSanitizer. Those of the
# other modules take as long again: `make asan unit_tests="test_mesh test_linalg test_fem test_full
# test_reduced test_report"`.
unit_tests = test_base test_shape test_haptics test_scene test_serve

# The large procedural models take minutes there: they are left to `make test`.
asan:
	cmake --preset asan
	cmake --build --preset asan -j $(JOBS) --target $(unit_tests)
	ctest --preset asan -E '^(Command|MeshFiles|GltfFiles|Models/EveryModel|Robustness)|_NOT_BUILT'

tsan:
	cmake --preset tsan
	cmake --build --preset tsan -j $(JOBS) --target test_base
	build/tsan/test_base --gtest_filter='-Parallel.*'  # oneTBB is not instrumented

format:
	git ls-files '*.cpp' '*.hpp' | xargs clang-format -i

clean:
	rm -rf build
