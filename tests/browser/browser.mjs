// A real Chromium, driven through its DevTools protocol on a pipe: no package is needed.
//   const browser = await launch(profileFolder); const page = await browser.open(url, { width, dark, print, script, ready }); ...
// The browser's own log of its network is complete in `${profileFolder}.net.json` once it is closed.
import { spawn } from "node:child_process";

export async function launch(profile) {
  const child = spawn("chromium", ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--remote-debugging-pipe", `--log-net-log=${profile}.net.json`, `--user-data-dir=${profile}`],
  { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
  const waiting = new Map();
  const listeners = new Set();
  let last = 0, rest = Buffer.alloc(0);
  const ended = new Promise((resolve) => child.on("exit", resolve));
  child.on("exit", () => { for (const { reject } of waiting.values()) reject(new Error("chromium ended")); });
  child.stdio[4].on("data", (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    for (let end; (end = rest.indexOf(0)) >= 0; rest = rest.subarray(end + 1)) {
      const message = JSON.parse(rest.subarray(0, end).toString());
      const asked = waiting.get(message.id);
      if (asked) {
        waiting.delete(message.id);
        if (message.error) asked.reject(new Error(`${asked.method}: ${message.error.message}`)); else asked.resolve(message.result);
      } else for (const listener of listeners) listener(message);
    }
  });
  const send = (method, params = {}, sessionId = undefined) => new Promise((resolve, reject) => {
    const id = ++last;
    waiting.set(id, { method, resolve, reject });
    child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
  });
  const version = await send("Browser.getVersion");

  async function open(url, { width = 1280, height = 900, dark = false, print = false, script = true,
    ready = 'performance.getEntriesByName("shown").length > 0 || document.querySelector("main > .notice") !== null' } = {}) {
    const { targetId } = await send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
    const call = (method, params) => send(method, params, sessionId);
    const page = { requests: [], errors: [], call };
    const loads = [];
    const listener = (message) => {
      if (message.sessionId !== sessionId) return;
      const { params } = message;
      if (message.method === "Network.requestWillBeSent") page.requests.push(params.request.url);
      if (message.method === "Runtime.exceptionThrown") page.errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
      if (message.method === "Runtime.consoleAPICalled" && ["error", "warning", "assert"].includes(params.type)) page.errors.push(params.args.map((each) => each.value ?? each.description).join(" "));
      if (message.method === "Log.entryAdded" && ["error", "warning"].includes(params.entry.level)) page.errors.push(params.entry.text);
      if (message.method === "Page.loadEventFired") loads.splice(0).forEach((resolve) => resolve());
    };
    listeners.add(listener);
    for (const domain of ["Page", "Runtime", "Network", "Log"]) await call(`${domain}.enable`);
    await call("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
    await call("Emulation.setEmulatedMedia", { media: print ? "print" : "", features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
    await call("Emulation.setScriptExecutionDisabled", { value: !script });
    page.evaluate = async (expression) => {
      const { result, exceptionDetails } = await call("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value;
    };
    page.go = async (to) => {
      const loaded = new Promise((resolve) => loads.push(resolve));
      const began = Date.now();
      await call("Page.navigate", { url: to });
      await loaded;
      page.loadMs = Date.now() - began;
    };
    /** Waits until an expression is true. */
    page.until = async (expression, ms = 20_000) => {
      for (const end = Date.now() + ms; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 40)))
        if (await page.evaluate(expression)) return;
      throw new Error(`never true: ${expression}`);
    };
    page.hash = async (hash) => {
      await page.evaluate(`(performance.clearMarks("shown"), location.hash = ${JSON.stringify(hash)}, 0)`);
      await page.until('performance.getEntriesByName("shown").length > 0');
    };
    /** Presses a key as a person does: Enter and Tab act, too. */
    page.key = async (key, modifiers = 0) => {
      const [text, windowsVirtualKeyCode] = { Enter: ["\r", 13], Tab: [undefined, 9] }[key] ?? [undefined, undefined];
      for (const type of ["keyDown", "keyUp"]) await call("Input.dispatchKeyEvent", { type, key, modifiers, text: type === "keyDown" ? text : undefined, windowsVirtualKeyCode });
    };
    page.click = async (x, y) => {
      for (const type of ["mousePressed", "mouseReleased"]) await call("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1 });
    };
    page.picture = async (whole = true) => {
      const { cssContentSize } = await call("Page.getLayoutMetrics");
      const clip = { x: 0, y: 0, width, height: whole ? Math.min(6000, Math.ceil(cssContentSize.height)) : height, scale: 1 };
      return Buffer.from((await call("Page.captureScreenshot", { format: "png", clip, captureBeyondViewport: true })).data, "base64");
    };
    page.pdf = async () => Buffer.from((await call("Page.printToPDF",
      { preferCSSPageSize: true, printBackground: true, generateTaggedPDF: true })).data, "base64");
    page.close = async () => { listeners.delete(listener); await send("Target.closeTarget", { targetId }); };
    await page.go(url);
    if (script) await page.until(ready);
    return page;
  }
  return { product: version.product, open, close: async () => { await send("Browser.close").catch(() => {}); await ended; } };
}
