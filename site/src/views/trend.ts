/** One metric over time, or the list of all series of a system. */
import { trendChart, type Step, type TrendChart, type TrendPoint } from "../chart";
import type { History, NodeValues, Series, System } from "../data";
import { h, table, uniqueId, type Child } from "../dom";
import { bareText, day, minute, plural, second, share, valueText } from "../format";
import { happenings, type Happening } from "../happenings";
import { address, currentRoute, link, note } from "../route";
import { campaignAddress, checkedOf, countingRows, findSeries, median, nodesText, references, seriesDetail, seriesTitle, trendAddress, type Reference } from "../series";
import { sparkline } from "../spark";

const MOST_ROWS = 200;
const symbols: Record<Happening["kind"], string> = { change: "↕", environment: "┃", event: "◆", accepted: "○" };
const kinds: Record<Happening["kind"], string> = { change: "Change point", environment: "Environment", event: "Declared", accepted: "Accepted" };

export function seriesChooser(system: System, series: Series, view: string): HTMLElement {
  const id = uniqueId("series");
  const groups = new Map<string, Series[]>();
  for (const each of system.series) groups.set(each.suite_title, [...(groups.get(each.suite_title) ?? []), each]);
  const select = h("select", { id, change: () => { location.hash = address([view, system.name, select.value]); } },
    [...groups].map(([title, all]) => h("optgroup", { label: title }, all.map((each) =>
      h("option", { value: each.key, selected: each === series }, `${each.title} · ${each.implementation} · ${nodesText(each)}${each.parameters ? ` · ${each.parameters.slice(0, 48)}` : ""}`)))));
  return h("label", { for: id, class: "field" }, h("span", {}, "Series"), select);
}

export function systemChooser(history: History, system: System, view: string): Child {
  if (history.systems.length < 2) return null;
  const id = uniqueId("system");
  const select = h("select", { id, change: () => { location.hash = address([view, select.value]); } },
    history.systems.map((each) => h("option", { value: each.name, selected: each === system }, each.name)));
  return h("label", { for: id, class: "field" }, h("span", {}, "System"), select);
}

function medianPoints(series: Series): TrendPoint[] {
  const { levels, system } = series;
  return Array.from(levels.campaign, (campaign, i) => ({
    at: system.campaigns[campaign].created, value: levels.median[i], low: levels.low[i], high: levels.high[i], left: levels.n[i] === 0,
  }));
}

/** The points of one node, and the campaign of each. */
function nodePoints(series: Series, values: NodeValues, node: number): { points: TrendPoint[]; campaigns: number[] } {
  const of = new Map<number, { good: number[]; bad: number[] }>();
  for (let i = 0; i < values.value.length; i++) {
    if (values.place[i] !== node) continue;
    const each = of.get(values.campaign[i]) ?? { good: [], bad: [] };
    (values.leftOut.has(i) ? each.bad : each.good).push(values.value[i]);
    of.set(values.campaign[i], each);
  }
  const campaigns = [...of.keys()];
  return { campaigns, points: campaigns.map((campaign) => {
    const { good, bad } = of.get(campaign)!;
    const shown = good.length > 0 ? good : bad;
    return { at: series.system.campaigns[campaign].created, value: median(shown), low: Math.min(...shown), high: Math.max(...shown), left: good.length === 0 };
  }) };
}

function limitSteps(series: Series): Step[] {
  const { limit, campaign } = series.levels;
  if (!limit) return [];
  const steps: Step[] = [];
  for (let i = 0; i < limit.length; i++) {
    // A campaign without this criterion, such as a scheduled check, changes no limit.
    if (Number.isFinite(limit[i]) && steps[steps.length - 1]?.value !== limit[i]) steps.push({ from: series.system.campaigns[campaign[i]].created, value: limit[i] });
  }
  return steps;
}

function legend(series: Series, has: { limit: boolean; reference: boolean; band: boolean; ranges: boolean; left: boolean }): HTMLElement {
  const item = (css: string, text: string): HTMLElement => h("li", {}, h("i", { class: `key ${css}`, "aria-hidden": "true" }), text);
  return h("ul", { class: "legend" }, item("k-value", "median of a campaign"), has.ranges ? item("k-range", "its lowest to highest") : null, has.left ? item("k-left", "does not count") : null,
    has.limit ? item("k-limit", "limit of the criterion") : null, series.floor !== undefined ? item("k-floor", "floor of scheduled checks") : null, has.reference ? item("k-reference", "accepted reference") : null,
    has.band ? item("k-band", "noise band of scheduled checks") : null);
}

function keyFigures(series: Series, points: TrendPoint[], node: number | undefined, reference: Reference | undefined): HTMLElement {
  const last = points.filter((point) => !point.left).pop();
  const limit = limitSteps(series).pop();
  const checked = checkedOf(series, node);
  const against = (value: number): Child => [valueText(value, series), last ? h("span", { class: "why" }, `last value ${share(last.value / value - 1)}`) : null];
  const fact = (name: string, value: Child): HTMLElement => h("div", {}, h("dt", {}, name), h("dd", {}, value));
  return h("dl", { class: "facts" },
    fact(last ? `Last, ${day(last.at)}` : "Last", last ? h("b", {}, valueText(last.value, series)) : "–"),
    fact("Limit", limit ? against(limit.value) : "none"),
    fact("Accepted reference", reference ? against(reference.value) : "none"),
    series.floor !== undefined ? fact("Floor", against(series.floor)) : null,
    fact("Noise band", checked?.low !== undefined ? `${bareText(checked.low, series)} to ${valueText(checked.high!, series)}` : series.nodes === 1 && node === undefined ? "of each node: choose one" : checked ? checked.checks < 4 ? `needs 4 checks, has ${checked.checks}` : `needs 4 checks since ${checked.reset ? "its baseline was reset" : "its values changed for good"}; ${checked.checks} in all` : "no scheduled checks"),
    fact("Better", series.better ? `${series.better} is better` : "neither way"));
}

function valueTable(series: Series, points: TrendPoint[], campaigns: ArrayLike<number>, counts: (i: number) => string): HTMLElement {
  const rows = points.map((point, i) => ({ point, i })).reverse().slice(0, MOST_ROWS);
  return h("details", {}, h("summary", {}, `Values as a table${points.length > rows.length ? `: the last ${rows.length} of ${points.length}` : ""}`),
    table("Values", [["Campaign"], ["Date (UTC)"], ["Median", true], ["Lowest", true], ["Highest", true], ["Values", true]], rows.map(({ point, i }) => {
      const campaign = series.system.campaigns[campaigns[i]];
      return h("tr", {}, h("th", { scope: "row" }, link(campaignAddress(campaign), campaign.id)), h("td", { class: "nowrap" }, minute(point.at)), h("td", { class: "num" }, valueText(point.value, series)),
        h("td", { class: "num" }, valueText(point.low, series)), h("td", { class: "num" }, valueText(point.high, series)), h("td", { class: "num" }, counts(i)));
    })));
}

function whatHappened(list: Happening[]): Child {
  if (list.length === 0) return null;
  const shown = list.slice(0, MOST_ROWS);
  return [h("h2", {}, "What happened"), table(`What happened, the newest first${list.length > shown.length ? ` (${shown.length} of ${list.length})` : ""}`, [["Date (UTC)"], ["Mark"], ["What"]], shown.map((each) =>
    h("tr", {}, h("th", { scope: "row", class: "nowrap light" }, minute(each.at)), h("td", { class: "nowrap" }, h("span", { class: `sign ${each.kind}`, "aria-hidden": "true" }, symbols[each.kind]), ` ${kinds[each.kind]}`),
      h("td", {}, each.text, each.campaign && each.kind !== "accepted" ? [" ", link(campaignAddress(each.campaign), each.campaign.id)] : null))), { stack: true })];
}

let shownChart: TrendChart | undefined;

async function trendOf(history: History, series: Series): Promise<Child[]> {
  const { query } = currentRoute();
  const { system } = series;
  const nodeName = query.get("node") ?? "";
  const found = system.nodes.findIndex((node) => node.name === nodeName);
  const node = series.nodes === 1 && found >= 0 ? found : undefined;
  const ofNode = node === undefined ? undefined : nodePoints(series, await series.values(), node);
  const points = ofNode?.points ?? medianPoints(series);
  const campaigns = ofNode?.campaigns ?? series.levels.campaign;
  const list = happenings(series, node);
  const checked = checkedOf(series, node);
  const band = checked?.low === undefined ? undefined : { from: checked.from === undefined ? 0 : system.campaigns[checked.from].created, low: checked.low, high: checked.high!, centre: checked.centre! };
  const changed = series.checked.filter((each) => each.changes.length > 0).length;
  const limit = limitSteps(series);
  const reference = references(series, ofNode && ((campaign) => { const i = ofNode.campaigns.indexOf(campaign); return i < 0 || points[i].left ? NaN : points[i].value; }));
  const reading = h("p", { class: "reading", "aria-live": "polite" });
  const newest = points[points.length - 1]?.at ?? history.asOf;
  const noteSpan = (from: number, to: number): void =>
    note(address(["trend", system.name, series.key], { node: node === undefined ? undefined : nodeName, from: second(from), to: second(to) }));
  const spanOf = (name: string): number => Date.parse(query.get(name) ?? "") / 1000 || 0;
  shownChart?.destroy();
  const chart = trendChart({
    label: `${seriesTitle(series)} over time`, unit: series.unit, factor: series.factor, points, limit, reference: reference.map((each) => ({ from: each.from, value: each.value })), floor: series.floor, band,
    marks: list.map(({ at, kind }) => ({ at, kind })), onSpan: noteSpan,
    onRead: (i) => {
      const point = points[i], campaign = system.campaigns[campaigns[i]];
      reading.replaceChildren(h("b", {}, valueText(point.value, series)), point.low === point.high ? "" : ` (${bareText(point.low, series)} to ${valueText(point.high, series)})`, point.left ? ", does not count" : "", ` · ${minute(point.at)} UTC · `, link(campaignAddress(campaign), campaign.id));
    },
  }, spanOf("from"), spanOf("to"));
  shownChart = chart;
  const days = (count: number): HTMLElement => h("button", { type: "button", click: () => chart.setSpan(newest - count * 86_400, newest + 86_400) }, count === 365 ? "1 year" : `${count} days`);
  const nodeId = uniqueId("node"), listId = uniqueId("nodes");
  const chooser = h("input", { id: nodeId, list: listId, value: node === undefined ? "" : nodeName, placeholder: "all, their median", autocomplete: "off", change: () => { location.hash = trendAddress(series, chooser.value.trim() || undefined); } });
  return [h("p", { class: "eyebrow" }, system.name), h("h1", {}, seriesTitle(series), node === undefined ? "" : ` on ${nodeName}`), h("p", { class: "muted" }, seriesDetail(series)),
    h("div", { class: "controls" }, systemChooser(history, system, "trend"), seriesChooser(system, series, "trend"),
      series.nodes === 1 ? h("label", { for: nodeId, class: "field" }, h("span", {}, "Node"), chooser, h("datalist", { id: listId }, system.nodes.map((each) => h("option", { value: each.name })))) : null,
      h("div", { class: "buttons", role: "group", "aria-label": "Time shown" }, days(30), days(90), days(365), h("button", { type: "button", click: () => { location.hash = trendAddress(series, node === undefined ? undefined : nodeName); } }, "All"))),
    nodeName && node === undefined && series.nodes === 1 ? h("p", { class: "notice" }, `No node ${nodeName} in this history.`) : null,
    points.length === 0 ? h("p", {}, "No values.") : h("figure", { class: "wide" }, chart.element, legend(series, { limit: limit.length > 0, reference: reference.length > 0, band: band !== undefined, ranges: points.some((point) => point.low !== point.high), left: points.some((point) => point.left) }), reading,
      h("p", { class: "small muted" }, "Drag over the plot to zoom, double-click to show all; Shift with the wheel moves.")),
    keyFigures(series, points, node, reference[reference.length - 1]),
    checked?.reset ? h("p", { class: "notice" }, `The baseline was reset: ${checked.reset}`) : null,
    series.nodes === 1 ? h("p", {}, link(address(["nodes", system.name, series.key]), "All nodes of this series"), node === undefined && changed > 0 ? `: checks found change points on ${plural(changed, "node")}.` : ".") : null,
    whatHappened(list), valueTable(series, points, campaigns, (i) => (ofNode ? "1" : plural(series.levels.n[i], "value")))];
}

function list(history: History, system: System): Child[] {
  return [h("p", { class: "eyebrow" }, system.name), h("h1", {}, "Trends"), h("div", { class: "controls" }, systemChooser(history, system, "trend")),
    table("All series", [["Metric"], ["Parameters"], ["Campaigns", true], ["Last value", true], ["Over time"]], system.series.map((series) => {
      const rows = countingRows(series);
      const values = rows.map((row) => series.levels.median[row]);
      return h("tr", {}, h("th", { scope: "row" }, link(trendAddress(series), seriesTitle(series)), h("span", { class: "why" }, `${series.implementation} · ${nodesText(series)}`)),
        h("td", { class: "small", "data-label": "Parameters" }, series.parameters || "–"), h("td", { class: "num", "data-label": "Campaigns" }, series.levels.campaign.length),
        h("td", { class: "num", "data-label": "Last value" }, values.length > 0 ? valueText(values[values.length - 1], series) : "none counts"),
        h("td", { class: "line" }, values.length > 0 ? sparkline(values, `${seriesTitle(series)}: ${plural(values.length, "campaign")}`) : ""));
    }), { stack: true })];
}

export async function trendView(history: History, path: string[]): Promise<Child[]> {
  const system = history.systems.find((each) => each.name === path[0]) ?? history.systems[0];
  if (!system) return [h("h1", {}, "Trends"), h("p", {}, "This workspace has no campaign yet.")];
  const series = path[1] === undefined ? undefined : findSeries(system, path[1]);
  return series ? trendOf(history, series) : list(history, system);
}
