// Why: where values come from, and why pages do not fit.

import { get } from "./api.ts";
import { type Child, clip, fill, h, plural, short } from "./dom.ts";
import { Frame, type Mark } from "./frame.ts";
import { groupTabs, learnt, nothing } from "./groups.ts";
import { trying } from "./say.ts";
import { type Context, type Screen, colorOf } from "./screen.ts";
import type { FitView, TablesView, ValueView, WhyPageView, WhyView } from "./wire.ts";

const WRONG = "#c92a2a";

export class WhyScreen implements Screen {
  readonly element = h("section", { class: "screen" });
  readonly keys: [string, string][] = [
    ["click, ↑ ↓", "a place of the page: which value it is"],
    ["← →", "page before, page after"],
  ];
  private readonly strip = h("nav", { class: "side strip", "aria-label": "Pages" });
  private readonly panel = h("aside", { class: "side panel why-panel", "aria-label": "Why" });
  private readonly frame = new Frame((leaves) => this.fromPage(leaves));
  private tables: TablesView | null = null;
  private fits: FitView[] = [];
  private view: WhyPageView | null = null;
  private why: WhyView | null = null;
  private group = 0;

  constructor(private readonly context: Context) {}

  async open(args: string[]): Promise<void> {
    await trying(async () => {
      if (!this.element.contains(this.panel)) {
        fill(this.element, h("div", { class: "empty" }, h("h1", {}, "Learning the columns…")));
      }
      this.tables = await learnt();
      this.group = Number(args[0] ?? this.group);
      const group = this.tables.groups[this.group];
      if (!group) return fill(this.element, nothing(this.tables));
      const tabs = groupTabs(this.tables, this.group, (nth) => this.context.go(`why/${nth}`));
      if (group.trouble) return fill(this.element, h("div", { class: "empty" }, tabs, h("h1", {}, "Nothing to explain"), h("p", {}, group.trouble)));
      this.fits = await get<FitView[]>(`/api/why/${this.group}`);
      if (!this.element.contains(this.panel)) fill(this.element, this.strip, this.frame.element, this.panel);
      const page = args[1] === undefined ? this.fits[0]?.page : Number(args[1]);
      if (page === undefined) return fill(this.element, h("div", { class: "empty" }, h("h1", {}, "No pages are open"), h("p", {}, "Name some pages beside the wrapper:"), h("pre", {}, "pagemill studio shop.json new/")));
      await this.showPage(page, args[2] === undefined ? undefined : decodeURIComponent(args[2]));
    });
  }

  private async showPage(page: number, field?: string): Promise<void> {
    const [view] = await Promise.all([get<WhyPageView>(`/api/why/${this.group}/${page}`), this.frame.show(page)]);
    this.view = view;
    this.why = null;
    this.showStrip();
    if (field !== undefined) return this.explain(field);
    this.showPanel();
    this.mark();
    const first = this.firstWrong();
    if (first !== undefined) this.frame.reveal(first);
  }

  /** The first place that does not fit, of those in sight. */
  private firstWrong(): number | undefined {
    const leaves = (this.view?.problems ?? []).flatMap((problem) => (problem.leaf === null ? [] : [problem.leaf]));
    return leaves.find((leaf) => this.frame.isSeen(leaf)) ?? leaves[0];
  }

  private showStrip(): void {
    const row = (fit: FitView) =>
      h(
        "a",
        { class: "strip-page", href: `#why/${this.group}/${fit.page}`, "aria-current": fit.page === this.view?.page ? "page" : false, title: fit.problems[0] ?? "" },
        h("span", { class: "name" }, short(this.context.start.pages[fit.page] ?? "")),
        fit.status === "verified" && fit.n_warnings === 0
          ? h("span", { class: "state", title: "verified" }, "✓")
          : h("span", { class: `chip ${fit.status}` }, fit.status === "verified" ? plural(fit.n_warnings, "warning") : fit.status),
      );
    const count = (status: string) => this.fits.filter((fit) => fit.status === status).length;
    const tabs = this.tables ? groupTabs(this.tables, this.group, (nth) => this.context.go(`why/${nth}`)) : null;
    fill(
      this.strip,
      tabs,
      h("h2", {}, "Pages"),
      h("p", { class: "dim" }, `${count("verified")} verified, ${count("partial")} partial, ${count("failed")} failed`),
      h("div", { class: "list" }, this.fits.map(row)),
    );
  }

  private columnsOf(): string[] {
    return [...new Set(this.view?.values.map((value) => value.column) ?? [])];
  }

  private mark(): void {
    const columns = this.columnsOf();
    const chosen = this.why;
    const values = (this.view?.values ?? []).map((value): Mark => {
      const isChosen = value.field === chosen?.field;
      const look = isChosen ? "solid" : "soft";
      return { leaves: value.leaves, color: colorOf(columns.indexOf(value.column)), look, ...(isChosen ? { label: value.field } : {}) };
    });
    const problems = (this.view?.problems ?? []).filter((problem) => problem.leaf !== null);
    const first = this.firstWrong();
    const wrong = problems.map((problem): Mark => ({
      leaves: [problem.leaf ?? 0],
      color: WRONG,
      look: "wrong",
      ...(problem.leaf === first ? { label: "the first that does not fit" } : {}),
    }));
    const absent: Mark[] = chosen && chosen.value === null ? [{ leaves: chosen.leaves, color: WRONG, look: "wrong", label: `no ${chosen.field}` }] : [];
    this.frame.setMarks([...values, ...wrong, ...absent]);
  }

  private showPanel(): void {
    const view = this.view;
    if (!view) return;
    const meaning: Record<string, string> = {
      verified: "every part has its place in the template",
      partial: "some parts do not fit",
      failed: "it is a page of something else",
    };
    fill(
      this.panel,
      h("header", { class: "panel-head" }, h("h2", {}, short(this.context.start.pages[view.page] ?? "")), h("span", { class: `chip ${view.status}` }, view.status)),
      h("p", {}, meaning[view.status] ?? ""),
      this.why ? this.detail(this.why) : null,
      view.problems.length > 0 ? [h("h3", {}, "What does not fit"), h("ol", { class: "problems" }, view.problems.map((problem) => this.problem(problem.message, problem.leaf)))] : null,
      view.warnings.length > 0 ? [h("h3", {}, "What looks odd"), h("ul", { class: "problems" }, view.warnings.map((text) => h("li", {}, text)))] : null,
      h("h3", {}, plural(view.values.length, "value")),
      h("div", { class: "list values" }, view.values.slice(0, 500).map((value) => this.value(value))),
    );
  }

  private problem(message: string, leaf: number | null): HTMLElement {
    if (leaf === null) return h("li", {}, message);
    const show = () => {
      this.frame.select([leaf]);
      this.frame.reveal(leaf);
    };
    return h("li", {}, h("button", { class: "plain", on: { click: show } }, message));
  }

  private value(value: ValueView): HTMLElement {
    const row = h(
      "button",
      { class: "plain why-value", "aria-current": value.field === this.why?.field ? "true" : false, on: { click: () => void trying(() => this.explain(value.field)) } },
      h("span", { class: "name" }, value.field),
      h("span", {}, clip(value.value, 60)),
    );
    row.style.setProperty("--mark", colorOf(this.columnsOf().indexOf(value.column)));
    return row;
  }

  private async explain(field: string): Promise<void> {
    this.why = await get<WhyView>(`/api/why/${this.group}/${this.view?.page ?? 0}/value?field=${encodeURIComponent(field)}`);
    this.showPanel();
    this.mark();
    this.panel.scrollTop = 0;
    const first = this.why.leaves[0];
    if (first !== undefined) this.frame.reveal(first);
  }

  private detail(why: WhyView): HTMLElement {
    const line = (name: string, ...content: Child[]) => [h("dt", {}, name), h("dd", {}, ...content)];
    const [before, inside, after] = why.snippet ?? ["", "", ""];
    return h(
      "div",
      { class: "why-detail" },
      h("h3", { class: "field-name" }, why.field),
      h("p", { class: "why-text" }, why.value ?? "is not on this page"),
      h(
        "dl",
        {},
        line(why.value === null ? "Because" : "Rule", why.rule),
        why.read_as ? line(why.value === null ? "Instead" : "Read as", why.read_as) : [],
        why.line !== null ? line("At", `line ${why.line}, column ${why.column ?? 0}, bytes ${why.bytes?.join("–") ?? ""}`) : [],
        why.snippet ? line("Source", h("code", { class: "source" }, before, h("mark", {}, inside), after)) : [],
        why.xpath ? line("XPath", h("code", {}, why.xpath)) : [],
        why.value === null ? [] : line("Alternatives", why.rivals.length === 0 ? "none: leaves of such elements are always this" : h("ul", {}, why.rivals.map((rival) => h("li", {}, h("strong", {}, rival.name), ` ${rival.score.toFixed(1)} against ${why.score?.toFixed(1) ?? ""}: ${rival.lost}`)))),
      ),
    );
  }

  private fromPage(leaves: number[]): void {
    const value = this.view?.values.find((it) => it.leaves.some((leaf) => leaves.includes(leaf)));
    if (value) return void trying(() => this.explain(value.field));
    this.why = null;
    this.showPanel();
    this.mark();
  }

  key(event: KeyboardEvent): boolean {
    if (!this.view) return false;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      this.frame.step(event.key === "ArrowDown" ? 1 : -1);
      return true;
    }
    if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return false;
    const at = this.fits.findIndex((fit) => fit.page === this.view?.page);
    const next = this.fits[at + (event.key === "ArrowRight" ? 1 : -1)];
    if (next) this.context.go(`why/${this.group}/${next.page}`);
    return true;
  }
}
