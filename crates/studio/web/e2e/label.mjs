// From nothing to a trained model: three pages are labelled, the fourth is annotated.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { clickText, root, settled, shown } from "./harness.mjs";

const PAGES = join(root, "corpus/articles/pages");

export async function label(bench) {
  const folder = bench.folder();
  const page = await bench.studio(folder, PAGES);
  await page.waitForSelector("button.card");
  await page.click("button.card:has-text('news')");

  // Pages that are changed faster than they come leave nothing behind.
  await page.evaluate(() => {
    for (const other of document.querySelectorAll(".strip-page")) other.click();
  });
  // The first page by hand: a click and a number for each field.
  await open(page, "choir.html");
  bench.equal("pages in the frame, after quick changes", await page.locator(".stage iframe").count(), 1);
  await clickText(page, "Village choir sings");
  await page.keyboard.press("1");
  await clickText(page, "Benedikt Aldous");
  await page.keyboard.press("2");
  await clickText(page, "September 12, 2024");
  await page.keyboard.press("3");
  await clickText(page, "Every September the choir");
  await page.keyboard.press("+");
  await page.keyboard.press("5");
  await settled(page);
  bench.equal("labels of the first page", await page.locator(".value.label").count(), 3 + 1 + 4);
  await page.keyboard.press("Enter");
  await shown(page, "library.html");
  bench.check("the least sure page comes next, with predictions", (await page.locator(".value.thought").count()) > 0);

  // The second: what the model did not know is shown to it, the rest accepted.
  await clickText(page, "Night opening fills");
  await page.keyboard.press("1");
  await clickText(page, "Tobias Quill");
  await page.keyboard.press("2");
  await clickText(page, "April 2, 2024");
  await page.keyboard.press("3");
  await settled(page);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !document.querySelector(".strip-page[aria-current]")?.textContent?.includes("library"));

  // The third, by keys alone: what is not known yet is gone down to.
  await open(page, "harbour.html");
  const before = await fields(page);
  bench.equal("the title of the third page is known by now", before.title, ["Harbour crane returns after ten years in a barn"]);
  if (!before.author?.includes("Odile Marchbank")) await byKeys(page, "Odile Marchbank", "2");
  if (!before.date) await byKeys(page, "15 March 2024", "3");
  bench.equal("the author of the third page", (await fields(page)).author, ["Odile Marchbank"]);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !document.querySelector(".strip-page[aria-current]")?.textContent?.includes("harbour"));

  // The fourth.
  await open(page, "weather.html");
  const found = await fields(page);
  bench.equal("title of the fourth page", found.title, ["Forecaster retires with a perfect last day"]);
  bench.check(`author of the fourth page: ${found.author}`, (found.author ?? []).includes("Rosalind Amery"));
  bench.equal("paragraphs of the fourth page", found.content?.length, 4);
  bench.check("it is outlined on the page", (await page.locator(".box.dashed").count()) >= 6);

  // A wrong prediction goes by one key, and comes back by another.
  await clickText(page, "Forecaster retires");
  await page.keyboard.press("x");
  await page.waitForFunction(() => ![...document.querySelectorAll(".value.thought")].some((it) => it.textContent.includes("Forecaster retires")));
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => [...document.querySelectorAll(".value.thought")].some((it) => it.textContent.includes("Forecaster retires")));

  // Another screen and back: the page is still there, and so is what a click finds.
  await page.keyboard.press("Alt+2");
  await page.waitForSelector(".table-screen, .empty");
  await page.keyboard.press("Alt+1");
  await page.waitForFunction(() => document.querySelector(".scroller iframe")?.contentDocument?.querySelector("[data-pm]"));
  await page.waitForTimeout(200);
  await clickText(page, "Rosalind Amery");
  bench.equal("a click after another screen", await page.textContent(".hint.picked strong"), "Rosalind Amery");
  bench.check("outlines are there again", (await page.locator(".box.dashed").count()) >= 6);

  // Train and save.
  await page.keyboard.press("t");
  await page.waitForSelector(".scores");
  bench.equal("fields of the report", await page.locator(".scores tbody tr").count(), 5);
  const [precision, recall] = await page.locator(".scores tbody tr").first().locator("td").allTextContents();
  bench.check(`precision and recall are told: ${precision} ${recall}`, /%$/.test(precision) && /%$/.test(recall));
  await page.click("text=Save model");
  await page.waitForSelector(".saved");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.waitForSelector(".keys");
  await bench.picture(page, "keys");

  // The labels are what the command line trains from, and the model is the same.
  bench.run(folder, "train", "--schema", "news", "news-labels.jsonl", "-o", "again.json");
  bench.check("the same model as by pagemill train", readFileSync(join(folder, "news.json"), "utf8") === readFileSync(join(folder, "again.json"), "utf8"));
  const fourth = JSON.parse(bench.run(folder, "annotate", "news.json", join(PAGES, "weather.html")).split("\n")[0]);
  bench.equal("the same annotation by pagemill annotate", fourth.data.title, "Forecaster retires with a perfect last day");

  // Opened again, it has the labels.
  const again = await bench.studio(folder, PAGES);
  await again.click("button.card:has-text('news')");
  await again.waitForSelector(".notice:has-text('read from news-labels.jsonl')");
  bench.equal("pages that are done", await again.locator(".strip-page .state:has-text('✓')").count(), 3);
  await again.context().close();

  bench.equal("nothing left the browser", page.left.map((it) => it.url()), []);
  bench.equal("no trouble", page.troubles, []);
  await page.context().close();
}

async function open(page, name) {
  await page.click(`.strip-page:has-text("${name}")`);
  await shown(page, name);
}

/** Go down the page until something is selected, and label it. */
async function byKeys(page, text, key) {
  for (let n = 0; n < 60; n += 1) {
    await page.keyboard.press("ArrowDown");
    if (!(await page.textContent(".hint"))?.includes(text)) continue;
    await page.keyboard.press(key);
    return settled(page);
  }
  throw new Error(`keys do not lead to ${text}`);
}

/** What is labelled or thought, by field. */
function fields(page) {
  return page.evaluate(() => {
    const found = {};
    for (const box of document.querySelectorAll(".field-box")) {
      const texts = [...box.querySelectorAll(".value .text")].map((it) => it.firstChild.textContent);
      if (texts.length > 0) found[box.querySelector(".name").textContent] = texts;
    }
    return found;
  });
}
