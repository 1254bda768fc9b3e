#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles pliant_runtime and step_reduced with Emscripten, runs it under Node.js and compares its
coefficients with those of the native program.

    web_assembly.py --source FOLDER --work FOLDER --native PROGRAM FILE

Exit status 77 where Emscripten or Node.js is not installed.
"""
import argparse
import os
import shutil
import subprocess
import sys

from compare import largest_difference, run

# A fused product and sum rounds once, and WebAssembly has none.
TOLERANCE = 1e-12


def main():
    parser = argparse.ArgumentParser()
    for name in ("source", "work", "native"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("file")
    options = parser.parse_args()
    for program in ("em++", "node"):
        if shutil.which(program) is None:
            print(f"{program} is not installed")
            sys.exit(77)

    os.makedirs(options.work, exist_ok=True)
    os.environ.setdefault("NODE_PATH", "/usr/share/nodejs")  # where Debian's Emscripten looks
    subprocess.run(
        ["emcmake", "cmake", "-S", options.source, "-B", options.work, "-G", "Ninja",
         "-DCMAKE_BUILD_TYPE=Release", "-DPLIANT_RUNTIME_ONLY=ON", "-DPLIANT_ARCH=",
         "-DCMAKE_CXX_FLAGS=-msimd128 -fwasm-exceptions",
         "-DEigen3_DIR=/usr/share/eigen3/cmake"], check=True)
    subprocess.run(["cmake", "--build", options.work, "-j", str(os.cpu_count())], check=True)
    found = run(["node", os.path.join(options.work, "step_reduced.js"), options.file])
    difference = largest_difference(found, run([options.native, options.file]))
    print(f"{len(found)} coefficients, largest relative difference {difference:g}")
    sys.exit(0 if difference <= TOLERANCE else 1)


if __name__ == "__main__":
    main()
