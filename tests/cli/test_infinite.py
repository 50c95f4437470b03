"""--horizon infinite: closed forms, infinite answers, suprema, and policies that can be used."""

import json
from fractions import Fraction

import pytest

from conftest import model_text


def results(quantiplan, *args, code=0):
    return quantiplan.json("solve", *args, code=code)["results"]


def quantiles(quantiplan, *args):
    return [r["quantile"] for r in results(quantiplan, *args)]


@pytest.fixture
def rare(quantiplan):
    """1000 with probability 1e-4 per step: small steps of the value are no sign of the end."""
    text = model_text({"s": {"try": [("end", "1e-4", 1000), ("s", "0.9999", 0)]}})
    return quantiplan.write("rare.json", text)


def test_a_rare_reward_is_had_in_the_end(quantiplan, rare):
    answer = quantiplan.json("solve", rare, "--tau", "0.01,0.5,1", "--horizon", "infinite")
    assert answer["model"]["horizon"] == "infinite"
    for result in answer["results"]:
        assert (result["quantile"], result["certificate"], result["attained"]) == (1000, "exact", True)
    text = quantiplan("solve", rare, "--tau", "0", "--side", "upper", "--horizon", "infinite", code=0).stdout
    assert "; horizon infinite, discount 1, from 's'\n" in text
    assert "The total is almost surely at least 1000; no policy is almost sure of more.\n" in text


def test_the_papers_stopping_rule_is_there_to_compare_with_and_certifies_nothing(quantiplan, rare):
    args = ["solve", rare, "--tau", "0.5", "--horizon", "infinite", "--engine", "paper"]
    [result] = quantiplan.json(*args)["results"]
    assert (result["quantile"], result["certificate"], result["bracket"]) == (0, None, None)
    assert result["probability_is"] == "uncertified"
    text = quantiplan(*args, code=0).stdout
    assert "0 (uncertified)" in text
    assert "The answer is 0, and nothing certifies it: it may be wrong by any amount.\n" in text


UNBOUNDED = {
    "a total without bound": ({"s": {"go": [("end", "1/2", 1), ("t", "1/2", 0)]}, "t": {"on": [("t", 1, 1)]}}, {}),
    "a cost without bound": ({"s": {"go": [("end", "1/2", -1), ("t", "1/2", 0)]}, "t": {"on": [("t", 1, -1)]}}, {}),
    "a goal after any total": ({"t": {"on": [("t", 1, 1)], "end": [("g", 1, 0)]}}, {"goal": ["g"]}),
}


@pytest.mark.parametrize("case", UNBOUNDED)
def test_the_papers_iteration_is_refused_where_it_would_never_end(quantiplan, case):
    choices, more = UNBOUNDED[case]
    state = next(iter(choices))
    model = quantiplan.write("m.json", model_text(choices, horizon="infinite", **more))
    assert quantiplan.fails("solve", model, "--tau", "0.3", "--engine", "paper") == [
        f"quantiplan: --engine: found 'paper', whose iteration never ends here: from state '{state}' a total without bound has "
        "a positive probability; expected auto or epochs"
    ]


@pytest.mark.parametrize("reward", [1, -1])
@pytest.mark.parametrize("adversarial", [[], ["--adversarial"]])
def test_the_papers_iteration_ends_where_a_goal_can_be_missed(quantiplan, reward, adversarial):
    choices = {"s": {"on": [("s", "1/2", reward), ("g", "1/4", 0), ("end", "1/4", 0)]}}
    model = quantiplan.write("m.json", model_text(choices, horizon="infinite", goal=["g"]))
    args = ["solve", model, "--tau", "0.25,0.75", *adversarial]
    expected = [result["quantile"] for result in quantiplan.json(*args)["results"]]
    found = quantiplan.json(*args, "--engine", "paper")["results"]
    assert [result["quantile"] for result in found] == expected


def test_the_model_file_may_say_it(quantiplan):
    model = quantiplan.write(
        "m.json", model_text({"s": {"go": [("end", "1/2", 1), ("s", "1/2", 0)]}}, horizon="infinite")
    )
    assert quantiplan.json("info", model)["model"]["horizon"] == "infinite"
    assert "horizon      infinite\n" in quantiplan("info", model, code=0).stdout
    assert quantiles(quantiplan, model, "--tau", "0.1") == [1]
    # Three steps, instead: P(W >= 1) = 7/8.
    assert quantiles(quantiplan, model, "--tau", "0.1,0.2", "--horizon", "3") == [0, 1]


def test_costs_of_a_geometric_trip(quantiplan, trip):
    asked = ["--tau", "0.125,0.1,0.5", "--side", "both"]
    found = results(quantiplan, trip, *asked)
    assert [(r["quantile"], r["bracket"], r["probability_exact"]) for r in found] == [
        (4, [4, 4], "0.9375"), (3, [3, 3], "0.875"),  # a tie of theta = 0.875 splits the sides
        (4, [4, 4], "0.9375"), (4, [4, 4], "0.9375"),
        (2, [2, 2], "0.75"), (1, [1, 1], "0.5"),
    ]
    text = quantiplan("solve", trip, "--tau", "0.1", code=0).stdout
    assert "from 'road' to 1 goal state; costs\n" in text
    assert (
        "  With probability more than 0.9 the goal is reached at a cost of at most 4; no policy promises\n"
        "  less.\n"
    ) in text
    assert "P(C <= q)" in text


def test_no_bound_on_a_cost_is_almost_sure(quantiplan, trip):
    args = ["solve", trip, "--tau", "0", "--side", "upper"]
    [result] = quantiplan.json(*args)["results"]
    assert (result["quantile"], result["bracket"]) == ("inf", ["inf", "inf"])
    assert "The goal is almost surely reached; no policy is almost sure of any bound on the cost.\n" in (
        quantiplan(*args, code=0).stdout
    )
    text = quantiplan(*args, "--goal", "", code=0).stdout
    assert "No policy is almost sure of any bound on the cost: the quantile is inf.\n" in text


@pytest.fixture
def loop(quantiplan):
    """One may stay for a reward of 1, or leave."""
    text = model_text({"s": {"stay": [("s", 1, 1)], "leave": [("end", 1, 0)]}}, horizon="infinite")
    return quantiplan.write("loop.json", text)


def test_a_total_may_grow_without_end(quantiplan, loop):
    [result] = results(quantiplan, loop, "--tau", "0.1")
    assert (result["quantile"], result["attained"], result["probability"]) == ("inf", True, 1)
    text = quantiplan("solve", loop, "--tau", "0.1", code=0).stdout
    assert "  With probability more than 0.9 the total grows without bound.\n" in text


def test_a_supremum_that_no_policy_attains_is_said_to_be_one(quantiplan, loop):
    args = ["solve", loop, "--tau", "0.1", "--goal", "end"]
    [result] = quantiplan.json(*args)["results"]
    assert (result["quantile"], result["attained"]) == ("inf", False)
    done = quantiplan(*args, "--policy-out", "p.json", code=0)
    assert "inf (sup)" in done.stdout
    assert "a supremum that no policy attains" in done.stdout
    assert "`quantiplan threshold --target Y` gives" in done.stdout
    assert done.stderr == "notice: p.json: not written: no policy attains the quantile of tau 0.1, lower side\n"
    assert not (quantiplan.folder / "p.json").exists()
    # The policy of any number: stay as often as that, then leave.
    quantiplan("threshold", loop, "--target", "7", "--goal", "end", "--policy-out", "p.json", code=0)
    evaluation = quantiplan.json("evaluate", loop, "--policy", "p.json")
    assert evaluation["model"]["goal_states"] == 1
    assert [(a["wealth"], a["probability"]) for a in evaluation["distribution"]] == [(7, 1)]


def test_a_cost_without_end(quantiplan):
    model = quantiplan.write(
        "m.json",
        model_text(
            {"s": {"go": [("bad", "1/4", 0), ("end", "3/4", 2)]}, "bad": {"pay": [("bad", 1, 1)]}},
            horizon="infinite", rewards="cost",
        ),
    )
    assert quantiles(quantiplan, model, "--tau", "0.25", "--side", "both") == ["inf", 2]
    assert quantiles(quantiplan, model, "--tau", "0.2,0.3") == ["inf", 2]
    text = quantiplan("solve", model, "--tau", "0.2", code=0).stdout
    assert "No policy promises any bound on the cost with probability more than 0.8: the quantile is inf.\n" in text


def test_mixed_signs_in_a_cycle_are_refused(quantiplan):
    model = quantiplan.write("m.json", model_text({"s": {"up": [("s", 1, 1)], "down": [("s", 1, -1)]}}))
    [line] = quantiplan.fails("solve", model, "--tau", "0.1", "--horizon", "infinite")
    assert "'up'" in line and "'down'" in line
    assert "--horizon" in line and "--discount" in line


def test_a_discount_gives_a_bracket_that_holds(quantiplan, loop):
    done = quantiplan("solve", loop, "--tau", "0.1", "--discount", "1/2", "--epsilon", "0.01", "--json", code=0)
    [result] = json.loads(done.stdout, parse_float=Fraction, parse_int=Fraction)["results"]
    lower, upper = (Fraction(end) for end in result["bracket"])
    assert lower <= 2 <= upper and upper - lower <= Fraction("0.01")


@pytest.fixture
def trip_policy(quantiplan, trip):
    quantiplan("solve", trip, "--tau", "0.125", "--side", "upper", "--policy-out", "p.json", code=0)
    return "p.json"


def test_the_policy_is_stationary_and_in_wealth(quantiplan, trip_policy):
    policy = json.loads((quantiplan.folder / trip_policy).read_text())
    assert (policy["horizon"], policy["goal"], policy["rewards"]) == ("infinite", ["home"], "cost")
    assert policy["target"] == -3 == policy["claim"]["quantile"]
    assert all("time" not in rule for rule in policy["rules"])


def test_the_policy_passes_its_check(quantiplan, trip, trip_policy):
    checked = quantiplan.json("check", trip, trip_policy)
    assert checked["passed"] is True and checked["optimality_checked"] is True
    assert (checked["claim"]["quantile"], checked["claim"]["probability"]) == (3, 0.875)
    text = quantiplan("check", trip, trip_policy, code=0).stdout
    assert "upper 0.125-quantile 3, kept to with probability 0.875\n" in text
    assert text.endswith("Check passed. W is minus the cost.\n")
    for result in results(quantiplan, trip, "--tau", "0.125,0.5", "--side", "both", "--check"):
        assert result["check"]["passed"] is True


def test_the_policy_is_evaluated_as_far_as_it_matters(quantiplan, trip, trip_policy):
    evaluation = quantiplan.json("evaluate", trip, "--policy", trip_policy, "--tau", "0.125", "--side", "both",
                                 "--at-least", "3,inf")
    atoms = evaluation["distribution"]
    assert [a["wealth"] for a in atoms[:4]] == [1, 2, 3, 4]
    assert [a["probability"] for a in atoms[:4]] == pytest.approx([0.5, 0.25, 0.125, 0.0625])
    assert evaluation["mean"] == pytest.approx(2, rel=1e-6)
    if evaluation["rest"]:
        assert evaluation["rest"]["probability"] < 1e-6
        assert evaluation["rest"]["from"] >= atoms[-1]["wealth"]
    three, ever = evaluation["at_least"]
    assert three["probability"] == pytest.approx(0.875)
    assert ever["probability"] == pytest.approx(1)


def test_the_policy_is_played(quantiplan, trip, trip_policy):
    simulation = quantiplan.json("simulate", trip, "--policy", trip_policy, "--episodes", "2000", "--seed", "3")
    counts = {t["wealth"]: t["count"] for t in simulation["totals"]}
    assert sum(counts.values()) == 2000 and min(counts) == 1
    # Five standard deviations: sqrt(2000 / 4) = 22.4.
    assert abs(counts[1] - 1000) < 112
    assert [t["wealth"] for t in simulation["totals"]] == sorted(counts)
    text = quantiplan("simulate", trip, "--policy", trip_policy, "--episodes", "1", "--trace", code=0).stdout
    assert "episode 1: cost " in text and "  time  state   action  cost  next\n" in text


def test_the_curve_goes_as_far_as_it_is_asked_for(quantiplan, trip):
    curve = quantiplan.json("frontier", trip, "--tau", "0.1", "--exact")
    best = {s["wealth"]: s["probability_exact"] for s in curve["steps"]}
    assert [best[c] for c in (1, 2, 3, 4)] == ["0.5", "0.75", "0.875", "0.9375"]
    assert curve["upto"] >= 4
    assert [s["wealth"] for s in curve["steps"]] == sorted(best)
    assert curve["quantiles"][0]["quantile"] == 4
    text = quantiplan("frontier", trip, "--tau", "0.1", code=0).stdout
    assert "cost c  best P(C <= c)\n" in text
    assert "The curve was followed up to a cost of " in text


@pytest.mark.parametrize(
    "options", [["--exact"], ["--arithmetic", "double"], ["--threads", "1"], ["--threads", "2"], ["--engine", "epochs"]],
    ids=" ".join,
)
def test_no_option_changes_the_answer(quantiplan, trip, options):
    assert quantiles(quantiplan, trip, "--tau", "0.1,0.3", "--side", "both", *options) == [4, 4, 2, 2]


def test_a_lower_bound_of_a_mean_is_rounded_down(quantiplan):
    choices = {"s": {"a": [("s", 1, "0.999999999")]}}
    model = quantiplan.write("m.json", model_text(choices, horizon="infinite", discount="1/2"))
    text = quantiplan("solve", model, "--tau", "0.5", code=0).stdout
    assert "Its mean is at least 1.99999; no policy that keeps the promise has more than 2." in " ".join(text.split())
    assert text.splitlines()[4].endswith(" 1.99999")
    cost = quantiplan("solve", model, "--tau", "0.5", "--cost", code=0).stdout
    assert "Its mean cost is at most 2; no policy that keeps the promise has less than 1.99999." in " ".join(cost.split())
