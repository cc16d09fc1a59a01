/** What views ask of series. */
import type { Campaign, Checked, Series, System } from "./data";
import { address } from "./route";

export const nodesText = (series: Series): string =>
  series.nodes === 0 ? "nodes not known" : series.nodes === 1 ? "each node" : `${series.nodes} nodes together`;
/** "scheduled check" for a campaign of `regress`. */
export const kindText = (campaign: Campaign): string => (campaign.kind === "regression" ? "scheduled check" : campaign.kind);
/** For lists; campaigns of one second are in the order of the store. */
export const newestFirst = (a: Campaign, b: Campaign): number => b.created - a.created || b.index - a.index;
export const seriesTitle = (series: Series): string => `${series.suite_title} ${series.title}`;
export const seriesDetail = (series: Series): string =>
  [series.implementation, nodesText(series), series.node_kind, series.parameters].filter(Boolean).join(" · ");

export const trendAddress = (series: Series, node?: string): string =>
  address(["trend", series.system.name, series.key], { node });
export const campaignAddress = (campaign: Campaign): string => address(["campaign", campaign.id]);

export function findSeries(system: System, key: string): Series | undefined {
  return system.series.find((series) => series.key === key);
}

/** What regress knows of the series: of one node, or of the nodes together. */
export function checkedOf(series: Series, node?: number): Checked | undefined {
  return series.checked.find((each) => (series.nodes === 1 ? node !== undefined && each.node === node : true));
}

/** The rows of the series' levels that have values that count. */
export function countingRows(series: Series): number[] {
  const rows: number[] = [];
  for (let i = 0; i < series.levels.n.length; i++) if (series.levels.n[i] > 0) rows.push(i);
  return rows;
}

/** The row of a campaign in the series' levels, or -1: its campaigns ascend. */
export function rowOf(series: Series, campaign: number): number {
  let low = 0, high = series.levels.campaign.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = series.levels.campaign[middle];
    if (found === campaign) return middle;
    if (found < campaign) low = middle + 1; else high = middle - 1;
  }
  return -1;
}

export function median(values: readonly number[]): number {
  if (values.length === 0) return NaN;
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Better is above 0, worse below, whichever way the metric is better. */
export const gain = (series: Series, ratio: number): number => (series.better === "lower" ? -ratio : ratio);

export interface Reference { from: number; value: number; id: string; part: boolean }

/**
 * The accepted values of the series: of each acceptance from its time on, as far as that campaign measured it. `own`: the
 * value of one node in a campaign, where the reference of that node is wanted; a part counts only for nodes that it
 * measured again.
 */
export function references(series: Series, own?: (campaign: number) => number): Reference[] {
  const found: Reference[] = [];
  for (const each of series.system.accepted) {
    if (each.campaign === undefined) continue;
    const value = own ? own(each.campaign) : NaN;
    if (Number.isFinite(value)) { found.push({ from: each.at, value, id: each.id, part: each.part }); continue; }
    const row = rowOf(series, each.campaign);
    if (row < 0 || series.levels.n[row] === 0 || (each.part && series.nodes === 1)) continue;
    found.push({ from: each.at, value: series.levels.median[row], id: each.id, part: each.part });
  }
  return found.sort((a, b) => a.from - b.from);
}
