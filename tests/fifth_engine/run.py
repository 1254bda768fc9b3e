# SPDX-License-Identifier: MIT
"""Adds an engine to a copy of the project by the recipe of CONTRIBUTING.md, counts the files that
this takes outside the engine's own folder, and runs a scene with it.

The engine is a mass on a spring (spring/), so that the motion is known.
"""
import argparse
import csv
import math
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = "src/pliant/spring/"
MOST_FILES = 6

STIFFNESS, MASS, OFFSET = 200.0, 0.5, 0.1
PLACE, GRAVITY = (1.0, 2.0, 3.0), -9.81
# Its x axis is the world's z axis, along which things fall here.
SCENE = f"""title = "A mass on a spring"
duration = 1
gravity = [0, 0, {GRAVITY}]

[body.mass]
mesh.model = "cube"
pose.position = {list(PLACE)}
pose.rotation = {{ axis = [0, 1, 0], degrees = -90 }}
engine = {{ kind = "spring", stiffness = {STIFFNESS}, mass = {MASS}, offset = {OFFSET} }}
"""


def project_files(root):
    """The tracked files by their paths; where there is no git, all but what builds leave."""
    listed = subprocess.run(["git", "-C", str(root), "ls-files", "-z"], capture_output=True)
    if listed.returncode == 0 and listed.stdout:
        names = listed.stdout.decode().split("\0")[:-1]
    else:
        names = []
        for folder, folders, files in os.walk(root):
            folders[:] = [f for f in folders if f not in ("build", ".git", "node_modules", "dist")]
            names += [str((pathlib.Path(folder) / f).relative_to(root)) for f in files]
    return {name: (root / name).read_bytes() for name in names if (root / name).is_file()}


def insert(files, name, anchor, addition):
    """Puts text behind the only place that matches the anchor, a regular expression."""
    text = files[name].decode()
    found = list(re.finditer(anchor, text))
    if len(found) != 1:
        sys.exit(f"{name}: {len(found)} places match {anchor!r}; the recipe has changed")
    end = found[0].end()
    files[name] = (text[:end] + addition + text[end:]).encode()


def add_engine(files):
    for path in sorted((HERE / "spring").iterdir()):
        files[FOLDER + path.name] = path.read_bytes()
    # What a user writes.
    spec = "src/pliant/scene/engine_spec"
    insert(files, spec + ".hpp", r'#include "pliant/rigid/rigid_settings.hpp"\n',
           '#include "pliant/spring/spring_settings.hpp"\n')
    insert(files, spec + ".hpp", r"using EngineSpec =\s*std::variant<[^>]*", ", SpringSettings")
    insert(files, spec + ".cpp", r"t\.alternative\(RigidSpec::engine, [^;]*;\n",
           "    t.alternative(SpringSettings::engine, spring_settings_table());\n")
    # How it is baked.
    insert(files, "src/pliant/bake/body_plan.hpp", r"BodyPlan plan_body\(const RigidSpec&.*\n",
           "BodyPlan plan_body(const SpringSettings& spec, const PlanInput& input);\n")
    files["src/pliant/bake/spring_plan.cpp"] = (HERE / "spring_plan.cpp").read_bytes()
    # How it runs.
    engines = "src/pliant/world/runtime_engines.cpp"
    insert(files, engines, r'#include "pliant/rigid/rigid_engine.hpp"\n',
           '#include "pliant/spring/spring_engine.hpp"\n')
    insert(files, engines, r"rigid = ops_of<RigidEngine>\(\)", ", spring = ops_of<SpringEngine>()")
    insert(files, engines, r"\ball\[\] = \{[^}]*&rigid", ", &spring")
    insert(files, "src/pliant/runtime.cmake", r"set\(runtime_folders[^)]*", " spring")


def write(files, folder):
    """Only what differs, so that a second run builds little."""
    for path in sorted(folder.rglob("*")) if folder.exists() else []:
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not name.startswith("build/") and name not in files:
            path.unlink()
    for name, content in files.items():
        path = folder / name
        if path.is_file() and path.read_bytes() == content:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def call(*command):
    print("$", *command, flush=True)
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"{done.stdout[-4000:]}\nfailed: {command[0]}")
    return done.stdout


def check_includes(folder):
    done = subprocess.run([sys.executable, str(folder / "tools/modules.py")],
                          stdout=subprocess.PIPE, text=True)
    about = re.compile(r"/spring/|include spring$")
    faults = [line for line in done.stdout.splitlines() if about.search(line)]
    if faults:
        sys.exit("\n".join(faults))


def check_motion(path):
    """x0 + A cos(w t) along the axis: x0 is where the spring carries the weight."""
    w, low = math.sqrt(STIFFNESS / MASS), MASS * GRAVITY / STIFFNESS
    amplitude, worst, steps = OFFSET - low, 0.0, 0
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            x = low + amplitude * math.cos(w * float(row["time"]))
            expected = (PLACE[0], PLACE[1], PLACE[2] + x)
            found = [float(row["mass." + c]) for c in "xyz"]
            worst = max(worst, math.dist(found, expected) / abs(amplitude))
            steps += 1
    print(f"{steps} steps; error {worst:.2g} of the amplitude")
    if steps != 1000 or not worst < 1e-3:
        sys.exit("the motion is not that of a mass on a spring")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=pathlib.Path, required=True, help="the project")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="folder for the copy")
    parser.add_argument("--cmake", default="cmake")
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--count-only", action="store_true", help="do not build")
    options = parser.parse_args()

    project = project_files(options.source.resolve())
    files = dict(project)
    add_engine(files)
    touched = sorted(name for name, content in files.items()
                     if project.get(name) != content and not name.startswith(FOLDER))
    print(f"{len(touched)} files outside {FOLDER}:", *touched, sep="\n  ")
    if len(touched) > MOST_FILES:
        sys.exit(f"an engine should need {MOST_FILES} at most")

    # In the same place within the tree as the project's own, for the compiler cache.
    tree, build = options.work / "tree", options.work / "tree/build/release"
    write(files, tree)
    check_includes(tree)
    if options.count_only:
        return
    call(options.cmake, "-S", tree, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
         f"-DCMAKE_CXX_COMPILER={options.compiler}", "-DPLIANT_TESTS=OFF", "-DPLIANT_WEB=OFF")
    call(options.cmake, "--build", build, "--target", "pliant_command", "pliant_runtime")

    scene, asset, out = (options.work / name for name in ("mass.toml", "mass.pliant", "out.csv"))
    scene.write_text(SCENE)
    command, cache = build / "pliant", options.work / "cache"
    if "0.5 kg on 200 N/m" not in call(command, "info", scene):
        sys.exit("`pliant info` does not say what the engine is")
    call(command, "bake", scene, "-o", asset, "--cache", cache)
    call(command, "run", asset, "-o", out)
    check_motion(out)


main()
