// Makes template/index.html of dist/index.html: binds the page to its own script and styles, checks its places, and
// notes the hashes of the sources that it was built from.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";

const root = new URL("..", import.meta.url).pathname;
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
let page = readFileSync(`${root}dist/index.html`, "utf8");

const bodies = (pattern) => [...page.matchAll(pattern)].map((match) => match[1]);
const scripts = bodies(/<script type="module"[^>]*>([\s\S]*?)<\/script>/g);
const styles = bodies(/<style[^>]*>([\s\S]*?)<\/style>/g);
if (scripts.length !== 1 || styles.length < 1) throw new Error("the page must have one script and its styles");
const policy = [
  "default-src 'none'", `script-src ${scripts.map(hash).join(" ")}`, `style-src ${styles.map(hash).join(" ")}`,
  "img-src data:", "connect-src 'self'", "base-uri 'none'", "form-action 'none'",
].join("; ");
const notice = readFileSync(`${root}node_modules/uplot/LICENSE`, "utf8").trim();
page = page.replace("<!--POLICY-->", () => `<meta http-equiv="Content-Security-Policy" content="${policy}">`);
page = page.replace("<!--NOTICES-->", () => `<!-- Contains uPlot 1.6.32:\n${notice}\n-->`);
for (const place of ["<!--STATIC-->", "/*DATA*/", '<meta name="shakedown-template" content="schema=1">'])
  if (page.split(place).length !== 2) throw new Error(`${place} must stand in the page once`);

const files = ["index.html", "package-lock.json", "package.json", "tsconfig.json", "vite.config.js", "build/finish.mjs"];
const below = (folder) => {
  for (const entry of readdirSync(`${root}${folder}`, { withFileTypes: true })) {
    if (entry.isDirectory()) below(`${folder}/${entry.name}`);
    else files.push(`${folder}/${entry.name}`);
  }
};
below("src");
const sums = files.sort().map((name) => `${createHash("sha256").update(readFileSync(root + name)).digest("hex")}  ${name}\n`);
mkdirSync(`${root}template`, { recursive: true });
writeFileSync(`${root}template/index.html`, page);
writeFileSync(`${root}template/SOURCES.sha256`, sums.join(""));
