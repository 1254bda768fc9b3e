# SPDX-License-Identifier: MIT
"""What may go wrong around a bake: python3 robustness_test.py PLIANT

Killed processes, a full disk, two at once, damaged caches; and what must never differ: the bits of
a run. The scene is small, so that its bake takes about a tenth of a second.
"""
import concurrent.futures
import json
import os
import pathlib
import random
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

PLIANT = sys.argv.pop(1)
# In memory where there is such a folder: bakes wait for the disk, and that is not what is tested.
FOLDER = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None

SCENE = """
duration = 0.1
[material.rubber]
young = {young}
poisson = {poisson}
density = 1000
[body.beam]
mesh = {{ model = "cantilever", parameters = {{ length = 0.4, height = 0.1, width = 0.12 }} }}
meshing = {{ kind = "voxels", resolution = 8 }}
material = "rubber"
fixed = [{{ kind = "plane", point = [0.001, 0, 0], normal = [1, 0, 0] }}]
engine = {{ kind = "reduced", k = 4, r = {r}, damping = {{ alpha = 1, beta = 1e-3 }} }}
"""


def read_tensors(path):
    """An independent reader of assets: name -> (type, shape, bytes), and the metadata."""
    data = pathlib.Path(path).read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + length])
    metadata = header.pop("__metadata__", {})
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        tensors[name] = entry["dtype"], entry["shape"], data[8 + length + begin:8 + length + end]
    return tensors, metadata


def values(tensor):
    kind, _, data = tensor
    letter, size = {"F64": ("d", 8), "F32": ("f", 4), "I32": ("i", 4), "I64": ("q", 8),
                    "U8": ("B", 1)}[kind]
    return struct.unpack(f"<{len(data) // size}{letter}", data)


class Robustness(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(dir=FOLDER)
        self.folder = pathlib.Path(self.temporary.name)
        self.scene = self.write_scene()

    def tearDown(self):
        self.temporary.cleanup()

    def write_scene(self, name="beam.toml", young=1e6, poisson=0.4, r=5):
        path = self.folder / name
        path.write_text(SCENE.format(young=young, poisson=poisson, r=r))
        return path

    def command(self, *arguments, **how):
        return subprocess.run([PLIANT, *map(str, arguments)], capture_output=True, text=True,
                              timeout=60, **how)

    def bake(self, cache, out, scene=None, **how):
        return self.command("bake", scene or self.scene, "--cache", cache, "-o", out, "--json",
                            **how)

    def good_bake(self, cache, out, scene=None):
        done = self.bake(cache, out, scene)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["steps"]

    def test_a_bake_killed_at_any_moment_goes_on_from_its_finished_steps(self):
        began = time.monotonic()
        steps = self.good_bake(self.folder / "whole", self.folder / "whole.pliant")
        duration = time.monotonic() - began
        expected, _ = read_tensors(self.folder / "whole.pliant")
        choose = random.Random(1)
        moments = [choose.uniform(0, 1.1 * duration) for _ in range(50)]

        def kill_and_bake_again(i):
            cache, out = self.folder / f"cache{i}", self.folder / f"{i}.pliant"
            process = subprocess.Popen(
                [PLIANT, "bake", self.scene, "--cache", cache, "-o", out],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(moments[i])
            process.kill()
            process.wait()
            if out.exists():  # then it is whole
                self.assertEqual(read_tensors(out)[0], expected)
            finished = {path.stem for path in cache.glob("*.tensors")}
            again = self.good_bake(cache, out)
            self.assertEqual(read_tensors(out)[0], expected)
            found = {step["key"] for step in again.values() if step["in the cache"]}
            self.assertEqual(found, finished, f"killed after {moments[i]} s")
            return len(finished)

        with concurrent.futures.ThreadPoolExecutor(2) as workers:
            finished = list(workers.map(kill_and_bake_again, range(len(moments))))
        self.assertGreater(len(set(finished)), 2, "all killed at the same moment")
        self.assertTrue(any(0 < n < len(steps) for n in finished))

    def check_error_and_no_broken_file(self, done, cache, out):
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("cannot write", done.stderr)
        self.assertFalse(out.exists())
        self.assertEqual([p for p in cache.iterdir() if ".tensors." in p.name], [])
        # What was written before is sound, and with room the bake goes on.
        for path in cache.glob("*.tensors"):
            read_tensors(path)

    def test_files_that_may_not_grow_are_a_clear_error(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))

        cache, out = self.folder / "cache", self.folder / "out.pliant"
        self.check_error_and_no_broken_file(self.bake(cache, out, preexec_fn=limit), cache, out)
        self.good_bake(cache, out)

    def test_a_full_disk_is_a_clear_error(self):
        disk = self.folder / "disk"
        disk.mkdir()
        script = ('mount -t tmpfs -o size=64k none "$1" || exit 77; shift; "$@"; status=$?; '
                  'ls "$5" >&2; exit $status')
        # In a mount namespace of its own, which goes away with the process.
        own = ["unshare", "--mount"] + ([] if os.geteuid() == 0 else ["--map-root-user"])
        try:
            done = subprocess.run(
                [*own, "sh", "-c", script, "sh", disk, PLIANT, "bake", self.scene, "--cache",
                 disk / "cache", "-o", disk / "out.pliant"],
                capture_output=True, text=True, timeout=60)
        except FileNotFoundError:
            self.skipTest("there is no unshare")
        if done.returncode == 77 or "unshare" in done.stderr:
            self.skipTest("no small file system can be mounted here")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("No space left on device", done.stderr)
        self.assertNotIn(".tensors.", done.stderr, "a part of a file is left")

    def test_two_bakes_at_once_make_each_step_once(self):
        cache, out = self.folder / "cache", self.folder / "out.pliant"
        with concurrent.futures.ThreadPoolExecutor(2) as workers:
            both = list(workers.map(lambda _: self.good_bake(cache, out), range(2)))
        for name in both[0]:
            made = [not steps[name]["in the cache"] for steps in both]
            self.assertEqual(sum(made), 1, name)
        tensors, _ = read_tensors(out)
        self.assertIn("beam/shape/U", tensors)

    def test_a_damaged_entry_of_the_cache_is_made_anew(self):
        cache, out = self.folder / "cache", self.folder / "out.pliant"
        steps = self.good_bake(cache, out)
        expected, _ = read_tensors(out)

        def flip(data):
            middle = 8 + struct.unpack("<Q", data[:8])[0] + 100
            return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1:]

        damages = (flip, lambda data: data[:len(data) // 2], lambda data: b"",
                   lambda data: b"\xff" * 64)
        for (name, step), damage in zip(sorted(steps.items()), damages * 2):
            path = cache / (step["key"] + ".tensors")
            path.write_bytes(damage(path.read_bytes()))
            again = self.good_bake(cache, out)
            self.assertEqual({n for n in again if not again[n]["in the cache"]}, {name})
            self.assertEqual(read_tensors(out)[0], expected)

    def test_an_independent_reader_opens_the_asset(self):
        out = self.folder / "out.pliant"
        self.good_bake(self.folder / "cache", out)
        tensors, metadata = read_tensors(out)
        done = self.command("info", out, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        info = json.loads(done.stdout)
        self.assertEqual(set(info["tensors"]), set(tensors))
        for name, (kind, shape, data) in tensors.items():
            self.assertEqual(info["tensors"][name],
                             f"{kind} [{' x '.join(map(str, shape))}], {len(data)} bytes")
        self.assertEqual(info["metadata"]["version"], metadata["version"])
        # The numbers make sense: corners are points, and the beam is 40 cm long.
        points = tensors["beam/shape/X"][1][0]
        self.assertEqual(max(values(tensors["beam/surface/triangles"])), points - 1)
        along = values(tensors["beam/shape/X"])[::3]
        self.assertAlmostEqual(max(along) - min(along), 0.4, places=6)
        body = json.loads(metadata["head"])["bodies"][0]
        self.assertEqual(body["name"], "beam")
        self.assertEqual(len(body["frequencies"]), 4)

    def test_a_run_gives_the_same_bits_every_time_with_one_thread_and_with_two(self):
        # Runs are compared with each other, not with a stored hash: another compiler may round
        # otherwise.
        cache = self.folder / "cache"
        script = self.folder / "script.csv"
        script.write_text("time,kind,slot,body,point,x,y,z,value\n"
                          "0.0,force,0,beam,near:0.4:0:0,0,-3,1,\n0.05,release,0,,,,,,\n")

        def run(i, cores):
            out = self.folder / f"run{i}.pliant"
            done = self.command("run", self.scene, "--cache", cache, "--out", out, "--script",
                                script, "--duration", 0.1, "--json",
                                preexec_fn=lambda: os.sched_setaffinity(0, cores))
            self.assertEqual(done.returncode, 0, done.stderr)
            return json.loads(done.stdout)["hash of the motion"], out.read_bytes()

        cores = sorted(os.sched_getaffinity(0))
        first = run(0, cores)
        self.assertEqual(run(1, cores), first)
        if len(cores) < 2:
            self.skipTest("there is one core only: one thread was compared with itself")
        self.assertEqual(run(2, cores[:1]), first)
        # So do bakes: from nothing, with one thread.
        os.rename(cache, self.folder / "cache of two")
        self.assertEqual(run(3, cores[:1]), first)

    def test_explain_tells_what_a_change_of_material_costs(self):
        cache, out = self.folder / "cache", self.folder / "out.pliant"
        self.good_bake(cache, out)

        def to_be_made(scene):
            done = self.command("bake", scene, "--cache", cache, "--explain", "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            steps = json.loads(done.stdout)["steps"]
            for step in steps.values():
                self.assertEqual("seconds" in step, step["in the cache"])
            return {name.split(": ")[1] for name in steps if not steps[name]["in the cache"]}

        self.assertEqual(to_be_made(self.scene), set())
        stiffer = self.write_scene("stiffer.toml", young=3e6)
        self.assertEqual(to_be_made(stiffer), set())
        softer = self.write_scene("softer.toml", poisson=0.3)
        changed = {"modes", "derivatives", "basis", "coefficients", "shape", "quality"}
        self.assertEqual(to_be_made(softer), changed)
        text = self.command("bake", softer, "--cache", cache, "--explain").stdout
        self.assertEqual(text.count("to be made"), len(changed))
        self.assertEqual(text.count("in the cache"), 1)  # the mesh
        made = self.good_bake(cache, out, softer)
        self.assertEqual({n.split(": ")[1] for n in made if not made[n]["in the cache"]}, changed)
        self.assertEqual(to_be_made(softer), set())


if __name__ == "__main__":
    unittest.main()
