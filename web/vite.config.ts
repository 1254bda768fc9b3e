// SPDX-License-Identifier: MIT
import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  build: {
    target: "es2022",
    assetsInlineLimit: 0, // the server's content policy allows no data: scripts or fonts
    chunkSizeWarningLimit: 1200, // three.js
    modulePreload: { polyfill: false },
  },
  server: {
    // `npm run dev` beside `npm run double` or `pliant play --no-browser`
    proxy: {
      "/api": "http://127.0.0.1:8787",
      "/asset": "http://127.0.0.1:8787",
      "/ws": { target: "ws://127.0.0.1:8787", ws: true },
    },
  },
});
