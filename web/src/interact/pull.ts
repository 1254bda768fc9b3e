// SPDX-License-Identifier: MIT
// Pulling with the pointer, several fingers or the keyboard: the hand moves in the plane of the view
// through the point that was picked; the wheel brings it nearer or farther. What is a little beside
// a body means the body: each way of pointing has a reach. A body that goes where it is told is moved
// as a whole, or turned about the point while Shift is down. Of several fingers on such a body the
// second turns it and the third pushes it away.
import * as THREE from "three";
import { type Body, limits } from "../protocol/messages.ts";
import type { Session } from "../state/session.ts";
import { throttle } from "../state/signal.ts";
import type { BodyHit, WorldView } from "../view/world_view.ts";

interface Hand {
  slot: number;
  body: number;
  point: number;
  plane: THREE.Plane;
  target: THREE.Vector3; // as it is drawn
  offset: THREE.Vector3; // to the point from what the pointer showed in the plane
  moved: boolean; // since it was sent
  // Of a body that is moved as a whole: from the point to the body's place, and its rotation.
  whole: { offset: THREE.Vector3; rotation: THREE.Quaternion } | null;
  pointer: { x: number; y: number }; // in pixels, when it moved last
}

function canTake({ facts, edits }: Body): boolean {
  return facts.moves || edits.pose;
}

export type HandKey = number | "keyboard" | "gamepad"; // or id of a pointer

// Pixels around the place that count as on the body where the place itself misses.
export const reach = { mouse: 8, touch: 12, keyboard: 24 };
const rings = 3;
const pixelsOfRadian = 120;
const raysOfRing = 8;

export class PullTool {
  enabled = true;
  turning = false; // hands that hold a whole body turn it
  indexing = false; // pointers move, and hands that hold a whole body do not
  scale = 1; // of the way of such hands to that of the pointer
  graspsPoint = false; // the body that a hand holds is held at the point that is taken, not as before
  // Of the hand's spring on each body [N/m].
  private springs: number[] = [];
  // A point was taken: body and point.
  onGrab: (body: number, point: number) => void = () => {};
  private readonly hands = new Map<HandKey, Hand>();
  // Fingers that help a hand that holds a whole body, and where they were.
  private readonly helpers = new Map<HandKey, { does: "turns" | "pushes"; x: number; y: number }>();

  constructor(
    private readonly session: Session,
    private readonly world: () => WorldView | null,
  ) {}

  // For hands that are there, and those to come.
  setSpring(bodies: number[], stiffness: number): void {
    for (const body of bodies) this.springs[body] = stiffness;
    for (const hand of this.hands.values()) hand.moved ||= bodies.includes(hand.body);
    this.flush();
  }

  get pulling(): boolean {
    return this.hands.size > 0;
  }

  holds(key: HandKey): boolean {
    return this.hands.has(key);
  }

  // True: the hand has a body.
  begin(key: HandKey, clientX: number, clientY: number, reachPixels: number): boolean {
    const world = this.world();
    if (!this.enabled || !world || this.hands.has(key)) return false;
    const hit = this.find(world, clientX, clientY, reachPixels);
    if (!hit) return false;
    const slot = this.freeSlot();
    if (slot < 0) return false;
    const hand = this.take(world, hit, slot, world.stage.ray(clientX, clientY));
    hand.pointer = { x: clientX, y: clientY };
    const { scene } = this.session;
    if (this.graspsPoint && hit.body === scene.value?.held) {
      const point = world.bodies[hit.body].group.worldToLocal(hand.target.clone()).toArray();
      this.session.send({ type: "grasp", point });
    }
    if (!this.sendHand(hand)) return false;
    this.hands.set(key, hand);
    this.onGrab(hit.body, hit.point);
    return true;
  }

  // True: a finger helps the hand that holds a whole body, unless it is on another body.
  assist(key: HandKey, clientX: number, clientY: number): boolean {
    const world = this.world();
    const hand = this.wholeHand();
    if (!world || !hand || this.helpers.size >= 2) return false;
    const hit = this.find(world, clientX, clientY, 0);
    if (hit && hit.body !== hand.body) return false;
    const does = [...this.helpers.values()].some((other) => other.does === "turns") ? "pushes" : "turns";
    this.helpers.set(key, { does, x: clientX, y: clientY });
    return true;
  }

  private wholeHand(): Hand | undefined {
    return [...this.hands.values()].find((hand) => hand.whole);
  }

  private help(key: HandKey, clientX: number, clientY: number): boolean {
    const helper = this.helpers.get(key);
    if (!helper) return false;
    const [right, up] = [clientX - helper.x, helper.y - clientY];
    helper.x = clientX;
    helper.y = clientY;
    const world = this.world();
    const hand = this.wholeHand();
    if (!world || !hand) return true;
    if (helper.does === "turns") this.turn(hand, world, right, up);
    else this.push(up);
    return true;
  }

  // A hand could begin here.
  reaches(clientX: number, clientY: number, reachPixels: number): boolean {
    const world = this.world();
    return world !== null && this.find(world, clientX, clientY, reachPixels) !== null;
  }

  // What is at a place of the screen, or else what is nearest to the eye on the smallest ring
  // around it that meets a body.
  private find(world: WorldView, x: number, y: number, reachPixels: number): BodyHit | null {
    const at = (dx: number, dy: number): BodyHit | null => {
      const hit = world.pick(world.stage.ray(x + dx, y + dy));
      return hit && canTake(world.bodies[hit.body].info) ? hit : null;
    };
    let best = at(0, 0);
    for (let ring = 1; ring <= rings && !best && reachPixels > 0; ++ring) {
      const radius = (reachPixels * ring) / rings;
      for (let k = 0; k < raysOfRing; ++k) {
        const angle = (2 * Math.PI * k) / raysOfRing;
        const hit = at(radius * Math.cos(angle), radius * Math.sin(angle));
        if (hit && (!best || hit.distance < best.distance)) best = hit;
      }
    }
    return best;
  }

  private take(world: WorldView, hit: BodyHit, slot: number, ray: THREE.Ray): Hand {
    const view = world.bodies[hit.body];
    const at = view.worldPoint(hit.point);
    const forward = world.stage.camera.getWorldDirection(new THREE.Vector3());
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(forward, hit.place);
    const pointed = ray.intersectPlane(plane, new THREE.Vector3()) ?? hit.place;
    return {
      slot,
      body: hit.body,
      point: hit.point,
      plane,
      target: at.clone(),
      offset: at.clone().sub(pointed),
      moved: false,
      whole: view.info.edits.pose ? wholeBody(view.group, at) : null,
      pointer: { x: 0, y: 0 },
    };
  }

  move(key: HandKey, clientX: number, clientY: number): void {
    if (this.help(key, clientX, clientY)) return;
    const hand = this.hands.get(key);
    const world = this.world();
    if (!hand || !world) return;
    const right = clientX - hand.pointer.x;
    const up = hand.pointer.y - clientY;
    hand.pointer = { x: clientX, y: clientY };
    const ray = world.stage.ray(clientX, clientY);
    if (this.turning && hand.whole) {
      this.turn(hand, world, right, up);
      // Where the pointer is when it no longer turns.
      const shown = ray.intersectPlane(hand.plane, new THREE.Vector3());
      if (shown) hand.offset.copy(hand.target).sub(shown);
      return;
    }
    const place = ray.intersectPlane(hand.plane, new THREE.Vector3());
    if (!place) return;
    if (hand.whole) {
      const step = place.clone().sub(hand.target).add(hand.offset);
      hand.target.addScaledVector(step, this.scaleOf(hand));
      hand.offset.copy(hand.target).sub(place);
    } else {
      hand.target.copy(place).add(hand.offset);
    }
    hand.moved = true;
    this.flush();
  }

  // Of the way of a hand to what is shown to it.
  private scaleOf({ whole }: Hand): number {
    return !whole ? 1 : this.indexing ? 0 : this.scale;
  }

  // In pixels of the screen.
  nudge(key: HandKey, right: number, up: number): void {
    const hand = this.hands.get(key);
    const world = this.world();
    if (!hand || !world) return;
    const { camera } = world.stage;
    const unit = world.stage.unitAt(hand.target);
    const axis = (column: number) => new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, column);
    const way = unit * this.scaleOf(hand);
    hand.target.addScaledVector(axis(0), right * way).addScaledVector(axis(1), up * way);
    hand.moved = true;
    this.flush();
  }

  // Turns a body that is held whole, in pixels of a pointer.
  roll(key: HandKey, right: number, up: number): void {
    const hand = this.hands.get(key);
    const world = this.world();
    if (hand && world) this.turn(hand, world, right, up);
  }

  // About the point that is held, as if the pointer rolled a ball.
  private turn(hand: Hand, world: WorldView, right: number, up: number): void {
    if (!hand.whole || this.indexing) return;
    const { matrixWorld } = world.stage.camera;
    const axis = (column: number) => new THREE.Vector3().setFromMatrixColumn(matrixWorld, column);
    const about = axis(1).multiplyScalar(right).addScaledVector(axis(0), -up);
    const angle = about.length() / pixelsOfRadian;
    if (angle === 0) return;
    const step = new THREE.Quaternion().setFromAxisAngle(about.normalize(), angle);
    hand.whole.rotation.premultiply(step);
    hand.whole.offset.applyQuaternion(step);
    hand.moved = true;
    this.flush();
  }

  // Away from the eye, in pixels.
  push(pixels: number): void {
    const world = this.world();
    if (!world) return;
    for (const hand of this.hands.values()) {
      const way = pixels * world.stage.unitAt(hand.target) * this.scaleOf(hand);
      const step = hand.plane.normal.clone().multiplyScalar(way);
      hand.plane.translate(step);
      hand.target.add(step);
      hand.moved = true;
    }
    this.flush();
  }

  end(key: HandKey): void {
    this.helpers.delete(key);
    const hand = this.hands.get(key);
    if (!hand) return;
    this.hands.delete(key);
    if (!hand.whole) {
      this.session.send({ type: "release", slot: hand.slot });
      return;
    }
    // Let go: what holds it goes to where the body is, and pulls no more.
    const group = this.world()?.bodies[hand.body]?.group;
    if (!group) return;
    const { position, quaternion: q } = group;
    this.session.send({ type: "move", body: hand.body, position: position.toArray(), rotation: [q.w, q.x, q.y, q.z] });
  }

  endAll(): void {
    for (const key of [...this.hands.keys()]) this.end(key);
  }

  // A pointer reports more often than a command may be sent.
  private readonly flush = throttle(() => {
    for (const hand of this.hands.values()) {
      if (!hand.moved) continue;
      hand.moved = false;
      this.sendHand(hand);
    }
  }, 14);

  private sendHand({ slot, body, point, target: drawn, whole }: Hand): boolean {
    const stiffness = this.springs[body] ?? 0;
    const target = this.world()?.bodies[body]?.actualPlace(point, drawn) ?? drawn;
    if (whole) {
      const position = target.clone().add(whole.offset).toArray();
      const { w, x, y, z } = whole.rotation;
      return this.session.send({ type: "move", body, position, rotation: [w, x, y, z] });
    }
    return this.session.send({ type: "pull", slot, body, point, target: target.toArray(), stiffness });
  }

  private freeSlot(): number {
    const used = new Set([...this.hands.values()].map((hand) => hand.slot));
    for (let slot = 0; slot < limits.slots; ++slot) if (!used.has(slot)) return slot;
    return -1;
  }
}

function wholeBody(object: THREE.Object3D, at: THREE.Vector3): Hand["whole"] {
  const { position, quaternion } = object;
  return { offset: position.clone().sub(at), rotation: quaternion.clone() };
}
