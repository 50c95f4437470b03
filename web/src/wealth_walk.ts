// Episodes whose wealth is no sum, by the page's table of wealths:
//
//     w_0 = 0,   w_{t+1} = the step of w_t by the reward        rule: the first action that lists w
//     P_T(s, w) = [class of w is promised]     P_t(s, w) = sum over outcomes of p * P_{t+1}(s', w')
//
// In doubles, node by node; unknown beyond some hundred thousand nodes, and at the infinite horizon.
import type { Page, Table } from "./data";
import { World } from "./follower";

const MOST_NODES = 300_000;
const MOST_DEPTH = 2500;
type Chance = (time: number, state: number, wealth: number) => number | undefined;

export class WealthWalk {
  readonly promised: number | undefined; // the least class that keeps the promise
  private readonly steps: Map<number, number>[];
  private readonly rules: Map<number, Map<number, number>>[]; // by state and time: the action of each wealth, of others at -1
  private readonly own: Chance;

  constructor(
    private readonly page: Page,
    private readonly world: World,
    private readonly table: Table,
    promised: string | undefined,
  ) {
    const wealth = page.wealth!;
    this.steps = wealth.steps.map((list) => {
      const steps = new Map<number, number>();
      for (let k = 0; k < list.length; k += 2) steps.set(list[k]!, list[k + 1]!);
      return steps;
    });
    const at = promised === undefined ? -1 : wealth.classes.indexOf(promised);
    this.promised = at < 0 ? undefined : at;
    const position = new Map(wealth.texts.map((text, w) => [text, w]));
    const own = (table.wealths ?? []).map((text) => position.get(text));
    this.rules = table.rules.map((rules) => new Map(rules.map((rule) => [rule[0] as number, this.actions(rule, own)])));
    this.own = this.nodes((time, state, w, of) => {
      const choice = this.choice(time, state, w);
      return choice === undefined ? undefined : of(choice);
    });
  }
  // [time, [wealths], action, [wealths], action, ..]; the last takes all others, too. Without wealths, [time, action].
  private actions(rule: (number | number[])[], own: (number | undefined)[]): Map<number, number> {
    const actions = new Map<number, number>([[-1, rule[rule.length - 1] as number]]);
    for (let k = 1; k + 1 < rule.length; k += 2) {
      for (const text of rule[k] as number[]) {
        const w = own[text];
        if (w !== undefined) actions.set(w, rule[k + 1] as number);
      }
    }
    return actions;
  }
  next(w: number, reward: number): number {
    return this.steps[w]?.get(reward) ?? w;
  }
  choice(time: number, state: number, w: number): number | undefined {
    const actions = this.rules[state]?.get(this.table.stationary ? 0 : time);
    return actions?.get(w) ?? actions?.get(-1);
  }
  isKept(w: number): boolean {
    return this.promised !== undefined && this.page.wealth!.class_of[w]! >= this.promised;
  }
  chance(time: number, state: number, w: number): number | undefined {
    return this.own(time, state, w);
  }
  // The greatest chance, whatever the policy does; null where it is not known.
  best(): Chance | null {
    if (this.promised === undefined || !this.isFinite()) return null;
    return this.nodes((_time, state, _w, of) => {
      let most: number | undefined = 0;
      for (let c = 0; c < this.world.choices[state]!.length; ++c) {
        const chance = of(c);
        most = chance === undefined || most === undefined ? undefined : Math.max(most, chance);
      }
      return most;
    });
  }
  private isFinite(): boolean {
    return this.world.isComplete && this.world.horizon !== null && this.world.horizon <= MOST_DEPTH;
  }
  // The recursion above, where `decide` makes of the choices' chances that of the node.
  private nodes(decide: (time: number, state: number, w: number, of: (choice: number) => number | undefined) => number | undefined): Chance {
    const memo = new Map<number, Map<number, number>>();
    const states = this.world.states.length;
    let count = 0;
    const chance: Chance = (time, state, w) => {
      if (this.promised === undefined || !this.isFinite()) return undefined;
      if (this.world.isOver(time, state)) return this.isKept(w) ? 1 : 0;
      const key = time * states + state;
      let known = memo.get(key);
      if (!known) memo.set(key, (known = new Map<number, number>()));
      const found = known.get(w);
      if (found !== undefined) return found;
      if (++count > MOST_NODES) return undefined;
      const value = decide(time, state, w, (choice) => {
        let sum = 0;
        for (const o of this.world.choices[state]![choice]!.outcomes) {
          const rest = chance(time + 1, o.next, this.next(w, o.reward));
          if (rest === undefined) return undefined;
          sum += o.probability * rest;
        }
        return sum;
      });
      if (value !== undefined) known.set(w, value);
      return value;
    };
    return chance;
  }
}
