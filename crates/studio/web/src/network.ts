// Network: objects, what is beside each, and queries.

import { get, post } from "./api.ts";
import { clip, fill, h, plural } from "./dom.ts";
import { graph } from "./graph.ts";
import { trying } from "./say.ts";
import type { Context, Screen } from "./screen.ts";
import type { AnswerView, NetworkView, ObjectLink, ObjectView, RoleView } from "./wire.ts";

export class NetworkScreen implements Screen {
  readonly element = h("section", { class: "screen" });
  readonly keys: [string, string][] = [
    ["/", "search"],
    ["q", "write a query"],
    ["Tab, Enter", "in the graph: go to a neighbour"],
    ["Backspace", "back to where you were"],
  ];
  private readonly search = h("input", { type: "search", placeholder: "Search by name", "aria-label": "Search" });
  private readonly found = h("div", { class: "list" });
  private readonly side = h("aside", { class: "side strip", "aria-label": "Objects" });
  private readonly stage = h("div", { class: "graph-box" });
  private readonly detail = h("aside", { class: "side panel", "aria-label": "Object" });
  private readonly query = h("textarea", { rows: "2", spellcheck: "false", "aria-label": "Query" });
  private readonly answer = h("div", { class: "answer" });
  private view: NetworkView | null = null;
  private shown: ObjectView | null = null;

  constructor(private readonly context: Context) {
    this.search.addEventListener("input", () => void this.find());
    this.query.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey) {
        event.preventDefault();
        void this.ask();
      }
    });
    new ResizeObserver(() => this.draw()).observe(this.stage);
  }

  async open(args: string[]): Promise<void> {
    if (!this.context.start.has_network) return this.showEmpty();
    await trying(async () => {
      if (!this.view) await this.begin();
      const id = args[0] ?? String(this.shown?.id ?? this.view?.tops[0]?.id ?? "");
      if (id !== "") await this.show(Number(id));
    });
  }

  private showEmpty(): void {
    fill(
      this.element,
      h(
        "div",
        { class: "empty" },
        h("h1", {}, "This store has no network yet"),
        h("p", {}, "A crawl by a plan makes one, or gather it from the pages that are there:"),
        h("pre", {}, "pagemill crawl https://example.edu/ --plan university --store u.db\npagemill network u.db gather --plan university"),
      ),
    );
  }

  private async begin(): Promise<void> {
    this.view = await get<NetworkView>("/api/network");
    const classes = this.view.classes.map((it) => `${it.n.toLocaleString("en")} ${it.name}`).join(", ");
    this.query.value = "query Person $p[worksIn: $u[title: $t]] construct $p, $t, $u";
    const box = h(
      "details",
      { class: "query-box", open: true },
      h("summary", {}, "Query"),
      h("form", { class: "row", on: { submit: (event) => { event.preventDefault(); void this.ask(); } } }, this.query, h("button", { type: "submit", class: "main" }, "Ask")),
      this.answer,
    );
    fill(
      this.side,
      h("h2", {}, "Network"),
      h("p", { class: "dim" }, classes, this.view.doubts > 0 ? `; ${this.view.doubts} in doubt` : ""),
      this.search,
      this.found,
    );
    this.list(this.view.tops);
    fill(this.element, this.side, h("div", { class: "network-main" }, this.stage, box), this.detail);
  }

  private list(objects: ObjectLink[]): void {
    fill(this.found, objects.length === 0 ? h("p", { class: "dim" }, "Nothing is called so.") : objects.map((it) => this.link(it)));
  }

  private link(object: ObjectLink, note = object.class): HTMLElement {
    return h(
      "a",
      { class: "strip-page", href: `#network/${object.id}`, "aria-current": object.id === this.shown?.id ? "page" : false },
      h("span", { class: "name" }, object.name),
      h("span", { class: "state" }, note),
    );
  }

  private async find(): Promise<void> {
    await trying(async () => {
      const text = this.search.value.trim();
      this.list(text === "" ? this.view?.tops ?? [] : await get<ObjectLink[]>(`/api/network/search?text=${encodeURIComponent(text)}`));
    });
  }

  private async show(id: number): Promise<void> {
    this.shown = await get<ObjectView>(`/api/network/object/${id}`);
    this.draw();
    const it = this.shown;
    const roles = (title: string, all: RoleView[]) =>
      all.length === 0 ? null : [h("h3", {}, title), all.slice(0, 200).map((role) => this.link(role.with, role.role))];
    fill(
      this.detail,
      h("header", { class: "panel-head" }, h("h2", {}, it.name), h("span", { class: "chip" }, it.class)),
      it.aliases.length > 0 ? h("p", { class: "dim" }, `also ${it.aliases.join(", ")}`) : null,
      it.facts.length > 0 ? h("dl", {}, it.facts.map((fact) => [h("dt", {}, fact.name), h("dd", { title: fact.pages.join("\n") }, fact.value)])) : null,
      it.containers.length > 0 ? [h("h3", {}, "In"), it.containers.map((object) => this.link(object))] : null,
      it.parts.length > 0 ? [h("h3", {}, plural(it.parts.length, "part")), it.parts.map((object) => this.link(object))] : null,
      roles("Is", it.roles),
      roles("Has", it.players),
      it.pages.length > 0 ? [h("h3", {}, "Pages that say so"), h("ul", { class: "pages" }, it.pages.slice(0, 20).map((page) => h("li", {}, clip(page, 60))))] : null,
    );
  }

  private draw(): void {
    if (this.shown) fill(this.stage, graph(this.shown, this.stage.clientWidth, this.stage.clientHeight, (id) => this.context.go(`network/${id}`)));
  }

  private async ask(): Promise<void> {
    try {
      const answer = await post<AnswerView>("/api/network/query", { text: this.query.value });
      if (answer.truth !== null) return fill(this.answer, h("p", {}, answer.truth ? "true" : "false"));
      const cell = (it: AnswerView["rows"][number][number]) => h("td", {}, it.id === null ? it.text : h("a", { href: `#network/${it.id}` }, it.text));
      fill(
        this.answer,
        h("p", { class: "dim", role: "status" }, plural(answer.n_rows, "row")),
        h("table", { class: "grid" }, h("thead", {}, h("tr", {}, answer.columns.map((it) => h("th", { scope: "col" }, it)))), h("tbody", {}, answer.rows.map((row) => h("tr", {}, row.map(cell))))),
      );
    } catch (error) {
      fill(this.answer, h("p", { class: "trouble", role: "alert" }, error instanceof Error ? error.message : String(error)));
    }
  }

  key(event: KeyboardEvent): boolean {
    if (event.key === "/") this.search.focus();
    else if (event.key === "q") this.query.focus();
    else if (event.key === "Backspace") history.back();
    else return false;
    return true;
  }
}
