// SPDX-License-Identifier: MIT
// Pictures (PNG) and videos (WebM) of the stage.

export function download(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function fileName(title: string, ending: string): string {
  const name = title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  const time = new Date().toISOString().slice(0, 19).replace(/[:T]/g, "-");
  return `${name || "pliant"}-${time}.${ending}`;
}

// The canvas must have been drawn in the same turn of the event loop. `decorate` draws on top, in
// pixels of the page.
export function picture(
  canvas: HTMLCanvasElement,
  decorate: (draw: CanvasRenderingContext2D, width: number, height: number) => void,
): Promise<Blob> {
  const copy = document.createElement("canvas");
  copy.width = canvas.width;
  copy.height = canvas.height;
  const draw = copy.getContext("2d");
  if (!draw) throw new Error("no 2D canvas");
  draw.drawImage(canvas, 0, 0);
  const scale = canvas.width / canvas.clientWidth;
  draw.scale(scale, scale);
  decorate(draw, canvas.clientWidth, canvas.clientHeight);
  return new Promise((resolve, reject) => {
    copy.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png");
  });
}

export class VideoCapture {
  private readonly recorder: MediaRecorder;
  private readonly parts: Blob[] = [];

  static get supported(): boolean {
    return "MediaRecorder" in window && MediaRecorder.isTypeSupported("video/webm");
  }

  constructor(canvas: HTMLCanvasElement) {
    const codecs = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];
    const mimeType = codecs.find((codec) => MediaRecorder.isTypeSupported(codec)) ?? "";
    this.recorder = new MediaRecorder(canvas.captureStream(60), {
      mimeType,
      videoBitsPerSecond: 12_000_000,
    });
    this.recorder.ondataavailable = ({ data }) => this.parts.push(data);
    this.recorder.start(1000);
  }

  stop(): Promise<Blob> {
    return new Promise((resolve) => {
      this.recorder.onstop = () => {
        for (const track of this.recorder.stream.getTracks()) track.stop();
        resolve(new Blob(this.parts, { type: "video/webm" }));
      };
      this.recorder.stop();
    });
  }
}
