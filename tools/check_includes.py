#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that the modules of src/pliant include only what the design allows them to.

The table is that of docs/architecture.md. Run from anywhere; exit status 1 and one line a fault.
"""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent / "src" / "pliant"

BELOW_ENGINES = {"base", "table", "mesh", "linalg", "fem", "shape"}
ENGINES = {path.parent.name for path in root.glob("*/*_engine.hpp")}
WORLD = BELOW_ENGINES | ENGINES | {"contact", "haptics", "asset"}
MAY_INCLUDE = {
    "base": set(),
    "table": {"base"},
    "mesh": {"base"},
    "linalg": {"base"},
    "fem": {"base", "table", "mesh", "linalg"},
    "shape": {"base"},
    **{engine: BELOW_ENGINES for engine in ENGINES},
    "contact": {"base", "mesh", "shape"},
    "haptics": {"base"},
    "asset": {"base", "table", "fem"},
    "scene": BELOW_ENGINES | ENGINES | {"asset"},
    "world": WORLD,
    "bake": WORLD | {"scene"},
    "serve": {"base", "mesh", "fem", "shape", "haptics", "asset", "scene", "world", "bake", "reduced"},
    "report": WORLD | {"scene", "world", "bake"},
}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]pliant/(\w+)/')

faults = 0
for path in sorted(root.rglob("*.[ch]pp")):
    module = path.relative_to(root).parts[0]
    if module not in MAY_INCLUDE:
        print(f"{path}: the module '{module}' is not in the table of tools/check_includes.py")
        faults += 1
        continue
    for number, line in enumerate(path.read_text().splitlines(), 1):
        found = INCLUDE.match(line)
        if found and found[1] != module and found[1] not in MAY_INCLUDE[module]:
            print(f"{path}:{number}: {module} may not include {found[1]}")
            faults += 1
if faults == 0:
    print("includes: all in the allowed direction")
sys.exit(1 if faults else 0)
