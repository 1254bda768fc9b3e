// SPDX-License-Identifier: MIT
// The HTTP side of the server. All addresses are relative to the page and carry its token.
import {
  type GalleryEntry,
  type Refusal,
  type Uploaded,
  parseGallery,
  parseRefusal,
  parseUploaded,
} from "../protocol/messages.ts";

// What went wrong and what to do about it, for the user.
export class ApiError extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

export class Api {
  private readonly token = new URLSearchParams(location.search).get("token");

  // `path` begins with a slash.
  url(path: string): string {
    const url = new URL(`.${path}`, new URL(".", location.href));
    if (this.token !== null) url.searchParams.set("token", this.token);
    return url.href;
  }

  get socketUrl(): string {
    return this.url("/ws").replace(/^http/, "ws");
  }

  async gallery(): Promise<GalleryEntry[]> {
    const response = await this.fetch("/api/scenes");
    return parseGallery(await response.text());
  }

  // Bytes of a file that the server has.
  async file(path: string): Promise<Blob> {
    return (await this.fetch(path)).blob();
  }

  async sendPicture(scene: string, jpeg: Blob): Promise<void> {
    await this.fetch(`/api/picture/${encodeURIComponent(scene)}`, { method: "POST", body: jpeg });
  }

  // An own scene goes, with its files.
  async forget(scene: string): Promise<void> {
    await this.fetch(`/api/forget/${encodeURIComponent(scene)}`, { method: "POST" });
  }

  async upload(file: File): Promise<Uploaded> {
    const path = `/api/mesh?name=${encodeURIComponent(file.name)}`;
    const response = await this.fetch(path, { method: "POST", body: file });
    return parseUploaded(await response.text());
  }

  // The mesh that `pliant play` was given.
  async givenMesh(name: string): Promise<File> {
    return new File([await this.file("/api/file")], name);
  }

  private async fetch(path: string, init?: RequestInit): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(this.url(path), init);
    } catch {
      throw new ApiError({
        code: "unreachable",
        message: "The server does not answer.",
        advice: "See whether `pliant play` is still running, then try again.",
      });
    }
    if (response.ok) return response;
    throw new ApiError(refusalOf(response.status, await response.text()));
  }
}

function refusalOf(status: number, text: string): Refusal {
  try {
    return parseRefusal(text);
  } catch {
    const advice =
      status === 401 || status === 403
        ? "Open the address that `pliant play` printed, with its token."
        : "Try again; the terminal of `pliant play` may say more.";
    return { code: String(status), message: `The server refused (${status}).`, advice };
  }
}
