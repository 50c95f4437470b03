"""Arguments that make no sense are named, and those that do are honoured: initial states above all."""

from __future__ import annotations

import math
import pickle
import warnings
from fractions import Fraction

import gymnasium
import numpy as np
import pytest

import quantiplan as qp

GOOD = [[[0.5, 0.5], [0, 1]]]
EVEN = {"home": "1/2", "station": "1/2"}


# Initial states


def test_a_drawn_initial_state_is_said_or_drawn(commute):
    policy = commute.solve(tau=0.3, initial=EVEN)[0.3].policy
    assert policy.initial == {"home": Fraction(1, 2), "station": Fraction(1, 2)}
    assert policy.start(state="station").state == "station" and policy.start(state="home").act() in ("bike", "train")
    drawn = [policy.start(seed=k).state for k in range(40)]
    assert drawn == [policy.start(seed=k).state for k in range(40)] and set(drawn) == {"home", "station"}
    assert [policy.drawn_initial(k) for k in range(40)] == drawn
    assert {policy.start().state for _ in range(60)} == {"home", "station"}
    with pytest.raises(qp.RequestError):
        policy.start(state="work")
    with pytest.raises(qp.RequestError, match="seed: found -1"):
        policy.start(seed=-1)


def test_taxi_begins_in_one_of_300_states():
    env = gymnasium.make("Taxi-v4")
    with pytest.warns(qp.QuantiplanWarning, match="initial: probabilities sum to 1.0000.*, normalised to 1"):
        m = qp.Model.from_gymnasium(env, horizon=3)
    law = env.unwrapped.initial_state_distrib
    assert set(m.initial) == set(np.flatnonzero(law).tolist()) and len(m.initial) == 300
    assert set(m.initial.values()) == {Fraction(1, 300)}
    best = m.solve(tau=0.5)[0.5]
    with qp.gym.follow(env, best.policy) as live:
        for seed in range(5):
            state, _ = live.reset(seed=seed)
            assert live.run.state == state
            live.step()


@pytest.mark.parametrize("name, states", [("FrozenLake-v1", {0: 1}), ("CliffWalking-v1", {36: 1})])
def test_one_initial_state_stays_one(name, states):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # rows of thirds are normalised
        m = qp.Model.from_gymnasium(gymnasium.make(name), horizon=2)
    assert {m.initial: 1} == states


def test_an_environment_that_begins_elsewhere_is_refused():
    env = gymnasium.make("Taxi-v4")
    policy = qp.Model.from_gymnasium(env, horizon=2, initial={0: 1}).solve(tau=0.5)[0.5].policy
    with pytest.raises(qp.RequestError, match="reset: the environment begins in state"):
        qp.gym.follow(env, policy).reset(seed=1)


@pytest.mark.parametrize("initial", [[0.25, 0.75], np.array([0.25, 0.75]), {0: 0.25, 1: Fraction(3, 4)}])
def test_distributions_over_the_states(initial, no_warnings):
    m = qp.Model.from_arrays(GOOD, [1, 2], horizon=2, initial=initial)
    assert m.initial == {0: Fraction(1, 4), 1: Fraction(3, 4)}
    other = qp.Model.from_arrays(GOOD, [1, 2], horizon=2, initial=0)
    assert other.solve(tau=0.5, initial=initial)[0.5].policy.initial == m.initial
    named = qp.Model.from_arrays(GOOD, [1, 2], horizon=2, initial=[0, 1], states=["a", "b"])
    assert named.initial == "b"


def test_distributions_are_normalised_as_rows_are():
    third = np.full(3, 1 / 3, dtype=np.float32)
    P = np.broadcast_to(np.eye(3), (1, 3, 3))
    with pytest.warns(qp.QuantiplanWarning, match="initial: probabilities sum to .*, normalised to 1"):
        m = qp.Model.from_arrays(P, [1, 2, 3], horizon=1, initial=third)
    assert set(m.initial.values()) == {Fraction(1, 3)}
    one = qp.Model.from_arrays(P, [1, 2, 3], horizon=1, initial=0)
    with pytest.warns(qp.QuantiplanWarning, match="initial: probabilities sum to .*, normalised to 1"):
        assert one.solve(tau=0.5, initial=third)[0.5].policy.initial == m.initial
    with pytest.warns(qp.QuantiplanWarning, match="normalised"):
        text = {"format": "quantiplan-model/1", "horizon": 1, "initial": {"a": 0.3333333, "b": 0.6666667000001}}
        text["choices"] = [
            {"state": s, "action": "go", "next": [{"to": s, "probability": 1, "reward": 1}]} for s in "ab"
        ]
        assert sum(qp.Model.from_json(text).initial.values()) == 1
    for wrong, message in [([0.5, 0.4, 0], "sum to 0.9"), ([0.5, 0.5], "for each of 3 states"), ([[1, 0, 0]], "shape")]:
        with pytest.raises(qp.Error, match=message):
            qp.Model.from_arrays(P, [1, 2, 3], horizon=1, initial=wrong)
        with pytest.raises(qp.Error, match=message):
            one.solve(tau=0.5, initial=wrong)


# Errors


@pytest.mark.parametrize(
    "given, message",
    [
        ({"mixed": "yes"}, "mixed: found 'yes', expected True or False"),
        ({"compare": "all"}, "compare: found 'all', expected True or False"),
        ({"cost": "no"}, "cost: found 'no', expected True or False"),
        ({"adversarial": 3}, "adversarial: found 3, expected True or False"),
        ({"check": "no"}, "check: found 'no', expected True or False"),
        ({"progress": 3}, "progress: found 3, expected True, False or a function"),
        ({"horizon": 10**30}, "horizon: found 1000"),
        ({"horizon": True}, "horizon: found True"),
        ({"prefer": None}, "prefer: found None"),
    ],
)
def test_wrong_types_are_named(commute, given, message):
    with pytest.raises(qp.RequestError) as caught:
        commute.solve(tau=0.1, **given)
    assert message in str(caught.value)


def test_other_wrong_types_are_named(commute):
    policy = commute.solve(tau=0.3)[0.3].policy
    for call, message in [
        (lambda: commute.solve(tau=True), "tau: found True, expected a number"),
        (lambda: commute.solve(tau=np.True_), "expected a number"),
        (lambda: policy.simulate(-1), "episodes: found -1, expected a whole number from 1"),
        (lambda: policy.simulate(0), "episodes: found 0, expected a whole number from 1"),
        (lambda: policy.simulate(1.5), "episodes: found 1.5"),
        (lambda: policy.simulate(1, seed=-1), "seed: found -1"),
        (lambda: policy.simulate(1, trace="no"), "trace: found 'no'"),
        (lambda: policy.explain("home", time=-1), "time: found -1"),
        (lambda: commute.tradeoff(tau=0.1, most_points=-1), "most_points: found -1"),
        (lambda: qp.read("examples/commute.json", tolerance=-1), "tolerance: found -1, expected at least 0"),
        (lambda: qp.read("examples/commute.json", round_rewards="x"), "round_rewards: found 'x'"),
        (lambda: qp.read("examples/commute.json", cost="no"), "cost: found 'no'"),
        (lambda: qp.Model.from_arrays(GOOD, [0, 0], horizon=1, initial=0, tolerance=-1), "tolerance: found -1, expected at least 0"),
        (lambda: qp.Model.from_arrays(GOOD, [0, 0], horizon=1, initial=0, cost="no"), "cost: found 'no'"),
        (lambda: qp.gym.follow(object(), policy), "env: found <object"),
        (lambda: qp.gym.follow(gymnasium.make("FrozenLake-v1"), 3), "policy: found 3, expected a qp.Policy"),
    ]:
        with pytest.raises(qp.Error) as caught:
            call()
        assert message in str(caught.value)


# Pickles


def test_distributions_and_runs_are_pickled(commute):
    r = commute.solve(tau=0.3)[0.3]
    law = r.policy.evaluate(measures="cvar", tau=0.3)
    for each in (law, r.distribution):
        again = pickle.loads(pickle.dumps(each))
        assert again.levels_exact == each.levels_exact and again.probabilities_exact == each.probabilities_exact
        assert repr(again) == repr(each)
    assert pickle.loads(pickle.dumps(law)).measures["cvar", 0.3].exact == Fraction(-1439, 30)
    run = r.policy.start()
    run.act()
    run.observe(-10, "station")
    again = pickle.loads(pickle.dumps(run))
    assert (again.time, again.state, again.collected, again.target) == (1, "station", -10, run.target)
    assert again.act() == run.act() and again.chance == run.chance
    copied = pickle.loads(pickle.dumps(run.copy()))
    assert (copied.time, copied.collected) == (1, -10)


# Structures


class WorstDay:
    def initial(self):
        return 100

    def update(self, wealth, reward):
        return min(wealth, reward)

    def key(self, wealth):
        return wealth


class WithNumbers(WorstDay):
    def number(self, wealth):
        return wealth


class Broken(WorstDay):
    def key(self, wealth):
        return math.nan


def test_levels_of_a_structure_are_its_own(commute):
    plain = commute.solve(tau=0.3, structure=WorstDay())[0.3]
    law = plain.policy.evaluate()
    assert law.classes == sorted(law.classes, key=int) and np.isnan(law.levels).all()
    assert law.levels_exact == law.classes and law.quantile_bracket(0.3)[0] == plain.level
    played = plain.policy.simulate(50, seed=1)
    assert math.isnan(played.mean) and set(played.classes) <= set(law.classes) and played.levels_exact == played.classes
    assert "nan" not in repr(law)
    counted = commute.solve(tau=0.3, structure=WithNumbers())[0.3]
    law = counted.policy.evaluate()
    assert law.levels.tolist() == [float(c) for c in law.classes]
    assert law.at_least(law.levels_exact[-1]) == law.probabilities[-1] and law.at_least(-1000) == 1
    played = counted.policy.simulate(50, seed=1)
    assert played.mean == pytest.approx(np.average([float(c) for c in played.classes], weights=played.counts))
    assert played.at_least(-1000) == 1


class Unordered(WorstDay):
    def key(self, wealth):
        return (float("nan"), wealth)


def test_a_key_that_is_not_itself_is_refused(commute):
    with pytest.raises(qp.RequestError, match="structure: the keys .* neither equal nor is one greater"):
        commute.solve(tau=0.3, structure=Unordered())
    with pytest.raises(qp.RequestError, match=r"structure: key\(.*\) is nan, expected what equals itself"):
        commute.solve(tau=0.3, structure=Broken())
