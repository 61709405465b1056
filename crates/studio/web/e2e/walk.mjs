// As docs/studio.md tells it: from `pagemill studio examples/news` to a saved model, in at most twenty actions.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { clickText, root, settled, shown } from "./harness.mjs";

export async function walk(bench) {
  const folder = bench.folder();
  let actions = 1;
  const page = await bench.studio(folder, join(root, "examples/news"));
  const click = (text) => {
    actions += 1;
    return clickText(page, text);
  };
  const press = (key) => {
    actions += 1;
    return page.keyboard.press(key);
  };
  const button = (selector) => {
    actions += 1;
    return page.click(selector);
  };

  await page.waitForSelector("button.card");
  await bench.picture(page, "1-schemas");
  await button("button.card:has-text('news')");
  await shown(page, "choir.html");
  await click("Village choir sings");
  await bench.picture(page, "2-selected");
  await press("1");
  await click("Benedikt Aldous");
  await press("2");
  await click("September 12, 2024");
  await press("3");
  await click("Every September the choir");
  await press("+");
  await bench.picture(page, "3-bigger");
  await press("5");
  await settled(page);
  await bench.picture(page, "4-labelled");

  await press("Enter");
  await shown(page, "library.html");
  await bench.picture(page, "5-predictions");
  await click("Night opening fills");
  await press("1");
  await click("Tobias Quill");
  await press("2");
  await settled(page);
  await bench.picture(page, "6-corrected");

  await press("Enter");
  await page.waitForFunction(() => !document.querySelector(".strip-page[aria-current]")?.textContent?.includes("library"));
  await page.waitForTimeout(200);
  await settled(page);
  bench.check("the third page has predictions", (await page.locator(".value.thought").count()) >= 6);
  await bench.picture(page, "7-third");
  await press("Enter");
  await page.waitForFunction(() => document.querySelectorAll(".strip-page .state").length > 0 && [...document.querySelectorAll(".strip-page .state")].filter((it) => it.textContent.includes("✓")).length === 3);
  await settled(page);

  await press("t");
  await page.waitForSelector(".scores");
  await bench.picture(page, "8-trained");
  await button("text=Save model");
  await page.waitForSelector(".saved");
  await bench.picture(page, "9-saved");
  bench.check("the model is there", existsSync(join(folder, "news.json")));
  bench.check(`at most twenty actions: ${actions}`, actions <= 20);
  bench.equal("no trouble", page.troubles, []);
  await page.context().close();
}
