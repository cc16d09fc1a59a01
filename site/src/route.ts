/** The view and all of its state, in the part of the address after `#`. */
import { h, type Child } from "./dom";

export interface Route { path: string[]; query: URLSearchParams }

export function currentRoute(): Route {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?", 2);
  const parts = path.split("/").filter(Boolean).map((part) => {
    try { return decodeURIComponent(part); } catch { return part; }
  });
  return { path: parts, query: new URLSearchParams(query) };
}

export function address(path: string[], query: Record<string, string | number | undefined> = {}): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== "") words.set(name, String(value));
  const text = words.toString();
  return `#/${path.map(encodeURIComponent).join("/")}${text ? `?${text}` : ""}`;
}

export function link(to: string, ...children: Child[]): HTMLAnchorElement {
  return h("a", { href: to }, ...children);
}

let quiet = "";

/** Notes a state in the address without a step in the browser's history, and without drawing the view anew. */
export function note(to: string): void {
  if (location.hash === to) return;
  quiet = to;
  location.replace(to);
}

/** Whether the address is one that was just noted. */
export function isNoted(): boolean {
  const noted = location.hash === quiet;
  quiet = "";
  return noted;
}
