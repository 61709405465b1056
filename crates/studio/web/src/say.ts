// What is told beside the screens: notices at the foot, dialogs in the middle.

import { ApiError, post } from "./api.ts";
import { type Child, fill, h } from "./dom.ts";
import type { SavedView } from "./wire.ts";

const notices = h("div", { class: "notices", role: "status", "aria-live": "polite" });
document.body.append(notices);

export function say(text: string, kind: "good" | "bad" = "good"): void {
  const notice = h("div", { class: `notice ${kind}` }, text);
  notices.append(notice);
  setTimeout(() => notice.remove(), kind === "bad" ? 9000 : 4000);
}

/** Do something, and tell what went wrong. */
export async function trying(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    say(error instanceof Error ? error.message : String(error), "bad");
  }
}

export function dialog(title: string, ...content: Child[]): HTMLDialogElement {
  const close = h("button", { class: "plain", "aria-label": "Close", on: { click: () => box.close() } }, "✕");
  const box = h("dialog", { "aria-label": title }, h("header", {}, h("h2", {}, title), close), ...content);
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
  return box;
}

/** A name and a button: writes a file, and asks before it replaces one. */
export function saver(label: string, path: string, file: string, done: (saved: SavedView) => void): HTMLFormElement {
  const name = h("input", { type: "text", value: file, "aria-label": "File", spellcheck: "false" });
  const button = h("button", { class: "main", type: "submit" }, label);
  const trouble = h("p", { class: "trouble", role: "alert" });
  let replace = false;
  name.addEventListener("input", () => {
    replace = false;
    button.textContent = label;
    fill(trouble);
  });
  const form = h("form", { class: "saver" }, h("label", {}, "File ", name), button, trouble);
  // Once it is in its dialog: Enter writes the file.
  queueMicrotask(() => name.focus());
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    fill(trouble);
    try {
      done(await post<SavedView>(path, { file: name.value, replace }));
    } catch (error) {
      fill(trouble, error instanceof Error ? error.message : String(error));
      if (error instanceof ApiError && error.kind === "exists") {
        replace = true;
        button.textContent = "Replace it";
      }
    }
  });
  return form;
}

/** A text with a question, such as a new name. */
export function question(title: string, label: string, value: string, then: (text: string) => Promise<void>): void {
  const input = h("input", { type: "text", value, spellcheck: "false", "aria-label": label });
  const trouble = h("p", { class: "trouble", role: "alert" });
  const form = h("form", { class: "saver" }, h("label", {}, `${label} `, input), h("button", { class: "main", type: "submit" }, "OK"), trouble);
  const box = dialog(title, form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      await then(input.value.trim());
      box.close();
    } catch (error) {
      fill(trouble, error instanceof Error ? error.message : String(error));
    }
  });
  input.focus();
  input.select();
}
