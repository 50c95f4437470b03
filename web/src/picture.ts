// The policy as a picture: for one state, what is done by time and by what has been collected.
import type { Cell } from "./charts";
import { chanceFigure, figure, Units } from "./figures";
import { Follower, World } from "./follower";
import { Fraction } from "./fraction";
import type { Outlook } from "./outlook";

const MOST_ROWS = 56;
const MOST_COLUMNS = 120;

export interface Picture {
  cells: Cell[];
  actions: string[];
  words: { time: number; ranges: string }[]; // what is done, in words, by time
  classes?: string[];
}

// What can have been collected when a state is met, at each time, in doubles; whatever was done.
export class Collected {
  private readonly ranges: Map<number, [number, number]>[] = [];
  constructor(world: World, horizon: number) {
    const gamma = world.discount.toNumber();
    const rewards = world.rewards.map((r) => r.toNumber());
    this.ranges[0] = new Map(world.page.play.initial.map(([s]) => [s, [0, 0]]));
    let power = 1;
    for (let t = 0; t < horizon; ++t, power *= gamma) {
      const next = new Map<number, [number, number]>();
      for (const [s, [low, high]] of this.ranges[t]!) {
        if (s >= world.shown || world.isOver(t, s)) continue;
        for (const { outcomes } of world.choices[s]!) {
          for (const o of outcomes) {
            const more = power * rewards[o.reward]!;
            const known = next.get(o.next);
            if (!known) next.set(o.next, [low + more, high + more]);
            else {
              known[0] = Math.min(known[0], low + more);
              known[1] = Math.max(known[1], high + more);
            }
          }
        }
      }
      this.ranges[t + 1] = next;
    }
  }
  at(time: number, state: number): [number, number] | undefined {
    return this.ranges[time]?.get(state);
  }
}

interface Drawing {
  world: World;
  follower: Follower;
  outlook: Outlook | null;
  units: Units;
  state: number;
  target: number; // index
  collected: Collected | null;
}

// In wealth; positions on the page are in the model's units.
function shownLevel(units: Units, wealth: number): number {
  return units.cost && wealth !== 0 ? -wealth : wealth;
}

function indexAt(d: Drawing, time: number, wealth: number): number {
  const start = d.target * d.follower.unit.toNumber();
  return Math.ceil((start - wealth) / d.follower.stepAt(time).toNumber() - 1e-9);
}

// The levels of wealth worth drawing: where the choice changes, and a margin.
function wealthRange(d: Drawing, times: number[]): [number, number] {
  const start = d.target * d.follower.unit.toNumber();
  let low = Infinity;
  let high = -Infinity;
  for (const t of times) {
    const rule = d.follower.ruleAt(t, d.state);
    if (!rule) continue;
    const step = d.follower.stepAt(t).toNumber();
    for (let k = 1; k + 1 < rule.length; k += 2) {
      const wealth = start - rule[k]! * step;
      low = Math.min(low, wealth);
      high = Math.max(high, wealth);
    }
  }
  if (d.follower.table.stationary) {
    low = Math.min(low, start, 0);
    high = Math.max(high, start, 0);
    return [low, high];
  }
  const reach = times.map((t) => d.collected?.at(t, d.state)).filter((r) => r !== undefined);
  const least = reach.length ? Math.min(...reach.map((r) => r![0])) : Math.min(0, start);
  const most = reach.length ? Math.max(...reach.map((r) => r![1])) : Math.max(0, start);
  const margin = 0.12 * (high - low || Math.abs(start) || 1);
  low = Math.max(low - margin, least);
  high = Math.min(high + margin, most);
  if (high > low) return [low, high];
  return most > least ? [least, most] : [least - 1, least + 1];
}

// Of these, where the promise is neither sure nor lost.
function openRange(d: Drawing, times: number[], [low, high]: [number, number]): [number, number] {
  const probes = 160;
  let from = Infinity;
  let upto = -Infinity;
  for (const t of times) {
    const reach = d.collected?.at(t, d.state);
    for (let k = 0; k <= probes; ++k) {
      const wealth = low + ((high - low) * k) / probes;
      if (reach && (wealth < reach[0] || wealth > reach[1])) continue;
      const chance = d.outlook?.chance(t, d.state, indexAt(d, t, wealth));
      if (chance === undefined || chance < 0.002 || chance > 0.998) continue;
      from = Math.min(from, wealth);
      upto = Math.max(upto, wealth);
    }
  }
  if (from > upto) return [low, high];
  const margin = 0.08 * (upto - from) + (high - low) / probes;
  return [Math.max(low, from - margin), Math.min(high, upto + margin)];
}

export function drawPicture(d: Drawing): Picture {
  if (d.follower.table.by === "wealth") return drawClasses(d);
  const horizon = d.world.horizon;
  const isStationary = d.follower.table.stationary;
  const last = d.follower.table.truncated_at ?? (horizon ?? 1) - 1;
  const stride = Math.max(1, Math.ceil((last + 1) / MOST_COLUMNS));
  const times: number[] = [];
  for (let t = 0; t <= (isStationary ? 0 : last); t += stride) if (d.follower.ruleAt(t, d.state)) times.push(t);
  const step = d.follower.unit.toNumber();
  const range = wealthRange(d, times);
  let [low, high] = isStationary ? range : openRange(d, times, range);
  if (d.follower.table.exact) {
    // Rows begin and end between levels.
    low = (Math.floor(low / step) - 0.5) * step;
    high = (Math.ceil(high / step) + 0.5) * step;
  }
  const rows = d.follower.table.exact
    ? Math.max(1, Math.min(MOST_ROWS, Math.round((high - low) / step)))
    : MOST_ROWS;
  const tall = Math.max((high - low) / rows, 1e-12);
  const cells: Cell[] = [];
  const actions = new Set<string>();
  for (const t of times) {
    const reach = isStationary ? undefined : d.collected?.at(t, d.state);
    if (!isStationary && d.collected && !reach) continue;
    for (let row = 0; row < rows; ++row) {
      const from = low + row * tall;
      const middle = from + tall / 2;
      if (reach && (from + tall < reach[0] || from > reach[1])) continue;
      const index = indexAt(d, t, middle);
      const choice = d.follower.choice(t, d.state, index);
      if (choice === undefined) continue;
      const action = d.world.actionName(d.state, choice);
      const chance = d.outlook?.chance(t, d.state, index);
      actions.add(action);
      const level = d.target * step - index * d.follower.stepAt(t).toNumber();
      const y = [shownLevel(d.units, from), shownLevel(d.units, from + tall)];
      cells.push({
        x1: t - stride / 2,
        x2: t + stride / 2,
        y1: Math.min(y[0]!, y[1]!),
        y2: Math.max(y[0]!, y[1]!),
        action,
        chance,
        title:
          (isStationary ? "" : `time ${t}, `) +
          `${d.units.noun} so far ${figure(shownLevel(d.units, Number(level.toPrecision(12))))}\n${action}` +
          (chance === undefined ? "" : `\npromise kept with ${d.outlook?.isRough ? "about " : ""}${chanceFigure(chance)}`),
      });
    }
  }
  return { cells, actions: [...actions].sort(), words: times.map((t) => ({ time: t, ranges: rangesInWords(d, t) })) };
}

// "total at least 55: wait; at least 40: treat; otherwise: wait"; what cannot have been collected is
// left out.
function rangesInWords(d: Drawing, time: number): string {
  const rule = d.follower.ruleAt(time, d.state);
  if (!rule) return "not met";
  const name = (choice: number): string => d.world.actionName(d.state, choice);
  const reach = d.follower.table.stationary ? undefined : d.collected?.at(time, d.state);
  const start = Fraction.of(BigInt(d.target), 1n).times(d.follower.unit);
  const step = d.follower.stepAt(time);
  const parts: string[] = [];
  let isOpen = true;
  // A residual of at most `upto` is a wealth of at least target - upto.
  for (let k = 1; k + 1 < rule.length && isOpen; k += 2) {
    const level = start.minus(step.times(Fraction.of(BigInt(rule[k]!), 1n)));
    if (reach && level.toNumber() > reach[1] + 1e-9) continue;
    isOpen = !reach || level.toNumber() > reach[0] + 1e-9;
    const bound = `${d.units.noun} ${d.units.cost ? "at most" : "at least"} ${d.units.text(level.toString(), 10)}`;
    parts.push(`${isOpen ? bound : parts.length ? "otherwise" : "always"}: ${name(rule[k + 1]!)}`);
  }
  if (isOpen) parts.push(`${parts.length ? "otherwise" : "always"}: ${name(rule[rule.length - 1]!)}`);
  return parts.join("; ");
}

// Rules that go by the wealth so far, named by its text.
function drawClasses(d: Drawing): Picture {
  const names = d.follower.table.wealths ?? [];
  const rules = d.follower.table.rules[d.state] ?? [];
  const cells: Cell[] = [];
  const used = new Set<number>();
  for (const rule of rules)
    for (let k = 1; k < rule.length; k += 2) for (const w of rule[k] as unknown as number[]) used.add(w);
  const order = [...used].sort((a, b) => a - b).slice(0, 60);
  const rows = [...order.map((w) => names[w] ?? "?"), order.length ? "any other" : "any"];
  const actions = new Set<string>();
  for (const rule of rules) {
    for (let row = 0; row < rows.length; ++row) {
      let choice = rule[rule.length - 1]!;
      for (let k = 1; k < rule.length; k += 2)
        if ((rule[k] as unknown as number[]).includes(order[row]!)) choice = rule[k + 1]!;
      const action = d.world.actionName(d.state, choice);
      actions.add(action);
      cells.push({
        x1: rule[0]! - 0.5,
        x2: rule[0]! + 0.5,
        y1: row - 0.5,
        y2: row + 0.5,
        action,
        chance: undefined,
        title: `time ${rule[0]!}, wealth so far ${rows[row]!}\n${action}`,
      });
    }
  }
  return { cells, actions: [...actions].sort(), words: [], classes: rows };
}
