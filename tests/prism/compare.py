"""A model as the program writes it in JSON, against the oracle's: the same up to the order of states and choices."""

import json
from collections import Counter
from fractions import Fraction


def number(value):
    return Fraction(str(value))


def from_json(text):
    """(initial, {state: Counter of (action, outcomes)}, {label: states}); outcomes are a frozenset."""
    data = json.loads(text, parse_float=str)
    choices = {state: Counter() for state in data["states"]}
    for row in data["choices"]:
        shared, after = number(row.get("reward", 0)), row["next"]
        if isinstance(after, dict):
            after = [{"to": to, "probability": p} for to, p in after.items()]
        outcomes = frozenset((o["to"], number(o["probability"]), number(o.get("reward", 0)) + shared) for o in after)
        assert len(outcomes) == len(after), ("outcomes that should be one", row)
        choices[row["state"]][(row["action"].split("#")[0], outcomes)] += 1
    labels = {name: set(states) for name, states in data.get("labels", {}).items()}
    return data["initial"], choices, labels


def from_oracle(model, modules):
    """The same of an explored model of a program with so many modules."""
    choices = {}
    for state in model.states:
        choices[state] = Counter()
        for (label, outcomes), module in zip(model.choices[state], model.modules[state]):
            choices[state][(action(label, module, modules), frozenset(outcomes))] += 1
    return model.initial, choices, model.labels


def action(label, module, modules):
    if label:
        return label
    return f"[] {module}" if modules > 1 and module else "[]"


def differences(text, model, modules, names=True):
    """In words, or an empty list. Without `names`, actions may be called anything."""
    initial, choices, labels = from_json(text)
    wanted_initial, wanted, wanted_labels = from_oracle(model, modules)
    found = []
    if initial != wanted_initial:
        found.append(f"initial state {initial}, expected {wanted_initial}")
    for state in sorted(set(choices) | set(wanted)):
        here, there = choices.get(state), wanted.get(state)
        if not names:
            here, there = (c and Counter(o for _, o in c.elements()) for c in (here, there))
        if here != there:
            found.append(f"{state}: {shown(here)}, expected {shown(there)}")
    if labels != wanted_labels:
        found.append(f"labels {labels}, expected {wanted_labels}")
    return found


def shown(choices):
    return choices and [str(c).replace("Fraction", "") for c in choices.elements()]
