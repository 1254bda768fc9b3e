// SPDX-License-Identifier: MIT
import { button } from "./controls.ts";
import { h } from "./dom.ts";
import { closeOutside } from "./gallery.ts";

const groups: [string, [string, string][]][] = [
  [
    "Mouse and fingers",
    [
      ["Drag a body", "pull it at that point; several fingers pull at once"],
      ["Wheel while pulling", "push the hand away or bring it nearer"],
      ["Shift while dragging a rigid body", "turn it about the point that you hold"],
      ["More fingers on a rigid body", "the second turns it, the third pushes it away"],
      ["White ball of a control element", "click it for a gizmo; again: move, turn, scale, shear"],
      ["Gamepad", "A takes hold and lets go; left stick and triggers move, right stick turns, B holds still"],
      ["Drag beside it", "turn the view (with Alt: anywhere)"],
      ["Right button, two fingers", "move the view"],
      ["Wheel, pinch", "nearer and farther"],
    ],
  ],
  [
    "Keyboard",
    [
      ["Space", "pause and continue"],
      [".", "one step"],
      ["R", "back to rest"],
      ["C, Y", "record, replay"],
      ["S, V", "save a picture, a video"],
      ["K", "keep the scene, the baked body or the recording as files"],
      ["1 to 7", "colour: plain, regions, displacement, strain, stress, energy, surface strain"],
      ["M, N", "simulation mesh, held nodes"],
      ["I, <, >", "of a body that is held whole: move without the hand, shorter and longer ways"],
      ["E", "of a control element: move, turn, scale, shear"],
      ["H", "camera to start"],
      ["O, P, T", "scenes, panel, light or dark"],
    ],
  ],
  [
    "Keyboard on the stage",
    [
      ["Arrows", "turn the view"],
      ["+ −", "nearer and farther"],
      ["G", "take the point in the middle of the view, and let it go"],
      ["Arrows while holding", "move the hand (Shift: further; Page up, down: away, nearer)"],
    ],
  ],
];

export function helpDialog(): HTMLDialogElement {
  const dialog = h(
    "dialog",
    { class: "help", "aria-label": "Help" },
    h(
      "div",
      { class: "dialog-head" },
      h("h2", {}, "How to use this page"),
      button({ label: "Close", icon: "close", textHidden: true }, () => dialog.close()),
    ),
    ...groups.map(([title, entries]) =>
      h(
        "section",
        {},
        h("h3", {}, title),
        h(
          "dl",
          {},
          ...entries.flatMap(([key, meaning]) => [
            h("dt", {}, ...key.split(", ").map((text) => h("kbd", {}, text))),
            h("dd", {}, meaning),
          ]),
        ),
      ),
    ),
  );
  closeOutside(dialog);
  return dialog;
}
