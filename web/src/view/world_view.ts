// SPDX-License-Identifier: MIT
// The bodies of a scene on the stage: frames move them, rays find them.
import * as THREE from "three";
import { type Hit, pick } from "../math/pick.ts";
import type { Frame, HandleFrame, PullFrame } from "../protocol/frames.ts";
import type { Camera } from "../protocol/messages.ts";
import type { LoadedScene } from "../state/session.ts";
import { BodyView } from "./body_view.ts";
import { ContactMarks } from "./contact_marks.ts";
import { Draggers, type Dragging } from "./draggers.ts";
import { handWords } from "./hand_words.ts";
import { HoldMarks } from "./hold_marks.ts";
import { PullArrows, WindArrow } from "./pull_arrows.ts";
import type { Stage } from "./stage.ts";

export interface BodyHit extends Hit {
  body: number;
  place: THREE.Vector3; // where the ray meets the body
}

export class WorldView {
  readonly bodies: BodyView[];
  readonly bounds = new THREE.Box3(); // of all bodies at rest
  readonly title: string;
  readonly epoch: number;
  camera: Camera; // as it begins
  frame: Frame | null = null;
  // Of a body that shows something else than the frames: a mode.
  readonly held = new Set<number>();
  readonly wind = new THREE.Vector3(); // m/s
  showContacts = true;
  private readonly marks: ContactMarks;
  private readonly hold: HoldMarks | null;
  readonly draggers: Draggers | null;
  private readonly arrows: PullArrows;
  private readonly windArrow = new WindArrow();
  private readonly windPlace: THREE.Vector3; // above the bodies
  private pulls: readonly PullFrame[] = [];

  constructor(
    readonly stage: Stage,
    { scene, assets }: LoadedScene,
    dragging?: Dragging,
  ) {
    this.title = scene.title;
    this.epoch = scene.epoch;
    this.camera = scene.camera;
    this.bodies = scene.bodies.map(
      (body, index) => new BodyView(body, assets[index], index, scene.colours),
    );
    for (const view of this.bodies) {
      stage.content.add(view.group);
      const box = new THREE.Box3().setFromArray(view.asset.surface.X);
      this.bounds.union(box.applyMatrix4(view.group.matrixWorld));
    }
    this.arrows = new PullArrows(scene.colours.force);
    const up = new THREE.Vector3(...scene.camera.up).normalize();
    const half = this.bounds.getSize(new THREE.Vector3()).multiplyScalar(0.5);
    const reach = Math.abs(half.dot(new THREE.Vector3(...up.toArray().map(Math.abs))));
    this.windPlace = this.bounds.getCenter(new THREE.Vector3()).addScaledVector(up, 1.1 * reach);
    this.marks = new ContactMarks(scene.colours.contact);
    const held = scene.held === null ? undefined : this.bodies[scene.held];
    this.hold = held ? new HoldMarks(held.mesh.geometry, scene.colours.force) : null;
    stage.overlay.add(this.marks.group, this.arrows.group, this.windArrow.group);
    if (this.hold) stage.overlay.add(this.hold.group);
    const rotations = scene.bodies.map(({ rotation }) => rotation);
    this.draggers = dragging ? new Draggers(stage, rotations, dragging, scene.colours.force) : null;
    if (this.draggers) stage.overlay.add(this.draggers.group);
  }

  // Times that displacements are drawn larger than they are.
  exaggerate(factor: number): void {
    for (const view of this.bodies) view.exaggeration = factor;
    for (const body of this.frame?.bodies ?? []) {
      if (!this.held.has(body.body)) this.bodies[body.body]?.apply(body);
    }
    this.stage.invalidate();
  }

  get size(): number {
    return this.bounds.getSize(new THREE.Vector3()).length();
  }

  apply(frame: Frame): void {
    const before = this.frame;
    this.frame = frame;
    this.draggers?.hear(frame.controls);
    if (before && sameState(before, frame)) return;
    this.pulls = frame.pulls;
    for (const body of frame.bodies) {
      if (!this.held.has(body.body)) this.bodies[body.body]?.apply(body);
    }
    this.stage.invalidate();
  }

  // Before every picture: arrows keep their size on the screen.
  update(): void {
    const labels = this.stage.spriteHeight(26);
    const pulls = this.pulls.flatMap((pull) => {
      const { slot, body, point, at, target } = pull;
      const view = this.bodies[body];
      if (!view) return [];
      const drawn = (place: Float32Array) => view.drawnPlace(point, new THREE.Vector3(...place));
      return [{ slot, at: drawn(at), target: drawn(target), words: handWords(pull) }];
    });
    this.arrows.set(pulls, (place) => this.stage.unitAt(place), labels);
    const contacts = this.showContacts ? (this.frame?.contacts ?? []) : [];
    this.marks.set(contacts, (place) => this.stage.unitAt(place));
    this.hold?.set(this.frame?.handle ?? null, (place) => this.stage.unitAt(place), labels);
    this.draggers?.update((place) => this.stage.unitAt(place), labels);
    this.windArrow.set(this.wind, this.windPlace, this.stage.unitAt(this.windPlace), labels);
  }

  pick(ray: THREE.Ray): BodyHit | null {
    let nearest: BodyHit | null = null;
    for (const view of this.bodies) {
      if (!view.mesh.visible) continue;
      const local = ray.clone().applyMatrix4(view.group.matrixWorld.clone().invert());
      const { triangles } = view.asset.surface;
      const x = view.deformation.positions();
      const hit = pick(x, triangles, local.origin.toArray(), local.direction.toArray());
      if (!hit || (nearest && hit.distance >= nearest.distance)) continue;
      nearest = { ...hit, body: view.index, place: ray.at(hit.distance, new THREE.Vector3()) };
    }
    return nearest;
  }

  dispose(): void {
    for (const view of this.bodies) {
      this.stage.content.remove(view.group);
      view.dispose();
    }
    this.stage.overlay.remove(this.marks.group, this.arrows.group, this.windArrow.group);
    if (this.hold) this.stage.overlay.remove(this.hold.group);
    this.hold?.dispose();
    if (this.draggers) this.stage.overlay.remove(this.draggers.group);
    this.draggers?.dispose();
    this.marks.dispose();
    this.arrows.dispose();
    this.windArrow.dispose();
  }
}

function same(x: Float32Array, y: Float32Array): boolean {
  return x.every((value, i) => value === y[i]);
}

function sameHold(a: HandleFrame, b: HandleFrame): boolean {
  return same(a.pose, b.pose) && same(a.ghost, b.ghost) && same(a.force, b.force) && same(a.torque, b.torque);
}

// Nothing that is drawn differs: the world is paused or at rest.
function sameState(a: Frame, b: Frame): boolean {
  if (a.contacts.length !== b.contacts.length) return false;
  if (!a.contacts.every(({ force }, k) => force === b.contacts[k].force)) return false;
  if ((a.handle === null) !== (b.handle === null)) return false;
  if (a.pulls.length !== b.pulls.length || a.bodies.length !== b.bodies.length) return false;
  const still = a.pulls.every(({ slot, at, target, spring }, k) => {
    const other = b.pulls[k];
    const sameSpring = spring?.stiffness === other.spring?.stiffness;
    return slot === other.slot && sameSpring && same(at, other.at) && same(target, other.target);
  });
  if (!still) return false;
  if (a.controls.length !== b.controls.length) return false;
  const sameControl = a.controls.every(({ centre, force, torque }, k) => {
    const other = b.controls[k];
    return same(centre, other.centre) && same(force, other.force) && same(torque, other.torque);
  });
  if (!sameControl) return false;
  if (a.handle && b.handle && !sameHold(a.handle, b.handle)) return false;
  return a.bodies.every((body, k) => {
    const other = b.bodies[k];
    if (body.dense || other.dense || body.c.length !== other.c.length) return false;
    return (
      same(body.pose, other.pose) &&
      body.c.every((value, i) => Math.abs(value - other.c[i]) <= 1e-6 * Math.abs(value))
    );
  });
}
