"""--reduce: the same answers from a smaller model, and policies that speak of the model's own states."""

import fractions
import itertools
import json
import re

import pytest

from conftest import SOURCE, model_text

# Walkers who are alike: n choose k and so on instead of places for each.
WALKERS = """
mdp
const int n;
module w1
  x1 : [0..n-1] init n-1;
  [tick] x1>0 -> 1/2 : (x1'=x1-1) + 1/2 : true;
  [tick] x1=0 -> true;
  [rush] x1>1 -> 3/4 : (x1'=x1-2) + 1/4 : true;
  [rush] x1<=1 -> (x1'=0);
endmodule
module w2 = w1 [x1=x2] endmodule
module w3 = w1 [x1=x3] endmodule
label "home" = x1=0 & x2=0 & x3=0;
rewards "time"
  [tick] true : 1;
  [rush] true : 2;
endrewards
"""


@pytest.fixture
def walkers(quantiplan):
    return quantiplan.write("walkers.prism", WALKERS)


SETTINGS = [
    ["--horizon", "infinite", "--goal", '"home"', "--cost"],
    ["--horizon", "infinite", "--goal", '"home"', "--cost", "--adversarial"],
    ["--horizon", "12", "--goal", '"home"', "--cost"],
    ["--horizon", "9"],
    ["--horizon", "9", "--cost"],
]


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_answers_are_the_same(quantiplan, walkers, setting):
    asked = ["solve", walkers, "--const", "n=5", "--tau", "0.1,0.5,0.9", "--side", "both", *setting]
    whole = quantiplan.json(*asked, "--reduce", "none", "--exact")
    small = quantiplan.json(*asked, "--reduce", "bisimulation", "--exact", "--check")
    assert "reduction" not in whole["engine"]
    # Without a goal all of them walk on for ever at the same price.
    left = 35 if "--goal" in setting else 1
    assert small["engine"]["reduction"] == {"by": "bisimulation", "states": 125, "solved_as": left}
    assert small["model"] == whole["model"]
    for a, b in zip(whole["results"], small["results"], strict=True):
        for key in ["quantile", "bracket", "certificate", "status", "probability", "probability_is"]:
            assert a[key] == b[key], key
        assert b["check"]["passed"]


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_policy_is_one_of_the_model(quantiplan, walkers, setting):
    quantiplan(
        "solve", walkers, "--const", "n=5", "--tau", "0.1", *setting, "--reduce", "bisimulation", "--policy-out", "p.json",
        code=0,
    )
    rules = json.loads((quantiplan.folder / "p.json").read_text())["rules"]
    states = {rule["state"] for rule in rules}
    places = {tuple(re.findall(r"x\d=(\d)", state)) for state in states}
    assert len(places) == len(states)
    # They start together and are alike: where one can be, the others can be instead, with rules of their own.
    assert places == {order for place in places for order in itertools.permutations(place)}
    assert any(len(set(place)) > 1 for place in places)
    quantiplan("check", walkers, "--const", "n=5", "p.json", "--reduce", "none", code=0)
    quantiplan("evaluate", walkers, "--const", "n=5", "--policy", "p.json", code=0)


def test_the_report_says_what_was_solved(quantiplan, walkers):
    asked = ["--const", "n=9", "--horizon", "infinite", "--goal", '"home"', "--cost"]
    line = "Reduced: 729 states, solved as 165 (bisimulation)\n"
    # Large enough to be worth it by itself.
    assert line in quantiplan("solve", walkers, *asked, "--tau", "0.1", code=0).stdout
    assert line in quantiplan("threshold", walkers, *asked, "--target", "60", code=0).stdout
    assert line in quantiplan("frontier", walkers, *asked, "--tau", "0.1", code=0).stdout
    none = quantiplan("solve", walkers, *asked, "--tau", "0.1", "--reduce", "none", code=0).stdout
    assert "Reduced" not in none


RELAY = {
    "s": {"fast": [("a1", "1/2", 3), ("s", "1/2", 3)], "slow": [("a2", "1/3", 1), ("b1", "2/3", 0)]},
    "a1": {"on": [("a2", 1, 1)]},
    "a2": {"on": [("a3", 1, 2)]},
    "a3": {"on": [("home", "9/10", 0), ("s", "1/10", 1)]},
    "b1": {"on": [("b2", 1, 1)]},
    "b2": {"on": [("s", 1, 0)]},
}


@pytest.mark.parametrize("tau", ["0.01", "0.1", "0.5"])
def test_ways_on_are_passed_over(quantiplan, tau):
    model = quantiplan.write("relay.json", model_text(RELAY, horizon="infinite", goal=["home"], rewards="cost"))
    asked = ["solve", model, "--tau", tau, "--side", "both", "--exact"]
    whole = quantiplan.json(*asked, "--reduce", "none")
    small = quantiplan.json(*asked, "--reduce", "chains", "--check", "--policy-out", "p-{side}.json")
    assert small["engine"]["reduction"] == {"by": "chains", "states": 7, "solved_as": 3}
    for a, b in zip(whole["results"], small["results"], strict=True):
        assert (a["quantile"], a["certificate"]) == (b["quantile"], b["certificate"])
        assert a["probability_exact"] == b["probability_exact"]
        assert b["check"]["passed"]
    for side in ["lower", "upper"]:
        policy = json.loads((quantiplan.folder / f"p-{side}.json").read_text())
        assert {"s", "a2", "a3"} <= {rule["state"] for rule in policy["rules"]}
        quantiplan("check", model, f"p-{side}.json", code=0)
    # Over so many steps time counts.
    few = quantiplan.json("solve", model, "--tau", tau, "--horizon", "9", "--reduce", "chains")
    assert "reduction" not in few["engine"]


def with_twins(name):
    """An example whose states have twins, which their outcomes lead to every other time."""
    model = json.loads((SOURCE / "examples" / name).read_text())
    model["states"] += [state + "'" for state in model["states"]]
    choices = []
    for choice, mark in itertools.product(model["choices"], ["", "'"]):
        outcomes = []
        ways = choice["next"]
        if isinstance(ways, dict):
            ways = [{"to": to, "probability": p} for to, p in ways.items()]
        for way in ways:
            half = str(fractions.Fraction(str(way["probability"])) / 2)
            outcomes += [{**way, "to": way["to"] + twin, "probability": half} for twin in ["", "'"]]
        choices.append({**choice, "state": choice["state"] + mark, "next": outcomes})
    return json.dumps({**model, "choices": choices})


# Counts, lexicographic, min and an automaton; without an end, those that have a limit.
KINDS = [[name, []] for name in ["service.json", "delivery.json", "treatment.json", "workflow.json"]]


@pytest.mark.parametrize("name, horizon", [*KINDS, ["treatment.json", ["--horizon", "infinite"]]])
def test_wealth_of_any_kind(quantiplan, name, horizon):
    model = quantiplan.write("twins.json", with_twins(name))
    asked = ["--tau", "0.05,0.5", "--side", "both", "--exact", *horizon]
    single = quantiplan.json("solve", SOURCE / "examples" / name, *asked, "--reduce", "none")
    policies = ["--check", "--policy-out", "p-{tau}-{side}.json"]
    small = quantiplan.json("solve", model, *asked, "--reduce", "bisimulation", *policies)
    states = single["model"]["states"]
    assert small["engine"]["reduction"] == {"by": "bisimulation", "states": 2 * states, "solved_as": states}
    for a, b in zip(single["results"], small["results"], strict=True):
        assert (a["quantile"], a["rank"], a["certificate"]) == (b["quantile"], b["rank"], b["certificate"])
        assert a["probability_exact"] == b["probability_exact"]
        assert b["check"]["passed"]
    for policy in sorted(quantiplan.folder.glob("p-*.json")):
        rules = json.loads(policy.read_text())["rules"]
        assert any(rule["state"].endswith("'") for rule in rules), policy
        quantiplan("check", model, policy.name, code=0)


def test_few_levels_are_gone_through_as_they_are(quantiplan, walkers):
    setting = ["--const", "n=12", "--horizon", "infinite", "--goal", '"home"', "--cost"]
    for target, is_reduced in [("20", False), ("60", True)]:
        asked = ["threshold", walkers, *setting, "--target", target]
        whole = quantiplan.json(*asked, "--reduce", "none")
        found = quantiplan.json(*asked)
        assert ("reduction" in found["engine"]) == is_reduced
        (a, b), (c, d) = (answer["results"][0]["bracket"] for answer in [whole, found])
        assert a <= d and c <= b
        # Who asks for it has it.
        assert "reduction" in quantiplan.json(*asked, "--reduce", "bisimulation")["engine"]


def test_what_is_small_is_left_alone(quantiplan):
    assert "Reduced" not in quantiplan("solve", "commute.json", "--tau", "0.1", code=0).stdout


def test_an_unknown_reduction_is_named(quantiplan):
    [line] = quantiplan.fails("solve", "commute.json", "--tau", "0.1", "--reduce", "x")
    assert "--reduce: found 'x', expected one of auto, none, bisimulation, chains" in line
