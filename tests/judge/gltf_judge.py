# SPDX-License-Identifier: MIT
"""An independent judge of exported glTF: Khronos' validator (npm: gltf-validator).

usage: gltf_judge.py PLIANT FOLDER

FOLDER is that of the package, as tools/fetch_models leaves it. Ends with 77 (skipped) without it.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

PLIANT, PACKAGE = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
if not shutil.which("node") or not (PACKAGE / "index.js").exists():
    print(f"skipped: needs node and {PACKAGE}, see tools/fetch_models")
    sys.exit(77)

SCENE = """
[material.rubber]
young = 1e6
poisson = 0.4
density = 1000
[body.beam]
material = "rubber"
mesh = {{ model = "cantilever" }}
meshing = {{ kind = "voxels", resolution = 8 }}
pose = {{ position = [0, 1, 0] }}
fixed = [{{ kind = "plane", point = [0.001, 0, 0], normal = [1, 0, 0] }}]
colour = "#c04020"
engine = {engine}
[body.stone]
mesh = {{ model = "sphere" }}
engine = {{ kind = "rigid" }}
"""
ENGINES = {"reduced": '{ kind = "reduced", k = 4, r = 5 }', "full": '{ kind = "full" }'}


def call(*arguments):
    done = subprocess.run([str(a) for a in arguments], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{arguments}\n{done.stderr}"
    return done.stdout


def judge(glb, animations, targets):
    tool = pathlib.Path(__file__).with_name("gltf_validate.mjs")
    report = json.loads(call("node", tool, PACKAGE, glb))
    issues, info = report["issues"], report["info"]
    assert issues["numErrors"] == 0 and issues["numWarnings"] == 0, json.dumps(issues, indent=1)
    assert info["version"] == "2.0" and info["animationCount"] == animations, info
    assert info["hasMorphTargets"] == targets, info
    print(f"{glb.name}: no errors, no warnings, {info['totalVertexCount']} vertices")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for engine, spec in ENGINES.items():
        scene = folder / f"{engine}.toml"
        scene.write_text(SCENE.format(engine=spec))
        asset, motion = folder / f"{engine}.pliant", folder / f"{engine}.safetensors"
        call(PLIANT, "bake", scene, "-o", asset, "--cache", folder / "cache")
        call(PLIANT, "run", asset, "--duration", "0.2", "-o", motion)
        rest, moving = folder / f"{engine}_rest.glb", folder / f"{engine}_moving.glb"
        call(PLIANT, "export", asset, "--glb", rest)
        judge(rest, animations=0, targets=engine == "reduced")
        call(PLIANT, "export", asset, "--glb", moving, "--recording", motion)
        judge(moving, animations=1, targets=True)
