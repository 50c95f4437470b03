// 1 and 2: the promise in a sentence, its numbers, the curve of all promises.
import { frontierChart } from "./charts";
import { chartWidth, chosen, currentPoint, page, promiseNow, snapWords, units } from "./chosen";
import { type Point, type SideName } from "./data";
import { byId, fill, h } from "./dom";
import { chanceWords } from "./figures";
import { ONE } from "./fraction";
import { listedPoint, promiseAt, type Quantile } from "./promise";

export function sideSymbol(side: SideName): string {
  return side === "lower" ? "more than" : "at least";
}
function readOffSentence(promise: Quantile | undefined): string {
  if (!promise) return "At this tau nothing can be read off the curve.";
  const theta = ONE.minus(chosen.tau).toString();
  if (promise.lower === "miss" && promise.certificate === "exact")
    return `${page.model.adversarial ? "Not every policy reaches" : "No policy reaches"} the goal with probability ${sideSymbol(chosen.side)} ${theta}.`;
  const level = units.text(promise.lower);
  const what = units.classes
    ? `the wealth is ${level} or better`
    : page.model.cost
      ? `the ${page.model.goal_states ? "goal is reached at a cost of" : "cost is"} at most ${level}`
      : `the ${page.model.goal_states ? "goal is reached with a total of" : "total is"} at least ${level}`;
  const whatever = page.model.adversarial ? "Whatever is done, with" : "With";
  const more = page.model.cost ? "less" : "more";
  const no = promise.certificate === "exact"
    ? page.model.adversarial ? `; no ${more} is guaranteed.` : `; no policy promises ${more}.`
    : promise.certificate === "open"
      ? "; the curve in this file ends here, and more may be possible."
      : page.model.adversarial ? `; no ${more} than ${units.text(promise.upper)} is guaranteed.` : `; no policy promises ${more} than ${units.text(promise.upper)}.`;
  return `${whatever} probability ${sideSymbol(chosen.side)} ${theta} ${what}${no}`;
}

function certificateWords(certificate: string): string {
  return (
    {
      exact: "exact",
      bracket: "certified bracket",
      tie: "tie: one of two levels",
      open: "open above",
      none: "not certified",
    }[certificate] ?? certificate
  );
}

function card(label: string, value: string, note = "", id?: string): HTMLElement {
  return h("div", { class: "card" }, h("dt", {}, label), h("dd", { id, title: note || undefined }, value), note !== "" && h("dd", { class: "note" }, note));
}

export function showPromise(): void {
  const point = listedPoint(page, chosen.tau, chosen.side);
  const promise = promiseNow();
  const sentences = point?.sentences.length ? point.sentences : [readOffSentence(promise)];
  const shownPoint = currentPoint();
  fill(
    byId("promise"),
    h("p", { class: "lead", id: "lead" }, sentences[0]!),
    h(
      "p",
      { class: "badges" },
      h("span", { class: `badge ${promise?.certificate ?? ""}`, id: "certificate" }, certificateWords(promise?.certificate ?? "none")),
      point?.check && h("span", { class: `badge ${point.check.passed ? "exact" : "bracket"}` }, checkWords(point)),
    ),
    ...sentences.slice(1).map((s) => h("p", { class: "more" }, s)),
    !point && h("p", { class: "more" }, "Read off the curve below; the taus that were computed one by one are the ticks under the slider."),
  );
  const both = (["lower", "upper"] as SideName[]).map((side) => ({ side, found: promiseAt(page, chosen.tau, side) }));
  const kept = shownPoint?.kept;
  const snapped = snapWords(shownPoint);
  const hasMean = !Number.isNaN(units.mean(shownPoint?.expectation?.mean));
  fill(
    byId("numbers"),
    ...both.map(({ side, found }) =>
      card(
        `${side === "lower" ? "Lower" : "Upper"} quantile`,
        found ? units.bracket(found.lower, found.upper) : "–",
        found ? `${certificateWords(found.certificate)}${found.certificate === "exact" && !units.classes ? "" : ""}` : "",
        `quantile-${side}`,
      ),
    ),
    card(`${units.chanceName[0]!.toUpperCase()}${units.chanceName.slice(1)}q)`, promise?.lower === "miss" ? "–" : chanceWords(promise?.probability), promise?.probability?.[1] ? `exactly ${promise.probability[1]}` : "", "chance"),
    kept?.mean ? card("Mean, promise kept", units.meanText(kept.mean), `${snapped}P = ${chanceWords(kept.probability)}`, "mean") : null,
    shownPoint?.expectation ? card("Best expectation", hasMean ? units.meanText(shownPoint.expectation.mean) : "–", `${snapped}${hasMean ? "" : "misses have no mean; "}keeps the promise with ${chanceWords(shownPoint.expectation.probability)}`, "expectation-mean") : null,
  );
}

export function checkWords(point: Point): string {
  const check = point.check!;
  if (check.nothing_to_check) return "nothing to check";
  if (check.ended_early) return "check ended early";
  if (!check.passed) return "check FAILED";
  return check.optimality_checked ? "independently checked" : "policy checked, optimality not";
}

export function showFrontier(): void {
  const place = byId("frontier");
  if (!page.frontier || page.frontier.steps.length === 0) {
    fill(place, h("p", {}, "There is no curve: see what was left out, at the end."));
    return;
  }
  const tau = chosen.tau.toNumber();
  const promise = promiseNow();
  fill(place, frontierChart(page.frontier, units, { tau, quantiles: promise ? [promise] : [] }, chartWidth(place)));
}
