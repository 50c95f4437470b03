// An episode, step by step: what the policy does, what may come of it, what is left of the promise.
import { fill, h, table } from "./dom";
import type { Account, Carried } from "./account";
import type { Value } from "./data";
import { chanceFigure, chanceWords, figure, nearest, Units } from "./figures";
import { type Outcome, World } from "./follower";
import { Fraction } from "./fraction";

export interface Playing {
  world: World;
  units: Units;
  account: Account;
  promised: Value | null; // the chance at the start, as the program has it
}

interface Moment {
  time: number;
  state: number;
  carried: Carried;
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
    this.now = { time: 0, state: first, carried: this.playing.account.start() };
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
    const { time, carried } = this.now;
    this.moves.push({ from: this.now, choice, outcome });
    this.now = { time: time + 1, state: outcome.next, carried: this.playing.account.after(time, carried, outcome.reward) };
  }
  private choiceNow(): number | undefined {
    const { world, account } = this.playing;
    const { time, state, carried } = this.now;
    if (world.isOver(time, state) || state >= world.shown) return undefined;
    return account.choice(time, state, carried.index);
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

  private isPromised(moment: Moment): boolean {
    return moment.time === 0 && this.playing.promised !== null && this.playing.world.page.play.initial.length === 1;
  }
  private chance(moment: Moment): string {
    if (this.isPromised(moment)) return chanceWords(this.playing.promised);
    const { account } = this.playing;
    return roughly(account.chance(moment.time, moment.state, moment.carried.index), account.isRough);
  }

  private show(): void {
    const { world, account } = this.playing;
    const { time, state, carried } = this.now;
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
        { class: "figures", id: "play-now", "data-time": time, "data-state": world.states[state]!, "data-collected": account.data(carried) },
        ...this.fact("Time", world.horizon === null ? String(time) : `${time} of ${world.horizon}`),
        ...this.fact("State", world.states[state]!),
        ...this.fact(account.soFarName, account.soFar(carried)),
        ...this.fact(account.promiseName, account.leftWords(time, carried)),
        ...this.fact("Chance of keeping it", account.promises ? this.chance(this.now) : "–"),
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
    const { world, account } = this.playing;
    const { time, state, carried } = this.now;
    if (over) {
      const total = `The episode is over, with ${account.endWords(carried)}.`;
      if (!account.promises) return total;
      const missed = world.goal.size > 0 && !world.goal.has(state);
      const kept = account.isKept(time, state, carried);
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
    const { world, account } = this.playing;
    const { otherwise } = account;
    if (!otherwise || !account.promises) return null;
    const { time, state, carried } = this.now;
    const rows = world.choices[state]!.map((choice, at) => {
      let sum: number | undefined = 0;
      for (const o of choice.outcomes) {
        const next = account.after(time, carried, o.reward);
        const rest = otherwise.chance(time + 1, o.next, next.index);
        sum = rest === undefined || sum === undefined ? undefined : sum + o.probability * rest;
      }
      const bar = h("span", { class: "bar" });
      bar.style.setProperty("--share", String(sum ?? 0));
      // The policy itself: as it is told above.
      const isOwn = at === taken && (sum === undefined || otherwise.isOwn);
      if (isOwn && this.isPromised(this.now)) bar.style.setProperty("--share", String(nearest(this.playing.promised)));
      return [
        h("span", at === taken ? { class: "taken" } : {}, world.actionName(state, at), at === taken && h("span", { class: "tag" }, "taken")),
        h("span", { class: "bar-cell" }, bar, isOwn ? this.chance(this.now) : roughly(sum, otherwise.isRough)),
      ];
    });
    return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Actions" }, table(["Action", `Chance of keeping the promise, ${otherwise.words}`], rows, "What each action would give"));
  }
  private outcomes(choice: number): HTMLElement {
    const { world, units, account } = this.playing;
    const outcomes = world.choices[this.now.state]![choice]!.outcomes;
    const rows = outcomes.slice(0, 200).map((o) => [
      h("button", { type: "button", class: "outcome", onclick: () => { this.take(choice, o); this.show(); } }, world.states[o.next]!),
      figure(o.probability),
      account.rewardText(o.reward),
    ]);
    return h("div", { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "Outcomes" }, table(["Then to", "Probability", units.cost ? "Cost" : "Reward"], rows, "What may come of it: choose one"));
  }
  private history(): HTMLElement {
    const { world, account } = this.playing;
    const rows = this.moves.map(({ from, choice, outcome }) => [
      String(from.time),
      world.states[from.state]!,
      world.actionName(from.state, choice),
      account.rewardText(outcome.reward),
      world.states[outcome.next]!,
      account.promises ? this.chance(from) : "–",
    ]);
    return h(
      "div",
      { class: "scroll tall", tabindex: 0, role: "region", "aria-label": "Steps so far", id: "play-history" },
      table(["Time", "State", "Action", this.playing.units.cost ? "Cost" : "Reward", "Next", "Chance before"], rows, "So far"),
    );
  }
}
