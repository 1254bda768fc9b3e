// SPDX-License-Identifier: MIT
// Are the positions that this GPU computes those that the CPU computes? Every point is drawn into a
// pixel of its own that takes its position as colour, by the very shader code that draws the body.
import * as THREE from "three";
import type { BodyView } from "./body_view.ts";

export interface GpuCheck {
  points: number;
  largest: number; // difference of a position [m]
  displacement: number; // largest one [m]
  allowed: number; // by half precision [m]
}

export function gpuPositions(renderer: THREE.WebGLRenderer, view: BodyView): Float32Array {
  const points = view.asset.surface.X.length / 3;
  const width = Math.min(points, 2048);
  const height = Math.ceil(points / width);
  const target = new THREE.WebGLRenderTarget(width, height, {
    type: THREE.FloatType,
    format: THREE.RGBAFormat,
    minFilter: THREE.NearestFilter,
    magFilter: THREE.NearestFilter,
    depthBuffer: false,
  });
  const { shader } = view.deformation;
  const material = new THREE.ShaderMaterial({
    glslVersion: THREE.GLSL3,
    uniforms: { ...shader?.uniforms, size: { value: new THREE.Vector2(width, height) } },
    vertexShader: `
${shader?.declarations ?? "vec3 shapePosition(vec3 rest) { return rest; }"}
uniform vec2 size;
out vec3 moved;
void main() {
  moved = shapePosition(position);
  float p = float(gl_VertexID);
  vec2 pixel = vec2(mod(p, size.x), floor(p / size.x)) + 0.5;
  gl_Position = vec4(2.0 * pixel / size - 1.0, 0.0, 1.0);
  gl_PointSize = 1.0;
}`,
    fragmentShader: `
in vec3 moved;
layout(location = 0) out vec4 result;
void main() { result = vec4(moved, 1.0); }`,
  });
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", view.mesh.geometry.getAttribute("position"));
  const cloud = new THREE.Points(geometry, material);
  cloud.frustumCulled = false;
  const scene = new THREE.Scene();
  scene.add(cloud);
  const before = renderer.getRenderTarget();
  renderer.setRenderTarget(target);
  renderer.clear();
  renderer.render(scene, new THREE.Camera());
  const pixels = new Float32Array(4 * width * height);
  renderer.readRenderTargetPixels(target, 0, 0, width, height, pixels);
  renderer.setRenderTarget(before);
  target.dispose();
  material.dispose();
  const x = new Float32Array(3 * points);
  for (let p = 0; p < points; ++p) x.set(pixels.subarray(4 * p, 4 * p + 3), 3 * p);
  return x;
}

// Half precision keeps 11 bits: each column of U is off by 2^-12 of its largest entry at most.
export function checkGpu(renderer: THREE.WebGLRenderer, view: BodyView): GpuCheck {
  const x = gpuPositions(renderer, view);
  const expected = view.deformation.positions();
  const { X, U } = view.asset.surface;
  let largest = 0;
  let displacement = 0;
  let size = 0;
  for (let k = 0; k < x.length; k += 3) {
    const off = Math.hypot(x[k] - expected[k], x[k + 1] - expected[k + 1], x[k + 2] - expected[k + 2]);
    const moved = Math.hypot(expected[k] - X[k], expected[k + 1] - X[k + 1], expected[k + 2] - X[k + 2]);
    largest = Math.max(largest, Number.isNaN(off) ? Infinity : off);
    displacement = Math.max(displacement, moved);
    size = Math.max(size, Math.abs(X[k]), Math.abs(X[k + 1]), Math.abs(X[k + 2]));
  }
  let allowed = size * 2 ** -22; // of single precision
  const c = "c" in view.deformation ? (view.deformation.c as Float32Array) : new Float32Array(0);
  for (let i = 0; i < c.length; ++i) {
    let entry = 0;
    for (const u of U.subarray(i * X.length, (i + 1) * X.length)) entry = Math.max(entry, Math.abs(u));
    allowed += Math.sqrt(3) * Math.abs(c[i]) * entry * 2 ** -12;
  }
  return { points: x.length / 3, largest, displacement, allowed };
}
