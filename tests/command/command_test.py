# SPDX-License-Identifier: MIT
"""The command as a user calls it: python3 command_test.py PLIANT"""
import json
import pathlib
import re
import resource
import shutil
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import unittest
import urllib.request
import xml.etree.ElementTree
import zlib

PLIANT = sys.argv.pop(1)


def call(*arguments, memory=None):
    """memory: bytes of address space that it may take."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    return subprocess.run([PLIANT, *map(str, arguments)], capture_output=True, text=True, timeout=120,
                          preexec_fn=limit if memory else None)


class Command(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def good(self, *arguments):
        done = call(*arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_exit_status_tells_failure_from_a_wrong_call(self):
        self.assertEqual(call("mesh").returncode, 2)
        self.assertEqual(call("nonsense").returncode, 2)
        self.assertEqual(call("mesh", "model:cube", "--tets", "4", "--voxels", "4").returncode, 2)
        self.assertEqual(call("mesh", "model:cube", "--voxels", "-3").returncode, 2)
        self.assertEqual(call("--help").returncode, 0)
        missing = call("mesh", self.path / "absent.obj")
        self.assertEqual(missing.returncode, 1)
        self.assertIn("absent.obj", missing.stderr)

    def test_errors_name_the_file_and_the_line(self):
        bad = self.path / "bad.obj"
        bad.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n")
        done = call("mesh", bad)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"{bad}:4:", done.stderr)

    def refused(self, *arguments, status=1, memory=None):
        done = call(*arguments, memory=memory)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stderr

    def test_a_misspelt_command_or_option_names_the_nearest(self):
        self.assertIn("there is no command 'frobnicate'; the nearest known is '",
                      self.refused("frobnicate", status=2))
        self.assertEqual(self.refused("bakke", status=2),
                         "pliant: there is no command 'bakke'; the nearest known is 'bake'\n")
        self.assertIn("mesh: there is no option '--voxel'; the nearest known is '--voxels'",
                      self.refused("mesh", "model:cube", "--voxel", 3, status=2))

    def test_advice_names_only_options_that_exist(self):
        option = r"(?<![\w-])--[a-z][a-z-]*"
        known = set(re.findall(r"--[a-z][a-z-]*", self.good("manual").replace("\\-", "-")))
        root = pathlib.Path(__file__).parents[2]
        named = 0
        for path in root.glob("src/**/*.cpp"):
            for literal in re.findall(r'"(?:[^"\\\n]|\\.)*"', path.read_text()):
                for name in re.findall(option, literal):
                    self.assertIn(name, known, path)
                    named += 1
        self.assertGreater(named, 5)
        for line in re.findall(r"pliant [a-z]+[^`\n#|]*", (root / "README.md").read_text()):
            self.assertLessEqual(set(re.findall(option, line)), known, line)

    def test_a_number_out_of_range_says_what_it_may_be(self):
        said = self.refused("mesh", "model:cube", "--voxels", 0, status=2)
        self.assertIn("--voxels: found '0', expected a whole number from 1 to 2147483647", said)
        self.assertIn("expected a number above 0", self.refused("mesh", "model:cube", "--scale", 0,
                                                                status=2))

    def test_an_output_that_cannot_be_written_is_noticed_before_the_work(self):
        scene, cache = self.scene(), self.path / "cache"
        absent = self.path / "absent" / "beam.pliant"
        said = self.refused("bake", scene, "-o", absent, "--cache", cache)
        self.assertIn(f"{absent}: cannot create the file: No such file or directory", said)
        self.assertFalse(list(cache.glob("*.tensors")))
        self.assertIn("a folder cannot be written to",
                      self.refused("bake", scene, "-o", self.path, "--cache", cache))
        self.assertIn("this would replace what is read",
                      self.refused("bake", scene, "-o", scene, "--cache", cache))
        asset = scene.with_suffix(".pliant")
        self.assertIn("this would replace what is read",
                      self.refused("run", scene, "-o", asset, "--cache", cache))
        self.assertFalse(list(cache.glob("*.tensors")))
        self.assertIn("surfaces cannot be written to VTU files",
                      self.refused("mesh", "model:cube", "-o", self.path / "cube.vtu"))

    def test_devices_and_links_stay_what_they_are(self):
        scene = self.scene()
        self.good("bake", scene, "-o", "/dev/null", "--cache", self.path / "cache")
        self.assertTrue(stat.S_ISCHR(pathlib.Path("/dev/null").stat().st_mode))
        link, target = self.path / "link.obj", self.path / "target.obj"
        link.symlink_to(target.name)
        self.good("mesh", "model:cube", "-o", link)
        self.assertTrue(link.is_symlink())
        self.assertIn("v ", target.read_text())

    def test_paths_are_shown_as_they_are_and_quoted_where_a_shell_needs_it(self):
        scene = self.scene("Löffel für Anna.toml")
        text = self.good("bake", scene, "--cache", self.path / "cache")
        self.assertIn(f"next: pliant play '{scene}'\n", text)
        bad = self.path / "匙.obj"
        self.assertIn(str(bad), self.refused("info", bad))
        self.assertIn("found 'ложка'", self.refused("info", "model:cube", "--set", "ложка"))

    def test_work_that_does_not_fit_into_the_memory_is_refused_at_once(self):
        said = self.refused("mesh", "model:cube", "--voxels", 1024, "-o", self.path / "a.vtu",
                            memory=1_000_000_000)
        self.assertRegex(said, "a grid of 1024 x 1024 x 1024 voxels would take 1.1 GB of memory, and "
                               ".* are there: a lower resolution needs less")

    def test_a_file_of_compressed_nothing_does_not_fill_the_memory(self):
        block, blocks = 14 << 20, 100
        packed = zlib.compress(bytes(block), 9)
        data = struct.pack("<QQQ", blocks, block, 0) + struct.pack("<Q", len(packed)) * blocks
        bomb = self.path / "bomb.vtu"
        bomb.write_bytes(
            b'<VTKFile type="UnstructuredGrid" byte_order="LittleEndian" header_type="UInt64" '
            b'compressor="vtkZLibDataCompressor">\n<UnstructuredGrid><Piece NumberOfPoints="%d" '
            b'NumberOfCells="0"><Points><DataArray type="UInt8" Name="P" format="appended" '
            b'offset="0"/></Points></Piece></UnstructuredGrid><AppendedData encoding="raw">_'
            % (block * blocks // 3) + data + packed * blocks + b"</AppendedData></VTKFile>")
        self.assertLess(bomb.stat().st_size, 1_500_000)
        said = self.refused("info", bomb)
        self.assertRegex(said, "bomb.vtu:2: reading the file would take too much memory: expected at "
                               "most 2.. MB, for a file of 1.4 MB")

    def test_check_finds_every_flipped_bit_of_an_asset(self):
        _, asset = self.beam()
        self.assertIn("all agree", self.good("check", asset))
        report = json.loads(self.good("check", asset, "--json"))
        self.assertEqual(report["a world of it has"], "1 bodies")
        good = asset.read_bytes()
        for i in range(60):
            at = i * len(good) // 60
            damaged = bytearray(good)
            damaged[at] ^= 1 << i % 8
            asset.write_bytes(damaged)
            self.assertIn(f"{asset}: ", self.refused("check", asset), f"byte {at}")
            if i % 20 == 0:
                self.refused("run", asset, "--duration", "0.01")

    def test_an_unknown_model_names_the_nearest(self):
        done = call("info", "model:spon")
        self.assertEqual(done.returncode, 1)
        self.assertIn("spoon", done.stderr)

    def test_info_lists_formats_and_models(self):
        text = self.good("info")
        for word in (".stl", ".msh", "model:bridge", "model:heart"):
            self.assertIn(word, text)

    def test_a_surface_becomes_voxels_tetrahedra_and_graded_bricks(self):
        for option, kind in (("--voxels", "8-node"), ("--tets", "4-node"), ("--hexes", "8-node")):
            out = self.path / "out.vtu"
            report = json.loads(
                self.good("mesh", "model:sphere", option, 16, "-o", out, "--json"))
            self.assertIn(kind, report["element type"])
            self.assertEqual(report["inverted elements"], 0)
            again = json.loads(self.good("info", out, "--json"))
            self.assertEqual(again["elements"], report["elements"])
            self.assertAlmostEqual(again["volume [m^3]"], report["volume [m^3]"], places=12)

    def test_scaling_and_taking_the_surface(self):
        volume = self.path / "cube.msh"
        self.good("mesh", "model:cube", "--tets", 8, "-o", volume)
        surface = json.loads(
            self.good("mesh", volume, "--surface", "--scale", 10, "-o", self.path / "c.stl", "--json"))
        self.assertEqual(surface["kind"], "surface")
        self.assertTrue(surface["watertight"])
        whole = json.loads(self.good("info", volume, "--json"))
        self.assertAlmostEqual(surface["volume [m^3]"], 1000 * whole["volume [m^3]"], places=6)

    def test_an_odd_size_is_asked_about(self):
        part, scene = self.path / "part.obj", self.path / "part.toml"
        part.write_text("v 0 0 0\nv 440 0 0\nv 0 440 0\nv 0 0 440\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n")
        doubt = "440 m long: is the file in mm (440 mm)?"
        self.assertIn(doubt, self.good("info", part))
        text = '[body.part]\nmesh = {{ file = "part.obj", units = "{}" }}\nengine.kind = "rigid"\n'
        for unit, odd in (("m", True), ("mm", False), ("inch", False)):
            scene.write_text(text.format(unit))
            report = self.good("bake", scene, "--cache", self.path / "cache", "-o", self.path / "out.pliant")
            self.assertEqual(doubt in report, odd, report)

    def test_a_body_that_cannot_hold_its_rate_is_told_one_that_it_can(self):
        scene = self.path / "cube.toml"
        text = ('[body.cube]\nmesh = {{ model = "cube", parameters = {{ size = 0.1 }} }}\n'
                'meshing = {{ kind = "voxels", resolution = 8, enlargement = 1 }}\n'
                'fixed = [{{ kind = "plane", point = [0, -0.049, 0], normal = [0, 1, 0] }}]\n{}'
                'engine = {{ kind = "full" }}\n')

        def told(rate):
            scene.write_text(text.format(rate))
            report = json.loads(self.good("bake", scene, "--cache", self.path / "cache", "--json",
                                          "-o", self.path / "cube.pliant"))
            return report.get("doubt", {}).get("cube", [])

        sentence, = told("")
        self.assertRegex(sentence, r"^a step takes about 0\.0\d+ s: too long for 1000 Hz; rate = ")
        held = re.search(r"rate = (\S+) is held", sentence).group(1)
        self.assertLess(float(held), 100)
        self.assertEqual(told(f"rate = {held}\n"), [])

    def test_a_tensor_file_is_listed(self):
        header = json.dumps({"x": {"dtype": "F64", "shape": [2, 3], "data_offsets": [0, 48]}})
        header += " " * (-(8 + len(header)) % 8)
        asset = self.path / "a.pliant"
        asset.write_bytes(struct.pack("<Q", len(header)) + header.encode() + bytes(48))
        self.assertIn("F64 [2 x 3]", self.good("info", asset))
        asset.write_bytes(asset.read_bytes()[:-1])
        self.assertEqual(call("info", asset).returncode, 1)

    def test_a_scene_is_described_in_words(self):
        examples = pathlib.Path(__file__).parents[2] / "examples"
        text = self.good("info", examples / "bridge.toml")
        self.assertIn("reduced, 15 dimensions from 20 modes and their derivatives", text)
        scene = json.loads(self.good("info", examples / "plate.toml", "--json"))
        self.assertEqual(scene["bodies"]["plate"]["regions"], {"steel": "rubber", "rubber": "gel"})

    def test_errors_of_a_scene_name_the_place_and_the_nearest_key(self):
        scene = self.path / "bad.toml"
        scene.write_text('[body.a]\nmesh = { model = "cube" }\nengin = { k = 3 }\n')
        done = call("info", scene)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"{scene}:3:1: body.a: unknown key 'engin'; the nearest known is 'engine'",
                      done.stderr)

    def test_the_schema_is_printed_as_text_json_and_markdown(self):
        self.assertIn("[body.NAME.engine]", self.good("info", "--schema"))
        sections = json.loads(self.good("info", "--schema", "--json"))
        keys = {(s["path"], k["key"]): k for s in sections for k in s["keys"]}
        self.assertEqual(keys["body.NAME.engine", "r"]["least"], 1)
        self.assertTrue(keys["body.NAME.pose", "position"]["length"])
        page = pathlib.Path(__file__).parents[2] / "docs" / "scene.md"
        self.assertEqual(self.good("info", "--schema", "--markdown"), page.read_text())
        self.assertEqual(call("info", "--markdown").returncode, 2)

    def test_the_version_says_how_it_was_built(self):
        text = self.good("--version")
        self.assertRegex(text, r"^pliant \d+\.\d+\.\d+\n")
        for word in ("compiler", "processor", "sparse Cholesky"):
            self.assertIn(word, text)

    def complete(self, *words):
        """What bash offers for the last word, typed after `pliant`."""
        script = self.path / "completion.bash"
        script.write_text(self.good("completion", "bash"))
        line = " ".join(f"'{word}'" for word in words)
        done = subprocess.run(
            ["bash", "-c", f"set -eu; source {script}; COMP_WORDS=(pliant {line}); "
             f"COMP_CWORD={len(words)}; _pliant || true; printf '%s\\n' \"${{COMPREPLY[@]:-}}\""],
            capture_output=True, text=True, timeout=60, cwd=self.path)
        self.assertEqual(done.stderr, "")
        return set(done.stdout.split())

    def test_bash_completes_commands_options_words_and_files(self):
        self.assertLessEqual({"mesh", "info", "--version"}, self.complete(""))
        self.assertEqual(self.complete("com"), {"compare", "completion"})
        self.assertLessEqual({"--voxels", "-o", "--out"}, self.complete("mesh", "-"))
        self.assertEqual(self.complete("mesh", "--vox"), {"--voxels"})
        self.assertEqual(self.complete("completion", "z"), {"zsh"})
        self.assertEqual(self.complete("mesh", "--split", ""), {"5", "6"})
        (self.path / "part.stl").write_text("")
        self.assertEqual(self.complete("mesh", "par"), {"part.stl"})
        self.assertEqual(self.complete("mesh", "-o", "par"), {"part.stl"})
        self.assertLessEqual({"model:spoon", "model:bridge"}, self.complete("mesh", "mod"))
        self.assertEqual(self.complete("info", "model:spo"), {"model:spoon"})
        # As bash cuts the words: it replaces what is behind the colon.
        self.assertEqual(self.complete("info", "model", ":", "spo"), {"spoon"})
        self.assertLessEqual({"spoon", "bridge"}, self.complete("mesh", "model", ":"))

    def test_zsh_and_fish_read_their_completions(self):
        for shell, option in (("zsh", "--voxels[Voxelise"), ("fish", "-l voxels")):
            text = self.good("completion", shell)
            self.assertIn(option, text)
            self.assertIn("bash zsh fish", text)
            self.assertIn("spoon", text)
            if shutil.which(shell):
                script = self.path / shell
                script.write_text(text)
                subprocess.run([shell, "-n", script], check=True, timeout=60)
        self.assertEqual(call("completion", "tcsh").returncode, 2)

    def test_the_manual_page_has_every_command_and_option(self):
        page = self.good("manual")
        self.assertTrue(page.startswith(".TH PLIANT 1"))
        for word in (".SS mesh", ".SS info", r"\-\-voxels", r"\-\-schema", ".SH EXIT STATUS"):
            self.assertIn(word, page)
        self.assertEqual(page.count(r"\-\-help"), 1)
        if shutil.which("groff"):
            done = subprocess.run(["groff", "-man", "-Tascii", "-P-cbou", "-ww"], input=page, text=True,
                                  capture_output=True, timeout=60)
            self.assertEqual(done.stderr, "")
            self.assertIn("EXIT STATUS", done.stdout)

    def test_verify_and_bench_print_one_object_a_row(self):
        rows = [json.loads(line)
                for line in self.good("verify", "analytic.patch", "--json").splitlines()]
        self.assertEqual({row["name"] for row in rows},
                         {f"analytic.patch.{t}" for t in ("tet4", "tet10", "hex8")})
        self.assertTrue(all(row["pass"] for row in rows))
        self.assertIn("fem.tets67500.force", self.good("bench", "--list"))
        self.assertEqual(call("bench", "no.such.row").returncode, 1)

    def scene(self, name="beam.toml"):
        scene = self.path / name
        scene.write_text(
            '[material.rubber]\nyoung = 1e6\npoisson = 0.4\ndensity = 1000\n'
            '[body.beam]\nmaterial = "rubber"\nmesh = { model = "cantilever" }\n'
            'meshing = { kind = "voxels", resolution = 8 }\n'
            'fixed = [{ kind = "plane", point = [0.001, 0, 0], normal = [1, 0, 0] }]\n'
            'engine = { kind = "reduced", k = 4, r = 5 }\n')
        return scene

    def beam(self):
        """A small scene, and its asset."""
        scene = self.scene()
        asset = self.path / "beam.pliant"
        self.good("bake", scene, "-o", asset, "--cache", self.path / "cache")
        return scene, asset

    def test_real_time_gives_the_same_motion_and_its_figures(self):
        _, asset = self.beam()
        script = self.path / "loads.csv"
        script.write_text("time,kind,slot,body,point,x,y,z\n0.02,force,0,beam,0,0,-1,0\n")
        arguments = ("run", asset, "--duration", "0.1", "--script", script, "--json")
        fast = json.loads(self.good(*arguments))
        paced = json.loads(self.good(*arguments, "--real-time"))
        self.assertEqual(fast["hash of the motion"], paced["hash of the motion"])
        self.assertGreaterEqual(paced["took [s]"], 0.099)
        figures = paced["real time"]
        self.assertEqual(figures["cycles"], 100)
        for part in ("work of a cycle", "wake-up"):
            self.assertEqual(sum(figures[part]["histogram"].values()), 100)
            self.assertLessEqual(figures[part]["p50 [us]"], figures[part]["max [us]"])
        self.assertIn("histogram", self.good(*arguments[:-1], "--real-time"))
        self.assertEqual(call(*arguments, "--real-time", "--frames", self.path / "f").returncode, 2)

    def test_a_body_beside_the_loop_tells_the_times_of_its_own_steps(self):
        twins = self.path / "twins.toml"
        shutil.copy(pathlib.Path(__file__).parents[2] / "examples" / "twins.toml", twins)
        report = json.loads(self.good("run", twins, "--cache", self.path / "cache", "--real-time",
                                      "--duration", "0.5", "--json"))
        self.assertNotIn("steps of reduced by its worker", report)
        steps = report["steps of full by its worker"]
        self.assertEqual(steps["allowed [us]"], 20000)
        count = sum(steps["histogram"].values())
        self.assertTrue(1 <= count <= 25, f"{count} steps, 50 a second")
        self.assertTrue(10 < steps["p50 [us]"] <= steps["max [us]"], "216 nodes, implicit")

    def test_an_asset_is_described_in_words(self):
        scene, asset = self.beam()
        text = self.good("info", asset)
        for words in ("reduced, 5 dimensions", "beam: modes", "error of displacement under 20"):
            self.assertIn(words, text)
        self.assertNotIn('"frequencies"', text)
        self.assertIn("scene", json.loads(self.good("info", asset, "--json"))["metadata"])
        # What a run bakes is not measured.
        self.good("run", scene, "--duration", "0.01", "--cache", self.path / "other")
        self.assertIn("not measured", self.good("info", asset))

    def test_a_recording_is_done_again(self):
        _, asset = self.beam()
        script, motion = self.path / "loads.csv", self.path / "motion.safetensors"
        script.write_text("time,kind,slot,body,point,x,y,z,value\n0.02,pull,0,beam,0,0,-1,0,5\n")
        by_hand, again = (
            json.loads(self.good("run", asset, "--duration", "0.1", "--script", loads, "-o", motion,
                                 "--json")) for loads in (script, motion))
        self.assertEqual(by_hand["hash of the motion"], again["hash of the motion"])
        refused = call("run", asset, "--script", asset)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("not a recording", refused.stderr)

    def test_frames_are_a_collection_for_paraview(self):
        _, asset = self.beam()
        folder = self.path / "frames"
        report = json.loads(self.good("run", asset, "--duration", "0.1", "--frames", folder,
                                      "--frame-rate", "50", "--json"))
        self.assertEqual(report["frames"], 6)
        tree = xml.etree.ElementTree.parse(report["open in ParaView"])
        sets = tree.getroot().findall("./Collection/DataSet")
        self.assertEqual([float(s.get("timestep")) for s in sets],
                         [0, 0.02, 0.04, 0.06, 0.08, 0.1])
        for s in sets:
            mesh = json.loads(self.good("info", folder / s.get("file"), "--json"))
            self.assertEqual(mesh["inverted elements"], 0)

    def test_a_scene_is_exported_for_paraview_and_for_viewers_of_gltf(self):
        _, asset = self.beam()
        vtu, glb, motion = self.path / "b.vtu", self.path / "b.glb", self.path / "b.safetensors"
        self.good("run", asset, "--duration", "0.1", "-o", motion)
        report = json.loads(self.good("export", asset, "--vtu", vtu, "--glb", glb, "--recording",
                                      motion, "--frame-rate", "50", "--json"))
        self.assertEqual(report["glb"]["morph targets"], {"beam": 5})
        self.assertEqual(report["glb"]["frames"], 5)
        surface = json.loads(self.good("info", glb, "--json"))
        self.assertTrue(surface["watertight"])
        mesh = json.loads(self.good("info", vtu, "--json"))
        self.assertEqual(mesh["kind"], "volume")
        self.assertEqual(call("export", asset).returncode, 2)
        table = self.path / "b.csv"
        self.good("run", asset, "--duration", "0.01", "-o", table)
        refused = call("export", asset, "--glb", glb, "--recording", table)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("pliant run", refused.stderr)

    def test_play_serves_until_it_is_interrupted(self):
        scene = self.path / "bar.toml"
        scene.write_text(
            'title = "Bar"\n[body.bar]\nmesh = { model = "cube" }\n'
            'meshing = { kind = "voxels", resolution = 4 }\n'
            'fixed = [{ kind = "plane", point = [0, 0.1, 0], normal = [0, 1, 0] }]\n'
            'engine = { kind = "reduced", k = 4, r = 4 }\n')
        play = subprocess.Popen(
            [PLIANT, "play", scene, "--port", "0", "--no-browser", "--cache", self.path / "cache"],
            stdout=subprocess.PIPE, text=True)
        try:
            url = play.stdout.readline().strip()
            self.assertRegex(url, r"^http://127\.0\.0\.1:\d+/$")
            with urllib.request.urlopen(url + "api/scenes", timeout=60) as answer:
                self.assertEqual(json.load(answer)["scenes"][0]["title"], "Bar")
            play.send_signal(signal.SIGINT)
            self.assertEqual(play.wait(timeout=60), 0)
        finally:
            play.kill()
            play.wait()
            play.stdout.close()
        self.assertEqual(call("play", self.path / "absent.toml").returncode, 1)

    def test_engines_are_compared_in_a_table_as_json_and_on_a_page(self):
        scene, _ = self.beam()
        page = self.path / "report.html"
        arguments = ("compare", scene, "--engines", "reduced,implicit", "--duration", "0.05",
                     "--rate", "200", "--reference-rate", "400", "--cache", self.path / "cache")
        table = self.good(*arguments, "--html", page)
        for word in ("reference", "reduced", "implicit", "mean error"):
            self.assertIn(word, table)
        self.assertIn(f"pliant compare {scene} --engines reduced,implicit --duration 0.05",
                      page.read_text())
        report = json.loads(self.good(*arguments, "--json"))
        self.assertEqual(set(report["engines"]), {"reduced", "implicit"})
        body = report["engines"]["reduced"]["bodies"]["beam"]
        self.assertEqual(len(body["error"]), len(report["times [s]"]))
        self.assertLess(body["mean error"], 1)
        self.assertEqual(call("compare", scene, "--engines", "fast").returncode, 2)

    def test_doctor_measures_the_timer_and_says_what_to_do(self):
        report = json.loads(self.good("doctor", "--seconds", "0.2", "--json"))
        self.assertGreaterEqual(report["processor"]["cores"], 1)
        timer = report["timer at 1 kHz"]
        self.assertGreater(timer["cycles"], 0)
        self.assertGreaterEqual(timer["cycles"] + timer["missed deadlines"], 200)
        self.assertLessEqual(timer["wake-up p50 [us]"], timer["wake-up p99 [us]"])
        self.assertLessEqual(timer["wake-up p99 [us]"], timer["wake-up p99.9 [us]"])
        self.assertLessEqual(timer["wake-up p99.9 [us]"], timer["wake-up max [us]"])
        self.assertIn("1 kHz", report["verdict"])
        self.assertTrue(report["next"])
        self.assertIn("verdict", self.good("doctor", "--seconds", "0.1"))
        self.assertEqual(call("doctor", "--seconds", "-1").returncode, 2)

    def test_doctor_of_a_scene_says_what_is_slow_what_swings_and_what_can_be_passed(self):
        scene, picture = self.path / "touch.toml", self.path / "map.svg"
        cache = self.path / "cache"
        text = ("gravity = [0, 0, 0]\n[contact]\nstiffness = 20000\n"
                "[body.plate]\nshape = [{ kind = \"box\", sides = [0.3, 0.02, 0.3] }]\n"
                "contact = { role = \"field\" }\n"
                "[body.tool]\nshape = [{ kind = \"sphere\", radius = 0.04 }]\n"
                "pose = { position = [0, 0.06, 0] }\ncontact = { role = \"shell\", points = 1000 }\n"
                "engine = { kind = \"rigid\", motion = \"kinematic\" }\n"
                "[handle]\nbody = \"tool\"\nstiffness = STIFF\nspeed = 30\n"
                "[device]\nkind = \"viewer\"\n")

        def doctor(stiffness):
            scene.write_text(text.replace("STIFF", stiffness))
            return json.loads(self.good("doctor", scene, "--cache", cache, "--map", picture,
                                        "--seconds", "0.1", "--json"))

        report = doctor("300")
        cycle = report["a cycle of the scene"]
        stages = [k for k in cycle if isinstance(cycle[k], dict)]
        self.assertIn("contact [us]", stages)
        self.assertGreater(cycle["contacts at most"], 0)
        self.assertLess(sum(float(cycle[s]["mean"]) for s in stages), 3 * cycle["cycle p99.9 [us]"])
        hand = report["stiffness that a hand bears"]
        self.assertTrue(hand["the simulated hand is calm with it"])
        self.assertGreater(hand["stiffest at any [N/m]"], 0)
        self.assertIn("<svg", picture.read_text())
        through = report["passing through"]
        # Of both it is the thinner one that counts: 20 mm, less what is pressed in, and at 30 m/s
        # the tool goes 30 mm in a cycle.
        self.assertAlmostEqual(through["its thickness [m]"], 0.02, delta=0.004)
        self.assertTrue(through["passes at some speed of the hand"])
        self.assertTrue(any("handle.speed" in line for line in report["next"]))
        # Far too stiff for any hand: it says so, and what to turn.
        report = doctor("3e6")
        self.assertFalse(report["stiffness that a hand bears"]["the simulated hand is calm with it"])
        self.assertTrue(any("handle.stiffness" in line for line in report["next"]))
        # A hand that is not tried has no map either, and needs no other handle.
        for coupling in ("dynamic", "none"):
            scene.write_text(text.replace("stiffness = STIFF", f'coupling = "{coupling}"'))
            said = json.loads(self.good("doctor", scene, "--cache", cache, "--seconds", "0.1",
                                        "--json"))["stiffness that a hand bears"]
            self.assertIn("coupling", said)
            self.assertNotIn("give the scene", said)
        carried = text.replace('motion = "kinematic"', 'motion = "free", mass = 0.1')
        scene.write_text(carried.replace("STIFF", "300").replace("speed = 30\n", ""))
        said = json.loads(self.good("doctor", scene, "--cache", cache, "--seconds", "0.1",
                                    "--json"))["stiffness that a hand bears"]
        self.assertIn("carries a body", said)
        # A scene without a hand has no map.
        scene.write_text("[body.floor]\nshape = [{ kind = \"plane\" }]\n")
        self.assertIn("no map", call("doctor", scene, "--cache", cache, "--map", picture,
                                     "--seconds", "0.1").stderr)


if __name__ == "__main__":
    unittest.main()
