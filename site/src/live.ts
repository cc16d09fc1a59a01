/** The progress of running campaigns, where the page is served by `shakedown site --serve`. It only reads. */
import { h, type Child } from "./dom";
import { duration, plural } from "./format";

const EVERY_MS = 5000;

interface Progress {
  cases?: number; done?: number; failed?: number; not_run?: number; running?: { id: string; elapsed_s?: number; predicted_s?: number }[];
  [name: string]: unknown;
}
interface Live { schema: string; at: string; store: string; campaigns: { id: string; system: string; kind: string; progress: Progress }[] }

function row(campaign: Live["campaigns"][number]): Child {
  const { progress } = campaign;
  const cases = progress.cases ?? 0, ended = (progress.done ?? 0) + (progress.failed ?? 0) + (progress.not_run ?? 0);
  const running = progress.running ?? [];
  return h("li", {}, h("b", {}, campaign.system), ` · ${campaign.id} · ${ended} of ${plural(cases, "case")} ended${progress.failed ? `, ${progress.failed} failed` : ""}`,
    h("meter", { min: 0, max: Math.max(1, cases), value: ended, "aria-label": "Cases ended" }),
    running.length > 0 ? h("span", { class: "why" }, `running: ${running.slice(0, 3).map((each) => `${each.id}${each.elapsed_s ? ` (${duration(each.elapsed_s)}${each.predicted_s ? ` of about ${duration(each.predicted_s)}` : ""})` : ""}`).join(", ")}${running.length > 3 ? ` and ${running.length - 3} more` : ""}`) : null);
}

export function watchProgress(before: Element): void {
  const box = h("section", { class: "live", hidden: true, "aria-label": "Running now" });
  before.before(box);
  const ask = async (): Promise<void> => {
    try {
      const answer = await fetch("progress.json", { cache: "no-store", credentials: "same-origin" });
      if (!answer.ok) throw new Error(`the server answers ${answer.status}`);
      const live = await answer.json() as Live;
      const changed = live.store === "changed";
      box.hidden = live.campaigns.length === 0 && !changed;
      box.replaceChildren(...[live.campaigns.length > 0 ? h("h2", {}, "Running now") : "", h("ul", {}, live.campaigns.map(row)),
        changed ? h("p", {}, h("button", { type: "button", click: () => location.reload() }, "Show the new results")) : ""]);
    } catch (error) {
      box.hidden = false;
      box.replaceChildren(h("p", { class: "notice" }, `No progress: ${error instanceof Error ? error.message : String(error)}. Is \`shakedown site --serve\` still running?`));
    }
    setTimeout(() => void ask(), EVERY_MS);
  };
  void ask();
}
