/** Two campaigns beside each other, and what of their environment differs. */
import type { Campaign, History, Series } from "../data";
import { h, table, uniqueId, type Child } from "../dom";
import { bareText, day, plural, share, valueText } from "../format";
import { factDifferences } from "../happenings";
import { address, link } from "../route";
import { campaignAddress, gain, kindText, newestFirst, nodesText, rowOf, seriesTitle, trendAddress } from "../series";
import { verdictMark } from "../verdict";
import { findCampaign } from "./campaign";

function chooser(history: History, name: string, chosen: string, choose: (id: string) => void): HTMLElement {
  const id = uniqueId("campaign"), list = uniqueId("campaigns");
  const input = h("input", { id, list, value: chosen, autocomplete: "off", spellcheck: "false", change: () => choose(input.value.trim()) });
  const all = history.systems.flatMap((system) => system.campaigns).sort(newestFirst).slice(0, 500);
  return h("label", { for: id, class: "field wide" }, h("span", {}, name), input, h("datalist", { id: list }, all.map((each) => h("option", { value: each.id }, `${each.system.name}, ${each.kind}`))));
}

/** What the noise of scheduled checks says of a difference; a test of the two campaigns it is not. */
function finding(series: Series, ratio: number): Child {
  const band = series.nodes !== 1 ? series.checked[0] : undefined;
  if (band?.low === undefined || !band.centre) return h("span", { class: "muted" }, "noise not known");
  const width = (band.high! - band.low) / 2 / band.centre;
  if (Math.abs(ratio) <= width) return `within the noise (±${share(width).replace("+", "")})`;
  return gain(series, ratio) < 0 ? "▼ worse, beyond the noise" : "▲ better, beyond the noise";
}

function rows(a: Campaign, b: Campaign): { both: Child[]; uncounted: Series[]; single: { series: Series; of: Campaign }[] } {
  const both: Child[] = [];
  const uncounted: Series[] = [];
  const single: { series: Series; of: Campaign }[] = [];
  for (const series of a.system.series) {
    const x = rowOf(series, a.index), y = rowOf(series, b.index);
    if (x < 0 && y < 0) continue;
    const { levels } = series;
    if (x >= 0 && y >= 0 && (levels.n[x] === 0 || levels.n[y] === 0)) { uncounted.push(series); continue; }
    if (x < 0 || y < 0) { single.push({ series, of: x < 0 ? b : a }); continue; }
    const ratio = levels.median[y] / levels.median[x] - 1;
    const cell = (row: number, label: string): Child => h("td", { class: "num", "data-label": label }, valueText(levels.median[row], series), h("span", { class: "why" }, levels.n[row] === 1 ? "1 value" : `${levels.n[row]} values, ${bareText(levels.low[row], series)} to ${bareText(levels.high[row], series)}`));
    both.push(h("tr", {}, h("th", { scope: "row" }, link(trendAddress(series), seriesTitle(series)), h("span", { class: "why" }, `${series.implementation} · ${nodesText(series)}${series.better ? ` · ${series.better} is better` : ""}`)),
      cell(x, "First"), cell(y, "Second"), h("td", { class: "num", "data-label": "Difference" }, h("b", {}, share(ratio))), h("td", { "data-label": "Noise" }, finding(series, ratio))));
  }
  return { both, uncounted, single };
}

export function compareView(history: History, path: string[]): Child[] {
  const [idA = "", idB = ""] = path;
  const a = findCampaign(history, idA), b = findCampaign(history, idB);
  const head: Child[] = [h("h1", {}, "Compare"), h("div", { class: "controls" },
    chooser(history, "First campaign", idA, (id) => { location.hash = address(["compare", id || "-", idB || "-"]); }),
    chooser(history, "Second campaign", idB, (id) => { location.hash = address(["compare", idA || "-", id || "-"]); }),
    a && b ? h("div", { class: "buttons" }, h("a", { class: "button", href: address(["compare", b.id, a.id]) }, "Swap")) : null)];
  if (!a || !b) return [...head, ...[[idA, a], [idB, b]].filter(([id, found]) => id && id !== "-" && !found).map(([id]) => h("p", { class: "notice" }, `This page has no campaign ${String(id)}.`)), h("p", { class: "muted" }, "Choose two campaigns by their ids.")];
  if (a.system !== b.system) return [...head, h("p", { class: "notice" }, `${a.id} is of ${a.system.name}, ${b.id} of ${b.system.name}. Values of two systems are compared by `, h("code", {}, "shakedown compare"), ", which knows what may be compared.")];
  const { both, uncounted, single } = rows(a, b);
  const facts = factDifferences(a, b);
  const card = (campaign: Campaign, name: string): HTMLElement => h("div", {}, h("dt", {}, name), h("dd", {}, link(campaignAddress(campaign), campaign.id), h("span", { class: "why" }, `${kindText(campaign)}, ${day(campaign.created)}`), verdictMark(campaign.verdict)));
  return [...head, h("dl", { class: "facts two" }, card(a, "First"), card(b, "Second")),
    both.length > 0 ? table("What both measured with the same parameters, on as many nodes of the same kind", [["Metric"], ["First", true], ["Second", true], ["Difference", true], ["Beside the noise of scheduled checks"]], both, { stack: true })
      : h("p", {}, "They have no result with the same parameters on as many nodes of the same kind: nothing here may be compared."),
    h("p", { class: "small muted" }, "A statistical test of the difference, and the full list of what differs: ", h("code", {}, `shakedown compare ${a.id} ${b.id}`)),
    uncounted.length > 0 ? [h("h2", {}, "Measured by both, not compared"), h("p", { class: "muted" }, "No value of one of them counts: its results are invalid or incomplete, or were left out as disturbed."),
      h("ul", { class: "plain" }, uncounted.slice(0, 40).map((series) => h("li", {}, `${seriesTitle(series)} (${series.implementation}, ${nodesText(series)}): `,
        [[a, "first"], [b, "second"]].filter(([of]) => series.levels.n[rowOf(series, (of as Campaign).index)] === 0).map(([, name]) => name).join(" and "), " without a value that counts"))),
      uncounted.length > 40 ? h("p", { class: "small" }, `and ${uncounted.length - 40} more`) : null] : null,
    single.length > 0 ? [h("h2", {}, "Measured by one only"), h("ul", { class: "plain" }, single.slice(0, 40).map(({ series, of }) => h("li", {}, `${seriesTitle(series)} (${series.implementation}, ${nodesText(series)}${series.parameters ? `, ${series.parameters}` : ""}): `, of === a ? "first" : "second"))),
      single.length > 40 ? h("p", { class: "small" }, `and ${single.length - 40} more`) : null] : null,
    h("h2", {}, "Environment"), facts.length > 0 ? table(`${plural(facts.length, "fact")} that both noted and that differ`, [["Name"], ["First"], ["Second"]], facts.map((fact) =>
      h("tr", {}, h("th", { scope: "row" }, fact.name), h("td", { class: "mono hash", "data-label": "First" }, fact.before), h("td", { class: "mono hash", "data-label": "Second" }, fact.after))), { stack: true })
      : h("p", {}, "What both noted of their nodes is the same.")];
}
