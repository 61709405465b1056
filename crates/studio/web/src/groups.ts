// Templates are learnt when somebody first asks for them, and by several screens.

import { get, post } from "./api.ts";
import { h, plural } from "./dom.ts";
import type { TablesView } from "./wire.ts";

const PAUSE = 200;

/** What was learnt; waits until it is. */
export async function learnt(): Promise<TablesView> {
  let tables = await get<TablesView>("/api/tables");
  if (tables.stage === "idle" || tables.stage === "failed") tables = await post<TablesView>("/api/tables/learn");
  while (tables.stage === "learning") {
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    tables = await get<TablesView>("/api/tables");
  }
  return tables;
}

/** Where nothing was learnt: why, and what to do. */
export function nothing(tables: TablesView | null): HTMLElement {
  const why = tables?.message || "Nothing was learnt of these pages.";
  return h(
    "div",
    { class: "empty" },
    h("h1", {}, "No table"),
    h("p", {}, why),
    h("p", {}, "Columns are found by comparing pages that one program wrote. Open a folder with some of them, or a wrapper with pages:"),
    h("pre", {}, "pagemill studio shop/\npagemill studio shop.json new/"),
  );
}

/** A choice of templates, where there are several. */
export function groupTabs(tables: TablesView, current: number, choose: (group: number) => void): HTMLElement | null {
  if (tables.groups.length < 2) return null;
  const tab = (group: TablesView["groups"][number], nth: number) =>
    h(
      "button",
      { class: "group plain", "aria-pressed": nth === current ? "true" : "false", on: { click: () => choose(nth) } },
      `Template ${nth + 1}`,
      h("span", { class: "dim" }, ` ${plural(group.pages.length, "page")}`),
    );
  return h("div", { class: "groups", role: "group", "aria-label": "Templates" }, tables.groups.map(tab));
}
