// Table: what pages of a template have in columns, and changes of these.

import { get, post } from "./api.ts";
import { Columns } from "./columns.ts";
import { clip, fill, h, plural, short } from "./dom.ts";
import { Frame } from "./frame.ts";
import { groupTabs, learnt, nothing } from "./groups.ts";
import { dialog, question, saver, say, trying } from "./say.ts";
import { type Context, type Screen, colorOf } from "./screen.ts";
import type { ColumnView, Edit, RowView, TableView, TablesView, WhyPageView, WhyView } from "./wire.ts";

export class TableScreen implements Screen {
  readonly element = h("section", { class: "screen table-screen" });
  readonly keys: [string, string][] = [
    ["Space", "in the list of columns: select one"],
    ["r", "rename the column"],
    ["m", "merge the selected columns: each page gives the first that it has"],
    ["s", "split what was merged"],
    ["d", "drop the selected columns"],
    ["Ctrl-Z, Ctrl-Y", "undo, redo"],
    ["e", "export the rows"],
    ["w", "save the wrapper"],
    ["Esc", "close the page"],
  ];
  private readonly columns = new Columns(() => this.showTools());
  private readonly side = h("aside", { class: "side columns-side", "aria-label": "Columns" });
  private readonly tools = h("div", { class: "tools", role: "toolbar", "aria-label": "Changes" });
  private readonly grid = h("div", { class: "grid-box", tabindex: "0", "aria-label": "Rows" });
  private readonly frame = new Frame((leaves) => this.fromPage(leaves));
  private readonly pageHead = h("header", { class: "panel-head" });
  private readonly pagePane = h("div", { class: "page-pane", hidden: true }, this.pageHead, this.frame.element);
  private tables: TablesView | null = null;
  private view: TableView | null = null;
  private group = 0;
  private rowsOf: string | null = null;
  private page: WhyPageView | null = null;

  constructor(private readonly context: Context) {}

  async open(args: string[]): Promise<void> {
    if (!this.view) fill(this.element, h("div", { class: "empty" }, h("h1", {}, "Learning the columns…"), h("p", {}, "Pages are compared with each other: what they share is template, what differs is data.")));
    await trying(async () => {
      this.tables = await learnt();
      if (args[0] !== undefined) this.group = Number(args[0]);
      await this.load();
    });
  }

  private get query(): string {
    return this.rowsOf === null ? "" : `?rows_of=${encodeURIComponent(this.rowsOf)}`;
  }

  private async load(): Promise<void> {
    const group = this.tables?.groups[this.group];
    if (!group) return fill(this.element, nothing(this.tables));
    if (group.trouble) {
      const tabs = this.tables ? groupTabs(this.tables, this.group, (it) => this.choose(it)) : null;
      return fill(this.element, h("div", { class: "empty" }, tabs, h("h1", {}, "No table"), h("p", {}, group.trouble)));
    }
    this.show(await get<TableView>(`/api/table/${this.group}${this.query}`));
  }

  private choose(group: number): void {
    this.group = group;
    this.rowsOf = null;
    this.closePage();
    void trying(() => this.load());
  }

  private show(view: TableView): void {
    this.view = view;
    this.rowsOf = view.rows_of;
    const tabs = this.tables ? groupTabs(this.tables, this.group, (group) => this.choose(group)) : null;
    this.columns.show(view, (path) => void this.edit([{ edit: "keep", path }]));
    // What is shown anew stays where it was.
    const [down, right, rows] = [this.side.scrollTop, this.grid.scrollLeft, this.grid.scrollTop];
    fill(this.side, tabs, this.columns.element);
    if (!this.element.contains(this.grid)) {
      fill(this.element, this.side, h("div", { class: "table-main" }, this.tools, this.grid), this.pagePane);
    }
    this.showTools();
    this.showGrid();
    this.side.scrollTop = down;
    this.grid.scrollTo(right, rows);
  }

  private showTools(): void {
    const view = this.view;
    if (!view) return;
    const chosen = this.columns.chosen();
    const only = chosen.length === 1 ? chosen[0] : undefined;
    const tool = (text: string, key: string, enabled: boolean, act: () => void) =>
      h("button", { disabled: !enabled, on: { click: act } }, text, h("kbd", {}, key));
    const type = h(
      "select",
      { "aria-label": "Type", disabled: !only || only.type === "set" },
      h("option", { value: "" }, "Type…"),
      view.types.map((it) => h("option", { value: it, selected: it === only?.type }, it)),
    );
    type.addEventListener("change", () => {
      if (only && type.value) void this.edit([{ edit: "type", path: only.path, type: type.value }]);
    });
    const rows = h("select", { "aria-label": "Rows" }, h("option", { value: "", selected: view.rows_of === "" }, "a row a page"), view.sets.map((set) => h("option", { value: set, selected: set === view.rows_of }, `a row a record of ${set}`)));
    rows.addEventListener("change", () => {
      this.rowsOf = rows.value;
      void trying(() => this.load());
    });
    fill(
      this.tools,
      tool("Rename", "r", only !== undefined, () => this.rename()),
      tool("Merge", "m", chosen.length > 1, () => this.merge()),
      tool("Split", "s", only !== undefined, () => this.split()),
      tool("Drop", "d", chosen.length > 0, () => this.drop()),
      type,
      h("button", { disabled: view.edits.length === 0, title: view.edits.at(-1), on: { click: () => void this.history("undo") } }, "Undo"),
      h("button", { disabled: view.redo.length === 0, title: view.redo.at(-1), on: { click: () => void this.history("redo") } }, "Redo"),
      h("span", { class: "spring" }),
      rows,
      tool("Export", "e", true, () => this.export()),
      tool("Save", "w", true, () => this.save()),
    );
  }

  private showGrid(): void {
    const view = this.view;
    if (!view) return;
    const chosen = new Set(this.columns.chosen().map((column) => column.path));
    const head = view.header.map((it) => h("th", { scope: "col", "data-path": it.path, class: chosen.has(it.path) ? "chosen" : "", title: it.path }, h("button", { class: "plain", on: { click: () => this.columns.choose(it.path) } }, it.name)));
    const table = h(
      "table",
      { class: "grid" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "page"), head)),
      h("tbody", {}, view.rows.map((row) => this.row(row))),
    );
    const more = view.n_rows > view.rows.length
      ? h("button", { on: { click: () => void trying(async () => this.show(await get<TableView>(`/api/table/${this.group}${this.query || "?rows_of="}&limit=${view.n_rows}`))) } }, `Show all ${view.n_rows.toLocaleString("en")} rows`)
      : null;
    const edits = view.edits.length === 0 ? "" : ` · ${plural(view.edits.length, "change")}: ${view.edits.join("; ")}`;
    fill(this.grid, table, more, h("p", { class: "dim foot", role: "status" }, plural(view.n_rows, "row"), edits));
  }

  private row(row: RowView): HTMLElement {
    const view = this.view;
    const cell = (it: RowView["cells"][number], nth: number) => {
      const header = view?.header[nth];
      if (!header) return h("td", {});
      if (it.n_records !== null) {
        const open = () => {
          this.rowsOf = header.path;
          void trying(() => this.load());
        };
        return h("td", {}, h("button", { class: "plain records", on: { click: open } }, plural(it.n_records, "record")));
      }
      const field = row.at ? `${row.at}.${header.name}` : header.name;
      if (it.text === null) return h("td", { class: "none" }, h("button", { class: "plain", "aria-label": `no ${header.name}: why?`, on: { click: () => void this.fromCell(row.page, field) } }, "·"));
      return h("td", {}, h("button", { class: "plain cell", title: it.text, on: { click: () => void this.fromCell(row.page, field) } }, clip(it.text, 60)));
    };
    const name = short(this.context.start.pages[row.page] ?? "");
    return h(
      "tr",
      { class: row.status },
      h("th", { scope: "row", title: this.context.start.pages[row.page] }, h("a", { href: `#why/${this.group}/${row.page}` }, clip(name, 28)), row.status === "verified" ? null : h("span", { class: `chip ${row.status}` }, row.status)),
      row.cells.map(cell),
    );
  }

  /** A cell: where it is on its page. */
  private async fromCell(page: number, field: string): Promise<void> {
    await trying(async () => {
      this.pagePane.hidden = false;
      const [why, whole] = await Promise.all([
        get<WhyView>(`/api/why/${this.group}/${page}/value?field=${encodeURIComponent(field)}`),
        get<WhyPageView>(`/api/why/${this.group}/${page}`),
        this.frame.show(page),
      ]);
      this.page = whole;
      this.showPageHead(page, why);
      this.mark(why.leaves, why.value === null ? `no ${field}` : field, why.value === null);
    });
  }

  private showPageHead(page: number, why: WhyView): void {
    const said = why.value === null ? `${why.rule}. ${why.read_as}` : why.rule;
    fill(
      this.pageHead,
      h("div", {}, h("strong", {}, `${why.field}: `), why.value === null ? "nothing" : clip(why.value, 80), h("p", { class: "dim" }, clip(said, 160))),
      h("a", { href: `#why/${this.group}/${page}/${encodeURIComponent(why.field)}` }, "Why?"),
      h("button", { class: "plain", "aria-label": "Close the page", on: { click: () => this.closePage() } }, "✕"),
    );
  }

  private mark(leaves: number[], label: string, isAbsent: boolean): void {
    const others = (this.page?.values ?? []).flatMap((value) => value.leaves).filter((leaf) => !leaves.includes(leaf));
    this.frame.setMarks([
      { leaves: [...new Set(others)], color: "#8b96a1", look: "soft" },
      { leaves, color: isAbsent ? "#c92a2a" : colorOf(0), label, look: isAbsent ? "wrong" : "solid" },
    ]);
    const first = leaves[0];
    if (first !== undefined) this.frame.reveal(first);
  }

  /** A place on the page: which column it is. */
  private fromPage(leaves: number[]): void {
    const value = this.page?.values.find((it) => it.leaves.some((leaf) => leaves.includes(leaf)));
    if (!value) {
      if (leaves.length > 0) say("no column is read from here");
      return;
    }
    this.columns.choose(value.column);
    const head = this.grid.querySelector(`th[data-path="${CSS.escape(value.column)}"]`);
    head?.scrollIntoView({ inline: "center", block: "nearest" });
    this.mark(value.leaves, value.field, false);
    void trying(async () => {
      const why = await get<WhyView>(`/api/why/${this.group}/${this.page?.page ?? 0}/value?field=${encodeURIComponent(value.field)}`);
      this.showPageHead(this.page?.page ?? 0, why);
    });
  }

  private closePage(): void {
    this.pagePane.hidden = true;
  }

  private async edit(edits: Edit[]): Promise<void> {
    await trying(() => this.change(edits));
  }

  /** Make changes, and select what came of them. */
  private async change(edits: Edit[], then?: string): Promise<void> {
    this.show(await post<TableView>(`/api/table/${this.group}/edit${this.query}`, { edits }));
    if (then !== undefined) this.columns.choose(then);
  }

  private async history(what: "undo" | "redo"): Promise<void> {
    await trying(async () => this.show(await post<TableView>(`/api/table/${this.group}/${what}${this.query}`)));
  }

  private rename(): void {
    const column = this.columns.only();
    if (!column) return say("select one column first", "bad");
    question(`Rename ${column.path}`, "New name", column.name, (name) => this.change([{ edit: "rename", path: column.path, name }], beside(column.path, name)));
  }

  private merge(): void {
    const chosen = this.columns.chosen();
    const first = chosen[0];
    if (!first || chosen.length < 2) return say("select two columns or more first", "bad");
    const paths = chosen.map((column) => column.path);
    question(`Merge: ${paths.join(", else ")}`, "Name", first.name, (name) => this.change([{ edit: "merge", paths, name }], beside(first.path, name)));
  }

  private split(): void {
    const column = this.columns.only();
    if (column) void this.edit([{ edit: "split", path: column.path }]);
  }

  private drop(): void {
    void this.edit(this.columns.chosen().map((column: ColumnView): Edit => ({ edit: "drop", path: column.path })));
  }

  private export(): void {
    const box = dialog("Export", h("p", {}, "The rows of all pages of this template, as pagemill extract gives them. The file's name says the format: .csv, .jsonl, .parquet, .db."));
    box.append(saver("Export", `/api/table/${this.group}/export`, this.name("csv"), (saved) => {
      box.close();
      say(`${saved.file} is written: ${plural(saved.n_rows ?? 0, "page")}`);
    }));
  }

  private save(): void {
    const box = dialog("Save the wrapper", h("p", {}, "It extracts other pages of the same template, with your changes: pagemill extract FILE PAGES."));
    box.append(saver("Save", `/api/table/${this.group}/save`, this.view?.file ?? this.name("json"), (saved) => {
      box.close();
      say(`${saved.file} is written`);
      void trying(() => this.load());
    }));
  }

  private name(ending: string): string {
    const count = this.tables?.groups.length ?? 1;
    return count > 1 ? `table-${this.group + 1}.${ending}` : `table.${ending}`;
  }

  key(event: KeyboardEvent): boolean {
    if (!this.view) return false;
    if (event.ctrlKey || event.metaKey) {
      if (event.key === "z" || event.key === "Z") void this.history(event.shiftKey ? "redo" : "undo");
      else if (event.key === "y") void this.history("redo");
      else return false;
      return true;
    }
    const acts: Record<string, () => void> = {
      r: () => this.rename(),
      m: () => this.merge(),
      s: () => this.split(),
      d: () => this.drop(),
      e: () => this.export(),
      w: () => this.save(),
      Escape: () => this.closePage(),
    };
    const act = acts[event.key];
    act?.();
    return act !== undefined;
  }
}

/** The path of another name in the same record. */
function beside(path: string, name: string): string {
  return [...path.split(".").slice(0, -1), name].join(".");
}
