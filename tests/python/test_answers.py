"""Answers: the same as the program's, on all examples and on random models; and what they say of themselves."""

from __future__ import annotations

import json
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from conftest import EXAMPLES, program, program_path, random_arrays

import quantiplan as qp

FILES = sorted(p.name for p in EXAMPLES.iterdir() if p.suffix in (".json", ".csv", ".prism"))


def as_printed(total):
    """A total as the program's JSON has it."""
    if isinstance(total, str):
        return total
    if isinstance(total, float):
        return {math.inf: "inf", -math.inf: "-inf"}[total]
    return float(total)


def plain(value):
    """What the program printed, as a float where it is one."""
    if isinstance(value, str) and "/" in value:
        return float(Fraction(value))
    return value


def agree(answer: qp.Answer, printed: dict) -> None:
    assert len(answer) == len(printed["results"])
    for mine, its in zip(answer, printed["results"]):
        assert mine.tau == Fraction(its["tau"]) and mine.side == its["side"]
        assert mine.certificate == its["certificate"] and mine.status == its["status"]
        key = "quantile" if "quantile" in its else "class"
        assert as_printed(mine.quantile_exact) == plain(its[key])
        if its.get("probability") is not None:
            assert float(mine.probability) == its["probability"]
        if its.get("mean") is not None and not isinstance(its["mean"], str):
            assert float(mine.mean) == its["mean"]


@pytest.mark.parametrize("name", FILES)
def test_examples_have_the_program_s_answers(name):
    options = ["--horizon", "5"] if name.endswith((".csv", ".prism")) else []
    asking = {"horizon": 5} if options else {}
    if name.endswith(".csv"):
        options += ["--initial", "home"]
        asking["initial"] = "home"
    if name == "ring.prism":  # several initial states
        options += ["--initial", "(x1=0,x2=0,x3=0)"]
        asking["initial"] = "(x1=0,x2=0,x3=0)"
    const = {}
    if name == "gathering.prism":
        const = {"danger": 0.1}
        options += ["--const", "danger=0.1"]
    printed = program("solve", f"examples/{name}", "--tau", "0.1,0.5", "--side", "both", *options)
    agree(qp.read(EXAMPLES / name, const=const).solve(tau=[0.1, 0.5], side="both", **asking), printed)


def test_random_models_have_the_program_s_answers(tmp_path):
    """200 of them, from arrays here and from files there."""
    for seed in range(200):
        P, R = random_arrays(seed, states=3, actions=2)
        m = qp.Model.from_arrays(P, R, horizon=3, initial=0, discount=[1, 0.5][seed % 2])
        ans = m.solve(tau=[0.2, 0.5], side="both")
        if seed % 4 == 0:
            m.convert(tmp_path / "m.json")
            agree(ans, program("solve", str(tmp_path / "m.json"), "--tau", "0.2,0.5", "--side", "both"))
        # And whatever the program says, the policy keeps the promise, as its own distribution tells.
        for r in ans:
            law = r.policy.evaluate()
            assert law.quantile_bracket(r.tau, r.side)[0] >= r.quantile_exact
            assert law.at_least(r.quantile_exact).exact == r.probability.exact


def test_tau_and_probability_are_two_names_of_one_thing(commute):
    by_tau = commute.solve(tau=[0.1, Fraction(1, 3)])
    by_promise = commute.solve(probability=[0.9, Fraction(2, 3)])
    assert [r.quantile for r in by_tau] == [r.quantile for r in by_promise]
    assert by_promise[0.1].tau == Fraction(1, 10)
    with pytest.raises(qp.RequestError, match="found together with tau"):
        commute.solve(tau=0.1, probability=0.9)
    with pytest.raises(qp.RequestError, match="expected tau=.1 or probability=.9"):
        commute.solve()


def test_results_say_what_matters(commute):
    r = commute.solve(tau=0.3)[0.3]
    assert (r.quantile, r.bracket, r.certificate, r.status) == (-25.0, (-25.0, -25.0), "exact", "solved")
    assert r.quantile_exact == -25 and isinstance(r.quantile_exact, Fraction)
    assert r.probability == 0.72 and r.probability.exact == Fraction(18, 25) and r.probability.certainty == "exact"
    assert r.mean.exact == Fraction("-31.89") and r.mean_bound >= r.mean
    assert r.expectation_policy.mean == r.mean
    assert repr(r) == "<Result tau 0.3 lower: -25 exact, P(W >= -25) = 0.72, mean -31.89>"
    assert "<td>-25</td>" in r._repr_html_() and "<td>0.72</td>" in r.distribution._repr_html_()
    assert "commute" in commute._repr_html_() and commute.frontier()._repr_html_().count("<tr>") == 5
    assert commute.solve(tau=0.3).result.quantile == -25
    assert "quantile-optimal" in commute.solve(tau=0.3).text


def test_answers_are_looked_up_by_tau_and_side(commute):
    ans = commute.solve(tau=[0.1, 0.2], side="both")
    assert ans[0.2, "upper"].side == "upper" and ans["1/10"].tau == Fraction(1, 10)
    with pytest.raises(KeyError, match="there are results for tau 0.1 lower"):
        ans[0.3]
    frame = ans.to_frame()
    assert list(frame["tau"]) == [0.1, 0.1, 0.2, 0.2] and list(frame.columns)[:3] == ["tau", "side", "quantile"]


def test_distributions_are_read_only_arrays(commute):
    law = commute.solve(tau=0.3)[0.3].distribution
    assert law.levels.tolist() == [-65, -55, -35, -30, -25] and law.probabilities.sum() == pytest.approx(1)
    assert not law.levels.flags.writeable and law.levels.base is not None
    with pytest.raises(ValueError):
        law.levels[0] = 1
    assert law.levels_exact[0] == Fraction(-65) and law.probabilities_exact[-1] == Fraction(18, 25)
    assert law.at_least(-30) == 0.73 and law.quantile(0.5) == -25
    levels = law.levels
    del law
    assert levels[0] == -65  # the array keeps what it looks at


def test_a_sample_says_that_it_is_one():
    """What is too large to be followed is played, and is an estimate then; of its ends a sample knows little."""
    m = qp.generate("machine", levels=40, horizon=600, discount="0.9999")
    law = m.solve(tau=0.1, epsilon=20, compare=False)[0.1].policy.evaluate(time_limit=1)
    found = law.sample
    assert found.confidence == 0.999 and 0 < found.band <= 1 and f"of {found.episodes} episodes" in repr(law)
    level = law.levels_exact[len(law) // 2]
    low, high = law.at_least_bracket(level)
    assert low <= Fraction(float(law.at_least(level))) <= high and law.at_least(level).certainty == "estimate"
    assert law.mean.certainty == "estimate" and law.quantile_bracket("1e-9")[0] == -math.inf
    assert law.quantile_bracket(1 - Fraction(1, 10**9), "upper")[1] == math.inf
    assert law.measure("mean").sample == found


def test_the_curve_has_a_policy_for_each_of_its_levels(commute):
    for m in (commute, qp.generate("gambler", goal=6, horizon=5), qp.read(EXAMPLES / "datacenter.json")):
        curve = m.frontier(cost=m is commute)
        for level, probability in list(zip(curve.levels_exact, curve.probabilities))[:: 1 + len(curve) // 6]:
            assert float(curve.policy(level).evaluate().at_least(level)) == pytest.approx(probability, rel=1e-9)
    again = pickle.loads(pickle.dumps(curve))
    with pytest.raises(qp.RefusedError, match="threshold finds a policy"):
        again.policy(0)


def test_costs_ascend_and_are_small_where_they_are_good():
    m = qp.read("examples/commute.json")
    cost = qp.Model.from_dataframe(m.to_frame().assign(reward=lambda f: -f["reward"]), horizon=3, initial="home", cost=True)
    a, b = m.solve(tau=0.3)[0.3], cost.solve(tau=0.3)[0.3]
    assert b.quantile == -a.quantile == 25 and b.mean == -a.mean and b.probability == a.probability
    assert b.distribution.levels.tolist() == [25, 30, 35, 55, 65]
    assert cost.threshold(30)[30].probability == m.threshold(-30)[-30].probability
    assert cost.frontier().levels.tolist() == sorted(-m.frontier().levels)
    run = b.policy.start()
    assert run.target == 25 and run.act() == "train"
    assert "P(C <= 25) = 0.72" in repr(b)
    nothing = qp.Model.from_arrays([[[1]]], [0], horizon=2, initial=0, cost=True).solve(tau=0.3)[0.3]
    assert repr(nothing).endswith("mean 0>") and str(nothing.mean) == "0.0"


def test_frontiers_thresholds_and_tradeoffs(commute):
    curve = commute.frontier(tau=0.3)
    assert curve.levels.tolist() == [-40, -35, -30, -25] and curve.probabilities.tolist() == [1, 0.802, 0.73, 0.72]
    assert curve.quantiles[0]["quantile"] == -25 and list(curve.to_frame().columns) == ["level", "probability"]
    found = commute.threshold([-40, -30])
    assert found[-30].probability.exact == Fraction(73, 100) and found[-40].probability == 1
    assert found[-30].policy.evaluate().at_least(-30) == 0.73 and found[-30].check()
    assert len(found.to_frame()) == 2
    m = qp.generate("inventory")
    trade = m.tradeoff(tau=0.1)
    means = [float(p.mean) for p in trade]
    assert means == sorted(means, reverse=True) and trade.to_frame()["level"].is_monotonic_increasing
    by_probability = m.tradeoff(target=trade[-1].level)
    assert by_probability.by == "probability" and by_probability[-1].policy.evaluate()


def test_brackets_hold_and_say_why():
    m = qp.generate("machine", levels=4, horizon=40, discount=0.93)
    r = m.solve(tau=0.1, epsilon=0.5)[0.1]
    low, high = r.bracket
    assert r.certificate in ("bracket", "exact") and low <= r.quantile <= high and high - low <= 0.5
    assert m.info()["wealth_is_exact"] is False


def test_goals_and_infinite_horizons():
    m = qp.read("examples/upload.json")
    r = m.solve(tau=0.1)[0.1]
    assert r.quantile < math.inf and r.policy.kind == "stationary"


def test_declared_structures_have_classes():
    m = qp.read("examples/workflow.json")
    r = m.solve(tau=0.2)[0.2]
    assert r.level == "deployed untested" and math.isnan(r.quantile)
    assert r.level in m.frontier().classes
    assert m.threshold(r.level)[r.level].probability >= 1 - 0.2
    assert r.policy.start().wealth is not None and r.distribution.classes
    with pytest.raises(qp.RequestError):
        m.threshold("no such class")
    better = m.solve(tau=0.2, prefer="classes")[0.2]
    assert better.level == r.level and (better.next_class is None or better.next_class.probability <= 1)
    assert qp.read("examples/treatment.json").solve(tau=0.2)[0.2].quantile == 4  # the worst of numbers is a number


def test_models_are_declared_as_json():
    declared = json.loads((EXAMPLES / "commute.json").read_text())
    assert qp.Model.from_json(declared).solve(tau=0.3)[0.3].quantile == -25
    declared["wealth"] = {"kind": "max"}
    assert qp.Model.from_json(declared).solve(tau=0.3)[0.3].quantile_exact is not None


def test_attitudes_tell_what_they_go_by(commute):
    found = commute.attitudes(tau=0.3)
    assert found.slack == 0 and found["recursive"].nested == -25 and found["resolute"].nested is None
    assert all(each.bracket == (each.quantile, each.quantile) and each.left_out == "" for each in found)


def test_attitudes(commute):
    found = commute.attitudes(tau=0.3)
    assert found["resolute"].quantile == -25 and len(found.to_frame()) == 5
    with pytest.raises(qp.RequestError, match="attitude"):
        commute.attitudes(0.3, "stubborn")


def test_mixtures_attain_the_bound():
    m = qp.generate("inventory")
    r = m.solve(tau=0.1, side="upper", mixed=True, prefer="mean")[0.1]
    if r.mixed is not None:
        assert float(r.mixed.mean) >= float(r.mean) - 1e-9
        assert r.mixed.policy.start(seed=1).act() in m.choices(m.initial)
        assert r.mixed.policy.evaluate().mean == pytest.approx(float(r.mixed.mean))


def test_the_wheel_brings_the_program():
    import subprocess

    done = subprocess.run([program_path(), "--version"], capture_output=True, text=True, check=True)
    assert qp.__version__ in done.stdout


def test_pictures(commute):
    import matplotlib

    matplotlib.use("Agg")
    r = commute.solve(tau=0.3)[0.3]
    for axes in (r.plot(), r.distribution.plot(), commute.frontier().plot(), qp.generate("inventory").tradeoff(tau=0.1).plot()):
        assert axes.lines
    assert np.all(np.diff(commute.frontier().plot().lines[0].get_ydata()) <= 0)


def test_a_report_is_one_page(commute, tmp_path):
    ans = commute.solve(tau=0.3)
    path = tmp_path / "report.html"
    try:
        left_out = ans.report(path, criteria=["cvar"])
    except qp.RefusedError as error:  # built without node
        assert "scripts/web.sh" in str(error)
        return
    assert left_out == []
    text = path.read_text(encoding="utf-8")
    assert '"asked":true' in text and '"name":"cvar"' in text and '"quantile":"-25"' in text
    again = pickle.loads(pickle.dumps(ans))
    again.report(path, check=False)
    assert '"check":' not in path.read_text(encoding="utf-8")
    with pytest.raises(qp.FileError):
        ans.report(tmp_path / "no" / "report.html")
