// Measures a history page in Chromium: time to the first chart and to the heat map, and frames while a trend is moved.
// Arguments: the page, rounds. Prints "name value unit" lines, medians first, then their range.
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { launch } from "../browser/browser.mjs";

const [file, rounds = "5"] = process.argv.slice(2);
const url = `file://${file}`;
const profile = `${tmpdir()}/shakedown-site-${process.pid}`;
const browser = await launch(profile);
const first = await browser.open(url);
await first.hash("#/trend");
const trend = await first.evaluate("document.querySelector('tbody a').getAttribute('href')");
await first.close();

/** The time from navigation to the second frame after the view was put into the page. */
async function timeTo(hash, selector) {
  const page = await browser.open(url + hash);
  const at = await page.evaluate(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(document.querySelector(${JSON.stringify(selector)}) ? performance.getEntriesByName("shown")[0].startTime : NaN))))`);
  return { page, at };
}
const found = { "first sparkline (overview)": [], "first chart (trend)": [], "heat map of all nodes": [], "frame while moving a trend, 95 % below": [], "frame while moving a trend, median": [] };
const of = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
for (let round = 0; round < Number(rounds); round++) {
  for (const [name, hash, selector] of [["first sparkline (overview)", "#/", ".spark"], ["first chart (trend)", trend, ".uplot canvas"], ["heat map of all nodes", trend.replace("/trend/", "/nodes/"), ".picture canvas"]]) {
    const { page, at } = await timeTo(hash, selector);
    if (Number.isNaN(at)) throw new Error(`${name}: not shown`);
    found[name].push(at);
    if (name === "first chart (trend)") {
      // A hundred steps of the keyboard's own command, one a frame.
      const times = await page.evaluate(`new Promise((done) => {
        const chart = document.querySelector(".chart"), times = [];
        for (let i = 0; i < 4; i++) chart.dispatchEvent(new KeyboardEvent("keydown", { key: "+" }));
        let last = performance.now(), steps = 0;
        const step = (now) => {
          if (steps > 0) times.push(now - last);
          last = now;
          if (steps++ === 100) return done(times);
          chart.dispatchEvent(new KeyboardEvent("keydown", { key: steps % 40 < 20 ? "ArrowLeft" : "ArrowRight", shiftKey: true }));
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      })`);
      found["frame while moving a trend, median"].push(of(times, 0.5));
      found["frame while moving a trend, 95 % below"].push(of(times, 0.95));
    }
    await page.close();
  }
}
for (const [name, values] of Object.entries(found)) console.log(`${name}|${of(values, 0.5).toFixed(0)}|${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)}`);
await browser.close();
rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
