// SPDX-License-Identifier: MIT
// npm run double [-- --port 8787 --along 64 --token T]
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Double } from "./server.ts";

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "8787" },
    along: { type: "string", default: "64" },
    dist: { type: "string" },
    token: { type: "string" },
    scene: { type: "string" },
  },
});
const web = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const double = await Double.start({
  dist: values.dist ?? join(web, "dist"),
  port: Number(values.port),
  along: Number(values.along),
  ...(values.token && { token: values.token }),
  ...(values.scene && { scene: values.scene }),
});
console.log(double.url);
