"""Criteria beside the quantile: the same answers as the program's, and what a user does with them."""

from __future__ import annotations

import json
import math
import pickle
import subprocess
from fractions import Fraction

import pytest
from conftest import program, program_path

import quantiplan as qp
from quantiplan._numbers import floats_of

HARVEST = "examples/harvest.json"
WITH_TAU = ["cvar", "mean-cvar:0.3", "evar", "nested-cvar"]
WITHOUT = ["worst-case", "expectation", "entropic:0.02", "mean-variance:0.01", "utility:target(95, 2)"]
# docs/criteria.md: each criterion takes another offer.
TAKES = {
    "quantile": "auction",
    "cvar": "cooperative",
    "evar": "insured",
    "worst-case": "contract",
    "expectation": "export",
    "entropic:0.02": "storage",
    "mean-variance:0.01": "market",
    "utility:target(95, 2)": "credit",
}


@pytest.fixture
def harvest() -> qp.Model:
    return qp.read(HARVEST)


def asked(criterion: str) -> dict:
    return {"tau": Fraction(1, 5)} if qp.Criterion(criterion).takes_tau else {}


def number(written: float | str) -> float:
    return float(Fraction(written))


@pytest.mark.parametrize("criterion", WITH_TAU + WITHOUT)
def test_answers_are_the_programs(harvest, criterion):
    r = harvest.solve(criterion=criterion, **asked(criterion)).result
    tau = ["--tau", "1/5"] if qp.Criterion(criterion).takes_tau else []
    [expected] = program("solve", HARVEST, "--criterion", criterion, *tau)["results"]
    assert r.value == number(expected["value"])
    assert [float(end) for end in r.bracket_exact] == [number(end) for end in expected["bracket"]]
    assert (r.certificate, r.status) == (expected["certificate"], expected["status"])
    assert str(r.criterion) == expected["criterion"] == str(qp.Criterion(criterion))
    assert r.quantile_exact is None and r.probability is None


@pytest.mark.parametrize("criterion, offer", TAKES.items())
def test_each_criterion_takes_another_offer(harvest, criterion, offer):
    r = harvest.solve(criterion=qp.Criterion(criterion), **asked(criterion)).result
    assert r.policy.start().act() == offer
    assert r.criterion == criterion


def test_values_are_exact(harvest):
    r = harvest.solve(tau=0.2, criterion="cvar")[0.2]
    assert (r.value_exact, r.bracket_exact) == (Fraction("90.4"), (Fraction("90.4"),) * 2)
    assert r.policy.claim["kind"] == "criterion" and r.policy.claim["criterion"] == "cvar"
    assert r.check() and r.value == 90.4
    assert harvest.solve(tau=0.2)[0.2].value == 130 and harvest.solve(tau=0.2)[0.2].criterion == "quantile"


def test_costs_are_costs(commute):
    cost = qp.Model.from_dataframe(commute.to_frame().assign(reward=lambda f: -f["reward"]), horizon=3, initial="home", cost=True)
    for criterion in ("cvar", "expectation"):
        given = {"tau": 0.7} if criterion == "cvar" else {}
        wealth, paid = commute.solve(criterion=criterion, **given).result, cost.solve(criterion=criterion, **given).result
        assert paid.value_exact == -wealth.value_exact and paid.bracket == tuple(-x for x in wealth.bracket[::-1])
    utility = "utility:exponential(0.1)"
    assert cost.solve(criterion=utility).result.value == commute.solve(criterion=utility).result.value


def test_results_without_a_tau_are_the_result(commute):
    ans = commute.solve(criterion="expectation")
    assert ans.result.value_exact == Fraction("-31.89")
    assert repr(ans.result) == "<Result expectation: -31.89 exact, mean -31.89>"
    with pytest.raises(KeyError, match="no tau; expected answer.result"):
        ans[0.1]
    with pytest.raises(qp.RequestError, match="has none"):
        ans.result.tau
    assert list(ans.to_frame()["value"]) == [-31.89]


def test_criteria_are_values(tmp_path):
    assert qp.Criterion.mean_cvar(0.3) == qp.Criterion("mean-cvar:0.3") == "mean-cvar:0.3"
    assert len({qp.Criterion.cvar(), qp.Criterion("cvar"), qp.Criterion.evar()}) == 2
    table = qp.Criterion.utility([(0, 0), (10, 5), (10, Fraction(16, 2)), (20, 9)], slope_below=2, slope_above="1/2")
    assert pickle.loads(pickle.dumps(table)) == table
    assert table != qp.Criterion.utility([(0, 0), (10, 5), (10, 7), (20, 9)], slope_below=2, slope_above="1/2")
    path = tmp_path / "bonus.csv"
    path.write_text("wealth,utility\nbelow,2\n0,0\n10,5\n10,8\n20,9\nabove,1/2\n")
    m = qp.generate("inventory", horizon=4)
    mine, file = m.solve(criterion=table).result, m.solve(criterion=f"utility:{path}").result
    assert mine.value_exact == file.value_exact and mine.criterion == table
    assert pickle.loads(pickle.dumps(mine)).value_exact == mine.value_exact


@pytest.mark.parametrize(
    "given, message",
    [
        ({"criterion": "cvr", "tau": 0.1}, "criterion: found 'cvr'"),
        ({"criterion": 3, "tau": 0.1}, "criterion: found 3, expected a text or a qp.Criterion"),
        ({"criterion": "cvar"}, "tau: found none"),
        ({"criterion": "expectation", "tau": 0.1}, "tau: found with the criterion expectation"),
        ({"criterion": "cvar", "tau": 0.1, "side": "upper"}, "side: found with criterion='cvar'"),
        ({"criterion": "cvar", "tau": 0.1, "mixed": True}, "mixed: found with criterion='cvar'"),
        ({"criterion": "cvar", "tau": 0.1, "prefer": "mean"}, "prefer: found with criterion='cvar'"),
        ({"criterion": "entropic:-1"}, "-1"),
    ],
)
def test_mistakes_are_named(commute, given, message):
    with pytest.raises(qp.RequestError) as caught:
        commute.solve(**given)
    assert message in str(caught.value)


def test_the_curve_has_every_tau(commute):
    curve = commute.frontier(criterion="cvar")
    expected = program("frontier", "examples/commute.json", "--criterion", "cvar")
    assert list(curve.values) == [p["value"] for p in expected["points"]]
    assert [r.tau for r in curve] == [Fraction(p["tau"]) for p in expected["points"]]
    assert [float(r.tau) for r in curve] == list(curve.taus) and (curve.taus[0], curve.taus[-1]) == (0, 1)
    assert len(curve.to_frame()) == len(curve) and curve.plot().get_xlabel() == "tau"
    with pytest.raises(qp.RequestError, match="tau: found with a criterion"):
        commute.frontier(tau=0.1, criterion="cvar")


def test_the_curve_of_mean_variance_has_every_lambda(commute):
    curve = commute.frontier(criterion="mean-variance")
    expected = program("frontier", "examples/commute.json", "--criterion", "mean-variance")
    assert curve.complete and curve.criterion == "mean-variance" and len(curve.taus) == 0
    assert curve.lambdas_exact == [Fraction(p["lambda"]) for p in expected["points"]]
    assert list(curve.variances) == [p["variance"] for p in expected["points"]]
    assert list(curve.means) == [p["mean"] for p in expected["points"]] == [-31.89, -40]
    assert [str(r.criterion) for r in curve] == ["expectation", "mean-variance:81100/1507779"]
    assert curve.plot().get_xlabel() == "standard deviation" and "2 lambdas" in repr(curve)
    assert curve[1].policy.evaluate().mean == -40


def test_measures_are_the_programs(commute, tmp_path):
    policy = commute.solve(tau=0.3)[0.3].policy
    policy.save(tmp_path / "p.json")
    found = policy.evaluate(measures="all", tau=[0.1, 0.3], beta=0.1, utility="exponential(0.1)").measures
    report = program("evaluate", "examples/commute.json", "--policy", str(tmp_path / "p.json"), "--tau", "0.1,0.3",
                     "--beta", "0.1", "--utility", "exponential(0.1)")
    assert len(found) == len(report["measures"]) == 12
    for m, expected in zip(found, report["measures"]):
        parameter = expected.get("tau", expected.get("beta"))
        assert (m.measure, m.parameter) == (expected["measure"], None if parameter is None else Fraction(parameter))
        assert m.value == number(expected["value"]) and (m.exact is not None) == expected["is_exact"]
        assert m.bracket[0] <= m.value <= m.bracket[1]
    assert found["cvar", 0.3].exact == Fraction(-1439, 30) and found["mean"].exact == Fraction("-31.89")
    assert policy.evaluate().measures is None
    assert policy.evaluate(tau=0.5).measures["quantile"].parameter == Fraction(1, 2)
    assert len(found.to_frame()) == 12


def test_brackets_of_floats_hold_what_brackets_of_fractions_do(commute):
    law = commute.solve(tau=0.3)[0.3].policy.evaluate(measures="all", tau=[0.1, 0.3])
    odd = qp.Model.from_arrays([[[1, 0], [1, 0]]], ["1/3", 0], horizon=40, initial=0, discount="0.97")
    r = odd.solve(tau=0.1, epsilon="1/7")[0.1]
    assert r.certificate == "bracket"
    for each in [*law.measures, r]:
        (low, high), (below, above) = each.bracket_exact, each.bracket
        assert (below, above) == (float(low), float(high)) if low == high else below <= low < high <= above
    third = Fraction(1, 3)
    assert floats_of(third, third) == (1 / 3, 1 / 3) and floats_of(-math.inf, third) == (-math.inf, 1 / 3)
    assert floats_of(third, 2 * third) == (1 / 3, math.nextafter(2 / 3, 1)) and floats_of(-third, 0 * third)[0] < -1 / 3


def test_measures_that_are_mistaken(commute):
    law = commute.solve(tau=0.3)[0.3].distribution
    for given, message in [
        ({"measures": "cvr"}, "cvr"),
        ({"measures": "utility"}, "utility needs utility="),
        ({"measures": "entropic", "beta": 0}, "beta"),
        ({"measures": "cvar", "tau": 2}, "tau"),
        ({"utility": 3}, "utility: found 3, expected a name"),
    ]:
        with pytest.raises(qp.RequestError) as caught:
            law.measure(**given)
        assert message in str(caught.value)


def test_policies_are_compared(harvest):
    table = harvest.compare(tau=0.2)
    done = subprocess.run([program_path(), "solve", HARVEST, "--tau", "0.2", "--compare", "all"],
                          capture_output=True, text=True, check=True)
    assert table.text == done.stdout
    assert table["cvar"].measures["cvar"].exact == Fraction("90.4") and table["quantile"].measures["quantile"].value == 130
    assert list(table.to_frame().index) == [row.criterion for row in table]
    some = harvest.compare(["cvar", qp.Criterion.entropic(0.02)], tau=0.2, criterion="entropic:0.02")
    assert len(some) == 2 and some["entropic:0.02"].measures["entropic"].value > some["cvar"].measures["entropic"].value
    assert len(harvest.compare("cvar", tau=0.2)) == 1
    with pytest.raises(qp.RequestError, match="tau: found 2 of them"):
        harvest.compare(tau=[0.1, 0.2])
    assert json.dumps([row.why for row in table]) == json.dumps([""] * 9)


def test_a_utility_is_no_promise_of_a_total():
    policy = qp.generate("inventory").solve(criterion="utility:exponential(0.1)").result.policy
    run = policy.start()
    assert run.target is None and run.chance is None and run.act() == "order 3"
    with pytest.raises(qp.RequestError, match="explain: found a policy without a target, expected one that promises"):
        policy.explain("stock=0", time=3, wealth=5)
    worst = qp.generate("inventory").solve(criterion="worst-case").result.policy.start()
    assert (worst.target, worst.chance) == (0, 1)
