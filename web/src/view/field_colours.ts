// SPDX-License-Identifier: MIT
// Colours of a surface from a number a point: a smooth map with contour lines at the ticks of its
// legend, or one colour a whole number. A point without a value (NaN) is hatched.
import * as THREE from "three";
import { type Rgb, colourMap, palette } from "../math/colour_maps.ts";
import type { ShaderPart } from "./deformation.ts";

const mapSize = 256;

function mapTexture(colour: (t: number) => Rgb): THREE.DataTexture {
  const data = new Uint8Array(4 * mapSize);
  for (let i = 0; i < mapSize; ++i) data.set([...colour(i / (mapSize - 1)), 255], 4 * i);
  const texture = new THREE.DataTexture(data, mapSize, 1);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.minFilter = texture.magFilter = THREE.LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

function categories(colours: string[]): THREE.DataTexture {
  const data = new Uint8Array(4 * mapSize);
  for (let i = 0; i < mapSize; ++i) {
    const hex = parseInt(colours[i % colours.length].slice(1), 16);
    data.set([hex >> 16, (hex >> 8) & 255, hex & 255, 255], 4 * i);
  }
  const texture = new THREE.DataTexture(data, mapSize, 1);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.needsUpdate = true;
  return texture;
}

export type FieldScale =
  | { kind: "none" }
  | { kind: "smooth"; signed: boolean; max: number; step: number } // from 0 or -max to max
  | { kind: "categories"; colours: string[] };

export class FieldColours {
  private readonly maps = {
    plain: mapTexture(colourMap(false)),
    signed: mapTexture(colourMap(true)),
  };
  private categoryMap = categories(palette);
  private readonly uniforms = {
    fieldKind: { value: 0 },
    fieldRange: { value: new THREE.Vector3(0, 1, 1) }, // from, to, distance of the contours
    fieldMap: { value: this.maps.plain as THREE.Texture },
  };

  set(scale: FieldScale): void {
    const { fieldKind, fieldRange, fieldMap } = this.uniforms;
    if (scale.kind === "none") {
      fieldKind.value = 0;
    } else if (scale.kind === "smooth") {
      fieldKind.value = 1;
      fieldMap.value = scale.signed ? this.maps.signed : this.maps.plain;
      fieldRange.value.set(scale.signed ? -scale.max : 0, scale.max, scale.step);
    } else {
      fieldKind.value = 2;
      this.categoryMap.dispose();
      this.categoryMap = categories(scale.colours);
      fieldMap.value = this.categoryMap;
      fieldRange.value.set(-0.5, mapSize - 0.5, 1);
    }
  }

  dispose(): void {
    this.maps.plain.dispose();
    this.maps.signed.dispose();
    this.categoryMap.dispose();
  }

  // Makes a lit material draw the colours, and its vertices move as `shape` says. The geometry has
  // an attribute `field`.
  patch(material: THREE.Material, shape: ShaderPart | null): void {
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms);
      shader.vertexShader = shader.vertexShader
        .replace("#include <common>", "#include <common>\nattribute float field;\nvarying float vField;")
        .replace("#include <begin_vertex>", "vField = field;\n#include <begin_vertex>");
      patchVertex(shader, shape);
      shader.fragmentShader = shader.fragmentShader
        .replace("#include <common>", `#include <common>\n${fragmentDeclarations}`)
        .replace("#include <color_fragment>", "diffuseColor.rgb = fieldColour(diffuseColor.rgb);");
    };
    material.customProgramCacheKey = () => `field ${shape?.key ?? "static"}`;
  }
}

// The vertices move, nothing else changes: for depth, lines and points.
export function patchMoving(material: THREE.Material, shape: ShaderPart | null): void {
  if (!shape) return;
  material.onBeforeCompile = (shader) => patchVertex(shader, shape);
  material.customProgramCacheKey = () => `moving ${shape.key}`;
}

interface Shader {
  uniforms: Record<string, THREE.IUniform>;
  vertexShader: string;
}

function patchVertex(shader: Shader, shape: ShaderPart | null): void {
  if (!shape) return;
  Object.assign(shader.uniforms, shape.uniforms);
  shader.vertexShader = shader.vertexShader
    .replace("#include <common>", `#include <common>\n${shape.declarations}`)
    .replace("#include <beginnormal_vertex>", "vec3 objectNormal = shapeNormal(normal);")
    .replace("#include <begin_vertex>", "vec3 transformed = shapePosition(position);");
}

const fragmentDeclarations = `
uniform int fieldKind;
uniform vec3 fieldRange;
uniform sampler2D fieldMap;
varying float vField;

vec3 fieldColour(vec3 plain) {
  if (fieldKind == 0) return plain;
  if (!(vField == vField)) {
    return mod(floor((gl_FragCoord.x + gl_FragCoord.y) / 6.0), 2.0) < 0.5 ? vec3(0.35) : vec3(0.5);
  }
  float value = fieldKind == 2 ? floor(vField + 0.5) : vField;
  float t = (value - fieldRange.x) / (fieldRange.y - fieldRange.x);
  vec3 colour = texture2D(fieldMap, vec2(clamp(t, 0.0, 1.0), 0.5)).rgb;
  if (fieldKind == 1) {
    float k = vField / fieldRange.z;
    float line = abs(fract(k - 0.5) - 0.5) / max(fwidth(k), 1e-6);
    if (abs(k) > 0.5) colour *= mix(0.55, 1.0, smoothstep(0.6, 1.6, line));
  }
  return colour;
}
`;
