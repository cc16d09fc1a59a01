/** Systems: the last verdict of each, what is not pass, the last values, and which nodes scheduled checks have seen. */
import type { Campaign, History, Series, System } from "../data";
import { h, table, type Child } from "../dom";
import { day, plural, roughly, share, valueText } from "../format";
import { address, link } from "../route";
import { campaignAddress, countingRows, gain, kindText, median, nodesText, seriesTitle, trendAddress } from "../series";
import { sparkline } from "../spark";
import { isJudged, lookOf, verdictIcon, verdictMark } from "../verdict";

const MOST_FINDINGS = 8;
const PAST = 10;  // campaigns whose median the last value is set against

/** The last judged campaign of each kind, the newest first; where none is judged the last campaign. */
function lastVerdicts(system: System): Campaign[] {
  const found: Campaign[] = [];
  for (const each of [...system.campaigns].reverse())
    if (isJudged(each.verdict) && !found.some((known) => known.kind === each.kind)) found.push(each);
  return found.length > 0 ? found : system.campaigns.slice(-1);
}

function verdictBox(campaign: Campaign): HTMLElement {
  const look = lookOf(campaign.verdict);
  return h("div", { class: `verdict ${look.css}` }, verdictIcon(campaign.verdict),
    h("div", { class: "said" }, h("p", { class: "eyebrow" }, `Last ${kindText(campaign)}, ${day(campaign.created)}`), h("p", { class: "word" }, look.word),
      h("p", { class: "cut" }, campaign.sentence || `${campaign.ended} of ${plural(campaign.cases, "case")} ended; no verdict yet`),
      h("p", { class: "small" }, link(campaignAddress(campaign), campaign.id))));
}

function findings(system: System): Child {
  const open = lastVerdicts(system).flatMap((campaign) => system.criteria
    .filter((each) => each.campaign === campaign.index && each.verdict !== "pass" && each.verdict !== "")
    .map((each) => ({ campaign, each })));
  const shown = open.slice(0, MOST_FINDINGS);
  if (shown.length === 0) {
    const last = lastVerdicts(system);
    const judged = last.some((campaign) => system.criteria.some((each) => each.campaign === campaign.index && each.verdict !== ""));
    return h("p", { class: "muted" }, judged ? "Each criterion of the last campaigns is pass." : "The last campaigns have no judged criteria.",
      last.some((campaign) => campaign.kind === "regression") ? " What a scheduled check found stands above." : null);
  }
  return [table(`${system.name}: criteria that are not pass`, [["Verdict"], ["Criterion"], ["Reason"], ["Campaign"]], shown.map(({ campaign, each }) =>
    h("tr", {}, h("td", {}, verdictMark(each.verdict)), h("th", { scope: "row" }, each.id, each.severity === "mandatory" ? null : h("span", { class: "why" }, each.severity)),
      h("td", { "data-label": "Reason" }, each.because), h("td", { "data-label": "Campaign" }, link(campaignAddress(campaign), day(campaign.created))))), { stack: true }),
  open.length > shown.length ? h("p", { class: "small muted" }, `and ${open.length - shown.length} more`) : null];
}

function valueRow(series: Series): Child {
  const rows = countingRows(series);
  const { levels } = series;
  const last = rows[rows.length - 1];
  const values = rows.map((row) => levels.median[row]);
  const past = values.slice(-PAST - 1, -1);
  const change = past.length > 0 ? levels.median[last] / median(past) - 1 : NaN;
  const campaign = series.system.campaigns[levels.campaign[last]];
  const title = seriesTitle(series);
  return h("tr", {}, h("th", { scope: "row" }, link(trendAddress(series), title), h("span", { class: "why" }, `${series.implementation} · ${nodesText(series)}`)),
    h("td", { class: "num", "data-label": "Last value" }, valueText(levels.median[last], series)),
    h("td", { class: "num", "data-label": "Change" }, past.length > 0 ? [share(change), series.better && Math.abs(change) >= 0.02 ? h("span", { class: "tag" }, gain(series, change) < 0 ? "▼ worse" : "▲ better") : null] : "–"),
    h("td", { "data-label": "Date", class: "nowrap" }, link(campaignAddress(campaign), day(campaign.created))),
    h("td", { class: "line" }, sparkline(values, `${title}: ${plural(values.length, "campaign")}, last ${valueText(levels.median[last], series)}`)));
}

function lastValues(system: System): Child {
  const headlines = system.series.filter((series) => series.headline && countingRows(series).length > 0);
  if (headlines.length === 0) return h("p", { class: "muted" }, "No campaign has a result yet.");
  const newest = (series: Series): number => series.levels.campaign[countingRows(series).pop()!];
  // Of each metric the series that was measured last: one of other parameters is in the list of trends.
  const shown = new Map<string, Series>();
  for (const series of headlines) {
    const key = `${series.suite} ${series.metric} ${series.nodes === 1}`;
    const before = shown.get(key);
    if (!before || newest(series) > newest(before)) shown.set(key, series);
  }
  const more = headlines.length - shown.size;
  return [table(`${system.name}: last values`, [["Metric"], ["Last value", true], [`Change against the median of the ${PAST} campaigns before`, true], ["Date"], ["Earlier campaigns"]],
    [...shown.values()].map(valueRow), { stack: true }),
  more > 0 ? h("p", { class: "small muted" }, `${plural(more, "more series", "more series")} with other parameters or numbers of nodes: `, link(address(["trend", system.name]), "all trends")) : null];
}

function coverage(system: System, asOf: number): Child {
  const known = system.nodes.filter((node) => node.inInventory);
  const nodes = known.length > 0 ? known : system.nodes;
  const checks = system.campaigns.filter((each) => each.kind === "regression");
  if (checks.length === 0) return h("p", { class: "muted" }, "No scheduled checks. ", h("code", {}, "shakedown regress"), " makes one.");
  const seenWithin = (days: number): number => nodes.filter((node) => node.lastSeen > 0 && asOf - node.lastSeen <= days * 86_400).length;
  const spans: [string, number][] = [["7 days", seenWithin(7)], ["30 days", seenWithin(30)], ["90 days", seenWithin(90)], ["ever", nodes.filter((node) => node.lastSeen > 0).length]];
  const oldest = nodes.filter((node) => node.lastSeen > 0).sort((a, b) => a.lastSeen - b.lastSeen)[0];
  const never = nodes.filter((node) => node.lastSeen === 0);
  return [known.length === 0 ? h("p", { class: "notice" }, "The newest campaigns have no inventory: nodes that nobody ever measured are not counted.") : null, h("div", { class: "coverage" }, spans.map(([label, count]) => h("div", {}, h("span", { class: "figure" }, `${count}`, h("span", { class: "of" }, ` of ${plural(nodes.length, "node")}`)),
    h("meter", { min: 0, max: Math.max(1, nodes.length), value: count, "aria-label": `Nodes measured within ${label}` }), h("span", { class: "small muted" }, label === "ever" ? "measured at least once" : `measured within ${label}`)))),
  h("p", { class: "small" }, oldest ? `Longest ago: ${oldest.name}, ${roughly(asOf - oldest.lastSeen)}. ` : null,
    never.length > 0 ? `Never: ${never.slice(0, 6).map((node) => node.name).join(", ")}${never.length > 6 ? ` and ${never.length - 6} more` : ""}.` : null,
    ` ${plural(checks.length, "scheduled check")}, the last on ${day(checks[checks.length - 1].created)}.`)];
}

function section(system: System, asOf: number, alone: boolean): HTMLElement {
  const part = alone ? "h2" : "h3";
  return h("section", { class: "system" }, h(alone ? "h1" : "h2", {}, system.name),
    h("div", { class: "boxes" }, lastVerdicts(system).map(verdictBox)),
    h(part, { class: "part" }, "Not pass"), findings(system), h(part, { class: "part" }, "Results"), lastValues(system), h(part, { class: "part" }, "Coverage by scheduled checks"), coverage(system, asOf),
    h("p", { class: "small" }, link(address(["campaigns"], { system: system.name }), `All ${plural(system.campaigns.length, "campaign")}`), " · ", link(address(["trend", system.name]), "Trends"), " · ", link(address(["nodes", system.name]), "Nodes")));
}

export function overview(history: History): Child[] {
  if (history.systems.length === 0)
    return [h("h1", {}, "History of systems"), h("p", {}, "This workspace has no campaign yet. ", h("code", {}, "shakedown quick"), " makes one.")];
  const alone = history.systems.length === 1;
  return [alone ? null : h("h1", {}, plural(history.systems.length, "system")), history.systems.map((system) => section(system, history.asOf, alone))];
}
