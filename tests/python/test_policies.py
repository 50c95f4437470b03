"""Policies: followed, explained, played, checked, saved; in environments; by structures of one's own."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction

import gymnasium
import pytest

import quantiplan as qp
from conftest import EXAMPLES, program


@pytest.fixture
def policy(commute) -> qp.Policy:
    return commute.solve(tau=0.3)[0.3].policy


def test_runs_carry_what_is_left(policy):
    run = policy.start()
    assert (run.time, run.state, run.target, run.is_over) == (0, "home", -25, False)
    assert run.act("home") == "train" and run.chance == 0.72
    run.observe(-10, "station")
    other = run.copy()
    assert (run.time, run.target, run.chance, run.collected) == (1, -15, 0.8, -10)
    run.observe(-15, run.act() and "office")
    assert run.is_over and run.chance == 1 and other.time == 1
    with pytest.raises(qp.RequestError, match="is over"):
        run.act()


def test_what_cannot_happen_is_an_error(policy):
    run = policy.start()
    with pytest.raises(qp.RequestError, match="observe: found no action"):
        run.observe(-10, "station")
    with pytest.raises(qp.RequestError, match="act: found state 'office', expected 'home'"):
        run.act("office")
    run.act()
    with pytest.raises(qp.RequestError, match="found reward -11"):
        run.observe(-11, "station")


def test_explanations_compare_the_actions(policy):
    told = policy.explain("home")
    assert [(a.action, a.taken, a.probability.exact) for a in told] == [("bike", False, 0), ("train", True, Fraction(18, 25))]
    assert told.taken.mean.exact == Fraction("-31.89") and told.left == -25
    assert "-> train: kept with probability 0.72" in repr(told)
    assert list(told.to_frame()["taken"]) == [False, True]
    run = policy.start()
    run.act()
    run.observe(-10, "station")
    assert run.explain().taken.probability == run.chance == 0.8
    assert policy.explain("station", time=1, wealth=-10).taken.probability == 0.8
    with pytest.raises(qp.RequestError, match="state 'statio'"):
        policy.explain("statio")
    with pytest.raises(qp.RequestError, match="explain"):
        policy.explain("office", time=3)


def test_the_gamble_shows_why_wealth_is_remembered():
    policy = qp.generate("gamble").solve(tau=0.1, prefer="probability")[0.1].policy
    assert policy.explain("second", time=1, wealth=-50).taken.action == "small"
    assert {a.action: a.probability for a in policy.explain("second", time=1, wealth=-50)} == {"small": 1, "large": 0.5}


def test_what_a_policy_does_is_the_program_s_account(policy, commute, tmp_path):
    path, model = tmp_path / "p.json", str(EXAMPLES / "commute.json")
    policy.save(path, model=False)
    told = program("explain", model, "--policy", str(path), "--summary", "--episodes", "200", "--seed", "3")
    found = policy.summary(200, seed=3)
    assert (found.steps, found.episodes) == (told["steps"], told["episodes"]) and found.is_compared
    assert found.actions == [(each["action"], each["steps"]) for each in told["actions"]]
    assert [(s.state, s.met, s.differs, s.most) for s in found.states] == [
        (each["state"], each["steps"], each["differs"], each["action"]) for each in told["states"]
    ]
    assert found.to_frame()["met"].sum() == found.steps
    bike = commute.solve(tau=0.1)[0.1].policy.summary(10).states[0]
    assert (bike.own_then, bike.other_then, bike.differs) == ("bike", "train", 10)
    assert policy.actions_by_wealth("station", time=1) == [qp.WealthRange("wait", None, None, [])]
    assert policy.actions_by_wealth("office", time=1) == []


def test_policies_as_model_checkers_have_them(policy, commute):
    chain = policy.chain()
    assert all(len(chain.choices(s)) <= 1 for s in chain.states) and {"met", "lost"} <= set(chain.labels)
    met = chain.threshold(policy.target)[policy.target]
    assert met.probability.exact == policy.claim["probability_exact"] == Fraction(18, 25)
    alone = commute.solve(tau=0.3, goal="office", horizon=math.inf)[0.3].policy
    assert alone.scheduler("prism-indices") == "0=1\n1=0\n" and '"labels": ["train"]' in alone.scheduler()
    with pytest.raises(qp.RequestError, match="format: found 'x', expected storm, prism-actions or prism-indices"):
        alone.scheduler("x")


def test_goals_may_go_on(tmp_path):
    m = qp.Model.from_arrays([[[0, 1], [0, 1]]], [0, 2], horizon=3, initial=0)
    going = m.going_on(goal=1)
    assert (going.states, going.goal, going.horizon) == ([0, 1, "(stopped)"], ["(stopped)"], 4)
    m.solve(tau=0.5)  # the model itself is as it was
    assert m.goal == [] and going.solve(tau=0.5)[0.5].quantile == 4
    path = tmp_path / "m.json"
    qp.Model.from_arrays([[[0, 1], [0, 1]]], [0, 2], horizon=3, initial=0, goal=1).save(path)
    told = program("solve", str(path), "--tau", "0.5", "--goal-ends", "no")["results"][0]
    assert told["quantile"] == pickle.loads(pickle.dumps(going)).solve(tau=0.5)[0.5].quantile
    assert m.going_on().goal == [] and m.going_on(goal=1, horizon=math.inf).horizon == math.inf


def test_episodes_are_seeded(policy):
    a, b, c = (policy.simulate(1000, seed=s) for s in (1, 1, 2))
    assert a.totals.tolist() == b.totals.tolist() != c.totals.tolist()
    assert a.episodes == len(a) == a.counts.sum() == 1000
    assert a.at_least(-25) == pytest.approx(0.72, abs=0.06) and a.mean == pytest.approx(-31.89, abs=1.5)
    told = policy.simulate(2, seed=1, trace=True)
    assert told.steps[0][0][:2] == ("home", "train") and len(told.to_frame()) >= 1


def test_claims_are_checked(policy, commute):
    verdict = policy.check()
    assert verdict and verdict.optimality_checked and verdict.findings
    assert commute.solve(tau=0.3, check=True)[0.3].check().passed
    with pytest.raises(qp.RequestError, match="claims nothing"):
        commute.expectation_policy().check()


def test_results_are_checked_as_solve_checks_them():
    """A miss, which policies do not claim, and costs to a goal at the infinite horizon, which they do."""
    half = qp.Model.from_arrays([[[0, 0.5, 0.5], [0, 1, 0], [0, 0, 1]]], [1, 0, 0], horizon=3, initial=0, goal=1)
    for side in ("lower", "upper"):
        now, then = (half.solve(tau=0.3, side=side, check=check)[0.3].check() for check in (False, True))
        assert now == then and now.passed and now.optimality_checked
    r = half.solve(tau=0.3, criterion="cvar", horizon=math.inf, cost=True, goal=[1, 2])[0.3]
    for verdict in (r.check(), r.policy.check()):
        assert verdict and verdict.optimality_checked and not verdict.nothing_to_check


def test_policies_are_saved_with_their_models(policy, commute, tmp_path):
    path = tmp_path / "p.json"
    policy.save(path)
    again = qp.load_policy(path)
    assert again.text() == policy.text() and again.evaluate().mean == policy.evaluate().mean
    policy.save(tmp_path / "q.json", model=False)
    with pytest.raises(qp.PolicyError, match="no model beside it"):
        qp.load_policy(tmp_path / "q.json")
    assert qp.load_policy(tmp_path / "q.json", commute).target == -25


def test_pickles_need_nothing_but_themselves(commute):
    ans = commute.solve(tau=[0.1, 0.3], side="both")
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(ans, protocol))
        r = again[0.3]
        assert r.quantile == -25 and r.probability.exact == Fraction(18, 25) and r.policy.start().act() == "train"
        assert r.distribution.levels.tolist() == ans[0.3].distribution.levels.tolist() and again.text == ans.text
    m = qp.Model.from_arrays([[[0.5, 0.5], [0, 1]]], [1, 2], horizon=2, initial=0)
    copy = pickle.loads(pickle.dumps(m))
    assert copy.states == [0, 1] and copy.solve(tau=0.5)[0.5].policy.start().act(0) == 0
    for thing in (commute.threshold(-30), commute.frontier(), commute.attitudes(0.3), ans[0.1].policy):
        assert repr(pickle.loads(pickle.dumps(thing))) == repr(thing)
    error = pickle.loads(pickle.dumps(qp.ModelError([qp.Problem("a", "b")])))
    assert error.problems == [qp.Problem("a", "b")]


class LongestRun:
    """The longest run of steps that paid something."""

    def initial(self):
        return (0, 0)

    def update(self, wealth, reward):
        now = wealth[0] + 1 if reward > 0 else 0
        return (now, max(now, wealth[1]))

    def key(self, wealth):
        return wealth[1]


def test_a_structure_in_python_works_as_one_of_the_library():
    m = qp.Model.from_arrays([[[0.5, 0.5], [0.5, 0.5]]], [[[0, 1], [0, 1]]], horizon=4, initial=0)
    r = m.solve(tau=0.5, structure=LongestRun())[0.5]
    # Runs of at least 1, 2, 3 heads in four tosses: 15, 8, 3 of 16.
    assert r.level == "1" and r.probability.exact == Fraction(15, 16)
    curve = m.frontier(structure=LongestRun())
    assert dict(zip(curve.classes, curve.probabilities_exact)) == {
        "0": 1, "1": Fraction(15, 16), "2": Fraction(1, 2), "3": Fraction(3, 16), "4": Fraction(1, 16),
    }
    run = r.policy.start()
    run.act(0)
    run.observe(1, 1)
    assert run.wealth == "(1, 1)"
    again = pickle.loads(pickle.dumps(r.policy))
    assert again.evaluate().probabilities.sum() == pytest.approx(1)


def test_what_a_structure_raises_comes_out():
    class Broken(LongestRun):
        def update(self, wealth, reward):
            raise ZeroDivisionError("on purpose")

    m = qp.Model.from_arrays([[[0.5, 0.5], [0.5, 0.5]]], [0, 1], horizon=2, initial=0)
    with pytest.raises(ZeroDivisionError, match="on purpose"):
        m.solve(tau=0.5, structure=Broken())
    assert isinstance(LongestRun(), qp.Structure)


def test_environments_are_followed():
    env = gymnasium.make("FrozenLake-v1", is_slippery=True)
    m = qp.Model.from_gymnasium(env, horizon=30)
    r = m.solve(tau=0.7)[0.7]
    with qp.gym.follow(env, r.policy) as following:
        wins = sum(following.play(seed=s) for s in range(100))
        assert following.run.is_over or following.run.time == 30
    assert wins / 100 == pytest.approx(float(m.threshold(1)[1].probability), abs=0.2)


def test_following_tells_of_what_does_not_fit():
    env = gymnasium.make("CliffWalking-v1")
    m = qp.Model.from_gymnasium(env, horizon=20, initial=0)
    following = qp.gym.follow(env, m.solve(tau=0.5)[0.5].policy)
    with pytest.raises(qp.RequestError, match="expected reset"):
        following.act()
    with pytest.raises(qp.RequestError, match="begins in state 36, but the policy in 0"):
        following.reset(seed=1)
