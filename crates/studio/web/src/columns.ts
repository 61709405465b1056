// The schema as a tree: each column with its type, how many pages have it, and an example.

import { clip, fill, h, plural } from "./dom.ts";
import type { ColumnView, TableView } from "./wire.ts";

export class Columns {
  readonly element = h("div", { class: "columns" });
  private paths = new Set<string>();
  private all: ColumnView[] = [];

  constructor(private readonly changed: () => void) {}

  show(view: TableView, keep: (path: string) => void): void {
    this.all = flat(view.columns);
    const known = new Set(this.all.map((column) => column.path));
    this.paths = new Set([...this.paths].filter((path) => known.has(path)));
    const focused = document.activeElement;
    const path = focused instanceof HTMLInputElement && this.element.contains(focused) ? focused.value : null;
    const dropped = view.dropped.map((path) => h("li", {}, h("span", { class: "dim" }, path), h("button", { class: "plain", on: { click: () => keep(path) } }, "bring back")));
    fill(
      this.element,
      h("h2", {}, "Columns"),
      h("p", { class: "dim" }, "Select columns, then rename, merge or drop them."),
      h("ul", { class: "tree" }, view.columns.map((column) => this.node(column))),
      dropped.length > 0 ? [h("h2", {}, "Dropped"), h("ul", { class: "dropped" }, dropped)] : null,
    );
    // Who works by keys goes on where they were.
    const boxes = [...this.element.querySelectorAll<HTMLInputElement>("input[type=checkbox]")];
    if (path !== null) (boxes.find((box) => box.value === path) ?? boxes[0])?.focus();
  }

  /** In the order in which they were selected: of a merge, the first wins. */
  chosen(): ColumnView[] {
    return [...this.paths].flatMap((path) => this.all.filter((column) => column.path === path));
  }

  only(): ColumnView | undefined {
    const chosen = this.chosen();
    return chosen.length === 1 ? chosen[0] : undefined;
  }

  /** Select one and no other. */
  choose(path: string): void {
    this.paths = new Set([path]);
    for (const box of this.element.querySelectorAll<HTMLInputElement>("input[type=checkbox]")) {
      box.checked = box.value === path;
      if (box.checked) box.closest("li")?.scrollIntoView({ block: "nearest" });
    }
    this.changed();
  }

  private node(column: ColumnView): HTMLElement {
    const box = h("input", { type: "checkbox", value: column.path });
    box.checked = this.paths.has(column.path);
    box.addEventListener("change", () => {
      if (box.checked) this.paths.add(column.path);
      else this.paths.delete(column.path);
      this.changed();
    });
    const bar = h("span", { class: "bar-box", title: `${column.density / 10}% of pages or records have it` }, h("span", { class: "bar-fill" }));
    (bar.firstElementChild as HTMLElement).style.width = `${column.density / 10}%`;
    const said = column.n_records !== null ? plural(column.n_records, "record") : column.examples.map((it) => clip(it, 40)).join(" · ");
    return h(
      "li",
      {},
      h(
        "label",
        { class: "column", title: column.label ? `called ${column.label} on the pages` : column.path },
        box,
        h("span", { class: "name" }, column.name, column.otherwise.length > 0 ? h("span", { class: "dim" }, ` or ${column.otherwise.join(", ")}`) : null),
        h("span", { class: "type" }, column.type),
        bar,
        h("span", { class: "example dim" }, said),
      ),
      column.fields.length > 0 ? h("ul", {}, column.fields.map((it) => this.node(it))) : null,
    );
  }
}

function flat(columns: ColumnView[]): ColumnView[] {
  return columns.flatMap((column) => [column, ...flat(column.fields)]);
}
