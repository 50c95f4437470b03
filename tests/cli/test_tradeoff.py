"""quantiplan tradeoff: what a promise costs in the mean; solve --mixed: the coin that attains it."""

import csv
import io
import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from conftest import large_model, model_text, seconds_beyond_reading

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
DATACENTER = str(EXAMPLES / "datacenter.json")
MACHINE = str(EXAMPLES / "machine.json")
COIN = Fraction(50, 99)  # of the train, 0.802 and -31.89, against the bike, 1 and -40: P is 0.9
BOUND = COIN * Fraction(-3189, 100) + (1 - COIN) * -40


def test_the_levels_of_the_commute(quantiplan):
    found = quantiplan.json("tradeoff", "commute.json", "--tau", "0.1", "--exact")
    assert list(found) == ["format", "model", "status", "tau", "side", "points", "levels", "engine", "work"]
    assert (found["format"], found["status"]) == ("quantiplan-tradeoff/1", "solved")
    assert (found["tau"], found["side"], found["levels"]) == ("0.1", "lower", 2)
    first, last = found["points"]
    assert (first["level"], first["probability"], first["mean"], first["mean_bound"]) == (-55, 0.982, -31.89, -31.89)
    assert (last["level"], last["probability"], last["mean"]) == (-40, 1, -40)
    assert Fraction(last["mean_bound_exact"]) == BOUND


def test_the_curve_of_a_target(quantiplan):
    found = quantiplan.json("tradeoff", "commute.json", "--target", "-40", "--exact")
    assert (found["tau"], found["side"], found["above"]) == (None, None, 0)
    assert [(p["probability"], p["mean"]) for p in found["points"]] == [(0.802, -31.89), (1, -40)]


def test_the_text_is_in_the_terms_of_the_user(quantiplan):
    text = quantiplan("tradeoff", "commute.json", "--tau", "0.1", "--side", "upper", code=0).stdout
    assert "What it costs in the mean to promise P(W >= q) >= 0.9, level by level:" in text
    rows = [line.split() for line in text.splitlines() if line.strip().startswith("-")]
    assert rows == [["-55", "0.982", "-31.89", "-31.89"], ["-40", "1", "-40", "-35.904"]]
    text = quantiplan("tradeoff", "commute.json", "--target", "-40", code=0).stdout
    assert "What P(W >= y) costs in the mean, for y = -40:" in text
    assert "no policy lies beyond it" in " ".join(text.split())


def test_costs(quantiplan):
    quantiplan.write("costs.json", (EXAMPLES / "commute.json").read_text().replace(
        '"reward": -', '"reward": ').replace('"name"', '"rewards": "cost", "name"'))
    found = quantiplan.json("tradeoff", "costs.json", "--tau", "0.1", "--exact")
    assert [(p["level"], p["mean"]) for p in found["points"]] == [(55, 31.89), (40, 40)]
    curve = quantiplan.json("tradeoff", "costs.json", "--target", "40", "--exact")
    assert [(p["level"], p["probability"], p["mean"]) for p in curve["points"]] == [(40, 0.802, 31.89), (40, 1, 40)]
    text = quantiplan("tradeoff", "costs.json", "--tau", "0.1", code=0).stdout
    assert "P(C <= q)" in text and "mean cost" in text and "none has less than" in text
    assert "35.904" in text
    error, = quantiplan.fails("tradeoff", "costs.json", "--tau", "0.1", "--at", "30", "--policy-out", "p.json")
    assert error == "quantiplan: --at: found 30, expected at least 40, the least that can be promised"


def test_csv(quantiplan):
    done = quantiplan("tradeoff", "commute.json", "--tau", "0.1", "--csv", "-o", "prices.csv", code=0)
    assert done.stdout == ""
    rows = list(csv.DictReader(io.StringIO((quantiplan.folder / "prices.csv").read_text())))
    assert [(r["level"], r["probability"], r["mean"]) for r in rows] == [("-55", "0.982", "-31.89"), ("-40", "1", "-40")]
    assert float(rows[1]["mean_bound"]) == pytest.approx(float(BOUND), abs=1e-9)


def test_the_price_in_the_data_centre(quantiplan):
    found = quantiplan.json("tradeoff", DATACENTER, "--tau", "0.1", "--rows", "6")
    points = found["points"]
    assert 2 <= len(points) <= 6 and points[-1]["level"] == -80
    assert points[0]["mean"] == pytest.approx(-70.1409, abs=1e-4)
    means = [p["mean"] for p in points]
    assert means == sorted(means, reverse=True)
    assert all(p["mean"] <= p["mean_bound"] and p["probability"] > 0.9 for p in points)
    solved = quantiplan.json("solve", DATACENTER, "--tau", "0.1", "--mean-gap", "0")["results"][0]
    assert points[-1]["mean_bound"] >= solved["mean"] and solved["mean_bound"] >= points[-1]["mean"]


def test_the_hull_of_the_data_centre(quantiplan):
    found = quantiplan.json("tradeoff", DATACENTER, "--target", "-80")
    points = [(p["probability"], p["mean"]) for p in found["points"]]
    assert points[0] == pytest.approx((0.701263, -70.1409), abs=1e-4)
    assert points[-1] == pytest.approx((0.910126, -85.2825), abs=1e-4)
    slopes = [(a[1] - b[1]) / (b[0] - a[0]) for a, b in zip(points, points[1:])]
    assert slopes == sorted(slopes) and slopes[0] > 0
    assert found["above"] <= 0.16  # 1 % of what the promise can cost
    finer = quantiplan.json("tradeoff", DATACENTER, "--target", "-80", "--mean-gap", "0.001")
    assert finer["above"] <= 0.016 and len(finer["points"]) > len(points)


def test_policies_of_points_are_written_evaluated_and_checked(quantiplan):
    for args, mean in ((("--tau", "0.1", "--at", "-40"), -40), (("--tau", "0.1", "--at", "-60"), -31.89),
                       (("--target", "-40", "--at", "0.8"), -31.89), (("--target", "-40", "--at", "0.9"), -40)):
        quantiplan("tradeoff", "commute.json", *args, "--policy-out", "policy.json", code=0)
        law = quantiplan.json("evaluate", "commute.json", "--policy", "policy.json")
        assert law["mean"] == mean
        assert quantiplan.json("check", "commute.json", "policy.json")["passed"] is True


def test_rounded_and_infinite_discounted_problems_have_bounds(quantiplan):
    for args in ([], ["--horizon", "infinite"]):
        found = quantiplan.json("tradeoff", MACHINE, "--tau", "0.1", "--rows", "4", "--epsilon", "1", *args)
        points = found["points"]
        assert 2 <= len(points) <= 4 < found["levels"]
        assert all(p["mean"] <= p["mean_bound"] for p in points)
        means = [p["mean"] for p in points]
        assert means == sorted(means, reverse=True)
        curve = quantiplan.json("tradeoff", MACHINE, "--target", str(points[-1]["level"]), "--epsilon", "1", *args)
        assert curve["points"] and curve["above"] >= 0


def test_long_tables_say_what_was_left_out(quantiplan):
    text = quantiplan("tradeoff", MACHINE, "--tau", "0.1", "--rows", "30", "--epsilon", "1", code=0).stdout
    # Some of the 30 cost no more than the next.
    assert 20 <= int(re.search(r"(\d+) of 43 levels, spread evenly", text)[1]) <= 30 and "more (use --all or --json)" in text
    whole = quantiplan("tradeoff", MACHINE, "--tau", "0.1", "--rows", "30", "--epsilon", "1", "--all", code=0).stdout
    assert "more (use" not in whole


def test_a_limit_leaves_what_is_certain(quantiplan):
    large = quantiplan.write("large.json", large_model())
    limit = seconds_beyond_reading(quantiplan, large, 0.5)
    found = quantiplan.json("tradeoff", large, "--tau", "0.1", "--time-limit", limit, code=1)
    assert found["status"] == "limit_reached"
    assert all(p["mean"] <= p["mean_bound"] for p in found["points"])
    text = quantiplan("tradeoff", large, "--target", "9", "--time-limit", limit, code=1).stdout
    assert "Ended early, at a limit." in text


@pytest.mark.parametrize("args, place", [
    ([], "--tau"),
    (["--tau", "0.1", "--target", "-40"], "--target"),
    (["--tau", "2"], "--tau"),
    (["--tau", "0"], "--tau"),
    (["--tau", "0.1,0.2"], "--tau"),
    (["--target", "inf"], "--target"),
    (["--target", "-40", "--side", "upper"], "--side"),
    (["--tau", "0.1", "--side", "both"], "--side"),
    (["--tau", "0.1", "--rows", "1"], "--rows"),
    (["--tau", "0.1", "--rows", "many"], "--rows"),
    (["--tau", "0.1", "--mean-gap", "-1"], "--mean-gap"),
    (["--tau", "0.1", "--csv", "--json"], "--csv"),
    (["--tau", "0.1", "--at", "-40"], "--at"),
    (["--tau", "0.1", "--policy-out", "p.json"], "--policy-out"),
    (["--tau", "0.1", "--at", "far", "--policy-out", "p.json"], "--at"),
    (["--tau", "0.1", "--at", "0", "--policy-out", "p.json"], "--at"),
    (["--target", "-40", "--at", "2", "--policy-out", "p.json"], "--at"),
    (["--tau", "0.1", "--goal", "office"], "tradeoff"),
    (["--tau", "0.1", "--adversarial"], "tradeoff"),
    (["--tau", "0.1", "--horizon", "infinite"], "tradeoff"),
    (["--tau", "0.1", "--engine", "forward"], "tradeoff"),
])
def test_what_makes_no_sense_is_refused(quantiplan, args, place):
    error, = quantiplan.fails("tradeoff", "commute.json", *args)
    assert error.startswith(f"quantiplan: {place}: "), error
    assert not (quantiplan.folder / "p.json").exists()


def test_a_coin_attains_the_bound(quantiplan):
    args = ("commute.json", "--tau", "0.1", "--side", "both", "--exact", "--mixed")
    lower, upper = quantiplan.json("solve", *args)["results"]
    assert Fraction(upper["mixed"]["coin"]) == COIN
    assert upper["mixed"]["probability_exact"] == "0.9"
    assert Fraction(upper["mixed"]["mean_exact"]) == Fraction(upper["mean_bound_exact"]) == BOUND
    assert Fraction(lower["mixed"]["probability_exact"]) > Fraction(9, 10)
    assert 0 < BOUND - Fraction(lower["mixed"]["mean_exact"]) <= Fraction("8.11") / 2**20
    text = quantiplan("solve", *args, code=0).stdout
    sentence = "A coin between two policies, 0.505051 for the first, keeps the promise with P(W >= -40) at least 0.9 and the mean -35.904."
    assert sentence in " ".join(text.split())
    assert "mixed" not in quantiplan.json("solve", "commute.json", "--tau", "0.1")["results"][0]


def test_a_policy_alone_has_the_probability_that_is_known(quantiplan):
    """In doubles, too: 2/3 is what was promised, and the double below it would not be."""
    model = quantiplan.write("two.json", model_text({"s": {"a": [("e", "2/3", 1), ("e", "1/3", 0)]}}, horizon=1))
    args = (model, "--tau", "1/3", "--side", "upper", "--arithmetic", "double", "--mixed", "--check")
    [result] = quantiplan.json("solve", *args)["results"]
    mixed = result["mixed"]
    assert (mixed["coin"], mixed["probability_exact"], mixed["probability_is"]) == ("1", "2/3", "exact")
    assert mixed["check"]["passed"]


def test_a_mixture_is_a_policy_like_any_other(quantiplan):
    args = ("commute.json", "--tau", "0.1", "--side", "upper", "--exact", "--mixed", "--policy-out", "coin.json")
    quantiplan("solve", *args, "--check", code=0)
    law = quantiplan.json("evaluate", "commute.json", "--policy", "coin.json", "--at-least", "-40", "--exact")
    assert Fraction(law["mean_exact"]) == BOUND
    assert law["at_least"][0]["probability_exact"] == "0.9"
    assert quantiplan.json("check", "commute.json", "coin.json")["passed"] is True
    played = quantiplan.json("simulate", "commute.json", "--policy", "coin.json", "--episodes", "5000", "--seed", "3")
    again = quantiplan.json("simulate", "commute.json", "--policy", "coin.json", "--episodes", "5000", "--seed", "3")
    assert played == again
    text = (quantiplan.folder / "coin.json").read_text()
    quantiplan.write("tampered.json", text.replace('"weight": "50/99"', '"weight": "60/99"')
                     .replace('"weight": "49/99"', '"weight": "39/99"'))
    assert quantiplan("check", "commute.json", "tampered.json").returncode == 4
    file = json.loads(text)
    assert [Fraction(part["weight"]) for part in file["mixture"]] == [COIN, 1 - COIN]
    assert "rules" not in file


def test_the_data_centre_by_a_coin(quantiplan):
    args = (DATACENTER, "--tau", "0.1", "--mixed", "--policy-out", "coin.json")
    result = quantiplan.json("solve", *args)["results"][0]
    assert result["mixed"]["probability"] > 0.9
    assert result["mean"] <= result["mixed"]["mean"] <= result["mean_bound"]
    assert result["mean_bound"] - result["mixed"]["mean"] < 1e-3
    assert quantiplan.json("check", DATACENTER, "coin.json")["passed"] is True


@pytest.mark.parametrize("change, message", [
    (lambda f: f["mixture"][0].update(weight=0.9), "the weights sum to"),
    (lambda f: f["mixture"][0].update(weight=0), "must be above 0"),
    (lambda f: f.update(mixture=[]), "must have a part"),
    (lambda f: f.update(rules=[]), "must be left out beside a 'mixture'"),
    (lambda f: f["mixture"][0].pop("rules"), "missing key 'rules'"),
    (lambda f: f["mixture"][0].update(mixture=[]), "unknown key 'mixture'"),
    (lambda f: f["mixture"][0]["rules"][0].update(state="nowhere"), "nowhere"),
])
def test_damaged_mixtures_are_refused(quantiplan, change, message):
    quantiplan("solve", "commute.json", "--tau", "0.1", "--mixed", "--policy-out", "coin.json", code=0)
    file = json.loads((quantiplan.folder / "coin.json").read_text())
    change(file)
    quantiplan.write("damaged.json", json.dumps(file, indent=1))
    error, = quantiplan.fails("evaluate", "commute.json", "--policy", "damaged.json")
    assert error.startswith("damaged.json:") and message in error


@pytest.mark.parametrize("args", [["--goal", "office"], ["--adversarial"], ["--engine", "forward"],
                                  ["--horizon", "infinite"]])
def test_coins_are_refused_where_there_is_no_mean(quantiplan, args):
    error, = quantiplan.fails("solve", "commute.json", "--tau", "0.1", "--mixed", *args)
    assert error.startswith("quantiplan: --mixed: ")


def tampered(change):
    """What `check` says of the coin of the commute after a change: its exit code and its sentences."""
    def run(quantiplan):
        args = ("commute.json", "--tau", "0.1", "--side", "upper", "--exact", "--mixed", "--policy-out", "coin.json")
        quantiplan("solve", *args, code=0)
        file = json.loads((quantiplan.folder / "coin.json").read_text())
        change(file)
        quantiplan.write("other.json", json.dumps(file, indent=1))
        found = quantiplan("check", "commute.json", "other.json")
        return found.returncode, " ".join((found.stdout + found.stderr).split())
    return run


def swap_weights(file):
    first, second = file["mixture"]
    first["weight"], second["weight"] = second["weight"], first["weight"]


@pytest.mark.parametrize("change, code, said", [
    (lambda f: None, 0, "The mean of the mixture is -35.904040404040401, as claimed."),
    (lambda f: f["claim"].update(mean=-36, exact_mean=-36), 4, "The mean of the mixture is not -36"),
    (lambda f: f["mixture"][0]["claim"].update(mean=-30, exact_mean=-30), 4, "Part 1: its claim is wrong."),
    (swap_weights, 4, "The mean of the mixture is not -35.904"),
    (lambda f: f["claim"].update(probability=0.95), 4, "is not the nearest double to the exactly claimed one"),
    (lambda f: f["mixture"][0]["claim"].update(probability=0.812), 4, "is not the nearest double"),
    (lambda f: [part.pop("claim") for part in f["mixture"]], 1, "Part 1: it claims nothing of W"),
])
def test_what_a_mixture_claims_is_checked(quantiplan, change, code, said):
    found, text = tampered(change)(quantiplan)
    assert (found, said in text) == (code, True), text


SAFE_OR_BOLD = """{"format": "quantiplan-model/1", "horizon": 30, "discount": 0.9, "initial": "s", "choices": [
  {"state": "s", "action": "safe", "reward": 1, "next": {"s": 1}},
  {"state": "s", "action": "bold", "next": [{"to": "s", "probability": 0.6, "reward": 3}, {"to": "s", "probability": 0.4}]}]}"""


def test_a_sure_level_on_a_fine_grid_has_a_bound(quantiplan):
    model = quantiplan.write("model.json", SAFE_OR_BOLD)
    result = quantiplan.json("solve", model, "--tau", "0.001", "--side", "upper")["results"][0]
    assert (result["prefer"], result["probability"]) == ("mean", 1)
    assert result["mean"] == pytest.approx(10 * (1 - 0.9**30)) and result["mean"] < result["mean_bound"] < 18


def test_without_a_better_coin_there_is_the_policy_alone(quantiplan):
    model = quantiplan.write("model.json", SAFE_OR_BOLD)
    args = ("--tau", "0.001,0.1", "--side", "upper", "--mixed", "--policy-out", "p{tau}.json", "--check", "--json")
    alone, mixed = quantiplan.json("solve", model, *args)["results"]
    assert (alone["mixed"]["coin"], alone["mixed"]["probability"]) == ("1", 1)
    assert alone["mixed"]["check"]["passed"] and 0 < Fraction(mixed["mixed"]["coin"]) < 1
    [part] = json.loads((quantiplan.folder / "p0.001.json").read_text())["mixture"]
    assert part["weight"] == 1 and len(json.loads((quantiplan.folder / "p0.1.json").read_text())["mixture"]) == 2
    quantiplan("check", model, "p0.001.json", code=0)
    text = quantiplan("solve", model, "--tau", "0.001", "--side", "upper", "--mixed", code=0).stdout
    assert "No coin between two policies was found that has a better mean than the first alone." in " ".join(text.split())


@pytest.mark.parametrize("engine", ["auto", "lattice", "search"])
def test_a_coin_of_a_single_policy_on_every_engine(quantiplan, engine):
    choices = {"s": {"a": [("end", "2/3", "1/5"), ("s", "1/3", "-7/3")]}}
    model = quantiplan.write("m.json", model_text(choices, horizon=2, discount="1/2"))
    args = ("--tau", "1/3", "--side", "upper", "--engine", engine, "--mixed", "--policy-out", f"{engine}.json")
    [result] = quantiplan.json("solve", model, *args, "--check")["results"]
    assert (result["quantile"], result["certificate"], result["mixed"]["coin"]) == (0.2, "exact", "1")
    assert result["mixed"]["check"]["passed"]
    quantiplan("check", model, f"{engine}.json", code=0)


def test_coins_keep_their_promise_as_they_are_written(quantiplan):
    model = quantiplan.write("model.json", SAFE_OR_BOLD)
    args = ("--tau", "0.1", "--side", "upper", "--mixed", "--policy-out", "p.json")
    assert quantiplan.json("solve", model, *args)["results"][0]["mixed"]["probability"] >= 0.9
    parts = json.loads((quantiplan.folder / "p.json").read_text(), parse_float=Fraction)["mixture"]
    assert sum(Fraction(part["weight"]) * part["claim"]["probability"] for part in parts) >= Fraction(9, 10)


GAINS_AND_A_GOAL = """{"format": "quantiplan-model/1", "horizon": "infinite", "initial": "s", "goal": ["e"], "choices": [
  {"state": "s", "action": "a", "next": {"e": 0.5, "dead": 0.5}, "reward": 5}]}"""


@pytest.mark.parametrize("command, message", [
    (["solve", "gains.json", "--tau", "0.6", "--prefer", "mean"],
     "--prefer: found mean at the infinite horizon with gains, or without any cost; expected probability"),
    (["solve", "commute.json", "--tau", "0.1", "--mixed", "--attitude", "all"],
     "--mixed: found together with --attitude, expected one of them; policies that --policy-out writes can be checked and "
     "evaluated"),
    (["tradeoff", "commute.json", "--target", "-40", "--at", "-0.5", "--policy-out", "p.json"],
     "--at: found -0.5, expected a probability in [0, 1]"),
    (["tradeoff", "commute.json", "--tau", "0.1", "--engine", "paper"],
     "--engine: found one that answers for a level at a time, expected auto, steps or lattice"),
])
def test_what_is_not_searched_for_is_refused(quantiplan, command, message):
    quantiplan.write("gains.json", GAINS_AND_A_GOAL)
    assert quantiplan.fails(*command) == [f"quantiplan: {message}"]


def test_equal_means_promise_the_most(quantiplan):
    model = quantiplan.write("model.json", """{"format": "quantiplan-model/1", "horizon": 1, "initial": "s", "choices": [
      {"state": "s", "action": "a", "next": [{"to": "e", "probability": "1/3"}, {"to": "e", "probability": "2/3", "reward": -3}]},
      {"state": "s", "action": "b", "reward": -2, "next": {"e": 1}}]}""")
    points = quantiplan.json("tradeoff", model, "--tau", "0.2")["points"]
    assert [(point["level"], point["mean"]) for point in points] == [(-2, -2)]


def test_levels_that_are_promised_as_surely_have_their_price(quantiplan):
    # 5 is sure, so is 3, and 0 too: by one policy each, the less the better its mean. 4 costs what 5 does.
    rows = {"safe": [("end", 1, 5)], "try": [("end", "1/2", 3), ("end", "1/2", 11)],
            "poor": [("end", "1/2", 4), ("end", "1/2", 5)], "bold": [("end", "1/2", 0), ("end", "1/2", 100)]}
    model = quantiplan.write("sure.json", model_text({"s": rows}, horizon=1, initial="s"))
    for arithmetic in ("exact", "double"):
        points = quantiplan.json("tradeoff", model, "--tau", "0.1", "--arithmetic", arithmetic)["points"]
        assert [p["level"] for p in points] == [0, 3, 5]
        assert [p["mean"] for p in points] == pytest.approx([50, 7, 5])
    args = (model, "--tau", "0.1", "--at", "2", "--policy-out", "p.json")
    quantiplan("tradeoff", *args, code=0)
    law = quantiplan.json("evaluate", model, "--policy", "p.json")
    assert [atom["wealth"] for atom in law["distribution"]] == [3, 11]


def test_the_data_centre_has_a_price_at_every_level(quantiplan):
    # -120 costs nothing; between -114 and -101 the frontier has no step, and the bounds differ all the same.
    points = quantiplan.json("tradeoff", DATACENTER, "--tau", "0.1")["points"]
    levels = [p["level"] for p in points]
    assert levels[:8] == [-120, -119, -118, -117, -116, -115, -114, -113] and levels[-1] == -80
    means = [p["mean"] for p in points]
    assert means == sorted(means, reverse=True) and means[1] < means[0]
