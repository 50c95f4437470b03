"""A second, independent reader of the PRISM language, to test the first one against.

    text --tokens--> Parser --program--> Explorer --breadth first--> Explored

Written from the language's definition, to be obvious rather than fast: numbers are Python's int (type int) and Fraction
(type double), truth is bool, an expression is a closure over a dictionary {variable: value}. It takes correct programs;
what is wrong ends in OracleError or some other exception, without a good message.
"""

import itertools
import math
from fractions import Fraction

from syntax import OracleError, Parser


def substituted(tree, names):
    """The tree with the names in the dictionary replaced by trees, all at once."""
    if tree is None or tree[0] == "number":
        return tree
    if tree[0] == "name":
        return names.get(tree[1], tree)
    if tree[0] == "label":
        return names.get(f'"{tree[1]}"', tree)
    return (tree[0], *(substituted(t, names) for t in tree[1:]))


def whole(value):
    if type(value) is not int:
        raise OracleError(f"{value!r} is no int")
    return value


def truth(value):
    if type(value) is not bool:
        raise OracleError(f"{value!r} is no bool")
    return value


def numeric(operation):
    """Numbers only: Python would add truth values, too."""
    def checked(*values):
        if any(type(v) is bool for v in values):
            raise OracleError("a condition where a number must stand")
        return operation(*values)
    return checked


def same(x, y):
    if (type(x) is bool) != (type(y) is bool):
        raise OracleError("a condition and a number are compared")
    return x == y


def power(x, y):
    if type(x) is int and type(y) is int and y < 0:
        raise OracleError("a negative power of an int")
    if y != int(y):
        raise OracleError("a fractional power")
    return x ** int(y)


def modulo(x, y):
    if whole(y) <= 0:
        raise OracleError("modulo of something not positive")
    return whole(x) % y


def logarithm(*_):
    raise OracleError("log is irrational")


def extreme(pick):
    def function(*values):
        best = pick(values)
        return Fraction(best) if any(isinstance(v, Fraction) for v in values) else best
    return function


OPERATIONS = {
    "!": lambda x: not truth(x),
    "<=>": lambda x, y: truth(x) == truth(y),
    "=": same,
    "!=": lambda x, y: not same(x, y),
} | {name: numeric(operation) for name, operation in {
    "neg": lambda x: -x,
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": lambda x, y: Fraction(x) / Fraction(y),
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y,
    ">=": lambda x, y: x >= y,
    "min": extreme(min),
    "max": extreme(max),
    "floor": math.floor,
    "ceil": math.ceil,
    "round": lambda x: math.floor(x + Fraction(1, 2)),
    "pow": power,
    "mod": modulo,
    "log": logarithm,
}.items()}


def compiled(tree):
    """A closure from {variable: value} to a value."""
    kind = tree[0]
    if kind == "number":
        value = tree[1]
        return lambda state: value
    if kind == "name":
        name = tree[1]
        return lambda state: state[name]
    parts = [compiled(t) for t in tree[1:]]
    if kind == "&":
        return lambda state: truth(parts[0](state)) and truth(parts[1](state))
    if kind == "|":
        return lambda state: truth(parts[0](state)) or truth(parts[1](state))
    if kind == "=>":
        return lambda state: not truth(parts[0](state)) or truth(parts[1](state))
    if kind == "?":
        return lambda state: parts[1](state) if truth(parts[0](state)) else parts[2](state)
    operation = OPERATIONS[kind]
    return lambda state: operation(*(part(state) for part in parts))


class Explored:
    """A model: states are names "(s=0,b=true)"; choices[s] are [(label, [(next, probability, reward), ...]), ...].

    A label is "" for a choice without one; outcomes of the same next state and reward are one. modules[s] says, for
    each choice, the modules that move ("m1,m2"), None if a dtmc mixes them. valuations[s] is {variable: value}.
    """

    def __init__(self):
        self.states, self.choices, self.modules, self.labels, self.valuations = [], {}, {}, {}, {}
        self.initial = self.function = None

    @property
    def deadlocks(self):
        return [s for s in self.states if not self.choices[s]]

    def counts(self):
        choices = [c for s in self.states for c in self.choices[s]]
        return {"states": len(self.states), "choices": len(choices), "transitions": sum(len(o) for _, o in choices)}

    def where(self, text):
        """The states with a label, or those in which an expression holds."""
        if text in self.labels:
            return self.labels[text]
        holds = self.function(Parser(text).expression())
        return {s for s in self.states if truth(holds(self.valuations[s]))}


class Explorer:
    def __init__(self, text, constants=None, reward=None):
        p = Parser(text).program()
        self.kind = p["kind"]
        self.names, self.quoted, self.used = {}, {}, set()
        self.resolve_constants(p["constants"], constants or {})
        self.resolve_formulas(p["formulas"])
        self.variables = []  # (name, low, high, initial); low is None for bool
        self.module_commands = {}
        for variable in p["globals"]:
            self.declare(variable, {})
        for name in p["modules"]:
            self.add_module(name, p["modules"])
        self.labels = {name: self.function(tree) for name, tree in p["labels"].items()}
        self.quoted = {f'"{name}"': tree for name, tree in p["labels"].items()}
        self.rewards = self.chosen_rewards(p["rewards"], reward)
        self.init = p["init"] and self.function(p["init"])
        system = p["system"]
        for name in p["modules"] if system is None else []:
            system = ("module", name) if system is None else ("on", None, system, ("module", name))
        self.system = system
        unknown = self.used - {v[0] for v in self.variables}
        if unknown:
            raise OracleError(f"unknown names {unknown}")

    def resolve_constants(self, constants, given):
        """Each in terms of the others: resolve whichever has all it needs, until none is left."""
        left = {n: (k, t) for n, (k, t) in constants.items() if t is not None}
        for name, value in given.items():
            left[name] = (constants[name][0], Parser(str(value)).expression())
        while left:
            ready = [n for n, (_, t) in left.items() if not names_in(t) & set(left)]
            if not ready:
                raise OracleError("cyclic constants")
            for name in ready:
                kind, tree = left.pop(name)
                value = compiled(substituted(tree, self.names))({})
                check = {"int": whole, "double": Fraction, "bool": truth}[kind]
                self.names[name] = ("number", check(value))

    def resolve_formulas(self, formulas):
        left = dict(formulas)
        while left:
            ready = [n for n, t in left.items() if not names_in(t) & set(left)]
            if not ready:
                raise OracleError("cyclic formulas")
            for name in ready:
                # Constants stay names: a renaming of modules may rename them, too.
                self.names[name] = substituted(left.pop(name), {n: t for n, t in self.names.items() if n in formulas})
        self.formulas = {n: self.names.pop(n) for n in formulas}

    def function(self, tree, renamed=None):
        """Formulas are expanded first, then names are renamed, then constants become numbers."""
        tree = substituted(substituted(tree, self.quoted), self.formulas)
        tree = substituted(tree, {old: ("name", new) for old, new in (renamed or {}).items()})
        tree = substituted(tree, self.names)
        self.used |= names_in(tree)
        return compiled(tree)

    def declare(self, variable, renamed):
        name, low, high, initial = variable
        bounds = [t and whole(self.function(t, renamed)({})) for t in (low, high)]
        first = self.function(initial, renamed)({}) if initial is not None else bounds[0] if low else False
        self.variables.append((renamed.get(name, name), *bounds, first))

    def add_module(self, name, modules):
        """A copy of a copy renames twice: the inner renaming comes first."""
        source, chain = modules[name], []
        while source[0] == "copy":
            chain.append(source[2])
            source = modules[source[1]]
        renamed = {}
        for step in reversed(chain):
            renamed = {old: step.get(renamed.get(old, old), renamed.get(old, old)) for old in {*renamed, *step}}
        for variable in source[1]:
            self.declare(variable, renamed)
        self.used |= {renamed.get(x, x) for _, _, updates in source[2] for _, assigned in updates for x in assigned}
        self.module_commands[name] = [
            (renamed.get(action, action), self.function(guard, renamed),
             [(self.function(p, renamed), {renamed.get(x, x): self.function(t, renamed) for x, t in assigned.items()})
              for p, assigned in updates])
            for action, guard, updates in source[2]
        ]

    def chosen_rewards(self, structures, reward):
        if not structures:
            return []
        [items] = [s[1] for s in structures if reward is None or s[0] == reward][:1]
        return [(a, self.function(g), t and self.function(t), self.function(v)) for a, g, t, v in items]

    # The successors of a state.

    def alphabet(self, node):
        if node[0] == "module":
            return {action for action, _, _ in self.module_commands[node[1]]} - {""}
        if node[0] == "rename":
            return {node[1].get(a, a) for a in self.alphabet(node[2])} - {""}
        return self.alphabet(node[2]) | self.alphabet(node[3])

    def enabled(self, node, state):
        """[(action, modules, [(probability, {variable: value}), ...]), ...]"""
        if node[0] == "module":
            return [
                (action, node[1], [(p, {x: f(state) for x, f in assigned.items()})
                                   for p, assigned in ((q(state), a) for q, a in updates) if p != 0])
                for action, guard, updates in self.module_commands[node[1]] if truth(guard(state))
            ]
        if node[0] == "rename":
            return [(node[1].get(a, a), m, u) for a, m, u in self.enabled(node[2], state)]
        left, right = self.enabled(node[2], state), self.enabled(node[3], state)
        together = node[1]
        if together is None:
            together = self.alphabet(node[2]) & self.alphabet(node[3])
        alone = [c for c in left + right if c[0] not in together]
        both = [
            (a, f"{m},{n}", [(p * q, {**u, **v}) for (p, u), (q, v) in itertools.product(ups, vps)])
            for (a, m, ups), (b, n, vps) in itertools.product(left, right) if a == b and a in together
        ]
        return alone + both

    def reward(self, action, state, after):
        return sum(
            (Fraction(value(state)) for a, guard, target, value in self.rewards
             if (a is None or a == action) and truth(guard(state)) and (target is None or truth(target(after)))),
            Fraction(0),
        )

    def successor(self, state, assigned):
        for name, low, high, _ in self.variables:
            if name in assigned:
                value = truth(assigned[name]) if low is None else whole(assigned[name])
                if low is not None and not low <= value <= high:
                    raise OracleError(f"{name!r} becomes {value}, beyond its range")
        return {**state, **assigned}

    def choices_of(self, state):
        commands = self.enabled(self.system, state)
        merged = {}
        for i, (action, module, updates) in enumerate(commands):
            if sum(p for p, _ in updates) != 1 or any(p < 0 for p, _ in updates):
                raise OracleError("probabilities do not sum to 1")
            key = 0 if self.kind == "dtmc" else i
            for p, assigned in updates:
                after = self.successor(state, assigned)
                share = Fraction(p) / (len(commands) if self.kind == "dtmc" else 1)
                row = merged.setdefault(key, (action, module, {}))[2]
                if merged[key][:2] != (action, module):  # a dtmc mixes them
                    merged[key] = (action if merged[key][0] == action else "", None, row)
                outcome = (self.text(after), self.reward(action, state, after))
                row.setdefault(outcome, [after, Fraction(0)])[1] += share
        return [merged[k] for k in sorted(merged)]

    def text(self, state):
        def shown(value):
            return str(value).lower() if isinstance(value, bool) else str(value)
        return "(" + ",".join(f"{n}={shown(state[n])}" for n, *_ in self.variables) + ")"

    def first(self):
        if self.init is None:
            return {name: first for name, _, _, first in self.variables}
        spaces = [[False, True] if low is None else range(low, high + 1) for _, low, high, _ in self.variables]
        names = [v[0] for v in self.variables]
        found = [s for s in (dict(zip(names, vs)) for vs in itertools.product(*spaces)) if truth(self.init(s))]
        if len(found) != 1:
            raise OracleError(f"{len(found)} initial states")
        return found[0]

    def explore(self):
        model, first = Explored(), self.first()
        model.function = self.function
        model.initial = self.text(first)
        queue, model.valuations = [first], {model.initial: first}
        for state in queue:
            name = self.text(state)
            model.states.append(name)
            rows = self.choices_of(state)
            model.modules[name] = [module for _, module, _ in rows]
            model.choices[name] = [
                (action, [(after, p, r) for (after, r), (_, p) in outcomes.items()]) for action, _, outcomes in rows
            ]
            for _, _, outcomes in rows:
                for (after, _), (valuation, _) in outcomes.items():
                    if after not in model.valuations:
                        model.valuations[after] = valuation
                        queue.append(valuation)
        model.labels = {
            label: {s for s in model.states if truth(holds(model.valuations[s]))}
            for label, holds in self.labels.items()
        }
        return model


def names_in(tree):
    if tree[0] == "name":
        return {tree[1]}
    return set() if tree[0] in ("number", "label") else set().union(*(names_in(t) for t in tree[1:]))


def explore(text, constants=None, reward=None):
    """The model of a program. `constants` are values or texts; `reward` names the structure (the first, if none)."""
    return Explorer(text, constants, reward).explore()
