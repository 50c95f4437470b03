// The page in a real browser, held to what the program answers.
//   QUANTIPLAN=build/release/quantiplan node --test web/test/
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { readPolicy } from "./policy_file.mjs";

const root = new URL("../..", import.meta.url).pathname;
const program = process.env.QUANTIPLAN ?? join(root, "build/release/quantiplan");
const folder = mkdtempSync(join(tmpdir(), "quantiplan-report-"));
let centre; // the page of the data centre, which several tests look at
const example = (name) => join(root, "examples", name);
const axe = readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

const run = (...args) => execFileSync(program, args, { encoding: "utf8", cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
const solved = (...args) => JSON.parse(run("solve", ...args, "--json"));
function report(name, ...args) {
  const path = join(folder, name);
  run("report", ...args, "--out", path, "--quiet");
  return path;
}

let browser;
const opened = async (options = {}) => {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  const page = await context.newPage();
  const seen = { requests: [], complaints: [] };
  page.on("request", (request) => seen.requests.push(request.url()));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && seen.complaints.push(message.text()));
  page.on("pageerror", (error) => seen.complaints.push(error.message));
  page.on("dialog", (dialog) => { seen.complaints.push(`dialog ${dialog.message()}`); void dialog.dismiss(); });
  return { page, seen, context };
};
async function open(path, options) {
  const all = await opened(options);
  await all.page.goto(`file://${path}`);
  await all.page.waitForSelector("#numbers .card");
  return all;
}
async function setTau(page, tau) {
  await page.fill("#tau", tau);
  await page.press("#tau", "Enter");
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}
const shown = (value) => String(value).replace("-", "−");
const six = (value) => shown(Number(Number(value).toPrecision(6)));

before(async () => {
  centre = report("datacenter.html", example("datacenter.json"), "--tau", "0.1", "--criterion", "worst-case");
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync"],
  });
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

test("the slider gives the numbers of solve, for taus that were not asked for, too", async () => {
  const path = centre;
  assert.ok(statSync(path).size < 2_000_000);
  const { page, seen, context } = await open(path);
  const taus = ["0.1", "0.05", "0.137", "1/3", "0.618", "0.9", "0.99"];
  const answer = solved(example("datacenter.json"), "--tau", taus.join(","), "--side", "both", "--prefer", "probability");
  for (const tau of taus) {
    await setTau(page, tau);
    for (const side of ["lower", "upper"]) {
      const result = answer.results.find((r) => r.tau === tau && r.side === side);
      assert.equal(await page.textContent(`#quantile-${side}`), shown(result.quantile), `${tau} ${side}`);
      if (side === "lower") assert.equal(await page.textContent("#chance"), six(result.probability), tau);
    }
  }
  // By keyboard, a thousandth at a time.
  await setTau(page, "0.5");
  await page.focus("#tau-slider");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.inputValue("#tau"), "0.501");
  const next = solved(example("datacenter.json"), "--tau", "0.501").results[0];
  await page.waitForFunction((text) => document.getElementById("quantile-lower").textContent === text, shown(next.quantile));
  // What is no tau is said, and changes nothing.
  await setTau(page, "10%");
  assert.match(await page.textContent("#tau-said"), /between 0 and 1/);
  assert.equal(await page.textContent("#quantile-lower"), shown(next.quantile));
  assert.deepEqual(seen.complaints, []);
  assert.deepEqual(seen.requests, [`file://${path}`]);
  await context.close();
});

test("the sentence, the means and the distributions are those of solve", async () => {
  const { page, context } = await open(centre);
  const [kept] = solved(example("datacenter.json"), "--tau", "0.1").results;
  const [best] = solved(example("datacenter.json"), "--tau", "0.1", "--prefer", "probability").results;
  assert.match(await page.textContent("#lead"), /With probability more than 0\.9 the total is at least -80; no policy promises more\./);
  assert.match(await page.textContent("#certificate"), /exact/);
  assert.equal(await page.textContent("#mean"), six(kept.mean));
  const rows = await page.$$eval("#laws tbody tr", (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  assert.deepEqual(rows[0], ["Greatest probability", six(best.mean), six(best.probability)]);
  assert.deepEqual(rows[1], ["Best mean that keeps the promise", six(kept.mean), six(kept.probability)]);
  assert.deepEqual(rows[2], ["Best expectation", six(kept.expectation_policy.mean), six(kept.expectation_policy.probability)]);
  assert.equal(rows[3][0], "Best by worst-case");
  assert.equal(await page.$$eval("#laws svg", (all) => all.length), 2);
  // Between the taus that were computed, distributions are those of the nearest.
  await setTau(page, "0.2");
  assert.match(await page.textContent("#laws"), /Shown for tau 0\.25, the nearest that was computed/);
  await context.close();
});

// Outcomes are chosen at random, by a fixed seed; at every step the page and the file must agree.
async function followsFile(page, model, policyPath, episodes, seed) {
  const policy = readPolicy(JSON.parse(readFileSync(policyPath, "utf8")), model);
  let steps = 0;
  for (let n = 0; n < episodes; ++n) {
    await page.click("#play-restart");
    const walk = policy.start();
    for (;;) {
      const now = await page.$eval("#play-now", (e) => ({ ...e.dataset }));
      assert.equal(now.state, walk.state);
      assert.equal(Number(now.time), walk.time);
      const outcomes = await page.$$("button.outcome");
      if (outcomes.length === 0) break;
      assert.equal(await page.textContent("#play-said"), `The policy takes: ${walk.action()}.`);
      seed = (seed * 1103515245 + 12345) % 2147483648;
      const at = seed % outcomes.length;
      const reward = await outcomes[at].evaluate((e) => e.closest("tr").cells[2].textContent);
      const next = await outcomes[at].textContent();
      await outcomes[at].click();
      walk.observe(reward.replace("−", "-"), next);
      ++steps;
    }
  }
  return steps;
}

test("the player follows the policy files exactly", async () => {
  const path = example("datacenter.json");
  const model = JSON.parse(readFileSync(path, "utf8"));
  const { page, seen, context } = await open(centre);
  for (const tau of ["0.1", "0.37", "0.9"]) {
    run("solve", path, "--tau", tau, "--prefer", "probability", "--policy-out", `best-${tau}.json`);
    await setTau(page, tau);
    await page.selectOption("#play-policy", "best");
    assert.ok((await followsFile(page, model, join(folder, `best-${tau}.json`), 2, 7)) >= 20);
  }
  run("solve", path, "--tau", "0.1", "--policy-out", "kept.json");
  await setTau(page, "0.1");
  await page.selectOption("#play-policy", "kept");
  await followsFile(page, model, join(folder, "kept.json"), 2, 3);
  assert.deepEqual(seen.complaints, []);
  await context.close();
});

// A policy file whose rules go by the wealth so far, by its text; without any they go by time and state.
function actionOf(policy, time, state, wealth) {
  const { choose } = policy.rules.find((rule) => (rule.time ?? time) === time && rule.state === state);
  return (choose.find((run) => [].concat(run.wealth ?? []).includes(wealth)) ?? choose[choose.length - 1]).action;
}

test("where wealth is no sum the player follows the file by the wealth so far, with the chances of threshold", async () => {
  for (const [name, tau] of [["workflow.json", "0.2"], ["treatment.json", "0.1"], ["service.json", "0.3"], ["delivery.json", "0.05"]]) {
    const path = example(name);
    const { page, seen, context } = await open(report("walk.html", path, "--tau", tau, "--no-check"));
    run("solve", path, "--tau", tau, "--prefer", "probability", "--policy-out", "walk.json");
    const policy = JSON.parse(readFileSync(join(folder, "walk.json"), "utf8"));
    const model = JSON.parse(readFileSync(path, "utf8"));
    await page.selectOption("#play-policy", "best");
    let seed = 5;
    let checked = 0;
    for (let episode = 0; episode < 3; ++episode) {
      await page.click("#play-restart");
      for (;;) {
        const now = await page.$eval("#play-now", (e) => ({ ...e.dataset }));
        const outcomes = await page.$$("button.outcome");
        if (outcomes.length === 0) break;
        const action = actionOf(policy, Number(now.time), now.state, now.collected);
        assert.equal(await page.textContent("#play-said"), `The policy takes: ${action}.`, `${name} ${now.state} ${now.collected}`);
        // The action that is taken has the greatest chance, which is what is told of the policy.
        const chance = await page.$eval("#play-now div:last-child dd", (e) => e.textContent);
        const bars = await page.$$eval("[aria-label=Actions] tbody tr", (rows) => rows.map((row) => ({ taken: !!row.querySelector(".taken"), chance: Number(row.cells[1].textContent) })));
        assert.equal(Math.max(...bars.map((b) => b.chance)), bars.find((b) => b.taken).chance);
        assert.equal(chance, six(bars.find((b) => b.taken).chance));
        ++checked;
        seed = (seed * 1103515245 + 12345) % 2147483648;
        await outcomes[seed % outcomes.length].click();
      }
      assert.match(await page.textContent("#play-said"), /The episode is over, with the wealth ‘.*’\. The promise is (kept|broken)\./);
    }
    assert.ok(checked >= 3 && model.horizon > 0, name);
    const [{ probability }] = solved(path, "--tau", tau, "--prefer", "probability").results;
    await page.click("#play-restart");
    assert.equal(await page.$eval("#play-now div:last-child dd", (e) => e.textContent), six(probability));
    assert.deepEqual(seen.complaints, []);
    await context.close();
  }
});

// Random outcomes of small rewards, the same ones every time.
function randomModel(name, { states, actions, horizon, discount, seed, reward }) {
  const draw = (most) => (seed = (seed * 1103515245 + 12345) % 2147483648, Math.floor((seed / 2147483648) * most));
  const choices = [];
  for (let s = 0; s < states; ++s) {
    for (let a = 0; a < actions; ++a) {
      const weights = [1 + draw(9), 1 + draw(9), 1 + draw(9)];
      const sum = weights[0] + weights[1] + weights[2];
      choices.push({ state: `s${s}`, action: `a${a}`, next: weights.map((w) => ({ to: `s${draw(states)}`, probability: `${w}/${sum}`, reward: reward(draw) })) });
    }
  }
  const path = join(folder, `${name}.json`);
  writeFileSync(path, JSON.stringify({ format: "quantiplan-model/1", name, horizon, discount, initial: "s0", choices }));
  return path;
}

test("where choices keep the promise alike, the player takes those of the file, too", async () => {
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const path = randomModel(`alike-${seed}`, { states: 5, actions: 3, horizon: 4, discount: seed % 2 ? "1" : "0.9", seed, reward: (draw) => String(draw(15) - 5) });
    const { page, seen, context } = await open(report("alike.html", path, "--no-check"));
    for (const tau of ["0.1", "0.5", "0.37"]) {
      // Of a tau that was not computed there is the table of all taus, which decides as threshold does.
      const { quantile_exact: exact, quantile } = JSON.parse(run("solve", path, "--tau", tau, "--prefer", "probability", "--policy-out", "alike-policy.json", "--json")).results[0];
      if (tau === "0.37") run("threshold", path, `--target=${exact ?? quantile}`, "--policy-out", "alike-policy.json");
      await setTau(page, tau);
      await page.selectOption("#play-policy", "best");
      assert.ok((await followsFile(page, null, join(folder, "alike-policy.json"), 3, 17 * seed)) >= 12);
    }
    assert.deepEqual(seen.complaints, []);
    await context.close();
  }
});

test("a curve of costs without end has a least cost, and misses have no chance", async () => {
  const { page, context } = await open(report("trip.html", example("trip.json"), "--tau", "0.1"));
  for (const { tau, side, quantile } of solved(example("trip.json"), "--tau", "0.6,0.973,0.9999", "--side", "both").results) {
    await setTau(page, tau);
    assert.equal(await page.textContent(`#quantile-${side}`), shown(quantile), `${tau} ${side}`);
  }
  await context.close();
  const missed = await open(report("missed.html", example("trip.json"), "--tau", "0.1", "--horizon", "3"));
  assert.equal(await missed.page.textContent("#quantile-lower"), "a miss");
  assert.equal(await missed.page.textContent("#chance"), "–");
  // At taus that were not computed, too; and who may miss has no mean.
  await setTau(missed.page, "0.037");
  assert.equal(solved(example("trip.json"), "--tau", "0.037", "--horizon", "3").results[0].quantile, "miss");
  assert.equal(await missed.page.textContent("#quantile-lower"), "a miss");
  assert.match(await missed.page.textContent("#lead"), /^No policy reaches the goal with probability more than 0\.963/);
  assert.equal(await missed.page.textContent("#expectation-mean"), "–");
  await setTau(missed.page, "0.2");
  assert.equal(await missed.page.textContent("#quantile-lower"), "3");
  await missed.context.close();
});

test("a chance that rules of the file do not lead to is not known", async () => {
  const path = randomModel("rounded", { states: 12, actions: 3, horizon: 30, discount: "0.95", seed: 7, reward: (draw) => String((draw(100000) - 30000) / 10000) });
  const { page, context } = await open(report("rounded.html", path, "--tau", "0.1", "--no-check"));
  // By how far at least an action keeps the promise with what is best after it.
  const best = JSON.parse(run("explain", path, "--tau", "0.1", "--state", "s0", "--wealth", "0", "--json")).actions;
  const rows = await page.$$eval("[aria-label=Actions] tbody tr", (all) => all.map((row) => [row.cells[0].textContent.replace("taken", ""), row.cells[1].textContent]));
  assert.equal(rows.length, best.length);
  for (const [action, text] of rows) {
    const { probability } = best.find((a) => a.action === action);
    if (probability > 0.05) assert.ok(text === "not known here" || Number(text.replace(/about |at least /, "")) > 0, `${action} ${text} ${probability}`);
  }
  assert.ok(rows.some(([, text]) => text === "not known here"));
  await context.close();
});

test("on a grid the player carries the index of the policy file", async () => {
  const args = [example("machine.json"), "--horizon", "25", "--tau", "0.1"];
  const { page, context } = await open(report("grid.html", ...args));
  run("solve", ...args, "--prefer", "probability", "--policy-out", "grid.json");
  const policy = JSON.parse(readFileSync(join(folder, "grid.json"), "utf8"));
  assert.ok(policy.grid.halved_at.length > 0);
  const model = JSON.parse(readFileSync(example("machine.json"), "utf8"));
  await page.selectOption("#play-policy", "best");
  assert.ok((await followsFile(page, model, join(folder, "grid.json"), 2, 11)) >= 40);
  // Distributions are samples, means and chances at the start are not.
  const [kept] = solved(...args).results;
  const rows = await page.$$eval("#laws tbody tr", (all) => all.map((row) => row.cells[1].textContent));
  assert.ok(rows[1].startsWith(six(kept.mean)), rows[1]);
  assert.ok(rows[2].startsWith(six(kept.expectation_policy.mean)), rows[2]);
  await page.click("#play-restart");
  const own = await page.$eval("[aria-label=Actions] tr:has(.taken)", (row) => row.cells[1].textContent);
  assert.equal(own, await page.$eval("#play-now div:last-child dd", (e) => e.textContent));
  await context.close();
});

test("chances in the middle of an episode are those of threshold", async () => {
  const path = example("datacenter.json");
  const { page, context } = await open(centre);
  await page.selectOption("#play-policy", "best");
  for (let step = 0; step < 3; ++step) await page.click("button.outcome >> nth=2");
  const now = await page.$eval("#play-now", (e) => ({ ...e.dataset, text: e.textContent }));
  const left = String(-80 - Number(now.collected));
  const [known] = JSON.parse(run("threshold", path, "--initial", now.state, "--horizon", String(10 - Number(now.time)), `--target=${left}`, "--json")).results;
  const chance = await page.$eval("#play-now div:last-child dd", (e) => e.textContent);
  assert.equal(chance, six(known.probability));
  assert.match(now.text, new RegExp(`at least ${shown(left)} from here on`));
  // The action that is taken has the greatest chance, and it is this one.
  const bars = await page.$$eval("[aria-label=Actions] tbody tr", (rows) => rows.map((row) => ({ taken: !!row.querySelector(".taken"), chance: Number(row.cells[1].textContent) })));
  assert.equal(Math.max(...bars.map((b) => b.chance)), bars.find((b) => b.taken).chance);
  assert.equal(six(bars.find((b) => b.taken).chance), chance);
  // Back, and to the end by chance.
  await page.click("#play-back");
  assert.equal(await page.$eval("#play-now", (e) => e.dataset.time), "2");
  await page.click("#play-end");
  assert.match(await page.textContent("#play-said"), /The episode is over, with a total of .* The promise is (kept|broken)\./);
  await context.close();
});

test("the price of the promise is tradeoff's, and can be chosen", async () => {
  const { page, context } = await open(centre);
  const { points } = JSON.parse(run("tradeoff", example("datacenter.json"), "--tau", "0.1", "--rows", "40", "--json"));
  const dots = page.locator(".price-dots circle");
  assert.equal(await dots.count(), points.length);
  for (const at of [0, 5, points.length - 1]) {
    await dots.nth(at).focus();
    await page.keyboard.press("Enter");
    const said = await page.textContent("#price-said");
    assert.ok(said.startsWith(`Promising ${shown(points[at].level)} `), said);
    assert.ok(said.includes(`mean ${six(points[at].mean)};`), said);
    // The picture and the player have its policy, and say so.
    assert.equal(await page.inputValue("#play-policy"), "price");
    assert.equal(await page.$eval("#picture-policy", (e) => e.selectedOptions[0].textContent), `Chosen by its price: promise ${shown(points[at].level)}`);
  }
  assert.equal(await dots.nth(points.length - 1).evaluate((e) => e === document.activeElement), true);
  // Another tau has no such choice any more.
  await setTau(page, "0.5");
  assert.equal(await page.$("#price-shown"), null);
  assert.notEqual(await page.inputValue("#play-policy"), "price");
  await context.close();
});

test("the policy of a price is the one that tradeoff writes, or the nearest in the file", async () => {
  const path = example("datacenter.json");
  const model = JSON.parse(readFileSync(path, "utf8"));
  const { page, seen, context } = await open(centre);
  const { points } = JSON.parse(run("tradeoff", path, "--tau", "0.1", "--rows", "40", "--json"));
  for (const at of [0, points.length - 2]) {
    const file = `price-${at}.json`;
    run("tradeoff", path, "--tau", "0.1", "--at", String(points[at].level), "--policy-out", file);
    await page.locator(".price-dots circle").nth(at).click();
    assert.ok((await followsFile(page, model, join(folder, file), 2, 5)) >= 10);
    assert.equal((await page.textContent("#price-shown")).startsWith("Look at its policy"), true);
  }
  // What promises less may be done by a policy that aims at more.
  const aim = points.findIndex((point) => point.level === -99);
  await page.locator(".price-dots circle").nth(aim).click();
  assert.match(await page.textContent("#price-shown"), /^Its own target is −94\./);
  assert.match(await page.textContent("#play-now"), /at least −94 from here on/);
  await context.close();
  // Without the decisions of most points: the nearest are shown, with a word.
  const html = readFileSync(centre, "utf8");
  const found = /(<script type="application\/json" id="data">)(.*?)(<\/script>)/s.exec(html);
  const data = JSON.parse(found[2]);
  data.prices[0].points.forEach((point, at) => at > 0 && point.splice(4));
  const thinned = join(folder, "thinned.html");
  writeFileSync(thinned, html.replace(found[0], () => found[1] + JSON.stringify(data) + found[3]));
  const second = await open(thinned);
  await second.page.locator(".price-dots circle").nth(4).focus();
  await second.page.keyboard.press("Enter");
  const first = shown(points[0].level);
  assert.match(await second.page.textContent("#price-shown"), new RegExp(`^Shown for the promise of ${first}, the nearest`));
  assert.match(await second.page.textContent("#player .snap"), new RegExp(`promise of ${first}`));
  // Without any: what promises as much with the greatest probability.
  data.prices[0].points.forEach((point) => point.splice(4));
  writeFileSync(thinned, html.replace(found[0], () => found[1] + JSON.stringify(data) + found[3]));
  await second.page.reload();
  await second.page.locator(".price-dots circle").nth(4).click();
  assert.match(await second.page.textContent("#price-shown"), /not in this file: shown are those that promise as much with the greatest probability/);
  assert.match(await second.page.textContent("#play-now"), new RegExp(`at least ${shown(points[4].level)} from here on`));
  assert.deepEqual([...seen.complaints, ...second.seen.complaints], []);
  await second.context.close();
});

test("the picture shows the user's units and finds states", async () => {
  const { page, context } = await open(centre);
  await page.fill("#state-search", "on=2,jobs=9");
  await page.press("#state-search", "Enter");
  await page.waitForFunction(() => document.getElementById("state-said").textContent.includes("on=2,jobs=9 is met in"));
  await page.fill("#state-search", "3,JOBS=5");
  await page.press("#state-search", "Enter");
  await page.waitForFunction(() => document.getElementById("state-said").textContent.includes("on=3,jobs=5 is met in"));
  assert.ok((await page.$$("#picture svg rect")).length >= 20);
  await page.click("#picture summary");
  run("solve", example("datacenter.json"), "--tau", "0.1", "--prefer", "probability", "--policy-out", "picture.json");
  const policy = JSON.parse(readFileSync(join(folder, "picture.json"), "utf8"));
  const words = await page.$$eval("#picture tbody tr", (rows) => rows.map((row) => [...row.cells].map((c) => c.textContent)));
  // Every rule of the file, at the residuals where it changes, as a total so far: -80 less the residual.
  let compared = 0;
  for (const rule of policy.rules.filter((r) => r.state === "on=3,jobs=5")) {
    const said = words.find(([time]) => Number(time) === rule.time)[1];
    for (const { upto, action } of rule.choose.slice(0, -1)) {
      const level = -80 - upto;
      if (!said.includes(`at least ${shown(level)}: `)) continue;
      assert.ok(said.includes(`at least ${shown(level)}: ${action}`), `${said} lacks ${level} ${action}`);
      ++compared;
    }
  }
  assert.ok(compared >= 10, `${compared} bounds compared`);
  await page.fill("#state-search", "no such state");
  await page.press("#state-search", "Enter");
  assert.match(await page.textContent("#state-said"), /No state on this page/);
  await context.close();
});

test("hostile names are inert", async () => {
  const bad = "</script><img src=x onerror=alert(1)>";
  const states = {
    [bad]: { [bad]: [{ to: "<b>end", probability: "1/2", reward: 1 }, { to: bad, probability: "1/2", reward: 0 }],
      "<!--<script>": [{ to: "<b>end", probability: 1, reward: 0 }] },
    "<b>end": {},
  };
  const model = join(folder, "hostile <i>.json");
  writeFileSync(model, hostileModel(bad, states));
  const path = report("hostile.html", model, "--tau", "0.1");
  const { page, seen, context } = await open(path);
  await page.click("button.outcome >> nth=1");
  await page.click("button.outcome >> nth=0");
  assert.equal(await page.$$eval("img, b, i", (all) => all.length), 0);
  assert.equal(await page.textContent("#title"), bad);
  assert.ok((await page.textContent("#player")).includes(bad));
  assert.deepEqual(seen.complaints, []);
  assert.deepEqual(seen.requests, [`file://${path}`]);
  await context.close();
  // Even were one to get in, the page's policy would not run it.
  const { page: other, context: second } = await open(path);
  await other.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "document.title = 'run'";
    document.body.append(script);
  });
  assert.notEqual(await other.title(), "run");
  await second.close();
});

function hostileModel(name, states) {
  return JSON.stringify({
    format: "quantiplan-model/1",
    name,
    horizon: 3,
    discount: 1,
    initial: Object.keys(states)[0],
    states: Object.keys(states),
    choices: Object.entries(states).flatMap(([state, actions]) =>
      Object.entries(actions).map(([action, next]) => ({ state, action, next }))),
  });
}

test("an infinite discounted horizon has a picture, classes no means and their names inside", async () => {
  const endless = await open(report("endless.html", example("machine.json"), "--horizon", "infinite", "--tau", "0.1", "--no-check"));
  assert.ok((await endless.page.$$("#picture svg rect")).length >= 50);
  await endless.context.close();
  const { page, context } = await open(report("names.html", example("service.json")));
  assert.deepEqual(await page.$$eval("#laws thead th", (all) => all.map((e) => e.textContent)), ["Policy", "P(wealth ≥ 1 gold, 2 silver, 1 bronze)"]);
  // Names of classes on the axes end within the chart and do not meet.
  const axes = await page.$$eval("#frontier svg, #laws svg", (all) => all.map((svg) => {
    const box = svg.getBoundingClientRect();
    const names = [...svg.querySelectorAll("text")].filter((e) => /bronze|silver|gold/.test(e.textContent)).map((e) => e.getBoundingClientRect());
    return { out: names.some((n) => n.left < box.left - 4 || n.right > box.right + 4), meet: names.some((n, k) => k > 0 && n.left < names[k - 1].right), count: names.length };
  }));
  assert.equal(axes.length, 3);
  for (const axis of axes) assert.ok(axis.count >= 2 && !axis.out && !axis.meet, JSON.stringify(axis));
  await context.close();
});

test("whatever is done, chances are guaranteed ones, not greatest ones", async () => {
  const { page, context } = await open(report("adversary.html", example("commute.json"), "--adversarial", "--side", "upper"));
  for (const id of ["frontier-about", "frontier", "numbers"]) {
    assert.match(await page.textContent(`#${id}`), /guaranteed/i, id);
    assert.doesNotMatch(await page.textContent(`#${id}`), /greatest/i, id);
  }
  await setTau(page, "0.37");
  assert.match(await page.textContent("#lead"), /^Whatever is done, with probability at least 0\.63 .*; no more is guaranteed\.$/);
  await context.close();
});

test("numbers of many digits have room on the axes", async () => {
  const { page, context } = await open(report("digits.html", example("three-scales.json"), "--no-check"));
  const faults = await page.$$eval("#frontier svg, #laws svg, #prices svg, #picture svg", (all) => all.flatMap((svg) => {
    const box = svg.getBoundingClientRect();
    return [...svg.querySelectorAll("[aria-hidden], g")].flatMap((group) => {
      const texts = [...group.querySelectorAll(":scope > text")].map((e) => ({ text: e.textContent, ...e.getBoundingClientRect().toJSON() }));
      const out = texts.filter((t) => t.left < box.left - 2 || t.right > box.right + 6);
      const meet = texts.filter((t, k) => k > 0 && Math.abs(t.top - texts[k - 1].top) < 2 && t.left < texts[k - 1].right);
      return [...out, ...meet].map((t) => t.text);
    });
  }));
  assert.deepEqual(faults, []);
  await context.close();
});

test("several initial states have a table, the worst first, and a page about it", async () => {
  const args = [example("ring.prism"), "--goal", "stable", "--cost", "--horizon", "infinite", "--tau", "0.1"];
  const { page, seen, context } = await open(report("ring.html", ...args));
  const { summary, initial_states } = JSON.parse(run("solve", ...args, "--json", "--quiet"));
  const rows = await page.$$eval("#starts tbody tr", (all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  assert.equal(rows.length, initial_states.length);
  assert.equal(rows[0][0], `${summary[0].worst.state}this page`);
  assert.equal(rows[0][1], String(summary[0].worst.value));
  for (const [name, quantile] of rows.slice(1))
    assert.equal(quantile, String(initial_states.find((each) => each.state === name).answer.results[0].quantile), name);
  assert.equal(await page.textContent("#quantile-lower"), rows[0][1]);
  assert.deepEqual(seen.complaints, []);
  await context.close();
  const one = await open(report("one.html", ...args, "--initial", "(x1=1,x2=1,x3=1)"));
  assert.equal(await one.page.isVisible("#starts"), false);
  await one.context.close();
});

const unusual = [
  ["commute", ["commute.json"]],
  ["both sides", ["commute.json", "--tau", "0.1,0.5", "--side", "both"]],
  ["costs to a goal without end", ["upload.json"]],
  ["classes", ["workflow.json"]],
  ["classes that are numbers", ["treatment.json"]],
  ["vectors", ["service.json"]],
  ["an adversary", ["commute.json", "--adversarial", "--side", "upper"]],
  ["a discount without end", ["commute.json", "--horizon", "infinite", "--discount", "0.5"]],
  ["several initial states", ["commute.json", "--initial", "home:1/2,station:1/2"]],
  ["tau 0", ["commute.json", "--tau", "0", "--side", "upper"]],
];
for (const [what, [name, ...args]] of unusual) {
  test(`a page of ${what} opens, complete and without complaint`, async () => {
    const { page, seen, context } = await open(report("unusual.html", example(name), ...args));
    for (const id of ["promise", "frontier", "laws", "prices", "picture", "player", "about"])
      assert.notEqual((await page.textContent(`#${id}`)).trim() + ((await page.$(`#${id} svg`)) ? "svg" : ""), "", id);
    for (const tau of ["0.3", "0.77"]) await setTau(page, tau);
    if (await page.$("#play-end")) await page.click("#play-end");
    assert.match(await page.textContent("#command"), /^quantiplan report .*--out /);
    assert.deepEqual(seen.complaints, []);
    await context.close();
  });
}

test("on paper it is light, short, and without what only a screen can do", async () => {
  const { page, context } = await open(centre, { colorScheme: "dark" });
  await page.evaluate(() => { document.documentElement.dataset.theme = "dark"; });
  const ink = () => page.evaluate(() => getComputedStyle(document.body).color);
  assert.equal(await ink(), "rgb(232, 235, 242)");
  const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
  assert.ok(pdf.match(/\/Type \/Page\b/g).length <= 5);
  await page.emulateMedia({ media: "print" });
  assert.equal(await ink(), "rgb(27, 33, 48)");
  for (const id of ["player", "controls", "theme", "state-select"]) assert.equal(await page.isVisible(`#${id}`), false, id);
  for (const id of ["lead", "frontier", "laws", "prices", "picture", "about"]) assert.equal(await page.isVisible(`#${id}`), true, id);
  await context.close();
});

test("axe finds no serious fault, in light and dark and on a phone", async () => {
  const phone = { viewport: { width: 360, height: 740 } };
  const pages = [
    [centre, { colorScheme: "light" }],
    [centre, { colorScheme: "dark" }],
    [report("axe.html", example("commute.json"), "--side", "both"), phone],
    [report("axe-goal.html", example("upload.json")), { ...phone, colorScheme: "dark" }],
    [report("axe-class.html", example("workflow.json")), phone],
  ];
  for (const [path, options] of pages) {
    // Axe comes in as a script, which the page's own policy would keep out.
    const { page, context } = await open(path, { ...options, bypassCSP: true });
    await page.addScriptTag({ content: axe });
    const found = await page.evaluate(() => window.axe.run());
    const serious = found.violations.filter((v) => ["serious", "critical"].includes(v.impact));
    assert.deepEqual(serious.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).slice(0, 3).join(" ")}`), []);
    if (options.viewport) assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360);
    await context.close();
  }
});
