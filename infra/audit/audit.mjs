// audit.mjs: looks at EPB's pages in a browser as readers do, and prints what it finds; see infra/audit.sh.
//
//	node audit.mjs PAGE.html...
//
// A page that can solve nodes of the reader's own names its student as PAGE.html=FOLDER, or lies in the folder of its
// student, as a report does. Environment: CHROME, the program of the browser; EPB, the program epb; OUT, a folder for
// screenshots, PDF files and the nodes that the audit draws.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const out = resolve(process.env.OUT || "audit");
const mostBytes = 5e6, mostMillis = 2000, mostSteps = 40; // steps that one key is followed
const looks = [["light", 1400], ["dark", 1400], ["light", 390], ["dark", 390]];

const browser = await chromium.launch({
  executablePath: process.env.CHROME, args: ["--no-sandbox", "--disable-gpu"],
});
let faults = 0;

// audit looks at one page and prints a line, with the faults below.
async function audit(argument) {
  const [path, folder] = argument.split("=");
  const file = resolve(path), address = pathToFileURL(file).href;
  const name = basename(dirname(file)) + "/" + basename(file);
  const student = folder || (existsSync(join(dirname(file), "student.json")) ? dirname(file) : "");
  const shots = join(out, basename(dirname(file)) + "-" + basename(file, ".html"));
  const found = [], said = [];
  const check = async (title, work) => {
    try {
      said.push(title + " " + await work());
    } catch (error) {
      found.push(title + ": " + error.message.split("\n").slice(0, 12).join("\n    "));
    }
  };
  const open = async (colorScheme, width) => {
    const context = await browser.newContext({
      colorScheme, viewport: { width, height: 900 }, reducedMotion: "reduce",
    });
    const page = await context.newPage();
    page.on("console", m => {
      if (["error", "warning"].includes(m.type())) found.push("console " + m.type() + ": " + m.text());
    });
    page.on("pageerror", e => found.push("error: " + e.message));
    page.on("request", r => {
      if (r.url() !== address && !/^(data|blob):/.test(r.url())) found.push("request of " + r.url());
    });
    const began = performance.now();
    await page.goto(address);
    const player = page.locator("section.player").first();
    if (await player.count() > 0) {
      await player.focus();
      const title = player.locator("[data-title]"), before = await title.textContent();
      await page.keyboard.press("ArrowRight");
      await page.waitForFunction(t => document.querySelector("[data-title]").textContent !== t, before);
    }
    return [page, Math.round(performance.now() - began)];
  };

  const [page, millis] = await open("light", 1400);
  await check("size", () => most(statSync(file).size, mostBytes, "bytes"));
  await check("interactive", () => most(millis, mostMillis, "ms"));
  await check("tab", () => tabs(page));
  if (await page.locator("section.player").count() > 0) await check("keys", () => keys(page));
  await check("print", () => print(page, shots));
  if (await page.locator("[data-solver]").count() > 0) await check("own nodes", () => own(page, student, shots));
  await page.context().close();
  for (const [scheme, width] of looks) {
    await check(scheme + " " + width, async () => {
      const [page] = await open(scheme, width);
      try {
        await page.evaluate(() => scrollTo(0, 0));
        await page.screenshot({ path: shots + "-" + scheme + "-" + width + ".png" });
        return await accessible(page);
      } finally {
        await page.context().close();
      }
    });
  }
  console.log(name + "\n  " + said.join("; "));
  for (const f of new Set(found)) console.log("  FAULT " + f);
  faults += found.length;
}

function most(value, limit, unit) {
  if (value > limit) throw new Error(value + " " + unit + ", want at most " + limit);
  return value + " " + unit;
}

// tabs goes through the page by the tab key: every stop must be seen, each after the one before it, up to the end.
async function tabs(page) {
  await page.reload(); // the focus is at the beginning again
  let stops = 0, before = null;
  for (; stops < 2000; stops++) {
    await page.keyboard.press("Tab");
    const [fault, now] = await page.evaluate(before => {
      const e = document.activeElement, all = [...document.querySelectorAll("*")], at = all.indexOf(e);
      if (e === document.body) return ["", -1];
      const box = e.getBoundingClientRect(), style = getComputedStyle(e);
      const what = e.outerHTML.slice(0, 90);
      if (box.width < 1 || box.height < 1) return ["nothing is seen of " + what, at];
      if (box.bottom < 0 || box.top > innerHeight) return ["out of sight: " + what, at];
      if (style.outlineStyle === "none") return ["no outline around " + what, at];
      if (before !== null && at <= before) return ["goes back to " + what, at];
      return ["", at];
    }, before);
    if (fault) throw new Error("stop " + stops + ": " + fault);
    if (now < 0) break;
    before = now;
  }
  return stops + " stops";
}

// keys compares the steps to which keys lead with the page's data, for the first two solutions of a page.
async function keys(page) {
  const player = page.locator("section.player").first();
  const data = JSON.parse(await player.locator("[data-explanations]").textContent());
  const title = async () => Number(/^Step (\d+)/.exec(await player.locator("[data-title]").textContent())[1]);
  const press = async key => {
    await player.focus();
    await page.keyboard.press(key);
    return title();
  };
  const counts = [];
  for (const [i, e] of data.explanations.slice(0, 2).entries()) {
    if (data.explanations.length > 1) await player.locator("[data-which]").selectOption(String(i));
    const steps = e.steps, last = steps.length - 1;
    const same = (got, want, key) => {
      if (got !== want) throw new Error("solution " + i + ", key " + key + ": step " + got + ", want " + want);
    };
    same(await press("End"), steps[last].step, "End");
    same(await press("ArrowRight"), steps[last].step, "ArrowRight");
    same(await press("ArrowLeft"), steps[Math.max(0, last - 1)].step, "ArrowLeft");
    same(await press("Home"), steps[0].step, "Home");
    same(await press("ArrowRight"), steps[Math.min(1, last)].step, "ArrowRight");
    const decided = s => s.chosen >= 0, leader = steps[0].leader;
    const kinds = {
      n: s => decided(s) && s.teacher_first >= 0 && s.candidates[s.chosen] !== s.teacher_first,
      d: s => decided(s) && !s.nearest,
      p: s => decided(s) && s.leader === leader,
    };
    for (const [key, wanted] of Object.entries(kinds)) {
      const all = steps.filter(wanted).map(s => s.step);
      await press("Home");
      const turn = all.filter(s => s !== steps[0].step).concat(all.length ? all[0] : steps[0].step);
      for (const want of turn.slice(0, mostSteps)) same(await press(key), want, key);
      counts.push(key + " " + all.length);
    }
    const row = player.locator(".player-view:not([hidden]) [data-row]");
    if (await row.count() !== steps.length) throw new Error("solution " + i + ": a row is missing");
  }
  return counts.join(", ");
}

// own drops a file on the page, and draws nodes by clicks. Both solutions must be those of epb solve.
async function own(page, student, shots) {
  if (!student) return "not checked, for want of the student's folder";
  const player = page.locator("section.player").first();
  const { problem } = JSON.parse(await player.locator("[data-explanations]").textContent());
  const depot = problem === "cvrp";
  const solve = async (title, path, ...flags) => {
    const before = await player.locator("[data-which] option").count();
    await player.locator("[data-own-solve]").click();
    try {
      await page.waitForFunction(k => document.querySelectorAll("[data-which] option").length > k, before);
    } catch {
      throw new Error(title + ": the page says: " + await player.locator("[data-own-says]").textContent());
    }
    const rows = await player.locator(".player-view:not([hidden]) [data-row]").evaluateAll(
      all => all.map(r => [r.children[1].textContent, r.children[2].textContent]));
    const got = (depot ? [] : rows[0].slice(0, 1)).concat(rows.map(r => r[1])).join(" ");
    const said = execFileSync(process.env.EPB,
      ["solve", path, "--student", student, "--json", "--no-baselines", ...flags]);
    const want = JSON.parse(said).policies[0].tours[0].map(i => i + (depot ? 0 : 1)).join(" ");
    if (got !== want) throw new Error(title + ": the page goes to " + got + ", epb solve to " + want);
  };

  let seed = 1;
  const random = k => (seed = seed * 48271 % 2147483647) % k, n = 30;
  const nodes = Array.from({ length: n }, (_, i) => [random(1000), random(1000), i === 0 ? 0 : 1 + random(9)]);
  const lines = (from, to) => nodes.map((v, i) => [i + 1, ...v.slice(from, to)].join(" ") + "\n").join("");
  const text = "NAME : dropped\nTYPE : " + (depot ? "CVRP\nCAPACITY : 40" : "TSP") + "\nDIMENSION : " + n +
    "\nEDGE_WEIGHT_TYPE : EUC_2D\nNODE_COORD_SECTION\n" + lines(0, 2) +
    (depot ? "DEMAND_SECTION\n" + lines(2, 3) + "DEPOT_SECTION\n1\n-1\n" : "") + "EOF\n";
  const file = shots + (depot ? "-dropped.vrp" : "-dropped.tsp");
  writeFileSync(file, text);
  const dropped = await page.evaluateHandle(text => {
    const data = new DataTransfer();
    data.items.add(new File([text], "dropped.tsp"));
    return data;
  }, text);
  await player.dispatchEvent("drop", { dataTransfer: dropped });
  await page.waitForFunction(() => document.querySelector("[data-own-text]").value !== "");
  await solve("dropped", file);

  await player.locator("[data-own-clear]").click();
  const board = player.locator("[data-own-board]");
  await board.scrollIntoViewIfNeeded();
  const box = await board.boundingBox();
  for (let i = 0; i < 12; i++) {
    const [x, y] = [random(900), random(900)];
    await page.mouse.click(box.x + box.width * (50 + x) / 1000, box.y + box.height * (50 + y) / 1000);
  }
  const drawn = shots + "-drawn.csv", flags = [];
  const [saved] = await Promise.all([page.waitForEvent("download"), player.locator("[data-own-save]").click()]);
  await saved.saveAs(drawn);
  if (depot) flags.push("--capacity", await player.locator("[data-own-capacity]").inputValue());
  await solve("drawn", drawn, ...flags);
  return "a file of " + n + " and 12 drawn solved as by epb solve";
}

// print looks at the page as it is printed on A4: every program must be seen there, to the ends of its lines.
async function print(page, shots) {
  await page.setViewportSize({ width: 718, height: 1000 }); // A4 without its margins, at 96 pixels an inch
  await page.emulateMedia({ media: "print" });
  const [blocks, faults] = await page.evaluate(() => {
    // A report leaves the functions of the SDK to those who explain.
    const report = !document.body.classList.contains("player-page");
    const all = [...document.querySelectorAll("pre")].filter(e => !report || !e.closest(".player-called"));
    const seen = e => e.checkVisibility({ contentVisibilityAuto: true }) && e.offsetHeight > 0 &&
      e.scrollHeight <= e.clientHeight + 1 && e.scrollWidth <= e.clientWidth + 1;
    const printed = new Set(all.filter(seen).map(e => e.textContent.trim()));
    const missing = all.map(e => e.textContent.trim()).filter(text => !printed.has(text));
    const wide = document.scrollingElement.scrollWidth - innerWidth;
    return [printed.size, missing.map(text => "not printed in full: " + text.slice(0, 60))
      .concat(wide > 0 ? ["the page is " + wide + " pixels wider than the paper"] : [])];
  });
  await page.pdf({ path: shots + ".pdf", format: "A4", printBackground: true });
  await page.emulateMedia({ media: "screen" });
  await page.setViewportSize({ width: 1400, height: 900 });
  if (faults.length > 0) throw new Error(faults.length + ", first " + faults[0]);
  return blocks + " blocks of code";
}

// accessible runs axe on the page with everything unfolded, and looks for what is wider than the window.
async function accessible(page) {
  for (const what of ["page", "unfolded page"]) {
    const wide = await page.evaluate(() => document.scrollingElement.scrollWidth - innerWidth);
    if (wide > 0) throw new Error("the " + what + " is " + wide + " pixels wider than the window");
    await page.evaluate(() => document.querySelectorAll("details").forEach(d => { d.open = true; }));
  }
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run());
  const lines = violations.map(v => v.impact + " " + v.id + " ×" + v.nodes.length + ", first " +
    v.nodes[0].html.slice(0, 140) + " | " + v.nodes[0].failureSummary.replace(/\s+/g, " ").slice(0, 250));
  const grave = lines.filter(l => /^(serious|critical)/.test(l));
  if (grave.length > 0) throw new Error(grave.join("\n"));
  return lines.length === 0 ? "axe finds nothing" : "axe: " + lines.map(l => l.split(",")[0]).join(", ");
}

mkdirSync(out, { recursive: true });
for (const argument of process.argv.slice(2)) await audit(argument);
await browser.close();
process.exit(faults > 0 ? 1 : 0);
