// The bookshop: learnt, columns merged and renamed, exported; the same rows as the command line's.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { clickText, root } from "./harness.mjs";

export async function table(bench) {
  const folder = bench.folder();
  const pages = join(root, "corpus/bookshop/detail/pages");
  const page = await bench.studio(folder, pages, "--root", join(root, "corpus/bookshop"));
  await page.keyboard.press("Alt+2");
  await page.waitForSelector(".grid tbody tr");
  bench.equal("a row a book", await page.locator(".grid tbody tr").count(), 20);
  await bench.picture(page, "table");

  // Rename a column, by keys.
  await page.focus('.column input[value="name"]');
  await page.keyboard.press("Space");
  await page.keyboard.press("r");
  await page.fill("dialog input", "book title");
  await page.keyboard.press("Enter");
  await page.waitForSelector("dialog .trouble:not(:empty)");
  bench.check("a name that is none is refused, with a way out", (await page.textContent("dialog .trouble")).includes("book_title"));
  await page.fill("dialog input", "book");
  await page.keyboard.press("Enter");
  await page.waitForSelector('.column input[value="book"]');

  // Merge two, drop one, undo and redo.
  const merged = ["isbn_13", "isbn"];
  await page.uncheck('.column input[value="book"]');
  for (const path of merged) await page.check(`.column input[value="${path}"]`);
  await page.keyboard.press("m");
  await page.fill("dialog input", "number");
  await page.keyboard.press("Enter");
  await page.waitForSelector('.column input[value="number"]');
  await page.check('.column input[value="publisher"]');
  await page.uncheck('.column input[value="number"]');
  await page.keyboard.press("d");
  await page.waitForSelector(".dropped:has-text('publisher')");
  await page.keyboard.press("Control+z");
  await page.waitForSelector('.column input[value="publisher"]');
  await page.keyboard.press("Control+y");
  await page.waitForSelector(".dropped:has-text('publisher')");
  await bench.picture(page, "table-edited");

  // A cell shows its place; a place shows its column.
  const nth = await page.$$eval(".grid thead th", (heads) => heads.findIndex((it) => it.dataset.path === "book"));
  await page.click(`.grid tbody tr:nth-child(3) > :nth-child(${nth + 1}) .cell`);
  await page.waitForSelector(".page-pane .box.solid");
  await bench.picture(page, "table-page");
  await clickText(page, "979-9");
  await page.waitForFunction(() => document.querySelectorAll(".column input:checked").length === 1);
  bench.equal("a click on a value leads to its column", await page.getAttribute(".column input:checked", "value"), "number");
  bench.check("which is in sight", await page.locator(".column:has(input:checked)").isVisible());
  await page.keyboard.press("Escape");

  // Export and save.
  await page.keyboard.press("e");
  await page.fill("dialog input", "books.csv");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".notice:has-text('books.csv is written: 20 pages')");
  await page.keyboard.press("e");
  await page.fill("dialog input", "books.csv");
  await page.keyboard.press("Enter");
  await page.waitForSelector("dialog .trouble:has-text('is there already')");
  await bench.picture(page, "export");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !document.querySelector("dialog"));
  await page.keyboard.press("e");
  await page.fill("dialog input", "books.jsonl");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !document.querySelector("dialog"));
  await page.keyboard.press("w");
  await page.fill("dialog input", "shop.json");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !document.querySelector("dialog"));

  // The same by the command line, from the saved wrapper and from nothing.
  const own = (name) => readFileSync(join(folder, name), "utf8");
  bench.run(folder, "extract", "shop.json", pages, "-o", "cli.csv");
  bench.run(folder, "extract", "shop.json", pages, "-o", "cli.jsonl");
  bench.check("the rows of pagemill extract, as CSV", own("books.csv") === own("cli.csv"));
  bench.check("the rows of pagemill extract, as JSON lines", own("books.jsonl") === own("cli.jsonl"));
  bench.run(folder, "learn", pages, "-o", "learnt.json");
  bench.run(folder, "columns", "learnt.json", "rename", "name", "book");
  bench.run(folder, "columns", "learnt.json", "merge", ...merged, "--as", "number");
  bench.run(folder, "columns", "learnt.json", "drop", "publisher");
  bench.check("the wrapper of pagemill learn and columns", own("learnt.json") === own("shop.json"));
  bench.equal("nothing left the browser", page.left.map((it) => it.url()), []);
  bench.equal("no trouble", page.troubles, []);
  await page.context().close();

  await why(bench, folder);
}

// A wrapper and pages of which one does not fit.
async function why(bench, folder) {
  const list = join(root, "corpus/bookshop/list/pages/fiction.html");
  const page = await bench.studio(folder, "shop.json", join(root, "corpus/bookshop/detail/pages"), list, "--root", join(root, "corpus/bookshop"));
  await page.waitForSelector(".grid tbody tr");
  await page.keyboard.press("Alt+3");
  await page.waitForSelector(".problems li");
  bench.equal("the page that fails comes first", await page.textContent(".strip-page[aria-current] .name"), "fiction.html");
  bench.equal("its verdict", await page.textContent(".why-panel .chip"), "failed");
  await page.waitForSelector(".box.wrong .tag");
  bench.equal("the first place that does not fit is marked", await page.textContent(".box.wrong .tag"), "the first that does not fit");
  await bench.picture(page, "why-failed");
  const told = bench.run.bind(bench);
  const first = await page.textContent(".problems li");
  let cli = "";
  try {
    told(folder, "why", "shop.json", list);
  } catch (error) {
    cli = String(error);
  }
  bench.check("exit code 3 of pagemill why", cli.includes("ended with 3"));
  bench.check(`a problem in words: ${first}`, (first ?? "").length > 10);

  // A value of a page that fits: its rule and its alternatives.
  await page.click(".strip-page:has-text('bread-before-dawn')");
  await page.waitForSelector(".why-value");
  await page.click(".why-value:has(.name:text-is('book'))");
  await page.waitForSelector(".why-detail");
  bench.check("rule and source are told", (await page.textContent(".why-detail")).includes("place") && (await page.locator(".why-detail mark").count()) === 1);
  await bench.picture(page, "why");
  const field = await page.textContent(".why-detail h3");
  const why = JSON.parse(bench.run(folder, "why", "shop.json", join(root, "corpus/bookshop/detail/pages/bread-before-dawn.html"), field, "--json").split("\n")[0]);
  bench.equal("the value of pagemill why", await page.textContent(".why-text"), why.value);
  bench.check("the place of pagemill why", (await page.textContent(".why-detail")).includes(`line ${why.at.line}, column ${why.at.column}`));
  bench.equal("no trouble", page.troubles, []);
  await page.context().close();
}
