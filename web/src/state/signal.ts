// SPDX-License-Identifier: MIT
// A value that others follow.

export class Signal<T> {
  private readonly followers = new Set<(value: T) => void>();

  constructor(private current: T) {}

  get value(): T {
    return this.current;
  }

  set value(next: T) {
    if (Object.is(next, this.current)) return;
    this.current = next;
    this.notify();
  }

  // For a value that was changed in place.
  notify(): void {
    for (const follower of [...this.followers]) follower(this.current);
  }

  // Called now and after every change, until the returned function is called.
  follow(follower: (value: T) => void): () => void {
    this.followers.add(follower);
    follower(this.current);
    return () => this.followers.delete(follower);
  }
}

// At most one call in `milliseconds`; the last one is never lost.
export function throttle<A extends unknown[]>(
  call: (...args: A) => void,
  milliseconds: number,
): (...args: A) => void {
  let waiting: A | null = null;
  let timer = 0;
  const run = () => {
    timer = 0;
    if (!waiting) return;
    const args = waiting;
    waiting = null;
    timer = window.setTimeout(run, milliseconds);
    call(...args);
  };
  return (...args) => {
    waiting = args;
    if (timer === 0) run();
  };
}
