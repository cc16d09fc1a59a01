// axe-core before pages that run no script, with everything unfolded: light and dark, 320, 390 and 1280 px.
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
      await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
      await checks.accessible(page, `${basename(file)}, ${width} px, ${dark ? "dark" : "light"}`);
      await page.close();
    }
await checks.control(browser, work);
await browser.close();
