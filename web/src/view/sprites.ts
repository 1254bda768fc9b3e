// SPDX-License-Identifier: MIT
// Small pictures made with a 2D canvas: markers and the labels of forces.
import * as THREE from "three";

function canvasOf(width: number, height: number): CanvasRenderingContext2D {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("no 2D canvas");
  return context;
}

export function diamondTexture(): THREE.Texture {
  const size = 32;
  const draw = canvasOf(size, size);
  draw.fillStyle = "white";
  draw.beginPath();
  draw.moveTo(size / 2, 1);
  draw.lineTo(size - 1, size / 2);
  draw.lineTo(size / 2, size - 1);
  draw.lineTo(1, size / 2);
  draw.fill();
  return new THREE.CanvasTexture(draw.canvas);
}

// Text on a rounded plate, of constant size on the screen.
export class Label {
  readonly sprite: THREE.Sprite;
  private readonly draw = canvasOf(256, 64);
  private readonly texture = new THREE.CanvasTexture(this.draw.canvas);
  private text = "";
  private height = 0;

  constructor(private readonly colour: string) {
    this.texture.colorSpace = THREE.SRGBColorSpace;
    this.texture.generateMipmaps = false;
    this.texture.minFilter = THREE.LinearFilter;
    this.sprite = new THREE.Sprite(
      new THREE.SpriteMaterial({
        map: this.texture,
        depthTest: false,
        sizeAttenuation: false,
        toneMapped: false,
      }),
    );
    this.sprite.center.set(0.5, -0.35);
    this.sprite.renderOrder = 10;
  }

  // Height on the screen in radians of the field of view.
  setHeight(height: number): void {
    const { canvas } = this.draw;
    this.height = height;
    this.sprite.scale.set((canvas.width / canvas.height) * height, height, 1);
  }

  set(text: string): void {
    if (text === this.text) return;
    this.text = text;
    const { draw } = this;
    const { canvas } = draw;
    const font = "600 34px Inter, system-ui, sans-serif";
    draw.font = font;
    const half = draw.measureText(text).width / 2 + 18;
    const width = Math.max(256, 64 * Math.ceil((2 * half + 8) / 64));
    if (canvas.width !== width) this.texture.dispose(); // one of another size
    canvas.width = width; // empties it
    const { height } = canvas;
    draw.font = font;
    draw.textAlign = "center";
    draw.textBaseline = "middle";
    draw.fillStyle = this.colour;
    draw.beginPath();
    draw.roundRect(width / 2 - half, 4, 2 * half, height - 8, 28);
    draw.fill();
    draw.fillStyle = "white";
    draw.fillText(text, width / 2, height / 2 + 2);
    this.texture.needsUpdate = true;
    this.setHeight(this.height);
  }

  dispose(): void {
    this.texture.dispose();
    this.sprite.material.dispose();
  }
}
