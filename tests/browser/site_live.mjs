// Asserts what the served page shows while a campaign runs and after it was ended by the given command.
import assert from "node:assert/strict";
import { execSync } from "node:child_process";
import { launch } from "./browser.mjs";

const [work, address, cancel] = process.argv.slice(2);
const browser = await launch(`${work}/live`);
const page = await browser.open(address);
await page.until("document.querySelector('.live')?.textContent.includes('running: long-case')");
assert.match(await page.evaluate("document.querySelector('.live').textContent"), /test · .* · 0 of 1 case ended/);
assert.ok(page.requests.every((each) => each.startsWith(address)), `requests: ${page.requests}`);
execSync(cancel, { stdio: "ignore" });
await page.until("document.querySelector('.live button')?.textContent === 'Show the new results'", 60_000);
await page.evaluate("(document.querySelector('.live button').click(), 0)");
await page.until("performance.getEntriesByName('shown').length > 0 && document.querySelector('.system') !== null", 30_000);
await page.hash("#/campaigns");
assert.match(await page.evaluate("document.querySelector('main').textContent"), /4 campaigns/);
assert.deepEqual(page.errors, []);
await browser.close();
console.log("served: progress, then the new results");
