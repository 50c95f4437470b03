"""Every question has the program's answer, on random models of every kind: sums, structures, costs, goals, drawn starts."""

from __future__ import annotations

import json
import math
import random
import subprocess
from fractions import Fraction

import pytest
from conftest import program_path

import quantiplan as qp

KINDS = ["sum"] * 6 + ["max", "min", "product", "lexicographic", "counts"]
CRITERIA = ["cvar", "expectation", "worst-case", "evar", "entropic:0.5", "mean-variance:0.1", "nested-cvar", "mean-cvar:0.5"]
CERTAINTY = {"lower bound": "at least", "upper bound": "at most"}


def printed(*arguments: str) -> dict | None:
    """What the program says; nothing where it refuses."""
    done = subprocess.run([program_path(), *arguments, "--json"], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 2, 3), done.stderr
    return None if done.returncode == 2 else json.loads(done.stdout)


def asked(call, *arguments, **named):
    try:
        return call(*arguments, **named)
    except qp.Error:
        return None


def total(value):
    """A total of either side, as a float where it is a number."""
    if isinstance(value, str):
        try:
            return float(Fraction(value))
        except ValueError:
            return {"inf": math.inf, "-inf": -math.inf}.get(value, value)
    return None if value is None else float(value)


def same(value: qp.Value | None, entry: dict, key: str = "probability") -> bool:
    if entry.get(key) is None:
        return value is None or math.isnan(value)
    exact, certainty = entry.get(f"{key}_exact"), entry.get(f"{key}_is")
    return (
        float(value) == total(entry[key])
        and (value.exact is None if exact is None else value.exact == Fraction(exact))
        and certainty in (None, value.certainty, next((c for c, v in CERTAINTY.items() if v == value.certainty), None))
    )


def random_model(draw: random.Random) -> dict:
    """A model file of two to four states, its rewards by the kind of wealth."""
    names = draw.choice([["s0", "s1", "s2", "s3"], ["a b", '"', "é<x>", "end"], ["0", "1", "2", "3"]])[: draw.randint(2, 4)]
    kind = draw.choice(KINDS)
    sign = draw.choice([-1, 1, 1])

    def reward():
        if kind == "sum":
            return f"{sign * draw.randint(0, 9)}/{draw.choice([1, 1, 2, 3])}"
        return {
            "product": draw.choice([1, "1/2", 3]),
            "lexicographic": [draw.randint(0, 2), draw.randint(-2, 2)],
            "counts": draw.choice(["bad", "ok", "good"]),
        }.get(kind, draw.randint(-4, 6))

    choices = []
    for state in names if draw.random() < 0.5 else names[:-1]:
        for action in range(draw.randint(1, 3)):
            to = draw.sample(names, draw.randint(1, min(3, len(names))))
            parts = [draw.randint(1, 9) for _ in to]
            outcomes = [{"to": s, "probability": f"{p}/{sum(parts)}", "reward": reward()} for s, p in zip(to, parts)]
            choices.append({"state": state, "action": f"a{action}", "next": outcomes})
    wealth = {"kind": kind, "components": 2, "labels": ["bad", "ok", "good"]}
    needed = {"kind", {"lexicographic": "components", "counts": "labels"}.get(kind)}
    model = {"format": "quantiplan-model/1", "states": names, "choices": choices, "horizon": draw.randint(1, 4)}
    model["wealth"] = {name: value for name, value in wealth.items() if name in needed}
    model["initial"] = draw.choice([names[0], {names[0]: "1/3", names[1]: "2/3"}])
    if kind == "sum":
        model |= {"discount": draw.choice([1, 1, 0.5, "2/3"]), "rewards": draw.choice(["reward", "cost"])}
        model |= draw.choice([{}, {}, {"goal": [names[-1]]}])
    return model


def agree_on_policies(policy: qp.Policy, path: str, file: str) -> None:
    policy.save(file, model=False)
    law, its = policy.evaluate(), printed("evaluate", path, "--policy", file)
    assert [total(w) for w in law.levels_exact] == [total(e.get("wealth", e.get("class"))) for e in its["distribution"]]
    assert law.probabilities.tolist() == [float(e["probability"]) for e in its["distribution"]]
    played, its = policy.simulate(30, seed=5), printed("simulate", path, "--policy", file, "--episodes", "30", "--seed", "5")
    assert [(total(w), c) for w, c in zip(played.levels_exact, played.counts.tolist())] == [
        (total(e.get("wealth", e.get("class"))), e["count"]) for e in its["totals"]
    ]
    if its.get("mean") is not None and not isinstance(its["mean"], str):
        assert played.mean == its["mean"]
    verdict, its = asked(policy.check), printed("check", path, file)
    assert (verdict and (verdict.passed, verdict.findings)) == (its and (its["passed"], its["findings"]))


def agree_on_curves(m: qp.Model, path: str, tau: str, options: list[str], asking: dict) -> None:
    curve, its = asked(m.frontier, **asking), printed("frontier", path, *options)
    assert (curve is None) == (its is None)
    if curve is not None and its["steps"] is not None:
        assert curve.probabilities.tolist() == [float(e["probability"]) for e in its["steps"]]
    found, its = asked(m.threshold, ["0", "1/2"], **asking), printed("threshold", path, "--target", "0,1/2", *options)
    assert (found is None) == (its is None)
    for r, e in zip(found or (), its["results"] if its else ()):
        assert same(r.probability, e) and (r.status, r.certificate) == (e["status"], e["certificate"])
    found, its = asked(m.tradeoff, tau, **asking), printed("tradeoff", path, "--tau", tau, *options)
    assert (found is None) == (its is None)
    for point, e in zip(found or (), its["points"] if its else (), strict=True):
        assert same(point.probability, e) and same(point.mean, e, "mean") and same(point.mean_bound, e, "mean_bound")


def agree_on_criterion(m: qp.Model, path: str, name: str, tau: str, options: list[str], asking: dict) -> None:
    given, named = (["--tau", tau], {"tau": tau}) if qp.Criterion(name).takes_tau else ([], {})
    found = asked(m.solve, criterion=name, **named, **asking)
    its = printed("solve", path, "--criterion", name, *given, *options)
    assert (found is None) == (its is None)
    for r, e in zip(found or (), its["results"] if its else ()):
        assert (total(r.value_exact), r.certificate) == (total(e["value"]), e["certificate"])
        assert [total(end) for end in r.bracket_exact] == [total(end) for end in e["bracket"]]


@pytest.mark.filterwarnings("ignore::quantiplan.QuantiplanWarning")
@pytest.mark.parametrize("seed", range(30))
def test_every_question_has_the_program_s_answer(seed, tmp_path):
    draw = random.Random(seed)
    path = str(tmp_path / "m.json")
    (tmp_path / "m.json").write_text(json.dumps(random_model(draw)))
    m = qp.read(path)
    tau, side = draw.choice(["0.1", "0.3", "1/3", "0.5"]), draw.choice(["lower", "upper"])
    options, asking = draw.choice(
        [([], {}), ([], {}), (["--adversarial"], {"adversarial": True}), (["--horizon", "infinite"], {"horizon": math.inf})]
    )
    ans = asked(m.solve, tau=tau, side=side, check=True, **asking)
    its = printed("solve", path, "--tau", tau, "--side", side, "--check", *options)
    assert (ans is None) == (its is None)
    if ans is not None:
        r, e = ans.result, its["results"][0]
        assert (r.status, r.certificate, r.prefer) == (e["status"], e["certificate"], e["prefer"])
        assert total(r.quantile_exact) == total(e.get("quantile", e.get("class")))
        assert same(r.probability, e) and same(r.mean, e, "mean")
        assert (r.check().passed, r.check().findings) == (bool(e["check"]["passed"]), e["check"]["findings"])
        policy = asked(lambda: r.policy)
        if policy is not None:
            agree_on_policies(policy, path, str(tmp_path / "p.json"))
    agree_on_curves(m, path, tau, options, asking)
    agree_on_criterion(m, path, draw.choice(CRITERIA), tau, options, asking)
