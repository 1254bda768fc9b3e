// SPDX-License-Identifier: MIT
// Which tool gets a pointer: on a body it pulls or paints, beside it (or with Alt) it turns the view.
import type { Stage } from "../view/stage.ts";

// A tool that takes pointers of the stage. `begin` says whether it wants this one.
export interface PointerTool {
  begin(key: number, clientX: number, clientY: number, event: PointerEvent): boolean;
  move(key: number, clientX: number, clientY: number): void;
  end(key: number): void;
  // Away from the eye; true: the wheel was used.
  wheel(pixels: number): boolean;
  // The cursor over a place where it could begin.
  hover(clientX: number, clientY: number): string | null;
}

export class PointerRouter {
  tool: PointerTool | null = null;
  private readonly taken = new Map<number, PointerTool>();
  private nextHover = 0;

  constructor(private readonly stage: Stage) {
    const { canvas } = stage;
    const host = canvas.parentElement as HTMLElement;
    // In the capture phase, before the camera's controls see it.
    host.addEventListener("pointerdown", (event) => this.down(event), { capture: true });
    host.addEventListener("pointermove", (event) => this.moved(event), { capture: true });
    for (const type of ["pointerup", "pointercancel"] as const) {
      host.addEventListener(type, (event) => this.up(event), { capture: true });
    }
    host.addEventListener("wheel", (event) => this.wheel(event), { capture: true, passive: false });
  }

  private down(event: PointerEvent): void {
    const { tool } = this;
    if (this.taken.has(event.pointerId)) {
      event.stopImmediatePropagation();
      return;
    }
    if (event.target !== this.stage.canvas || event.button !== 0 || event.altKey || !tool) return;
    if (!tool.begin(event.pointerId, event.clientX, event.clientY, event)) return;
    event.stopImmediatePropagation();
    this.stage.canvas.setPointerCapture(event.pointerId);
    this.taken.set(event.pointerId, tool);
  }

  private moved(event: PointerEvent): void {
    const tool = this.taken.get(event.pointerId);
    if (tool) {
      event.stopImmediatePropagation();
      tool.move(event.pointerId, event.clientX, event.clientY);
      return;
    }
    if (event.pointerType !== "mouse" || event.buttons !== 0) return;
    const begin = performance.now();
    if (begin < this.nextHover || event.target !== this.stage.canvas) return;
    this.stage.canvas.style.cursor = this.tool?.hover(event.clientX, event.clientY) ?? "";
    // Picks cost some milliseconds each on large bodies: a fifth of the time at most.
    const end = performance.now();
    this.nextHover = end + Math.max(60, 4 * (end - begin));
  }

  private up(event: PointerEvent): void {
    const tool = this.taken.get(event.pointerId);
    if (!tool) return;
    event.stopImmediatePropagation();
    this.taken.delete(event.pointerId);
    tool.end(event.pointerId);
  }

  private wheel(event: WheelEvent): void {
    if (event.target !== this.stage.canvas || !this.tool?.wheel(-event.deltaY / 4)) return;
    event.stopImmediatePropagation();
    event.preventDefault();
  }
}
