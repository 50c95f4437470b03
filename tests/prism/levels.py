"""Exact quantiles of an explored model (oracle.py), level by level, in fractions.

    most(s, c)   = greatest P(reach the goal from s with cost at most c)
    most(s, y)   = greatest P(reach the goal from s with reward at least y)

Rewards are at least 0. Within a level only moves without a reward stay in it; the others lead to levels that are known.
So each level is a reachability problem with known exits, solved by policy iteration in fractions. With `least`, the
smallest probabilities instead: what is guaranteed whatever is done. For finite horizons, a plain recursion over steps,
rewards of any sign.
"""

import math
from fractions import Fraction
from functools import lru_cache


def solved(rows):
    """x of x_i = b_i + sum_j a_ij x_j, from rows[i] = (b_i, {j: a_ij}); by Gauss, in fractions. One solution exists."""
    rows = {i: (b, dict(a)) for i, (b, a) in rows.items()}
    order = list(rows)
    for i in order:
        b, a = rows[i]
        loop = 1 - a.pop(i, 0)
        b, a = b / loop, {j: v / loop for j, v in a.items()}
        rows[i] = (b, a)
        for k in order:
            factor = rows[k][1].pop(i, None) if k != i else None
            if factor:
                c, others = rows[k]
                for j, v in a.items():
                    others[j] = others.get(j, 0) + factor * v
                rows[k] = (c + factor * b, others)
    return {i: b for i, (b, _) in rows.items()}


def value_of(policy, moves):
    """The least solution for one policy: states that cannot reach an exit worth something have 0."""
    alive, grown = set(), True
    while grown:
        grown = {s for s in policy if s not in alive
                 and (moves[s][policy[s]][0] > 0 or any(t in alive for t in moves[s][policy[s]][1]))}
        alive |= grown
    rows = {s: (moves[s][policy[s]][0], {t: p for t, p in moves[s][policy[s]][1].items() if t in alive}) for s in alive}
    return {s: Fraction(0) for s in policy} | solved(rows)


def reached(moves, least=False, hint=None):
    """Greatest (least) probability of reaching an exit; moves[s] = [(worth of the exits, {next in the level: p})].

    Policies change only where that is strictly better. For the greatest, any first policy will do: values grow, and a
    fixed point above the least one cannot come from a policy. For the least, states where all exits can be avoided for
    ever are worth 0 beforehand; the equation of the rest has one solution. `hint` is a policy to begin with, and is
    left with the best one.
    """
    if least:
        safe = set(moves)
        while True:
            unsafe = {s for s in safe if moves[s] and not any(e == 0 and set(n) <= safe for e, n in moves[s])}
            if not unsafe:
                break
            safe -= unsafe
        zero = {s: Fraction(0) for s in safe}
        moves = {s: [(e, {t: p for t, p in n.items() if t not in safe}) for e, n in m]
                 for s, m in moves.items() if s not in safe}
    else:
        zero = {s: Fraction(0) for s, m in moves.items() if not m}
        moves = {s: [(e, {t: p for t, p in n.items() if t not in zero}) for e, n in m]
                 for s, m in moves.items() if m}
    hint = {} if hint is None else hint
    policy = {s: hint.get(s, 0) for s in moves}
    while True:
        value = value_of(policy, moves)

        def worth(move):
            return move[0] + sum(p * value[t] for t, p in move[1].items())

        changed = False
        for s, options in moves.items():
            best = (min if least else max)(range(len(options)), key=lambda i: worth(options[i]))
            if (worth(options[best]) < value[s]) if least else (worth(options[best]) > value[s]):
                policy[s], changed = best, True
        if not changed:
            hint.update(policy)
            return zero | value


class Levels:
    """Probabilities without end, by level in units of 1/scale; each level is computed once."""

    def __init__(self, model, goal, cost, least=False):
        self.model, self.goal, self.cost, self.least = model, set(goal), cost, least
        rewards = [r for s in model.states for _, o in model.choices[s] for _, _, r in o]
        assert all(r >= 0 for r in rewards), "levels are for rewards of one sign"
        self.scale = math.lcm(1, *(r.denominator for r in rewards))
        self.known, self.policy = {}, {}

    def at(self, state, level):
        """Cost at most level/scale, or reward at least level/scale."""
        if self.cost and level < 0:
            return Fraction(0)
        level = level if self.cost else max(level, 0)
        # Upwards, so that what a level needs is there: no deep recursion.
        for k in range(level + 1):
            if k not in self.known:
                self.known[k] = self.level(k)
        return self.known[level][state]

    def level(self, k):
        # A goal counts once the level allows it: always for costs, with nothing left to collect for rewards.
        at_goal = Fraction(1 if self.cost or k == 0 else 0)
        moves = {}
        for s in self.model.states:
            if s in self.goal:
                continue
            moves[s] = []
            for _, outcomes in self.model.choices[s]:
                exits, inside = Fraction(0), {}
                for after, p, r in outcomes:
                    below = k - int(r * self.scale)
                    stays = below == k or (not self.cost and k == 0)
                    if stays and after in self.goal:
                        exits += p * at_goal
                    elif stays:
                        inside[after] = inside.get(after, Fraction(0)) + p
                    else:
                        exits += p * self.at(after, below)
                moves[s].append((exits, inside))
        return {s: at_goal for s in self.goal} | reached(moves, self.least, self.policy)

    def possible(self):
        """Greatest (least) P(reach the goal), whatever it costs or brings."""
        goal_only = {
            s: [(sum((p for t, p, _ in o if t in self.goal), Fraction(0)),
                 merged((t, p) for t, p, _ in o if t not in self.goal)) for _, o in self.model.choices[s]]
            for s in self.model.states if s not in self.goal
        }
        return ({s: Fraction(1) for s in self.goal} | reached(goal_only, self.least))[self.model.initial]

    def quantile(self, tau, side="lower", most=400):
        """The optimal quantile, "miss", or None if it lies beyond `most` levels (or is infinite)."""
        theta = 1 - Fraction(tau)

        def holds(p):
            return p > theta or (side == "upper" and p == theta)

        if not holds(self.possible()):
            return "miss"
        levels = range(most) if self.cost else range(1, most)
        for k in levels:
            if holds(self.at(self.model.initial, k)) == self.cost:
                return Fraction(k if self.cost else k - 1, self.scale)
        return None


def merged(pairs):
    total = {}
    for key, value in pairs:
        total[key] = total.get(key, 0) + value
    return total


class Steps:
    """Probabilities within a horizon; the goal must be reached in time. Without a goal every episode counts."""

    def __init__(self, model, horizon, goal=None, cost=False, least=False):
        self.model, self.horizon, self.cost = model, horizon, cost
        self.goal = None if goal is None else set(goal)
        pick = min if least else max

        @lru_cache(maxsize=None)
        def at(state, steps, left):
            """P(what comes is at least `left`), or, for costs, at most."""
            enough = Fraction(left >= 0 if cost else left <= 0)
            if self.goal is not None and state in self.goal:
                return enough
            choices = model.choices[state]
            if steps == 0 or not choices:
                return enough if self.goal is None else Fraction(0)
            return pick(sum(p * at(t, steps - 1, left - r) for t, p, r in o) for _, o in choices)

        self.probability = lambda level: at(model.initial, horizon, Fraction(level))

    def totals(self):
        """Every total that an episode may have, ascending."""
        here, found = {(self.model.initial, Fraction(0))}, set()
        for step in range(self.horizon + 1):
            after = set()
            for state, total in here:
                ended = state in self.goal if self.goal is not None else False
                if ended or not self.model.choices[state] or step == self.horizon:
                    if ended or self.goal is None:
                        found.add(total)
                    continue
                after |= {(t, total + r) for _, o in self.model.choices[state] for t, _, r in o}
            here = after
        return sorted(found)

    def quantile(self, tau, side="lower"):
        theta = 1 - Fraction(tau)
        totals = self.totals()
        for total in totals if self.cost else reversed(totals):
            p = self.probability(total)
            if p > theta or (side == "upper" and p == theta):
                return total
        return "miss"
