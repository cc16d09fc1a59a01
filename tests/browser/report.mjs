// Asserts what must hold of pages that run no script: reports, comparisons. Arguments: a folder for the PDF of each, the pages.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { launch } from "./browser.mjs";
import { hostile } from "./hostile.mjs";
import { A4, pageChecks } from "./pages.mjs";

const [work, ...files] = process.argv.slice(2);
const browser = await launch(`${work}/profile`);
const checks = pageChecks();
const ready = "document.readyState === 'complete'";
let hashes = 0;

for (const file of files) {
  const url = `file://${file}`;
  const grounds = [];
  for (const options of [1280, 390, 320].flatMap((width) => [{ width }, { width, dark: true }, { width, script: false }])) {
    const name = `${basename(file)}, ${JSON.stringify(options)}`;
    const page = await browser.open(url, { ...options, ready });
    await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
    await checks.sound(page, url, name);
    const foreign = await page.evaluate("[typeof window.hurt, ...[...document.querySelectorAll('script, img, iframe, base, main style, meta[http-equiv=refresh], [onload], [onerror], a[href^=javascript]')].map((each) => each.outerHTML)]");
    checks.that(foreign.join() === "undefined", `${name}: a text ran or became an element: ${foreign}`);
    grounds.push(await page.evaluate("getComputedStyle(document.body).backgroundColor"));
    await page.close();
  }
  if (basename(file) === "hostile.html") {
    const page = await browser.open(url, { ready });
    const shown = await page.evaluate("document.body.textContent");
    const lost = hostile.filter((text) => !/[\u0000\u001b\u2028]/.test(text) && !shown.includes(text));
    checks.that(lost.length === 0, `${lost.length} hostile texts are not shown as they are: ${lost[0]}`);
    await page.close();
  }
  checks.that(grounds[0] !== grounds[1], `${basename(file)}: dark looks like light`);

  const page = await browser.open(url, { width: A4, print: true, dark: true, ready });
  await checks.sound(page, url, `${basename(file)}, print`);
  checks.that(await page.evaluate("getComputedStyle(document.body).backgroundColor") === grounds[0], `${basename(file)}: the print is dark`);
  hashes += (await checks.printed(page, `${basename(file)}, print`, `${work}/${basename(file)}.pdf`)).hashes;
  await page.close();
}
checks.that(checks.states > 0 && hashes > 0, "no table with a state, or no hash was found");

// Texts that a page too narrow for them cuts must be found out, else the checks above would prove nothing.
const narrow = `${work}/narrow.html`;
writeFileSync(narrow, readFileSync(new URL("../fixtures/reports/report.html", import.meta.url), "utf8").replace("</style>", "@media print { main { width: 40mm !important; } }</style>"));
const page = await browser.open(`file://${narrow}`, { width: A4, print: true, ready });
await assert.rejects(checks.printed(page, "narrow", `${narrow}.pdf`), / is shown .* is not printed in one piece/);
await page.close();
await checks.control(browser, work);
await browser.close();
// The browser's own log lists its requests, also those of no page; those to its maker and its search engine are its own.
const hosts = new Set([...readFileSync(`${work}/profile.net.json`, "utf8").matchAll(/"url":"(?:https?|ftp|wss?):\/\/([^/":]*)/g)]
  .map((match) => match[1]).filter((host) => !/(^|\.)(google|googleapis|gvt1|gstatic|duckduckgo)\.com$/.test(host)));
checks.that([...hosts].join() === "elsewhere.invalid", `the network log must have the control page's request alone: ${[...hosts]}`);
console.log(`${checks.count} checks in ${browser.product}: ${files.length} pages, light, dark, print, 320, 390 and 1280 px; ${checks.states} states in sight, ${hashes} hashes in print`);
