// SPDX-License-Identifier: MIT
// Where things stand: renderer, camera, studio light, ground with shadow and grid. Draws only when
// something changed and the picture before is finished, and lowers its resolution where the machine
// is slow.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Camera } from "../protocol/messages.ts";
import { Ground } from "./ground.ts";
import { StudioLight } from "./studio_light.ts";

export interface StageColours {
  top: string; // of the background
  bottom: string;
  grid: string;
  dark: boolean;
}

// Pixels that are drawn a pixel of the screen, from fine to coarse.
const resolutions = [1, 0.75, 0.5];
const stillAfter = 250; // ms
const margin = 0.03; // of half the stage, between a body and what ends it

// WebGL on the CPU, which the simulation may need itself: fewer and coarser pictures.
function drawsOnCpu(): boolean {
  const gl = document.createElement("canvas").getContext("webgl2");
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = gl && String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return name !== null && /swiftshader|llvmpipe|software|basic render/i.test(name);
}

export class Stage {
  readonly renderer: THREE.WebGLRenderer;
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(40, 1, 0.01, 100);
  readonly controls: OrbitControls;
  readonly content = new THREE.Group(); // the bodies
  readonly overlay = new THREE.Group(); // arrows, markers
  readonly ground = new Ground();
  // Pixels at the top and at the bottom that toolbars cover.
  covered: () => { top: number; bottom: number } = () => ({ top: 0, bottom: 0 });
  // Called before every picture.
  onBeforeRender: (now: number) => void = () => {};
  private readonly light = new StudioLight();
  private readonly onCpu = drawsOnCpu();
  private dirty = true;
  private resolution = 0;
  private slow = 0;
  private fine = false; // the picture is as fine as the screen
  private sizeKept = false;
  private size = ""; // that the canvas has
  private lastDraw = 0;
  private fence: WebGLSync | null = null; // after the commands of the last picture
  private rested = 0; // until then the CPU is left to others
  private readonly background = new THREE.DataTexture(new Uint8Array(4 * 64), 1, 64);

  constructor(private readonly host: HTMLElement) {
    this.renderer = new THREE.WebGLRenderer({
      antialias: !this.onCpu,
      powerPreference: "high-performance",
    });
    this.renderer.shadowMap.enabled = true;
    this.renderer.toneMapping = THREE.NeutralToneMapping;
    const canvas = this.renderer.domElement;
    canvas.tabIndex = 0;
    host.append(canvas);

    this.light.setShadowSize(this.onCpu ? 512 : 2048);
    this.scene.add(this.light.group, this.ground.group, this.content, this.overlay);
    this.background.magFilter = THREE.LinearFilter;
    this.background.colorSpace = THREE.SRGBColorSpace;
    this.scene.background = this.background;

    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => this.invalidate());

    // A new size empties the canvas: it is filled again before it is seen.
    new ResizeObserver(() => {
      this.setSize();
      this.drawNow();
    }).observe(host);
    this.setSize();
    const loop = (now: number) => {
      requestAnimationFrame(loop);
      this.controls.update();
      this.keepAboveGround();
      this.draw(now);
    };
    requestAnimationFrame(loop);
  }

  get canvas(): HTMLCanvasElement {
    return this.renderer.domElement;
  }

  invalidate(): void {
    this.dirty = true;
  }

  setColours({ top, bottom, grid, dark }: StageColours): void {
    const from = new THREE.Color(bottom);
    const to = new THREE.Color(top);
    const data = this.background.image.data as Uint8Array;
    for (let i = 0; i < 64; ++i) {
      const mixed = new THREE.Color().lerpColors(from, to, i / 63).convertLinearToSRGB();
      data.set([255 * mixed.r, 255 * mixed.g, 255 * mixed.b, 255], 4 * i);
    }
    this.background.needsUpdate = true;
    this.ground.setColours(grid, dark ? 0.5 : 0.2);
    this.light.setDark(dark);
    this.invalidate();
  }

  // Light, ground and the default camera for bodies within a box.
  frame(bounds: THREE.Box3, camera: Camera): void {
    const sphere = bounds.getBoundingSphere(new THREE.Sphere());
    const radius = Math.max(sphere.radius, 1e-6);
    const up = new THREE.Vector3(...camera.up).normalize();
    const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), up);

    this.camera.fov = camera.field_of_view;
    this.camera.near = radius / 200;
    this.camera.far = radius * 60;
    this.camera.up.copy(up);
    // The controls take the direction when they are made, and have no other way to change it.
    const orbit = this.controls as unknown as Record<"_quat" | "_quatInverse", THREE.Quaternion>;
    orbit._quat.copy(turn).invert();
    orbit._quatInverse.copy(turn);
    const half = THREE.MathUtils.degToRad(this.camera.fov / 2);
    const narrow = Math.atan(Math.tan(half) * Math.min(1, this.camera.aspect));
    const direction = new THREE.Vector3(0.75, 0.42, 1).normalize().applyQuaternion(turn);
    const target = camera.target ? new THREE.Vector3(...camera.target) : sphere.center;
    this.controls.target.copy(target);
    if (camera.position) {
      // Made for a window that is wider than high: in others from farther away.
      const farther = Math.max(1, 1.25 / this.camera.aspect);
      const given = new THREE.Vector3(...camera.position);
      this.camera.position.copy(target).addScaledVector(given.sub(target), farther);
    } else {
      const distance = radius / Math.sin(narrow);
      this.camera.position.copy(target).addScaledVector(direction, distance);
    }
    this.camera.updateProjectionMatrix();
    this.controls.minDistance = radius / 50;
    this.controls.maxDistance = radius * 20;
    this.controls.update();

    this.ground.fit(bounds, up, radius);
    this.backOff(bounds);
    this.light.fit(sphere.center, radius, turn);
    this.invalidate();
  }

  // Away from the target until all of the box is between the toolbars.
  private backOff(bounds: THREE.Box3): void {
    const { target } = this.controls;
    const { top, bottom } = this.covered();
    const height = Math.max(1, this.canvas.clientHeight);
    const most = 1 - (2 * top) / height - margin;
    const least = -1 + (2 * bottom) / height + margin;
    if (!(least < 0 && most > 0)) return; // there is no room
    const corners = boxCorners(bounds);
    const fits = () => {
      this.camera.lookAt(target);
      this.camera.updateMatrixWorld();
      return corners.every((corner) => {
        const { x, y, z } = corner.clone().project(this.camera);
        return z < 1 && Math.abs(x) < 1 - margin && y > least && y < most;
      });
    };
    for (let step = 0; step < 60 && !fits(); ++step) {
      this.camera.position.sub(target).multiplyScalar(1.03).add(target);
    }
    this.controls.update();
  }

  // Below it there is nothing to see but the back of the floor.
  private keepAboveGround(): void {
    const { position, up } = this.camera;
    const height = position.clone().sub(this.ground.group.position).dot(up);
    const least = 0.02 * this.ground.cell;
    if (height >= least) return;
    position.addScaledVector(up, least - height);
    this.camera.lookAt(this.controls.target);
    this.invalidate();
  }

  // ---- Between screen and space

  ray(clientX: number, clientY: number): THREE.Ray {
    const box = this.canvas.getBoundingClientRect();
    const x = (2 * (clientX - box.left)) / box.width - 1;
    const y = 1 - (2 * (clientY - box.top)) / box.height;
    const caster = new THREE.Raycaster();
    caster.setFromCamera(new THREE.Vector2(x, y), this.camera);
    return caster.ray;
  }

  // In client coordinates.
  project(place: THREE.Vector3): { x: number; y: number } {
    const box = this.canvas.getBoundingClientRect();
    const ndc = place.clone().project(this.camera);
    return {
      x: box.left + (0.5 + 0.5 * ndc.x) * box.width,
      y: box.top + (0.5 - 0.5 * ndc.y) * box.height,
    };
  }

  // Metres of a pixel at a place.
  unitAt(place: THREE.Vector3): number {
    const forward = this.camera.getWorldDirection(new THREE.Vector3());
    const depth = place.clone().sub(this.camera.position).dot(forward);
    const height = 2 * Math.max(depth, this.camera.near) * Math.tan(this.fovRadians / 2);
    return height / Math.max(1, this.canvas.clientHeight);
  }

  // Size of a sprite that is to be `pixels` high.
  spriteHeight(pixels: number): number {
    return (2 * Math.tan(this.fovRadians / 2) * pixels) / Math.max(1, this.canvas.clientHeight);
  }

  private get fovRadians(): number {
    return THREE.MathUtils.degToRad(this.camera.fov);
  }

  // ---- Drawing

  drawNow(): void {
    this.onBeforeRender(performance.now());
    this.renderer.render(this.scene, this.camera);
  }

  // As fine as the screen, whatever the machine does while things move.
  drawFine(): void {
    this.setFine(true);
    this.drawNow();
  }

  // A video wants pictures of one size.
  keepSize(keep: boolean): void {
    this.sizeKept = keep;
  }

  private draw(now: number): void {
    if (!this.dirty) {
      if (!this.fine && !this.sizeKept && now - this.lastDraw > stillAfter) this.drawFine();
      return;
    }
    if (!this.finished(now) || now < this.rested) return;
    this.dirty = false;
    if (!this.sizeKept) this.setFine(false);
    this.drawNow();
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    this.fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    this.adapt(now);
  }

  // Pictures that are asked for faster than they are made would queue up, and what is seen would lag
  // behind the hand. Where the CPU draws, the simulation and the page get as much time as a picture.
  private finished(now: number): boolean {
    if (!this.fence) return true;
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    const signaled = gl.getSyncParameter(this.fence, gl.SYNC_STATUS) === gl.SIGNALED;
    if (!signaled && now - this.lastDraw < 2000) return false; // a lost context signals nothing
    gl.deleteSync(this.fence);
    this.fence = null;
    if (this.onCpu) this.rested = now + Math.max(20, Math.min(250, now - this.lastDraw));
    return true;
  }

  // The next picture, which must follow at once, is as fine as the screen or as the machine bears.
  private setFine(fine: boolean): void {
    this.fine = fine;
    this.setSize();
  }

  // Pictures that come late for a second: coarser pixels, from the next one on.
  private adapt(now: number): void {
    const interval = now - this.lastDraw;
    this.lastDraw = now;
    if (interval > 1000) return; // nothing moved, or the page was hidden
    this.slow = interval > (this.onCpu ? 90 : 45) ? this.slow + interval : Math.max(0, this.slow - interval / 2);
    if (this.slow > 1000 && this.resolution < resolutions.length - 1) {
      ++this.resolution;
      this.slow = 0;
    }
  }

  private setSize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0) return;
    const ratio = Math.min(devicePixelRatio, 2) * (this.fine ? 1 : resolutions[this.resolution]);
    const size = `${width} x ${height} x ${ratio}`;
    if (size === this.size) return;
    this.size = size;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
  }
}

function boxCorners({ min, max }: THREE.Box3): THREE.Vector3[] {
  return Array.from(
    { length: 8 },
    (_, i) => new THREE.Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z),
  );
}
