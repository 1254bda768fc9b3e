#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks what the sources of pliant_runtime include, directly or not: headers of Pliant whose
source, if they have one, is in the runtime too, and of other libraries those of Eigen and
nlohmann-json. The headers of the system pass: check_symbols.py looks at what comes of them.

    check_headers.py SRC SOURCE ...     (SRC: the folder that holds pliant/)

Exit status 1 and one line a header that is refused.
"""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
OTHER_LIBRARIES = ("Eigen/", "nlohmann/")
NOT_HERE = {"filesystem", "fstream", "thread", "mutex", "future", "shared_mutex", "iostream"}


def main():
    src = pathlib.Path(sys.argv[1]).resolve()
    sources = {pathlib.Path(source).resolve() for source in sys.argv[2:]}
    waiting = sorted(sources)
    seen = set(waiting)
    # parallel_serial.cpp is in its stead.
    sources.add(src / "pliant/base/parallel.cpp")
    faults = 0

    def refuse(path, name, why):
        nonlocal faults
        faults += 1
        print(f"{path.relative_to(src)} includes {name}: {why}")

    while waiting:
        path = waiting.pop()
        for name in INCLUDE.findall(path.read_text()):
            if name.startswith("pliant/"):
                header = src / name
                source = header.with_suffix(".cpp")
                if "bake" in header.parts or (source.exists() and source not in sources):
                    refuse(path, name, "not of the runtime")
                if header not in seen:
                    seen.add(header)
                    waiting.append(header)
            elif "/" in name and not name.startswith(OTHER_LIBRARIES):
                refuse(path, name, "another library")
            elif name in NOT_HERE:
                refuse(path, name, "files and threads")
    print(f"{len(seen)} files, {faults} includes refused")
    sys.exit(1 if faults or len(sys.argv) < 3 else 0)


if __name__ == "__main__":
    main()
