// SPDX-License-Identifier: MIT
import "./style.css";
import { startApp } from "./app.ts";
import { h } from "./ui/dom.ts";
import type { Viewer } from "./viewer.ts";

declare global {
  interface Window {
    // For the browser's console, and for tests.
    pliant: Viewer;
  }
}

function start(): void {
  if (!document.createElement("canvas").getContext("webgl2")) {
    document.body.append(
      h(
        "p",
        { class: "no-webgl" },
        "This page draws with WebGL 2, which this browser does not offer. ",
        "Switch on hardware acceleration, or open the page in a recent Firefox, Chrome, Edge or Safari.",
      ),
    );
    return;
  }
  const root = h("div", { id: "app" });
  document.body.append(root);
  window.pliant = startApp(root);
}

start();
