// SPDX-License-Identifier: MIT
// One body as it is drawn: its surface, and on demand the simulation mesh and the held nodes.
import * as THREE from "three";
import type { BodyAsset, Volume } from "../asset/body_asset.ts";
import { palette } from "../math/colour_maps.ts";
import { crease } from "../math/creases.ts";
import { type FieldName, type RegionMaterial, areaStrain, displacementNorms, elasticField, pointAreas } from "../math/fields.ts";
import { surfaceField } from "../math/surface_fields.ts";
import type { BodyFrame } from "../protocol/frames.ts";
import type { Body, Colours } from "../protocol/messages.ts";
import { ContactShape, type FieldView } from "./contact_shape.ts";
import { BasisDeformation, type Deformation, StreamedDeformation } from "./deformation.ts";
import { FieldColours, type FieldScale, patchMoving } from "./field_colours.ts";
import { diamondTexture } from "./sprites.ts";

export type SurfaceLook = "solid" | "clear" | "hidden";

export class BodyView {
  readonly group = new THREE.Group(); // carries the pose
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.MeshStandardMaterial>;
  readonly deformation: Deformation;
  private readonly field: THREE.BufferAttribute;
  private readonly fieldColours = new FieldColours();
  private inside: Inside | null = null;
  private readonly contact: ContactShape;
  private wanted = { wireframe: false, fixed: false };
  // Times that displacements are drawn larger than they are: in frames, and in what is shown now.
  exaggeration = 1;
  private drawn = 1;
  private restAreas: Float32Array | null = null; // around the points

  constructor(
    readonly info: Body,
    readonly asset: BodyAsset,
    readonly index: number,
    private readonly colours: Colours,
  ) {
    const { r } = asset.surface;
    const geometry = new THREE.BufferGeometry();
    // Attributes that are streamed must not change the asset's arrays.
    const streamed = info.facts.dense;
    const rigid = !streamed && r === 0;
    const { X, N, triangles } = rigid
      ? crease(asset.surface.X, asset.surface.N, asset.surface.triangles)
      : asset.surface;
    const position = new THREE.BufferAttribute(streamed ? X.slice() : X, 3);
    const normal = new THREE.BufferAttribute(streamed ? N.slice() : N, 3);
    this.field = new THREE.BufferAttribute(new Float32Array(X.length / 3), 1);
    geometry.setAttribute("position", position);
    geometry.setAttribute("normal", normal);
    geometry.setAttribute("field", this.field);
    geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from(triangles), 1));
    geometry.computeBoundingSphere();
    if (streamed) {
      position.setUsage(THREE.DynamicDrawUsage);
      normal.setUsage(THREE.DynamicDrawUsage);
      this.deformation = new StreamedDeformation(asset.surface, position, normal);
    } else if (r > 0) {
      this.deformation = new BasisDeformation(asset.surface);
    } else {
      this.deformation = new RigidDeformation(asset.surface.X);
    }

    const material = new THREE.MeshStandardMaterial({
      color: info.colour ?? palette[index % palette.length],
      roughness: 0.62,
      metalness: 0,
      side: THREE.DoubleSide,
    });
    this.fieldColours.patch(material, this.deformation.shader);
    this.mesh = new THREE.Mesh(geometry, material);
    this.mesh.frustumCulled = false; // the bounds are those at rest
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    const depth = new THREE.MeshDepthMaterial({ depthPacking: THREE.RGBADepthPacking });
    patchMoving(depth, this.deformation.shader);
    this.mesh.customDepthMaterial = depth;
    this.group.add(this.mesh);
    this.contact = new ContactShape(asset);
    this.group.add(this.contact.group);
    this.setPose([...info.position, ...info.rotation]);
  }

  apply(frame: BodyFrame): void {
    this.setPose(frame.pose);
    this.drawn = this.exaggeration;
    const { c, dense } = exaggerated(frame, this.drawn);
    this.deformation.set({ c, dense });
    this.inside?.set(c);
    this.contact.set(c);
  }

  // Shows a shape of its own choice: a mode.
  show(c: Float32Array): void {
    this.drawn = 1;
    this.deformation.set({ c, dense: null });
    this.inside?.set(c);
    this.contact.set(c);
  }

  private setPose(pose: ArrayLike<number>): void {
    this.group.position.set(pose[0], pose[1], pose[2]);
    this.group.quaternion.set(pose[4], pose[5], pose[6], pose[3]);
    this.group.updateMatrixWorld();
  }

  worldPoint(point: number, out = new THREE.Vector3()): THREE.Vector3 {
    return out.set(...this.deformation.position(point)).applyMatrix4(this.group.matrixWorld);
  }

  // Of the body at rest, where it is now.
  middle(): THREE.Vector3 {
    const box = new THREE.Box3().setFromArray(this.asset.surface.X);
    return box.getCenter(new THREE.Vector3()).applyMatrix4(this.group.matrixWorld);
  }

  // How far a point is from rest [m].
  displacement(point: number): number {
    const [x, y, z] = this.deformation.position(point);
    const { X } = this.asset.surface;
    const k = 3 * point;
    return Math.hypot(x - X[k], y - X[k + 1], z - X[k + 2]) / this.drawn;
  }

  // Where a place of the world that a point may be at is drawn, x -> X + s (x - X), and back.
  drawnPlace(point: number, place: THREE.Vector3): THREE.Vector3 {
    return this.rest(point).lerp(place, this.drawn);
  }
  actualPlace(point: number, drawn: THREE.Vector3): THREE.Vector3 {
    return this.rest(point).lerp(drawn, 1 / this.drawn);
  }
  private rest(point: number): THREE.Vector3 {
    const { X } = this.asset.surface;
    return new THREE.Vector3().fromArray(X, 3 * point).applyMatrix4(this.group.matrixWorld);
  }

  // ---- Looks

  setSurface(look: SurfaceLook): void {
    const { material } = this.mesh;
    this.mesh.visible = look !== "hidden";
    if (material.transparent !== (look === "clear")) {
      material.transparent = look === "clear";
      material.opacity = look === "clear" ? 0.28 : 1;
      material.depthWrite = look !== "clear";
      material.needsUpdate = true;
    }
    this.mesh.castShadow = look === "solid";
  }

  get deforms(): boolean {
    return !(this.deformation instanceof RigidDeformation);
  }

  // Whether a field is known of it.
  has(name: FieldName): boolean {
    if (name === "displacement") return true;
    if (name === "area") return this.deforms;
    return this.asset.hasGradient || this.info.facts.pressed;
  }

  // Of the points in the body's frame, however large the displacements are drawn.
  private actualPlaces(): Float32Array {
    const x = this.deformation.positions();
    if (this.drawn === 1) return x;
    const { X } = this.asset.surface;
    return x.map((place, k) => X[k] + (place - X[k]) / this.drawn);
  }

  // Values of a field at the points; null: no longer coloured by one.
  async evaluate(
    name: FieldName,
    materials: readonly RegionMaterial[],
    linear: boolean,
  ): Promise<Float32Array | null> {
    const values = this.field.array as Float32Array;
    const { X, region } = this.asset.surface;
    if (name === "displacement") {
      const norms = displacementNorms(X, this.deformation.positions(), values);
      for (let k = 0; k < norms.length && this.drawn !== 1; ++k) norms[k] /= this.drawn;
      return norms;
    }
    if (name === "area") {
      if (!this.deforms) return null;
      const { triangles } = this.asset.surface;
      this.restAreas ??= pointAreas(X, triangles);
      return areaStrain(this.restAreas, this.actualPlaces(), triangles, values);
    }
    if (this.info.facts.pressed) {
      const { young, poisson } = materials[0] ?? {};
      if (young == null || poisson == null) return null;
      return surfaceField(name, X, this.actualPlaces(), this.asset.surface.triangles, young, poisson, values);
    }
    if (!this.asset.hasGradient || !(this.deformation instanceof BasisDeformation)) return null;
    const gradient = await this.asset.gradient();
    const c = scaled(this.deformation.c, 1 / this.drawn);
    return elasticField(name, gradient, c, region, materials, linear, values);
  }

  // Numbers of others at the points: regions, what was painted, weights of loads.
  setValues(values: ArrayLike<number>): void {
    (this.field.array as Float32Array).set(values);
  }

  setScale(scale: FieldScale): void {
    this.fieldColours.set(scale);
    this.field.needsUpdate = true;
  }

  async showInside(wireframe: boolean, fixed: boolean): Promise<void> {
    this.wanted = { wireframe, fixed };
    if ((wireframe || fixed) && !this.inside && this.asset.hasVolume) {
      const volume = await this.asset.volume();
      if (!this.inside) {
        this.inside = new Inside(volume, this.colours);
        this.group.add(this.inside.wireframe, this.inside.fixed);
        if (this.deformation instanceof BasisDeformation) this.inside.set(this.deformation.c);
      }
    }
    if (!this.inside) return;
    this.inside.wireframe.visible = this.wanted.wireframe;
    this.inside.fixed.visible = this.wanted.fixed;
  }

  showContact(shell: boolean, view: FieldView): Promise<void> {
    return this.contact.show(shell, view);
  }
  // Before every picture; true: a newer one is due later.
  updateContact(now: number): boolean {
    return this.contact.update(now);
  }

  dispose(): void {
    this.contact.dispose();
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.mesh.customDepthMaterial?.dispose();
    this.fieldColours.dispose();
    this.deformation.dispose();
    this.inside?.dispose();
  }
}

function scaled(c: Float32Array, factor: number): Float32Array {
  return factor === 1 ? c : c.map((value) => factor * value);
}

function exaggerated({ c, dense }: BodyFrame, factor: number): Pick<BodyFrame, "c" | "dense"> {
  if (factor === 1) return { c, dense };
  return { c: scaled(c, factor), dense: dense && { ...dense, quantum: factor * dense.quantum } };
}

class RigidDeformation implements Deformation {
  version = 0;
  readonly shader = null;
  constructor(private readonly X: Float32Array) {}
  set(): void {
    ++this.version;
  }
  positions(): Float32Array {
    return this.X;
  }
  position(point: number): [number, number, number] {
    return [this.X[3 * point], this.X[3 * point + 1], this.X[3 * point + 2]];
  }
  dispose(): void {}
}

// The simulation mesh and its held nodes. Of a body whose motion is streamed for the surface alone,
// the mesh is drawn at rest.
class Inside {
  readonly wireframe: THREE.LineSegments<THREE.BufferGeometry, THREE.LineBasicMaterial>;
  readonly fixed: THREE.Points<THREE.BufferGeometry, THREE.PointsMaterial>;
  private readonly deformation: BasisDeformation | null;

  constructor(volume: Volume, colours: Colours) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(volume.V, 3));
    geometry.setIndex(new THREE.BufferAttribute(volume.edges, 1));
    this.deformation =
      volume.r > 0 ? new BasisDeformation({ X: volume.V, U: volume.U, r: volume.r }) : null;
    const lines = new THREE.LineBasicMaterial({ color: 0x6f7b8a, transparent: true, opacity: 0.55 });
    patchMoving(lines, this.deformation?.shader ?? null);
    this.wireframe = new THREE.LineSegments(geometry, lines);
    this.wireframe.frustumCulled = false;

    const held = new Float32Array(3 * volume.fixed.length);
    volume.fixed.forEach((node, k) => held.set(volume.V.subarray(3 * node, 3 * node + 3), 3 * k));
    const points = new THREE.BufferGeometry();
    points.setAttribute("position", new THREE.BufferAttribute(held, 3));
    this.fixed = new THREE.Points(
      points,
      new THREE.PointsMaterial({
        color: colours.fixed,
        size: 9,
        sizeAttenuation: false,
        map: diamondTexture(),
        transparent: true,
        alphaTest: 0.4,
        depthTest: false,
      }),
    );
    this.fixed.renderOrder = 2;
    this.fixed.frustumCulled = false;
  }

  set(c: Float32Array): void {
    this.deformation?.set({ c });
  }

  dispose(): void {
    this.wireframe.geometry.dispose();
    this.wireframe.material.dispose();
    this.fixed.geometry.dispose();
    this.fixed.material.map?.dispose();
    this.fixed.material.dispose();
    this.deformation?.dispose();
  }
}
