// A page, inert in a frame, under a layer of ours: what is marked is drawn on the layer, and clicks on it are looked up in the frame.
//
// The frame's document is a stranger's. Its elements may have ids and names that hide properties, so methods are taken from
// prototypes, and nothing of it is ever put into our own document but texts.

import { get } from "./api.ts";
import { clip, fill, h } from "./dom.ts";
import type { LeafView, PageView } from "./wire.ts";

export interface Mark {
  leaves: number[];
  color: string;
  label?: string;
  look?: "solid" | "dashed" | "soft" | "wrong";
}

/** Frames are as high as their page, so that they scroll with the layer; a page that has no end is cut. */
const MAX_HEIGHT = 40_000;
/** More outlines say nothing. */
const MAX_BOXES = 1_500;

const closest = Element.prototype.closest;
const attribute = Element.prototype.getAttribute;
const matches = Element.prototype.matches;
const queryAll = Document.prototype.querySelectorAll;
const queryWithin = Element.prototype.querySelectorAll;
const fromPoint = Document.prototype.elementsFromPoint;
const createRange = Document.prototype.createRange;
const parentOf = Object.getOwnPropertyDescriptor(Node.prototype, "parentElement")?.get as (this: Node) => Element | null;

export class Frame {
  readonly element: HTMLElement;
  leaves: LeafView[] = [];
  selection: number[] = [];
  private page = -1;
  private readonly scroller: HTMLElement;
  private readonly stage: HTMLElement;
  private readonly title: HTMLElement;
  private readonly empty: HTMLElement;
  private frame: HTMLIFrameElement | null = null;
  private readonly layer: HTMLElement;
  private readonly marksBox: HTMLElement;
  private readonly pickBox: HTMLElement;
  private readonly hoverBox: HTMLElement;
  private byLeaf = new Map<number, Element>();
  private marks: Mark[] = [];
  /** Where keys go on from. */
  private at: number[] = [];
  /** Smaller selections that bigger ones were made of. */
  private smaller: number[][] = [];
  private asked = 0;
  private pointed = 0;

  constructor(private readonly picked: (leaves: number[]) => void) {
    this.marksBox = h("div", { class: "boxes" });
    this.pickBox = h("div", { class: "boxes" });
    this.hoverBox = h("div", { class: "boxes" });
    this.layer = h("div", { class: "layer" }, this.marksBox, this.hoverBox, this.pickBox);
    this.stage = h("div", { class: "stage" }, this.layer);
    this.title = h("button", { class: "page-title plain", hidden: true, on: { click: () => this.pickTitle() } });
    this.empty = h("div", { class: "page-empty", hidden: true }, "This page shows nothing: it may need scripts to be read.");
    this.scroller = h("div", { class: "scroller", tabindex: "0", "aria-label": "Page" }, this.empty, this.stage);
    this.element = h("div", { class: "frame" }, this.title, this.scroller);
    this.layer.addEventListener("click", (event) => this.click(event));
    this.layer.addEventListener("mousemove", (event) => this.hover(event));
    this.layer.addEventListener("mouseleave", () => this.leave());
    new ResizeObserver(() => this.resize()).observe(this.scroller);
  }

  /** Show a page, if it is not there already. */
  async show(page: number): Promise<void> {
    if (page === this.page) return;
    this.page = page;
    const asked = ++this.asked;
    delete this.element.dataset.shown;
    this.leave();
    this.select([]);
    this.setMarks([]);
    const frame = h("iframe", { sandbox: "allow-same-origin", title: "The page, without scripts", tabindex: "-1", src: `/view/${page}` });
    const loaded = new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
    // Also those of pages that were asked for and not waited for.
    for (const old of queryWithin.call(this.stage, "iframe")) old.remove();
    this.frame = null;
    this.stage.prepend(frame);
    let view: PageView;
    try {
      [view] = await Promise.all([get<PageView>(`/api/page/${page}`), loaded]);
    } catch (error) {
      // So that it can be asked for again.
      if (asked === this.asked) this.page = -1;
      throw error;
    }
    if (asked !== this.asked) return;
    this.frame = frame;
    this.leaves = view.leaves;
    this.empty.hidden = view.leaves.length > 0;
    this.scroller.scrollTop = 0;
    this.settle();
    // A frame that was taken out of the window, with its screen, loads once more when it is back.
    frame.addEventListener("load", () => this.settle());
  }

  private settle(): void {
    this.read();
    this.resize();
    this.element.dataset.shown = String(this.page);
  }

  private get document(): Document | null {
    return this.frame?.contentDocument ?? null;
  }

  /** Where each leaf is. */
  private read(): void {
    this.byLeaf.clear();
    if (!this.document) return;
    for (const element of queryAll.call(this.document, "[data-pm-a]")) this.byLeaf.set(number(element, "data-pm-a"), element);
    for (const element of queryAll.call(this.document, "[data-pm]")) this.byLeaf.set(number(element, "data-pm"), element);
    const title = this.leaves.findIndex((leaf) => leaf.path === "html/head/title");
    this.title.hidden = title < 0;
    this.title.dataset.leaf = String(title);
    fill(this.title, h("span", { class: "dim" }, "Title of the page "), clip(this.leaves[title]?.text ?? "", 110));
  }

  private resize(): void {
    const { frame, document } = this;
    if (!frame || !document?.documentElement) return;
    frame.style.height = `${this.scroller.clientHeight}px`;
    const height = Math.min(Math.max(document.documentElement.scrollHeight, this.scroller.clientHeight), MAX_HEIGHT);
    frame.style.height = `${height}px`;
    this.stage.style.height = `${height}px`;
    const width = Math.max(document.documentElement.scrollWidth, this.scroller.clientWidth);
    frame.style.width = `${Math.min(width, 3000)}px`;
    this.stage.style.width = frame.style.width;
    this.setMarks(this.marks);
    this.drawSelection();
  }

  /** The leaf at a place of the layer. What lies over it and shows nothing is seen through. */
  leafAt(x: number, y: number): number | null {
    const { document, frame } = this;
    if (!document || !frame) return null;
    const at = frame.getBoundingClientRect();
    for (const element of fromPoint.call(document, x - at.left, y - at.top)) {
      const leaf = leafOf(element);
      if (leaf !== null) return leaf;
    }
    return null;
  }

  private click(event: MouseEvent): void {
    const leaf = this.leafAt(event.clientX, event.clientY);
    this.scroller.focus({ preventScroll: true });
    if (leaf === null) return this.pick([]);
    const own = this.twins(leaf);
    const others = event.shiftKey || event.ctrlKey || event.metaKey ? this.selection.filter((it) => !own.includes(it)) : [];
    this.pick([...others, ...own].sort((a, b) => a - b));
  }

  /** A leaf, and what its element says of the same to machines: `<time datetime>`. */
  private twins(leaf: number): number[] {
    const element = this.byLeaf.get(leaf);
    const other = element ? attribute.call(element, "data-pm-a") : null;
    return other === null || Number(other) === leaf ? [leaf] : [Number(other), leaf];
  }

  /** Nothing is pointed at; nor is what was about to be drawn. */
  private leave(): void {
    this.pointed += 1;
    fill(this.hoverBox);
  }

  private hover(event: MouseEvent): void {
    const pointed = ++this.pointed;
    requestAnimationFrame(() => {
      if (pointed !== this.pointed) return;
      const leaf = this.leafAt(event.clientX, event.clientY);
      fill(this.hoverBox);
      if (leaf !== null) this.draw(this.hoverBox, leaf, "hover", "");
    });
  }

  private pickTitle(): void {
    this.pick([Number(this.title.dataset.leaf)]);
  }

  private pick(leaves: number[]): void {
    this.smaller = [];
    this.select(leaves);
    this.picked(leaves);
  }

  select(leaves: number[]): void {
    this.selection = leaves;
    this.at = leaves;
    this.drawSelection();
  }

  /** Select nothing, and go on from here. */
  rest(): void {
    this.selection = [];
    this.smaller = [];
    this.drawSelection();
  }

  private drawSelection(): void {
    fill(this.pickBox);
    this.title.classList.toggle("picked", this.selection.includes(Number(this.title.dataset.leaf)));
    for (const leaf of this.selection.slice(0, MAX_BOXES)) this.draw(this.pickBox, leaf, "picked", "");
  }

  /** Take in what is around: the next element outwards that holds more leaves. */
  bigger(): void {
    const first = this.byLeaf.get(this.selection[0] ?? -1);
    let element: Element | null = first ?? null;
    while (element) {
      const leaves = leavesWithin(element);
      if (leaves.length > this.selection.length && this.selection.every((leaf) => leaves.includes(leaf))) {
        this.smaller.push(this.selection);
        this.select(leaves);
        this.picked(leaves);
        return;
      }
      element = parentOf.call(element);
    }
  }

  lessBig(): void {
    const leaves = this.smaller.pop() ?? this.selection.slice(0, Math.min(1, this.selection.length));
    this.select(leaves);
    this.picked(leaves);
  }

  /** Go to the leaf before or after. */
  step(by: 1 | -1): void {
    const seen = [...this.byLeaf.keys()].filter((leaf) => this.isSeen(leaf)).sort((a, b) => a - b);
    const from = by > 0 ? this.at.at(-1) ?? -1 : this.at[0] ?? this.leaves.length;
    const next = by > 0 ? seen.find((leaf) => leaf > from) : seen.reverse().find((leaf) => leaf < from);
    if (next === undefined) return;
    this.pick(this.twins(next));
    this.reveal(next);
  }

  isSeen(leaf: number): boolean {
    const box = this.boxOf(leaf);
    // Some are put out of sight, for those who listen.
    return box !== null && box.width > 1 && box.height > 1 && box.right > 0 && box.bottom > 0;
  }

  setMarks(marks: Mark[]): void {
    this.marks = marks;
    fill(this.marksBox);
    const title = Number(this.title.dataset.leaf);
    const named = marks.find((mark) => mark.look !== "soft" && mark.leaves.includes(title));
    this.title.style.boxShadow = named ? `inset 4px 0 0 ${named.color}` : "";
    let left = MAX_BOXES;
    for (const mark of marks) {
      for (const [nth, leaf] of mark.leaves.entries()) {
        if (left-- <= 0) return;
        const box = this.draw(this.marksBox, leaf, mark.look ?? "solid", mark.color);
        if (box && mark.label && nth === 0) this.tag(box, mark.label);
      }
    }
  }

  /** A name on a box: beside it where there is room, so that it covers nothing. */
  private tag(box: HTMLElement, text: string): void {
    const end = box.offsetLeft + box.offsetWidth;
    const isBeside = end + 130 < this.stage.clientWidth && box.offsetHeight < 60;
    box.append(h("span", { class: isBeside ? "tag beside" : "tag" }, text));
  }

  /** Scroll to a leaf. */
  reveal(leaf: number): void {
    const box = this.boxOf(leaf);
    if (!box) return;
    const { scrollTop, clientHeight } = this.scroller;
    if (box.top < scrollTop + 40 || box.bottom > scrollTop + clientHeight - 40) {
      this.scroller.scrollTop = Math.max(0, box.top - clientHeight / 3);
    }
  }

  private draw(into: HTMLElement, leaf: number, look: string, color: string): HTMLElement | null {
    const place = this.boxOf(leaf);
    if (!place || place.width <= 0 || place.height <= 0) return null;
    const box = h("div", { class: `box ${look}`, "data-leaf": leaf });
    box.style.left = `${place.left - 3}px`;
    box.style.top = `${place.top - 2}px`;
    box.style.width = `${place.width + 6}px`;
    box.style.height = `${place.height + 4}px`;
    if (color) box.style.setProperty("--mark", color);
    into.append(box);
    return box;
  }

  /** Where a leaf stands on the stage: its text, not the block that the text is in. */
  private boxOf(leaf: number): DOMRect | null {
    const element = this.byLeaf.get(leaf);
    if (!element || !this.document) return null;
    const isText = attribute.call(element, "data-pm") !== null;
    if (!isText || matches.call(element, "textarea, option, title")) return element.getBoundingClientRect();
    const range = createRange.call(this.document);
    range.selectNodeContents(element);
    return range.getBoundingClientRect();
  }
}

function number(element: Element, name: string): number {
  return Number(attribute.call(element, name));
}

function leafOf(element: Element): number | null {
  const own = matches.call(element, "[data-pm], [data-pm-a]") ? element : null;
  const inside = matches.call(element, "select") ? queryWithin.call(element, "option[data-pm]")[0] ?? null : null;
  const held = own ?? inside ?? (closest.call(element, "svg, button") ? closest.call(element, "[data-pm], [data-pm-a]") : null);
  if (!held) return null;
  return number(held, attribute.call(held, "data-pm") !== null ? "data-pm" : "data-pm-a");
}

function leavesWithin(element: Element): number[] {
  const all = [element, ...queryWithin.call(element, "[data-pm], [data-pm-a]")];
  const names = ["data-pm", "data-pm-a"] as const;
  const leaves = all.flatMap((it) => names.filter((name) => attribute.call(it, name) !== null).map((name) => number(it, name)));
  return [...new Set(leaves)].sort((a, b) => a - b);
}
