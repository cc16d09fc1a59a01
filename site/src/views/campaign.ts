/** One campaign: its verdict, criteria, results and environment, and the way to its report. */
import type { Campaign, Criterion, History } from "../data";
import { h, table, type Child } from "../dom";
import { minute, number, plural, share, valueText } from "../format";
import { address, link } from "../route";
import { kindText, nodesText, rowOf, seriesTitle, trendAddress } from "../series";
import { lookOf, verdictIcon, verdictMark } from "../verdict";

/** The unit that the criterion's metric is shown in, by the campaign's own series. */
function limitText(campaign: Campaign, criterion: Criterion, value: number): string {
  if (!Number.isFinite(value)) return "–";
  const series = campaign.system.series.find((each) => each.metric === criterion.metric && rowOf(each, campaign.index) >= 0);
  if (series) return valueText(value, series);
  return criterion.metric.startsWith("efficiency_") || criterion.metric === "reliability" ? share(value).replace("+", "") : number(value);
}

function criteria(campaign: Campaign): Child {
  const rows = campaign.system.criteria.filter((each) => each.campaign === campaign.index);
  if (rows.length === 0) return null;
  const order = (each: Criterion): number => (each.verdict === "pass" ? 1 : 0);
  return [h("h2", {}, "Criteria"), table("Criteria, those that are not pass first", [["Verdict"], ["Criterion"], ["Measured", true], ["Limit", true], ["Runs", true], ["Reason"]],
    rows.sort((a, b) => order(a) - order(b)).map((each) => h("tr", {}, h("td", {}, verdictMark(each.verdict)),
      h("th", { scope: "row" }, each.id, each.severity === "mandatory" ? null : h("span", { class: "why" }, each.severity)),
      h("td", { class: "num", "data-label": "Measured" }, limitText(campaign, each, each.measured)), h("td", { class: "num", "data-label": "Limit" }, limitText(campaign, each, each.limit)),
      h("td", { class: "num", "data-label": "Runs" }, each.n), h("td", { "data-label": "Reason" }, each.because))), { stack: true })];
}

function results(campaign: Campaign): Child {
  const rows = campaign.system.series.map((series) => ({ series, row: rowOf(series, campaign.index) })).filter(({ row }) => row >= 0);
  if (rows.length === 0) return null;
  return [h("h2", {}, "Results"), table("Results", [["Metric"], ["Median", true], ["Lowest", true], ["Highest", true], ["Values", true], ["Parameters"]],
    rows.map(({ series, row }) => {
      const { levels } = series;
      const counts = levels.n[row] > 0;
      return h("tr", {}, h("th", { scope: "row" }, link(trendAddress(series), seriesTitle(series)), h("span", { class: "why" }, `${series.implementation} · ${nodesText(series)}`)),
        h("td", { class: "num", "data-label": "Median" }, counts ? valueText(levels.median[row], series) : "none counts"),
        h("td", { class: "num", "data-label": "Lowest" }, valueText(levels.low[row], series)), h("td", { class: "num", "data-label": "Highest" }, valueText(levels.high[row], series)),
        h("td", { class: "num", "data-label": "Values" }, levels.n[row], levels.leftOut[row] > 0 ? h("span", { class: "why" }, `${levels.leftOut[row]} not counted`) : null),
        h("td", { class: "small", "data-label": "Parameters" }, series.parameters || "–"));
    }), { stack: true })];
}

function environment(campaign: Campaign): Child {
  const facts = [...campaign.system.factsOf(campaign.facts)].sort(([a], [b]) => a.localeCompare(b));
  if (facts.length === 0) return null;
  return h("details", {}, h("summary", {}, `Environment: ${plural(facts.length, "fact")} noted on its nodes`),
    table("Environment", [["Name"], ["Value"]], facts.map(([name, values]) =>
      h("tr", {}, h("th", { scope: "row" }, name), h("td", { class: "mono hash" }, values.slice(0, 5).join(" | "), values.length > 5 ? ` and ${values.length - 5} more` : null)))));
}

export function findCampaign(history: History, id: string): Campaign | undefined {
  for (const system of history.systems) {
    const found = system.campaigns.find((each) => each.id === id);
    if (found) return found;
  }
  return undefined;
}

export function campaignView(history: History, id: string): Child[] {
  const campaign = findCampaign(history, id);
  if (!campaign) return [h("h1", {}, "No such campaign"), h("p", {}, `This page has no campaign ${id}. `, link("#/campaigns", "All campaigns"))];
  const look = lookOf(campaign.verdict);
  const { system } = campaign;
  const like = system.campaigns.filter((each) => each.kind === campaign.kind);
  const before = like[like.indexOf(campaign) - 1];
  const accepted = system.accepted.filter((each) => each.id === id);
  const fact = (name: string, value: Child): Child => [h("dt", {}, name), h("dd", {}, value)];
  return [h("p", { class: "eyebrow" }, `${system.name} · ${kindText(campaign)}`), h("h1", { class: "id" }, campaign.id),
    h("div", { class: `verdict ${look.css}` }, verdictIcon(campaign.verdict), h("div", { class: "said" }, h("p", { class: "word" }, look.word), h("p", {}, campaign.sentence || "No verdict yet."))),
    h("dl", { class: "facts" },
      h("div", {}, fact("Begun (UTC)", minute(campaign.created))), h("div", {}, fact("Ended (UTC)", campaign.finished > 0 ? minute(campaign.finished) : "–")), h("div", {}, fact("State", campaign.state)),
      h("div", {}, fact("Cases ended", `${campaign.ended} of ${campaign.cases}`)), h("div", {}, fact("Criteria", campaign.criteriaName || "none")), h("div", {}, fact("shakedown", campaign.tool || "–"))),
    campaign.note ? h("p", { class: "notice" }, campaign.note) : null,
    accepted.map((each) => h("p", { class: "notice" }, `Accepted${each.part ? " as a part" : ""} on ${minute(each.at)} UTC by ${each.by}: ${each.why}`)),
    h("p", { class: "actions" }, campaign.report ? h("a", { class: "button", href: campaign.report }, "Open its report") : h("span", { class: "muted" }, "No report beside this page: ", h("code", {}, `shakedown report ${campaign.id}`), " writes it."),
      before ? h("a", { class: "button", href: address(["compare", before.id, campaign.id]) }, `Compare with the ${campaign.kind === "regression" ? "check" : campaign.kind} before`) : null),
    criteria(campaign), results(campaign), environment(campaign)];
}
