import "./style.css";
import { readHistory, type History } from "./data";
import { h, type Child } from "./dom";
import { day } from "./format";
import { watchProgress } from "./live";
import { address, currentRoute, isNoted, link } from "./route";
import { campaignView } from "./views/campaign";
import { campaignsView, searchView } from "./views/campaigns";
import { compareView } from "./views/compare";
import { nodesView } from "./views/nodes";
import { overview } from "./views/overview";
import { trendView } from "./views/trend";

const views: [path: string, title: string, key: string][] = [["", "Overview", "o"], ["trend", "Trends", "t"], ["nodes", "Nodes", "n"], ["campaigns", "Campaigns", "c"], ["compare", "Compare", "p"]];
const main = document.getElementById("main")!;
const query = document.getElementById("query") as HTMLInputElement;

async function contentOf(history: History): Promise<Child[]> {
  const { path: [view = "", ...rest] } = currentRoute();
  switch (view) {
    case "": return overview(history);
    case "trend": return trendView(history, rest);
    case "nodes": return nodesView(history, rest);
    case "campaigns": return campaignsView(history);
    case "campaign": return campaignView(history, rest[0] ?? "");
    case "compare": return compareView(history, rest);
    case "search": return searchView(history);
    default: return [h("h1", {}, "No such view"), h("p", {}, link("#/", "Overview"))];
  }
}

let turn = 0;
async function show(history: History, focus: boolean): Promise<void> {
  const mine = ++turn;
  const [view = ""] = currentRoute().path;
  document.getElementById("views")!.replaceChildren(...views.map(([path, title]) => h("a", { href: address(path ? [path] : []), "aria-current": view === path || (path === "campaigns" && view === "campaign") ? "page" : undefined }, title)));
  let content: Child[];
  try {
    content = await contentOf(history);
  } catch (error) {
    content = [h("h1", {}, "This view can't be shown"), h("p", {}, error instanceof Error ? error.message : String(error))];
  }
  if (mine !== turn) return;  // another view was asked for meanwhile
  main.replaceChildren(h("div", { class: "view" }, content));
  document.title = `${main.querySelector("h1")?.textContent ?? "History"} · shakedown`;
  if (view !== "search") query.value = "";
  if (focus && document.activeElement !== query) { main.focus({ preventScroll: true }); scrollTo(0, 0); }
  performance.mark("shown");
}

function keys(): void {
  const help = h("dialog", { "aria-label": "Keys" }, h("h2", {}, "Keys"), h("dl", { class: "keys" }, ...[["/", "search"], ...views.map(([, title, key]) => [`g ${key}`, title]), ["← →", "read a trend's values, in the plot"], ["Shift ← →", "move in time"], ["+ − 0", "zoom in, out, show all"], ["?", "this list"]].map(([key, what]) => h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)))), h("form", { method: "dialog" }, h("button", {}, "Close")));
  document.body.append(help);
  let waits = false;
  addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) { if (event.key === "Escape") target.blur(); return; }
    const going = waits;
    waits = false;
    if (event.key === "/") { event.preventDefault(); query.focus(); query.select(); }
    else if (event.key === "?") help.showModal();
    else if (event.key === "g") waits = true;
    else if (going) { const found = views.find(([, , key]) => key === event.key); if (found) location.hash = address(found[0] ? [found[0]] : []); }
  });
}

async function start(): Promise<void> {
  const history = await readHistory(document.getElementById("data")!.textContent!);
  performance.mark("read");
  const form = document.getElementById("search") as HTMLFormElement;
  form.hidden = false;
  form.addEventListener("submit", (event) => { event.preventDefault(); location.hash = address(["search"], { q: query.value.trim() }); });
  document.getElementById("footer")!.replaceChildren(
    h("p", {}, history.asOf > 0 ? `As of ${day(history.asOf)}, the newest campaign` : "No campaign yet", history.since > 0 ? `; campaigns since ${day(history.since)}, ${history.leftOut} earlier ones are left out` : "", ` · shakedown ${history.tool} · times are UTC · `, h("kbd", {}, "?"), " shows the keys"));
  addEventListener("hashchange", () => { if (!isNoted()) void show(history, true); });
  keys();
  if (history.live) watchProgress(main);
  await show(history, false);
}

start().catch((error: unknown) => {
  // What was written for readers without script stays.
  main.prepend(h("p", { class: "notice" }, `The interactive page can't start: ${error instanceof Error ? error.message : String(error)}`));
});
