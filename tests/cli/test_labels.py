"""A label says what a probability is, on every way out: small models whose truth is known to the digit."""

import json
from fractions import Fraction

import pytest

from conftest import model_text

HALVES = {"s": {"a": [("end", "1/2", 0), ("end", "1/2", 5)]}}
BRACKETS = ["lattice", "search", "levels"]


def exact_json(quantiplan, *args, code=0):
    """Decimals as fractions, not through a double."""
    done = quantiplan(*args, "--json", code=code)
    return json.loads(done.stdout, parse_float=Fraction, parse_int=Fraction)


def solved(quantiplan, *args):
    [result] = exact_json(quantiplan, "solve", "model.json", *args)["results"]
    return result


def holds(result, truth):
    """By the label; a bound holds as text and as the double that a program reads."""
    found, label = result["probability"], result["probability_is"]
    if label == "exact":
        return Fraction(result["probability_exact"]) == truth
    if label == "rounded":
        return float(found) == truth.numerator / truth.denominator
    top = result.get("probability_upper")
    return (label == "lower bound" and found <= truth and Fraction(float(found)) <= truth
            and (top is None or (truth <= top and truth <= Fraction(float(top)))))


# What is guaranteed against an adversary.


def test_what_is_sure_has_probability_one(quantiplan):
    quantiplan.write("model.json", model_text(
        {"s": {"a": [("end", "1/2", 0), ("t", "1/2", 5)]}, "t": {"a": [("t", 1, 1)]}}, horizon=40, discount="0.97"))
    result = solved(quantiplan, "--tau", 0, "--side", "upper", "--adversarial")
    assert (result["quantile"], result["probability"]) == (0, 1) and holds(result, Fraction(1))


# Without `levels`, which cannot tell a tie from its neighbours.
@pytest.mark.parametrize("engine", ["auto", "steps", "lattice", "search"])
@pytest.mark.parametrize("arithmetic", ["auto", "double", "exact"])
def test_guarantees_are_those_of_the_model(quantiplan, engine, arithmetic):
    quantiplan.write("model.json", model_text(HALVES, horizon=1))
    how = ["--adversarial", "--engine", engine, "--arithmetic", arithmetic]
    result = solved(quantiplan, "--tau", "0.5", *how)
    assert result["quantile"] == 0 and holds(result, Fraction(1))
    result = solved(quantiplan, "--tau", "0.5", "--side", "upper", *how)
    assert result["quantile"] == 5 and holds(result, Fraction(1, 2))


@pytest.mark.parametrize("engine", ["auto", "steps", *BRACKETS])
def test_guarantees_with_a_goal_and_a_discount(quantiplan, engine):
    quantiplan.write("model.json", model_text(
        {"s": {"a": [("g", 1, "1/3")], "b": [("s", "0.25", 1), ("t", "0.25", 0), ("g", "0.5", "-1/3")]},
         "t": {"a": [("g", "0.1", 1), ("s", "0.9", 1)]}},
        horizon="infinite", discount="1/3", goal=["g"], rewards="cost"))
    # Whatever is done, P(cost <= 1.1235) is at least 5829/6400, and no more is guaranteed.
    for side in ["lower", "upper"]:
        result = solved(quantiplan, "--tau", "0.1", "--side", side, "--adversarial", "--epsilon", "1/8", "--engine", engine)
        if result["quantile"] <= Fraction("1.1235"):
            assert result["probability"] <= Fraction(5829, 6400)


# Goals with a discount: what is written can be read.


@pytest.mark.parametrize("horizon", [20, 50, "infinite"])
@pytest.mark.parametrize("discount", ["1/2", "1/3", "9/10", "0.97"])
@pytest.mark.parametrize("reward", ["1", "1/3", "0.1", "-7"])
def test_policies_for_a_discounted_goal_are_read_back(quantiplan, horizon, discount, reward):
    quantiplan.write("model.json", model_text(
        {"s": {"a": [("g", 1, reward)]}}, horizon=horizon, discount=discount, goal=["g"]))
    result = solved(quantiplan, "--tau", "0.5", "--check", "--policy-out", "policy.json")
    assert result["check"]["passed"]
    for command in [["check", "model.json", "policy.json"], ["simulate", "model.json", "--policy", "policy.json"]]:
        quantiplan(*command, code=0)
    evaluation = exact_json(quantiplan, "evaluate", "model.json", "--policy", "policy.json", f"--at-least={reward}")
    [entry] = evaluation["at_least"]
    assert entry["probability"] == 1 or entry["bracket"][1] == 1


# Bounds are rounded in their direction.


@pytest.mark.parametrize("arithmetic", ["auto", "double", "exact"])
@pytest.mark.parametrize("discount, quantile, truth", [
    ("1/3", Fraction(25, 18), "0.7821441"), ("1/2", Fraction(7, 4), "0.81")])
def test_a_lower_bound_is_none_too_high(quantiplan, arithmetic, discount, quantile, truth):
    """Every step is worth 1 with probability 0.9."""
    quantiplan.write("model.json", model_text(
        {"s": {"a": [("s", "0.9", 1), ("s", "0.1", 0)]}}, horizon="infinite", discount=discount))
    result = solved(quantiplan, "--tau", "0.25", "--arithmetic", arithmetic, "--check")
    low, high = (Fraction(end) for end in result["bracket"])
    assert low <= quantile <= high and result["probability_is"] == "lower bound"
    assert Fraction("0.75") < result["probability"] and holds(result, Fraction(truth))


def test_a_lower_bound_of_the_level_itself(quantiplan):
    quantiplan.write("model.json", model_text(
        {"s": {"a": [("s", "1/3", "-1/3"), ("e", "2/3", "1/3")], "b": [("e", "0.1", "-1/3"), ("s", "0.9", "-1/3")]}},
        horizon="infinite", discount="1/2"))
    result = solved(quantiplan, "--tau", "1/2187", "--side", "upper", "--check", "--policy-out", "policy.json")
    assert holds(result, Fraction(2186, 2187))
    text = (quantiplan.folder / "policy.json").read_text(encoding="utf-8")
    claim = json.loads(text, parse_float=Fraction, parse_int=Fraction)["claim"]
    assert claim["probability"] <= Fraction(2186, 2187)
    quantiplan("threshold", "model.json", "--target=-5/12", "--policy-out", "target.json", code=0)
    text = (quantiplan.folder / "target.json").read_text(encoding="utf-8")
    claim = json.loads(text, parse_float=Fraction, parse_int=Fraction)["claim"]
    assert Fraction(claim["probability"]) <= Fraction(26, 27) <= Fraction(claim.get("most_probability", 1))


# An exact quantile does not make its probability exact.


@pytest.mark.parametrize("engine", ["auto", "steps", "paper", "ranked", "forward", *BRACKETS])
@pytest.mark.parametrize("arithmetic", ["auto", "double", "exact"])
def test_a_chain_of_thirds(quantiplan, engine, arithmetic):
    quantiplan.write("model.json", model_text(
        {a: {"go": [(b, "1/3", 1), ("end", "2/3", 0)]} for a, b in ["ab", "bc", "cd"]}, horizon=3))
    how = ["--engine", engine, "--arithmetic", arithmetic]
    result = solved(quantiplan, "--tau", "0.9", *how)
    assert (result["quantile"], result["certificate"]) == (2, "exact") and holds(result, Fraction(1, 9))
    assert holds(result["expectation_policy"], Fraction(1, 9))
    if result["probability_is"] == "lower bound" and engine == "levels":
        assert ">= 0.1" in quantiplan("solve", "model.json", "--tau", "0.9", *how, code=0).stdout


@pytest.mark.parametrize("engine", ["auto", "steps", "paper", *BRACKETS])
@pytest.mark.parametrize("arithmetic", ["auto", "double", "exact"])
def test_a_threshold_of_one_sixth(quantiplan, engine, arithmetic):
    quantiplan.write("model.json", model_text(
        {"s": {"a": [("t", "1/3", 1), ("end", "2/3", 0)]}, "t": {"a": [("end", "1/2", 1), ("end", "1/2", 0)]}}, horizon=2))
    answer = exact_json(
        quantiplan, "threshold", "model.json", "--target", 2, "--engine", engine, "--arithmetic", arithmetic)
    [result] = answer["results"]
    assert holds(result, Fraction(1, 6))
    if result["certificate"] == "exact":
        assert result["probability_is"] in ("exact", "rounded")


def test_a_threshold_of_a_bracket_is_a_bound(quantiplan):
    """Staying for ever is worth 0 for certain; the cut problem cannot know that."""
    quantiplan.write("model.json", model_text(
        {"s": {"a": [("s", 1, 0)], "b": [("e", "1/3", 2), ("e", "1/3", -1), ("s", "1/3", 2)]}},
        horizon="infinite", discount="1/3"))
    [result] = exact_json(quantiplan, "threshold", "model.json", "--target", 0)["results"]
    assert holds(result, Fraction(1))


@pytest.mark.parametrize("horizon", [2, "infinite"])
def test_steps_of_a_frontier_are_within_their_error(quantiplan, horizon):
    quantiplan.write("model.json", model_text(
        {"s": {"a": [("e", 1, 0)], "b": [("e", "1/4", -1), ("e", "3/4", 2)]}}, horizon=horizon, discount="0.9"))
    answer = exact_json(quantiplan, "frontier", "model.json", "--tau", "0.25", "--arithmetic", "double")
    error = Fraction(answer["relative_error"])
    at = {step["wealth"]: step["probability"] for step in answer["steps"]}
    above = {step["wealth"]: step["probability"] for step in answer["upper_steps"] or answer["steps"]}
    assert at[2] * (1 - error) <= Fraction(3, 4) <= above[2] * (1 + error)


@pytest.mark.parametrize("cost, label", [("reward", "lower bound"), ("cost", "upper bound")])
def test_a_bound_of_a_mean_says_that_it_is_one(quantiplan, cost, label):
    """A coin for 1 or 0, for ever: the mean is 1/2 x 10."""
    model = quantiplan.write("coin.json", model_text(
        {"s": {"a": [("s", "1/2", 0), ("s", "1/2", 1)]}}, horizon="infinite", discount="9/10", rewards=cost))
    [result] = quantiplan.json("solve", model, "--tau", "0.1", "--prefer", "mean", "--mixed")["results"]
    for found in (result, result["mixed"]):
        assert found["mean_is"] == label
        assert found["mean"] < 5 if cost == "reward" else found["mean"] > 5
        assert abs(found["mean"] - 5) < 0.01
    [result] = quantiplan.json("solve", model, "--horizon", "3", "--discount", "1", "--tau", "0.1")["results"]
    assert "mean_is" not in result and result["mean_exact"] == "1.5"


# Rewards of 1e15 whose mean is 2/15 a step: computed in doubles it may be 0.9 or more after six.
CANCELLING = {"s": {"a": [("s", "1/3", "1000000000000000.4"), ("s", "2/3", "-500000000000000")]}}
SIX_STEPS = Fraction(4, 5)


def in_doubles(entry, truth, name="mean"):
    """The nearest double, or a bracket of two."""
    if entry.get(f"{name}_exact") is not None:
        return Fraction(entry[f"{name}_exact"]) == truth
    if entry[f"{name}_is"] == "rounded":
        return float(entry[name]) == float(truth)
    return entry[f"{name}_is"] == "lower bound" and entry[name] <= truth <= entry[f"{name}_upper"]


@pytest.mark.parametrize("cost", ["reward", "cost"])
@pytest.mark.parametrize("how", [
    [], ["--arithmetic", "double"], ["--engine", "lattice"], ["--engine", "lattice", "--mixed"], ["--prefer", "probability"],
    ["--criterion", "cvar", "--arithmetic", "double"], ["--attitude", "replan", "--arithmetic", "double"],
])
def test_means_of_rewards_that_cancel_hold_by_their_label(quantiplan, tmp_path, how, cost):
    quantiplan.write("model.json", model_text(CANCELLING, horizon=6, rewards=cost))
    found = exact_json(quantiplan, "solve", "model.json", "--tau", "0.3", *how, "--policy-out", "p.json")
    [result] = found["attitudes"] if "attitudes" in found else found["results"]
    law = exact_json(quantiplan, "evaluate", "model.json", "--policy", tmp_path / "p.json")
    for told in (result, law, result.get("mixed"), result.get("expectation_policy")):
        assert told is None or in_doubles(told, SIX_STEPS)


def test_a_mean_that_doubles_cannot_tell_is_shown_as_a_bracket(quantiplan):
    quantiplan.write("model.json", model_text(CANCELLING, horizon=6))
    done = quantiplan("solve", "model.json", "--tau", "0.3", "--engine", "lattice", "--check").stdout
    low, high = (float(end) for end in done.split("Its mean lies in [")[1].split("]")[0].split(", "))
    assert low < 0.8 < high
    assert " up to rounding, as claimed: it " in done


def test_the_mean_of_a_rounded_law_is_not_rounded(quantiplan):
    quantiplan.write("model.json", model_text(
        {"s": {"a": [("s", "1/5", 1), ("t", "1/5", 5), ("t", "3/5", 0)]}, "t": {"a": [("t", "3/5", 0), ("s", "2/5", 1)]}},
        horizon=3, discount="1/3"))
    quantiplan("solve", "model.json", "--tau", "0.1", "--engine", "search", "--policy-out", "p.json")
    law = exact_json(quantiplan, "evaluate", "model.json", "--policy", "p.json")
    assert law["slack"] > 0 and in_doubles(law, Fraction(6, 5) + Fraction(1, 3) * (Fraction(1, 5) * Fraction(6, 5) + Fraction(8, 25))
                                           + Fraction(1, 9) * (Fraction(9, 25) * Fraction(6, 5) + Fraction(16, 25) * Fraction(2, 5)))
