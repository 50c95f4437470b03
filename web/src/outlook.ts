// The chance of keeping the promise from any point of an episode, if a table is followed from there:
//
//     P_T(s, i) = [i <= 0]        P_t(s, i) = sum over outcomes of p * P_{t+1}(s', i')
//
// In doubles. Node by node where there are few; else on some hundred levels, with lines between them
// (`isRough`). At the infinite horizon by iteration over the nodes met.
import { Follower, World } from "./follower";

const MOST_NODES = 400_000;
const MOST_ROUGH = 8_000_000;
const MOST_DEPTH = 2500;
const LEVELS = 6000;

export interface Outlook {
  chance(time: number, state: number, index: number): number | undefined;
  readonly isRough: boolean;
}

// What can still be counted from (t, s) on, whatever is done; null where that is too long a table.
class Ranges {
  readonly least: Float64Array[] = [];
  readonly most: Float64Array[] = [];
  static of(follower: Follower): Ranges | null {
    const { world } = follower;
    const outcomes = world.choices.flat().reduce((sum, c) => sum + c.outcomes.length, 0);
    if (world.horizon === null || world.horizon * outcomes > 20_000_000) return null;
    return new Ranges(follower, world.horizon);
  }
  private constructor(follower: Follower, horizon: number) {
    const { world } = follower;
    const size = world.states.length;
    this.least[horizon] = new Float64Array(size);
    this.most[horizon] = new Float64Array(size);
    for (let t = horizon - 1; t >= 0; --t) {
      const scale = 2 ** (follower.halvings(t + 1) - follower.halvings(t));
      const least = new Float64Array(size);
      const most = new Float64Array(size);
      for (let s = 0; s < world.shown; ++s) {
        if (world.isOver(t, s)) continue;
        let low = Infinity;
        let high = -Infinity;
        for (const { outcomes } of world.choices[s]!) {
          for (const o of outcomes) {
            const step = follower.count(t, o.reward);
            low = Math.min(low, step + this.least[t + 1]![o.next]! / scale);
            high = Math.max(high, step + this.most[t + 1]![o.next]! / scale);
          }
        }
        least[s] = low;
        most[s] = high;
      }
      this.least[t] = least;
      this.most[t] = most;
    }
  }
}

class NodeOutlook implements Outlook {
  readonly isRough = false;
  private readonly memo = new Map<number, Map<number, number>>();
  private nodes = 0;
  constructor(
    private readonly follower: Follower,
    private readonly ranges: Ranges,
  ) {}
  get isFull(): boolean {
    return this.nodes > MOST_NODES;
  }
  chance(time: number, state: number, index: number): number | undefined {
    const { world } = this.follower;
    if (index > this.ranges.most[time]![state]!) return 0;
    if (world.isOver(time, state)) return world.isKept(state, index) ? 1 : 0;
    if (world.goal.size === 0 && index <= this.ranges.least[time]![state]!) return 1;
    const key = time * world.states.length + state;
    let known = this.memo.get(key);
    if (!known) this.memo.set(key, (known = new Map<number, number>()));
    const found = known.get(index);
    if (found !== undefined) return found;
    if (++this.nodes > MOST_NODES) return undefined;
    const choice = this.follower.choice(time, state, index);
    if (choice === undefined) return undefined;
    let sum = 0;
    for (const o of world.choices[state]![choice]!.outcomes) {
      const rest = this.chance(time + 1, o.next, this.follower.next(time, index, o.reward));
      if (rest === undefined) return undefined;
      sum += o.probability * rest;
    }
    known.set(index, sum);
    return sum;
  }
}

// NaN where the table has no rule, and so for whatever leads there: nothing is known then.
class RoughOutlook implements Outlook {
  readonly isRough = true;
  private readonly layers: (Float64Array | undefined)[] = [];
  private readonly low: number[] = [];
  private readonly step: number[] = [];
  constructor(
    private readonly follower: Follower,
    private readonly ranges: Ranges,
    private readonly levels: number,
  ) {
    const { world } = follower;
    for (let t = world.horizon! - 1; t >= 0; --t) this.fill(t);
  }
  private fill(time: number): void {
    const { world } = this.follower;
    let low = Infinity;
    let high = -Infinity;
    for (let s = 0; s < world.shown; ++s) {
      if (world.isOver(time, s)) continue;
      low = Math.min(low, this.ranges.least[time]![s]!);
      high = Math.max(high, this.ranges.most[time]![s]!);
    }
    this.low[time] = low;
    this.step[time] = Math.max((high - low) / (this.levels - 1), 1e-9);
    const layer = new Float64Array(world.shown * this.levels);
    for (let s = 0; s < world.shown; ++s) {
      if (world.isOver(time, s)) continue;
      for (let g = 0; g < this.levels; ++g) {
        const index = Math.ceil(low + g * this.step[time]!);
        const choice = this.follower.choice(time, s, index);
        let sum = choice === undefined ? NaN : 0;
        for (const o of choice === undefined ? [] : world.choices[s]![choice]!.outcomes)
          sum +=
            o.probability *
            (this.chance(time + 1, o.next, this.follower.next(time, index, o.reward)) ?? NaN);
        layer[s * this.levels + g] = sum;
      }
    }
    this.layers[time] = layer;
  }
  chance(time: number, state: number, index: number): number | undefined {
    const { world } = this.follower;
    if (index > this.ranges.most[time]![state]!) return 0;
    if (world.isOver(time, state)) return world.isKept(state, index) ? 1 : 0;
    if (world.goal.size === 0 && index <= this.ranges.least[time]![state]!) return 1;
    const layer = this.layers[time];
    if (!layer) return undefined;
    const at = (index - this.low[time]!) / this.step[time]!;
    const g = Math.max(0, Math.min(this.levels - 2, Math.floor(at)));
    const part = Math.max(0, Math.min(1, at - g));
    const from = layer[state * this.levels + g]!;
    const found = from + part * (layer[state * this.levels + g + 1]! - from);
    return Number.isNaN(found) ? undefined : found;
  }
}

// Falls back on levels once there are too many nodes.
class FiniteOutlook implements Outlook {
  private readonly nodes: NodeOutlook;
  private rough: RoughOutlook | null | undefined;
  constructor(
    private readonly follower: Follower,
    private readonly ranges: Ranges,
  ) {
    this.nodes = new NodeOutlook(follower, ranges);
  }
  get isRough(): boolean {
    return !!this.rough;
  }
  chance(time: number, state: number, index: number): number | undefined {
    if (!this.nodes.isFull) {
      const found = this.nodes.chance(time, state, index);
      if (found !== undefined || !this.nodes.isFull) return found;
    }
    if (this.rough === undefined) {
      const { world } = this.follower;
      const states = world.horizon! * world.shown;
      const levels = Math.min(LEVELS, Math.floor(MOST_ROUGH / Math.max(1, states)));
      this.rough = levels >= 50 ? new RoughOutlook(this.follower, this.ranges, levels) : null;
    }
    return this.rough?.chance(time, state, index);
  }
}

// Stationary tables: all nodes that can be met from one, then iteration until nothing moves. Rewards
// are of one sign: what is kept, or lost, stays so.
class InfiniteOutlook implements Outlook {
  readonly isRough = false;
  private readonly values = new Map<string, number>();
  constructor(private readonly follower: Follower) {}
  private settled(state: number, index: number): number | undefined {
    const { world } = this.follower;
    const loses = world.rewards.some((r) => r.numerator < 0n);
    if (loses && index > 0) return 0;
    if (world.isOver(0, state)) return world.isKept(state, index) ? 1 : 0;
    if (!loses && index <= 0 && world.goal.size === 0) return 1;
    return undefined;
  }
  chance(_time: number, state: number, index: number): number | undefined {
    const ended = this.settled(state, index);
    if (ended !== undefined) return ended;
    const name = (s: number, i: number): string => `${s},${Math.max(i, -1e15)}`;
    const known = this.values.get(name(state, index));
    if (known !== undefined) return known;
    const { world } = this.follower;
    const isSafety = world.goal.size === 0 && world.rewards.some((r) => r.numerator < 0n);
    const nodes: { arcs: [number, number | string][]; name: string }[] = [];
    const positions = new Map<string, number>([[name(state, index), 0]]);
    const queue: [number, number][] = [[state, index]];
    for (let at = 0; at < queue.length; ++at) {
      if (queue.length > MOST_NODES / 4) return undefined;
      const [s, i] = queue[at]!;
      const choice = this.follower.choice(0, s, i);
      if (choice === undefined) return undefined;
      const arcs: [number, number | string][] = [];
      for (const o of world.choices[s]![choice]!.outcomes) {
        let next = this.follower.next(0, i, o.reward);
        if (next < 0 && world.rewards.every((r) => r.numerator >= 0n)) next = 0;
        const value = this.settled(o.next, next);
        if (value !== undefined) {
          arcs.push([o.probability, value]);
          continue;
        }
        const key = name(o.next, next);
        if (!positions.has(key)) {
          positions.set(key, queue.length);
          queue.push([o.next, next]);
        }
        arcs.push([o.probability, key]);
      }
      nodes.push({ arcs, name: name(s, i) });
    }
    const values = new Float64Array(nodes.length).fill(isSafety ? 1 : 0);
    const arcs = nodes.map((node) =>
      node.arcs.map(([p, to]) => [p, typeof to === "string" ? positions.get(to)! : -1, to] as const),
    );
    for (let sweep = 0; sweep < 20_000; ++sweep) {
      let moved = 0;
      for (let n = nodes.length - 1; n >= 0; --n) {
        let sum = 0;
        for (const [p, to, value] of arcs[n]!) sum += p * (to < 0 ? (value as number) : values[to]!);
        moved = Math.max(moved, Math.abs(sum - values[n]!));
        values[n] = sum;
      }
      if (moved < 1e-14) break;
    }
    nodes.forEach((node, n) => this.values.set(node.name, values[n]!));
    return values[0];
  }
}

// Null where the page cannot tell: states are missing, or the horizon is cut off.
export function outlookOf(world: World, follower: Follower): Outlook | null {
  if (!world.isComplete || !world.page.model.sums || follower.table.by === "wealth") return null;
  if (follower.table.truncated_at !== undefined) return null;
  if (follower.table.by === "index" && follower.table.stationary) return new InfiniteOutlook(follower);
  if (world.horizon === null || world.horizon > MOST_DEPTH) return null;
  const ranges = Ranges.of(follower);
  return ranges && new FiniteOutlook(follower, ranges);
}
