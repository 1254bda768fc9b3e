#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs two builds of step_reduced on one file and compares the coefficients that they print.

    compare.py PROGRAM PROGRAM FILE     the same to the last bit; exit status 1 if not

Other tests import run() and largest_difference().
"""
import subprocess
import sys


def run(command):
    """The numbers that a command prints."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}")
    numbers = [float(line) for line in done.stdout.split()]
    if not numbers or not any(numbers):
        sys.exit(f"{' '.join(command)}: no coefficient that is not zero")
    return numbers


def largest_difference(found, expected):
    """Relative to the largest number expected."""
    if len(found) != len(expected):
        sys.exit(f"{len(found)} coefficients, expected {len(expected)}")
    scale = max(abs(x) for x in expected)
    return max(abs(a - b) for a, b in zip(found, expected)) / scale


def main():
    first, second, file = sys.argv[1:]
    a, b = run([first, file]), run([second, file])
    print(f"{len(a)} coefficients, largest relative difference {largest_difference(a, b):g}")
    sys.exit(0 if a == b else 1)


if __name__ == "__main__":
    main()
