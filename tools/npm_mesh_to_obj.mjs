// SPDX-License-Identifier: MIT
// Writes a mesh that an npm package exports as { positions: [[x, y, z], ...], cells: [[a, b, c],
// ...] } (package `bunny` and many others) as an OBJ file.
//
//   node tools/npm_mesh_to_obj.mjs node_modules/bunny bunny.obj
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const [, , folder, output] = process.argv;
if (!folder || !output) {
  console.error("usage: node npm_mesh_to_obj.mjs PACKAGE_FOLDER OUT.obj");
  process.exit(2);
}
const { positions, cells } = createRequire(import.meta.url)(resolve(folder));
if (!Array.isArray(positions) || !Array.isArray(cells)) {
  console.error(`${folder}: exports no mesh (arrays "positions" and "cells")`);
  process.exit(1);
}
const lines = positions.map((p) => `v ${p.join(" ")}`);
for (const c of cells) lines.push(`f ${c.map((i) => i + 1).join(" ")}`);
writeFileSync(output, lines.join("\n") + "\n");
