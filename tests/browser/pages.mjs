// What must hold of each page in whatever state: the report, the comparison, the history.
//   const checks = pageChecks(axeFile or ''); await checks.sound(page, url, name); ...
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";

// These run in the page.
/** The elements that the tabulator key stops at although nothing can be done there. */
function idleTabStops() {
  const acts = "a[href], area[href], button, input, select, textarea, summary, [role=application], [role=button], [role=tab]";
  return [...document.querySelectorAll("*")].filter((each) => each.tabIndex >= 0 && each.getClientRects().length > 0 && !each.matches(acts) &&
    each.scrollWidth <= each.clientWidth && each.scrollHeight <= each.clientHeight).map((each) => each.outerHTML.slice(0, 120).replace(/\s+/g, " "));
}
/** How many cells of tables hold a state, and those of which a part lies beside the window or is scrolled away. */
function states() {
  const named = ["Verdict", "State", "Status", "Finding", "Validity"].map((label) => `td[data-label="${label}"]`);
  const cells = [...document.querySelectorAll(["td:has(.v)", "th:has(.v)", ...named].join())].filter((each) => each.textContent.trim() !== "" && each.checkVisibility());
  const hidden = cells.filter((cell) => {
    let left = 0, right = innerWidth;
    for (let each = cell; each; each = each.parentElement) {
      if (getComputedStyle(each).overflowX === "visible") continue;
      const box = each.getBoundingClientRect();
      left = Math.max(left, box.left);
      right = Math.min(right, box.right);
    }
    const text = document.createRange();
    text.selectNodeContents(cell);
    return [...text.getClientRects()].some((box) => box.left < left - 1 || box.right > right + 1);
  });
  return { count: cells.length, hidden: hidden.map((each) => each.outerHTML.replace(/<svg.*?<\/svg>/gs, "").slice(0, 160)) };
}

/** What print media show and the PDF must hold: verdicts, findings and states as often as here, hashes of 64 digits once. */
function printedTexts() {
  const marks = [...document.querySelectorAll(".v, .verdict h2, .verdict .word, .verdict a")].filter((each) => each.checkVisibility());
  return { marks: marks.map((each) => each.textContent.trim()), hashes: [...new Set(document.body.innerText.match(/\b[0-9a-f]{64}\b/g))] };
}

/** The width of A4 between its margins, in px. */
export const A4 = 680;

export function pageChecks(axeFile = "") {
  const axe = axeFile ? readFileSync(axeFile, "utf8") : "";
  const checks = { count: 0, states: 0 };
  const check = checks.that = (condition, text) => { checks.count += 1; assert.ok(condition, text); };
  const requests = (page, url) => page.requests.filter((each) => each !== url && !each.startsWith(`${url}#`));
  const violations = async (page, coloursOnly = false) => {
    // Through the protocol: the page's own policy lets no other script in.
    await page.call("Runtime.evaluate", { expression: `${axe};0` });
    // What meets the enhanced contrast meets the other, and these two take most of the time.
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    return page.evaluate(`axe.run(document, { resultTypes: ["violations"], runOnly: ${JSON.stringify(coloursOnly ? ["color-contrast-enhanced", "link-in-text-block"] : tags)},
      rules: ${coloursOnly ? "{}" : `{ "color-contrast-enhanced": { enabled: true }, "color-contrast": { enabled: false },
               "target-size": { enabled: true }, "landmark-unique": { enabled: true } }`} })
      .then((result) => result.violations.map((each) => each.id + ": " + each.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")))`);
  };

  checks.sound = async (page, url, name) => {
    check(page.errors.length === 0, `${name}: ${page.errors.join("; ")}`);
    const left = requests(page, url);
    check(left.length === 0, `${name}: a request left the file: ${left}`);
    const [content, window_] = await page.evaluate("[document.documentElement.scrollWidth, innerWidth]");
    check(content <= window_, `${name}: ${content} px wide in a window of ${window_} px`);
    const idle = await page.evaluate(`(${idleTabStops})()`);
    check(idle.length === 0, `${name}: the tabulator key stops where nothing can be done: ${idle[0]}`);
    const { count, hidden } = await page.evaluate(`(${states})()`);
    checks.states += count;
    check(hidden.length === 0, `${name}: a state is out of sight: ${hidden[0]}`);
  };

  /** Of a page that was opened for print. Writes the PDF, and answers how many pages it has. */
  checks.printed = async (page, name, file) => {
    writeFileSync(file, await page.pdf());
    const text = execFileSync("pdftotext", [file, "-"]).toString().replace(/\s+/g, " ");
    const { marks, hashes } = await page.evaluate(`(${printedTexts})()`);
    check(marks.length > 0, `${name}: no verdict is shown for print`);
    const times = (mark) => [marks.filter((each) => each === mark).length, text.split(mark).length - 1];
    const lost = [...new Set(marks)].filter((mark) => times(mark)[1] < times(mark)[0]).map((mark) => `'${mark}' is shown ${times(mark)[0]} times and printed ${times(mark)[1]} times`);
    lost.push(...hashes.filter((hash) => !text.includes(hash)).map((hash) => `the hash ${hash} is not printed in one piece`));
    check(lost.length === 0, `${name}: ${lost.join("; ")}`);
    return { hashes: hashes.length, pages: Number(/^Pages: *(\d+)/m.exec(execFileSync("pdfinfo", [file]).toString())[1]) };
  };

  checks.accessible = async (page, name, coloursOnly = false) => {
    if (!axe) return;
    const found = await violations(page, coloursOnly);
    check(found.length === 0, `${name}: axe finds ${found.join("\n")}`);
  };

  /** A page that breaks each rule must be found out, else the checks above would prove nothing. */
  checks.control = async (browser, folder) => {
    const url = `file://${folder}/control.html`;
    writeFileSync(`${folder}/control.html`, `<!doctype html><html lang="en"><title>Control</title><main><h1>Control</h1><p class="notice" style="color: #767676">grey</p>
<nav><a href="#a" style="font-size: 6px">a</a><a href="#b" style="font-size: 6px">b</a></nav><nav><a href="#c">c</a></nav>
<div style="overflow: auto; width: 200px" tabindex="0"><table style="width: 900px"><tr><th scope="row">n</th><td>1</td><td><span class="v">Pass</span></td></tr></table></div>
<p tabindex="0">idle</p><img src="http://elsewhere.invalid/x.png" alt=""></main><script>console.error("seen")</script></html>`);
    const page = await browser.open(url, { width: 390 });
    check(requests(page, url).some((each) => each.includes("elsewhere.invalid")), "requests are missed");
    check(page.errors.some((each) => each.includes("seen")) && page.errors.some((each) => each.includes("ERR_NAME_NOT_RESOLVED")), `errors are missed: ${page.errors}`);
    const { count, hidden } = await page.evaluate(`(${states})()`);
    check(count === 1 && hidden.length === 1, "a state that is scrolled out of sight is missed");
    check((await page.evaluate(`(${idleTabStops})()`)).join().includes("idle"), "an idle tab stop is missed");
    if (axe) {
      const found = await violations(page);
      for (const rule of ["color-contrast-enhanced", "target-size", "landmark-unique"])
        check(found.some((each) => each.startsWith(rule)), `axe misses ${rule}: ${found.join("\n")}`);
    }
    await page.close();
  };
  return checks;
}
