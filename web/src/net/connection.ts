// SPDX-License-Identifier: MIT
// The WebSocket to the server: it comes back by itself when it is lost.
import { type Frame, decodeFrame } from "../protocol/frames.ts";
import {
  type Command,
  type ServerMessage,
  parseServerMessage,
  protocolVersion,
} from "../protocol/messages.ts";
import { MessageError } from "../protocol/schema.ts";
import { Signal } from "../state/signal.ts";

export type ConnectionState =
  | { kind: "connecting" }
  | { kind: "open" }
  | { kind: "lost"; reason: string; attempt: number }; // a sentence of the server, or empty

export interface ConnectionHandler {
  message(message: ServerMessage): void;
  frame(frame: Frame, bytes: ArrayBuffer): void;
  unreadable(problem: string): void;
}

const firstDelay = 300; // ms
const longestDelay = 4000;
const silence = 8000; // the server sends something every two seconds at least

export class Connection {
  readonly state = new Signal<ConnectionState>({ kind: "connecting" });
  received = 0; // bytes
  private socket: WebSocket | null = null;
  private attempt = 0;
  private lastHeard = 0;

  constructor(
    private readonly url: string,
    private readonly handler: ConnectionHandler,
  ) {
    this.connect();
    window.setInterval(() => this.checkSilence(), 1000);
    window.addEventListener("online", () => this.retry());
    // A page that is left steers no more, even if the browser keeps it for the way back.
    window.addEventListener("pagehide", () => this.leave());
    window.addEventListener("pageshow", () => this.retry());
  }

  private leave(): void {
    const { socket } = this;
    this.socket = null;
    socket?.close();
    this.state.value = { kind: "lost", reason: "", attempt: ++this.attempt };
  }

  send(command: Command): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(command));
    return true;
  }

  // At once, if the connection is lost.
  retry(): void {
    if (this.state.value.kind === "lost" && !this.socket) this.connect();
  }

  private connect(): void {
    const socket = new WebSocket(this.url, `pliant.${protocolVersion}`);
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.lastHeard = performance.now();
      this.send({ type: "hello", protocol: protocolVersion, rate: 60 });
    };
    socket.onmessage = (event) => {
      this.lastHeard = performance.now();
      this.hear(event.data);
    };
    socket.onclose = (event) => {
      if (this.socket === socket) this.lost(event.reason);
    };
  }

  private hear(data: string | ArrayBuffer): void {
    try {
      if (typeof data === "string") {
        this.received += data.length;
        const message = parseServerMessage(data);
        if (message.type === "hello") {
          this.attempt = 0;
          this.state.value = { kind: "open" };
        }
        this.handler.message(message);
      } else {
        this.received += data.byteLength;
        this.handler.frame(decodeFrame(data), data);
      }
    } catch (problem) {
      if (!(problem instanceof MessageError)) throw problem;
      this.handler.unreadable(problem.message);
    }
  }

  private lost(reason: string): void {
    this.socket = null;
    const delay = Math.min(longestDelay, firstDelay * 2 ** this.attempt++);
    this.state.value = { kind: "lost", reason, attempt: this.attempt };
    window.setTimeout(() => this.retry(), delay);
  }

  // A cable that was pulled closes nothing.
  private checkSilence(): void {
    const socket = this.socket;
    if (socket?.readyState !== WebSocket.OPEN || performance.now() - this.lastHeard < silence) return;
    this.socket = null;
    socket.close();
    this.lost("");
  }
}
