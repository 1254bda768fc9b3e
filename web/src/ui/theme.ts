// SPDX-License-Identifier: MIT
// Light or dark: as the system says, until the user says otherwise.
import { Signal } from "../state/signal.ts";
import type { StageColours } from "../view/stage.ts";

export type Theme = "light" | "dark";
const key = "pliant.theme";
const system = window.matchMedia("(prefers-color-scheme: dark)");

function chosen(): Theme | null {
  const value = localStorage.getItem(key);
  return value === "light" || value === "dark" ? value : null;
}

export const theme = new Signal<Theme>(chosen() ?? (system.matches ? "dark" : "light"));
theme.follow((value) => (document.documentElement.dataset.theme = value));
system.addEventListener("change", ({ matches }) => {
  if (!chosen()) theme.value = matches ? "dark" : "light";
});

export function switchTheme(): void {
  theme.value = theme.value === "dark" ? "light" : "dark";
  localStorage.setItem(key, theme.value);
}

// The scene's own background counts in the light theme.
export function stageColours(value: Theme, background: string | undefined): StageColours {
  if (value === "dark") return { top: "#20252d", bottom: "#101318", grid: "#56606e", dark: true };
  const bottom = background ?? "#f4f5f7";
  return { top: "#ffffff", bottom, grid: "#8d97a5", dark: false };
}
