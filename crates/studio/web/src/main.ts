// The studio: a bar with screens below it.

import { get } from "./api.ts";
import { CrawlScreen } from "./crawl.ts";
import { fill, h, isTyping, plural } from "./dom.ts";
import { LabelScreen } from "./label.ts";
import { NetworkScreen } from "./network.ts";
import { dialog } from "./say.ts";
import type { Context, Screen } from "./screen.ts";
import { TableScreen } from "./table.ts";
import type { StartView } from "./wire.ts";
import { WhyScreen } from "./why.ts";

const main = h("main", {});
const tabs = h("nav", { class: "tabs", "aria-label": "Screens" });
const about = h("span", { class: "about dim" });
const help = h("button", { class: "plain", on: { click: () => showHelp() } }, "Keys ", h("kbd", {}, "?"));
document.body.prepend(h("header", { class: "bar" }, h("strong", { class: "brand" }, "Pagemill ", h("span", {}, "studio")), tabs, about, help), main);

const screens = new Map<string, Screen>();
let current: Screen | null = null;

async function begin(): Promise<void> {
  // The token has become a cookie; the address need not show it any longer.
  if (location.search) history.replaceState(null, "", location.pathname + location.hash);
  let start: StartView;
  try {
    start = await get<StartView>("/api/start");
  } catch (error) {
    fill(main, h("div", { class: "empty" }, h("h1", {}, "The studio cannot start"), h("p", {}, error instanceof Error ? error.message : String(error))));
    return;
  }
  const context: Context = { start, go: (address) => { location.hash = address; } };
  screens.set("label", new LabelScreen(context));
  screens.set("table", new TableScreen(context));
  screens.set("why", new WhyScreen(context));
  if (start.has_store) {
    screens.set("network", new NetworkScreen(context));
    screens.set("crawl", new CrawlScreen(context));
  }
  const sample = start.n_pages > start.pages.length ? `, of which ${start.pages.length} are shown` : "";
  fill(about, plural(start.n_pages, "page"), sample, start.unreadable.length > 0 ? `, ${start.unreadable.length} unreadable` : "");
  about.title = [`Files are written to ${start.folder}`, ...start.unreadable].join("\n");
  if (!location.hash) location.hash = start.has_network ? "network" : start.has_wrapper ? "table" : "label";
  await route();
}

async function route(): Promise<void> {
  const [name = "label", ...args] = location.hash.slice(1).split("/");
  const screen = screens.get(name) ?? screens.get("label");
  if (!screen) return;
  const names = [...screens.keys()];
  const titles: Record<string, string> = { label: "Label", table: "Table", why: "Why", network: "Network", crawl: "Crawl" };
  fill(tabs, names.map((it, nth) => h("a", { href: `#${it}`, "aria-current": screens.get(it) === screen ? "page" : false, title: `Alt-${nth + 1}` }, titles[it] ?? it)));
  if (current !== screen) {
    current?.close?.();
    current = screen;
    fill(main, screen.element);
  }
  await screen.open(args);
}

function showHelp(): void {
  const row = ([keys, what]: [string, string]) => h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, keys)), h("td", {}, what));
  const general: [string, string][] = [["Alt-1 … Alt-5", "go to a screen"], ["Tab, Enter", "go to a button, press it"], ["Esc", "close a dialog"], ["?", "this help"]];
  dialog("Keys", h("table", { class: "keys" }, h("tbody", {}, [...(current?.keys ?? []), ...general].map(row))));
}

document.addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]")) return;
  if (event.altKey && /^[1-5]$/.test(event.key)) {
    const name = [...screens.keys()][Number(event.key) - 1];
    if (name) location.hash = name;
    event.preventDefault();
    return;
  }
  if (isTyping(event) || event.altKey) return;
  if (event.key === "?") showHelp();
  else if (!current?.key(event)) return;
  event.preventDefault();
});
window.addEventListener("hashchange", () => void route());
void begin();
