// Crawl: how far it is, also while it runs.

import { get } from "./api.ts";
import { fill, h } from "./dom.ts";
import { trying } from "./say.ts";
import type { Context, Screen } from "./screen.ts";
import type { CrawlView } from "./wire.ts";

const PAUSE = 1000;

export class CrawlScreen implements Screen {
  readonly element = h("section", { class: "screen crawl" });
  readonly keys: [string, string][] = [];
  private timer = 0;

  constructor(_context: Context) {}

  async open(): Promise<void> {
    await trying(() => this.look());
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private async look(): Promise<void> {
    let crawl: CrawlView;
    try {
      crawl = await get<CrawlView>("/api/crawl");
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return fill(this.element, h("div", { class: "empty" }, h("h1", {}, "No crawl to show"), h("p", {}, why), h("pre", {}, "pagemill crawl https://example.org/ --store site.db\npagemill studio site.db")));
    }
    this.show(crawl);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void trying(() => this.look()), crawl.is_running ? PAUSE : 5 * PAUSE);
  }

  private show(crawl: CrawlView): void {
    const number = (n: number) => n.toLocaleString("en");
    const card = (value: string, what: string) => h("div", { class: "figure" }, h("strong", {}, value), h("span", {}, what));
    const state = crawl.is_running
      ? `${crawl.process === null ? "" : `process ${crawl.process}, `}${crawl.pages_per_second} pages a second`
      : crawl.waiting > 0 ? "the same pagemill crawl goes on where it was" : "nothing waits any more";
    fill(
      this.element,
      h(
        "div",
        { class: "crawl-box" },
        h("h1", {}, crawl.store),
        h("p", { role: "status" }, h("span", { class: `chip ${crawl.is_running ? "partial" : "verified"}` }, crawl.is_running ? "running" : crawl.waiting > 0 ? "paused" : "done"), " ", state),
        progress(crawl),
        h(
          "div",
          { class: "figures" },
          card(number(crawl.pages), "pages"),
          card(`${(crawl.bytes / 1e6).toFixed(1)} MB`, "of pages"),
          card(number(crawl.waiting), `addresses of ${number(crawl.hosts_waiting)} hosts wait`),
          card(number(crawl.fetches), "questions were asked"),
          card(number(crawl.alike), "nearly the same as another"),
        ),
        h("div", { class: "lists" }, tally("Pages by kind", crawl.kinds), tally("Pages by host", crawl.hosts), tally("No page to be had", crawl.failed), tally("Not asked for", crawl.refused)),
      ),
    );
  }

  key(): boolean {
    return false;
  }
}

function progress(crawl: CrawlView): HTMLElement {
  const all = crawl.pages + crawl.waiting;
  const bar = h("div", { class: "progress", role: "progressbar", "aria-valuenow": crawl.pages, "aria-valuemax": all }, h("span", {}));
  (bar.firstElementChild as HTMLElement).style.width = `${all === 0 ? 0 : (100 * crawl.pages) / all}%`;
  return bar;
}

function tally(title: string, all: [string, number][]): HTMLElement | null {
  if (all.length === 0) return null;
  const most = Math.max(...all.map(([, n]) => n));
  const row = ([name, n]: [string, number]) => {
    const bar = h("span", { class: "bar-fill" });
    bar.style.width = `${(100 * n) / most}%`;
    return h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, n.toLocaleString("en")), h("td", { class: "bars" }, h("span", { class: "bar-box" }, bar)));
  };
  return h("section", {}, h("h2", {}, title), h("table", {}, h("tbody", {}, all.map(row))));
}
