"""What is true of a tiny model, in fractions, by definition: greatest (or least) probabilities P(W >= w).

    D_0(s,y) = [y <= 0]      D_k(s,y) = max_a  sum over outcomes (s',p,r) of  p * D_{k-1}(s', (y-r)/gamma)

At the infinite horizon the nodes (s, residual) that matter are finitely many wherever rewards have a unit and 1/gamma is
whole; elsewhere they are explored so far, and a probability is an interval:

    without a discount, gains:    won once y <= 0;                             reach what is won
    losses, or a discount:        lost once y is more than all that may come;  avoid what is lost
    with a goal:                  won at the goal with y <= 0;                 reach what is won

No code of the program is used, nor its checker's.
"""

from fractions import Fraction as F
from functools import lru_cache

from graph import chance, drawn
from tiny_models import INFINITE

FREE = "free"  # a residual: whatever it comes to, only the goal matters
INF, MINUS_INF, MISS = "inf", "-inf", "miss"
FAR = F(12)  # a total that stands for no end of them, where rewards are a few
NEAR = F(1, 10**9)  # less than the difference of any two totals at a short horizon


def after(y, r, discount):
    return FREE if y == FREE else (y - r) / discount


def tails(model, pick):
    """A bound of the discounted rewards from each state on, above (max) or below (min)."""
    extreme = pick(*model.gains(), F(0), F(0))
    bound = {s: extreme / (1 - model.discount) for s in model.states}
    for _ in range(12):
        bound = {
            s: pick([sum_of(pick, bound, model, o) for _, o in model.options(s)] + ([] if model.options(s) else [F(0)]))
            if s not in model.goal else F(0) for s in model.states
        }
    return bound


def sum_of(pick, bound, model, outcomes):
    return pick(r + model.discount * bound[to] for to, _, r in outcomes)


class Residuals:
    """When is a state with a residual y decided? The same for whoever chooses, and for a policy that is played."""

    def __init__(self, model):
        self.model = model
        gains = model.gains()
        self.gain, self.loss = max(gains) > 0, min(gains) < 0
        self.discounted = model.discount < 1
        if self.discounted:
            self.most, self.least = tails(model, max), tails(model, min)
        # With losses, or with ever smaller gains, the total is enough unless it has been lost.
        self.avoid = not model.goal and (self.discounted or self.loss)

    def settled(self, state, y):
        """Won (1), lost (0), or the residual that stands for y: a pair (decided, value)."""
        m = self.model
        if state in m.goal:
            return True, F(y == FREE or y <= 0)
        if not m.options(state):
            return True, F(0) if m.goal else F(y == FREE or y <= 0)
        if y == FREE:
            return False, y
        if self.discounted:
            if y > self.most[state]:
                return True, F(0)
            surely = y <= self.least[state]
        else:
            if not self.gain and y > 0:
                return True, F(0)
            surely = not self.loss and y <= 0
        if surely:
            return (False, FREE) if m.goal else (True, F(1))
        return False, y


class Sums:
    """A sum of rewards; with an adversary, the least probability over all policies."""

    def __init__(self, model):
        self.model = model
        self.pick = min if model.adversarial else max
        self.residuals = Residuals(model) if model.horizon is INFINITE else None
        self.known = {}
        self.within = lru_cache(maxsize=None)(self.steps)

    def at_least(self, w):
        """An interval that holds the greatest (least) P(W >= w)."""
        if w not in self.known:
            self.known[w] = self.found(w)
        return self.known[w]

    def found(self, w):
        m = self.model
        if w == MISS or (w == MINUS_INF and not m.goal):
            return F(1), F(1)
        if w == INF:
            infinite = m.horizon is INFINITE and m.discount == 1 and self.residuals.gain
            return F(0), self.at_least(FAR)[1] if infinite else F(0)
        y = FREE if w == MINUS_INF else w
        if m.horizon is INFINITE:
            return self.infinite(y)
        p = sum(mu * self.within(s, m.horizon, y) for s, mu in m.starts)
        return p, p

    def steps(self, state, left, y):
        m = self.model
        enough = F(y == FREE or y <= 0)
        if state in m.goal:
            return enough
        options = m.options(state)
        if left == 0 or not options:
            return F(0) if m.goal else enough
        return self.pick(
            sum(p * self.within(to, left - 1, after(y, r, m.discount)) for to, p, r in o) for _, o in options
        )

    def infinite(self, y):
        m = self.model

        def node(state, y):
            decided, value = self.residuals.settled(state, y)
            return value if decided else (state, value)

        def expand(here):
            state, y = here
            return [[(p, node(to, after(y, r, m.discount))) for to, p, r in o] for _, o in m.options(state)]

        return drawn(m.starts, lambda s: chance(node(s, y), expand, self.residuals.avoid, m.adversarial))

    def totals(self, most=60):
        """Totals that an episode may have had at some time, ascending: where probabilities may change."""
        m = self.model
        here, found = {(s, F(0)) for s, _ in m.starts}, set()
        for time in range(m.horizon if m.horizon is not INFINITE else 6):
            onward = set()
            for state, total in here:
                if state not in m.goal:
                    onward |= {(to, total + m.discount**time * r) for _, o in m.options(state) for to, _, r in o}
            here = onward
            found |= {total for _, total in here}
            if len(found) > most:
                break
        return sorted(found | {F(0)})

    def greatest_mean(self):
        """At a finite horizon and without a goal: the mean, and the options that attain it at each (state, steps left)."""
        m, best = self.model, {}

        def mean(state, left):
            if (state, left) not in best:
                options = m.options(state) if left else []
                values = [sum(p * (r + m.discount * mean(to, left - 1)[0]) for to, p, r in o) for _, o in options]
                top = max(values, default=F(0))
                best[state, left] = top, [o for v, (_, o) in zip(values, options) if v == top]
            return best[state, left]

        return sum(mu * mean(s, m.horizon)[0] for s, mu in m.starts), best

    def of_best_means(self, w):
        """The least and the greatest P(W >= w) of policies that are optimal in expectation."""
        m = self.model
        _, best = self.greatest_mean()

        @lru_cache(maxsize=None)
        def range_of(state, left, y):
            options = best[state, left][1]
            if not options:
                return F(y <= 0), F(y <= 0)
            ends = [[range_of(to, left - 1, (y - r) / m.discount) for to, _, r in o] for o in options]
            return (min(sum(p * e[0] for (_, p, _), e in zip(o, es)) for o, es in zip(options, ends)),
                    max(sum(p * e[1] for (_, p, _), e in zip(o, es)) for o, es in zip(options, ends)))

        return drawn(m.starts, lambda s: range_of(s, m.horizon, w))


class Classes:
    """Another structure: the greatest probability of ending in a class or a better one, classes by their keys."""

    def __init__(self, model):
        self.model, self.structure = model, model.wealth
        self.known = {}
        self.final = self.final_wealths()
        declared = self.structure.declared
        self.keys = list(range(len(declared))) if declared else sorted({self.structure.key(w) for w in self.final})
        self.texts = {k: declared[k] for k in self.keys} if declared else {
            self.structure.key(w): self.structure.shown(w) for w in self.final}

    def final_wealths(self):
        """Of all histories that have ended; at an infinite horizon, of all that have gone on for ever."""
        m = self.model
        here, ended, met = {(s, self.structure.start) for s, _ in m.starts}, set(), set()
        time = 0
        while here and (m.horizon is INFINITE or time < m.horizon):
            met |= here
            onward = set()
            for state, w in here:
                options = m.options(state)
                if not options:
                    ended.add(w)
                onward |= {(to, self.structure.update(w, r)) for _, o in options for to, _, r in o}
            here = onward - met if m.horizon is INFINITE else onward
            time += 1
        return ended | {w for _, w in here} | ({w for _, w in met} if m.horizon is INFINITE else set())

    def at_least(self, key):
        if key not in self.known:
            self.known[key] = self.found(key)
        return self.known[key]

    def found(self, key):
        m, s = self.model, self.structure
        if m.horizon is INFINITE:
            rises = s.limit() == "rises"

            def node(state, w):
                good = s.key(w) >= key
                if not m.options(state) or good == rises:
                    return F(good)
                return (state, w)

            def expand(here):
                return [[(p, node(to, s.update(here[1], r))) for to, p, r in o] for _, o in m.options(here[0])]

            return drawn(m.starts, lambda start: chance(node(start, s.start), expand, avoid=not rises))

        @lru_cache(maxsize=None)
        def best(state, left, w):
            options = m.options(state)
            if left == 0 or not options:
                return F(s.key(w) >= key)
            return max(sum(p * best(to, left - 1, s.update(w, r)) for to, p, r in o) for _, o in options)

        p = sum(mu * best(start, m.horizon, s.start) for start, mu in m.starts)
        return p, p


def holds(probability, tau, side):
    """Whether P(W >= w) is enough for the quantile of a side."""
    return probability >= 1 - tau if side == "upper" else probability > 1 - tau
