// What is chosen on the page, and what follows from it: one tau, one side, one policy, one state.
import { type Page, type Point, type Price, readPage, type Table, type Value } from "./data";
import { Units } from "./figures";
import { Follower, World } from "./follower";
import { Fraction } from "./fraction";
import { type Outlook, outlookOf } from "./outlook";
import { listedPoint, nearestPoint, promiseAt, type Quantile } from "./promise";

export type Which = "best" | "kept" | "expectation" | "price";

export const page: Page = readPage();
export const units = new Units(page);
export const world = new World(page);
export const sides = [...new Set(page.points.map((p) => p.side))];
const firstAsked = page.points.find((p) => p.asked) ?? page.points[0]!;
export const names: Record<Exclude<Which, "price">, string> = {
  best: "Greatest probability",
  kept: page.model.goal_states > 0 ? "Promise kept, then the goal" : units.classes ? "Promise kept, then more" : "Best mean that keeps the promise",
  expectation: "Best expectation",
};

export const chosen = {
  tauText: firstAsked.tau,
  tau: Fraction.parse(firstAsked.tau) ?? new Fraction(1n, 10n),
  side: firstAsked.side,
  which: "best" as Which,
  state: page.play.initial[0]?.[0] ?? 0,
  price: -1, // which point of the price curve; -1: none was chosen
};

// A state with something to decide: the initial one, or the one met most.
function firstState(): number {
  const first = page.play.initial[0]?.[0] ?? 0;
  const decides = (s: number): boolean => (page.play.choices[s]?.length ?? 0) > 1;
  if (decides(first)) return first;
  const other = page.play.choices.findIndex((_, s) => decides(s));
  return other >= 0 ? other : first;
}
chosen.state = firstState();

export function chartWidth(place: HTMLElement): number {
  return Math.max(300, Math.min(1040, place.clientWidth || 700));
}

export function currentPoint(): Point | undefined {
  return nearestPoint(page, chosen.tau, chosen.side);
}
export function promiseNow(): Quantile | undefined {
  return promiseAt(page, chosen.tau, chosen.side);
}
export function snapWords(point: Point | undefined): string {
  const isListed = !!listedPoint(page, chosen.tau, chosen.side);
  return isListed || !point ? "" : `Shown for tau ${point.tau}, the nearest that was computed. `;
}

const followers = new Map<Table, { follower: Follower; outlook: Outlook | null }>();
export function followed(shown: Table): { follower: Follower; outlook: Outlook | null } {
  let known = followers.get(shown);
  if (!known) {
    const follower = new Follower(world, shown, shown.by === "time" ? page.table : shown);
    const outlook = shown.by === "time" && !page.table ? null : outlookOf(world, follower);
    followers.set(shown, (known = { follower, outlook }));
  }
  return known;
}

// The price curve of what is chosen, or of what is like it.
export function priceNow(): Price | undefined {
  return page.prices.find((p) => p.side === chosen.side && Fraction.parse(p.tau)?.compare(chosen.tau) === 0) ??
    page.prices.find((p) => p.side === chosen.side) ?? page.prices[0];
}
export function policyName(which: Which): string {
  if (which !== "price") return names[which];
  const point = priceNow()?.points[chosen.price];
  return point ? `Chosen by its price: promise ${units.text(point[0])}` : "Chosen by its price";
}

export interface Choice {
  shown: Table;
  target: number; // index; NaN if there is none
  snapped: string;
  promised: Value | null;
}
// What the player follows: of a tau that was computed its own decisions, which are those of the policy
// file; they have rules for what they meet only, and so the picture shows the table of all taus.
export function playedNow(which: Which): Choice | undefined {
  const best = which === "best" ? listedPoint(page, chosen.tau, chosen.side)?.best : undefined;
  if (!best?.table) return policyNow(which);
  return { shown: best.table, target: best.table.target ?? NaN, snapped: "", promised: best.probability };
}
// The table that is shown, and from which index on.
export function policyNow(which: Which): Choice | undefined {
  const point = currentPoint();
  if (which === "best" && page.table) {
    const promise = promiseNow();
    const target = promise && followed(page.table).follower.indexOf(promise.lower);
    return target === undefined ? undefined : { shown: page.table, target, snapped: "", promised: promise?.probability ?? null };
  }
  if (which === "expectation") {
    const shown = page.expectation?.table;
    if (!shown) return undefined;
    const promise = promiseNow();
    const target = page.table && promise ? followed(page.table).follower.indexOf(promise.lower) : undefined;
    return { shown, target: target ?? NaN, snapped: "", promised: null };
  }
  if (which === "price") return pricedPolicy();
  const policy = which === "best" ? point?.best : point?.kept;
  const shown = policy?.table;
  return shown && { shown, target: shown.target ?? NaN, snapped: snapWords(point), promised: policy.probability };
}
// Of the point that was chosen, or of the nearest whose decisions are in the file; without any, what
// promises as much with the greatest probability.
function pricedPolicy(): Choice | undefined {
  const points = priceNow()?.points ?? [];
  const own = points[chosen.price];
  if (!own) return undefined;
  const distance = (at: number): number => Math.abs(at - chosen.price);
  const at = points.reduce((best, point, k) => (point[4] && (best < 0 || distance(k) < distance(best)) ? k : best), -1);
  if (at >= 0) {
    const [level, probability, , , shown] = points[at]!;
    const nearest = at === chosen.price ? "" : `Shown for the promise of ${units.text(level)}, the nearest whose decisions are in this file. `;
    // A policy with the best mean may aim at more than was asked of it.
    const { follower } = followed(shown!);
    const target = shown!.target ?? NaN;
    const aimsAtMore = target !== follower.indexOf(level);
    const aim = aimsAtMore && Number.isFinite(target) ? `Its own target is ${units.text(follower.unit.times(new Fraction(BigInt(target), 1n)).toString())}. ` : "";
    return { shown: shown!, target, snapped: nearest + aim, promised: aimsAtMore ? null : probability };
  }
  if (!page.table) return undefined;
  const target = followed(page.table).follower.indexOf(own[0]);
  const snapped = "The decisions of that policy are not in this file: shown are those that promise as much with the greatest probability. ";
  return target === undefined ? undefined : { shown: page.table, target, snapped, promised: null };
}
export function availablePolicies(): Which[] {
  return (["best", "kept", "expectation", "price"] as Which[]).filter((which) => policyNow(which));
}
