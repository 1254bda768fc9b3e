// SPDX-License-Identifier: MIT
import assert from "node:assert/strict";
import { test } from "node:test";
import { engineWords } from "../../src/ui/engine_tab.ts";
import { fixedMaterialWords } from "../../src/ui/material_words.ts";
import { termsWords } from "../../src/ui/terms_section.ts";
import { makeScene } from "../double/scenes.ts";

const beam = makeScene("beam", 8)?.message.bodies[0];
if (!beam) throw new Error("no beam");

test("each engine is told in words of its own", () => {
  assert.match(engineWords(beam), /^Reduced: .* move in 6 shapes, large deformations included/);
  const full = { ...beam, engine: "full", facts: { ...beam.facts, what: "all {mesh} are solved for.", dense: true } };
  assert.match(engineWords(full), /^Full: all .+ bricks with .+ nodes are solved for\.$/);
  const none = { ...beam.facts, elements: false };
  const surface = { ...none, what: "{surface} answers forces.", dense: true };
  assert.match(engineWords({ ...beam, engine: "green_surface", facts: surface }), /^Green surface: the surface of .* triangles answers forces\.$/);
  assert.match(engineWords({ ...beam, engine: "rigid", facts: { ...none, what: "it does not deform." } }), /^Rigid: it does not deform. It flies and turns/);
});

test("a body that makes fewer steps than the world says that it is interpolated", () => {
  const slow = { ...beam, facts: { ...beam.facts, rate: 100, interpolated: true } };
  assert.match(engineWords(slow), /It makes 100 steps a second beside the others, and is drawn between its last two/);
  assert.doesNotMatch(engineWords(beam), /drawn between/);
});

test("a body that looks its answers up says for which loads, and how well", () => {
  const body = makeScene("terms", 8)?.message.bodies[0];
  if (!body?.separated) throw new Error("no terms");
  assert.match(engineWords(body), /^Vademecum: .* large deformations included. Each step looks them up/);
  assert.match(
    termsWords(body.separated),
    /^3 terms for .* positions, 1 direction and loads up to 1\.0.MN\. One load is answered within 0\.40.% at worst, three at once within 12.%; each step corrects the sum\.$/,
  );
});

test("a body without sliders says why its material stays", () => {
  const stiff = beam.regions.map((region) => ({ ...region, young: 1e6 }));
  assert.match(fixedMaterialWords({ ...beam, regions: stiff }), /was worked out for this material when it was baked/);
  const rubber = [...stiff, { ...stiff[0], law: "mooney_rivlin", young: null }];
  assert.match(fixedMaterialWords({ ...beam, regions: rubber }), /^Its material \(mooney rivlin\) has no single stiffness/);
  const full = { ...beam, engine: "full", facts: { ...beam.facts, dense: true } };
  assert.match(fixedMaterialWords(full), /^The full engine takes its material in once/);
});
