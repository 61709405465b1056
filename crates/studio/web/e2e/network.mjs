// The network of the corpus' university: crawled, walked, searched, asked.

import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./harness.mjs";

const HOME = "https://aldermoor.example/";

/** The site as a web archive, under the addresses that its own links have. */
function archive() {
  const parts = [];
  const walk = (folder, above) => {
    for (const name of readdirSync(folder).sort()) {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) walk(path, `${above}${name}/`);
      else if (/\.html?$/.test(name)) {
        const body = Buffer.concat([Buffer.from("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"), readFileSync(path)]);
        const address = `${HOME}${above}${name === "index.html" ? "" : name}`;
        parts.push(Buffer.from(`WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: ${address}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: application/http\r\nContent-Length: ${body.length}\r\n\r\n`), body, Buffer.from("\r\n\r\n"));
      }
    }
  };
  walk(join(root, "corpus/university/site"), "");
  return Buffer.concat(parts);
}

export async function network(bench) {
  const folder = bench.folder();
  writeFileSync(join(folder, "site.warc"), archive());
  bench.run(folder, "crawl", HOME, "--plan", "university", "--replay", "site.warc", "--store", "u.db");
  const page = await bench.studio(folder, "u.db");
  await page.waitForSelector(".graph .node.part");
  bench.equal("it begins with the university", await page.textContent(".panel h2"), "Aldermoor University");
  await bench.picture(page, "network");

  // Walk: down to a unit, to one of its people, and back.
  const unit = await page.locator(".graph .node.part").first().getAttribute("aria-label");
  await page.locator(".graph .node.part").first().focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction((unit) => unit.startsWith(document.querySelector(".panel h2").textContent), unit);
  while ((await page.locator(".graph .node.person").count()) === 0) {
    const before = await page.textContent(".panel h2");
    await page.locator(".graph .node.part").first().click();
    await page.waitForFunction((before) => document.querySelector(".panel h2").textContent !== before, before);
  }
  const place = await page.textContent(".panel h2");
  await bench.picture(page, "network-unit");
  const person = await page.locator(".graph .node.person text").first().textContent();
  await page.locator(".graph .node.person").first().click();
  await page.waitForFunction((person) => document.querySelector(".panel h2").textContent.startsWith(person.replace("…", "")), person);
  bench.equal("a person", await page.textContent(".panel .chip"), "Person");
  bench.check("with the unit that led there", (await page.textContent(".panel")).includes(place));
  await page.keyboard.press("Backspace");
  await page.waitForFunction((place) => document.querySelector(".panel h2").textContent === place, place);

  // Search and query.
  await page.keyboard.press("/");
  await page.keyboard.type(person.slice(0, 5));
  await page.waitForFunction((person) => [...document.querySelectorAll(".strip .strip-page .name")].some((it) => it.textContent.startsWith(person.replace("…", ""))), person);
  const query = "query Department $d[Faculty: $p] construct $d, count($p)";
  await page.fill(".query-box textarea", query);
  await page.keyboard.press("Enter");
  await page.waitForSelector(".answer .grid");
  const rows = bench.run(folder, "network", "u.db", query, "--json").trim().split("\n").map((line) => Object.values(JSON.parse(line)).map(String));
  bench.equal("the rows of pagemill network", await page.$$eval(".answer tbody tr", (rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent))), rows);
  await bench.picture(page, "network-query");
  await page.fill(".query-box textarea", "query Nothing $x construct $x");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".answer .trouble");

  // The crawl.
  await page.keyboard.press("Alt+5");
  await page.click(".tabs a:has-text('Crawl')");
  await page.waitForSelector(".figure");
  const status = JSON.parse(bench.run(folder, "status", "u.db", "--json"));
  bench.equal("the pages of pagemill status", await page.textContent(".figure strong"), String(status.pages));
  bench.check("it is done", (await page.textContent(".crawl-box")).includes("done"));
  await bench.picture(page, "crawl");
  bench.equal("nothing left the browser", page.left.map((it) => it.url()), []);
  bench.equal("no trouble", page.troubles, []);
  await page.context().close();
}
