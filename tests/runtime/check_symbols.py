#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that a static library, or objects, need nothing but themselves and the C++ library, and of that
no file, no thread and no lock.

    check_symbols.py [--must-refuse WORD ...] -- FILE ...

Exit status 1 and one line a symbol that is refused. With --must-refuse the other way round: 1 if
one of the words is in none of them, which shows that the check can fail.
"""
import argparse
import re
import subprocess
import sys

SYSTEM = ["libstdc++.so.6", "libc.so.6", "libm.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2"]
OF_THE_LINKER = {"_GLOBAL_OFFSET_TABLE_", "__dso_handle"}
# Of the system, but not for a real-time loop that also runs in a browser.
FORBIDDEN = re.compile(
    r"^(f?open(at)?(64)?|fdopen|freopen(64)?|creat(64)?|mmap(64)?|dlopen|socket|fork|system"
    r"|(pthread|thrd|mtx|cnd|sem)_\w+"
    r"|std::(thread|this_thread|mutex|condition_variable|filesystem|basic_[io]?fstream"
    r"|basic_filebuf|__basic_file|random_device)\b.*)")


def symbols(nm, *arguments):
    """The names that nm prints, without their versions."""
    text = subprocess.run([nm, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True, check=True).stdout
    names = set()
    for line in text.splitlines():
        fields = line.split()  # address, kind, name; or the name of a member
        if len(fields) >= 2:
            names.add(fields[-1].split("@")[0])
    return names


def demangled(names):
    text = subprocess.run(["c++filt"], input="\n".join(names), stdout=subprocess.PIPE, text=True,
                          check=True).stdout
    return text.splitlines()


def of_the_system(nm, compiler):
    names = set(OF_THE_LINKER)
    for library in SYSTEM:
        path = subprocess.run([compiler, f"-print-file-name={library}"], stdout=subprocess.PIPE,
                              text=True, check=True).stdout.strip()
        names |= symbols(nm, "-D", "--defined-only", path)
    return names


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--nm", default="nm")
    parser.add_argument("--must-refuse", nargs="+", default=[])
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()

    own = symbols(options.nm, "--defined-only", *options.files)
    if not own:
        sys.exit("no symbols")
    needed = sorted(symbols(options.nm, "--undefined-only", *options.files) - own)
    system = of_the_system(options.nm, options.compiler)
    refused = [readable for name, readable in zip(needed, demangled(needed))
               if name not in system or FORBIDDEN.match(readable)]
    if options.must_refuse:
        missing = [word for word in options.must_refuse
                   if not any(word in symbol for symbol in refused)]
        print(f"{len(refused)} symbols refused, as they should be")
        sys.exit(f"not refused: {', '.join(missing)}" if missing else 0)
    for symbol in refused:
        print(f"refused: {symbol}")
    print(f"{len(own)} symbols defined, {len(needed)} needed, {len(refused)} refused")
    sys.exit(1 if refused else 0)


if __name__ == "__main__":
    main()
