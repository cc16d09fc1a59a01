/** The nodes over time: how far each lies from the median of all, as a picture of all of them and a table of the worst. */
import type { History, NodeValues, Series, System } from "../data";
import { h, table, type Child } from "../dom";
import { day, plural, share, valueText } from "../format";
import { address, currentRoute, link } from "../route";
import { findSeries, gain, nodesText, seriesDetail, seriesTitle, trendAddress } from "../series";
import { seriesChooser, systemChooser } from "./trend";

const TABLE_COLUMNS = 12;
const PICTURE_COLUMNS = 96;
const ROWS = 25;
const STEPS = [0.01, 0.02, 0.05, 0.1];  // from where on a cell is one shade deeper

interface Bin { from: number; to: number; label: string }
interface Grid { bins: Bin[]; cells: Float64Array[] }  // of each node a row of gains; NaN: not measured

/** " · pod-a"; nothing where the inventory states no pod. */
const podText = (system: System, node: number): string => (system.nodes[node].pod ? ` · ${system.nodes[node].pod}` : "");

/** Equal spans of time, whole days, that cover the campaigns with values. */
function binsOf(from: number, to: number, most: number): Bin[] {
  const days = Math.max(1, Math.ceil((to - from + 1) / 86_400 / most));
  const width = days * 86_400;
  const bins: Bin[] = [];
  for (let at = Math.floor(from / 86_400) * 86_400; at <= to; at += width) bins.push({ from: at, to: at + width, label: day(at) });
  return bins;
}

function medianOf(sorted: Float64Array): number {
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Of each node and span the median of its values, as a gain over `centre`. Millions of values: without objects. */
function gridOf(series: Series, values: NodeValues, centre: number, nodes: number, most: number): Grid {
  const { campaigns } = series.system;
  const { campaign, place, value, leftOut } = values;
  const bins = binsOf(campaigns[campaign[0]].created, campaigns[campaign[campaign.length - 1]].created, most);
  const width = bins[0].to - bins[0].from;
  const binOf = Uint16Array.from(campaigns, (each) => Math.max(0, Math.floor((each.created - bins[0].from) / width)));
  const ends = new Uint32Array(nodes * bins.length + 1);
  for (let i = 0; i < value.length; i++) if (!leftOut.has(i)) ends[place[i] * bins.length + binOf[campaign[i]] + 1]++;
  for (let i = 1; i < ends.length; i++) ends[i] += ends[i - 1];
  const sorted = new Float64Array(ends[ends.length - 1]);
  const next = ends.slice();
  for (let i = 0; i < value.length; i++) if (!leftOut.has(i)) sorted[next[place[i] * bins.length + binOf[campaign[i]]]++] = value[i];
  const cells = Array.from({ length: nodes }, (_, node) => Float64Array.from(bins, (__, bin) => {
    const key = node * bins.length + bin;
    const own = sorted.subarray(ends[key], ends[key + 1]);
    return own.length === 0 ? NaN : gain(series, medianOf(own.length > 1 ? own.sort() : own) / centre - 1);
  }));
  return { bins, cells };
}

function shadeOf(value: number): number {
  let shade = 0;
  for (const step of STEPS) if (Math.abs(value) >= step) shade += 1;
  return value < 0 ? -shade : shade;
}
const shadeClass = (shade: number): string => (shade === 0 ? "h0" : shade < 0 ? `worse${-shade}` : `better${shade}`);

const NAMED_ROWS = 120;   // as many rows are high enough for a name
const WIDEST_CELL = 120;  // px

/** All nodes at once: a column for each span, a row for each node, with its name where there is room. */
function picture(system: System, series: Series, grid: Grid, order: number[]): HTMLElement {
  const columns = grid.bins.length, rows = order.length;
  const named = rows <= NAMED_ROWS;
  const height = named ? 14 : rows > 400 ? 1 : 2;
  // A pixel for each cell, which the browser enlarges.
  const canvas = h("canvas", { role: "img", width: columns, height: rows,
    "aria-label": `${plural(rows, "node")} from ${grid.bins[0].label} to ${day(grid.bins[columns - 1].to)}, in the order of the table; the table below has the numbers of the worst` });
  const says = h("p", { class: "reading" }, "Point at the picture to read it; click a row to open the node.");
  const draw = (): void => {
    const style = getComputedStyle(document.documentElement);
    const colour = (shade: number): string => style.getPropertyValue(`--${shadeClass(shade)}`).trim();
    const colours = new Map(Array.from({ length: 9 }, (_, i) => [i - 4, colour(i - 4)] as const));
    const ctx = canvas.getContext("2d")!;
    ctx.clearRect(0, 0, canvas.width, canvas.height);
    order.forEach((node, row) => grid.cells[node].forEach((value, column) => {
      if (Number.isNaN(value)) return;
      ctx.fillStyle = colours.get(shadeOf(value))!;
      ctx.fillRect(column, row, 1, 1);
    }));
  };
  const at = (event: MouseEvent): [row: number, column: number] => {
    const box = canvas.getBoundingClientRect();
    return [Math.floor((event.clientY - box.top) / box.height * rows), Math.floor((event.clientX - box.left) / box.width * columns)];
  };
  canvas.addEventListener("mousemove", (event) => {
    const [row, column] = at(event);
    const node = order[row];
    if (node === undefined || !grid.bins[column]) return;
    const value = grid.cells[node][column];
    says.replaceChildren(h("b", {}, system.nodes[node].name), podText(system, node), ` · from ${grid.bins[column].label} · `, Number.isNaN(value) ? "not measured" : `${share(value)} ${value < 0 ? "worse" : "better"} than the median of all`);
  });
  canvas.addEventListener("click", (event) => { const node = order[at(event)[0]]; if (node !== undefined) location.hash = trendAddress(series, system.nodes[node].name); });
  queueMicrotask(draw);
  canvas.style.height = `${rows * height}px`;
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { if (canvas.isConnected) draw(); });
  const first = grid.bins[0].label, newest = day(grid.bins[columns - 1].to - 86_400);
  const cells = h("div", { class: "cells" }, canvas, h("div", { class: "ends small muted" }, h("span", {}, first), newest === first ? null : h("span", {}, newest)));
  cells.style.maxWidth = `${columns * WIDEST_CELL}px`;
  const names = named ? h("ul", { class: "names muted", "aria-hidden": "true" }, order.map((node) => h("li", {}, system.nodes[node].name))) : null;
  return h("figure", { class: "heat" }, h("div", { class: "picture" }, names, cells), scale(), says);
}

function scale(): HTMLElement {
  const text = ["less than 1 %", "1 %", "2 %", "5 %", "10 %"];
  const cells = [-4, -3, -2, -1, 0, 1, 2, 3, 4].map((shade) => h("li", {}, h("i", { class: `swatch ${shadeClass(shade)}`, "aria-hidden": "true" }), shade === 0 ? "±1 %" : `${shade < 0 ? "▼" : "▲"} ${text[Math.abs(shade)]}`));
  return h("ul", { class: "legend scale", "aria-label": "Shades: how much worse (orange, ▼) or better (blue, ▲) than the median of all" }, h("li", {}, "worse"), cells, h("li", {}, "better"));
}

function worstTable(system: System, series: Series, grid: Grid, order: number[], rows: number): Child {
  const shown = order.slice(0, rows);
  const last = grid.bins.length;
  const made = table(`The nodes with the lowest last value, in per cent against the median of all`, [["Node"], ...grid.bins.map((bin): [Child, boolean] => [bin.label.slice(2), true]), ["Change points", true]],
    shown.map((node) => {
      const checked = series.checked.find((each) => each.node === node);
      return h("tr", {}, h("th", { scope: "row" }, link(trendAddress(series, system.nodes[node].name), system.nodes[node].name), system.nodes[node].pod ? h("span", { class: "why" }, system.nodes[node].pod) : null),
        Array.from({ length: last }, (_, i) => grid.cells[node][i]).map((value) => {
          if (Number.isNaN(value)) return h("td", { class: "num none" }, "·");
          const shade = shadeOf(value);
          return h("td", { class: `num cell ${shadeClass(shade)}` }, shade <= -2 ? "▼" : shade >= 2 ? "▲" : "", share(value).replace("\u202f%", ""));
        }),
        h("td", { class: "num" }, checked?.changes.length ? String(checked.changes.length) : "–"));
    }));
  made.classList.add("heat-table");
  requestAnimationFrame(() => { made.scrollLeft = made.scrollWidth; });  // where it scrolls: the newest
  return made;
}

/** How many nodes are slow by the judgement of the newest campaign that measured some beside each other. */
function slowText(system: System, { screened }: Series): string {
  if (!screened) return "The newest campaigns did not measure like nodes beside each other: none is judged.";
  const { id } = system.campaigns[screened.campaign];
  if (screened.unjudged) return `Not judged in ${id}: ${screened.unjudged}.`;
  const { confirmed, suspect } = screened;
  const found = [confirmed && `${confirmed} confirmed by repeats`, suspect && `${suspect} suspect`].filter(Boolean).join(", ");
  return `Slow beside like nodes in ${id}: ${found ? `${confirmed + suspect} of ${screened.nodes} (${found})` : `none of ${screened.nodes}`}.`;
}

async function heatMap(history: History, system: System, series: Series): Promise<Child[]> {
  const { query } = currentRoute();
  const values = await series.values();
  const good = values.leftOut.size === 0 ? values.value.slice() : values.value.filter((_, i) => !values.leftOut.has(i));
  const head: Child[] = [h("p", { class: "eyebrow" }, system.name), h("h1", {}, "Nodes: ", seriesTitle(series)), h("p", { class: "muted" }, seriesDetail(series)),
    h("div", { class: "controls" }, systemChooser(history, system, "nodes"), seriesChooser(system, series, "nodes"))];
  if (good.length === 0) return [...head, h("p", {}, "No value of this series counts.")];
  const centre = medianOf(good.sort());
  const count = system.nodes.length;
  const wide = gridOf(series, values, centre, count, PICTURE_COLUMNS);
  const narrow = gridOf(series, values, centre, count, TABLE_COLUMNS);
  const lastOf = (row: Float64Array): number => { for (let i = row.length - 1; i >= 0; i--) if (!Number.isNaN(row[i])) return row[i]; return NaN; };
  const lasts = narrow.cells.map(lastOf);
  const measured = system.nodes.map((_, i) => i).filter((i) => !Number.isNaN(lasts[i]));
  const sort = query.get("sort") ?? "";
  const compare = (a: string, b: string): number => a.localeCompare(b, "en", { numeric: true });
  const names = (a: number, b: number): number => compare(system.nodes[a].name, system.nodes[b].name);
  const pods = (a: number, b: number): number => compare(system.nodes[a].pod, system.nodes[b].pod) || names(a, b);
  const order = [...measured].sort(sort === "name" ? names : sort === "pod" ? pods : (a, b) => lasts[a] - lasts[b]);
  const orders = [["", "Worst first"], ["name", "By name"], ...(system.nodes.some((each) => each.pod) ? [["pod", "By pod"]] : [])];
  const rows = Math.max(1, Math.min(1000, Number(query.get("rows")) || ROWS));
  const to = (more: Record<string, string | number | undefined>): string => address(["nodes", system.name, series.key], { sort: sort || undefined, ...more });
  return [...head,
    h("p", {}, `${plural(measured.length, "node")} measured; the median of all values is `, h("b", {}, valueText(centre, series)), `. ${slowText(system, series)}`),
    history.nodeValuesFrom > 0 ? h("p", { class: "notice" }, `Values of single nodes before ${day(history.nodeValuesFrom)} are not in this page.`) : null,
    picture(system, series, wide, order),
    h("p", { class: "actions" }, orders.filter(([key]) => key !== sort).map(([key, text]) => [link(to({ sort: key || undefined }), text), " "])),
    h("p", { class: "small muted" }, `Per cent against the median of all values, the first day of each span above it${sort ? "" : "; the lowest last value first"}.`),
    worstTable(system, series, narrow, order, rows),
    order.length > rows ? h("p", { class: "actions" }, link(to({ rows: rows + 100 }), `Show ${Math.min(100, order.length - rows)} more of ${order.length}`)) : null];
}

export async function nodesView(history: History, path: string[]): Promise<Child[]> {
  const system = history.systems.find((each) => each.name === path[0]) ?? history.systems[0];
  if (!system) return [h("h1", {}, "Nodes"), h("p", {}, "This workspace has no campaign yet.")];
  const each = system.series.filter((series) => series.nodes === 1);
  const given = path[1] === undefined ? undefined : findSeries(system, path[1]);
  if (given && given.nodes !== 1)
    return [h("p", { class: "eyebrow" }, system.name), h("h1", {}, "Nodes: ", seriesTitle(given)), h("p", {}, `This series is of ${nodesText(given)}: it has no values of single nodes. `, link(trendAddress(given), "Its trend"))];
  const series = given ?? each.filter((one) => one.headline).sort((a, b) => b.levels.n.reduce((x, y) => x + y, 0) - a.levels.n.reduce((x, y) => x + y, 0))[0] ?? each[0];
  if (!series) return [h("p", { class: "eyebrow" }, system.name), h("h1", {}, "Nodes"), h("div", { class: "controls" }, systemChooser(history, system, "nodes")), h("p", {}, "No campaign measured single nodes.")];
  return heatMap(history, system, series);
}
