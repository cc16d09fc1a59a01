// Asserts what tests/browser/site_test.sh says of the page. Arguments: the work folder, axe's script or '', a folder for pictures.
import { mkdirSync, writeFileSync } from "node:fs";
import { launch } from "./browser.mjs";
import { hostile } from "./hostile.mjs";
import { A4, pageChecks } from "./pages.mjs";

const [work, axeFile, pictures] = process.argv.slice(2);
const good = `file://${work}/w/site.html`, bad = `file://${work}/hostile/site.html`;
const browser = await launch(`${work}/profile`);
const checks = pageChecks(axeFile);
const { that: check, sound, accessible } = checks;

const first = await browser.open(good);
const ids = await first.evaluate("[...document.querySelectorAll('.verdict a')].map((a) => a.textContent)");
await first.hash("#/trend");
const trend = await first.evaluate("document.querySelector('tbody a').getAttribute('href')");
await first.hash("#/campaigns");
const campaigns = await first.evaluate("[...document.querySelectorAll('tbody th a')].map((a) => a.textContent)");
check(campaigns.length === 3, `campaigns: ${campaigns}`);
check(ids[0] === campaigns[0], "the last verdict is the newest campaign's");
await first.close();

const views = { overview: "#/", trends: "#/trend", trend, nodes: "#/nodes", campaigns: "#/campaigns", campaign: `#/campaign/${campaigns[0]}`,
  compare: `#/compare/${campaigns[1]}/${campaigns[0]}`, search: "#/search?q=hpl" };
for (const [width, dark] of [[1280, false], [1280, true], [390, false], [390, true], [320, false], [320, true]]) {
  for (const [view, hash] of Object.entries(views)) {
    const name = `${view}-${width}-${dark ? "dark" : "light"}`;
    const page = await browser.open(good + hash, { width, dark });
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() => 0)");
    check(await page.evaluate("document.querySelectorAll('h1').length") === 1, `${name}: one h1`);
    check(await page.evaluate("[...document.querySelectorAll('.v, .verdict')].every((each) => /[A-Za-z]/.test(each.textContent) && each.querySelector('svg'))"), `${name}: a verdict without word or shape`);
    await sound(page, good, name);
    await accessible(page, name);
    if (pictures) { mkdirSync(pictures, { recursive: true }); writeFileSync(`${pictures}/${name}.png`, await page.picture()); }
    await page.close();
  }
}

// Two systems beside each other, and nodes of all shades; criteria in the words of the report.
const two = `file://${work}/two/site.html`;
for (const width of [1280, 390]) {
  for (const dark of [false, true]) {
    for (const hash of ["#/", "#/nodes/nine-nodes"]) {
      const name = `two systems ${hash} ${width} ${dark ? "dark" : "light"}`;
      const page = await browser.open(two + hash, { width, dark });
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() => 0)");
      if (hash === "#/") {
        check(await page.evaluate("document.querySelectorAll('section.system').length") === 2, `${name}: two systems`);
        const words = await page.evaluate("[...document.querySelectorAll('td .v')].map((each) => each.textContent)");
        check(words.includes("No result") && words.includes("Invalid, waived"), `${name}: ${words}`);
      } else {
        const shades = await page.evaluate("[...new Set([...document.querySelectorAll('td.cell')].map((each) => each.className.split(' ').pop()))]");
        check(shades.length === 9, `${name}: shades ${shades}`);
        const [high, broad, names] = await page.evaluate("[document.querySelector('canvas').clientHeight, document.querySelector('canvas').clientWidth, [...document.querySelectorAll('.names li')].map((each) => [each.textContent, each.offsetTop - document.querySelector('canvas').offsetTop])]");
        check(high === 9 * 14 && broad <= 120, `${name}: nine nodes of one day are ${broad} x ${high} px`);
        check(names.length === 9 && names.every(([node, top], row) => node.startsWith("cn") && top === row * 14), `${name}: a row without its name: ${names.join(" ")}`);
      }
      await sound(page, two, name);
      await accessible(page, name);
      if (pictures) { mkdirSync(pictures, { recursive: true }); writeFileSync(`${pictures}/${name.replace(/[^a-z0-9]+/g, "-")}.png`, await page.picture()); }
      await page.close();
    }
  }
}

// Of each system its own last verdict; with --system that system alone, and reports are found from where the page stands.
const one = `file://${work}/other/place/one.html`;
{
  const verdicts = "[...document.querySelectorAll('section.system')].map((each) => ['h1, h2', '.verdict .word', '.verdict a'].map((part) => each.querySelector(part).textContent))";
  const both = await browser.open(two), alone = await browser.open(one);
  const [nine, test] = await both.evaluate(verdicts);
  check(nine[0] === "nine-nodes" && nine[1] === "Undecided" && !campaigns.includes(nine[2]), `nine-nodes: ${nine}`);
  check(`${test}` === `test,Invalid,${campaigns[1]}`, `test: ${test}`);
  check(`${await alone.evaluate(verdicts)}` === `${nine}`, "--system: not the system's own section alone");
  const source = await alone.evaluate("document.documentElement.outerHTML");
  check(source.includes(nine[2]) && campaigns.every((each) => !source.includes(each)), "--system: another system's campaign is in the page");
  await alone.close();

  for (const [url, folder, id] of [[good, "w", campaigns[2]], [one, "two", nine[2]]]) {
    const page = await browser.open(`${url}#/campaign/${id}`);
    await page.go(await page.evaluate("[...document.querySelectorAll('.actions a')].find((each) => each.textContent.includes('report')).href"));
    const [at, text] = await page.evaluate("[location.href, document.body.textContent]");
    check(at === `file://${work}/${folder}/campaigns/${id}/report.html` && text.includes(id), `${url}: ${at} is not the report of ${id}`);
    await page.close();
  }

  // The search finds each thing by a part of its name alone; the next link is the hit, and Enter opens it.
  for (const [part, kind, titled] of [[campaigns[0].slice(5), `#/campaign/${campaigns[0]}`, campaigns[0]], ["N115", "#/trend/nine-nodes/", " Rmax on cn115"], ["max", "#/trend/", " Rmax"]]) {
    await both.key("/");
    await both.call("Input.insertText", { text: part });
    await both.key("Enter");
    await both.until(`location.hash === '#/search?q=' + ${JSON.stringify(part)} && document.querySelector('h1').textContent.startsWith('Search')`);
    const hits = await both.evaluate("[...document.querySelectorAll('main a')].map((each) => each.textContent)");
    check(hits.length > 0 && hits.every((each) => each.toLowerCase().includes(part.toLowerCase())), `search for ${part}: ${hits}`);
    for (let tabs = 0; tabs < 3 && !(await both.evaluate("document.activeElement.closest('main a') !== null")); tabs++) await both.key("Tab");
    await both.key("Enter");
    await both.until(`location.hash.startsWith(${JSON.stringify(kind)}) && document.querySelector('h1').textContent.endsWith(${JSON.stringify(titled)})`);
  }

  // Each node's own trend, by its row of the picture and by the keyboard.
  const rate = {};
  for (const node of ["cn0985", "cn107"]) {
    await both.hash("#/nodes/nine-nodes");
    if (node === "cn107") {
      const at = () => both.evaluate("document.activeElement.textContent");
      for (let tabs = 0; tabs < 60 && await at() !== node; tabs++) await both.key("Tab");
      await both.key("Enter");
    } else {
      const [x, y] = await both.evaluate(`(document.querySelector('canvas').scrollIntoView(), [document.querySelector('canvas').getBoundingClientRect()].map((box) => [box.left + box.width / 2, box.top + 14 * ([...document.querySelectorAll('.names li')].findIndex((each) => each.textContent === '${node}') + 0.5)])[0])`);
      await both.click(x, y);
    }
    await both.until(`location.hash.endsWith('?node=${node}') && document.querySelector('.chart') !== null`);
    check((await both.evaluate("document.querySelector('h1').textContent")).endsWith(` Rmax on ${node}`), `not the trend of ${node}`);
    rate[node] = parseFloat(await both.evaluate("document.querySelector('.facts b').textContent"));
  }
  check(Math.abs(rate.cn107 / rate.cn0985 - 1.07 / 0.985) < 0.001, `not the nodes' own values: ${JSON.stringify(rate)}`);
  await sound(both, two, "search and nodes");
  await both.close();
}

// A shift of 0.3 % is a number: between two campaigns, and at the axis of a trend.
{
  const page = await browser.open(`${good}#/compare/${campaigns[2]}/${campaigns[1]}`);
  const cells = "[...document.querySelectorAll('tbody tr')].find((row) => row.querySelector('th').textContent.includes(' Rmax')).querySelectorAll('td')";
  const shift = async () => page.evaluate(`[...${cells}].slice(0, 3).map((cell) => cell.firstChild.textContent)`);
  const [first, second, more] = await shift();
  check(first !== second && more === "+0.3\u202f%", `0.3 % more: ${first}, ${second}, ${more}`);
  await page.hash(`#/compare/${campaigns[1]}/${campaigns[2]}`);
  check((await shift())[2] === "\u22120.3\u202f%", `0.3 % less: ${await shift()}`);
  await page.evaluate("{ const { prototype } = CanvasRenderingContext2D, { fillText } = prototype; window.drawn = []; prototype.fillText = function (text, ...at) { drawn.push([text, at[1]]); fillText.call(this, text, ...at); }; }");
  await page.hash(trend);
  await page.until("drawn.some(([text]) => text === 'GFLOP/s')");
  const ticks = new Map((await page.evaluate("drawn")).filter(([text]) => /^[\d.\u202f]+$/.test(text)).map(([text, height]) => [height, text]));
  check(ticks.size > 2 && new Set(ticks.values()).size === ticks.size, `the axis of values within 0.6 % says ${[...ticks.values()]}`);
  await page.close();
}

{
  const page = await browser.open(two + `#/compare/${campaigns[1]}/${campaigns[0]}`);
  const shown = await page.evaluate("document.body.textContent");
  check(shown.includes("Measured by both, not compared") && shown.includes("first without a value that counts") && !shown.includes("Measured by one only"), `invalid results of one campaign: ${shown.slice(0, 900)}`);
  await page.close();
}

// The state is in the address: what was zoomed and read comes back with it.
{
  let page = await browser.open(good + trend);
  await page.evaluate("document.querySelector('.chart').focus()");
  const frames = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";
  const view = () => page.evaluate(`${frames}.then(() => document.querySelector('.chart canvas').toDataURL())`);
  const whole = await view();
  await page.key("ArrowLeft");
  const read = await page.evaluate("document.querySelector('.reading').textContent");
  check(/GFLOP\/s/.test(read) && read.includes(campaigns[1]), `the arrow key reads the campaign before the last: ${read}`);
  await page.key("+");
  const zoomed = await view(), there = await page.evaluate("location.href");
  check(/from=\d{4}-\d\d-\d\d/.test(there) && zoomed !== whole, `the zoomed span stands in the address: ${there}`);
  await page.close();
  page = await browser.open(there);
  check(await view() === zoomed, "the address does not bring the zoomed view back");
  await page.key("g"); await page.evaluate("document.activeElement.blur()");
  await page.key("g"); await page.key("c");
  await page.until("location.hash === '#/campaigns'");
  await page.key("/");
  check(await page.evaluate("document.activeElement.id") === "query", "/ goes to the search");
  await sound(page, good, "keyboard");
  await page.close();
}

// Without script the summary says the same.
for (const width of [1280, 390, 320]) {
  const page = await browser.open(good, { width, script: false });
  const text = (await page.call("Runtime.evaluate", { expression: "document.body.innerText", returnByValue: true })).result.value ?? "";
  check(text.includes("test") && text.includes(campaigns[0]) && text.includes("Rmax") && text.includes("3 campaigns in this history"), `without script: ${text.slice(0, 400)}`);
  if (pictures) writeFileSync(`${pictures}/static-${width}.png`, await page.picture());
  await sound(page, good, `without script ${width}`);
  await page.close();
}

// Print: the page and its summary without script.
for (const [view, options] of Object.entries({ overview: {}, campaign: {}, campaigns: {}, summary: { script: false } })) {
  const url = good + (views[view] ?? "");
  const page = await browser.open(url, { width: A4, print: true, ...options });
  await sound(page, good, `print, ${view}`);
  const { pages } = await checks.printed(page, `print, ${view}`, `${work}/${view}.pdf`);
  check(pages <= 3, `${view}: ${pages} printed pages`);
  await page.close();
}

// Hostile texts stay texts.
for (const hash of ["#/", "#/campaigns", "#/search?q=%3Cscript%3Ewindow.hurt%3D1%3C/script%3E", `#/compare/${campaigns[1]}/${campaigns[0]}`, `#/campaign/${campaigns[0]}`, "#/trend", `#/campaign/${encodeURIComponent(hostile[0])}`, `#/trend/${encodeURIComponent(hostile[0])}/x`, "#/nodes/%E0%A4%A"]) {
  const page = await browser.open(bad + hash);
  check(await page.evaluate("typeof window.hurt") === "undefined", `hostile: a text ran at ${hash}`);
  check(await page.evaluate("document.querySelectorAll('main img, main iframe, main script, main style, main base, main meta').length") === 0, `hostile: a text became an element at ${hash}`);
  if (hash.startsWith(`#/campaign/${campaigns[0]}`)) {
    const shown = await page.evaluate("document.body.textContent");
    const lost = hostile.filter((text) => !/[\u0000\u001b]/.test(text) && !shown.includes(text));
    check(lost.length === 0, `hostile: ${lost.length} texts are not shown as they are: ${lost[0]}`);
  }
  await sound(page, bad, `hostile ${hash}`);
  await page.close();
}
{
  const page = await browser.open(bad, { script: false });
  await sound(page, bad, "hostile without script");
  await page.close();
}
check(checks.states > 0, "no table with a state was found");
await checks.control(browser, work);
await browser.close();
console.log(`${checks.count} checks in ${browser.product}: ${Object.keys(views).length} views, light and dark, 320, 390 and 1280 px; ${checks.states} states in sight${axeFile ? ", axe-core finds nothing" : ""}`);
