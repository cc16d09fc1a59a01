// axe-core before pages that run no script: light and dark, 320, 390 and 1280 px. All is unfolded; the hundred nodes' cases
// once, as the other reports have the same parts. Dark differs from light in colours alone.
// Arguments: a folder for what is written, axe's script, the pages.
import { basename } from "node:path";
import { launch } from "./browser.mjs";
import { pageChecks } from "./pages.mjs";

const [work, axeFile, ...files] = process.argv.slice(2);
const browser = await launch(`${work}/profile`);
const checks = pageChecks(axeFile);
for (const file of files)
  for (const width of [1280, 390, 320])
    for (const dark of [false, true]) {
      const page = await browser.open(`file://${file}`, { width, dark, ready: "document.readyState === 'complete'" });
      const cases = basename(file) !== "report-acceptance.html" || (width === 1280 && !dark) ? "" : ":not(.case)";
      await page.evaluate(`document.querySelectorAll("details${cases}").forEach((each) => { each.open = true; })`);
      await checks.accessible(page, `${basename(file)}, ${width} px, ${dark ? "dark" : "light"}`, dark);
      await page.close();
    }
await checks.control(browser, work);
await browser.close();
