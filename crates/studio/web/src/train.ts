// Training: how well a model of the labels does on pages it has not seen, and saving it.

import { post } from "./api.ts";
import { h, plural } from "./dom.ts";
import { dialog, saver, trying } from "./say.ts";
import type { ScoreView, TrainView } from "./wire.ts";

export async function train(): Promise<void> {
  await trying(async () => show(await post<TrainView>("/api/label/train")));
}

function show(trained: TrainView): void {
  const after = h("div", {});
  const form = saver("Save model", "/api/label/save", trained.file, (saved) => {
    after.replaceChildren(
      h("p", { class: "saved", role: "status" }, `Saved as ${saved.file}. Use it on other pages with:`),
      h("pre", {}, `pagemill annotate ${saved.file} PAGES -o data.csv`),
    );
  });
  dialog(
    "The model",
    h("p", {}, `Trained from ${plural(trained.n_pages, "labelled page")} of ${plural(trained.n_sites, "site")}.`),
    trained.scores.length > 0 ? scores(trained.scores) : h("p", {}, "Label a second page to see how well it does on pages that it has not seen."),
    form,
    after,
  );
}

function scores(all: ScoreView[]): HTMLElement {
  const percent = (share: number | null) => (share === null ? "–" : `${Math.round(share * 100)}%`);
  const row = (score: ScoreView) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, score.field),
      h("td", {}, percent(score.precision)),
      h("td", {}, percent(score.recall)),
      h("td", {}, score.n_known),
      h("td", {}, score.n_found),
    );
  const heads = ["Field", "Precision", "Recall", "Labelled", "Found"].map((text) => h("th", { scope: "col" }, text));
  return h(
    "div",
    {},
    h("table", { class: "scores" }, h("thead", {}, h("tr", {}, heads)), h("tbody", {}, all.map(row))),
    h("p", { class: "dim" }, "Each page was read by a model that had not seen its site (or, where all are of one site, the page). Of long texts, words are counted."),
  );
}
