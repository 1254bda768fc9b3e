# SPDX-License-Identifier: MIT
"""What may go wrong around `pliant play`: python3 play_test.py PLIANT

Many scenes opened one after the other, a server that was killed, too few descriptors, a full disk,
a viewer that is killed while it holds a body.
PLIANT_FIGURES=1 prints the memory of the server over the scenes.
"""
import base64
import json
import os
import pathlib
import re
import resource
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest

PLIANT = sys.argv.pop(1)
SCENES = 50

# A body of some megabytes: what is kept of it shows.
SCENE = """
title = "{title}"
[material.rubber]
young = 1e6
poisson = 0.4
density = 1000
[body.beam]
mesh = {{ model = "cantilever", parameters = {{ length = 0.4, height = 0.1, width = 0.12 }} }}
meshing = {{ kind = "voxels", resolution = {resolution} }}
material = "rubber"
fixed = [{{ kind = "plane", point = [0.001, 0, 0], normal = [1, 0, 0] }}]
engine = {{ kind = "reduced", k = 4, r = 6 }}
"""
HELD = """
gravity = [0, 0, 0]
contact.stiffness = 5000
handle = { body = "tool", stiffness = 800, most_force = 20, device_force = 30 }
device.kind = "viewer"
[body.floor]
shape = [{ kind = "plane" }]
[body.tool]
mesh = { model = "sphere", parameters = { radius = 0.05 } }
pose.position = [0, 0.06, 0]
engine = { kind = "rigid", motion = "kinematic" }
contact = { resolution = 48, points = 2000 }
"""
BOX = ("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n"
       "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n")


class Viewer:
    """A WebSocket, as much of it as the tests need."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        self.stream = self.socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
                             f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
                             "Sec-WebSocket-Version: 13\r\n"
                             "Sec-WebSocket-Protocol: pliant.1\r\n\r\n").encode())
        while self.stream.readline().strip():
            pass
        self.send({"type": "hello", "protocol": 1, "rate": 1})

    def send(self, message):
        text = json.dumps(message).encode()
        length = (bytes([0x80 | len(text)]) if len(text) < 126
                  else bytes([0xfe]) + struct.pack(">H", len(text)))
        self.socket.sendall(b"\x81" + length + bytes(4) + text)  # masked with zeros

    def text(self, *kinds):
        """The next message of one of these types."""
        while True:
            first, length = self.stream.read(2)
            if length == 126:
                length, = struct.unpack(">H", self.stream.read(2))
            elif length == 127:
                length, = struct.unpack(">Q", self.stream.read(8))
            body = self.stream.read(length)
            if first & 15 == 8:
                raise AssertionError(f"closed: {body[2:]}")
            if first & 15 == 9:
                self.socket.sendall(b"\x8a" + bytes([0x80 | len(body)]) + bytes(4) + body)
            if first & 15 != 1:
                continue
            message = json.loads(body)
            if message["type"] in kinds:
                return message

    def close(self):
        self.stream.close()
        self.socket.close()


class Play(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        (self.folder / "tmp").mkdir()
        for name, resolution in (("small", 8), ("large", 40)):
            (self.folder / f"{name}.toml").write_text(
                SCENE.format(title=name, resolution=resolution))
        self.servers = []

    def tearDown(self):
        for server in self.servers:
            if server.poll() is None:
                server.kill()
            server.wait()
            server.stdout.close()
        self.temporary.cleanup()

    def play(self, before=(), tmp=None, arguments=(), **how):
        """A server and its port."""
        environment = dict(os.environ, TMPDIR=str(tmp or self.folder / "tmp"))
        server = subprocess.Popen(
            [*before, PLIANT, "play", str(self.folder / "small.toml"), "--port", "0",
             "--no-browser", "--cache", str(self.folder / "cache"), *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment, **how)
        self.servers.append(server)
        line = server.stdout.readline()
        found = re.match(r"http://127\.0\.0\.1:(\d+)/", line)
        if not found:
            self.skipTest(line + server.stdout.read()) if before else self.fail(line)
        return server, int(found.group(1))

    def end(self, server):
        server.send_signal(signal.SIGINT)
        self.assertEqual(server.wait(60), 0)

    def request(self, port, head, body=b""):
        """Status and body of the answer."""
        with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
            client.sendall((f"{head} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                            f"Content-Length: {len(body)}\r\n\r\n").encode() + body)
            answer = b""
            while part := client.recv(1 << 16):
                answer += part
        head, _, body = answer.partition(b"\r\n\r\n")
        return int(head.split()[1]), body

    def left(self, tmp=None):
        return [path for path in (tmp or self.folder / "tmp").rglob("*") if path.is_file()]

    def memory(self, server):
        """MB: resident, locked; mapped files that have no name any more."""
        status = pathlib.Path(f"/proc/{server.pid}/status").read_text()
        kb = {key: int(re.search(key + r":\s+(\d+)", status).group(1)) for key in
              ("VmRSS", "VmLck")}
        nameless = set()
        for line in pathlib.Path(f"/proc/{server.pid}/maps").read_text().splitlines():
            if line.endswith(".pliant (deleted)"):
                nameless.add(line.split()[4])
        return kb["VmRSS"] / 1024, kb["VmLck"] / 1024, len(nameless)

    def test_memory_and_files_stay_the_same_over_many_scenes(self):
        server, port = self.play()
        viewer = Viewer(port)
        rows = []
        for i in range(SCENES):
            wanted = ("large", "small")[i % 2]
            while True:
                viewer.send({"type": "open", "scene": wanted})
                message = viewer.text("scene", "error")
                if message["type"] == "scene" and message["id"] == wanted:
                    break
                time.sleep(0.3)  # two are allowed in a second
            time.sleep(0.6)
            rows.append((*self.memory(server), len(self.left())))
        viewer.close()
        if os.environ.get("PLIANT_FIGURES"):
            for i, row in enumerate(rows):
                print("scene %2d: %6.1f MB resident, %5.1f MB locked, %d mapped, %d files" %
                      (i + 1, *row))
        early = max(row[0] for row in rows[4:14])
        late = max(row[0] for row in rows[-10:])
        self.assertLess(late, early + 10, "MB resident: it grows")
        for _, locked, mapped, files in rows:
            self.assertLess(locked, 100, "MB: more than a small beam needs")
            self.assertLessEqual(mapped, 3)
            self.assertEqual(files, 0)
        self.end(server)
        self.assertEqual(list((self.folder / "tmp").iterdir()), [])

    def test_a_scene_that_cannot_be_baked_says_so_in_the_terminal_and_in_the_page(self):
        scene = self.folder / "small.toml"
        for line, message in (("poisson = 0.4", "poisson = 0.9"), ("resolution = 8", "resolution = 0")):
            whole = SCENE.format(title="small", resolution=8)
            scene.write_text(whole.replace(line, message))
            baked = subprocess.run([PLIANT, "bake", str(scene), "--cache", str(self.folder / "cache")],
                                   capture_output=True, text=True, timeout=60)
            self.assertEqual(baked.returncode, 1)
            said = baked.stderr.strip()
            self.assertIn(str(scene), said)
            server, port = self.play()
            viewer = Viewer(port)
            told = viewer.text("error")["message"]
            viewer.close()
            self.end(server)
            self.assertIn(said, server.stdout.read())
            self.assertEqual("pliant: " + told, said.replace(str(self.folder) + "/", ""))
            scene.write_text(whole)

    def test_what_a_killed_server_has_left_is_swept_at_the_next_start(self):
        living, _ = self.play()
        killed, port = self.play()
        viewer = Viewer(port)
        viewer.text("scene")
        viewer.close()
        self.assertEqual(len(list((self.folder / "tmp").iterdir())), 2)
        killed.kill()
        killed.wait()
        after, _ = self.play()
        self.assertEqual(len(list((self.folder / "tmp").iterdir())), 2)
        self.end(after)
        self.end(living)
        self.assertEqual(list((self.folder / "tmp").iterdir()), [])

    def test_a_costly_upload_takes_the_memory_of_another_process(self):
        server, port = self.play()
        viewer = Viewer(port)
        viewer.text("scene")
        viewer.close()

        def peak():  # MB
            status = pathlib.Path(f"/proc/{server.pid}/status").read_text()
            return int(re.search(r"VmHWM:\s+(\d+)", status).group(1)) / 1024

        before = peak()
        corners = 1000000  # of one polygon
        text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 1\n" * (corners // 4)
        text += "f " + " ".join(map(str, range(1, corners + 1))) + "\n"
        status, body = self.request(port, "POST /api/mesh?name=polygon.obj", text.encode())
        self.assertIn(status, (200, 422), body)
        if os.environ.get("PLIANT_FIGURES"):
            print("%d MB upload: %.0f MB more at most, answer %d" %
                  (len(text) // 10**6, peak() - before, status))
        self.assertLess(peak() - before, 150)
        self.end(server)

    def test_a_viewer_that_is_killed_while_it_presses_a_body_lets_it_go(self):
        (self.folder / "small.toml").write_text(HELD)
        recording = self.folder / "cycles.safetensors"
        server, port = self.play(arguments=("--record", str(recording)))
        viewer = Viewer(port)
        viewer.text("settings")
        for i in range(60):  # 3 cm down, into the floor
            viewer.send({"type": "handle", "position": [0, 0.06 - 0.0005 * i, 0], "rotation": [1, 0, 0, 0]})
            time.sleep(0.035)
        viewer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        viewer.close()  # a reset, as of a process that was killed
        time.sleep(0.5)
        after = Viewer(port)
        after.text("settings")
        after.close()
        self.end(server)
        felt = self.felt(recording)
        self.assertGreater(max(felt), 2)
        self.assertLess(abs(felt[-1]), 0.05 * max(felt), "N: nobody presses any more")
        steps = [abs(b - a) for a, b in zip(felt, felt[1:])]
        self.assertLess(max(steps), 3, "N in a cycle: what a port lets a force change by")
        again = subprocess.run(
            [PLIANT, "run", str(self.folder / "small.toml"), "--replay", str(recording), "--json", "--cache",
             str(self.folder / "cache")], check=True, capture_output=True, text=True)
        self.assertEqual(json.loads(again.stdout)["cycles whose forces differ from the recorded ones"], 0)

    def felt(self, recording):
        """Upward force on the hand of every cycle [N]."""
        data = recording.read_bytes()
        size, = struct.unpack("<Q", data[:8])
        head = json.loads(data[8:8 + size])
        columns = head["__metadata__"]["columns"].split(",")
        rows, count = head["cycles"]["shape"]
        self.assertEqual(count, len(columns))
        kind, force = columns.index("kind"), columns.index("felt.fy")
        table = [struct.unpack_from(f"<{count}d", data, 8 + size + 8 * count * k) for k in range(rows)]
        return [row[force] for row in table if row[kind] == 0]

    def test_out_of_descriptors_it_goes_on_with_new_clients(self):
        most = 64
        server, port = self.play(
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (most, most)))
        silent = [socket.create_connection(("127.0.0.1", port), timeout=60)
                  for _ in range(2 * most)]
        try:
            self.assertEqual(self.request(port, "GET /api/scenes")[0], 200)
        finally:
            for client in silent:
                client.close()
        self.assertEqual(self.request(port, "GET /api/scenes")[0], 200)
        self.end(server)

    def test_an_upload_to_a_full_disk_is_told_so(self):
        disk = self.folder / "disk"
        disk.mkdir()
        # In a mount namespace of its own, which goes away with the process.
        own = ["unshare", "--mount"] + ([] if os.geteuid() == 0 else ["--map-root-user"])
        script = 'mount -t tmpfs -o size=4m none "$0" && exec "$@"'
        try:
            server, port = self.play(before=[*own, "sh", "-c", script, str(disk)], tmp=disk)
        except FileNotFoundError:
            self.skipTest("there is no unshare")
        status, body = self.request(port, "POST /api/mesh?name=box.obj", BOX.encode())
        self.assertEqual(status, 200, body)
        large = ("# " + "x" * 98 + "\n").encode() * 80000 + BOX.encode()
        status, body = self.request(port, "POST /api/mesh?name=box.obj", large)
        self.assertEqual(status, 507, body)
        refusal = json.loads(body)
        self.assertEqual(refusal["message"],
                         "The server cannot store the file: No space left on device.")
        self.assertIn("Make room", refusal["advice"])
        self.assertNotIn(str(disk), body.decode())
        self.end(server)


if __name__ == "__main__":
    unittest.main()
