/** Elements without a framework. Texts become text nodes: nothing of the data is ever read as HTML. */

export type Child = Node | string | number | null | undefined | false | Child[];
type Attributes = Record<string, string | number | boolean | undefined | ((event: Event) => void)>;

function append(parent: Element, child: Child): void {
  if (child === null || child === undefined || child === false) return;
  if (Array.isArray(child)) for (const each of child) append(parent, each);
  else parent.append(child instanceof Node ? child : String(child));
}

function filled<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  return filled(document.createElement(tag), attributes, children);
}
export function svg(tag: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/** The tabulator key stops at a region only while it scrolls. */
const stops = new ResizeObserver((entries) => {
  for (const { target } of entries)
    if (target.scrollWidth > target.clientWidth) target.setAttribute("tabindex", "0"); else target.removeAttribute("tabindex");
});

/** A table within a region that scrolls by itself. Its columns: heading, and whether it holds numbers. */
export function table(caption: string, columns: [heading: Child, numbers?: boolean][], rows: Child[], options: { stack?: boolean } = {}): HTMLElement {
  const region = h("div", { class: "scroll", role: "region", "aria-label": caption },
    h("table", { class: options.stack ? "stack" : undefined }, h("caption", {}, caption),
      h("thead", {}, h("tr", {}, columns.map(([heading, numbers]) => h("th", { scope: "col", class: numbers ? "num" : undefined }, heading)))),
      h("tbody", {}, rows)));
  stops.observe(region);
  return region;
}

let last = 0;
export const uniqueId = (prefix: string): string => `${prefix}-${++last}`;
