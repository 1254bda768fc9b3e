#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bridges.py PLIANT BRIDGE BRIDGE.py: each bridge moves the hand of a run, which is recorded, replayed to the bit."""
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile

pliant, *bridges = sys.argv[1:]
SCENE = """gravity = [0, 0, 0]
contact.stiffness = 5000
handle = {{ body = "tool", stiffness = 800, most_force = 20, device_force = 30 }}
device = {{ kind = "network", port = {port}, force = 6, patience = 0.1 }}
[body.floor]
shape = [{{ kind = "plane" }}]
[body.tool]
mesh = {{ model = "sphere", parameters = {{ radius = 0.05 }} }}
pose.position = [0, 0.06, 0]
engine = {{ kind = "rigid", motion = "kinematic" }}
contact = {{ resolution = 48, points = 2000 }}
"""


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def run(arguments, **more):
    return subprocess.run(arguments, check=True, capture_output=True, text=True, timeout=60, **more)


for bridge in bridges:
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        environment = {**os.environ, "XDG_CONFIG_HOME": str(folder), "PLIANT_DEVICE_KEY": "0123456789abcdef" * 2}
        port = free_port()
        scene, recording = folder / "scene.toml", folder / "cycles.safetensors"
        scene.write_text(SCENE.format(port=port))
        cache = ["--cache", str(folder / "cache")]
        run([pliant, "bake", str(scene), *cache])
        interpreter = [sys.executable] if bridge.endswith(".py") else []
        with subprocess.Popen([*interpreter, bridge, str(port), "5"], env=environment, text=True,
                              stdout=subprocess.PIPE) as other:
            report = json.loads(run([pliant, "run", str(scene), *cache, "--real-time", "--duration", "4", "--record",
                                     str(recording), "--json"], env=environment).stdout)
            said = other.communicate(timeout=60)[0]
        assert int(said.split()[0]) > 100, said
        assert report["device"]["name"] == "network", report
        again = json.loads(run([pliant, "run", str(scene), *cache, "--replay", str(recording), "--json"]).stdout)
        differ = again["cycles whose forces differ from the recorded ones"]
        assert differ == 0, again
        assert again["steps"] == report["steps"], (again, report)
        assert again["hash of the motion"] == report["hash of the motion"], (again, report)
        moved = again["contacts"]["most in a step"]
        assert moved > 0, again
        print(f"{bridge}: {said.strip()}; replayed, {differ} cycles differ")
