// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCommand, parseGallery, parseServerMessage } from "../../src/protocol/messages.ts";
import { makeScene } from "../double/scenes.ts";

test("commands within their limits are read", () => {
  const pull = { type: "pull", slot: 7, body: 0, point: 12, target: [1, 2, 3], stiffness: 0 };
  assert.deepEqual(parseCommand(JSON.stringify(pull)), pull);
  assert.deepEqual(parseCommand('{"type":"reset","more":1}'), { type: "reset" });
});

test("a wrong command says where and what was expected", () => {
  const refused: [object, RegExp][] = [
    [{ type: "pull", slot: 8, body: 0, point: 1, target: [1, 2, 3], stiffness: 1 }, /pull\.slot.*0 to 7/],
    [{ type: "pull", slot: 1, body: 0, point: 1, target: [1, 2], stiffness: 1 }, /pull\.target.*3 numbers/],
    [{ type: "pull", slot: 1, body: 0, point: 1.5, target: [1, 2, 3], stiffness: 1 }, /pull\.point.*integer/],
    [{ type: "speed", factor: 2 }, /speed\.factor/],
    [{ type: "material", body: 0, region: 0, young: 1e6, poisson: 0.5, density: 1 }, /poisson/],
    [{ type: "explode" }, /type.*expected/],
    [{ type: "toString" }, /type/],
    [{ type: "active", body: 0 }, /active\.count/],
  ];
  for (const [command, reason] of refused) {
    assert.throws(() => parseCommand(JSON.stringify(command)), { message: reason });
  }
  assert.throws(() => parseCommand("{"), { message: "not JSON" });
  assert.throws(() => parseCommand("null"));
  assert.throws(() => parseCommand("[]"));
});

test("the scenes of the double keep to the protocol", () => {
  for (const id of ["beam", "beam-full", "pair"]) {
    const scene = makeScene(id, 8);
    assert.ok(scene);
    const message = { type: "scene", epoch: 1, ...scene.message };
    assert.deepEqual(parseServerMessage(JSON.stringify(message)), message);
    const settings = { type: "settings", ...scene.world.settings };
    assert.deepEqual(parseServerMessage(JSON.stringify(settings)), settings);
  }
});

test("a gallery without pictures is one too", () => {
  const scenes = [{ id: "a", title: "A", description: "An a.", picture: null, own: false }];
  assert.deepEqual(parseGallery(JSON.stringify({ scenes })), scenes);
  assert.throws(() => parseGallery('{"scenes":[{"id":1}]}'), { message: /scenes\[0\]\.id/ });
});
