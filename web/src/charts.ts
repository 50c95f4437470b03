// The charts, as SVG by Observable Plot: colours are variables of the style sheet, so that light, dark
// and print need no redrawing.
import * as Plot from "@observablehq/plot";
import type { Frontier, Law, Price, Step, Value } from "./data";
import { chanceFigure, exactText, figure, nearest, Units } from "./figures";

export interface Marked {
  tau: number;
  quantiles: { lower: string; upper: string }[];
}

type Figure = SVGSVGElement | HTMLElement;

// Plot labels the groups of a chart, which have no role that could be labelled.
function dropInnerLabels(svg: SVGSVGElement): void {
  svg.querySelectorAll("g[aria-label], g[aria-description]").forEach((group) => {
    group.removeAttribute("aria-label");
    group.removeAttribute("aria-description");
  });
}

// A chart is an image with a description; tables beside it have the numbers.
function described(chart: Figure, label: string): Figure {
  const svg = chart instanceof SVGSVGElement ? chart : chart.querySelector("svg");
  if (svg) dropInnerLabels(svg);
  svg?.setAttribute("role", "img");
  svg?.setAttribute("aria-label", label);
  return chart;
}

const base = (width: number, height: number): Plot.PlotOptions => ({
  width,
  height,
  marginLeft: 56,
  marginBottom: 42,
  marginTop: 22,
  style: { background: "none", fontSize: "12px", overflow: "visible" },
});

function points(steps: Step[], units: Units): { w: number; p: number; level: string; step: Step }[] {
  const drawn = steps
    .map((step) => ({ w: units.number(step[0]), p: nearest(step[1]), level: step[0], step }))
    .filter(({ w }) => Number.isFinite(w));
  return units.cost ? drawn.reverse() : drawn;
}

// Some of the positions first to last, evenly; as many as their names leave room for.
function classTicks(names: string[], first: number, last: number, width: number): number[] {
  const longest = Math.max(...names.slice(first - 1, last).map((name) => name.length), 4);
  const room = Math.max(1, Math.floor(width / (7 * longest + 16)));
  const stride = Math.max(1, Math.ceil((last - first + 1) / room));
  const ticks: number[] = [];
  for (let at = first; at <= last; at += stride) ticks.push(at);
  return ticks;
}

// How wide the numbers of an axis are, in pixels, with as many decimals as tell ten ticks apart.
function labelWidth([low, high]: [number, number]): number {
  const step = (high - low) / 10 || 1;
  const places = Math.min(20, Math.max(0, Math.ceil(-Math.log10(step))));
  const lengths = [low, high].map((v) => v.toLocaleString("en-US", { minimumFractionDigits: places, maximumFractionDigits: places }).length);
  return 7 * Math.max(...lengths);
}
const endsOf = (values: number[]): [number, number] => [Math.min(...values), Math.max(...values)];
// As many as have room beside each other, ten at most.
const acrossTicks = (ends: [number, number], width: number): { ticks: number } => ({
  ticks: Math.max(2, Math.min(10, Math.floor((0.7 * (width - 80)) / (labelWidth(ends) + 12)))),
});
// Room for the numbers of the axis on the left.
const leftMargin = (ends: [number, number]): number => Math.max(56, labelWidth(ends) + 16);

function levelTicks(units: Units, width: number, ends: [number, number], domain?: [number, number]): Plot.ScaleOptions {
  if (!units.classes) return { label: `${units.noun} →`, nice: false, ...acrossTicks(ends, width), ...(domain ? { domain } : {}) };
  const first = domain ? Math.max(1, Math.ceil(domain[0])) : 1;
  const last = domain ? Math.min(units.classes.length, Math.floor(domain[1])) : units.classes.length;
  return {
    label: "class →",
    tickFormat: (v: number) => shortened(units.classes![v - 1] ?? ""),
    ticks: classTicks(units.classes.map(shortened), first, last, width - 80),
    inset: 40,
    ...(domain ? { domain: [first, last] } : {}),
  };
}
const shortened = (name: string): string => (name.length > 32 ? `${name.slice(0, 31)}…` : name);

export function frontierChart(curve: Frontier, units: Units, marked: Marked, width: number): Figure {
  const drawn = points(curve.steps, units);
  const upper = curve.upper ? points(curve.upper, units) : undefined;
  const shape = units.cost ? "step-after" : "step-before";
  const theta = 1 - marked.tau;
  const brackets = marked.quantiles
    .map(({ lower, upper: above }) => [units.number(lower), units.number(above)])
    .filter(([a, b]) => Number.isFinite(a) && Number.isFinite(b))
    .map(([a, b]) => ({ from: Math.min(a!, b!), to: Math.max(a!, b!) }));
  const chart = Plot.plot({
    ...base(width, Math.min(360, Math.max(240, width * 0.42))),
    x: levelTicks(units, width, endsOf(drawn.map((d) => d.w))),
    y: { label: `↑ ${units.chanceName}${units.cost ? "c" : "w"})`, domain: [0, 1], grid: true },
    marks: [
      ...(upper
        ? [
            Plot.areaY(upper, { x: "w", y: "p", curve: shape, fill: "var(--bracket)", fillOpacity: 0.45 }),
            Plot.areaY(drawn, { x: "w", y: "p", curve: shape, fill: "var(--surface)" }),
            Plot.lineY(upper, { x: "w", y: "p", curve: shape, stroke: "var(--best)", strokeDasharray: "3 3" }),
          ]
        : []),
      ...(units.classes
        ? [Plot.ruleX(drawn, { x: "w", y: "p", stroke: "var(--best)", strokeWidth: 14 })]
        : [
            Plot.areaY(drawn, { x: "w", y: "p", curve: shape, fill: "var(--best)", fillOpacity: 0.08 }),
            Plot.lineY(drawn, { x: "w", y: "p", curve: shape, stroke: "var(--best)", strokeWidth: 2 }),
          ]),
      Plot.ruleY([theta], { stroke: "var(--accent)", strokeDasharray: "5 4" }),
      Plot.rect(brackets.filter((b) => b.to > b.from), { x1: "from", x2: "to", y1: 0, y2: 1, fill: "var(--bracket)", fillOpacity: 0.5 }),
      Plot.ruleX(brackets, { x: "from", stroke: "var(--accent)", strokeWidth: 1.5 }),
      Plot.dot(brackets, { x: "from", y: theta, fill: "var(--accent)", r: 4.5, stroke: "var(--surface)" }),
      Plot.ruleY([0], { stroke: "var(--line)" }),
      Plot.tip(
        drawn,
        Plot.pointerX({
          x: "w",
          y: "p",
          fill: "var(--surface)",
          stroke: "var(--line)",
          title: ({ level, step }: { level: string; step: Step }) =>
            `${units.noun} ${units.cost ? "≤" : "≥"} ${units.text(level, 24)}\nprobability ${chanceFigure(nearest(step[1]))}` +
            (exactText(step[1]) ? `\nexactly ${exactText(step[1])!}` : ""),
        }),
      ),
    ],
  });
  return described(
    chart,
    `${units.adversarial ? "The probability of each" : "The greatest probability that any policy has of each"} ${units.noun}${units.adversarial ? " that is guaranteed whatever is done" : ""}; at tau ${figure(marked.tau)} the line is at ${figure(theta)}.`,
  );
}

export interface NamedLaw {
  key: string;
  name: string;
  colour: string;
  law: Law;
  kept?: Value | null | undefined; // P(W >= q), as the program has it
  mean?: Value | null | undefined; // as the program has it
}

function atoms(named: NamedLaw, units: Units): { w: number; p: number; below: number; name: string }[] {
  const sorted = named.law.atoms
    .map(([level, p]) => ({ w: units.number(level), p, below: 0, name: named.name }))
    .filter(({ w }) => Number.isFinite(w))
    .sort((a, b) => a.w - b.w);
  let below = units.cost ? 0 : named.law.atoms.filter((a) => !Number.isFinite(units.number(a[0])) && a[0] !== "inf").reduce((sum, a) => sum + a[1], 0);
  for (const atom of sorted) atom.below = below += atom.p;
  return sorted;
}

// Where all but a two-hundredth of each lies, and the promise.
function usualRange(laws: NamedLaw[], units: Units, promise: number): [number, number] {
  let low = Number.isFinite(promise) ? promise : Infinity;
  let high = Number.isFinite(promise) ? promise : -Infinity;
  for (const named of laws) {
    const drawn = atoms(named, units);
    const total = drawn.reduce((sum, d) => sum + d.p, 0);
    let below = 0;
    for (const { w, p } of drawn) {
      if (below <= 0.995 * total) high = Math.max(high, w);
      below += p;
      if (below >= 0.005 * total) low = Math.min(low, w);
    }
  }
  const margin = 0.03 * (high - low || 1);
  return [low - margin, high + margin];
}
export function isBeyondRange(laws: NamedLaw[], units: Units, promise: number): boolean {
  const [low, high] = usualRange(laws, units, promise);
  return laws.some((named) => atoms(named, units).some(({ w }) => w < low || w > high));
}

// From the edge of the chart to the first level nothing is below; beyond the last, all of it.
function withEnds(drawn: { w: number; p: number; below: number }[], [low, high]: [number, number]): { w: number; below: number }[] {
  const first = drawn[0];
  const last = drawn[drawn.length - 1];
  if (!first || !last) return [];
  return [{ w: Math.min(low, first.w), below: first.below - first.p }, ...drawn, { w: Math.max(high, last.w), below: last.below }];
}

export function cdfChart(laws: NamedLaw[], units: Units, tau: number, promise: number, width: number): Figure {
  const line = units.cost ? 1 - tau : tau;
  const range = usualRange(laws, units, promise);
  const series = laws.map((named) => ({ named, drawn: atoms(named, units) }));
  const chart = Plot.plot({
    ...base(width, 300),
    x: levelTicks(units, width, range, range),
    clip: true,
    y: { label: `↑ P(${units.noun} ≤ w)`, domain: [0, 1], grid: true },
    marks: [
      Plot.ruleY([0], { stroke: "var(--line)" }),
      Plot.ruleY([line], { stroke: "var(--accent)", strokeDasharray: "5 4" }),
      ...(Number.isFinite(promise) ? [Plot.ruleX([promise], { stroke: "var(--accent)", strokeWidth: 1.5 })] : []),
      ...series.map(({ named, drawn }) =>
        Plot.lineY(units.classes ? drawn : withEnds(drawn, range), {
          x: "w",
          y: "below",
          curve: "step-after",
          stroke: named.colour,
          strokeWidth: 2,
          strokeDasharray: named.key === "expectation" ? "6 3" : named.key === "kept" ? "none" : named.key === "best" ? "2 2" : "8 2 2 2",
        }),
      ),
      Plot.tip(
        series.flatMap(({ drawn }) => drawn),
        Plot.pointer({
          x: "w",
          y: "below",
          fill: "var(--surface)",
          stroke: "var(--line)",
          title: (d: { w: number; p: number; below: number; name: string }) =>
            `${d.name}\n${units.noun} ≤ ${figure(d.w)}: ${chanceFigure(d.below)}\nexactly there: ${chanceFigure(d.p)}`,
        }),
      ),
    ],
  });
  return described(chart, `Distribution functions of ${laws.map((l) => l.name).join(", ")}.`);
}

export function histogramChart(laws: NamedLaw[], units: Units, promise: number, width: number): Figure {
  const [low, high] = usualRange(laws, units, promise);
  const all = laws.flatMap((named) =>
    atoms(named, units).map((atom) => ({ ...atom, w: Math.max(low, Math.min(high, atom.w)), colour: named.colour })),
  );
  const distinct = new Set(all.map((d) => d.w)).size;
  const rows = laws.map((named) => named.name);
  const binned = { x: "w", y: "p", fy: "name", fill: "colour", thresholds: 50, domain: [low, high], insetLeft: 0.5, insetRight: 0.5 };
  const bars = distinct <= 24
    ? Plot.ruleX(all, { x: "w", y: "p", fy: "name", stroke: "colour", strokeWidth: Math.max(3, Math.min(14, width / 60)) })
    : Plot.rectY(all, Plot.binX<Plot.RectYOptions>({ y: "sum" }, binned as Plot.BinXInputs<Plot.RectYOptions>));
  const chart = Plot.plot({
    ...base(width, 90 + 95 * rows.length),
    x: levelTicks(units, width, [low, high], [low, high]),
    y: { label: null, grid: true, ticks: 3 },
    fy: { domain: rows, axis: null, padding: 0.28 },
    color: { type: "identity" },
    marks: [
      Plot.ruleY([0], { stroke: "var(--line)" }),
      bars,
      ...(Number.isFinite(promise) ? [Plot.ruleX([promise], { stroke: "var(--accent)", strokeDasharray: "5 4" })] : []),
      Plot.text(rows, { fy: (d: string) => d, text: (d: string) => d, frameAnchor: "top-left", dy: -12, fill: "currentColor", fontWeight: 600 }),
    ],
  });
  return described(chart, `Histograms of ${rows.join(", ")}.`);
}

export interface PricePoint {
  at: number;
  level: number;
  mean: number;
  bound: number;
}

export function priceChart(price: Price, units: Units, chosen: number, width: number, choose: (at: number) => void): Figure {
  const drawn: PricePoint[] = price.points.map(([level, , mean, bound], at) => ({
    at,
    level: units.number(level),
    mean: units.mean(mean),
    bound: units.mean(bound),
  }));
  const chart = Plot.plot({
    ...base(width, 280),
    marginLeft: leftMargin(endsOf(drawn.flatMap((d) => [d.mean, d.bound]))),
    x: { label: `promised ${units.noun} →`, insetLeft: 8, insetRight: 8, ...acrossTicks(endsOf(drawn.map((d) => d.level)), width) },
    y: { label: `↑ mean ${units.noun}`, grid: true, insetTop: 8, insetBottom: 8 },
    marks: [
      Plot.lineY(drawn, { x: "level", y: "bound", stroke: "var(--muted)", strokeDasharray: "3 3" }),
      Plot.lineY(drawn, { x: "level", y: "mean", stroke: "var(--kept)", strokeWidth: 2 }),
      Plot.dot(drawn, { x: "level", y: "mean", fill: "var(--kept)", r: 4, stroke: "var(--surface)", className: "price-dots" }),
      Plot.dot(drawn.filter((d) => d.at === chosen), { x: "level", y: "mean", stroke: "var(--accent)", strokeWidth: 3, r: 8 }),
    ],
  });
  // The chart is a group of buttons here, not an image.
  const svg = chart instanceof SVGSVGElement ? chart : chart.querySelector("svg")!;
  dropInnerLabels(svg);
  svg.setAttribute("role", "group");
  svg.setAttribute("aria-label", `What the promise costs: mean ${units.noun} against the promised one; points can be chosen.`);
  svg.querySelectorAll<SVGCircleElement>(".price-dots circle").forEach((circle, at) => {
    const point = drawn[at]!;
    circle.setAttribute("tabindex", "0");
    circle.setAttribute("role", "button");
    circle.setAttribute("aria-pressed", String(at === chosen));
    circle.setAttribute("aria-label", `Promise ${figure(point.level)}: mean ${figure(point.mean)}`);
    circle.addEventListener("click", () => choose(at));
    circle.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose(at);
    });
  });
  return chart;
}

export interface Cell {
  x1: number;
  x2: number;
  y1: number;
  y2: number;
  action: string;
  chance: number | undefined;
  title: string;
}

// Whole times, at most a dozen.
function timeTicks(cells: Cell[]): number[] {
  const first = Math.ceil(Math.min(...cells.map((c) => c.x1)));
  const last = Math.floor(Math.max(...cells.map((c) => c.x2)));
  const least = Math.max(1, (last - first) / 12);
  const power = 10 ** Math.floor(Math.log10(least));
  const stride = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= least) ?? least;
  const ticks: number[] = [];
  for (let t = Math.ceil(first / stride) * stride; t <= last; t += stride) ticks.push(t);
  return ticks;
}

export function pictureChart(
  cells: Cell[],
  colours: Map<string, string>,
  axes: { x: string; y: string; classes?: string[]; isStationary: boolean },
  width: number,
  label: string,
): Figure {
  const chart = Plot.plot({
    ...base(width, 380),
    marginLeft: axes.classes ? 130 : leftMargin(endsOf(cells.flatMap((c) => [c.y1, c.y2]))),
    x: axes.isStationary ? { axis: null } : { label: axes.x, ticks: timeTicks(cells), tickFormat: String },
    y: axes.classes
      ? { label: axes.y, ticks: axes.classes.length, tickFormat: (v: number) => axes.classes![Math.round(v)] ?? "" }
      : { label: axes.y },
    opacity: { type: "identity" },
    marks: [
      Plot.rect(cells, {
        x1: "x1",
        x2: "x2",
        y1: "y1",
        y2: "y2",
        fill: (d: Cell) => colours.get(d.action) ?? "var(--muted)",
        fillOpacity: (d: Cell) => (d.chance === undefined ? 0.85 : 0.18 + 0.82 * d.chance),
        insetLeft: 0.5,
        insetRight: 0.5,
      }),
      Plot.tip(
        cells,
        Plot.pointer({
          x: (d: Cell) => (d.x1 + d.x2) / 2,
          y: (d: Cell) => (d.y1 + d.y2) / 2,
          title: "title",
          fill: "var(--surface)",
          stroke: "var(--line)",
        }),
      ),
    ],
    color: { type: "identity" },
  });
  return described(chart, label);
}
