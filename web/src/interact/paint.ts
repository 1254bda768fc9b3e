// SPDX-License-Identifier: MIT
// Painting points of a mesh that is being prepared: a ball of a fixed size on the screen; Shift
// takes away.
import { paintBall } from "../math/held_points.ts";
import type { WorldView } from "../view/world_view.ts";
import type { PointerTool } from "./pointer.ts";

export class PaintTool implements PointerTool {
  radius = 24; // pixels
  private readonly erasing = new Map<number, boolean>();

  constructor(
    private readonly preview: WorldView,
    private readonly held: Uint8Array,
    private readonly onChange: () => void,
  ) {}

  begin(key: number, x: number, y: number, event: PointerEvent): boolean {
    this.erasing.set(key, event.shiftKey);
    return this.paint(key, x, y);
  }

  move(key: number, x: number, y: number): void {
    this.paint(key, x, y);
  }

  end(key: number): void {
    this.erasing.delete(key);
  }

  wheel(): boolean {
    return false;
  }

  hover(x: number, y: number): string | null {
    return this.preview.pick(this.preview.stage.ray(x, y)) ? "crosshair" : null;
  }

  // True: the pointer is on the mesh.
  private paint(key: number, x: number, y: number): boolean {
    const { stage, bodies } = this.preview;
    const hit = this.preview.pick(stage.ray(x, y));
    if (!hit) return false;
    const { X } = bodies[0].asset.surface;
    // At least the nearest point, however large the triangles are.
    const nearest = X.subarray(3 * hit.point, 3 * hit.point + 3);
    const toNearest = Math.hypot(...hit.place.toArray().map((x, k) => x - nearest[k]));
    const radius = Math.max(this.radius * stage.unitAt(hit.place), 1.001 * toNearest);
    const value = this.erasing.get(key) ? 0 : 1;
    if (paintBall(this.held, X, hit.place.toArray(), radius, value)) this.onChange();
    return true;
  }
}
