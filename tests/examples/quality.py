# SPDX-License-Identifier: MIT
"""Do the examples come as near to the full solution as they say, and touch where they say so?

    python3 quality.py PLIANT EXAMPLES CACHE

Bakes each, which takes minutes the first time. On average over its test loads a body is less than
5 % off, or the description of its scene says by how much. The README says it of the farthest body
of a scene: it must where that is 5 % off or more. Where bodies lie, stand or rest on others something
touches within the first 0.3 s.
"""
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

MOST = 0.05  # of the displacements
TOUCHING = {"ball", "beams", "bolt", "bunnies", "chair", "dinosaur", "hoses", "jellies", "knight", "mould", "peg"}


def head_of(asset):
    with open(asset, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        return json.loads(json.loads(file.read(length))["__metadata__"]["head"])


def percent(text):
    """The number before the first % of a text, as a part of 1; None: there is none."""
    found = re.search(r"(\d+(?:\.\d+)?) %", text)
    return found and float(found.group(1)) / 100


def agrees(said, mean):
    return said is not None and abs(said - mean) < 0.1 * mean + 0.0006


def tells(readme, scene, farthest):
    """Whether the README's figure of a scene is that of its farthest body; near ones need none."""
    told = re.search(rf"`{scene}`[^|]*?\d %", readme)
    return agrees(percent(told.group(0)), farthest) if told else farthest < MOST


def touches(program, asset):
    run = subprocess.run([program, "run", asset, "--duration", "0.3", "--json"], check=True,
                         stdout=subprocess.PIPE)
    return json.loads(run.stdout)["contacts"]["most in a step"] > 0


def main(program, examples, cache):
    readme = (pathlib.Path(examples).parent / "README.md").read_text()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for scene in sorted(pathlib.Path(examples).glob("*.toml")):
            asset = pathlib.Path(folder) / "out.pliant"
            subprocess.run([program, "bake", scene, "--cache", cache, "-o", asset, "--json"], check=True,
                           stdout=subprocess.DEVNULL)
            head = head_of(asset)
            farthest = 0
            for body in head["bodies"]:
                quality = body.get("quality")
                if not quality:
                    continue
                mean = quality["mean"]
                farthest = max(farthest, mean)
                fine = mean < MOST or agrees(percent(head["description"]), mean)
                wrong += not fine
                print(f"{scene.stem:12} {body['name']:12} {100 * mean:6.2f} % on average, "
                      f"{100 * quality['worst']:6.2f} % at worst{'' if fine else '   WRONG'}", flush=True)
            if not tells(readme, scene.name, farthest):
                wrong += 1
                print(f"{scene.stem:12} the README should say {100 * farthest:.2f} %   WRONG", flush=True)
            if scene.stem in TOUCHING and not touches(program, asset):
                wrong += 1
                print(f"{scene.stem:12} nothing touches within 0.3 s   WRONG", flush=True)
            asset.unlink()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
