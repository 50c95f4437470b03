"""--cost: rewards are costs; every total of a report is a cost, least first."""

import json

import pytest

from conftest import model_text


def solve(quantiplan, *args):
    return quantiplan.json("solve", *args)["results"]


def test_the_least_cost_is_the_best(quantiplan, games):
    answer = quantiplan.json("solve", games, "--tau", "0.5", "--side", "both", "--cost")
    assert answer["model"]["rewards"] == "cost"
    lower, upper = answer["results"]
    # P(C <= 0) is 1/2 at best, P(C <= 5) is 1.
    assert (lower["quantile"], lower["probability"], lower["mean"]) == (5, 1, 5)
    assert (upper["quantile"], upper["probability"], upper["mean"]) == (0, 0.5, 50)
    assert upper["expectation_policy"] == {
        "mean": 5, "mean_exact": "5", "quantile": 5, "bracket": [5, 5],
        "probability": 0, "probability_exact": "0", "probability_is": "exact",
    }
    text = quantiplan("solve", games, "--tau", "0.5", "--side", "upper", "--cost", code=0).stdout
    assert "from 's'; costs\n" in text
    assert (
        "  With probability at least 0.5 the cost is at most 0; no policy promises less.\n"
        "  Its mean cost is 50; no policy that keeps the promise has a lesser one.\n"
        "  The expectation-optimal policy never keeps to that.\n"
    ) in text


def test_brackets_and_curves_ascend_by_cost(quantiplan, games):
    [result] = solve(quantiplan, games, "--tau", "0.3", "--cost", "--engine", "lattice", "--epsilon", "0.5")
    low, high = result["bracket"]
    assert low <= 5 <= high == result["quantile"] and high - low <= 0.5
    curve = quantiplan.json("frontier", games, "--cost", "--tau", "0.5", "--side", "upper", "--exact")
    assert [(s["wealth"], s["probability"]) for s in curve["steps"]] == [(0, 0.5), (5, 1)]
    assert curve["quantiles"][0]["quantile"] == 0


def test_at_least_asks_for_at_most_a_cost(quantiplan, games):
    quantiplan("solve", games, "--tau", "0.5", "--side", "upper", "--cost", "--policy-out", "p.json", code=0)
    policy = json.loads((quantiplan.folder / "p.json").read_text())
    assert (policy["rewards"], policy["claim"]["quantile"]) == ("cost", 0)
    evaluation = quantiplan.json("evaluate", games, "--policy", "p.json", "--at-least", "0,99,100", "--tau", "0.5")
    assert [(a["wealth"], a["probability"]) for a in evaluation["distribution"]] == [(0, 0.5), (100, 0.5)]
    assert [(a["wealth"], a["probability"]) for a in evaluation["at_least"]] == [(0, 0.5), (99, 0.5), (100, 1)]
    assert evaluation["quantiles"][0]["quantile"] == 100
    assert (evaluation["mean"], evaluation["model"]["rewards"]) == (50, "cost")
    text = quantiplan("evaluate", games, "--policy", "p.json", "--at-least", "0", code=0).stdout
    assert "cost c  P(C <= c)\n     0        0.5\n" in text
    assert "Mean 50; 2 different costs from 0 to 100\n" in text


def test_the_expectation_policy_has_the_least_expected_cost(quantiplan, games):
    evaluation = quantiplan.json("evaluate", games, "--policy", "expectation", "--cost")
    assert (evaluation["mean"], [a["wealth"] for a in evaluation["distribution"]]) == (5, [5])
    simulation = quantiplan.json("simulate", games, "--policy", "expectation", "--cost", "--episodes", "3")
    assert (simulation["mean"], simulation["totals"]) == (5, [{"wealth": 5, "count": 3}])
    text = quantiplan("simulate", games, "--policy", "expectation", "--cost", "--episodes", "3", code=0).stdout
    assert "3 episodes, mean cost 5\n" in text


def test_a_claim_of_the_command_line_is_a_cost(quantiplan, games):
    quantiplan("solve", games, "--tau", "0.5", "--side", "upper", "--cost", "--policy-out", "p.json", code=0)
    assert quantiplan.json("check", games, "p.json")["passed"] is True
    checked = quantiplan.json("check", games, "p.json", "--tau", "0.4", "--side", "lower", "--quantile", "100", code=4)
    assert (checked["claim"]["quantile"], checked["passed"]) == (100, False)


def test_distributions_are_of_costs(quantiplan, games):
    answer = quantiplan.json("solve", games, "--tau", "0.5", "--side", "upper", "--cost", "--distribution")
    assert [a["wealth"] for a in answer["results"][0]["distribution"]] == [0, 100]
    assert answer["expectation_policy"]["mean"] == 5
    text = quantiplan("solve", games, "--tau", "0.5", "--side", "upper", "--cost", "--distribution", code=0).stdout
    assert "  cost  probability  this policy" in text
    rows = [line.split() for line in text.splitlines()]
    assert ["least", "0", "5"] in rows and ["greatest", "100", "5"] in rows and ["mean", "50", "5"] in rows


def test_info_calls_them_costs(quantiplan, games):
    text = quantiplan("info", games, "--cost", code=0).stdout
    assert "costs        0 to 100\ntotals       0 to 100\n" in text
    info = quantiplan.json("info", games, "--cost")
    assert (info["model"]["rewards"], info["rewards"], info["wealth"]["greatest"]) == ("cost", [0, 100], 100)


@pytest.mark.parametrize("side", ["lower", "upper"])
def test_costs_are_minus_rewards(quantiplan, side):
    text = (quantiplan.folder / "commute.json").read_text()
    negated = quantiplan.write("costs.json", text.replace('"reward": -', '"reward": '))
    for tau in ["0.1", "0.2", "0.28", "0.5"]:
        [reward] = solve(quantiplan, "commute.json", "--tau", tau, "--side", side)
        [cost] = solve(quantiplan, negated, "--tau", tau, "--side", side, "--cost")
        assert (cost["quantile"], cost["probability"]) == (-reward["quantile"], reward["probability"])
        assert cost["expectation_policy"]["quantile"] == -reward["expectation_policy"]["quantile"]


def test_quantiles_of_costs_ascend_with_their_levels(quantiplan, trip):
    """P(C <= c) = 1 - 2^-c: the upper p-quantile of costs is the least c with P(C <= c) > p."""
    text = quantiplan("solve", trip, "--tau", "1/8", "--distribution", code=0).stdout
    table = text.split("upper quantile of costs")[1].split("\n\n")[0]
    rows = [line.split()[:2] for line in table.splitlines()[1:]]
    assert rows[:7] == [["least", "1"], ["0.05", "1"], ["0.25", "1"], ["0.5", "2"], ["0.75", "3"], ["0.875", "4"], ["0.95", "5"]]


def test_a_miss_has_no_probability_of_its_own(quantiplan):
    text = model_text({"a": {"try": [("home", "1/2", 1), ("lost", "1/2", 1)]}}, horizon=2, goal=["home"], rewards="cost")
    out = quantiplan("solve", quantiplan.write("m.json", text), "--tau", "0.1", code=0).stdout
    [row] = [line for line in out.splitlines() if line.startswith("0.1 ")]
    assert row.split() == ["0.1", "lower", "miss", "-", "-", "miss", "undefined"]
    assert quantiplan.json("solve", "m.json", "--tau", "0.1")["results"][0]["probability"] == 1
