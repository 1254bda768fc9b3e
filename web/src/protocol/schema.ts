// SPDX-License-Identifier: MIT
// Checks of JSON that came over the network. A checker takes an unknown value and its place, and
// returns the value with its type or throws; `Checked<typeof checker>` is that type.

export class MessageError extends Error {}

export type Checker<T> = (value: unknown, place: string) => T;
export type Checked<C> = C extends Checker<infer T> ? T : never;

function fail(place: string, expected: string, value: unknown): never {
  const text = JSON.stringify(value) ?? String(value);
  const shown = text.length > 60 ? `${text.slice(0, 57)}...` : text;
  throw new MessageError(`${place}: expected ${expected}, found ${shown}`);
}

export const number: Checker<number> = (value, place) =>
  typeof value === "number" && Number.isFinite(value) ? value : fail(place, "a number", value);

export const integer: Checker<number> = (value, place) =>
  Number.isSafeInteger(value) ? (value as number) : fail(place, "an integer", value);

export const string: Checker<string> = (value, place) =>
  typeof value === "string" ? value : fail(place, "a string", value);

export const boolean: Checker<boolean> = (value, place) =>
  typeof value === "boolean" ? value : fail(place, "true or false", value);

export function literal<const T extends string | number>(...allowed: T[]): Checker<T> {
  return (value, place) =>
    allowed.includes(value as T) ? (value as T) : fail(place, allowed.join(" or "), value);
}

export function nullable<T>(inner: Checker<T>): Checker<T | null> {
  return (value, place) => (value === null ? null : inner(value, place));
}

// A key that may be absent has this value then.
export function absent<T, D>(inner: Checker<T>, otherwise: D): Checker<T | D> {
  return (value, place) => (value === undefined ? otherwise : inner(value, place));
}

export function array<T>(inner: Checker<T>, most = 1_000_000): Checker<T[]> {
  return (value, place) => {
    if (!Array.isArray(value)) return fail(place, "a list", value);
    if (value.length > most) return fail(place, `at most ${most} entries`, value.length);
    return value.map((entry, i) => inner(entry, `${place}[${i}]`));
  };
}

export function range(inner: Checker<number>, from: number, to: number): Checker<number> {
  return (value, place) => {
    const checked = inner(value, place);
    return checked >= from && checked <= to ? checked : fail(place, `${from} to ${to}`, value);
  };
}

export type Vec3 = [number, number, number];
export type Vec4 = [number, number, number, number];

function tuple<T>(count: number): Checker<T> {
  return (value, place) => {
    if (!Array.isArray(value) || value.length !== count) {
      return fail(place, `${count} numbers`, value);
    }
    value.forEach((entry, i) => number(entry, `${place}[${i}]`));
    return value as T;
  };
}
export const vec3 = tuple<Vec3>(3);
export const vec4 = tuple<Vec4>(4);

// Keys that are not named are ignored, so that a later version may add some.
export function object<S extends Record<string, Checker<unknown>>>(
  shape: S,
): Checker<{ [K in keyof S]: Checked<S[K]> }> {
  return (value, place) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return fail(place, "an object", value);
    }
    const found = value as Record<string, unknown>;
    const checked: Record<string, unknown> = {};
    for (const key of Object.keys(shape)) checked[key] = shape[key](found[key], `${place}.${key}`);
    return checked as { [K in keyof S]: Checked<S[K]> };
  };
}

// One of several objects, told apart by their `type`.
export function oneOf<S extends Record<string, Checker<unknown>>>(
  kinds: S,
): Checker<{ [K in keyof S]: { type: K } & Checked<S[K]> }[keyof S]> {
  return (value, place) => {
    const type = (value as { type?: unknown } | null)?.type;
    if (typeof type !== "string" || !Object.hasOwn(kinds, type)) {
      return fail(`${place}.type`, Object.keys(kinds).join(" or "), type);
    }
    return { type, ...(kinds[type](value, type) as object) } as never;
  };
}
