/** All campaigns, and the search over campaigns, nodes and metrics. */
import type { Campaign, History } from "../data";
import { h, table, uniqueId, type Child } from "../dom";
import { minute, plural } from "../format";
import { address, currentRoute, link } from "../route";
import { campaignAddress, kindText, newestFirst, nodesText, seriesTitle, trendAddress } from "../series";
import { isJudged, lookOf, verdictMark, verdictWords } from "../verdict";

const PAGE = 50;
const MOST_FOUND = 40;

function campaignTable(caption: string, campaigns: Campaign[], withSystem: boolean): HTMLElement {
  return table(caption, [["Verdict"], ["Campaign"], ["Begun (UTC)"], ["Cases", true], ["Sentence"]], campaigns.map((each) =>
    h("tr", {}, h("td", {}, verdictMark(each.verdict)), h("th", { scope: "row" }, link(campaignAddress(each), each.id), h("span", { class: "why" }, [withSystem ? `${each.system.name} · ` : "", kindText(each), each.state === "finished" ? "" : ` · ${each.state}`])),
      h("td", { class: "nowrap", "data-label": "Begun (UTC)" }, minute(each.created)), h("td", { class: "num", "data-label": "Cases" }, `${each.ended}/${each.cases}`), h("td", { class: "sentence" }, each.sentence))), { stack: true });
}

export function campaignsView(history: History): Child[] {
  const { query } = currentRoute();
  const wanted = { system: query.get("system") ?? "", kind: query.get("kind") ?? "", verdict: query.get("verdict") ?? "" };
  const every = history.systems.flatMap((system) => system.campaigns).sort(newestFirst);
  const shown = every.filter((each) => (!wanted.system || each.system.name === wanted.system) && (!wanted.kind || each.kind === wanted.kind) &&
    (!wanted.verdict || (wanted.verdict === "not-pass" ? isJudged(each.verdict) && each.verdict !== "pass" : each.verdict === wanted.verdict)));
  const page = Math.max(0, Math.min(Math.ceil(shown.length / PAGE) - 1, Number(query.get("page")) || 0));
  const to = (more: Record<string, string | number>): string => address(["campaigns"], { ...wanted, ...more });
  const field = (name: "system" | "kind" | "verdict", title: string, values: [value: string, text: string][]): HTMLElement => {
    const id = uniqueId(name);
    const select = h("select", { id, change: () => { location.hash = to({ [name]: select.value }); } }, h("option", { value: "" }, "all"), values.map(([value, text]) => h("option", { value, selected: wanted[name] === value }, text)));
    return h("label", { for: id, class: "field" }, h("span", {}, title), select);
  };
  const kinds = [...new Set(every.map((each) => each.kind))].map((kind): [string, string] => [kind, kind === "regression" ? "scheduled check" : kind]);
  return [h("h1", {}, "Campaigns"), h("div", { class: "controls" },
    history.systems.length > 1 ? field("system", "System", history.systems.map((each) => [each.name, each.name])) : null, field("kind", "Kind", kinds),
    field("verdict", "Verdict", [["not-pass", "not pass"], ...verdictWords.map((word): [string, string] => [word, lookOf(word).word])])),
  shown.length === 0 ? h("p", {}, "No campaign is like that.") : campaignTable(`${plural(shown.length, "campaign")}, the newest first`, shown.slice(page * PAGE, (page + 1) * PAGE), history.systems.length > 1),
  h("p", { class: "actions" }, page > 0 ? link(to({ page: page - 1 }), "Newer") : null, (page + 1) * PAGE < shown.length ? link(to({ page: page + 1 }), "Older") : null)];
}

export function searchView(history: History): Child[] {
  const text = (currentRoute().query.get("q") ?? "").trim();
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (...of: string[]): boolean => { const all = of.join(" ").toLowerCase(); return words.every((word) => all.includes(word)); };
  const campaigns = history.systems.flatMap((system) => system.campaigns).filter((each) => fits(each.id, each.system.name, each.kind, each.verdict, each.sentence, each.note)).sort(newestFirst);
  const series = history.systems.flatMap((system) => system.series).filter((each) => fits(each.suite, each.suite_title, each.metric, each.title, each.implementation, each.parameters, each.system.name));
  const nodes = history.systems.flatMap((system) => system.nodes.filter((node) => fits(node.name, system.name)).map((node) => ({ system, node })));
  if (words.length === 0) return [h("h1", {}, "Search"), h("p", { class: "muted" }, "Type a part of a campaign's id or sentence, a node or a metric. The key / goes to the search.")];
  const cut = (count: number): string => (count > MOST_FOUND ? `, the first ${MOST_FOUND}` : "");
  return [h("h1", {}, `Search: ${text}`), campaigns.length + series.length + nodes.length === 0 ? h("p", {}, "Nothing found.") : null,
    series.length > 0 ? [h("h2", {}, "Metrics"), h("ul", { class: "plain" }, series.slice(0, MOST_FOUND).map((each) => h("li", {}, link(trendAddress(each), seriesTitle(each)), ` ${each.implementation} · ${nodesText(each)} · ${each.system.name}`)))] : null,
    nodes.length > 0 ? [h("h2", {}, `Nodes (${plural(nodes.length, "node")}${cut(nodes.length)})`), h("ul", { class: "plain columns" }, nodes.slice(0, MOST_FOUND).map(({ system, node }) => {
      const best = system.series.find((each) => each.nodes === 1 && each.headline);
      return h("li", {}, best ? link(trendAddress(best, node.name), node.name) : node.name, history.systems.length > 1 ? ` · ${system.name}` : "");
    }))] : null,
    campaigns.length > 0 ? [h("h2", {}, "Campaigns"), campaignTable(`${plural(campaigns.length, "campaign")}${cut(campaigns.length)}`, campaigns.slice(0, MOST_FOUND), history.systems.length > 1)] : null];
}
