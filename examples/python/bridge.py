#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A bridge between a device and Pliant (docs/devices.md): bridge.py [PORT [SECONDS]]
Replace read_device() and write_device() by the calls of the device's SDK."""
import math, os, socket, struct, sys, time

port, seconds = (sys.argv[1:] + ["41451", "1e9"][len(sys.argv) - 1:])[:2]
M = (1 << 64) - 1
rotl = lambda x, b: (x << b | x >> (64 - b)) & M

def sip_hash(key, data):  # SipHash-2-4
    k0, k1 = struct.unpack("<2Q", key)
    v0, v1 = k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D
    v2, v3 = k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573
    padded = data + bytes(-(len(data) + 1) % 8) + bytes([len(data) & 255])
    for word, rounds in [(w, 2) for w, in struct.iter_unpack("<Q", padded)] + [(0, 4)]:
        v3, v2 = v3 ^ word, v2 ^ (0xFF if rounds == 4 else 0)
        for _ in range(rounds):
            v0, v2 = (v0 + v1) & M, (v2 + v3) & M
            v1, v3, v0 = rotl(v1, 13) ^ v0, rotl(v3, 16) ^ v2, rotl(v0, 32)
            v2, v0 = (v2 + v1) & M, (v0 + v3) & M
            v1, v3, v2 = rotl(v1, 17) ^ v2, rotl(v3, 21) ^ v0, rotl(v2, 32)
        v0 ^= word
    return v0 ^ v1 ^ v2 ^ v3

def read_device(t):  # x y z [m], w x y z, velocity, angular velocity, buttons, gripper
    return (0, -0.03 * (1 - math.cos(t)), 0, 1, 0, 0, 0) + (0,) * 6 + (0, 0)

def write_device(force, torque):  # N, N m
    pass

secret = os.environ.get("PLIANT_DEVICE_KEY") or open(os.path.expanduser("~/.config/pliant/device.key")).read()
key, wire = bytes.fromhex(secret.strip()), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
wire.connect(("127.0.0.1", int(port)))
wire.settimeout(0.005)  # without an answer the force goes off
session, sequence, answers, start = 0, 0, 0, time.monotonic()
while (t := time.monotonic() - start) < float(seconds):
    body = struct.pack("<13dIf", *read_device(t)) if session else b""
    data = struct.pack("<IBBHQQQ", 0x56444C50, 1, 2 if session else 1, 0, session, sequence + 1, int(1e6 * t)) + body
    try:
        wire.send(data + struct.pack("<Q", sip_hash(key, data)))
        data = wire.recv(2048)
        if struct.pack("<Q", sip_hash(key, data[:-8])) == data[-8:]:
            _, _, kind, _, session, last, _ = struct.unpack("<IBBHQQQ", data[:32])
            sequence, answers = (sequence + 1, answers + 1) if kind == 4 else (last, answers)
            if kind == 4: write_device(struct.unpack("<3d", data[40:64]), struct.unpack("<3d", data[64:88]))
    except (TimeoutError, ConnectionError):
        write_device((0, 0, 0), (0, 0, 0)); session = 0  # gone: say hello again
    time.sleep(0.0005)
print(f"{answers} poses were answered with a force")
