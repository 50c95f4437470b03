"""--adversarial: what is guaranteed whatever is done."""

import json

from conftest import model_text


def solve(quantiplan, *args):
    return quantiplan.json("solve", *args)["results"]


def test_what_is_guaranteed_of_two_games(quantiplan, games):
    # The least P(W >= w) is 1 up to 0, 1/2 up to 5 (the risky game), 0 above (the safe one).
    answer = quantiplan.json("solve", games, "--tau", "0.5,0.9", "--side", "both", "--adversarial")
    assert answer["model"]["adversarial"] is True
    assert [(r["quantile"], r["certificate"], r["probability"]) for r in answer["results"]] == [
        (0, "exact", 1), (5, "exact", 0.5), (5, "exact", 0.5), (5, "exact", 0.5),
    ]
    text = quantiplan("solve", games, "--tau", "0.5", "--side", "upper", "--adversarial", code=0).stdout
    assert "from 's'; adversarial\n" in text
    assert (
        "  Whatever is done, with probability at least 0.5 the total is at least 5; no more is guaranteed.\n"
    ) in text


def test_certainty_and_possibility_whatever_is_done(quantiplan, games):
    sure, possible = solve(quantiplan, games, "--tau", "0,1", "--side", "both", "--adversarial")
    assert (sure["quantile"], possible["quantile"]) == (0, 5)
    text = quantiplan("solve", games, "--tau", "0,1", "--side", "both", "--adversarial", code=0).stdout
    assert "Whatever is done, the total is surely at least 0; no more is sure.\n" in text
    assert "Whatever is done, a total of at least 5 is possible; no more is always possible.\n" in text


def test_costs_that_are_guaranteed(quantiplan, games):
    lower, upper = solve(quantiplan, games, "--tau", "0.5", "--side", "both", "--adversarial", "--cost")
    assert (lower["quantile"], upper["quantile"]) == (100, 5)
    text = quantiplan("solve", games, "--tau", "0.5", "--adversarial", "--cost", code=0).stdout
    assert "Whatever is done, with probability more than 0.5 the cost is at most 100; no less is guaranteed.\n" in text


def test_the_policy_is_the_adversarys(quantiplan, games):
    quantiplan(
        "solve", games, "--tau", "0.5", "--side", "upper", "--adversarial", "--policy-out", "p.json", code=0
    )
    assert json.loads((quantiplan.folder / "p.json").read_text())["adversarial"] is True
    # It shows that no more is guaranteed: with it P(W > 5) is below 1/2.
    evaluation = quantiplan.json("evaluate", games, "--policy", "p.json", "--at-least", "5.5")
    assert evaluation["at_least"][0]["probability"] < 0.5
    checked = quantiplan.json("check", games, "p.json")
    assert checked["passed"] is True
    assert (
        "Policy 'p.json', the adversary's: upper 0.5-quantile 5 is guaranteed, but no more: P(W <= 5) is 1 with it\n"
    ) in quantiplan("check", games, "p.json", code=0).stdout
    # Another level: only the risky game keeps P(W <= 0) above what its tau demands, and it is another policy's.
    lower = ["--tau", "0.5", "--side", "lower"]
    checked = quantiplan.json("check", games, "p.json", *lower, "--quantile", "0", code=4)
    assert (checked["passed"], checked["claim"]["probability"]) == (False, 0)
    quantiplan("solve", games, *lower, "--adversarial", "--policy-out", "r.json", code=0)
    assert quantiplan.json("check", games, "r.json", *lower, "--quantile", "0")["claim"]["probability"] == 0.5
    # The safe game shows that 5 is all there is, too: its P(W <= 5) is 1, at any level of tau.
    assert quantiplan.json("check", games, "p.json", "--tau", "0.9", "--side", "lower")["passed"] is True


def test_thresholds_that_are_guaranteed(quantiplan, games):
    args = ["threshold", games, "--target", "0,5,6", "--adversarial"]
    assert [r["probability"] for r in quantiplan.json(*args)["results"]] == [1, 0.5, 0]
    text = quantiplan(*args, code=0).stdout
    assert "target y  guaranteed P(W >= y)  certificate\n" in text
    assert "  Whatever is done, the total is at least 5 with probability 0.5; no more is guaranteed.\n" in text


def test_an_adversary_may_stay_away_from_the_goal(quantiplan):
    model = quantiplan.write(
        "m.json",
        model_text({"s": {"stay": [("s", 1, 0)], "go": [("goal", 1, 1)]}}, horizon="infinite", goal=["goal"]),
    )
    assert solve(quantiplan, model, "--tau", "0.5")[0]["quantile"] == 1
    assert solve(quantiplan, model, "--tau", "0.5", "--adversarial")[0]["quantile"] == "miss"
    [result] = quantiplan.json("threshold", model, "--target", "-inf", "--adversarial")["results"]
    assert result["probability"] == 0
    text = quantiplan("solve", model, "--tau", "0.5", "--adversarial", code=0).stdout
    assert (
        "It is not guaranteed that the goal is reached with probability more than 0.5: the quantile is a miss.\n"
    ) in text.replace("\n  ", " ")


def test_a_trip_without_choices_is_its_own_adversary(quantiplan, trip):
    for more in [[], ["--adversarial"]]:
        [result] = solve(quantiplan, trip, "--tau", "0.125", "--side", "upper", *more)
        assert (result["quantile"], result["probability"]) == (3, 0.875)


def test_the_distribution_shown_is_the_adversarys_alone(quantiplan, games):
    args = ["solve", games, "--tau", "0.5", "--adversarial", "--distribution"]
    assert "expectation_policy" not in quantiplan.json(*args)
    text = quantiplan(*args, code=0).stdout
    assert "  total  probability  adversary\n" in text and "expectation" not in text


def test_info_and_the_curve_take_it(quantiplan, games):
    assert quantiplan.json("info", games, "--adversarial")["model"]["adversarial"] is True
    curve = quantiplan.json("frontier", games, "--adversarial", "--exact")
    assert [(s["wealth"], s["probability"]) for s in curve["steps"]] == [(0, 1), (5, 0.5)]
    assert "guaranteed P(W >= w)\n" in quantiplan("frontier", games, "--adversarial", code=0).stdout
