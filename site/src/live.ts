/** The progress of running campaigns, where the page is served by `shakedown site --serve`. It only reads. */
import { h, type Child } from "./dom";
import { duration, plural } from "./format";

const EVERY_MS = 5000;

interface Progress {
  cases: { all: number; done: number; failed: number; not_run: number };
  left_s?: number;
  running: { case: string; elapsed_s?: number; predicted_s?: number }[];
  waiting: { reason?: string; cases?: number }[];
}
interface Live { schema: string; at: string; store: string; campaigns: { id: string; system: string; kind: string; progress: Progress }[] }

const MOST = 3;

function row({ id, system, progress }: Live["campaigns"][number]): Child {
  const { all, done, failed, not_run: notRun } = progress.cases;
  const ended = done + failed + notRun;
  const running = progress.running.slice(0, MOST).map((each) =>
    `${each.case}${each.elapsed_s ? ` (${duration(each.elapsed_s)}${each.predicted_s ? ` of about ${duration(each.predicted_s)}` : ""})` : ""}`);
  const more = progress.running.length - running.length;
  const waits = progress.waiting.slice(0, MOST).map((each) => `${each.cases ?? 1} ${each.reason ? `wait: ${each.reason}` : "wait"}`);
  return h("li", {}, h("b", {}, system), ` · ${id} · ${ended} of ${plural(all, "case")} ended${failed > 0 ? `, ${failed} failed` : ""}${progress.left_s ? `, about ${duration(progress.left_s)} left` : ""}`,
    h("meter", { min: 0, max: Math.max(1, all), value: ended, "aria-label": "Cases ended" }),
    running.length > 0 ? h("span", { class: "why" }, `running: ${running.join(", ")}${more > 0 ? ` and ${more} more` : ""}`) : null,
    waits.length > 0 ? h("span", { class: "why" }, waits.join("; ")) : null);
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
