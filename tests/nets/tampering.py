"""Policy files with one thing changed: dropped, swapped, shifted, negated, renamed; field by field."""

import copy
import json

from player import number as exact
from tiny_models import text


def written(policy):
    return json.dumps(policy, default=lambda n: int(n) if n.denominator == 1 else text(n))


def tampered(model, policy):
    """Pairs (what was done, the changed policy)."""
    for name, change in [*of_rules(model, policy), *of_fields(policy), *of_claims(policy)]:
        changed = copy.deepcopy(policy)
        change(changed)
        if changed != policy:
            yield name, written(changed)


def of_rules(model, policy):
    rules = policy["rules"]
    for i, rule in enumerate(rules):
        yield f"drop rule {i}", lambda p, i=i: p["rules"].pop(i)
        yield f"rename the state of rule {i}", lambda p, i=i: p["rules"][i].update(state="nowhere")
        actions = [a for a, _ in model.choices.get(rule["state"], [])]
        for k, choice in enumerate(rule["choose"]):
            for other in actions:
                if other != choice["action"]:
                    yield f"rule {i}: {other} for {choice['action']}", (
                        lambda p, i=i, k=k, other=other: p["rules"][i]["choose"][k].update(action=other))
            yield f"rule {i}: unknown action", lambda p, i=i, k=k: p["rules"][i]["choose"][k].update(action="none")
            if "upto" in choice:
                for name, by in (("shift up", 1), ("shift down", -1)):
                    yield f"rule {i}: {name}", (lambda p, i=i, k=k, by=by: p["rules"][i]["choose"][k].update(
                        upto=number(p["rules"][i]["choose"][k]["upto"]) + by))
                yield f"rule {i}: negate", (lambda p, i=i, k=k: p["rules"][i]["choose"][k].update(
                    upto=-number(p["rules"][i]["choose"][k]["upto"])))
                yield f"rule {i}: drop a run", lambda p, i=i, k=k: p["rules"][i]["choose"].pop(k)
            if "wealth" in choice:
                yield f"rule {i}: drop a run", lambda p, i=i, k=k: p["rules"][i]["choose"].pop(k)
        if "time" in rule:
            yield f"rule {i}: later", lambda p, i=i: p["rules"][i].update(time=p["rules"][i]["time"] + 1)
    if len(rules) > 1:
        def swap(p):
            p["rules"][0]["choose"], p["rules"][-1]["choose"] = p["rules"][-1]["choose"], p["rules"][0]["choose"]
        yield "swap two rules", swap


def of_fields(policy):
    if "target" in policy:
        for by in (1, -1):
            yield f"target {by:+}", lambda p, by=by: p.update(target=number(p["target"]) + by)
        yield "negate the target", lambda p: p.update(target=-number(p["target"]))
        yield "drop the target", lambda p: p.pop("target")
    if policy["horizon"] != "infinite":
        for by in (1, -1):
            yield f"horizon {by:+}", lambda p, by=by: p.update(horizon=p["horizon"] + by)
    yield "discount", lambda p: p.update(discount=number(p["discount"]) / 2)
    yield "initial", lambda p: p.update(initial=next((r["state"] for r in p["rules"] if r["state"] != p["initial"]), "s"))
    if isinstance(policy["initial"], dict):
        def exchange(p):
            states, shares = list(p["initial"]), list(p["initial"].values())
            p["initial"] = dict(zip(states, shares[1:] + shares[:1]))
        yield "initial: other probabilities", exchange
        yield "initial: more than 1", lambda p: p["initial"].update({next(iter(p["initial"])): "1"})
    yield "drop the goal", lambda p: p.pop("goal", None)
    yield "costs", lambda p: p.update(rewards="reward" if p.get("rewards") == "cost" else "cost")
    yield "adversarial", lambda p: p.update(adversarial=not p.get("adversarial", False))
    if "grid" in policy:
        yield "unit twice", lambda p: p["grid"].update(unit=number(p["grid"]["unit"]) * 2)
        yield "unit half", lambda p: p["grid"].update(unit=number(p["grid"]["unit"]) / 2)
        yield "halved at 1", lambda p: p["grid"].update(halved_at=sorted([1, *p["grid"]["halved_at"]]))
        yield "drop the grid", lambda p: p.pop("grid")
    if "truncated_at" in policy:
        yield "truncated earlier", lambda p: p.update(truncated_at=p["truncated_at"] - 1)
        yield "drop truncated_at", lambda p: p.pop("truncated_at")


def of_claims(policy):
    claim = policy["claim"]
    for key in ("quantile", "upper", "target"):
        if key in claim and number(claim[key]) is not None:
            for by in (1, -1):
                yield f"claim: {key} {by:+}", lambda p, k=key, by=by: p["claim"].update({k: number(p["claim"][k]) + by})
            yield f"claim: negate {key}", lambda p, k=key: p["claim"].update({k: -number(p["claim"][k])})
    for key in ("probability", "exact_probability", "most_probability"):
        if key in claim:
            yield f"claim: more {key}", lambda p, k=key: p["claim"].update({k: (number(p["claim"][k]) + 1) / 2})
            yield f"claim: less {key}", lambda p, k=key: p["claim"].update({k: number(p["claim"][k]) / 2})
            yield f"claim: negate {key}", lambda p, k=key: p["claim"].update({k: -number(p["claim"][k])})
            yield f"claim: drop {key}", lambda p, k=key: p["claim"].pop(k)
    for key, by in (("mean", 1), ("exact_mean", 1), ("mean_bound", -1), ("exact_mean_bound", -1)):
        if key in claim:
            yield f"claim: {key} {by:+}", lambda p, k=key, by=by: p["claim"].update({k: number(p["claim"][k]) + by})
            yield f"claim: drop {key}", lambda p, k=key: p["claim"].pop(k)
    if "weight" in claim:
        yield "claim: another weight", lambda p: p["claim"].update(weight=2 * number(p["claim"]["weight"]) + 1)
        yield "claim: negate the weight", lambda p: p["claim"].update(weight=-1 - number(p["claim"]["weight"]))
        yield "claim: drop the weight", lambda p: p["claim"].pop("weight")
    if "tau" in claim:
        yield "claim: half of tau", lambda p: p["claim"].update(tau=number(p["claim"]["tau"]) / 2)
        yield "claim: other side", lambda p: p["claim"].update(side="upper" if p["claim"]["side"] == "lower" else "lower")
    if "upper" in claim:
        yield "claim: drop upper", lambda p: p["claim"].pop("upper")


def number(value):
    try:
        return exact(value)
    except ValueError:
        return None
