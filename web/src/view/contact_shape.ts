// SPDX-License-Identifier: MIT
// What a body is to others that it meets, as it is drawn: the points of its shell, coloured by their
// level, and its distance field: a slice, or the surface where it is 0, with the cells of which it is
// doubtful whether they are inside. All of it moves with the body; the field of a soft body is
// evaluated anew when the body has moved, and its doubts are drawn where they are at rest.
import * as THREE from "three";
import type { BodyAsset, ContactField, ContactShell } from "../asset/body_asset.ts";
import { colourMap, palette } from "../math/colour_maps.ts";
import {
  type Box,
  type Distance,
  brick,
  deformedDistance,
  gridDistance,
  nearestOf,
  zeroLevel,
} from "../math/distance_field.ts";
import { BasisDeformation } from "./deformation.ts";
import { patchMoving } from "./field_colours.ts";

export type ShownField = "none" | "slice" | "zero";
export interface FieldView {
  kind: ShownField;
  axis: 0 | 1 | 2; // across which it is cut
  place: number; // of the cut in the box, from 0 to 1
}

const slicePixels = 160;
const zeroCells = 56;
const contours = 12; // of the slice, from the middle to its edge

class ShellPoints {
  readonly points: THREE.Points<THREE.BufferGeometry, THREE.PointsMaterial>;
  private readonly deformation: BasisDeformation | null;

  constructor({ X, U, r, levels }: ContactShell) {
    const count = X.length / 3;
    const colours = new Float32Array(3 * count);
    const colour = new THREE.Color();
    for (let level = 0; level + 1 < levels.length; ++level) {
      colour.set(palette[level % palette.length]);
      for (let p = levels[level]; p < levels[level + 1]; ++p) colour.toArray(colours, 3 * p);
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(X, 3));
    geometry.setAttribute("color", new THREE.BufferAttribute(colours, 3));
    const material = new THREE.PointsMaterial({
      size: 3,
      sizeAttenuation: false,
      vertexColors: true,
      toneMapped: false,
    });
    this.deformation = r > 0 ? new BasisDeformation({ X, U, r }) : null;
    patchMoving(material, this.deformation?.shader ?? null);
    this.points = new THREE.Points(geometry, material);
    this.points.frustumCulled = false;
  }
  set(c: Float32Array): void {
    this.deformation?.set({ c });
  }
  dispose(): void {
    this.points.geometry.dispose();
    this.points.material.dispose();
    this.deformation?.dispose();
  }
}

class FieldPicture {
  readonly group = new THREE.Group();
  private readonly rest: Distance[]; // of the parts
  private readonly box: Box;
  private readonly texture: THREE.DataTexture;
  private readonly slice: THREE.Mesh<THREE.PlaneGeometry, THREE.MeshBasicMaterial>;
  private readonly zero: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>;
  private readonly doubts: THREE.Points<THREE.BufferGeometry, THREE.PointsMaterial>;
  private shown = ""; // what was drawn last

  constructor(private readonly field: ContactField) {
    const { grid } = field;
    this.rest = field.parts.map((part) => gridDistance(part.grid));
    const at = (i: number, n: number) => grid.origin[i] + n * brick * grid.cell;
    this.box = {
      low: [...grid.origin],
      high: [at(0, grid.bricks[0]), at(1, grid.bricks[1]), at(2, grid.bricks[2])],
    };
    this.texture = new THREE.DataTexture(
      new Uint8Array(4 * slicePixels * slicePixels),
      slicePixels,
      slicePixels,
    );
    this.texture.colorSpace = THREE.SRGBColorSpace;
    this.texture.magFilter = this.texture.minFilter = THREE.LinearFilter;
    this.slice = new THREE.Mesh(
      new THREE.PlaneGeometry(1, 1),
      new THREE.MeshBasicMaterial({
        map: this.texture,
        side: THREE.DoubleSide,
        transparent: true,
        opacity: 0.85,
        toneMapped: false,
        depthWrite: false,
      }),
    );
    this.zero = new THREE.Mesh(
      new THREE.BufferGeometry(),
      new THREE.MeshStandardMaterial({
        color: 0x8a6fc4,
        side: THREE.DoubleSide,
        transparent: true,
        opacity: 0.45,
        flatShading: true,
        depthWrite: false,
      }),
    );
    this.slice.frustumCulled = this.zero.frustumCulled = false;
    this.slice.renderOrder = this.zero.renderOrder = 3;
    const places = new THREE.BufferGeometry();
    places.setAttribute("position", new THREE.BufferAttribute(field.doubt.places, 3));
    this.doubts = new THREE.Points(
      places,
      new THREE.PointsMaterial({ color: 0xe07b00, size: 3, sizeAttenuation: false, depthTest: false, toneMapped: false }),
    );
    this.doubts.frustumCulled = false;
    this.doubts.renderOrder = 4;
    this.group.add(this.slice, this.zero, this.doubts);
  }

  // `version`: of the coefficients. False: nothing had to be done.
  draw(view: FieldView, c: Float32Array, version: number): boolean {
    const { parts } = this.field;
    const bends = parts.some(({ proxies }) => proxies);
    const key = `${view.kind} ${view.axis} ${view.place} ${bends ? version : 0}`;
    if (key === this.shown) return false;
    this.shown = key;
    this.slice.visible = view.kind === "slice";
    this.zero.visible = view.kind === "zero";
    const distance = nearestOf(
      parts.map(({ proxies }, k) => (proxies ? deformedDistance(this.rest[k], proxies, c) : this.rest[k])),
    );
    if (view.kind === "slice") this.drawSlice(distance, view);
    if (view.kind === "zero") this.drawZero(distance);
    return true;
  }

  private drawSlice(distance: Distance, { axis, place }: FieldView): void {
    const { low, high } = this.box;
    const [a, b] = [(axis + 1) % 3, (axis + 2) % 3];
    const x: [number, number, number] = [0, 0, 0];
    x[axis] = low[axis] + place * (high[axis] - low[axis]);
    const reach = 0.5 * Math.max(high[a] - low[a], high[b] - low[b]);
    const colour = colourMap(true);
    const data = this.texture.image.data as Uint8Array;
    for (let j = 0; j < slicePixels; ++j) {
      x[b] = low[b] + ((j + 0.5) / slicePixels) * (high[b] - low[b]);
      for (let i = 0; i < slicePixels; ++i) {
        x[a] = low[a] + ((i + 0.5) / slicePixels) * (high[a] - low[a]);
        const d = distance(...x) / reach;
        const t = Math.min(Math.max(0.5 + 0.5 * d, 0), 1);
        const ring = Math.abs(d * contours - Math.round(d * contours));
        const shade = Math.abs(d) < 0.012 ? 0.15 : ring < 0.08 ? 0.75 : 1;
        const [red, green, blue] = colour(t);
        data.set([shade * red, shade * green, shade * blue, 255], 4 * (j * slicePixels + i));
      }
    }
    this.texture.needsUpdate = true;
    const across = [0, 1, 2].map((k) => new THREE.Vector3().setComponent(k, 1));
    this.slice.matrixAutoUpdate = false;
    this.slice.matrix
      .makeBasis(
        across[a].multiplyScalar(high[a] - low[a]),
        across[b].multiplyScalar(high[b] - low[b]),
        across[axis],
      )
      .setPosition(
        ...([0, 1, 2].map((k) => (k === axis ? x[axis] : (low[k] + high[k]) / 2)) as [
          number,
          number,
          number,
        ]),
      );
    this.slice.matrixWorldNeedsUpdate = true;
  }

  private drawZero(distance: Distance): void {
    const { positions, triangles } = zeroLevel(distance, this.box, zeroCells);
    const { geometry } = this.zero;
    geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
    geometry.setIndex(new THREE.BufferAttribute(triangles, 1));
    geometry.computeVertexNormals();
  }

  dispose(): void {
    this.texture.dispose();
    for (const mesh of [this.slice, this.zero, this.doubts]) {
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
  }
}

export class ContactShape {
  readonly group = new THREE.Group();
  private shell: ShellPoints | null = null;
  private picture: FieldPicture | null = null;
  private c: Float32Array = new Float32Array(0);
  private version = 0;
  private view: FieldView = { kind: "none", axis: 0, place: 0.5 };
  private wanted = false; // the shell
  private nextDrawing = 0;

  constructor(private readonly asset: BodyAsset) {}

  set(c: Float32Array): void {
    this.c = c;
    ++this.version;
    this.shell?.set(c);
  }

  async show(shell: boolean, view: FieldView): Promise<void> {
    this.wanted = shell;
    this.view = view;
    if (shell && !this.shell && this.asset.hasShell) {
      const loaded = await this.asset.shell();
      if (!this.shell) {
        this.shell = new ShellPoints(loaded);
        this.shell.set(this.c);
        this.group.add(this.shell.points);
      }
    }
    if (view.kind !== "none" && !this.picture && this.asset.hasField) {
      const loaded = await this.asset.field();
      if (!this.picture) {
        this.picture = new FieldPicture(loaded);
        this.group.add(this.picture.group);
      }
    }
    if (this.shell) this.shell.points.visible = this.wanted;
    if (this.picture) this.picture.group.visible = this.view.kind !== "none";
  }

  // Before every picture; true: a newer one is due later.
  update(now: number): boolean {
    if (!this.picture || this.view.kind === "none") return false;
    if (now < this.nextDrawing) return true;
    const started = performance.now();
    if (this.picture.draw(this.view, this.c, this.version)) {
      // A fifth of the time at most.
      this.nextDrawing = now + 4 * (performance.now() - started);
    }
    return false;
  }

  dispose(): void {
    this.shell?.dispose();
    this.picture?.dispose();
  }
}
