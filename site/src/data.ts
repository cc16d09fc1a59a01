/** The document of the page, `shakedown.site/1`, and typed arrays made of its columns. */

/** Type, offset in the block, numbers; of q16 the least number and the step. */
export type Column = [type: string, offset: number, length: number, least?: number, step?: number];
interface Block { encoding: "deflate-raw" | "none"; bytes: number; data: string }

interface RawSeries {
  suite: string; suite_title: string; screen: boolean; headline: boolean; implementation: string; nodes: number;
  node_kind: string; parameters: string; metric: string; title: string; unit: string; factor: number; digits: number;
  better?: "higher" | "lower"; floor?: number; floor_source?: number;
  /** The newest campaign that measured like nodes beside each other: its slow ones, as its report judges them. */
  screened?: { campaign: number; nodes: number; confirmed: number; suspect: number; unjudged?: string };
  levels: Record<string, Column>;
  checked: RawChecked[];
  values: { block: number; campaign: Column; place: Column; value: Column; left_out: Column };
}
interface RawChecked {
  node?: number; checks: number; centre?: number; low?: number; high?: number; n?: number; from?: number; reset?: number;
  changes?: { campaign: number; before: number; after: number; p: number }[];
}
interface RawSystem {
  name: string; campaigns: Record<string, Column>; facts: Record<string, Column>; criteria: Record<string, Column>;
  nodes: Record<string, Column>; series: RawSeries[];
  accepted: { at: number; id: string; campaign?: number; by: string; why: string; part: boolean }[];
  events: { at: number; node: string; event: string; by: string; note: string }[];
  changes: { at: number; node: string; what: string }[];
}
interface RawDocument {
  schema: string; tool: string; as_of: number; since?: number; left_out?: number; node_values_from?: number;
  live?: boolean; systems: RawSystem[]; texts: string[]; blocks: Block[];
}

export interface Campaign {
  index: number; id: string; kind: string; state: string; created: number; finished: number; verdict: string;
  sentence: string; tool: string; criteriaName: string; note: string; cases: number; ended: number; facts: number;
  report: string; system: System;
}
export interface Criterion {
  campaign: number; id: string; metric: string; severity: string; verdict: string; n: number; because: string;
  measured: number; limit: number;
}
export interface Levels {
  campaign: Uint32Array; median: Float64Array; low: Float64Array; high: Float64Array; n: Uint32Array;
  leftOut: Uint32Array; limit?: Float64Array;
}
export interface Change { campaign: number; before: number; after: number; p: number }
/** A series of scheduled checks: of one node, or (no `node`) of nodes together. */
export interface Checked {
  node?: number; checks: number; centre?: number; low?: number; high?: number; n?: number; from?: number; reset?: string;
  changes: Change[];
}
/** Values of nodes: the campaign, the node's place (or the number of its hostlist's text), the value. */
export interface NodeValues { campaign: Uint32Array; place: Uint32Array; value: Float64Array; leftOut: Set<number> }
export interface Series extends Omit<RawSeries, "levels" | "checked" | "values" | "floor_source"> {
  key: string; system: System; levels: Levels; checked: Checked[]; floorSource: string;
  values(): Promise<NodeValues>;
}
export interface System extends Pick<RawSystem, "name" | "accepted" | "events" | "changes"> {
  campaigns: Campaign[]; criteria: Criterion[]; nodes: { name: string; pod: string; lastSeen: number; inInventory: boolean }[];
  series: Series[]; factsOf(set: number): Map<string, string[]>;
}
export interface History {
  tool: string; asOf: number; since: number; leftOut: number; nodeValuesFrom: number; live: boolean;
  systems: System[]; text(number: number): string;
}

function bytesOf(base64: string): Uint8Array {
  const native = (Uint8Array as unknown as { fromBase64?: (text: string) => Uint8Array }).fromBase64;
  if (native) return native.call(Uint8Array, base64);
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

async function bytesOfBlock(block: Block): Promise<ArrayBuffer> {
  const bytes = bytesOf(block.data);
  if (block.encoding === "none") return bytes.slice().buffer as ArrayBuffer;
  const stream = new Response(bytes as unknown as BodyInit).body!.pipeThrough(new DecompressionStream("deflate-raw"));
  const whole = await new Response(stream).arrayBuffer();
  if (whole.byteLength !== block.bytes) throw new Error("the page's data are cut");
  return whole;
}

function whole(buffer: ArrayBuffer, [type, offset, length]: Column): Uint32Array {
  const stored = new Uint32Array(buffer, offset, length);
  if (type !== "d32") return stored;
  const sums = new Uint32Array(length);
  let sum = 0;
  for (let i = 0; i < length; i++) sums[i] = sum = (sum + stored[i]) >>> 0;
  return sums;
}

function real(buffer: ArrayBuffer, [type, offset, length, least = 0, step = 0]: Column): Float64Array {
  if (type === "f64") return new Float64Array(buffer, offset, length);
  if (type === "f32") return Float64Array.from(new Float32Array(buffer, offset, length));
  const steps = new Uint16Array(buffer, offset, length);
  const numbers = new Float64Array(length);
  for (let i = 0; i < length; i++) numbers[i] = least + step * steps[i];
  return numbers;
}

/** A short name of a text that stays the same in every page (FNV-1a). */
function digest(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash.toString(36);
}

function seriesOf(raw: RawSeries, system: System, core: ArrayBuffer, history: RawDocument): Series {
  const { levels, values } = raw;
  let loaded: Promise<NodeValues> | undefined;
  return {
    ...raw, system,
    key: [raw.suite, raw.metric, raw.nodes, digest([raw.implementation, raw.node_kind, raw.parameters].join("\0"))].join("."),
    floorSource: raw.floor_source === undefined ? "" : history.texts[raw.floor_source],
    levels: {
      campaign: whole(core, levels.campaign), median: real(core, levels.median), low: real(core, levels.low),
      high: real(core, levels.high), n: whole(core, levels.n), leftOut: whole(core, levels.left_out),
      limit: levels.limit && real(core, levels.limit),
    },
    checked: raw.checked.map((each) => ({
      ...each, changes: each.changes ?? [], reset: each.reset === undefined ? undefined : history.texts[each.reset],
    })),
    values: () => loaded ??= bytesOfBlock(history.blocks[values.block]).then((buffer) => ({
      campaign: whole(buffer, values.campaign), place: whole(buffer, values.place), value: real(buffer, values.value),
      leftOut: new Set(whole(buffer, values.left_out)),
    })),
  };
}

function systemOf(raw: RawSystem, core: ArrayBuffer, history: RawDocument): System {
  const texts = history.texts;
  const c = Object.fromEntries(Object.entries(raw.campaigns).map(([name, column]) => [name, whole(core, column)]));
  const k = Object.fromEntries(Object.entries(raw.criteria).filter(([, column]) => column[0] !== "f64")
    .map(([name, column]) => [name, whole(core, column)]));
  const measured = real(core, raw.criteria.measured);
  const limit = real(core, raw.criteria.limit);
  const f = Object.fromEntries(Object.entries(raw.facts).map(([name, column]) => [name, whole(core, column)]));
  const n = Object.fromEntries(Object.entries(raw.nodes).map(([name, column]) => [name, whole(core, column)]));
  const system: System = {
    name: raw.name, accepted: raw.accepted, events: raw.events, changes: raw.changes, campaigns: [], series: [],
    criteria: Array.from(k.campaign, (campaign, i) => ({
      campaign, id: texts[k.id[i]], metric: texts[k.metric[i]], severity: texts[k.severity[i]],
      verdict: texts[k.verdict[i]], n: k.n[i], because: texts[k.because[i]], measured: measured[i], limit: limit[i],
    })),
    nodes: Array.from(n.name, (name, i) => ({ name: texts[name], pod: n.pod ? texts[n.pod[i]] : "", lastSeen: n.last_seen[i], inInventory: n.in_inventory[i] === 1 })),
    factsOf(set) {
      const facts = new Map<string, string[]>();
      for (let i = set === 0 ? 0 : f.end[set - 1]; i < f.end[set]; i++) {
        const name = texts[f.name[f.member[i]]];
        facts.set(name, [...(facts.get(name) ?? []), texts[f.value[f.member[i]]]]);
      }
      return facts;
    },
  };
  system.campaigns = Array.from(c.id, (id, index) => ({
    index, system, id: texts[id], kind: texts[c.kind[index]], state: texts[c.state[index]], created: c.created[index],
    finished: c.finished[index], verdict: texts[c.verdict[index]], sentence: texts[c.sentence[index]],
    tool: texts[c.tool[index]], criteriaName: texts[c.criteria[index]], note: texts[c.note[index]], cases: c.cases[index],
    ended: c.ended[index], facts: c.facts[index], report: texts[c.report[index]],
  }));
  system.series = raw.series.map((series) => seriesOf(series, system, core, history));
  return system;
}

/** Reads the page's document. Fails with a sentence. */
export async function readHistory(text: string): Promise<History> {
  const raw = JSON.parse(text) as RawDocument;
  if (raw.schema !== "shakedown.site/1") throw new Error(`the page's data are of the schema ${raw.schema}`);
  const core = await bytesOfBlock(raw.blocks[0]);
  return {
    tool: raw.tool, asOf: raw.as_of, since: raw.since ?? 0, leftOut: raw.left_out ?? 0,
    nodeValuesFrom: raw.node_values_from ?? 0, live: raw.live ?? false,
    systems: raw.systems.map((system) => systemOf(system, core, raw)), text: (number) => raw.texts[number] ?? "",
  };
}
