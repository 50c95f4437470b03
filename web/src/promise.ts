// What can be promised at any tau, read off the curve w -> G*(w):
//
//     lower quantile = max{ w : G*(w) > 1 - tau }      upper quantile = max{ w : G*(w) >= 1 - tau }
//
// Comparisons are exact where the probability is, and honest where it is known between bounds only:
// then the quantile is one of two levels.
import type { Frontier, Page, Point, SideName, Step, Value } from "./data";
import { nearest } from "./figures";
import { Fraction, ONE, ZERO } from "./fraction";

export interface Quantile {
  lower: string;
  upper: string;
  probability: Value | null; // of reaching `lower`, at best
  certificate: string; // exact, bracket, tie, open
}

// The ends between which a probability lies.
function ends(value: Value, relativeError: number): [Fraction, Fraction] {
  const exact = value[1] ? Fraction.parse(value[1]) : undefined;
  if (exact) return [exact, exact];
  const least = nearest(value);
  const most = value[3];
  if (value[2] === "lower bound" && typeof most === "number")
    return [Fraction.ofDouble(least), Fraction.ofDouble(most)];
  if (value[2]) return [Fraction.ofDouble(least), Fraction.ofDouble(least)];
  const error = Math.max(relativeError, 2 ** -52);
  return [Fraction.ofDouble(least * (1 - error)), Fraction.ofDouble(least * (1 + error))];
}

function keeps(chance: Fraction, theta: Fraction, side: SideName): boolean {
  const order = chance.compare(theta);
  return side === "lower" ? order > 0 : order >= 0;
}

// The last step that certainly counts, and the last that may.
function lastSteps(
  steps: Step[],
  theta: Fraction,
  side: SideName,
  error: number,
): [number, number] {
  let certain = -1;
  let possible = -1;
  let low = 0;
  let high = steps.length;
  // Probabilities descend.
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keeps(ends(steps[middle]![1], error)[0], theta, side)) low = middle + 1;
    else high = middle;
  }
  certain = low - 1;
  high = steps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keeps(ends(steps[middle]![1], error)[1], theta, side)) low = middle + 1;
    else high = middle;
  }
  possible = low - 1;
  return [certain, possible];
}

// A curve without a last level goes up where rewards add up, and down where costs do: there its greatest level
// is the greatest there is.
function isOpenAbove(curve: Frontier): boolean {
  const end = curve.upto === undefined ? undefined : Fraction.parse(curve.upto);
  return !!end && end.compare(ZERO) >= 0;
}

export function quantileAt(curve: Frontier, tau: Fraction, side: SideName): Quantile | undefined {
  const theta = ONE.minus(tau);
  const error = curve.relative_error;
  const [certain, possible] = lastSteps(curve.steps, theta, side, error);
  if (certain < 0) return undefined;
  const step = curve.steps[certain]!;
  if (curve.upper) {
    const above = lastSteps(curve.upper, theta, side, error)[1];
    const upper = above < 0 ? step[0] : curve.upper[above]![0];
    const same = upper === step[0];
    return {
      lower: step[0],
      upper,
      probability: step[1],
      certificate: same ? "exact" : "bracket",
    };
  }
  if (isOpenAbove(curve) && possible === curve.steps.length - 1)
    return { lower: step[0], upper: "inf", probability: step[1], certificate: "open" };
  return {
    lower: step[0],
    upper: curve.steps[possible]![0],
    probability: step[1],
    certificate: certain === possible ? "exact" : "tie",
  };
}

// Where the whole curve, down to the least level of those who reach the goal, certainly stays below.
function missAt(page: Page, curve: Frontier, tau: Fraction, side: SideName): Quantile | undefined {
  if (page.model.goal_states === 0 || curve.upto !== undefined) return undefined;
  const possible = lastSteps(curve.upper ?? curve.steps, ONE.minus(tau), side, curve.relative_error)[1];
  if (possible >= 0) return undefined;
  return { lower: "miss", upper: "miss", probability: null, certificate: "exact" };
}

export function listedPoint(page: Page, tau: Fraction, side: SideName): Point | undefined {
  return page.points.find((p) => p.side === side && Fraction.parse(p.tau)?.compare(tau) === 0);
}

export function nearestPoint(page: Page, tau: Fraction, side: SideName): Point | undefined {
  const at = tau.toNumber();
  const distance = (p: Point): number => Math.abs((Fraction.parse(p.tau)?.toNumber() ?? 0) - at);
  const candidates = page.points.filter((p) => p.side === side);
  return (candidates.length ? candidates : page.points).reduce<Point | undefined>(
    (best, p) => (!best || distance(p) < distance(best) ? p : best),
    undefined,
  );
}

// As `solve` found it where it was asked, else read off the curve; a curve that was thinned for its
// size gives what lies between its steps as a bracket.
export function promiseAt(page: Page, tau: Fraction, side: SideName): Quantile | undefined {
  const point = listedPoint(page, tau, side);
  if (point?.quantile !== undefined)
    return {
      lower: point.quantile,
      upper: point.upper ?? point.quantile,
      probability: point.best?.probability ?? point.probability,
      certificate: point.certificate,
    };
  const curve = page.frontier;
  if (!curve) return undefined;
  const found = quantileAt(curve, tau, side) ?? missAt(page, curve, tau, side);
  if (!found || curve.of <= curve.steps.length || found.certificate !== "exact") return found;
  const at = curve.steps.findIndex((step) => step[0] === found.lower);
  const next = curve.steps[at + 1];
  return next ? { ...found, upper: next[0], certificate: "bracket" } : found;
}
