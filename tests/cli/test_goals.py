"""--goal: an episode ends at a goal, and one that never gets there is a miss, never a number."""

import json
from fractions import Fraction

import pytest

from conftest import SOURCE, model_text


@pytest.fixture
def tries(quantiplan):
    """A try a step: it succeeds with probability 1/10, for 1."""
    text = model_text({"s": {"try": [("done", "1/10", 1), ("s", "9/10", 0)]}}, horizon=5)
    return quantiplan.write("tries.json", text)


# Within five steps: 1 - 0.9^5.
REACHED = "0.40951"


def solve(quantiplan, *args):
    return quantiplan.json("solve", *args)["results"]


def test_a_miss_is_no_number(quantiplan, tries):
    [result] = solve(quantiplan, tries, "--tau", "0.5", "--goal", "done")
    assert (result["quantile"], result["bracket"]) == ("miss", ["miss", "miss"])
    text = quantiplan("solve", tries, "--tau", "0.5", "--goal", "done", code=0).stdout
    assert "from 's' to 1 goal state\n" in text
    assert "No policy reaches the goal in time with probability more than 0.5: the quantile is a miss.\n" in text
    # Without the goal it is a total like any other.
    assert solve(quantiplan, tries, "--tau", "0.5")[0]["quantile"] == 0


def test_a_tie_at_the_probability_of_the_goal_splits_the_sides(quantiplan, tries):
    lower, upper = solve(quantiplan, tries, "--tau", "0.59049", "--side", "both", "--goal", "done")
    assert (lower["quantile"], upper["quantile"]) == ("miss", 1)
    assert upper["probability_exact"] == REACHED
    text = quantiplan("solve", tries, "--tau", "0.59049", "--side", "upper", "--goal", "done", code=0).stdout
    assert (
        "  With probability at least 0.40951 the goal is reached with a total of at least 1; no policy\n"
        "  promises more.\n"
    ) in text


def test_costs_of_a_goal(quantiplan, tries):
    lower, upper = solve(quantiplan, tries, "--tau", "0.59049", "--side", "both", "--goal", "done", "--cost")
    assert (lower["quantile"], upper["quantile"]) == ("miss", 1)


def test_the_model_may_name_its_goals_and_the_command_line_others(quantiplan):
    choices = {"s": {"left": [("a", 1, 1)], "right": [("b", 1, 2)]}}
    model = quantiplan.write("m.json", model_text(choices, horizon=1, goal=["a"]))
    answer = quantiplan.json("solve", model, "--tau", "0.5")
    assert (answer["model"]["goal_states"], answer["results"][0]["quantile"]) == (1, 1)
    for more in [["--goal", "a,b"], ["--goal", "a", "--goal", "b"], ["--goal", " a, b "], ["--goal", "b,a,b"]]:
        answer = quantiplan.json("solve", model, "--tau", "0.5", *more)
        assert (answer["model"]["goal_states"], answer["results"][0]["quantile"]) == (2, 2), more
    answer = quantiplan.json("solve", model, "--tau", "0.5", "--goal", "")
    assert (answer["model"]["goal_states"], answer["results"][0]["quantile"]) == (None, 2)
    assert "goal         1 state\n" in quantiplan("info", model, code=0).stdout
    assert quantiplan.json("info", model, "--goal", "")["model"]["goal_states"] is None


def test_names_may_have_commas(quantiplan):
    choices = {"0,0": {"left": [("0,1", 1, 1)], "right": [("1,0", 1, 2)]}}
    model = quantiplan.write("m.json", model_text(choices, horizon=1))
    for goal, best in [("0,1", 1), ("1,0", 2), ("0,1,1,0", 2)]:
        assert solve(quantiplan, model, "--tau", "0.5", "--goal", goal)[0]["quantile"] == best
    assert quantiplan.fails("solve", model, "--tau", "0.5", "--goal", "2,2,0,1") == [
        "quantiplan: --goal: unknown state '2,2', must be a state of the model"
    ]


def test_an_episode_ends_at_the_goal(quantiplan):
    choices = {"s": {"go": [("goal", 1, 1)]}, "goal": {"more": [("goal", 1, 1)]}}
    model = quantiplan.write("m.json", model_text(choices, horizon=10))
    assert solve(quantiplan, model, "--tau", "0.5")[0]["quantile"] == 10
    assert solve(quantiplan, model, "--tau", "0.5", "--goal", "goal")[0]["quantile"] == 1


def test_distributions_count_misses(quantiplan, tries):
    quantiplan(
        "threshold", tries, "--target", "1", "--goal", "done", "--horizon", "2", "--policy-out", "p.json", code=0
    )
    evaluation = quantiplan.json("evaluate", tries, "--policy", "p.json", "--exact", "--at-least", "-inf,1",
                                 "--tau", "0.5,0.9")
    assert [(a["wealth"], a["probability_exact"]) for a in evaluation["distribution"]] == [("miss", "0.81"), (1, "0.19")]
    assert evaluation["mean"] is None
    assert [q["quantile"] for q in evaluation["quantiles"]] == ["miss", 1]
    assert [(a["wealth"], a["probability_exact"]) for a in evaluation["at_least"]] == [("-inf", "0.19"), (1, "0.19")]
    text = quantiplan("evaluate", tries, "--policy", "p.json", "--exact", code=0).stdout
    assert "Mean undefined; 1 total from 1 to 1; miss with probability 0.81\n" in text
    simulation = quantiplan.json("simulate", tries, "--policy", "p.json", "--episodes", "500", "--seed", "2")
    assert [t["wealth"] for t in simulation["totals"]] == ["miss", 1]
    assert simulation["mean"] is None
    assert "mean total undefined\n" in quantiplan("simulate", tries, "--policy", "p.json", code=0).stdout


@pytest.fixture
def ways(quantiplan):
    """Walking arrives half of the times and costs 1; the bus costs 1 and is missed once in ten; waiting is free."""
    choices = {"road": {"wait": [("road", 1, 0)], "walk": [("home", "1/2", 1), ("road", "1/2", 1)],
                        "bus": [("home", "9/10", 1), ("lost", "1/10", 0)]}}
    text = model_text(choices, horizon="infinite", goal=["home"], rewards="cost")
    return quantiplan.write("ways.json", text)


def test_the_goal_is_reached_so_often_and_at_this_mean(quantiplan, ways):
    [result] = solve(quantiplan, ways, "--tau", "0.2")
    assert (result["quantile"], result["mean"]) == (1, None)
    assert (result["goal_probability_exact"], result["goal_mean_exact"]) == ("0.9", "0.9")
    other = result["expectation_policy"]
    assert (other["goal_probability_exact"], other["goal_mean_exact"], other["mean_exact"]) == ("1", "2", "2")
    assert (other["quantile"], other["probability_exact"]) == (3, "0.5")
    text = quantiplan("solve", ways, "--tau", "0.2", code=0).stdout
    assert (
        "  This policy reaches the goal with probability 0.9 (mean cost then 1); the expectation-optimal one\n"
        "  with probability 1. No policy that keeps the promise reaches it with more than 0.925.\n"
    ) in text
    [bare] = solve(quantiplan, ways, "--tau", "0.2", "--no-comparison")
    assert "goal_probability" not in bare and bare["expectation_policy"] is None


def test_the_goal_comes_before_the_cost_at_a_finite_horizon(quantiplan, ways):
    """Walk twice, and take the bus at last: 1/2 + 1/4 + 1/4 * 9/10, at 1/2 + 2/4 + 3 * 9/40."""
    [result] = solve(quantiplan, ways, "--tau", "0.2", "--horizon", "3")
    other = result["expectation_policy"]
    assert (other["goal_probability_exact"], other["goal_mean_exact"], other["mean"]) == ("0.975", "1.675", None)
    law = quantiplan.json("evaluate", ways, "--policy", "expectation", "--horizon", "3", "--at-least", "inf")
    assert law["at_least"][0]["probability_exact"] == "0.975" and law["mean"] is None
    # With a discount, too: 1/2 + (1 + 1/2)/4 + (1 + 1/2 + 1/4) * 9/40.
    [result] = solve(quantiplan, ways, "--tau", "0.2", "--horizon", "3", "--discount", "0.5")
    assert result["expectation_policy"]["goal_mean_exact"] == "1.26875"


def test_expectations_that_are_not_defined_are_refused(quantiplan, ways):
    [line] = quantiplan.fails("evaluate", ways, "--policy", "expectation", "--adversarial")
    assert line.startswith("quantiplan: expectation policy: found with 'adversarial'")
    [line] = quantiplan.fails("evaluate", ways, "--policy", "expectation", "--discount", "0.5")
    assert line.startswith("quantiplan: expectation policy: expected a finite horizon, or no discount")
    model = quantiplan.write("earn.json", model_text(
        {"s": {"earn": [("s", 1, 1)], "leave": [("home", 1, 0)]}}, horizon="infinite", goal=["home"]))
    [line] = quantiplan.fails("evaluate", model, "--policy", "expectation")
    assert "has no bound, and no policy attains it" in line
    [result] = solve(quantiplan, model, "--tau", "0.5")
    assert (result["quantile"], result["attained"], result["expectation_policy"]) == ("inf", False, None)


def test_a_budget_without_end_leaves_the_best_chance_of_the_goal(quantiplan):
    therapy = str(SOURCE / "tests" / "golden" / "therapy-without-end" / "model.json")
    [result] = solve(quantiplan, therapy, "--tau", "0.1", "--policy-out", "p.json")
    assert (result["quantile"], result["prefer"]) == (15, "mean")
    assert result["goal_probability"] == pytest.approx(5061926599172209 / 5120000000000000)
    assert result["goal_probability_bound"] == pytest.approx(12119466989585794651287961 / 12256791101440000000000000)
    law = quantiplan.json("evaluate", therapy, "--policy", "p.json", "--at-least", "15,inf")
    kept, reached = law["at_least"]
    assert reached["probability"] == pytest.approx(result["goal_probability"])
    assert kept["probability"] == pytest.approx(result["probability"])
    assert quantiplan.json("check", therapy, "p.json")["passed"]
    [surest] = solve(quantiplan, therapy, "--tau", "0.1", "--prefer", "probability")
    assert surest["prefer"] == "probability" and surest.get("goal_probability_bound") is None
    assert surest["probability"] > result["probability"]
    assert surest["goal_probability"] == pytest.approx(6295093531001 / 6400000000000)
    assert surest["goal_mean"] == pytest.approx(3966756822398983 / 311040000000000)


@pytest.mark.parametrize("reward", ["1e-6", "1e-12", "1e-30", "1e30", "-1e-6", "1/3"])
@pytest.mark.parametrize("more", [[], ["--cost"], ["--adversarial"], ["--engine", "lattice"], ["--engine", "levels"]])
def test_a_goal_with_a_discount_for_rewards_of_any_size(quantiplan, reward, more):
    choices = {"s": {"a": [("g", 1, reward)]}}
    model = quantiplan.write("m.json", model_text(choices, horizon="infinite", discount="1/2", goal=["g"]))
    [result] = solve(quantiplan, model, "--tau", "0.5", "--check", *more)
    assert result["certificate"] == "exact" and Fraction(str(result["quantile"])) == Fraction(reward)
    assert result["mean"] == pytest.approx(float(Fraction(reward)), rel=1e-12)


def test_a_policy_on_any_grid_is_evaluated(quantiplan):
    choices = {"s": {"a": [("g", "4/5", 0), ("g", "1/5", "-7/3")]}}
    model = quantiplan.write("m.json", model_text(choices, horizon="infinite", discount="1/3", goal=["g"]))
    # The unit is no power of two, nor are rewards multiples of it.
    policy = (
        '{"format": "quantiplan-policy/1", "horizon": "infinite", "discount": "1/3", "initial": "s", "goal": ["g"],'
        ' "target": 0, "grid": {"unit": 2.3283064365386963e-10, "halved_at": []}, "truncated_at": 8,'
        ' "rules": [{"time": 0, "state": "s", "choose": [{"action": "a"}]},'
        ' {"time": 8, "state": "s", "choose": [{"action": "a"}]}]}'
    )
    law = quantiplan.json("evaluate", model, "--policy", quantiplan.write("p.json", policy))
    assert law["mean"] == pytest.approx(-7 / 15, abs=1e-8)


@pytest.mark.parametrize("more", [[], ["--exact"]])
def test_the_mean_of_those_who_arrive_is_exact(quantiplan, more):
    # Arrives with 1/2; both ends come at the geometric time of mean 5.
    choices = {"s": {"a": [("g", "1/10", 1), ("s", "4/5", 1), ("x", "1/10", 1)]}}
    text = model_text(choices, horizon="infinite", goal=["g"], rewards="cost")
    [result] = solve(quantiplan, quantiplan.write("m.json", text), "--tau", "0.6", *more)
    for policy in (result, result["expectation_policy"]):
        assert (policy["goal_mean"], policy["goal_mean_exact"], policy["goal_probability_exact"]) == (2.5, "2.5", "0.5")


def test_the_mean_of_those_who_arrive_after_rules_by_the_budget(quantiplan):
    # A try costs 1, and ends the episode one time in five, at the goal or not; while the budget lasts
    # the policy may go another way.
    choices = {
        "s": {
            "try": [("g", "1/10", 1), ("s", "4/5", 1), ("x", "1/10", 1)],
            "dear": [("g", "1/2", 3), ("s", "1/2", 3)],
        }
    }
    model = quantiplan.write("m.json", model_text(choices, horizon="infinite", goal=["g"], rewards="cost"))
    [result] = solve(quantiplan, model, "--tau", "0.6", "--prefer", "probability")
    law = quantiplan.json("solve", model, "--tau", "0.6", "--prefer", "probability", "--distribution")
    atoms = law["results"][0]["distribution"]
    known = sum(a["wealth"] * a["probability"] for a in atoms if not isinstance(a["wealth"], str))
    assert result["goal_mean"] == pytest.approx(known, rel=1e-9)


def two_ways(horizon):
    """Either way costs 1 and arrives with 1/2; who has missed the budget of 1 may go on by one of them, for 8."""
    return json.dumps({
        "format": "quantiplan-model/1", "horizon": horizon, "discount": "1/2", "rewards": "cost", "initial": "s", "goal": ["g"],
        "states": ["s", "late", "stuck", "g"], "choices": [
            {"state": "s", "action": "once", "next": [
                {"to": "g", "probability": "1/2", "reward": 1}, {"to": "stuck", "probability": "1/2", "reward": 0}]},
            {"state": "s", "action": "on", "next": [
                {"to": "g", "probability": "1/2", "reward": 1}, {"to": "late", "probability": "1/2", "reward": 0}]},
            {"state": "late", "action": "pay", "reward": 8, "next": {"g": 1}},
            {"state": "late", "action": "give up", "reward": 0, "next": {"stuck": 1}},
            {"state": "stuck", "action": "stay", "reward": 0, "next": {"stuck": 1}}]})


@pytest.mark.parametrize("side", ["upper", "lower"])
def test_who_misses_a_discounted_budget_still_goes_for_the_goal(quantiplan, side):
    tau = "1/2" if side == "upper" else "0.6"
    for horizon in (2, "infinite"):
        quantiplan.write("ways.json", two_ways(horizon))
        answer = quantiplan.json("solve", "ways.json", "--tau", tau, "--side", side, "--prefer", "mean", "--check")
        [result] = answer["results"]
        assert result["quantile"] == pytest.approx(1, abs=0.01) and result["prefer"] == "mean"
        assert result["goal_probability"] == result["goal_probability_bound"] == 1
        assert result["check"]["passed"] and "left_out" not in answer["engine"]
        if horizon == 2:
            # 1/2 + 1/2 * 8/2
            assert result["goal_mean"] == pytest.approx(2.5, abs=1e-12)


def test_a_goal_that_a_discounted_promise_takes_from(quantiplan):
    # The sure way to the goal costs 3; the cheap one, 0, arrives with 0.9.
    quantiplan.write("cheap.json", json.dumps({
        "format": "quantiplan-model/1", "horizon": 3, "discount": "9/10", "rewards": "cost", "initial": "s", "goal": ["g"],
        "states": ["s", "g", "x"], "choices": [
            {"state": "s", "action": "sure", "reward": 3, "next": {"g": 1}},
            {"state": "s", "action": "cheap", "reward": 0, "next": {"g": "0.9", "x": "0.1"}}]}))
    [result] = quantiplan.json("solve", "cheap.json", "--tau", "0.2", "--prefer", "mean")["results"]
    # Whoever promises 0 with more than 0.8 may toss a coin: 8/9 of the time the cheap way.
    assert (result["quantile"], result["goal_probability_exact"]) == (0, "0.9")
    assert result["goal_probability_bound"] == pytest.approx(1 - 0.8 / 0.9 * 0.1, abs=1e-12)
