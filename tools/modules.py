#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The modules of src/pliant: what each holds and may include. This is the one place that says so.

  tools/modules.py           checks the includes and writes the table of docs/architecture.md
  tools/modules.py --check   checks the includes and the table, and writes nothing

A new module is a row of MODULES, in the order of the dependencies; an engine needs none. Exit status 1 and one line a
fault. The numbers of files and lines in the table may be up to a fifth off before --check minds.
"""
import argparse
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
source = root / "src" / "pliant"
document = root / "docs" / "architecture.md"

BELOW_ENGINES = "base table mesh linalg fem shape"
FOUND = sorted(path.parent.name for path in source.glob("*/*_engine.hpp"))
ENGINES = " ".join(dict.fromkeys(["full", "reduced", "rigid", "green", "vademecum", *FOUND]))
MODULES = {  # name: (what it holds, what it may include)
    "base": ("types, error, assert, progress, parallel loops, timer, tensor views and files, "
             "snapshot, random, hash", ""),
    "table": ("keys of a file bound to the members of a struct: read, written and documented by "
              "the same rows", "base"),
    "mesh": ("surface and volume meshes, readers and writers (`io/`), voxeliser, stuffing, octree, "
             "tubes, procedural models (`models/`), embedding", "base"),
    "linalg": ("sparse Cholesky, orderings, eigenmodes, PCG, MINRES", "base"),
    "fem": ("materials, elements, assembly, mass, damping, Hessian tensor, loads, statics",
            "base table mesh linalg"),
    "shape": ("point sets of a body: linear (X + U c) or dense, normals, bounds; rigid shapes",
              "base"),
    "full": ("engine: every node, large deformations", BELOW_ENGINES),
    "reduced": ("engine: large deformations in r dimensions, and the bake of its basis (`bake/`)",
                BELOW_ENGINES),
    "rigid": ("engine: pose only; fixed, moved or free", BELOW_ENGINES),
    "green": ("engine: small deformations from Green's functions", BELOW_ENGINES),
    "vademecum": ("engine: large deformations looked up in a separated solution", BELOW_ENGINES),
    "contact": ("distance fields, pointshells, penalty contact", "base mesh shape"),
    "haptics": ("virtual coupling, devices, real-time loop", "base"),
    "asset": ("the head of an asset: what its metadata say, read and written by tables",
              "base table fem shape haptics"),
    "scene": ("what a user writes: the scene file, its schema, its errors",
              f"base table mesh fem {ENGINES} contact haptics asset"),
    "world": ("what runs: the contract of an engine, bodies as data, the stages of a cycle, "
              "commands, published state", f"base table fem shape {ENGINES} contact haptics asset"),
    "bake": ("what is made once: plan and cache, one file an engine; writes the asset",
             f"{BELOW_ENGINES} {ENGINES} contact haptics asset scene"),
    "serve": ("HTTP and WebSocket server of a World",
              "base table mesh fem shape reduced haptics asset scene world bake"),
    "report": ("what people read: plots and pictures (SVG), films, the engines compared on one "
               "scene", f"{BELOW_ENGINES} {ENGINES} contact asset scene world bake"),
}
for name in FOUND:  # an engine is known by its contract
    MODULES.setdefault(name, ("engine", BELOW_ENGINES))
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]pliant/(\w+)/')
BEGIN = "<!-- tools/modules.py writes from here -->"
END = "<!-- to here -->"
LARGEST_ERROR = 0.2  # of files and lines in the table


def look_at(module):
    """Files, lines and included modules of a module, and faults of its includes."""
    files, lines, included, faults = 0, 0, set(), []
    for path in sorted((source / module).rglob("*.[ch]pp")):
        files += 1
        for number, line in enumerate(path.read_text().splitlines(), 1):
            lines += 1
            found = INCLUDE.match(line)
            if not found or found[1] == module:
                continue
            included.add(found[1])
            if found[1] not in MODULES[module][1].split():
                place = f"{path.relative_to(root)}:{number}"
                faults.append(f"{place}: {module} may not include {found[1]}")
    return files, lines, included, faults


def in_order(names):
    return ", ".join(name for name in MODULES if name in names) or "-"


def table(facts):
    rows = ["| folder of `src/pliant/` | holds | files | lines | includes | may also include |",
            "|---|---|---|---|---|---|"]
    for module, (holds, may) in MODULES.items():
        files, lines, included, _ = facts[module]
        size = f"{files} | {lines:,}" if files else "to come | "
        rows.append(f"| `{module}/` | {holds} | {size} | {in_order(included)} | "
                    f"{in_order(set(may.split()) - included)} |")
    return "\n".join(rows)


def same_but_for_size(old, new):
    """Whether two tables say the same, their numbers of files and lines nearly so."""
    old, new = old.splitlines(), new.splitlines()
    if len(old) != len(new):
        return False
    for a, b in zip(old, new):
        a, b = a.split(" | "), b.split(" | ")
        if len(a) != len(b) or a[:2] != b[:2] or a[4:] != b[4:]:
            return False
        for x, y in zip(a[2:4], b[2:4]):
            if x == y:
                continue
            try:
                x, y = int(x.replace(",", "")), int(y.replace(",", ""))
            except ValueError:
                return False
            if abs(x - y) > LARGEST_ERROR * y:
                return False
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    check = parser.parse_args().check

    faults = [f"src/pliant/{path.name}: the module is not in the table of tools/modules.py"
              for path in sorted(source.iterdir()) if path.is_dir() and path.name not in MODULES]
    facts = {module: look_at(module) for module in MODULES}
    faults += [fault for module in MODULES for fault in facts[module][3]]

    text = document.read_text()
    before, begin, rest = text.partition(BEGIN + "\n")
    old, end, after = rest.partition(END)
    if not begin or not end:
        faults.append(f"docs/architecture.md: the lines '{BEGIN}' and '{END}' are not there")
    elif check:
        if not same_but_for_size(old.strip(), table(facts)):
            faults.append("docs/architecture.md: the table of the modules is not that of the code; "
                          "tools/modules.py writes it")
    else:
        document.write_text(f"{before}{BEGIN}\n{table(facts)}\n{END}{after}")
    print("\n".join(faults) if faults else "modules: includes in the allowed direction, table true")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
