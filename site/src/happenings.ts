/** What happened to a system that may explain its values: changes of the environment, declared events, acceptances. */
import type { Campaign, Change, Series } from "./data";
import { day, share, valueText } from "./format";
import { checkedOf, gain } from "./series";

export interface Happening { at: number; kind: "change" | "environment" | "event" | "accepted"; text: string; campaign?: Campaign }

const MOST_FACTS = 4;

/** What two campaigns noted of their nodes and is not the same, as far as both note it. */
export function factDifferences(before: Campaign, after: Campaign): { name: string; before: string; after: string }[] {
  if (before.facts === after.facts) return [];
  const old = before.system.factsOf(before.facts), fresh = after.system.factsOf(after.facts);
  const found: { name: string; before: string; after: string }[] = [];
  for (const [name, values] of fresh) {
    const known = old.get(name);
    const a = known?.join(" | "), b = values.join(" | ");
    if (a !== undefined && a !== b) found.push({ name, before: a, after: b });
  }
  return found;
}

function changeText(series: Series, change: Change, of: string): string {
  const ratio = change.after / change.before - 1;
  const word = !series.better ? "" : gain(series, ratio) < 0 ? ", worse" : ", better";
  return `${of}changed by ${share(ratio)}${word}: from ${valueText(change.before, series)} to ${valueText(change.after, series)} (p = ${change.p < 0.001 ? change.p.toExponential(1) : change.p.toPrecision(2)})`;
}

export function happenings(series: Series, node: number | undefined): Happening[] {
  const { system } = series;
  const found: Happening[] = [];
  const checked = checkedOf(series, node);
  for (const change of checked?.changes ?? [])
    found.push({ at: system.campaigns[change.campaign].created, kind: "change", campaign: system.campaigns[change.campaign], text: changeText(series, change, "Values ") });
  const name = node === undefined ? undefined : system.nodes[node].name;
  for (const each of system.changes)
    if (name === undefined || each.node === name) found.push({ at: each.at, kind: "environment", text: `A check found on ${each.node}: ${each.what}` });
  for (const each of system.events)
    if (name === undefined || each.node === name)
      found.push({ at: each.at, kind: "event", text: `${each.node}: declared ${each.event} by ${each.by}${each.note ? ` (${each.note})` : ""}` });
  for (const each of system.accepted)
    found.push({ at: each.at, kind: "accepted", campaign: each.campaign === undefined ? undefined : system.campaigns[each.campaign], text: `${each.id} accepted${each.part ? " as a part" : ""} by ${each.by}: ${each.why}` });
  // Of checks, the log of checks has it node by node; nodes rotate, and two checks' facts are of different ones.
  let before: Campaign | undefined;
  for (const index of series.levels.campaign) {
    const campaign = system.campaigns[index];
    if (campaign.kind === "regression") continue;
    const facts = before ? factDifferences(before, campaign) : [];
    if (facts.length > 0) {
      const shown = facts.slice(0, MOST_FACTS).map((fact) => `${fact.name}: ${fact.before} → ${fact.after}`);
      found.push({ at: campaign.created, kind: "environment", campaign, text: `Since ${day(before!.created)}: ${shown.join("; ")}${facts.length > MOST_FACTS ? ` and ${facts.length - MOST_FACTS} more` : ""}` });
    }
    before = campaign;
  }
  return found.sort((a, b) => b.at - a.at);
}
