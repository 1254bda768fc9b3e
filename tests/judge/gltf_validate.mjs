// SPDX-License-Identifier: MIT
// Prints what the Khronos validator says of a .glb file, as JSON.
//
//   node gltf_validate.mjs FOLDER_OF_THE_PACKAGE FILE
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [folder, file] = process.argv.slice(2);
const validator = createRequire(import.meta.url)(join(folder, 'index.js'));
const report = await validator.validateBytes(new Uint8Array(readFileSync(file)));
console.log(JSON.stringify({ issues: report.issues, info: report.info }));
