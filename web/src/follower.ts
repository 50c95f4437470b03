// Follows a table of decisions in whole numbers, as the program's policy files say:
//
//     i_0 = target / H_0,   i_{t+1} = ( i_t - floor(gamma^t r_t / H_t) ) * H_t / H_{t+1}
//     rule: the first action with i_t <= upto; the last takes the rest
import type { Page, Rule, Table } from "./data";
import { Fraction, ONE } from "./fraction";

export interface Outcome {
  next: number;
  probability: number;
  reward: number; // position among the rewards
}

// The model of a page, ready to be walked.
export class World {
  readonly choices: { action: number; outcomes: Outcome[] }[][];
  readonly probabilities: number[];
  readonly rewards: Fraction[]; // as wealth: costs negative
  readonly goal: Set<number>;
  readonly horizon: number | null;
  readonly discount: Fraction;
  readonly isComplete: boolean;
  readonly shown: number;
  readonly states: string[];

  constructor(readonly page: Page) {
    const { play, model } = page;
    this.probabilities = play.probabilities.map((p) => Fraction.parse(p)?.toNumber() ?? 0);
    this.rewards = play.rewards.map((r) => {
      const reward = Fraction.parse(r) ?? new Fraction(0n, 1n);
      return model.cost ? reward.negated() : reward;
    });
    this.choices = play.choices.map((state) =>
      state.map((choice) => {
        const outcomes: Outcome[] = [];
        for (let k = 1; k < choice.length; k += 3)
          outcomes.push({
            next: choice[k]!,
            probability: this.probabilities[choice[k + 1]!]!,
            reward: choice[k + 2]!,
          });
        return { action: choice[0]!, outcomes };
      }),
    );
    this.goal = new Set(play.goal);
    this.horizon = model.horizon;
    this.discount = Fraction.parse(model.discount) ?? ONE;
    this.shown = play.shown;
    this.isComplete = play.shown === play.reachable;
    this.states = play.states;
  }
  actionName(state: number, choice: number): string {
    return this.page.play.actions[this.choices[state]![choice]!.action]!;
  }
  isOver(time: number, state: number): boolean {
    return (
      (this.horizon !== null && time >= this.horizon) ||
      this.goal.has(state) ||
      (state < this.shown && this.choices[state]!.length === 0)
    );
  }
  // Whether the promise is kept if an episode ends here.
  isKept(state: number, index: number): boolean {
    return index <= 0 && (this.goal.size === 0 || this.goal.has(state));
  }
}

export class Follower {
  readonly unit: Fraction; // H_0
  private readonly halved: number[];
  private readonly rules: Map<number, Rule>[];
  private readonly steps = new Map<number, number[]>();
  private readonly powers: Fraction[] = [ONE];

  // A policy that goes by time alone counts in the steps of another table, if there is one.
  constructor(
    readonly world: World,
    readonly table: Table,
    counting: Table | undefined = table,
  ) {
    this.unit = Fraction.parse(counting?.unit ?? "1") ?? ONE;
    this.halved = counting?.halved ?? [];
    this.rules = table.rules.map((rules) => new Map(rules.map((rule) => [rule[0]!, rule])));
  }

  ruleAt(time: number, state: number): Rule | undefined {
    const known = this.table.truncated_at;
    const at = this.table.stationary ? 0 : known !== undefined ? Math.min(time, known) : time;
    return this.rules[state]?.get(at);
  }
  // The position of the action among those of the state; undefined where the table has no rule.
  choice(time: number, state: number, index: number): number | undefined {
    const rule = this.ruleAt(time, state);
    if (!rule) return undefined;
    for (let k = 1; k + 1 < rule.length; k += 2) if (index <= rule[k]!) return rule[k + 1];
    return rule[rule.length - 1];
  }
  power(time: number): Fraction {
    while (this.powers.length <= time)
      this.powers.push(this.powers[this.powers.length - 1]!.times(this.world.discount));
    return this.powers[time]!;
  }
  halvings(time: number): number {
    let count = 0;
    for (const at of this.halved) if (at <= time) ++count;
    return count;
  }
  // H_t.
  stepAt(time: number): Fraction {
    return this.unit.over(new Fraction(1n << BigInt(this.halvings(time)), 1n));
  }
  private countAt(time: number): number[] {
    const isSteady = this.world.discount.compare(ONE) === 0 && this.halved.length === 0;
    const key = isSteady ? 0 : time;
    let counts = this.steps.get(key);
    if (!counts) {
      const step = this.stepAt(key);
      const power = this.power(key);
      counts = this.world.rewards.map((r) => Number(r.times(power).over(step).floor()));
      this.steps.set(key, counts);
    }
    return counts;
  }
  count(time: number, reward: number): number {
    return this.countAt(time)[reward]!;
  }
  next(time: number, index: number, reward: number): number {
    const left = index - this.count(time, reward);
    return this.halved.length === 0
      ? left
      : left * 2 ** (this.halvings(time + 1) - this.halvings(time));
  }
  // The index that a level of wealth leaves as target; undefined if it is no whole number of steps.
  indexOf(level: string): number | undefined {
    const steps = Fraction.parse(level)?.over(this.unit);
    return steps && steps.denominator === 1n ? Number(steps.numerator) : undefined;
  }
}
