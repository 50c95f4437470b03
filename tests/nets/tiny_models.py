"""Seeded models of two or three states, and the structures that judge their histories.

A model is plain data: choices[state] = [(action, [(next, probability, reward), ...]), ...], numbers are Fractions. A state
without choices is terminal. Everything that a question may vary (horizon, discount, goal, costs, adversary) is part of the
model, too, so that a failure is one file and one command.
"""

import json
from dataclasses import dataclass, replace
from fractions import Fraction

F = Fraction
INFINITE = None  # as a horizon


def text(number):
    """A number as the formats write it: a finite decimal as one, else a fraction."""
    number = F(number)
    rest = number.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1:
        return f"{number.numerator}/{number.denominator}"
    digits = 0
    while (number * 10**digits).denominator != 1:
        digits += 1
    if digits == 0:
        return str(number.numerator)
    whole = str(abs(number.numerator) * 10**digits // number.denominator).rjust(digits + 1, "0")
    return ("-" if number < 0 else "") + whole[:-digits] + "." + whole[-digits:]


class Sum:
    kind, keyed = "sum", "sum"


class Extreme:
    """The greatest or the least reward; None is the wealth of a history without any."""

    def __init__(self, kind):
        self.kind = kind
        self.declared, self.start = None, None
        self.key = lambda w: ((0, 0) if kind == "max" else (2, 0)) if w is None else (1, w)
        self.keyed = kind

    def update(self, w, r):
        return r if w is None else (max if self.kind == "max" else min)(w, r)

    def shown(self, w):
        return ("-inf" if self.kind == "max" else "inf") if w is None else text(w)

    def limit(self):
        return "rises" if self.kind == "max" else "falls"


class Product:
    kind = keyed = "product"
    declared, start = None, F(1)

    def update(self, w, r):
        return w * r

    def key(self, w):
        return w

    def shown(self, w):
        return text(w)

    def limit(self):
        return None


class Lexicographic:
    kind = "lexicographic"
    declared, start = None, (F(0), F(0))
    keyed = {"kind": "lexicographic", "components": ["a", {"name": "b", "better": "less"}]}

    def update(self, w, r):
        return (w[0] + r[0], w[1] + r[1])

    def key(self, w):
        return (w[0], -w[1])

    def shown(self, w):
        return f"({text(w[0])} a, {text(w[1])} b)"

    def limit(self):
        return None


class Counts:
    """Fewest of the worst label first, or most of the best."""

    kind = "counts"
    labels = ["low", "mid", "top"]
    declared, start = None, (0, 0, 0)

    def __init__(self, first):
        self.first = first
        self.keyed = {"kind": "counts", "labels": self.labels, "first": first}

    def update(self, w, r):
        return w if r is None else tuple(n + (label == r) for n, label in zip(w, self.labels))

    def key(self, w):
        worst, middle, best = w
        return (-worst, -middle, best) if self.first == "worst" else (best, middle, -worst)

    def shown(self, w):
        return ", ".join(f"{n} {label}" for n, label in reversed(list(zip(w, self.labels))) if n) or "nothing"

    def limit(self):
        return None


class Automaton:
    """States 0 .. n-1 in ranked classes; a table is an automaton whose classes are its states."""

    labels = ["p", "q"]

    def __init__(self, kind, moves, classes, start):
        self.kind, self.moves, self.classes, self.start = kind, moves, classes, start
        names = [f"q{i}" for i in range(len(moves))]
        if kind == "automaton":
            self.declared = [f"c{i}" for i in range(len(classes))]
            self.keyed = {
                "kind": kind, "states": names, "start": names[start], "labels": self.labels,
                "transitions": [{"from": names[i], "label": l, "to": names[j[l]]}
                                for i, j in enumerate(moves) for l in self.labels],
                "classes": [{"name": c, "states": [names[i] for i in members]}
                            for c, members in zip(self.declared, classes)],
            }
        else:
            self.declared = names
            self.keyed = {
                "kind": kind, "classes": names, "start": names[start], "labels": self.labels,
                "table": {names[i]: {l: names[j[l]] for l in self.labels} for i, j in enumerate(moves)},
            }

    def update(self, w, r):
        return w if r is None else self.moves[w][r]

    def key(self, w):
        return next(i for i, members in enumerate(self.classes) if w in members)

    def shown(self, w):
        """Of the wealth so far, as policies name it: a state."""
        return f"q{w}"

    def class_text(self, key):
        return self.declared[key]

    def limit(self):
        """Which way classes can go, over all transitions: a final class exists where that is one way only."""
        changes = {self.key(j[l]) - self.key(i) for i, j in enumerate(self.moves) for l in self.labels}
        if all(c >= 0 for c in changes):
            return "rises"
        return "falls" if all(c <= 0 for c in changes) else None


@dataclass(frozen=True)
class Model:
    choices: dict
    initial: object = "s"  # or ((state, probability), ...)
    horizon: object = 1
    discount: Fraction = F(1)
    goal: tuple = ()
    cost: bool = False
    adversarial: bool = False
    wealth: object = Sum()

    def __hash__(self):
        return id(self)

    def with_(self, **changes):
        return replace(self, **changes)

    @property
    def starts(self):
        """[(state, probability)]"""
        return [(self.initial, F(1))] if isinstance(self.initial, str) else list(self.initial)

    @property
    def states(self):
        met = dict.fromkeys([*(s for s, _ in self.starts), *self.choices, *self.goal])
        for options in self.choices.values():
            for _, outcomes in options:
                met.update(dict.fromkeys(to for to, _, _ in outcomes))
        return list(met)

    def options(self, state):
        """[(action, [(next, probability, wealth gained)])]: costs count as negative wealth."""
        sign = -1 if self.cost else 1
        rows = self.choices.get(state, [])
        if self.wealth.kind != "sum":
            return rows
        return [(a, [(to, p, sign * r) for to, p, r in o]) for a, o in rows]

    def gains(self):
        return [r for s in self.choices for _, o in self.options(s) for _, _, r in o]

    def has_cycle(self):
        """Whether some state can be met twice from the initial one, goals ending episodes."""
        def below(state, path):
            if state in path:
                return True
            if state in self.goal:
                return False
            return any(below(to, path | {state}) for _, o in self.choices.get(state, []) for to, _, _ in o)
        return any(below(s, frozenset()) for s, _ in self.starts)

    def json(self):
        def reward(r):
            if r is None or isinstance(r, str):
                return {} if r is None else {"reward": r}
            return {"reward": [text(x) for x in r] if isinstance(r, tuple) else text(r)}

        head = {
            "format": "quantiplan-model/1",
            "initial": self.initial if isinstance(self.initial, str) else {s: text(p) for s, p in self.initial},
            "horizon": "infinite" if self.horizon is INFINITE else self.horizon, "discount": text(self.discount),
        }
        if self.goal:
            head["goal"] = list(self.goal)
        if self.cost:
            head["rewards"] = "cost"
        if self.wealth.kind != "sum":
            head["wealth"] = self.wealth.keyed
        head["states"] = self.states
        head["choices"] = [
            {"state": s, "action": a,
             "next": [{"to": to, "probability": text(p), **reward(r)} for to, p, r in outcomes]}
            for s, options in self.choices.items() for a, outcomes in options
        ]
        return json.dumps(head)


SPLITS = [
    ["1"], ["1/2", "1/2"], ["1/3", "2/3"], ["0.1", "0.9"], ["0.3", "0.7"], ["1/4", "1/4", "1/2"], ["1/3", "1/3", "1/3"],
    ["0.2", "0.3", "0.5"],
]
POOLS = [["0", "1"], ["0", "1", "2", "-1"], ["0", "1/3", "1", "-1/3"], ["0", "0.1", "0.3", "-0.2"], ["0.1", "1/3", "-1", "2"]]


def rewards_of(random, kind, signs):
    """A function that draws rewards of one kind; signs: "both", "gain" or "loss"."""
    if kind == "product":
        return lambda: F(random.choice(["1/2", "1", "2", "3", "1/3", "0.9"]))
    if kind in ("counts", "automaton", "table"):
        labels = Counts.labels if kind == "counts" else Automaton.labels
        return lambda: random.choice([*labels, None])
    pool = [F(r) for r in random.choice(POOLS)]
    if signs != "both":
        pool = [abs(r) * (1 if signs == "gain" else -1) for r in pool]
    if kind == "lexicographic":
        return lambda: (random.choice(pool), random.choice(pool))
    return lambda: random.choice(pool)


def structure_of(random, kind, infinite):
    if kind == "sum":
        return Sum()
    if kind in ("max", "min"):
        return Extreme(kind)
    if kind == "product":
        return Product()
    if kind == "lexicographic":
        return Lexicographic()
    if kind == "counts":
        return Counts(random.choice(["worst", "best"]))
    states = random.choice([2, 3])
    # At an infinite horizon, mostly automata that have a limit: their classes only rise, or only fall.
    way = random.choice(["rises", "falls", "rises", "falls", "any"]) if infinite else "any"
    low = {"rises": lambda i: range(i, states), "falls": lambda i: range(i + 1), "any": lambda i: range(states)}[way]
    moves = [{l: random.choice(list(low(i))) for l in Automaton.labels} for i in range(states)]
    classes = [[i] for i in range(states)]
    if kind == "automaton" and states == 3 and random.random() < 0.5:
        classes = [[0, 1], [2]] if random.random() < 0.5 else [[0], [1, 2]]
    return Automaton(kind, moves, classes, random.randrange(states))


def random_model(random, kind="sum", horizon=1, discount=F(1), goal=False, cost=False, adversarial=False):
    """States s, t and perhaps u; e is terminal; the goal is g, or one of the others."""
    infinite_sum = kind == "sum" and horizon is INFINITE and discount == 1
    signs = random.choice(["gain", "loss", "gain", "loss", "both"]) if infinite_sum else "both"
    draw = rewards_of(random, kind, signs)
    inner = ["s", "t", "u"][:random.choice([1, 2, 2, 3])]
    # Mixed signs at an infinite horizon must not come round, and with a discount of 9/10 cycles have too many totals.
    forward_only = (infinite_sum and signs == "both") or (horizon is INFINITE and discount.denominator > 3)
    ends = ["g"] if goal else ["e"]
    if goal and random.random() < 0.5:
        ends.append("e")
    choices = {}
    for index, state in enumerate(inner):
        onward = (inner[index + 1:] if forward_only else inner) + ends
        options = []
        for action in ["a", "b"][:random.choice([1, 2, 2])]:
            split = random.choice(SPLITS)
            options.append((action, merged([(random.choice(onward), F(p), draw()) for p in split])))
        choices[state] = options
    goals = (random.choice(["g", "g", "g", inner[-1]]),) if goal else ()
    return Model(choices, "s", horizon, discount, goals if goals != ("s",) else ("g",), cost, adversarial,
                 structure_of(random, kind, horizon is INFINITE))


def with_drawn_start(random, model):
    """The same from a distribution over initial states; some may be over at once, terminal or goals."""
    splits = [s for s in SPLITS if 1 < len(s) <= len(model.states)]
    if not splits:
        return model  # of a single state
    split = random.choice(splits)
    while True:
        drawn = random.sample(model.states, len(split))
        if any(model.options(s) and s not in model.goal for s in drawn):
            return model.with_(initial=tuple(zip(drawn, map(F, split))))


def merged(outcomes):
    """Outcomes of the same next state and reward are one, as the program has it."""
    total = {}
    for to, p, r in outcomes:
        total[to, r] = total.get((to, r), F(0)) + p
    return [(to, p, r) for (to, r), p in total.items()]
