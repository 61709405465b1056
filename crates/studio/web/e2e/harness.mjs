// A studio, a real browser that watches what leaves it, and pictures of what it shows.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../../..");
const binary = process.env.PAGEMILL ?? join(root, "target/debug/pagemill");

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

export class Bench {
  #browser;
  #folders = [];
  #studios = [];
  n_checks = 0;
  failures = [];

  constructor(pictures) {
    this.pictures = pictures;
    if (pictures) mkdirSync(pictures, { recursive: true });
  }

  static async open(pictures) {
    const bench = new Bench(pictures);
    const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", process.env.CHROMIUM].find((path) => path && existsSync(path));
    if (!executablePath) throw new Error("no Chromium: install it, or name one in CHROMIUM");
    bench.#browser = await chromium.launch({ executablePath, args: FLAGS, headless: true });
    return bench;
  }

  folder() {
    const folder = mkdtempSync(join(tmpdir(), "pagemill-studio-"));
    this.#folders.push(folder);
    return folder;
  }

  /** Run the command line; gives what it printed. */
  run(folder, ...args) {
    const { status, stdout, stderr } = spawnSync(binary, args, { cwd: folder, encoding: "utf8", maxBuffer: 64 << 20 });
    if (status !== 0) throw new Error(`pagemill ${args.join(" ")} ended with ${status}: ${stderr}`);
    return stdout;
  }

  /** Start a studio and open it. */
  async studio(folder, ...args) {
    const child = spawn(binary, ["studio", ...args, "--no-open"], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    this.#studios.push(child);
    const url = await new Promise((told, failed) => {
      let said = "";
      child.stdout.on("data", (data) => {
        said += data;
        if (said.includes("\n")) told(said.trim());
      });
      child.on("exit", (code) => failed(new Error(`the studio ended with ${code}`)));
    });
    const context = await this.#browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: false });
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    const { origin } = new URL(url);
    page.left = [];
    page.troubles = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith("data:")) page.left.push(request);
    });
    page.on("dialog", (dialog) => {
      page.troubles.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("pageerror", (error) => page.troubles.push(`error: ${error.message}`));
    page.on("popup", () => page.troubles.push("popup"));
    await page.goto(url);
    await page.waitForSelector(".tabs a");
    return page;
  }

  check(what, is) {
    this.n_checks += 1;
    if (!is) {
      this.failures.push(what);
      console.error(`FAILED  ${what}`);
    }
  }

  equal(what, found, expected) {
    const [a, b] = [JSON.stringify(found), JSON.stringify(expected)];
    this.check(a === b ? what : `${what}: found ${a?.slice(0, 400)}, expected ${b?.slice(0, 400)}`, a === b);
  }

  async picture(page, name) {
    if (!this.pictures) return;
    await page.mouse.move(640, 2);
    await page.evaluate(() => document.querySelectorAll(".notice").forEach((it) => it.remove()));
    const path = join(this.pictures, `${name}.png`);
    await page.screenshot({ path });
    // Few colours do for a screen; without the tool pictures are larger.
    spawnSync("pngquant", ["--force", "--skip-if-larger", "--output", path, "96", path]);
  }

  async close() {
    for (const studio of this.#studios) studio.kill();
    await this.#browser.close();
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true });
  }
}

/** Where a text stands in the shown page, in the window: its middle. Scrolls there first. */
export async function placeOf(page, text) {
  return page.evaluate((text) => {
    const frame = document.querySelector("iframe");
    const inside = frame?.contentDocument;
    if (!inside) return null;
    const walker = Document.prototype.createTreeWalker.call(inside, Reflect.get(Document.prototype, "documentElement", inside), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = (node.nodeValue ?? "").indexOf(text);
      if (at < 0) continue;
      const range = Document.prototype.createRange.call(inside);
      range.setStart(node, at);
      range.setEnd(node, at + text.length);
      const box = range.getClientRects()[0];
      if (!box || box.width === 0) continue;
      const scroller = frame.closest(".scroller");
      scroller.scrollTop = Math.max(0, box.top - scroller.clientHeight / 2);
      const outer = frame.getBoundingClientRect();
      return { x: outer.left + box.left + box.width / 2, y: outer.top + box.top + box.height / 2 };
    }
    return null;
  }, text);
}

/** Click on a text of the shown page. */
export async function clickText(page, text, options = {}) {
  const place = await placeOf(page, text);
  if (!place) throw new Error(`${JSON.stringify(text)} is not shown`);
  if (options.with) await page.keyboard.down(options.with);
  await page.mouse.click(place.x, place.y);
  if (options.with) await page.keyboard.up(options.with);
}

/** Until the page is shown and the model has learnt. */
export async function settled(page) {
  await page.waitForFunction(() => !document.querySelector(".panel footer")?.textContent?.includes("Learning…"));
  await page.waitForTimeout(250);
  await page.waitForFunction(() => !document.querySelector(".panel footer")?.textContent?.includes("Learning…"));
}

/** Until a page of the strip is shown, and the model has learnt. */
export async function shown(page, name) {
  await page.waitForFunction((name) => document.querySelector(".strip-page[aria-current]")?.textContent?.includes(name), name);
  await page.waitForSelector(".frame[data-shown]");
  await page.waitForTimeout(150);
  await settled(page);
}
