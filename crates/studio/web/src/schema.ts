// Choosing what to look for: a schema that is built in, a list of fields, or a DTD.

import { post } from "./api.ts";
import { fill, h } from "./dom.ts";
import type { DeskView, SchemaView } from "./wire.ts";

export function chooser(schemas: SchemaView[], chosen: (desk: DeskView) => void): HTMLElement {
  const trouble = h("p", { class: "trouble", role: "alert" });
  const choose = async (ask: unknown) => {
    fill(trouble);
    try {
      chosen(await post<DeskView>("/api/label/schema", ask));
    } catch (error) {
      fill(trouble, error instanceof Error ? error.message : String(error));
    }
  };
  const card = (schema: SchemaView) =>
    h(
      "button",
      { class: "card", on: { click: () => void choose({ name: schema.name }) } },
      h("strong", {}, schema.name),
      h("span", {}, schema.fields.map((field) => field.name).join(", ")),
    );
  const fields = h("input", { type: "text", placeholder: "book: title, author*, price?", "aria-label": "Fields", spellcheck: "false" });
  const dtd = h("textarea", { rows: "5", placeholder: "<!ELEMENT news (title, author*, date?)>", "aria-label": "DTD", spellcheck: "false" });
  const file = h("input", { type: "file", accept: ".dtd,text/plain", "aria-label": "DTD file" });
  file.addEventListener("change", async () => {
    const first = file.files?.[0];
    if (first) dtd.value = await first.text();
  });
  const form = (ask: () => unknown, ...content: (HTMLElement | string)[]) =>
    h(
      "form",
      { class: "row", on: { submit: (event) => { event.preventDefault(); void choose(ask()); } } },
      ...content,
      h("button", { type: "submit" }, "Use it"),
    );
  return h(
    "div",
    { class: "chooser" },
    h("h1", {}, "What is on these pages?"),
    h("p", {}, "Choose a schema: the fields that you want from each page. You then show them on a few pages, and the model finds them on the others."),
    h("div", { class: "cards" }, schemas.map(card)),
    h("h2", {}, "Or write your own fields"),
    form(() => ({ fields: fields.value }), fields),
    h("p", { class: "dim" }, "With commas between them. ", h("code", {}, "*"), " marks what a page may have several of, ", h("code", {}, "?"), " what it may lack; a name and a colon first name the whole."),
    h("details", {}, h("summary", {}, "Or a DTD"), form(() => ({ dtd: dtd.value }), dtd, file)),
    trouble,
  );
}
