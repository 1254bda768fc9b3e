// SPDX-License-Identifier: MIT
// Elements in one expression: h("button", { class: "quiet", onclick: ... }, "text").

type Child = Node | string | null | false;
type Attributes = Record<string, unknown>;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  set(element, attributes);
  element.append(...children.filter((child): child is Node | string => Boolean(child)));
  return element;
}

function set(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value as EventListener);
    } else {
      element.setAttribute(name === "htmlFor" ? "for" : name, value === true ? "" : String(value));
    }
  }
}

export function replace(parent: Element, ...children: Child[]): void {
  parent.replaceChildren(...children.filter((child): child is Node | string => Boolean(child)));
}

let ids = 0;
export function uniqueId(prefix: string): string {
  return `${prefix}-${++ids}`;
}

// Strokes on a field of 20 by 20.
const icons = {
  pause: "M7 4.5v11M13 4.5v11",
  play: "M6.5 4.2v11.6l9-5.8z",
  step: "M5 4.5v11l7-5.5zM15 4.5v11",
  reset: "M4.5 10a5.5 5.5 0 1 0 1.8-4.1M6.5 2.6v3.5H10",
  record: "M10 5.6a4.4 4.4 0 1 0 0 8.8a4.4 4.4 0 1 0 0-8.8z",
  replay: "M3 10a7 7 0 1 0 2.2-5.1M5.4 2v3.2h3.2M8.6 7.2v5.6l4.4-2.8z",
  stop: "M5.5 5.5h9v9h-9z",
  live: "M10 8.5a1.5 1.5 0 1 0 0 3a1.5 1.5 0 1 0 0-3zM6.3 6.3a5.2 5.2 0 0 0 0 7.4M13.7 6.3a5.2 5.2 0 0 1 0 7.4M3.8 3.8a8.8 8.8 0 0 0 0 12.4M16.2 3.8a8.8 8.8 0 0 1 0 12.4",
  picture: "M3 6h3l1.2-2h5.6L14 6h3v10H3zM10 8a3 3 0 1 0 0 6a3 3 0 1 0 0-6z",
  video: "M2.5 5.5h10v9h-10zM12.5 9l5-2.8v7.6l-5-2.8z",
  scenes: "M3 3.5h6v6H3zM11.5 3.5h5.5v6h-5.5zM3 12h6v5H3zM11.5 12h5.5v5h-5.5z",
  theme: "M10 3a7 7 0 1 0 0 14zM10 3a7 7 0 0 1 0 14",
  help: "M7.3 7.4A2.8 2.8 0 1 1 11 10c-.7.3-1 .9-1 1.7v.3M10 14.7v.4",
  close: "M5 5l10 10M15 5L5 15",
  panel: "M3 4h14v12H3zM12 4v12",
  home: "M3.5 9.5L10 4l6.5 5.5M5.5 8v8h9V8",
  upload: "M10 13V4M6.5 7.5L10 4l3.5 3.5M4 13v3.5h12V13",
  save: "M10 4v9M6.5 9.5L10 13l3.5-3.5M4 13v3.5h12V13",
  pencil: "M4 16l.8-3.4L13.5 4l2.5 2.5-8.6 8.7z",
  undo: "M7.5 4.5L4 8l3.5 3.5M4 8h7.5a4.2 4.2 0 0 1 0 8.4H8",
} as const;
export type IconName = keyof typeof icons;

export function icon(name: IconName): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  set(svg, { viewBox: "0 0 20 20", class: `icon icon-${name}`, "aria-hidden": "true" });
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", icons[name]);
  svg.append(path);
  return svg;
}
