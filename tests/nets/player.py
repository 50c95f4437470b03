"""Plays a policy file by what docs/policy-format.md says, in fractions, and nothing else.

    residuals     y <- (y - r) / discount,  from the target
    on a grid     i <- (i - floor(discount^t r / H(t))) * H(t)/H(t+1),  from target / unit
    by wealth     the text of the wealth so far

r is the reward as the policy counts it (costs and adversaries: negated). A missing rule, or one that names what the model
has not, is a Stuck policy: no path of positive probability may meet one.
"""

import json
import math
from bisect import bisect_left
from fractions import Fraction as F

from graph import chance, drawn
from tiny_models import INFINITE, text
from truth import FAR, FREE, INF, MINUS_INF, MISS, Residuals, after


class Stuck(Exception):
    """The policy does not say what to do somewhere it comes."""


def number(value):
    return F(value) if isinstance(value, (str, int, F)) and not isinstance(value, bool) else None


def total(value):
    return value if value in (INF, MINUS_INF, MISS) else number(value)


class Number(F):
    """A decimal of a file: its exact value; `double` is what a program reads."""

    def __new__(cls, text):
        made = F.__new__(cls, F(text))
        made.double = made.numerator / made.denominator  # to nearest
        return made

    def __deepcopy__(self, _):
        return self


def read(document):
    return json.loads(document, parse_float=Number, parse_int=Number)


def start_of(initial):
    return initial if isinstance(initial, str) else tuple((s, number(p)) for s, p in initial.items())


class Rules:
    """What to do at (time, state, position); a position is a residual, an index, or a wealth's text."""

    def __init__(self, policy):
        self.rules = {(int(r["time"]) if "time" in r else None, r["state"]): r["choose"] for r in policy["rules"]}
        self.last = int(policy["truncated_at"]) if "truncated_at" in policy else None
        self.timed = any(t is not None for t, _ in self.rules)
        self.bounds = {key: [number(c["upto"]) for c in choose if "upto" in c] for key, choose in self.rules.items()}
        everywhere = [b for bounds in self.bounds.values() for b in bounds]
        self.plain_at_last = all(len(c) == 1 for (t, _), c in self.rules.items() if t == self.last)
        # Beyond all of these, on either side, positions are alike.
        self.least, self.most = min(everywhere, default=F(0)), max(everywhere, default=F(0))

    def action(self, time, state, position):
        if not self.timed:
            time = None
        elif self.last is not None:
            time = min(time, self.last)
        if (time, state) not in self.rules:
            raise Stuck(f"no rule at time {time} in state {state}")
        choose = self.rules[time, state]
        if isinstance(position, str):
            for c in choose[:-1]:
                if position in ([c["wealth"]] if isinstance(c["wealth"], str) else c["wealth"]):
                    return c["action"]
            return choose[-1]["action"]
        if position is None:
            return choose[0]["action"]
        return choose[bisect_left(self.bounds[time, state], position)]["action"]


class Player:
    def __init__(self, model, policy):
        self.policy, self.rules = policy, Rules(policy)
        self.model = model.with_(
            horizon=INFINITE if policy["horizon"] == "infinite" else int(policy["horizon"]),
            discount=number(policy["discount"]), initial=start_of(policy["initial"]), goal=tuple(policy.get("goal", ())),
            cost=policy.get("rewards") == "cost", adversarial=bool(policy.get("adversarial", False)),
        )
        self.sign = -1 if self.model.adversarial else 1
        self.target = number(policy["target"]) if "target" in policy else None
        grid = policy.get("grid")
        self.unit = number(grid["unit"]) if grid else None
        self.halved = [int(t) for t in grid["halved_at"]] if grid else []
        self.by_wealth = model.wealth.kind != "sum" or any("wealth" in c for r in policy["rules"] for c in r["choose"])
        # Rules that hold at all times: what has been played then matters no more than the residual.
        self.known, self.walked = {}, None
        self.settled_at = 0 if not self.rules.timed else self.rules.last

    def step(self, time):
        return self.unit / 2 ** sum(1 for t in self.halved if t <= time)

    def first(self):
        if self.by_wealth or self.target is None:
            return None
        if self.unit is None:
            return self.target
        assert (self.target / self.unit).denominator == 1, "the target is no multiple of the unit"
        return self.target / self.unit

    def next(self, time, position, r):
        if position is None:
            return None
        if self.unit is None:
            return (position - self.sign * r) / self.model.discount
        h = self.step(time)
        return (position - math.floor(self.model.discount**time * self.sign * r / h)) * h / self.step(time + 1)

    def outcomes(self, time, state, position):
        options = dict(self.model.options(state))
        action = self.rules.action(time, state, position)
        if action not in options:
            raise Stuck(f"unknown action {action} in state {state}")
        return options[action]

    # Finite horizons: the whole distribution.

    def distribution(self):
        """{total or miss: probability}; of another structure, {wealth: probability}."""
        m, found = self.model, {}
        classes = m.wealth.kind != "sum"
        here = {(s, self.first(), m.wealth.start if classes else F(0)): mu for s, mu in m.starts}
        for time in range(m.horizon + 1):
            onward = {}
            for (state, position, w), mass in here.items():
                ended = state in m.goal or not m.options(state)
                if ended or time == m.horizon:
                    result = MISS if m.goal and state not in m.goal else w
                    found[result] = found.get(result, F(0)) + mass
                    continue
                at = (m.wealth.shown(w) if classes else text(w)) if self.by_wealth else position
                for to, p, r in self.outcomes(time, state, at):
                    key = (to, self.next(time, position, r), m.wealth.update(w, r) if classes else w + m.discount**time * r)
                    onward[key] = onward.get(key, F(0)) + mass * p
            here = onward
        return found

    # No end: one probability at a time.

    def at_least(self, w):
        """An interval that holds P(W >= w); w is a total, or the key of a class."""
        if w not in self.known:
            self.known[w] = self.found(w)
        return self.known[w]

    def found(self, w):
        m = self.model
        if m.horizon is not INFINITE:
            p = sum((mass for t, mass in self.laws().items() if self.enough(t, w)), F(0))
            return p, p
        if m.wealth.kind != "sum":
            return self.infinite_class(w)
        if w == MISS:
            return F(1), F(1)
        if w == INF:
            return F(0), self.infinite_sum(FAR)[1] if m.discount == 1 else F(0)
        if w == MINUS_INF and not m.goal:
            return F(1), F(1)
        return self.infinite_sum(FREE if w == MINUS_INF else w)

    def enough(self, t, w):
        if self.model.wealth.kind != "sum":
            return self.model.wealth.key(t) >= w
        if w == MISS:
            return True
        if w == INF or t == MISS:
            return False
        return w == MINUS_INF or t >= w

    def laws(self):
        if "laws" not in self.known:
            self.known["laws"] = self.distribution()
        return self.known["laws"]

    def infinite_sum(self, need):
        m, residuals = self.model, Residuals(self.model)

        def node(time, state, position, need):
            decided, value = residuals.settled(state, need)
            if decided:
                return value
            time = min(time, self.settled_at)
            return (time, state, self.clipped(time, position), value)

        def expand(here):
            time, state, position, need = here
            return [[(p, node(time + 1, to, self.next(time, position, r), after(need, r, m.discount)))
                     for to, p, r in self.outcomes(time, state, position)]]

        return drawn(m.starts, lambda s: chance(node(0, s, self.first(), need), expand, residuals.avoid, most=600))

    def clipped(self, time, position):
        """One for all positions that are alike from here on."""
        if position is None:
            return None
        if self.rules.timed:
            return None if time >= self.rules.last and self.rules.plain_at_last else position
        gains = self.model.gains()
        if min(gains) < 0 < max(gains):
            return position
        # Rewards of one sign: a position never comes back over the last bound on its way.
        falls = min(gains) * self.sign >= 0 and max(gains) * self.sign >= 0
        return max(position, self.rules.least) if falls else min(position, self.rules.most + 1)

    def infinite_class(self, key):
        m, s = self.model, self.model.wealth
        rises = s.limit() == "rises"

        def node(state, w):
            good = s.key(w) >= key
            return F(good) if not m.options(state) or good == rises else (state, w)

        def expand(here):
            return [[(p, node(to, s.update(here[1], r))) for to, p, r in self.outcomes(0, here[0], s.shown(here[1]))]]

        return drawn(m.starts, lambda start: chance(node(start, s.start), expand, avoid=not rises))


    def walk(self):
        if self.walked is None:
            self.walked = self.visit()
        return self.walked

    def visit(self, most=3000):
        """Meets every place the policy comes to; raises Stuck at one without a rule. False if there are too many."""
        m = self.model
        if m.horizon is not INFINITE:
            self.laws()
            return True
        classes = m.wealth.kind != "sum"
        queue = [(0, s, m.wealth.start if classes else self.clipped(0, self.first())) for s, _ in m.starts]
        met = set(queue)
        for time, state, position in queue:
            if len(met) > most:
                return False
            if state in m.goal or not m.options(state):
                continue
            for to, _, r in self.outcomes(time, state, m.wealth.shown(position) if classes else position):
                then = min(time + 1, self.settled_at)
                moved = m.wealth.update(position, r) if classes else self.clipped(then, self.next(time, position, r))
                if (then, to, moved) not in met:
                    met.add((then, to, moved))
                    queue.append((then, to, moved))
        return True
