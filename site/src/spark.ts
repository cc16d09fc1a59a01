/** A line of values without axes; what it shows is said beside it. */
import { svg } from "./dom";

const WIDTH = 120, HEIGHT = 24, MOST = 60;

export function sparkline(all: readonly number[], label: string): SVGElement {
  const values = all.slice(-MOST);
  const low = Math.min(...values), high = Math.max(...values);
  const x = (i: number): number => values.length > 1 ? 2 + (WIDTH - 4) * i / (values.length - 1) : WIDTH / 2;
  const y = (value: number): number => high > low ? HEIGHT - 3 - (HEIGHT - 6) * (value - low) / (high - low) : HEIGHT / 2;
  const points = values.map((value, i) => `${x(i).toFixed(1)} ${y(value).toFixed(1)}`);
  const d = points.length === 1 ? `M${points[0]}h.1` : `M${points.join("L")}`;
  return svg("svg", { class: "spark", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
    svg("path", { d }), svg("circle", { cx: x(values.length - 1).toFixed(1), cy: y(values[values.length - 1]).toFixed(1), r: 2.2 }));
}
