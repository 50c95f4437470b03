// Numbers and levels as people read them, in the units of the model.
import type { Page, Value } from "./data";
import { Fraction } from "./fraction";

// Six significant digits.
export function figure(value: number): string {
  if (Number.isNaN(value)) return "undefined";
  if (value === Infinity) return "∞";
  if (value === -Infinity) return "−∞";
  const size = Math.abs(value);
  const text =
    size !== 0 && (size < 1e-4 || size >= 1e15)
      ? value.toExponential(4).replace("e+", "e")
      : String(Number(value.toPrecision(size >= 1e6 ? 12 : 6)));
  return text.replace("-", "−");
}

// A probability that is not 1 is never shown as 1.
export function chanceFigure(value: number): string {
  if (value < 1 && Number(value.toPrecision(6)) >= 1) return "> 0.999999";
  return figure(value);
}

export function nearest(value: Value | null | undefined): number {
  const first = value?.[0];
  if (first === "inf") return Infinity;
  if (first === "-inf") return -Infinity;
  return typeof first === "number" ? first : NaN;
}

// "0.9", or "at least 0.9".
export function chanceWords(value: Value | null | undefined): string {
  if (!value) return "unknown";
  const least = nearest(value);
  const most = value[3];
  const known = value[1] !== undefined && value[1] !== null;
  const tight = typeof most === "number" && chanceFigure(most) === chanceFigure(least);
  const bound = known || tight ? "" : value[2] === "lower bound" ? "at least " : value[2] === "upper bound" ? "at most " : "";
  const text = chanceFigure(least);
  return text.startsWith(">") && bound === "at least " ? text : bound + text;
}

// The exact text of a value, where it says more than the figure.
export function exactText(value: Value | null | undefined): string | undefined {
  return value?.[1] ?? undefined;
}

// The ends of a bracket, rounded outwards by at most a tenth of its width, in the order they are read.
function roundedOutwards(lower: string, upper: string, isCost: boolean): [string, string] | undefined {
  let low = Fraction.parse(lower);
  let high = Fraction.parse(upper);
  if (!low || !high) return undefined;
  if (isCost) [low, high] = [high.negated(), low.negated()];
  const short = [low.toString(), high.toString()];
  const minus = (text: string): string => text.replace("-", "−");
  if (short.every((text) => text.length <= 8 && !text.includes("/"))) return [minus(short[0]!), minus(short[1]!)];
  const places = Math.max(0, Math.ceil(1 - Math.log10(high.minus(low).toNumber() || 1)));
  const scale = new Fraction(10n ** BigInt(places), 1n);
  const down = new Fraction(low.times(scale).floor(), 1n).over(scale);
  const up = new Fraction(-high.times(scale).negated().floor(), 1n).over(scale);
  return [minus(down.toString()), minus(up.toString())];
}

// All classes that occur, ascending: each list is, and one that is new goes after those before it.
function mergedClasses(page: Page): string[] | undefined {
  const laws = [page.expectation, ...page.points.flatMap((p) => [p.best, p.kept])].map((shown) => shown?.law);
  const lists = [page.frontier?.classes, page.classes, ...laws.map((law) => law?.classes)];
  const merged: string[] = [];
  for (const list of lists) {
    let at = -1;
    for (const name of list ?? []) {
      const known = merged.indexOf(name);
      if (known >= 0) at = known;
      else merged.splice(++at, 0, name);
    }
  }
  return merged.length ? merged : undefined;
}

// Levels of wealth as the model counts them: rewards, costs, or classes.
export class Units {
  readonly cost: boolean;
  readonly classes: string[] | undefined;
  readonly adversarial: boolean;
  private readonly sums: boolean;
  constructor(page: Page) {
    this.cost = page.model.cost;
    this.adversarial = page.model.adversarial;
    this.sums = page.model.sums;
    this.classes = mergedClasses(page);
  }
  // What the curve has of each level: what the best policy attains, or what none can fall below.
  get chanceName(): string {
    return `${this.adversarial ? "guaranteed" : "greatest"} P(${this.noun} ${this.cost ? "≤" : "≥"} `;
  }
  get noun(): string {
    return !this.sums ? "wealth" : this.cost ? "cost" : "total";
  }
  // What is drawn: NaN for what is no number.
  number(total: string): number {
    if (total === "inf") return this.cost ? -Infinity : Infinity;
    if (total === "-inf") return this.cost ? Infinity : -Infinity;
    if (this.classes) return this.classes.indexOf(total) + 1 || NaN;
    const value = Fraction.parse(total)?.toNumber() ?? NaN;
    return this.cost && value !== 0 ? -value : value;
  }
  // Whether a level is as good as another, or better; misses are worse than all.
  isAsGood(total: string, as: string): boolean {
    if (total === as || total === "inf" || as === "miss") return true;
    if (total === "miss" || as === "inf") return false;
    if (as === "-inf") return true;
    if (total === "-inf") return false;
    if (this.classes) return this.classes.indexOf(total) >= this.classes.indexOf(as);
    const [a, b] = [Fraction.parse(total), Fraction.parse(as)];
    return !!a && !!b && a.compare(b) >= 0;
  }
  // The exact text, at most `most` characters long, else rounded.
  text(total: string, most = 16): string {
    if (total === "miss") return "a miss";
    if (this.classes) return total;
    const exact = Fraction.parse(total);
    if (!exact) return figure(this.number(total));
    const text = (this.cost ? exact.negated() : exact).toString();
    return text.length <= (text.includes("/") ? 8 : most) ? text.replace("-", "−") : `≈ ${figure(this.number(total))}`;
  }
  exact(total: string): string {
    const exact = Fraction.parse(total);
    return exact && !this.classes ? (this.cost ? exact.negated() : exact).toString() : this.text(total);
  }
  mean(value: Value | null | undefined): number {
    const wealth = nearest(value);
    return this.cost && wealth !== 0 ? -wealth : wealth;
  }
  // To the digits that are certain, else both ends, or the one that is known.
  meanText(value: Value | null | undefined): string {
    const shown = figure(this.mean(value));
    const isBound = value?.[2] === "lower bound" || value?.[2] === "upper bound";
    if (!value || !isBound) return shown;
    const most = value[3];
    if (typeof most !== "number") return `${(value[2] === "lower bound") === this.cost ? "at most" : "at least"} ${shown}`;
    const other = figure(this.cost ? -most : most);
    if (other === shown) return shown;
    return this.cost ? `${other} to ${shown}` : `${shown} to ${other}`;
  }
  // One level, or a bracket in the order in which it is read.
  bracket(lower: string, upper: string): string {
    if (lower === upper) return this.text(lower);
    const rounded = this.classes ? undefined : roundedOutwards(lower, upper, this.cost);
    if (rounded) return `${rounded[0]} to ${rounded[1]}`;
    const ends = [this.text(lower), this.text(upper)];
    if (this.cost) ends.reverse();
    return `${ends[0]} to ${ends[1]}`;
  }
}
