// The gallery's pictures, from pages that make.sh has written.
//   node make.mjs PAGES OUT
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { launch } from "../../tests/browser/browser.mjs";

const [pages, out] = process.argv.slice(2);
const width = 1000, quality = 82;
const browser = await launch(`${pages}/profile`);

/// The element of a page, with what stands above it since the element `from`, as a picture; the window itself without a selector.
async function picture(name, file, { hash = "", selector = "", from = selector, height = 900, wide = width, dark = false, script = false, before = "" } = {}) {
  const page = await browser.open(pathToFileURL(`${pages}/${file}`).href + hash, { width: wide, height, dark, script });
  if (before) await page.evaluate(before);
  const box = await page.evaluate(`(() => {
    const it = ${selector ? `document.querySelector(${JSON.stringify(selector)})` : "null"};
    if (!it) return { x: 0, y: 0, width: innerWidth, height: innerHeight };
    const { x, y } = document.querySelector(${JSON.stringify(from)}).getBoundingClientRect();
    const { right, bottom } = it.getBoundingClientRect();
    return { x: x + scrollX, y: y + scrollY, width: right - x, height: bottom - y };
  })()`);
  const edge = selector && selector !== "pre" ? 16 : 0;
  const clip = { x: box.x - edge, y: box.y - edge, width: box.width + 2 * edge, height: Math.min(box.height, 1700) + 2 * edge, scale: 1 };
  const shot = await page.call("Page.captureScreenshot", { format: "webp", quality, clip, captureBeyondViewport: true });
  writeFileSync(`${out}/${name}.webp`, Buffer.from(shot.data, "base64"));
  await page.close();
}

for (const verdict of ["pass", "fail", "undecided"]) await picture(verdict, `${verdict}.html`, { selector: ".page-one", from: ".masthead" });
await picture("suite", "acceptance.html", { selector: "#suite-hpl" });
await picture("nodes", "acceptance.html", { selector: "#nodes" });
await picture("site", "site.html", { wide: 1200, height: 820, script: true });
await picture("node-map", "site.html", { hash: "#/nodes", wide: 1200, height: 820, script: true });
await picture("terminal", "terminal.html", { selector: "pre" });
await browser.close();
