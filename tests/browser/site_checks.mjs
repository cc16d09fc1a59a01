// Asserts what tests/browser/site_checks_test.sh says of its page. Arguments: the work folder, the node.
import { readFileSync } from "node:fs";
import { launch } from "./browser.mjs";
import { pageChecks } from "./pages.mjs";

const [work, node] = process.argv.slice(2);
const url = `file://${work}/site.html`;
const browser = await launch(`${work}/profile`);
const checks = pageChecks();
const { that: check, sound } = checks;
const page = await browser.open(url);

const coverage = await page.evaluate("[...document.querySelectorAll('.coverage > div')].map((each) => [each.lastChild.textContent, each.firstChild.textContent, each.querySelector('meter').value / each.querySelector('meter').max].join())");
const expected = ["measured within 7 days,1 of 4 nodes,0.25", "measured within 30 days,1 of 4 nodes,0.25", "measured within 90 days,2 of 4 nodes,0.5", "measured at least once,2 of 4 nodes,0.5"];
check(coverage.join() === expected.join(), `coverage: ${coverage.join("; ")}`);
const words = await page.evaluate("document.querySelector('.coverage').nextSibling.textContent");
check(words.includes("Longest ago: cn1, 32 days. Never: cn2, cn3."), `coverage: ${words}`);

// Newest first: a contract's campaign, six slower checks, the accepted campaign, eight checks, and one of another program.
await page.hash("#/campaigns");
const campaigns = await page.evaluate("[...document.querySelectorAll('tbody tr')].map((row) => ({ id: row.querySelector('th a').textContent, begun: row.querySelector('[data-label^=Begun]').textContent }))");
check(campaigns.length === 17 && new Set(campaigns.map((each) => each.begun.slice(0, 10))).size === 17, `campaigns: ${campaigns.map((each) => each.begun)}`);

await page.hash("#/nodes");
await page.hash(await page.evaluate(`[...document.querySelectorAll('tbody th a')].find((each) => each.textContent === ${JSON.stringify(node)}).getAttribute('href')`));
const rows = await page.evaluate("[...document.querySelectorAll('[aria-label^=\"What happened\"] tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent))");
const minuteOf = (file) => JSON.parse(readFileSync(`${work}/w/${file}`, "utf8").split("\n")[0]).t.slice(0, 16).replace("T", " ");
for (const [at, mark, text] of [
  [minuteOf("events.jsonl"), "Declared", `${node}: declared reboot by ops (new board)`], [minuteOf("accepted.jsonl"), "Accepted", `${campaigns[7].id} accepted by buyer: delivery`],
  [campaigns[0].begun, "Environment", "kernel: 6.1.0-25 → 6.1.0-26"], [campaigns[6].begun, "Change point", "Values changed by −10."], [campaigns[6].begun, "Change point", ", worse: from "],
  [campaigns[15].begun, "Environment", `A check found on ${node}: sha256 ${work}/gemm`]])
  check(rows.some((row) => row[0] === at && row[1].includes(mark) && row[2].includes(text)), `no '${mark}' of ${at} with '${text}' in ${rows.map((row) => row.join(" ")).join("\n")}`);
check(rows.length === 5, `what happened: ${rows.length} rows`);

const stated = Object.fromEntries(await page.evaluate("[...document.querySelectorAll('.facts > div')].map((each) => [each.querySelector('dt').textContent, each.querySelector('dd').textContent])"));
check(stated.Limit.startsWith("85.00 GFLOP/s"), `limit: ${stated.Limit}`);
check(stated.Floor.startsWith("50.00 GFLOP/s"), `floor: ${stated.Floor}`);
check(Math.abs(parseFloat(stated["Accepted reference"]) - 100) <= 1 && /last value −1?\d\.\d/.test(stated["Accepted reference"]), `reference: ${stated["Accepted reference"]}`);
const [, low, high] = /^([\d.]+) to ([\d.]+) GFLOP\/s$/.exec(stated["Noise band"]) ?? [];
check(low < 100 && high > 100 && high / low < 1.1, `noise band: ${stated["Noise band"]}`);
await sound(page, url, "checks");
await page.close();
await browser.close();
