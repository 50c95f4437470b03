// An episode, step by step: what the policy does, what may come of it, what is left of the promise.
import { fill, h, table } from "./dom";
import type { Value } from "./data";
import { chanceFigure, chanceWords, figure, nearest, Units } from "./figures";
import { Follower, type Outcome, World } from "./follower";
import { Fraction, ZERO } from "./fraction";
import type { Outlook } from "./outlook";

export interface Playing {
  world: World;
  units: Units;
  follower: Follower;
  outlook: Outlook | null; // of the policy itself
  compared: { follower: Follower; outlook: Outlook | null; words: string } | null; // after another action
  promised: Value | null; // the chance at the start, as the program has it
  target: number; // index; NaN of a policy that promises nothing
}

interface Moment {
  time: number;
  state: number;
  index: number;
  collected: Fraction; // wealth, in units of time 0
}

interface Move {
  from: Moment;
  choice: number;
  outcome: Outcome;
}

function roughly(chance: number | undefined, isRough: boolean): string {
  if (chance === undefined) return "not known here";
  return isRough ? `about ${figure(Number(chance.toPrecision(3)))}` : chanceFigure(chance);
}
function outlookWords(outlook: Outlook | null, time: number, state: number, index: number): string {
  return roughly(outlook?.chance(time, state, index), outlook?.isRough ?? false);
}

export class Player {
  private moves: Move[] = [];
  private now!: Moment;

  constructor(
    private readonly place: HTMLElement,
    private playing: Playing,
  ) {
    this.restart();
  }

  setPolicy(playing: Playing): void {
    this.playing = playing;
    this.restart();
  }

  private restart(state?: number): void {
    this.moves = [];
    const initial = this.playing.world.page.play.initial;
    const first = state ?? (initial.length === 1 ? initial[0]![0] : this.drawInitial());
    this.now = { time: 0, state: first, index: this.playing.target, collected: ZERO };
    this.show();
  }
  private drawInitial(): number {
    const initial = this.playing.world.page.play.initial;
    let draw = Math.random();
    for (const [state, p] of initial) {
      draw -= Fraction.parse(p)?.toNumber() ?? 0;
      if (draw < 0) return state;
    }
    return initial[initial.length - 1]![0];
  }

  private take(choice: number, outcome: Outcome): void {
    const { world, follower } = this.playing;
    const { time, index, collected } = this.now;
    this.moves.push({ from: this.now, choice, outcome });
    this.now = {
      time: time + 1,
      state: outcome.next,
      index: follower.next(time, index, outcome.reward),
      collected: collected.plus(follower.power(time).times(world.rewards[outcome.reward]!)),
    };
  }
  private choiceNow(): number | undefined {
    const { world, follower } = this.playing;
    if (world.isOver(this.now.time, this.now.state) || this.now.state >= world.shown) return undefined;
    return follower.choice(this.now.time, this.now.state, this.now.index);
  }
  private step(): boolean {
    const choice = this.choiceNow();
    if (choice === undefined) return false;
    const outcomes = this.playing.world.choices[this.now.state]![choice]!.outcomes;
    let draw = Math.random();
    const drawn = outcomes.find((o) => (draw -= o.probability) < 0) ?? outcomes[outcomes.length - 1]!;
    this.take(choice, drawn);
    return true;
  }

  private level(wealth: Fraction): string {
    return this.playing.units.text(wealth.toString());
  }
  private isPromised(moment: Moment): boolean {
    return moment.time === 0 && this.playing.promised !== null && this.playing.world.page.play.initial.length === 1;
  }
  private chance(moment: Moment): string {
    if (this.isPromised(moment)) return chanceWords(this.playing.promised);
    return outlookWords(this.playing.outlook, moment.time, moment.state, moment.index);
  }
  private left(): Fraction {
    const { follower, target } = this.playing;
    const promised = Fraction.of(BigInt(target), 1n).times(follower.unit);
    return promised.minus(this.now.collected).over(follower.power(this.now.time));
  }
  private leftWords(): string {
    if (Number.isNaN(this.playing.target)) return "nothing is promised";
    const left = this.left();
    if (this.playing.units.cost && left.compare(ZERO) > 0) return `over budget by ${left.toString()}`;
    return `${this.playing.units.cost ? "at most" : "at least"} ${this.level(left)} from here on`;
  }

  private show(): void {
    const { world, units } = this.playing;
    const { time, state } = this.now;
    const over = world.isOver(time, state);
    const absent = state >= world.shown && !over;
    const choice = this.choiceNow();
    const button = (text: string, act: () => void, disabled = false, id?: string): HTMLButtonElement =>
      h("button", { type: "button", onclick: act, disabled, id }, text);
    fill(
      this.place,
      h(
        "div",
        { class: "buttons" },
        button("Step by chance", () => { this.step(); this.show(); }, choice === undefined, "play-step"),
        button("To the end", () => { for (let n = 0; n < 10_000 && this.step(); ++n); this.show(); }, choice === undefined, "play-end"),
        button("Back", () => { this.now = this.moves.pop()!.from; this.show(); }, this.moves.length === 0, "play-back"),
        button("Restart", () => this.restart(), false, "play-restart"),
      ),
      world.page.play.initial.length > 1 && this.moves.length === 0 && this.initialStates(),
      h(
        "dl",
        { class: "figures", id: "play-now", "data-time": time, "data-state": world.states[state]!, "data-collected": this.now.collected.toString() },
        ...this.fact("Time", world.horizon === null ? String(time) : `${time} of ${world.horizon}`),
        ...this.fact("State", world.states[state]!),
        ...this.fact(`${units.cost ? "Spent" : "Collected"} so far`, this.level(this.now.collected)),
        ...this.fact("Left of the promise", this.leftWords()),
        ...this.fact("Chance of keeping it", Number.isNaN(this.playing.target) ? "–" : this.chance(this.now)),
      ),
      h("p", { class: "said", "aria-live": "polite", id: "play-said" }, this.said(over, absent, choice)),
      choice !== undefined && this.actions(choice),
      choice !== undefined && this.outcomes(choice),
      this.moves.length > 0 && this.history(),
    );
  }
  private fact(name: string, text: string): HTMLElement[] {
    return [h("div", {}, h("dt", {}, name), h("dd", {}, text))];
  }
  private said(over: boolean, absent: boolean, choice: number | undefined): string {
    const { world, units, target } = this.playing;
    if (over) {
      const total = `The episode is over, with a ${units.noun} of ${this.level(this.now.collected)}.`;
      if (Number.isNaN(target)) return total;
      const missed = world.goal.size > 0 && !world.goal.has(this.now.state);
      const kept = !missed && this.left().compare(ZERO) <= 0;
      return `${total} ${missed ? "The goal was missed: the" : "The"} promise is ${kept ? "kept" : "broken"}.`;
    }
    if (absent) return "This state is not in the file, which has those met most: go back, or restart.";
    if (choice === undefined) return "The table has no rule for this point: go back, or restart.";
    return `The policy takes: ${world.actionName(this.now.state, choice)}.`;
  }
  private initialStates(): HTMLElement {
    const { world } = this.playing;
    return h(
      "p",
      { class: "buttons" },
      "Begin in: ",
      ...world.page.play.initial.map(([s, p]) =>
        h("button", { type: "button", onclick: () => this.restart(s), "aria-pressed": String(s === this.now.state) }, `${world.states[s]!} (${p})`),
      ),
    );
  }
  // What each action would give, if one went on as well as possible for the promise.
  private actions(taken: number): HTMLElement | null {
    const { world, compared, target } = this.playing;
    if (!compared || Number.isNaN(target)) return null;
    const { time, state, index } = this.now;
    const rows = world.choices[state]!.map((choice, at) => {
      let sum: number | undefined = 0;
      for (const o of choice.outcomes) {
        const next = compared.follower.next(time, index, o.reward);
        const rest = compared.outlook?.chance(time + 1, o.next, next);
        sum = rest === undefined || sum === undefined ? undefined : sum + o.probability * rest;
      }
      const bar = h("span", { class: "bar" });
      bar.style.setProperty("--share", String(sum ?? 0));
      // The policy itself: as it is told above.
      const isOwn = at === taken && (sum === undefined || compared.follower === this.playing.follower);
      if (isOwn && this.isPromised(this.now)) bar.style.setProperty("--share", String(nearest(this.playing.promised)));
      return [
        h("span", at === taken ? { class: "taken" } : {}, world.actionName(state, at), at === taken && h("span", { class: "tag" }, "taken")),
        h("span", { class: "bar-cell" }, bar, isOwn ? this.chance(this.now) : roughly(sum, compared.outlook?.isRough ?? false)),
      ];
    });
    return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Actions" }, table(["Action", `Chance of keeping the promise, ${compared.words}`], rows, "What each action would give"));
  }
  private outcomes(choice: number): HTMLElement {
    const { world, units } = this.playing;
    const outcomes = world.choices[this.now.state]![choice]!.outcomes;
    const rows = outcomes.slice(0, 200).map((o) => [
      h("button", { type: "button", class: "outcome", onclick: () => { this.take(choice, o); this.show(); } }, world.states[o.next]!),
      figure(o.probability),
      this.level(world.rewards[o.reward]!),
    ]);
    return h("div", { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "Outcomes" }, table(["Then to", "Probability", units.cost ? "Cost" : "Reward"], rows, "What may come of it: choose one"));
  }
  private history(): HTMLElement {
    const { world } = this.playing;
    const rows = this.moves.map(({ from, choice, outcome }) => [
      String(from.time),
      world.states[from.state]!,
      world.actionName(from.state, choice),
      this.level(world.rewards[outcome.reward]!),
      world.states[outcome.next]!,
      Number.isNaN(this.playing.target) ? "–" : this.chance(from),
    ]);
    return h(
      "div",
      { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "Steps so far", id: "play-history" },
      table(["Time", "State", "Action", this.playing.units.cost ? "Cost" : "Reward", "Next", "Chance before"], rows, "So far"),
    );
  }
}
