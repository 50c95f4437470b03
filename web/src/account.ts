// What an episode carries along besides time and state, and what it says of the promise.
//
//     sums       what is left of the promise, in whole steps, and what has been collected
//     classes    the wealth so far, a state of the page's table of wealths
import type { Page, Table } from "./data";
import { Units } from "./figures";
import { Follower, World } from "./follower";
import { Fraction, ZERO } from "./fraction";
import type { Outlook } from "./outlook";
import { WealthWalk } from "./wealth_walk";

export interface Carried {
  index: number; // steps left, or the wealth
  collected: Fraction; // in units of time 0
}

export interface Account {
  readonly promises: boolean;
  readonly soFarName: string;
  readonly promiseName: string;
  start(): Carried;
  after(time: number, carried: Carried, reward: number): Carried;
  choice(time: number, state: number, index: number): number | undefined;
  // Of keeping the promise by the policy from here on.
  chance(time: number, state: number, index: number): number | undefined;
  readonly isRough: boolean;
  // The same once one has done something else first; null where that is not known. `words`: what is done then.
  readonly otherwise: { chance(time: number, state: number, index: number): number | undefined; isRough: boolean; isOwn: boolean; words: string } | null;
  isKept(time: number, state: number, carried: Carried): boolean;
  soFar(carried: Carried): string;
  data(carried: Carried): string; // for tests, the exact text
  leftWords(time: number, carried: Carried): string;
  endWords(carried: Carried): string; // "a total of 5"
  rewardText(reward: number): string;
}

interface Compared {
  follower: Follower;
  outlook: Outlook | null;
  words: string;
}

export class SumAccount implements Account {
  readonly promises: boolean;
  readonly soFarName: string;
  readonly promiseName = "Left of the promise";
  readonly otherwise: Account["otherwise"];
  constructor(
    private readonly world: World,
    private readonly units: Units,
    private readonly follower: Follower,
    private readonly outlook: Outlook | null,
    compared: Compared | null,
    private readonly target: number, // index; NaN of a policy that promises nothing
  ) {
    this.promises = !Number.isNaN(target);
    this.soFarName = `${units.cost ? "Spent" : "Collected"} so far`;
    this.otherwise = compared && {
      chance: (time, state, index) => compared.outlook?.chance(time, state, index),
      get isRough() { return compared.outlook?.isRough ?? false; },
      isOwn: compared.follower === follower,
      words: compared.words,
    };
  }
  get isRough(): boolean {
    return this.outlook?.isRough ?? false;
  }
  start(): Carried {
    return { index: this.target, collected: ZERO };
  }
  after(time: number, { index, collected }: Carried, reward: number): Carried {
    return {
      index: this.follower.next(time, index, reward),
      collected: collected.plus(this.follower.power(time).times(this.world.rewards[reward]!)),
    };
  }
  choice(time: number, state: number, index: number): number | undefined {
    return this.follower.choice(time, state, index);
  }
  chance(time: number, state: number, index: number): number | undefined {
    return this.outlook?.chance(time, state, index);
  }
  private left(time: number, { collected }: Carried): Fraction {
    const promised = Fraction.of(BigInt(this.target), 1n).times(this.follower.unit);
    return promised.minus(collected).over(this.follower.power(time));
  }
  isKept(time: number, state: number, carried: Carried): boolean {
    const missed = this.world.goal.size > 0 && !this.world.goal.has(state);
    return !missed && this.left(time, carried).compare(ZERO) <= 0;
  }
  soFar({ collected }: Carried): string {
    return this.units.text(collected.toString());
  }
  data({ collected }: Carried): string {
    return collected.toString();
  }
  leftWords(time: number, carried: Carried): string {
    if (!this.promises) return "nothing is promised";
    const left = this.left(time, carried);
    if (this.units.cost && left.compare(ZERO) > 0) return `over budget by ${left.toString()}`;
    return `${this.units.cost ? "at most" : "at least"} ${this.units.text(left.toString())} from here on`;
  }
  endWords(carried: Carried): string {
    return `a ${this.units.noun} of ${this.soFar(carried)}`;
  }
  rewardText(reward: number): string {
    return this.units.text(this.world.rewards[reward]!.toString());
  }
}

export class ClassAccount implements Account {
  readonly soFarName = "Wealth so far";
  readonly promiseName = "The promise";
  readonly isRough = false;
  readonly promises: boolean;
  readonly otherwise: Account["otherwise"];
  private readonly walk: WealthWalk;
  // `promised`: the class, as the page names it; undefined of a policy that promises nothing.
  constructor(
    private readonly page: Page,
    world: World,
    private readonly units: Units,
    table: Table,
    private readonly promised: string | undefined,
  ) {
    this.walk = new WealthWalk(page, world, table, promised);
    this.promises = this.walk.promised !== undefined;
    const best = this.walk.best();
    this.otherwise = best && { chance: best, isRough: false, isOwn: false, words: "then as well as possible" };
  }
  start(): Carried {
    return { index: 0, collected: ZERO };
  }
  after(_time: number, { index }: Carried, reward: number): Carried {
    return { index: this.walk.next(index, reward), collected: ZERO };
  }
  choice(time: number, state: number, index: number): number | undefined {
    return this.walk.choice(time, state, index);
  }
  chance(time: number, state: number, index: number): number | undefined {
    return this.walk.chance(time, state, index);
  }
  isKept(_time: number, _state: number, { index }: Carried): boolean {
    return this.walk.isKept(index);
  }
  soFar({ index }: Carried): string {
    return this.page.wealth!.texts[index]!;
  }
  data(carried: Carried): string {
    return this.soFar(carried);
  }
  leftWords(_time: number, { index }: Carried): string {
    if (this.promised === undefined || !this.promises) return "nothing is promised";
    return `${this.units.text(this.promised)} or better: ${this.walk.isKept(index) ? "so it is now" : "not so far"}`;
  }
  endWords(carried: Carried): string {
    return `the wealth ‘${this.soFar(carried)}’`;
  }
  rewardText(reward: number): string {
    return this.page.wealth!.rewards[reward] ?? this.page.play.rewards[reward]!;
  }
}
