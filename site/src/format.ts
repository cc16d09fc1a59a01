/** Numbers, units and times as people read them. One formatter for all: true minus, no negative zero, narrow spaces. */

const NARROW = "\u202f";
const MINUS = "\u2212";

/** `value` with so many decimals; five and more digits of the integer part are grouped. */
export function fixed(value: number, decimals: number): string {
  let text = Math.abs(value).toFixed(decimals);
  const [integer, fraction] = text.split(".");
  text = integer.length > 4 ? integer.replace(/\B(?=(\d{3})+$)/g, NARROW) : integer;
  if (fraction) text += `.${fraction}`;
  return value < 0 && /[1-9]/.test(text) ? MINUS + text : text;
}
/** `value` with `significant` digits; digits of the integer part are never dropped. */
export function number(value: number, significant = 4): string {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  return fixed(value, size === 0 ? 0 : Math.max(0, Math.min(12, significant - 1 - Math.floor(Math.log10(size)))));
}

/** "+3.1 %", "−0.4 %", "0.0 %". */
export function share(ratio: number, decimals = 1): string {
  if (!Number.isFinite(ratio)) return "–";
  const text = (Math.abs(ratio) * 100).toFixed(decimals);
  const sign = !/[1-9]/.test(text) ? "" : ratio < 0 ? MINUS : "+";
  return `${sign}${text}${NARROW}%`;
}

export interface Unit { unit: string; factor: number; digits: number }

/** A metric's value with the unit that its series is shown in. */
export function valueText(value: number, of: Unit): string {
  if (!Number.isFinite(value)) return "–";
  return of.unit ? `${bareText(value, of)} ${of.unit}` : bareText(value, of);
}
/** The same without its unit, for a range whose end has it. */
export const bareText = (value: number, of: Unit): string => number(value * of.factor, of.digits);
/** A whole number of things. */
export const count = (things: number): string => number(things, 1);

const pad = (part: number): string => String(part).padStart(2, "0");
const date = (seconds: number): Date => new Date(seconds * 1000);

/** "2026-11-26", UTC. */
export function day(seconds: number): string {
  const at = date(seconds);
  return `${at.getUTCFullYear()}-${pad(at.getUTCMonth() + 1)}-${pad(at.getUTCDate())}`;
}
/** "2026-11-26 18:05", UTC. */
export function minute(seconds: number): string {
  const at = date(seconds);
  return `${day(seconds)} ${pad(at.getUTCHours())}:${pad(at.getUTCMinutes())}`;
}
/** "2026-11-26T18:05:00Z", for the address; what `Date.parse` reads. */
export const second = (seconds: number): string => `${date(seconds).toISOString().slice(0, 19)}Z`;
/** "3 days", "5 h": how long, roughly. */
export function roughly(seconds: number): string {
  if (seconds < 5400) return plural(Math.max(0, Math.round(seconds / 60)), "minute");
  if (seconds < 129_600) return plural(Math.round(seconds / 3600), "hour");
  return plural(Math.round(seconds / 86_400), "day");
}
export function duration(seconds: number): string {
  if (seconds < 60) return `${number(seconds, 2)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${pad(Math.floor(seconds % 60))} s`;
  return `${Math.floor(seconds / 3600)} h ${pad(Math.floor((seconds % 3600) / 60))} min`;
}
export function plural(things: number, one: string, many = `${one}s`): string {
  return `${count(things)} ${things === 1 ? one : many}`;
}
