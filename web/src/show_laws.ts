// 3: the distributions of the policies.
import { cdfChart, histogramChart, isBeyondRange, type NamedLaw } from "./charts";
import { chartWidth, currentPoint, names, page, snapWords, units } from "./chosen";
import { type ShownPolicy, type Value } from "./data";
import { byId, fill, h, table } from "./dom";
import { chanceFigure, chanceWords, figure } from "./figures";
import { Fraction } from "./fraction";

function lawsNow(): NamedLaw[] {
  const point = currentPoint();
  const laws: NamedLaw[] = [];
  const add = (key: string, name: string, colour: string, shown: ShownPolicy | undefined, kept = shown?.probability, mean?: Value): void => {
    if (shown?.law) laws.push({ key, name, colour, law: shown.law, kept, mean: shown.mean ?? mean });
  };
  add("best", names.best, "var(--best)", point?.best);
  add("kept", names.kept, "var(--kept)", point?.kept);
  add("expectation", names.expectation, "var(--expectation)", page.expectation, point?.expectation?.probability ?? null, point?.expectation?.mean);
  page.criteria.forEach((c, k) => laws.push({ key: "criterion", name: `Best by ${c.name}`, colour: `var(--other-${(k % 3) + 1})`, law: c.law }));
  return laws;
}
// What the program computed, not what a sample came to.
function meanWords({ law, mean }: NamedLaw): string {
  if (law.episodes === undefined) return units.meanText(law.mean);
  return mean ? units.meanText(mean) : `about ${units.meanText(law.mean)}`;
}
function missShare(named: NamedLaw): number {
  return named.law.atoms.filter((a) => a[0] === "miss").reduce((sum, a) => sum + a[1], 0);
}
export function showDistributions(): void {
  const laws = lawsNow();
  const point = currentPoint();
  const place = byId("laws");
  if (laws.length === 0) {
    fill(place, h("p", {}, "There are no distributions: see what was left out, at the end."));
    return;
  }
  const promise = point?.quantile !== undefined ? units.number(point.quantile) : NaN;
  const tau = Fraction.parse(point?.tau ?? "0.1")?.toNumber() ?? 0.1;
  const swatch = (colour: string): HTMLElement => {
    const dot = h("span", { class: "swatch", "aria-hidden": "true" });
    dot.style.background = colour;
    return dot;
  };
  const notes = laws.flatMap(({ name, law }) => [
    law.atoms.length < law.of && law.episodes === undefined ? `${name}: ${law.of} levels, put together into ${law.atoms.length}.` : "",
    law.slack !== undefined ? `${name}: totals were rounded down, by less than ${figure(Fraction.parse(law.slack)?.toNumber() ?? 0)}.` : "",
    law.episodes !== undefined ? `${name}: ${law.episodes} simulated episodes, not computed.` : "",
    law.rest ? `${name}: at most ${figure(law.rest[2])} of probability lies beyond what is drawn.` : "",
  ]).filter(Boolean);
  // Classes of wealth may be no numbers.
  const hasMeans = laws.some((named) => !Number.isNaN(units.mean(named.law.mean)));
  const rows = laws.map((named) => [
    h("span", {}, swatch(named.colour), named.name),
    ...(hasMeans ? [meanWords(named)] : []),
    named.kept ? chanceWords(named.kept) : chanceFigure(reaches(named, point?.quantile)),
    ...(laws.some((l) => missShare(l) > 0) ? [chanceFigure(missShare(named))] : []),
  ]);
  const headings = ["Policy", ...(hasMeans ? [`Mean ${units.noun}`] : []), point?.quantile !== undefined ? `P(${units.noun} ${units.classes ? "≥" : units.cost ? "≤" : "≥"} ${units.text(point.quantile).replace("≈ ", "")})` : "P", ...(laws.some((l) => missShare(l) > 0) ? ["P(goal missed)"] : [])];
  const width = chartWidth(place);
  fill(
    place,
    snapWords(point) !== "" && h("p", { class: "snap" }, snapWords(point)),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Policies" }, table(headings, rows)),
    h("h3", {}, "Distribution functions"),
    cdfChart(laws, units, tau, promise, width),
    h("h3", {}, "Histograms"),
    histogramChart(laws, units, promise, width),
    isBeyondRange(laws, units, promise) && h("p", { class: "note" }, `The charts show where all but a two-hundredth of each distribution lies at either end; what lies beyond is counted in the outermost bars.`),
    ...notes.map((note) => h("p", { class: "note" }, note)),
  );
}
// Of a distribution, the share of totals that are as good as a level.
function reaches(named: NamedLaw, level: string | undefined): number {
  if (level === undefined) return NaN;
  const sum = named.law.atoms.reduce((mass, [at, p]) => mass + (units.isAsGood(at, level) ? p : 0), 0);
  return Math.min(1, sum);
}
