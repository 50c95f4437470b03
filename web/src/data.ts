// The data of a page, as src/page/ writes them. Totals are in wealth: of costs, their negatives.

// What is known of a number: nearest, exact text, kind, and of a lower bound the greatest it can be.
export type Value = [number | string | null, (string | null)?, string?, (number | string)?];

export interface Law {
  mean: Value;
  of: number;
  atoms: [string, number, string?][];
  classes?: string[];
  slack?: string;
  episodes?: number;
  rest?: [string, string, number];
}

// [time, upto, action, upto, action, .., action]; by wealth [time, [wealths], action, ..].
export type Rule = number[];

export interface Table {
  by: "index" | "time" | "wealth";
  stationary: boolean;
  exact: boolean;
  truncated_at?: number;
  unit?: string;
  target?: number;
  halved?: number[];
  wealths?: string[];
  rules: Rule[][];
}

export interface ShownPolicy {
  probability: Value | null;
  mean: Value | null;
  law?: Law;
  table?: Table;
}

export interface Check {
  passed: boolean;
  optimality_checked: boolean;
  ended_early: boolean;
  nothing_to_check: boolean;
  findings: string[];
}

export type SideName = "lower" | "upper";

export interface Point {
  tau: string;
  side: SideName;
  asked: boolean;
  status: string;
  certificate: string;
  attained: boolean;
  quantile?: string;
  upper?: string;
  probability: Value | null;
  mean: Value | null;
  mean_bound: Value | null;
  prefer: string;
  expectation?: { mean: Value; probability: Value; quantile?: string; upper?: string };
  sentences: string[];
  check?: Check;
  best?: ShownPolicy;
  kept?: ShownPolicy;
}

export type Step = [string, Value];

export interface Frontier {
  status: string;
  steps: Step[];
  upper?: Step[];
  of: number;
  relative_error: number;
  classes?: string[];
  upto?: string;
}

export interface Price {
  tau: string;
  side: SideName;
  status: string;
  levels: number;
  points: [string, Value, Value, Value, Table?][]; // level, its probability, mean, bound of the mean; decisions
}

export interface Play {
  shown: number;
  reachable: number;
  states: string[];
  met: number[];
  goal: number[];
  initial: [number, string][];
  choices: number[][][]; // by state and choice: action, then next, probability, reward of each outcome
  actions: string[];
  probabilities: string[];
  rewards: string[];
}

// Wealth that is no sum, in whole numbers (src/page/page_wealth.hpp).
export interface Wealth {
  texts: string[];
  steps: number[][]; // by wealth: reward, next wealth, ..
  class_of: number[];
  classes: string[]; // from the worst
  rewards: string[]; // what they are called; empty where they are numbers
}

// Several initial states: the page is about one of them.
export interface Starts {
  shown: string;
  of: number;
  questions: { tau: string; side: SideName; rows: [string, string, string, Value | null][] }[];
}

export interface Page {
  version: string;
  command: string;
  model: {
    name: string;
    line: string;
    states: number;
    choices: number;
    outcomes: number;
    horizon: number | null;
    discount: string;
    goal_states: number;
    cost: boolean;
    adversarial: boolean;
    sums: boolean;
  };
  starts?: Starts;
  frontier?: Frontier;
  classes?: string[];
  points: Point[];
  table?: Table;
  expectation?: ShownPolicy;
  criteria: { name: string; law: Law }[];
  prices: Price[];
  play: Play;
  wealth?: Wealth;
  engine: {
    used: string;
    given: string;
    why: string;
    left_open: string;
    solve_seconds: number;
    seconds: number;
  };
  left_out: string[];
}

export function readPage(): Page {
  const element = document.getElementById("data");
  return JSON.parse(element?.textContent ?? "{}") as Page;
}
