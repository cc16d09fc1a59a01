// Asserts what must hold of pages that run no script: reports, comparisons. Arguments: a folder for the PDF of each, the pages.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { launch } from "./browser.mjs";
import { A4, pageChecks } from "./pages.mjs";

const [work, ...files] = process.argv.slice(2);
const browser = await launch(`${work}/profile`);
const checks = pageChecks();
const ready = "document.readyState === 'complete'";
let states = 0, hashes = 0;

for (const file of files) {
  const url = `file://${file}`;
  const grounds = [];
  for (const options of [1280, 390, 320].flatMap((width) => [{ width }, { width, dark: true }, { width, script: false }])) {
    const name = `${basename(file)}, ${JSON.stringify(options)}`;
    const page = await browser.open(url, { ...options, ready });
    await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
    await checks.sound(page, url, name);
    states += await checks.states(page);
    grounds.push(await page.evaluate("getComputedStyle(document.body).backgroundColor"));
    await page.close();
  }
  checks.that(grounds[0] !== grounds[1], `${basename(file)}: dark looks like light`);

  const page = await browser.open(url, { width: A4, print: true, dark: true, ready });
  await checks.sound(page, url, `${basename(file)}, print`);
  checks.that(await page.evaluate("getComputedStyle(document.body).backgroundColor") === grounds[0], `${basename(file)}: the print is dark`);
  hashes += (await checks.printed(page, `${basename(file)}, print`, `${work}/${basename(file)}.pdf`)).hashes;
  await page.close();
}
checks.that(states > 0 && hashes > 0, "no table with a state, or no hash was found");

// Hashes in a column that is too narrow for them must be found out, else the checks above would prove nothing.
const narrow = `${work}/narrow.html`;
writeFileSync(narrow, readFileSync(files[0], "utf8").replace("</style>", "@media print { .hash { width: 20mm !important; } }</style>"));
const page = await browser.open(`file://${narrow}`, { width: A4, print: true, ready });
await assert.rejects(checks.printed(page, "narrow", `${narrow}.pdf`), /is not printed in one piece/);
await page.close();
await checks.control(browser, work);
await browser.close();
// The browser's own log lists its requests, also those of no page; those to its maker and its search engine are its own.
const hosts = new Set([...readFileSync(`${work}/profile.net.json`, "utf8").matchAll(/"url":"(?:https?|ftp|wss?):\/\/([^/":]*)/g)]
  .map((match) => match[1]).filter((host) => !/(^|\.)(google|googleapis|gvt1|gstatic|duckduckgo)\.com$/.test(host)));
checks.that([...hosts].join() === "elsewhere.invalid", `the network log must have the control page's request alone: ${[...hosts]}`);
console.log(`${checks.count} checks in ${browser.product}: ${files.length} pages, light, dark, print, 320, 390 and 1280 px; ${states} states in sight, ${hashes} hashes in print`);
