/** How a verdict looks: a shape of its own and its word, never its colour alone. The shapes are those of the report. */
import { h, svg } from "./dom";

interface Look { word: string; css: "v-pass" | "v-fail" | "v-open"; draw: [tag: string, attributes: Record<string, string | number>][] }

const path = (css: string, d: string): [string, Record<string, string>] => ["path", { class: css, d }];
const looks: Record<string, Look> = {
  "pass": { word: "Pass", css: "v-pass", draw: [["circle", { class: "s", cx: 8, cy: 8, r: 7 }], path("m", "M4.6 8.3l2.3 2.4 4.6-5")] },
  "fail": { word: "Fail", css: "v-fail", draw: [path("s", "M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1z"), path("m", "M5.4 5.4l5.2 5.2M10.6 5.4l-5.2 5.2")] },
  "invalid": { word: "Invalid", css: "v-fail", draw: [path("s", "M8 1.2L15.4 14.6H.6z"), path("m", "M8 6v4M8 12.1v.6")] },
  "not-run": { word: "No result", css: "v-open", draw: [["circle", { class: "o", cx: 8, cy: 8, r: 6.5, "stroke-dasharray": "2.5 1.6" }], path("p", "M5 8h6")] },
  "not-comparable": { word: "Not comparable", css: "v-open", draw: [["rect", { class: "o", x: 1.5, y: 1.5, width: 13, height: 13, rx: 2 }], path("p", "M4.5 6.2h7M4.5 9.8h7M10 4l-4 8")] },
  "undecided": { word: "Undecided", css: "v-open", draw: [path("o", "M8 .9L15.1 8 8 15.1.9 8z"), path("p", "M6.3 6.6a1.7 1.7 0 1 1 2.5 1.5c-.6.3-.8.6-.8 1.2M8 11v.4")] },
  "not-judged": { word: "Not judged", css: "v-open", draw: [path("p", "M5 8h6")] },
};
const none: Look = { word: "No verdict", css: "v-open", draw: [path("p", "M5 8h6")] };
/** Without criteria there is no verdict to wait for. */
export const isJudged = (verdict: string): boolean => verdict !== "" && verdict !== "not-judged";

export const verdictWords = Object.keys(looks);
/** Of a criterion that a waiver lifts: "invalid, waived". */
const WAIVED = ", waived";
export function lookOf(verdict: string): Look {
  if (!verdict.endsWith(WAIVED)) return looks[verdict] ?? none;
  const broken = looks[verdict.slice(0, -WAIVED.length)] ?? none;
  return { ...broken, word: broken.word + WAIVED };
}

export function verdictIcon(verdict: string): SVGElement {
  return svg("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" },
    lookOf(verdict).draw.map(([tag, attributes]) => svg(tag, attributes)));
}

export function verdictMark(verdict: string): HTMLElement {
  const look = lookOf(verdict);
  return h("span", { class: `v ${look.css}` }, verdictIcon(verdict), look.word);
}
