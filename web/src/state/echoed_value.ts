// SPDX-License-Identifier: MIT
// A value that the user puts in and the server echoes. Echoes come late: after an input those of
// earlier inputs are not taken, until one says what was put in last, or until the user has rested
// for a while: then the server means what it says, it may have limited the value.

export class EchoedValue {
  private pending = false;
  private ignored: number | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private current: number,
    private readonly same: (a: number, b: number) => boolean,
    private readonly onTake: (value: number) => void,
    private readonly rest = 2000, // ms
  ) {}

  get value(): number {
    return this.current;
  }

  put(value: number): void {
    this.current = value;
    this.pending = true;
    this.ignored = null;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.settle(), this.rest);
  }

  hear(value: number): void {
    if (this.pending && !this.same(value, this.current)) {
      this.ignored = value;
      return;
    }
    this.pending = false;
    clearTimeout(this.timer);
    this.take(value);
  }

  private settle(): void {
    this.pending = false;
    if (this.ignored !== null) this.take(this.ignored);
  }

  private take(value: number): void {
    this.ignored = null;
    this.current = value;
    this.onTake(value);
  }
}
