// Label: show the model what is what on a few pages.

import { get, post } from "./api.ts";
import { clip, fill, h, plural, short } from "./dom.ts";
import { Frame, type Mark } from "./frame.ts";
import { say, trying } from "./say.ts";
import { chooser } from "./schema.ts";
import { type Context, type Screen, colorOf } from "./screen.ts";
import { train } from "./train.ts";
import type { DeskPage, DeskView, FieldView, MarkView, MarksView } from "./wire.ts";

/** How soon to ask again what was learnt. */
const PAUSE = 120;

export class LabelScreen implements Screen {
  readonly element = h("section", { class: "screen" });
  readonly keys: [string, string][] = [
    ["click, ↑ ↓", "select a leaf; Shift-click adds one"],
    ["1 – 9", "the selection is this field"],
    ["+ −", "bigger or smaller selection"],
    ["x", "reject: a prediction that is wrong, or a label"],
    ["Enter", "accept the predictions, next page"],
    ["← →", "page before, page after"],
    ["Ctrl-Z, Ctrl-Y", "undo, redo"],
    ["t", "train, then save the model"],
  ];
  private readonly frame = new Frame(() => this.showPanel());
  private readonly strip = h("nav", { class: "side strip", "aria-label": "Pages" });
  private readonly panel = h("aside", { class: "side panel", "aria-label": "Fields" });
  private desk: DeskView | null = null;
  private marks: MarksView | null = null;
  private page = 0;
  private timer = 0;

  constructor(private readonly context: Context) {}

  async open(args: string[]): Promise<void> {
    await trying(async () => {
      this.desk = await get<DeskView>("/api/label");
      if (this.context.start.pages.length === 0) return this.showEmpty();
      if (!this.desk.schema) return this.showChooser();
      await this.showDesk(args[0] === undefined ? undefined : Number(args[0]));
    });
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private showEmpty(): void {
    fill(
      this.element,
      h("div", { class: "empty" }, h("h1", {}, "No pages are open"), h("p", {}, "End the studio and start it with some:"), h("pre", {}, "pagemill studio FOLDER")),
    );
  }

  private showChooser(): void {
    const choose = chooser(this.context.start.schemas, (desk) => {
      this.desk = desk;
      this.marks = null;
      if (desk.n_read > 0) say(`${plural(desk.n_read, "label")} read from ${desk.labels_file ?? "the file"}`);
      void trying(() => this.showDesk());
    });
    fill(this.element, choose);
  }

  private async showDesk(page?: number): Promise<void> {
    if (!this.element.contains(this.panel)) fill(this.element, this.strip, this.frame.element, this.panel);
    const first = this.desk?.pages[0]?.number ?? 0;
    await this.goTo(page ?? (this.marks ? this.page : first));
  }

  private get fields(): FieldView[] {
    return this.desk?.schema?.fields ?? [];
  }

  private async goTo(page: number): Promise<void> {
    this.page = page;
    this.marks = null;
    this.showStrip();
    const [marks] = await Promise.all([get<MarksView>(`/api/label/page/${page}`), this.frame.show(page)]);
    this.take(marks);
  }

  /** New marks of the page at hand; while the model learns, better ones follow. */
  private take(marks: MarksView): void {
    if (marks.page !== this.page) return;
    this.marks = marks;
    this.frame.setMarks(this.drawn(marks));
    this.showPanel();
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void trying(() => this.refresh(marks.is_learning)), PAUSE);
  }

  private async refresh(again: boolean): Promise<void> {
    const page = this.page;
    const couldUndo = this.desk?.can_undo;
    this.desk = await get<DeskView>("/api/label");
    this.showStrip();
    if (couldUndo !== this.desk.can_undo) this.showPanel();
    if (this.desk.trouble) say(this.desk.trouble, "bad");
    if (again && page === this.page) this.take(await get<MarksView>(`/api/label/page/${page}`));
  }

  private drawn(marks: MarksView): Mark[] {
    const mark = (look: "solid" | "dashed") => (it: MarkView): Mark => {
      const percent = it.probability === null ? "" : ` ${Math.round(it.probability * 100)}%`;
      return { leaves: it.near, color: colorOf(it.field), label: `${this.fields[it.field]?.name ?? ""}${percent}`, look };
    };
    return [...marks.predictions.map(mark("dashed")), ...marks.labels.map(mark("solid"))];
  }

  private showStrip(): void {
    const pages = this.desk?.pages ?? [];
    const done = pages.filter((page) => page.is_done).length;
    const row = (page: DeskPage) =>
      h(
        "button",
        {
          class: "strip-page plain",
          "aria-current": page.number === this.page ? "page" : false,
          title: this.context.start.pages[page.number],
          on: { click: () => void trying(() => this.goTo(page.number)) },
        },
        h("span", { class: "name" }, short(this.context.start.pages[page.number] ?? "")),
        h("span", { class: "state" }, stateOf(page)),
      );
    fill(
      this.strip,
      h("h2", {}, "Pages"),
      h("p", { class: "dim" }, done === 0 ? "Label one, then those the model is least sure of." : `${done} of ${pages.length} done; the least sure first.`),
      h("div", { class: "list" }, pages.map(row)),
    );
  }

  private showPanel(): void {
    const marks = this.marks;
    const selected = this.frame.selection;
    const text = selected.map((leaf) => this.frame.leaves[leaf]?.text ?? "").join(" · ");
    const hint = selected.length === 0
      ? h("p", { class: "hint" }, "Click something on the page, then press the number of its field.")
      : h("p", { class: "hint picked" }, h("strong", {}, clip(text || "a picture", 120)), " — press a number", selected.length > 1 ? `, for all ${selected.length} leaves` : "", ". ", h("kbd", {}, "+"), " takes in more.");
    fill(
      this.panel,
      h("header", { class: "panel-head" }, h("h2", {}, this.desk?.schema?.name ?? ""), h("button", { class: "plain", on: { click: () => this.showChooser() } }, "Another schema")),
      hint,
      h("div", { class: "list fields" }, this.fields.map((field, nth) => this.fieldRow(field, nth))),
      h(
        "footer",
        {},
        h("p", { class: "dim", role: "status" }, marks?.is_learning ? "Learning…" : this.desk?.labels_file ? `Labels are kept in ${this.desk.labels_file}.` : ""),
        h(
          "button",
          { class: "main accept", on: { click: () => void this.accept() } },
          marks?.is_done ? "Take it up again" : marks && marks.predictions.length > 0 ? `Accept ${marks.predictions.length}, next page` : "Done, next page",
          h("kbd", {}, "Enter"),
        ),
        h(
          "div",
          { class: "pair" },
          h("button", { on: { click: () => void train() } }, "Train", h("kbd", {}, "t")),
          h("button", { disabled: this.desk?.can_undo === false, title: "Ctrl-Z", on: { click: () => void this.history("undo") } }, "Undo"),
          h("button", { disabled: this.desk?.can_redo === false, title: "Ctrl-Y", on: { click: () => void this.history("redo") } }, "Redo"),
        ),
      ),
    );
  }

  private fieldRow(field: FieldView, nth: number): HTMLElement {
    const labels = this.marks?.labels.filter((it) => it.field === nth) ?? [];
    const thoughts = this.marks?.predictions.filter((it) => it.field === nth) ?? [];
    const note = field.repeats ? "several" : field.is_required ? "" : "if there";
    const head = h(
      "button",
      { class: "field plain", on: { click: () => void this.label(nth) } },
      h("kbd", { class: "number" }, nth < 9 ? nth + 1 : "·"),
      h("span", { class: "name" }, field.name),
      h("span", { class: "dim" }, note),
    );
    // Who goes on says that the page has no more than this.
    const isMissing = labels.length + thoughts.length === 0 && this.marks?.is_done === false && (this.desk?.pages.some((it) => it.is_done) ?? false);
    const missing = isMissing ? h("p", { class: "dim missing" }, "Not found. Click it if the page has it.") : null;
    const box = h("div", { class: "field-box" }, head, missing, labels.map((it) => this.valueRow(it, true)), thoughts.map((it) => this.valueRow(it, false)));
    box.style.setProperty("--mark", colorOf(nth));
    return box;
  }

  private valueRow(mark: MarkView, isLabel: boolean): HTMLElement {
    const show = () => {
      const leaf = mark.near[0];
      if (leaf === undefined) return say("this is in what the page says to machines, and not shown on it");
      this.frame.select(mark.near);
      this.frame.reveal(leaf);
      this.showPanel();
    };
    const percent = mark.probability === null ? "" : `${Math.round(mark.probability * 100)}%`;
    const where = mark.near.length === 0 ? " (not shown on the page)" : "";
    return h(
      "div",
      { class: `value ${isLabel ? "label" : "thought"}` },
      h("button", { class: "plain text", on: { click: show } }, mark.text || "picture", h("span", { class: "dim" }, where)),
      h("span", { class: "dim" }, percent),
      isLabel ? null : h("button", { class: "plain yes", title: "Right: make it a label", "aria-label": `Accept ${mark.text}`, on: { click: () => void this.put(mark) } }, "✓"),
      h("button", { class: "plain no", title: isLabel ? "Remove the label" : "Wrong: reject it", "aria-label": `Reject ${mark.text}`, on: { click: () => void this.reject(mark) } }, "✕"),
    );
  }

  private async send(path: string, body: unknown): Promise<void> {
    await trying(async () => this.take(await post<MarksView>(path, body)));
  }

  private async label(field: number): Promise<void> {
    const leaves = this.frame.selection;
    if (leaves.length === 0) return say("select something on the page first: click it", "bad");
    // At once: the next click may come before the answer.
    this.frame.rest();
    await this.send("/api/label/put", { page: this.page, leaves, field });
  }

  private async put(mark: MarkView): Promise<void> {
    const { field, leaves, text } = mark;
    if (leaves.length > 0) await this.send("/api/label/put", { page: this.page, leaves, field });
    else await this.send("/api/label/value", { page: this.page, field, text, is_it: true });
  }

  private async reject(mark: MarkView): Promise<void> {
    const { field, leaves, text } = mark;
    if (leaves.length > 0) await this.send("/api/label/reject", { page: this.page, leaves, field });
    else await this.send("/api/label/value", { page: this.page, field, text, is_it: false });
  }

  /** What is selected is not what it seems to be. */
  private async rejectSelected(): Promise<void> {
    const all = [...(this.marks?.labels ?? []), ...(this.marks?.predictions ?? [])];
    const found = all.filter((it) => it.near.some((leaf) => this.frame.selection.includes(leaf)));
    if (found.length === 0) return say("select a prediction or a label first: click it", "bad");
    for (const mark of found) await this.reject(mark);
  }

  private async accept(): Promise<void> {
    await trying(async () => {
      const wasDone = this.marks?.is_done ?? false;
      const marks = await post<MarksView>("/api/label/accept", { page: this.page });
      this.take(marks);
      if (!wasDone && !marks.is_done) return say("nothing is labelled on this page yet: click something and press the number of its field", "bad");
      if (wasDone) return;
      this.desk = await get<DeskView>("/api/label");
      if (marks.next === null) return say("All pages are done. Train, then save the model.");
      await this.goTo(marks.next);
    });
  }

  private async history(what: "undo" | "redo"): Promise<void> {
    await trying(async () => {
      const marks = await post<MarksView>(`/api/label/${what}`);
      if (marks.page !== this.page) await this.goTo(marks.page);
      else this.take(marks);
    });
  }

  private turn(by: 1 | -1): void {
    const pages = this.desk?.pages ?? [];
    const next = pages[pages.findIndex((it) => it.number === this.page) + by];
    if (next) void trying(() => this.goTo(next.number));
  }

  key(event: KeyboardEvent): boolean {
    if (!this.desk?.schema || !this.element.contains(this.panel)) return false;
    const isOnButton = event.target instanceof HTMLButtonElement;
    if (event.ctrlKey || event.metaKey) {
      if (event.key === "z" || event.key === "Z") void this.history(event.shiftKey ? "redo" : "undo");
      else if (event.key === "y") void this.history("redo");
      else return false;
      return true;
    }
    const field = Number(event.key) - 1;
    if (/^[1-9]$/.test(event.key)) {
      if (field < this.fields.length) void this.label(field);
      return true;
    }
    switch (event.key) {
      case "+":
      case "=":
        this.frame.bigger();
        return true;
      case "-":
        this.frame.lessBig();
        return true;
      case "x":
      case "Delete":
      case "Backspace":
        void this.rejectSelected();
        return true;
      case "Enter":
        if (isOnButton) return false;
        void this.accept();
        return true;
      case "ArrowDown":
      case "ArrowUp":
        this.frame.step(event.key === "ArrowDown" ? 1 : -1);
        return true;
      case "ArrowRight":
      case "ArrowLeft":
        this.turn(event.key === "ArrowRight" ? 1 : -1);
        return true;
      case "t":
        void train();
        return true;
      default:
        return false;
    }
  }
}

function stateOf(page: DeskPage): string {
  if (page.is_done) return `✓ ${page.n_labels}`;
  if (page.n_labels > 0) return `${page.n_labels}…`;
  return page.doubt === null ? "" : `${Math.round((1 - page.doubt) * 100)}% sure`;
}
