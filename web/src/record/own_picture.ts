// SPDX-License-Identifier: MIT
// The picture of a scene of one's own mesh, for the gallery: made when it is first seen.
import type { Viewer } from "../viewer.ts";

const width = 480;
const height = 300;
const settled = 600; // ms: the body is drawn, and nobody has turned it yet

export function keepPictures(viewer: Viewer): void {
  const { session } = viewer;
  session.loaded.follow((loaded) => {
    const id = loaded?.scene.id;
    if (!id) return;
    setTimeout(() => {
      if (session.loaded.value === loaded && session.steers) void keepPicture(viewer, id);
    }, settled);
  });
}

async function keepPicture(viewer: Viewer, id: string): Promise<void> {
  const { session, stage } = viewer;
  try {
    const entry = (await session.api.gallery()).find((scene) => scene.id === id);
    if (!entry?.own || entry.picture !== null) return;
    stage.drawFine();
    await session.api.sendPicture(id, await middleOf(stage.canvas));
  } catch {
    // The gallery does without it, and the next who opens the scene tries again.
  }
}

// The middle of the canvas in the proportions of a card. It must have been drawn just now.
function middleOf(canvas: HTMLCanvasElement): Promise<Blob> {
  const copy = document.createElement("canvas");
  copy.width = width;
  copy.height = height;
  const part = Math.min(canvas.width / width, canvas.height / height);
  const left = (canvas.width - part * width) / 2;
  const top = (canvas.height - part * height) / 2;
  copy.getContext("2d")?.drawImage(canvas, left, top, part * width, part * height, 0, 0, width, height);
  return new Promise((resolve, reject) => {
    copy.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/jpeg", 0.85);
  });
}
