"""Other criteria, promises with the best mean, coins, curves of promises, attitudes and reductions: what is claimed is true
of all policies, what is written can be read, played and checked.
"""

import os
import re
from fractions import Fraction as F
from random import Random

import pytest

from judge import by_label, shown
from laws import (TooMany, at_least, best_mean, cvar, entropic, evar, exponential, laws, mean, mean_variance, nested_cvar,
                  quantile)
from player import Number, Player, Stuck, read
from program import Desk
from tiny_models import random_model, text, with_drawn_start
from truth import holds

CASES = int(os.environ.get("QUANTIPLAN_PROPERTY_CASES", "2000"))
DISCOUNTS = [F(1), F(1, 2), F(1, 3), F(9, 10)]
SETTINGS = [(horizon, discount, cost, adversarial) for horizon in (1, 2, 3) for discount in DISCOUNTS
            for cost in (False, True) for adversarial in (False, True)]
SEEDS = range(max(1, CASES // 500))
ARITHMETICS = ["auto", "double", "exact"]

# name of the option -> what an interval of a law's worth is, for a level tau
CRITERIA = {
    "cvar": lambda law, tau: (cvar(law, tau),) * 2,
    "mean-cvar:1/3": lambda law, tau: (cvar(law, tau) * F(2, 3) + mean(law) / 3,) * 2,
    "evar": evar,
    "worst-case": lambda law, _: (law[0][0],) * 2,
    "expectation": lambda law, _: (mean(law),) * 2,
    "entropic:1/2": lambda law, _: entropic(law, F(1, 2)),
    "utility:exponential(1/2)": lambda law, _: exponential(law, F(1, 2)),
    "mean-variance:1/3": lambda law, _: (mean_variance(law, F(1, 3)),) * 2,
}
NESTED = "nested-cvar"
HAVE_TAU = ("cvar", "mean-cvar:1/3", "evar", NESTED)


class Case:
    def __init__(self, horizon, discount, cost, adversarial, seed):
        random = Random(f"{horizon} {discount} {cost} {adversarial} {seed}")
        while True:
            model = random_model(random, "sum", horizon, discount, False, cost, adversarial)
            if random.random() < 0.4:
                model = with_drawn_start(random, model)
            try:
                self.laws = [*laws(model)]
                break
            except TooMany:
                continue
        self.model, self.random = model, random
        self.tau = F(random.choice(["1/2", "1/3", "1/10", "9/10", "1"]))
        self.arithmetic = random.choice(ARITHMETICS)
        self.options = ["--arithmetic", self.arithmetic, *(["--adversarial"] if adversarial else []),
                        "--reduce", random.choice(["auto", "none", "bisimulation", "chains"])]
        self.sign = -1 if cost else 1


def numbers(ends):
    """Ends of a bracket, also where they were written as texts."""
    return [Number(e) if isinstance(e, str) else e for e in ends]


def cases():
    return [(*setting, seed) for setting in SETTINGS for seed in SEEDS]


def name(case):
    horizon, discount, cost, adversarial, seed = case
    marks = [m for m, on in (("cost", cost), ("adversarial", adversarial)) if on]
    return "-".join([str(horizon), text(discount).replace("/", "_"), *marks, str(seed)])


def played(case, content):
    """The law of a policy file, by the player; a mixture's is that of its coin."""
    policy = read(content)
    if "mixture" not in policy:
        return sorted(Player(case.model, policy).laws().items())
    total, shared = {}, {k: v for k, v in policy.items() if k not in ("mixture", "claim")}
    for part in policy["mixture"]:
        share = F(part["weight"])
        for w, p in Player(case.model, {**shared, **part}).laws().items():
            total[w] = total.get(w, F(0)) + share * p
    return sorted(total.items())


def inside(sign, ends, lo, hi):
    """Whether a bracket holds the truth, which lies in [lo, hi]: as text, and as the doubles that a program reads."""
    ends = numbers(ends)
    if ends[0] == ends[1]:
        # One number is the truth, or the double nearest to it.
        return lo <= sign * ends[0] <= hi or (lo == hi and ends[0].double == float(sign * lo))
    low = max(min(sign * e for e in ends), min(sign * F(e.double) for e in ends))
    high = min(max(sign * e for e in ends), max(sign * F(e.double) for e in ends))
    return low <= hi and lo <= high


def mean_is(case, entry, law, what="mean"):
    """A mean by its label."""
    truth, found = case.sign * mean(law), entry[what]
    if entry.get(f"{what}_exact") is not None:
        exact = entry[f"{what}_exact"]
        right = F(exact) == truth and found.double == float(truth)
    elif entry.get(f"{what}_is") == "rounded":
        right = found.double == float(truth)
    else:
        ends = sorted([found, *([entry[f"{what}_upper"]] if entry.get(f"{what}_upper") is not None else [])])
        if entry[f"{what}_is"] == "upper bound":
            right = len(ends) == 1 and truth <= ends[0] and truth <= F(ends[0].double)
        else:
            right = ends[0] <= truth and F(ends[0].double) <= truth and (
                len(ends) == 1 or (truth <= ends[1] and truth <= F(ends[1].double)))
    return [] if right else [f"{what} {entry.get(what + '_exact', found)!s} ({entry.get(what + '_is')}), truth {truth}"]


def checked_and_evaluated(desk, file):
    wrong = []
    for command in (["check", "model.json", file], ["evaluate", "model.json", "--policy", file],
                    ["simulate", "model.json", "--policy", file, "--episodes", 5]):
        code, out, error = desk.run(*command)
        if code != 0:
            wrong.append(f"{command[0]} {file}: exit code {code}: {error} {out[-400:]}")
    return wrong


BOUND = re.compile(r"of all policies is no more than (\S+), by ")


def judge_criterion(case, desk, criterion):
    m, tau = case.model, case.tau
    level = ["--tau", text(tau)] if criterion in HAVE_TAU else []
    code, report, error, command = desk.report("solve", "model.json", "--criterion", criterion, *level, *case.options, "--check",
                                               "--policy-out", "p.json")
    files = desk.take("p.json")
    if code == 2 and ((m.adversarial and "with --adversarial, expected" in error) or (
            case.arithmetic == "exact" and "expected a utility that is rational at rational wealth" in error)):
        return []
    if code != 0:
        return [(command, f"exit code {code}: {error} {report and report['results']}")]
    [result] = report["results"]
    pick = min if m.adversarial else max
    if criterion == NESTED:
        lo = hi = nested_cvar(m, tau)
    else:
        worths = [CRITERIA[criterion](law, tau) for law in case.laws]
        lo, hi = pick(w[0] for w in worths), pick(w[1] for w in worths)
    ends = numbers(result["bracket"])
    # The utility of a cost is that of its negative, and no cost itself.
    sign = 1 if criterion.startswith("utility") else case.sign
    wrong = []
    if not inside(sign, ends, lo, hi):
        wrong.append(f"{[float(e) for e in ends]}, truth {shown(lo, hi)}")
    if result["certificate"] == "exact" and ends[0] != ends[1]:
        wrong.append("exact, but a bracket")
    if result["check"]["passed"] is not True:
        wrong.append(f"check: {result['check']}")
    for finding in result["check"]["findings"]:
        told = BOUND.search(finding)
        if told and "..." not in told[1] and F(told[1]) < lo:
            wrong.append(f"{finding} The truth is {shown(lo, hi)}.")
    law = played(case, files["p.json"])
    if criterion != NESTED:
        own = CRITERIA[criterion](law, tau)
        low = max(min(sign * e for e in ends), min(sign * F(e.double) for e in ends))
        if own[1] < low and not (ends[0] == ends[1] and float(own[0]) == sign * ends[0].double):
            wrong.append(f"the policy has {shown(*own)}, claimed {float(low)!r}")
    if result.get("mean") is not None:
        wrong += mean_is(case, result, law)
    desk.write("p.json", files["p.json"])
    wrong += checked_and_evaluated(desk, "p.json")
    for row in (report.get("comparison") or {"policies": []})["policies"]:
        if row["refused"] is not None and not m.adversarial:
            wrong.append(f"compared: {row['refused']}")
        for entry in row["measures"]:
            if entry["measure"] == "mean" and row["criterion"] == "expectation":
                best = pick(mean(l) for l in case.laws) * (-1 if m.cost else 1)
                low, high = sorted(numbers(entry["bracket"]))
                if not (low <= best <= high or low.double == high.double == float(best)):
                    wrong.append(f"greatest mean {low.double} to {high.double}, truth {best}")
    return [(command, w) for w in wrong]


def judge_promise(case, desk):
    """--prefer, --mixed and tradeoff: P and mean by playing, bounds by all coins between all laws."""
    m, tau, wrong = case.model, min(case.tau, F(9, 10)), []
    side = case.random.choice(["lower", "upper"])
    prefer = case.random.choice([["--prefer", "mean"], ["--mixed"], ["--mixed", "--mean-gap", "0"], ["--prefer", "probability"],
                                 ["--attitude", "all"]])
    if prefer[0] == "--attitude":
        return judge_attitudes(case, desk, tau, side)
    code, report, error, command = desk.report("solve", "model.json", "--tau", text(tau), "--side", side, *prefer, *case.options,
                                               "--check", "--policy-out", "p.json")
    files = desk.take("p.json")
    if code == 2 and m.adversarial:
        return []
    if code != 0:
        return [(command, f"exit code {code}: {error} {report and report['results']}")]
    [result] = report["results"]
    q = case.sign * numbers([result["quantile"]])[0]
    law = played(case, files["p.json"])
    pairs = {(at_least(l, q), mean(l)) for l in case.laws}
    sought = "mixed" in result and result["mixed"] is not None
    entry = result["mixed"] if sought and prefer[0] == "--mixed" else result
    if not m.adversarial:
        own = at_least(law, q)
        if not holds(own, tau, side):
            wrong.append(f"the policy has P(W >= {q}) = {own}: the promise is not kept")
        wrong += by_label(entry, own, own)
        if entry.get("mean") is not None:
            wrong += mean_is(case, entry, law)
    if result.get("mean_bound") is not None and not m.adversarial:
        best = best_mean(pairs, 1 - tau, side)
        exact = result.get("mean_bound_exact")
        bound = case.sign * (F(exact) if exact is not None else result["mean_bound"])
        if best is None or bound < best or (exact is None and case.sign * F(result["mean_bound"].double) < best):
            wrong.append(f"no mean above {bound}, but coins have {best}")
        if case.arithmetic == "exact" and prefer == ["--mixed", "--mean-gap", "0"] and side == "upper" and exact is not None:
            if bound != best or mean(law) != best:
                wrong.append(f"the bound {bound} and the coin's mean {mean(law)}, best is {best}")
    desk.write("p.json", files["p.json"])
    wrong += checked_and_evaluated(desk, "p.json")
    return [(command, w) for w in wrong] + (judge_tradeoff(case, desk, tau, side) if not m.adversarial else [])


def judge_tradeoff(case, desk, tau, side):
    code, report, error, command = desk.report("tradeoff", "model.json", "--tau", text(tau), "--side", side, *case.options)
    if code != 0:
        return [(command, f"exit code {code}: {error}")]
    wrong = []
    for point in report["points"]:
        q = case.sign * numbers([point["level"]])[0]
        pairs = {(at_least(l, q), mean(l)) for l in case.laws}
        attained = [p for p, e in pairs if not by_label(point, p, p) and not mean_is(case, point, [(e, F(1))])]
        if not any(holds(p, tau, side) for p in attained):
            wrong.append(f"level {q}: no policy has what is told: {point}")
        best, exact = best_mean(pairs, 1 - tau, side), point.get("mean_bound_exact")
        bound = case.sign * (F(exact) if exact is not None else point["mean_bound"])
        if best is None or bound < best:
            wrong.append(f"level {q}: no mean above {bound}, but coins have {best}")
    return [(command, w) for w in wrong]


def judge_attitudes(case, desk, tau, side):
    m = case.model
    code, report, error, command = desk.report("solve", "model.json", "--tau", text(tau), "--side", side, "--attitude",
                                               "all", *case.options, "--policy-out", "p-{attitude}.json")
    files = desk.take("p-*.json")
    if code == 2 and (m.adversarial or not isinstance(m.initial, str)):
        return []
    if code != 0:
        return [(command, f"exit code {code}: {error}")]
    wrong = []
    for entry in report["attitudes"]:
        file = f"p-{entry['attitude'].replace(':', '-')}.json"
        if file not in files:
            wrong.append(f"{entry['attitude']}: no policy among {sorted(files)}")
            continue
        law = played(case, files[file])
        own = quantile(law, tau, side)
        if not inside(case.sign, entry["bracket"], own, own):
            wrong.append(f"{entry['attitude']}: {entry['bracket']}, played {own}")
        p = at_least(law, case.sign * numbers([entry["quantile"]])[0])
        wrong += [f"{entry['attitude']}: {w}" for w in by_label(entry, p, p)]
        wrong += [f"{entry['attitude']}: {w}" for w in mean_is(case, entry, law)]
        if entry["attitude"] == "resolute":
            best = max(quantile(l, tau, side) for l in case.laws)
            if not inside(case.sign, entry["bracket"], best, best):
                wrong.append(f"resolute: {entry['bracket']}, truth {best}")
        low, high = sorted(numbers(entry["regret_bracket"]))
        if low < 0 or high < low:
            wrong.append(f"{entry['attitude']}: regret {low} to {high}")
    return [(command, w) for w in wrong]


@pytest.mark.parametrize("asked", cases(), ids=name)
def test_every_answer_is_true(asked):
    case, wrong = Case(*asked), []
    with Desk(case.model) as desk:
        # One in three, another third with each seed; all of them in every run.
        for i, criterion in enumerate([*CRITERIA, NESTED]):
            if (i + asked[-1] + asked[0]) % 3 == 0:
                wrong += attempt(judge_criterion, case, desk, criterion)
        wrong += attempt(judge_promise, case, desk)
    assert not wrong, "\n".join([f"{len(wrong)} wrong", case.model.json(), *("\n".join(w) for w in wrong[:4])])


def attempt(judge, case, desk, *more):
    try:
        return judge(case, desk, *more)
    except Stuck as stuck:
        return [(judge.__name__, f"the policy is stuck: {stuck}")]
