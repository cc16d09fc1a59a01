/** A trend: medians of campaigns over time, with limit, accepted reference, noise band and marks of what happened. */
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { h } from "./dom";
import { day, fixed } from "./format";

export interface TrendPoint { at: number; value: number; low: number; high: number; left: boolean }
export interface Step { from: number; value: number }
export interface Mark { at: number; kind: "change" | "environment" | "event" | "accepted" }
export interface TrendData {
  label: string; unit: string; factor: number;
  points: TrendPoint[];        // ascending
  limit: Step[];               // holds from then on; NaN: none
  reference: Step[];
  floor?: number;
  band?: { from: number; low: number; high: number; centre: number };
  marks: Mark[];
  /** Called with the point that is read, and when the shown span has changed. */
  onRead(index: number): void;
  onSpan(from: number, to: number): void;
}

const HEIGHT = 340;
const SHORTEST = 900, LONGEST = 3e9;  // s in view: campaigns are dated to the minute
const DENSE = 150;  // points in view from which on a line between them is a smear

function colours(): Record<string, string> {
  const style = getComputedStyle(document.documentElement);
  const of = (name: string): string => style.getPropertyValue(name).trim();
  return { ink: of("--ink"), muted: of("--muted"), line: of("--line"), bar: of("--bar"), limit: of("--limit"), base: of("--base"),
    band: of("--band"), mark: of("--mark"), paper: of("--paper"), strong: of("--strong-line") };
}

/** Steps as they run through the shown span, as pixels. */
function drawSteps(u: uPlot, steps: Step[], factor: number, colour: string, dash: number[]): void {
  const { ctx } = u;
  ctx.save();
  ctx.beginPath();
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.75 * devicePixelRatio;
  ctx.setLineDash(dash.map((length) => length * devicePixelRatio));
  const end = u.scales.x.max!;
  for (let i = 0; i < steps.length; i++) {
    if (!Number.isFinite(steps[i].value)) continue;
    const from = Math.max(steps[i].from, u.scales.x.min!), to = Math.min(steps[i + 1]?.from ?? end, end);
    if (to < from) continue;
    const y = u.valToPos(steps[i].value * factor, "y", true);
    ctx.moveTo(u.valToPos(from, "x", true), y);
    ctx.lineTo(u.valToPos(to, "x", true), y);
  }
  ctx.stroke();
  ctx.restore();
}

function drawBand(u: uPlot, data: TrendData, colour: string): void {
  if (!data.band) return;
  const { ctx, bbox } = u;
  const x = Math.max(bbox.left, u.valToPos(data.band.from, "x", true));
  const top = u.valToPos(data.band.high * data.factor, "y", true), bottom = u.valToPos(data.band.low * data.factor, "y", true);
  ctx.fillStyle = colour;
  ctx.fillRect(x, top, Math.max(0, bbox.left + bbox.width - x), bottom - top);
}

/** The lowest and highest value of each campaign. */
function drawRanges(u: uPlot, data: TrendData, colour: string): void {
  const { ctx } = u;
  ctx.save();
  ctx.beginPath();
  ctx.strokeStyle = colour;
  ctx.lineWidth = devicePixelRatio;
  for (const point of data.points) {
    if (point.at < u.scales.x.min! || point.at > u.scales.x.max! || point.low === point.high) continue;
    const x = Math.round(u.valToPos(point.at, "x", true));
    ctx.moveTo(x, u.valToPos(point.low * data.factor, "y", true));
    ctx.lineTo(x, u.valToPos(point.high * data.factor, "y", true));
  }
  ctx.stroke();
  ctx.restore();
}

/** Marks below the plot's upper edge: a triangle for a change point, a tick for the environment, a diamond for an event. */
function drawMarks(u: uPlot, data: TrendData, c: Record<string, string>): void {
  const { ctx, bbox } = u;
  const size = 4.5 * devicePixelRatio;
  ctx.save();
  for (const mark of data.marks) {
    if (mark.at < u.scales.x.min! || mark.at > u.scales.x.max!) continue;
    const x = u.valToPos(mark.at, "x", true), y = bbox.top + size * 1.6;
    ctx.beginPath();
    ctx.fillStyle = ctx.strokeStyle = mark.kind === "change" ? c.base : c.mark;
    ctx.lineWidth = devicePixelRatio * (mark.kind === "change" ? 1.5 : 1);
    if (mark.kind === "change") {
      ctx.setLineDash([2 * devicePixelRatio, 3 * devicePixelRatio]);
      ctx.moveTo(x, bbox.top + size * 2.6);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      ctx.setLineDash([]);
      ctx.beginPath();
      ctx.moveTo(x - size, y - size); ctx.lineTo(x + size, y - size); ctx.lineTo(x, y + size); ctx.closePath(); ctx.fill();
    } else if (mark.kind === "environment") {
      ctx.moveTo(x, bbox.top + bbox.height); ctx.lineTo(x, bbox.top + bbox.height - size * 2.2); ctx.lineWidth = 2 * devicePixelRatio; ctx.stroke();
    } else if (mark.kind === "event") {
      ctx.moveTo(x, y - size); ctx.lineTo(x + size, y); ctx.lineTo(x, y + size); ctx.lineTo(x - size, y); ctx.closePath(); ctx.fill();
    } else {
      ctx.arc(x, y, size, 0, 2 * Math.PI); ctx.stroke();
    }
  }
  ctx.restore();
}

/** The span that the y axis shows: all values of the shown time, and the lines that they are held against. */
function valueRange(data: TrendData, from: number, to: number): [number, number] {
  let low = Infinity, high = -Infinity;
  const take = (value: number | undefined): void => {
    if (value === undefined || !Number.isFinite(value)) return;
    low = Math.min(low, value * data.factor); high = Math.max(high, value * data.factor);
  };
  for (const point of data.points) if (point.at >= from && point.at <= to) { take(point.low); take(point.high); }
  for (const steps of [data.limit, data.reference])
    steps.forEach((step, i) => { if (step.from <= to && (steps[i + 1]?.from ?? Infinity) >= from) take(step.value); });
  take(data.floor);
  if (data.band && data.band.from <= to) { take(data.band.low); take(data.band.high); }
  if (!Number.isFinite(low)) return [0, 1];
  const pad = (high - low || Math.abs(high) || 1) * 0.1;
  return [low - pad, high + pad * 1.6];
}

/** The decimals that tell steps of this size apart. */
function decimalsOf(step: number): number {
  let decimals = 0;
  while (decimals < 12 && Math.abs(step - Number(step.toFixed(decimals))) > step * 1e-6) decimals += 1;
  return decimals;
}

export interface TrendChart { element: HTMLElement; setSpan(from: number, to: number): void; redraw(): void; destroy(): void }

export function trendChart(data: TrendData, from: number, to: number): TrendChart {
  const host = h("div", { class: "chart", tabindex: 0, role: "application", "aria-label": `${data.label}. Arrow keys read the values, Shift with an arrow key moves, plus and minus zoom, 0 shows all.` });
  let c = colours();
  const first = data.points[0]?.at ?? 0, last = data.points[data.points.length - 1]?.at ?? 1;
  const margin = Math.max((last - first) * 0.03, 43_200);
  const all: [number, number] = [first - margin, last + margin];
  let span: [number, number] = [from || all[0], to || all[1]];
  if (!(span[1] > span[0])) span = all;
  let reading = data.points.length - 1;
  const x = data.points.map((point) => point.at);
  const dense = data.points.length > DENSE;
  const good = data.points.map((point) => (point.left ? null : point.value * data.factor));
  const bad = data.points.map((point) => (point.left ? point.value * data.factor : null));
  const axis = { stroke: () => c.muted, grid: { stroke: () => c.line, width: 1 }, ticks: { stroke: () => c.line, width: 1 }, font: "12px system-ui, sans-serif" };
  const plot = new uPlot({
    width: 600, height: HEIGHT, legend: { show: false }, cursor: { drag: { x: true, y: false, setScale: false }, points: { size: 9 }, y: false },
    scales: { x: { time: true, range: () => span }, y: { range: (u) => valueRange(data, u.scales.x.min ?? span[0], u.scales.x.max ?? span[1]) } },
    tzDate: (at) => uPlot.tzDate(new Date(at * 1000), "Etc/UTC"),
    axes: [
      { ...axis, values: (_, ticks, __, ___, step) => ticks.map((tick) => (step >= 86_400 ? day(tick) : `${day(tick).slice(5)} ${new Date(tick * 1000).toISOString().slice(11, 16)}`)), space: 96 },
      { ...axis, size: 64, values: (_, ticks, __, ___, step) => ticks.map((tick) => fixed(tick, decimalsOf(step))), label: data.unit, labelSize: 20, labelFont: "12px system-ui, sans-serif" },
    ],
    series: [{},
      { stroke: () => c.bar, width: dense ? 0 : 1.25, paths: dense ? () => null : undefined, spanGaps: true, points: { show: true, size: dense ? 4 : 6, fill: () => c.bar, stroke: () => (dense ? c.bar : c.paper), width: dense ? 0 : 1 } },
      { stroke: () => c.base, width: 0, paths: () => null, points: { show: true, size: 7, fill: () => c.paper, stroke: () => c.base, width: 1.5 } }],
    hooks: {
      drawAxes: [(u) => { drawBand(u, data, c.band); drawRanges(u, data, c.strong); }],
      draw: [(u) => {
        u.ctx.save();
        u.ctx.beginPath();
        u.ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
        u.ctx.clip();
        drawSteps(u, data.reference, data.factor, c.base, [7, 4]);
        drawSteps(u, data.limit, data.factor, c.limit, []);
        if (data.floor !== undefined) drawSteps(u, [{ from: -1e12, value: data.floor }], data.factor, c.limit, [2, 3]);
        drawMarks(u, data, c);
        u.ctx.restore();
      }],
      setCursor: [(u) => { if (u.cursor.idx !== null && u.cursor.idx !== undefined && u.cursor.left! >= 0) read(u.cursor.idx, false); }],
      setSelect: [(u) => {
        if (u.select.width > 8) show(u.posToVal(u.select.left, "x"), u.posToVal(u.select.left + u.select.width, "x"));
        u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
      }],
    },
  }, [x, good, bad] as uPlot.AlignedData, host);

  function show(low: number, high: number): void {
    if (!(high > low && high - low < LONGEST)) return;
    const middle = (low + high) / 2, half = Math.max(high - low, SHORTEST) / 2;
    const [min, max] = span = [Math.round(middle - half), Math.round(middle + half)];  // whole seconds: as the address has them
    plot.batch(() => plot.setScale("x", { min, max }));
    data.onSpan(min, max);
  }
  function read(index: number, move: boolean): void {
    reading = Math.max(0, Math.min(data.points.length - 1, index));
    const point = data.points[reading];
    if (!point) return;
    if (move) {
      if (point.at < span[0] || point.at > span[1]) { const half = (span[1] - span[0]) / 2; show(point.at - half, point.at + half); }
      plot.setCursor({ left: plot.valToPos(point.at, "x"), top: plot.valToPos(point.value * data.factor, "y") }, false);
    }
    data.onRead(reading);
  }
  const zoom = (factor: number, at = (span[0] + span[1]) / 2): void => show(at - (at - span[0]) * factor, at + (span[1] - at) * factor);
  const pan = (part: number): void => { const by = (span[1] - span[0]) * part; show(span[0] + by, span[1] + by); };
  host.addEventListener("keydown", (event) => {
    const acts: Record<string, () => void> = {
      ArrowLeft: () => (event.shiftKey ? pan(-0.2) : read(reading - 1, true)), ArrowRight: () => (event.shiftKey ? pan(0.2) : read(reading + 1, true)),
      Home: () => read(0, true), End: () => read(data.points.length - 1, true), "+": () => zoom(0.6), "-": () => zoom(1.6), "0": () => show(...all),
    };
    const act = acts[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });
  host.addEventListener("dblclick", () => show(...all));
  host.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.shiftKey) return;
    event.preventDefault();
    const delta = event.deltaY || event.deltaX;
    if (event.ctrlKey) zoom(delta > 0 ? 1.25 : 0.8, plot.posToVal(event.offsetX - plot.bbox.left / devicePixelRatio, "x")); else pan(delta > 0 ? 0.1 : -0.1);
  }, { passive: false });
  const fit = (): void => { const width = host.clientWidth; if (width > 0 && width !== plot.width) plot.setSize({ width, height: HEIGHT }); };
  const observer = new ResizeObserver(fit);
  observer.observe(host);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const recolour = (): void => { c = colours(); plot.redraw(false); };
  dark.addEventListener("change", recolour);
  return { element: host, setSpan: show, redraw: recolour, destroy: () => { observer.disconnect(); dark.removeEventListener("change", recolour); plot.destroy(); } };
}
