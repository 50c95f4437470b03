"""Other criteria than the quantile: solve --criterion."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from conftest import seconds_beyond_reading

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
COMMUTE = str(EXAMPLES / "commute.json")
MACHINE = str(EXAMPLES / "machine.json")
UPLOAD = str(EXAMPLES / "upload.json")


def results(quantiplan, *args):
    return quantiplan.json("solve", *args)["results"]


def one(quantiplan, *args):
    [result] = results(quantiplan, *args)
    return result


def test_every_tau_of_cvar_comes_from_one_pass(quantiplan):
    taus = ",".join(f"{i}/100" for i in range(1, 101))
    answer = quantiplan.json("solve", COMMUTE, "--criterion", "cvar", "--tau", taus)
    assert answer["work"]["passes"] == 1
    values = [Fraction(str(r["value"])) for r in answer["results"]]
    assert values == sorted(values)
    mean = one(quantiplan, COMMUTE, "--criterion", "expectation")
    assert values[-1] == Fraction(str(mean["value"]))
    worst = one(quantiplan, COMMUTE, "--criterion", "worst-case")
    assert Fraction(str(worst["value"])) <= values[0]


def test_a_result_says_what_it_is(quantiplan):
    result = one(quantiplan, COMMUTE, "--criterion", "cvar", "--tau", "0.1", "--check")
    assert (result["criterion"], result["tau"], result["status"]) == ("cvar", "0.1", "solved")
    assert result["bracket"][0] == result["value"] == result["bracket"][1]
    assert result["check"]["passed"] and result["check"]["optimality_checked"]
    assert "quantile" not in result and "probability" not in result


@pytest.mark.parametrize("criterion", ["cvar", "mean-cvar:1/3", "utility:target(-40,2)",
                                       "mean-variance:0.1", "expectation", "worst-case"])
def test_policies_are_found_checked_and_evaluated(quantiplan, tmp_path, criterion):
    tau = ["--tau", "0.1"] if "cvar" in criterion else []
    file = tmp_path / "policy.json"
    for arithmetic in ("exact", "double"):
        result = one(quantiplan, COMMUTE, "--criterion", criterion, *tau, "--check", "--arithmetic", arithmetic,
                     "--policy-out", str(file))
        assert result["check"]["passed"], result["check"]
        lower, upper = result["bracket"]
        assert float(Fraction(str(lower))) <= float(Fraction(str(upper)))
        quantiplan("check", COMMUTE, str(file), code=0)


def test_a_discount_gives_a_bracket(quantiplan):
    result = one(quantiplan, MACHINE, "--criterion", "cvar", "--tau", "0.1", "--epsilon", "0.1")
    lower, upper = result["bracket"]
    assert result["certificate"] == "bracket" and result["status"] == "solved"
    assert 0 <= upper - lower <= 0.1


def test_costs_to_a_goal_without_end(quantiplan):
    tail = results(quantiplan, UPLOAD, "--criterion", "cvar", "--tau", "0.1,1")
    mean = one(quantiplan, UPLOAD, "--criterion", "expectation")
    assert Fraction(str(tail[1]["value"])) == Fraction(str(mean["value"]))
    quantile = one(quantiplan, UPLOAD, "--tau", "0.1")["quantile"]
    assert Fraction(str(tail[0]["value"])) >= Fraction(str(quantile))


@pytest.mark.parametrize("args, words", [
    (["--criterion", "cvar"], "--tau: none given"),
    (["--criterion", "expectation", "--tau", "0.1"], "expected no --tau"),
    (["--criterion", "variance:3"], "NP-hard"),
    (["--criterion", "shortfall"], "expected quantile, cvar"),
    (["--criterion", "cvra"], "did you mean 'cvar'?"),
    (["--criterion", "mean-cvar", "--tau", "0.1"], "expected mean-cvar:WEIGHT"),
    (["--criterion", "mean-cvar:2", "--tau", "0.1"], "at most 1"),
    (["--criterion", "cvar", "--tau", "0.1", "--adversarial"], "not found by one pass"),
    (["--criterion", "cvar", "--tau", "0.1", "--side", "upper"], "tosses coins"),
    (["--criterion", "cvar", "--tau", "2"], "from 0 to 1"),
    (["--criterion", "cvar", "--tau", "0.1", "--engine", "paper"], "expected auto, steps or lattice"),
    (["--criterion", "mean-variance:0"], "above 0"),
    (["--criterion", "upper-cvar", "--tau", "0.1"], "a coin between the best policies"),
])
def test_what_makes_no_sense_is_refused(quantiplan, args, words):
    assert words in "\n".join(quantiplan.fails("solve", COMMUTE, *args))


TWO_PAYS = '''{"format": "quantiplan-model/1", "horizon": 1, "initial": "s", "choices": [
  {"state": "s", "action": "a", "next": [{"to": "e", "probability": "1/2", "reward": 1},
                                         {"to": "e", "probability": "1/2", "reward": 3}]}]}'''


@pytest.mark.parametrize("criterion, value", [("cvar", 1), ("mean-cvar:1/2", 1.5), ("expectation", 2),
                                              ("utility:target(2,3)", 0.5)])
def test_checks_hold_values_above_zero(quantiplan, criterion, value):
    quantiplan.write("pays.json", TWO_PAYS)
    tau = ["--tau", "0.5"] if "cvar" in criterion else []
    result = one(quantiplan, "pays.json", "--criterion", criterion, "--check", *tau)
    assert (result["value"], result["check"]["passed"]) == (value, True)
    assert result["check"]["optimality_checked"]


def test_mean_minus_variance_of_rounded_totals_holds_the_best(quantiplan):
    quantiplan.write("sure.json", '''{"format": "quantiplan-model/1", "horizon": 1, "initial": "s", "choices": [
      {"state": "s", "action": "sure", "reward": 2, "next": {"e": 1}},
      {"state": "s", "action": "wild", "next": [{"to": "e", "probability": "5/6", "reward": -1},
        {"to": "e", "probability": "1/6", "reward": "2859436794813/1000000000039"}]}]}''')
    result = one(quantiplan, "sure.json", "--criterion", "mean-variance:0.25", "--engine", "lattice",
                 "--epsilon", "0.01")
    assert result["bracket"][0] <= 2 <= result["bracket"][1] <= result["bracket"][0] + 0.01


def test_the_whole_curve_of_cvar(quantiplan):
    curve = quantiplan.json("frontier", COMMUTE, "--criterion", "cvar")
    assert curve["work"]["passes"] == 1 and curve["criterion"] == "cvar"
    points = {p["tau"]: Fraction(str(p["value"])) for p in curve["points"]}
    taus = [t for t in points if t != "0"]
    solved = results(quantiplan, COMMUTE, "--criterion", "cvar", "--tau", ",".join(taus))
    assert [Fraction(str(r["value"])) for r in solved] == [points[t] for t in taus]
    assert "tau" in quantiplan("frontier", COMMUTE, "--criterion", "cvar", code=0).stdout


def test_all_criteria_side_by_side(quantiplan):
    [table] = quantiplan.json("solve", COMMUTE, "--tau", "0.5", "--compare", "all")["comparisons"]
    rows = {row["criterion"]: {m["measure"]: m["bracket"] for m in row["measures"]} for row in table["policies"]}
    assert {"quantile", "cvar", "evar", "worst-case", "expectation", "nested-cvar"} <= set(rows)
    for measure, best in (("quantile", "quantile"), ("cvar", "cvar"), ("mean", "expectation"),
                          ("worst-case", "worst-case"), ("evar", "evar")):
        for row in rows.values():
            assert float(Fraction(str(row[measure][0]))) <= float(Fraction(str(rows[best][measure][1]))) + 1e-9
    assert "best by" in quantiplan("solve", COMMUTE, "--tau", "0.5", "--compare", "cvar,evar", code=0).stdout


@pytest.mark.parametrize("args", [["entropic:0.1"], ["evar", "--tau", "0.1"], ["nested-cvar", "--tau", "0.1"]])
def test_criteria_without_wealth(quantiplan, args):
    result = one(quantiplan, COMMUTE, "--criterion", *args)
    worst = one(quantiplan, COMMUTE, "--criterion", "worst-case")["value"]
    mean = one(quantiplan, COMMUTE, "--criterion", "expectation")["value"]
    low, high = (float(Fraction(str(end))) for end in result["bracket"])
    assert worst - 1e-9 <= high and low <= mean + 1e-9 and result["status"] == "solved"


def test_an_answer_is_compared_with_the_usual_policies(quantiplan):
    answer = quantiplan.json("solve", COMMUTE, "--criterion", "cvar", "--tau", "0.5")
    assert [row["criterion"] for row in answer["comparison"]["policies"]] == ["cvar", "quantile", "expectation"]
    without = quantiplan.json("solve", COMMUTE, "--criterion", "cvar", "--tau", "0.5", "--no-comparison")
    assert without["comparison"] is None
    assert "Policies compared" in quantiplan("solve", COMMUTE, "--criterion", "cvar", "--tau", "0.5", code=0).stdout


ONE_LOSS = '''{"format": "quantiplan-model/1", "horizon": 1, "initial": "s", "choices": [
  {"state": "s", "action": "a", "reward": -40, "next": {"e": 1}}]}'''


@pytest.mark.parametrize("utility", ["exponential(20)", "power(200)", "exponential(1e5)"])
def test_a_utility_beyond_doubles_is_no_infinity(quantiplan, utility):
    quantiplan.write("loss.json", ONE_LOSS)
    for model in ("loss.json", COMMUTE):
        answer = quantiplan.json("solve", model, "--criterion", f"utility:{utility}", "--no-comparison", code=1)
        [result] = answer["results"]
        assert (result["certificate"], result["status"]) == ("bracket", "unsettled")
        assert result["bracket"][0] == "-inf" and -1.8e308 < result["bracket"][1] < -1e300


def test_a_rare_loss_beyond_doubles_leaves_both_ends_open(quantiplan):
    quantiplan.write("rare.json", '''{"format": "quantiplan-model/1", "horizon": 1, "initial": "s", "choices": [
      {"state": "s", "action": "risk", "next": [{"to": "e", "probability": "1e-300", "reward": -40},
        {"to": "e", "probability": "0.%s", "reward": 0}]},
      {"state": "s", "action": "loss", "reward": -30, "next": {"e": 1}}]}''' % ("9" * 300))
    # The rare loss is worth -exp(800) / 20 * 1e-300, some -1e46; the sure one -exp(600) / 20, some -2e259.
    result = one(quantiplan, "rare.json", "--criterion", "utility:exponential(20)", "--no-comparison")
    low, high = result["bracket"]
    assert low < -1e259 and high > -1.4e46


def test_what_is_minus_infinity_is_exactly_that(quantiplan):
    quantiplan.write("loss.json", ONE_LOSS)
    result = one(quantiplan, "loss.json", "--criterion", "utility:logarithm", "--no-comparison")
    assert (result["certificate"], result["bracket"]) == ("exact", ["-inf", "-inf"])


def test_a_lambda_beyond_doubles_is_refused(quantiplan):
    text = quantiplan.fails("solve", MACHINE, "--criterion", "mean-variance:1e-320")
    assert "expected a greater one, or expectation" in "\n".join(text)


TWO_STARTS = '''{"format": "quantiplan-model/1", "horizon": %s, "initial": %s, "choices": [%s
  {"state": "a", "action": "calm", "reward": 1, "next": {"b": "1/3", "c": "2/3"}},
  {"state": "a", "action": "bold", "next": [{"to": "b", "probability": "1/2", "reward": 6},
                                            {"to": "c", "probability": "1/2", "reward": -3}]},
  {"state": "b", "action": "wait", "reward": 1, "next": {"c": 1}},
  {"state": "b", "action": "try", "next": [{"to": "a", "probability": "1/4", "reward": -5},
                                           {"to": "c", "probability": "3/4", "reward": 4}]},
  {"state": "c", "action": "rest", "reward": 0, "next": {"a": 1}},
  {"state": "c", "action": "bet", "next": [{"to": "c", "probability": "1/2", "reward": 3},
                                           {"to": "b", "probability": "1/2", "reward": -2}]}]}'''
DRAWN = TWO_STARTS % (3, '{"a": "1/3", "b": "2/3"}', "")
# The draw as a step without reward.
ENTERED = TWO_STARTS % (4, '"start"', '''{"state": "start", "action": "draw", "reward": 0,
  "next": {"a": "1/3", "b": "2/3"}},''')


@pytest.mark.parametrize("criterion", ["cvar", "mean-cvar:1/4", "worst-case", "expectation", "utility:target(2,3)",
                                       "utility:exponential(0.2)", "entropic:0.3", "evar", "mean-variance:0.1",
                                       "nested-cvar"])
@pytest.mark.parametrize("arithmetic", ["auto", "double"])
def test_an_initial_state_may_be_drawn(quantiplan, criterion, arithmetic):
    quantiplan.write("drawn.json", DRAWN)
    quantiplan.write("entered.json", ENTERED)
    tau = ["--tau", "0.3"] if "cvar" in criterion or criterion == "evar" else []
    args = ["--criterion", criterion, *tau, "--no-comparison", "--epsilon", "1e-9", "--arithmetic", arithmetic]
    drawn = one(quantiplan, "drawn.json", *args)
    entered = one(quantiplan, "entered.json", *args)
    low, high = (float(Fraction(str(end))) for end in drawn["bracket"])
    also_low, also_high = (float(Fraction(str(end))) for end in entered["bracket"])
    assert low <= also_high + 1e-12 and also_low <= high + 1e-12 and high - low < 1e-6


def test_a_drawn_state_on_the_way_to_a_goal(quantiplan):
    quantiplan.write("goal.json", '''{"format": "quantiplan-model/1", "horizon": "infinite", "rewards": "cost",
      "goal": ["g"], "initial": {"a": "1/2", "b": "1/2"}, "choices": [
      {"state": "a", "action": "go", "reward": 4, "next": {"g": 1}},
      {"state": "b", "action": "try", "reward": 1, "next": {"g": "1/2", "b": "1/2"}}]}''')
    assert one(quantiplan, "goal.json", "--criterion", "expectation")["value"] == 3
    # The worst half: 7/16 of the sure 4, and 1/16 of more than four tries, of 5 at the least and 6 in the mean.
    curve = results(quantiplan, "goal.json", "--criterion", "cvar", "--tau", "1/2,1")
    assert [r["value"] for r in curve] == [4.125, 3]


CHECKED = [["entropic:0.3"], ["evar", "--tau", "0.3"], ["nested-cvar", "--tau", "0.3"], ["utility:exponential(0.2)"],
           ["utility:logarithm(-20)"], ["utility:power(1/2,-20)"], ["cvar", "--tau", "0.3"], ["mean-variance:0.1"]]


@pytest.mark.parametrize("args", CHECKED)
@pytest.mark.parametrize("model", [DRAWN, TWO_STARTS % (4, '"c"', "")])
def test_what_is_claimed_is_confirmed_and_what_is_not_true_refuted(quantiplan, args, model):
    quantiplan.write("model.json", model)
    result = one(quantiplan, "model.json", "--criterion", *args, "--no-comparison", "--check", "--policy-out", "p.json")
    assert result["check"]["passed"], result["check"]
    assert result["check"]["optimality_checked"]
    text = (quantiplan.folder / "p.json").read_text()
    heading = quantiplan("check", "model.json", "p.json", code=0).stdout.splitlines()[1]
    assert f"{result['criterion']}" in heading and "quantile" not in heading
    claim = quantiplan.json("check", "model.json", "p.json")["claim"]
    assert (claim["criterion"], claim["bracket"]) == (result["criterion"], result["bracket"])
    [line] = [line for line in text.splitlines() if '"claim"' in line]
    tau = '"tau": 0.3, ' if "--tau" in args else ""
    low, high = (float(Fraction(str(end))) for end in result["bracket"])
    for by, upper in ((0.001, 0.002), (-0.002, -0.001)):
        value = f'"value": {low + by}, "upper": {high + upper}'
        quantiplan.write("bad.json", text.replace(
            line, f'  "claim": {{"criterion": "{result["criterion"]}", {tau}{value}}},'))
        done = quantiplan("check", "model.json", "bad.json", code=4)
        assert "Check FAILED" in done.stdout and "claimed" in done.stdout


@pytest.mark.parametrize("args, value, target", [(["cvar", "--tau", "0.1"], "-5.4", -5), (["cvar", "--tau", "1"], "-4", 0),
                                                 (["expectation"], "-4", None)])
def test_costs_to_a_goal_without_end_are_rechecked(quantiplan, args, value, target):
    result = one(quantiplan, UPLOAD, "--criterion", *args, "--no-comparison", "--check", "--policy-out", "p.json")
    assert result["check"]["passed"] and result["check"]["optimality_checked"]
    assert result["check"]["findings"] == [
        f"{result['criterion']} of the policy itself is {value}: as claimed.",
        f"The greatest {result['criterion']} of all policies is {value}, by the least costs of places (state, budget)."]
    policy = json.loads((quantiplan.folder / "p.json").read_text())
    assert policy.get("target") == target and str(policy["claim"]["value"]) == value
    for wrong, words in ((float(value) + 0.1, "No policy has a "), (float(value) - 0.1, "more than the claimed")):
        policy["claim"]["value"] = wrong
        quantiplan.write("bad.json", json.dumps(policy))
        done = quantiplan("check", UPLOAD, "bad.json", code=4)
        assert "Check FAILED" in done.stdout and words in " ".join(done.stdout.split())


def test_a_policy_that_costs_more_than_it_claims_is_refuted(quantiplan):
    one(quantiplan, UPLOAD, "--criterion", "cvar", "--tau", "0.1", "--policy-out", "p.json")
    good = (quantiplan.folder / "p.json").read_text()
    for rules, words in (('"action": "wait"', "The policy may miss the goal."),
                         ('"action": "retry"', "cvar of the policy itself is less than the claimed -5.4.")):
        quantiplan.write("bad.json", good.replace('"action": "reset"', rules).replace('"action": "safe"', '"action": "fast"'))
        assert words in " ".join(quantiplan("check", UPLOAD, "bad.json", code=4).stdout.split())


def test_a_miss_by_another_criterion_is_rechecked(quantiplan):
    quantiplan.write("model.json", """{"format": "quantiplan-model/1", "horizon": "infinite", "initial": "a", "goal": ["g"],
        "rewards": "cost", "states": ["a", "g", "lost"], "choices": [{"state": "a", "action": "try", "reward": 1,
        "next": {"g": 0.9, "lost": 0.1}}]}""")
    for args in (["cvar", "--tau", "0.5"], ["expectation"]):
        result = one(quantiplan, "model.json", "--criterion", *args, "--check")
        assert result["value"] == "miss" and result["check"]["passed"] and result["check"]["optimality_checked"]
        assert result["check"]["findings"] == ["No policy reaches the goal almost surely, and a miss costs more than any number."]
    result = one(quantiplan, "model.json", "--criterion", "entropic:0.5", "--horizon", "3", "--check")
    assert result["value"] == "miss" and result["check"]["passed"]
    assert result["check"]["findings"][-1] == "No policy reaches the goal surely."


def test_the_curve_of_costs_to_a_goal_has_every_bend_from_its_first_tau(quantiplan):
    curve = quantiplan.json("frontier", UPLOAD, "--criterion", "cvar")
    points = [(Fraction(p["tau"]), Fraction(str(p["value"]))) for p in curve["points"]]
    assert curve["complete"] is True and points == [(Fraction(1, 100), 9), (Fraction(49, 75), Fraction(248, 49)), (1, 4)]
    for tau, value in [("0.02", 7), ("0.1", Fraction("5.4")), ("0.6", Fraction(76, 15)), ("0.9", Fraction(38, 9))]:
        at = Fraction(tau)
        (t0, v0), (t1, v1) = next(pair for pair in zip(points, points[1:]) if pair[0][0] <= at <= pair[1][0])
        line = (t0 * v0 + (at - t0) / (t1 - t0) * (t1 * v1 - t0 * v0)) / at
        assert line == Fraction(str(one(quantiplan, UPLOAD, "--criterion", "cvar", "--tau", tau)["value"]))
        assert line == value
    assert "Below the first tau" in quantiplan("frontier", UPLOAD, "--criterion", "cvar", code=0).stdout


def test_the_whole_curve_of_mean_variance(quantiplan):
    curve = quantiplan.json("frontier", COMMUTE, "--criterion", "mean-variance")
    assert curve["criterion"] == "mean-variance" and curve["complete"] is True
    assert [p["lambda"] for p in curve["points"]] == ["0", "81100/1507779"]
    assert [(p["value"], p["mean"], p["variance"]) for p in curve["points"]] == [
        (-31.89, -31.89, 150.7779), (-40, -40, 0)]
    assert one(quantiplan, COMMUTE, "--criterion", "mean-variance:0.03")["value"] == -31.89 - 0.03 * 150.7779
    text = quantiplan("frontier", COMMUTE, "--criterion", "mean-variance", code=0).stdout
    assert "variance" in text and "best for every greater lambda" in text
    lines = quantiplan.fails("frontier", COMMUTE, "--criterion", "mean-variance:0.1")
    assert lines == ["quantiplan: --criterion: found mean-variance:0.1, expected mean-variance: the curve has every lambda"]
    assert "mean-variance" in quantiplan.fails("frontier", COMMUTE, "--criterion", "evar")[0]


@pytest.mark.parametrize("args", [["mean-variance:0.02"], ["mean-variance:0.1"], ["evar", "--tau", "0.3"],
                                  ["evar", "--tau", "0.9"]])
def test_searched_optima_are_rechecked(quantiplan, args):
    result = one(quantiplan, COMMUTE, "--criterion", *args, "--check", "--policy-out", "p.json")
    assert result["check"]["passed"] and result["check"]["optimality_checked"]
    # The bound that is told is one: of EVaR a recursion's own value lies far below where the worst case decides.
    [bound] = [f.split(" is no more than ")[1] for f in result["check"]["findings"] if "of all policies is no more than" in f]
    told, low, high = (float(Fraction(str(n))) for n in (bound.split(", by ")[0], *result["bracket"]))
    assert low <= told <= high + 1e-12
    # A bound that is too low is refuted.
    policy = (quantiplan.folder / "p.json").read_text()
    worse = json.loads(policy)
    quantiplan("solve", COMMUTE, "--criterion", "worst-case", "--policy-out", "w.json", code=0)
    worse["rules"] = json.loads((quantiplan.folder / "w.json").read_text())["rules"]
    worse.pop("target", None)
    worse["claim"].update(value=-40, upper=None)
    worse["claim"] = {k: v for k, v in worse["claim"].items() if v is not None}
    quantiplan.write("worse.json", json.dumps(worse))
    if args[0] == "mean-variance:0.02" or args[-1] == "0.9":
        done = quantiplan("check", COMMUTE, "worse.json", code=4)
        assert "more than the claimed" in done.stdout


def test_the_worst_case_of_many_places_is_rechecked_at_once(quantiplan):
    # Grids tell a probability from 1 only where they are very fine: this took a minute, and left optimality open.
    for horizon in ("100", "infinite"):
        result = one(quantiplan, MACHINE, "--criterion", "worst-case", "--horizon", horizon, "--no-comparison", "--check",
                     "--policy-out", "p.json", "--time-limit", "20")
        assert result["check"]["passed"] and result["check"]["optimality_checked"]
        policy = json.loads((quantiplan.folder / "p.json").read_text())
        policy["claim"].update(quantile="-2.7", upper="-2.65")
        quantiplan.write("bad.json", json.dumps(policy))
        assert "more than the claimed -2.65." in quantiplan("check", MACHINE, "bad.json", code=4).stdout


@pytest.mark.parametrize("horizon", ["100", "infinite"])
def test_mean_minus_variance_of_many_totals_is_rechecked(quantiplan, horizon):
    result = one(quantiplan, MACHINE, "--criterion", "mean-variance:0.1", "--horizon", horizon, "--epsilon", "0.2", "--no-comparison",
                 "--check", "--policy-out", "p.json")
    assert result["check"]["passed"] and result["check"]["optimality_checked"], result["check"]
    low, high = result["bracket"]
    assert low <= 5.9 <= high
    policy = json.loads((quantiplan.folder / "p.json").read_text())
    for value, upper, words in ((5.95, 6.0, "no policy has as much as the claimed 5.95."), (5.5, 5.6, "more than the claimed bound 5.6.")):
        policy["claim"].update(value=value, upper=upper)
        quantiplan.write("bad.json", json.dumps(policy))
        assert words in " ".join(quantiplan("check", MACHINE, "bad.json", code=4).stdout.split())


def test_a_steep_utility_is_cut_off_later(quantiplan):
    # What follows a cut counts as often as the utility is steep: the bracket could not be met, and grids were refined in vain.
    quantiplan.write("model.json", """{"format": "quantiplan-model/1", "horizon": "infinite", "discount": 0.5, "initial": "a",
        "states": ["a", "b", "c", "end"], "choices": [
        {"state": "a", "action": "x", "next": [{"to": "b", "probability": "1/4", "reward": 6}, {"to": "a", "probability": "3/4", "reward": -2}]},
        {"state": "a", "action": "y", "next": [{"to": "c", "probability": "1/4", "reward": -1}, {"to": "b", "probability": "3/4", "reward": -3}]},
        {"state": "b", "action": "x", "next": [{"to": "c", "probability": "1/2", "reward": 6}, {"to": "end", "probability": "1/2", "reward": -4}]},
        {"state": "b", "action": "y", "next": [{"to": "c", "probability": 1, "reward": 2}]},
        {"state": "c", "action": "x", "next": [{"to": "c", "probability": 1, "reward": 5}]}]}""")
    result = one(quantiplan, "model.json", "--criterion", "utility:target(3,2)", "--epsilon", "0.1", "--no-comparison", "--check",
                 "--time-limit", "20")
    assert result["status"] == "solved" and result["check"]["passed"] and result["check"]["optimality_checked"]
    low, high = result["bracket"]
    assert low <= -2.375 <= high <= low + 0.1


def test_the_mean_of_costs_to_a_goal_is_one_number(quantiplan):
    found = quantiplan.json("evaluate", UPLOAD, "--policy", "expectation", "--measures", "mean,cvar", "--tau", "0.1,0.5")
    mean, *tails = found["measures"]
    assert found["mean"] == 4 and mean["bracket"] == [4, 4]
    assert [tail["bracket"] for tail in tails] == [[11.2, 11.2], [6, 6]]


@pytest.mark.parametrize("args", [["cvar", "--tau", "0.5"], ["evar", "--tau", "0.5"], ["mean-variance:0.01"],
                                  ["entropic:0.1"], ["worst-case"]])
def test_every_policy_has_its_mean(quantiplan, args):
    result = one(quantiplan, COMMUTE, "--criterion", *args, "--policy-out", "p.json")
    assert result["mean"] == quantiplan.json("evaluate", COMMUTE, "--policy", "p.json")["mean"]


def test_steep_utilities_end(quantiplan):
    result = one(quantiplan, MACHINE, "--criterion", "utility:exponential(-20)", "--no-comparison")
    low, high = result["bracket"]
    assert result["status"] == "solved" and 0 <= low <= high < 1e84


def test_simulated_rows_and_rows_that_a_limit_left_out_say_so(quantiplan):
    [table] = quantiplan.json("solve", MACHINE, "--tau", "0.1", "--compare", "cvar")["comparisons"]
    [row] = table["policies"]
    assert row["episodes"] == 100000 and row["status"] == "solved"
    text = quantiplan("solve", MACHINE, "--tau", "0.1", "--compare", "cvar", code=0).stdout
    assert "cvar: simulated, not computed: 100000 episodes" in text


def test_all_criteria_have_their_rows(quantiplan):
    [table] = quantiplan.json("solve", COMMUTE, "--tau", "0.5", "--compare", "all")["comparisons"]
    assert {"entropic:0.1", "mean-variance:0.1"} <= {row["criterion"] for row in table["policies"]}
    some = quantiplan.json("solve", COMMUTE, "--tau", "0.5", "--compare", "cvar,utility:target(-40,3)")["comparisons"]
    assert [row["criterion"] for row in some[0]["policies"]] == ["cvar", "utility:target(-40, 3)"]
    [table] = quantiplan.json("solve", UPLOAD, "--tau", "0.5", "--compare", "evar")["comparisons"]
    assert table["policies"][0]["refused"].startswith("found")


@pytest.mark.parametrize("probability, value", [("1/2", "miss"), ("1", 0)])
def test_a_goal_that_costs_nothing(quantiplan, probability, value):
    rest = '' if probability == "1" else ', "x": "1/2"'
    for cost in (0, 1):
        quantiplan.write("goal.json", '''{"format": "quantiplan-model/1", "horizon": "infinite", "rewards": "cost",
          "goal": ["g"], "initial": "a", "choices": [
          {"state": "a", "action": "go", "reward": %s, "next": {"g": "%s"%s}}]}''' % (cost, probability, rest))
        wanted = cost if value == 0 else value
        for args in (["cvar", "--tau", "1/2"], ["expectation"], ["worst-case"]):
            assert one(quantiplan, "goal.json", "--criterion", *args)["value"] == wanted


def test_the_mean_is_told_where_it_is_the_value(quantiplan):
    result = one(quantiplan, COMMUTE, "--criterion", "expectation")
    assert result["mean"] == result["value"] == -31.89


@pytest.mark.parametrize("args", [["cvar", "--tau", "0.1"], ["mean-cvar:0.5", "--tau", "0.1"], ["expectation"],
                                  ["utility:exponential(0.1)"], ["mean-variance:0.5"], ["evar", "--tau", "0.1"]])
def test_a_call_that_ends_at_once_has_a_bracket(quantiplan, args):
    for seconds in (0.02, 0.2, 2, 20):  # a slow machine may need them to read
        done = quantiplan("solve", MACHINE, "--horizon", "20000", "--criterion", *args, "--time-limit",
                          seconds_beyond_reading(quantiplan, MACHINE, seconds),
                          "--no-comparison", "--json")
        if "met while it was read" not in done.stderr:
            break
    assert done.returncode in (0, 1), done.stderr  # a fast machine may be done
    [result] = json.loads(done.stdout)["results"]
    low, high = (float(Fraction(str(end))) for end in result["bracket"])
    assert -1e6 < low <= high < 1e6


LATE = """{"format": "quantiplan-model/1", "horizon": 3, "discount": "9/10", "initial": "s", "goal": ["g"],
  "rewards": "cost", "choices": [
    {"state": "s", "action": "try", "reward": 1, "next": {"g": "1/2", "s": "1/2"}},
    {"state": "s", "action": "pay", "reward": 3, "next": {"g": 1}}]}"""


@pytest.mark.parametrize("horizon, value", [("1", 3), ("3", 3), ("infinite", 3)])
def test_the_worst_case_of_a_goal_with_a_discount(quantiplan, horizon, value):
    """Who pays at once has 3; who tries first may have 1 + 0.9 x 3, or never arrive."""
    quantiplan.write("late.json", LATE)
    result = one(quantiplan, "late.json", "--horizon", horizon, "--criterion", "worst-case", "--check",
                 "--policy-out", "p.json")
    assert result["value"] == value and result["bracket"] == [value, value] and result["check"]["passed"]
    quantiplan("check", "late.json", "p.json", code=0)


@pytest.mark.parametrize("criterion", ["cvar", "expectation", "mean-variance:1"])
@pytest.mark.parametrize("horizon", ["3", "infinite"])
def test_a_refusal_names_the_goal(quantiplan, criterion, horizon):
    quantiplan.write("late.json", LATE)
    tau = ["--tau", "0.1"] if criterion == "cvar" else []
    [line] = quantiplan.fails("solve", "late.json", "--horizon", horizon, "--criterion", criterion, *tau)
    assert f"found {criterion} with a goal, where a miss is worse than every number" in line


def test_a_refusal_names_the_wealth(quantiplan):
    [line] = quantiplan.fails("solve", str(EXAMPLES / "treatment.json"), "--criterion", "worst-case")
    assert line.endswith("found worst-case with a wealth that is no sum, expected quantile: the best worst class is "
                         "that of --tau 0 --side upper")
    [line] = quantiplan.fails("solve", str(EXAMPLES / "treatment.json"), "--criterion", "expectation")
    assert line.endswith("found expectation with a wealth that is no sum, expected quantile")


@pytest.mark.parametrize("more, sentence", [
    ([], "Whatever is done, the total is surely at least -65; no more is sure."),
    (["--goal", "station"], "It is not guaranteed that the goal is surely reached.")])
def test_a_worst_case_against_an_adversary_is_a_guarantee(quantiplan, more, sentence):
    done = quantiplan("solve", COMMUTE, "--criterion", "worst-case", "--adversarial", "--no-comparison", *more, code=0)
    assert sentence in done.stdout and "no policy has" not in done.stdout


FOR_EVER = ["--horizon", "infinite", "--discount", "0.9"]


@pytest.mark.parametrize("args", [["entropic:1/10"], ["evar", "--tau", "0.3"], ["evar", "--tau", "0.3", *FOR_EVER],
                                  ["nested-cvar", "--tau", "0.3", *FOR_EVER]])
@pytest.mark.parametrize("more", [[], ["--epsilon", "1/100"]])
def test_the_width_that_is_good_enough_is_told(quantiplan, args, more):
    answer = quantiplan.json("solve", COMMUTE, "--criterion", *args, *more, "--no-comparison")
    [result] = answer["results"]
    low, high = (Fraction(str(end)) for end in result["bracket"])
    assert 0 < high - low <= Fraction(str(answer["epsilon"]))
    assert not more or answer["epsilon"] == 0.01


UTILITIES = {
    "a step": '{"format": "quantiplan-utility/1", "points": [[-40, 0], [-40, 1], [-30, "4/3"]], "slope_below": 2}',
    "a fall": '{"format": "quantiplan-utility/1", "points": [[-40, 1], [-30, 0], [-20, 3]], "slope_above": "1/3"}',
    "a line": '{"format": "quantiplan-utility/1", "points": [[0, 0]], "slope_below": 1, "slope_above": 1}',
}


@pytest.mark.parametrize("name", UTILITIES)
def test_the_claim_about_a_table_is_checked(quantiplan, name):
    quantiplan.write("u.json", UTILITIES[name])
    result = one(quantiplan, COMMUTE, "--criterion", "utility:u.json", "--check", "--policy-out", "p.json")
    (quantiplan.folder / "u.json").unlink()  # the claim holds the points
    assert result["check"]["passed"] and result["check"]["optimality_checked"]
    check = quantiplan.json("check", COMMUTE, "p.json")
    assert check["passed"] and check["optimality_checked"]
    assert check["claim"]["bracket"] == result["bracket"]
    text = (quantiplan.folder / "p.json").read_text()
    policy = json.loads(text)
    claim = policy["claim"]
    assert claim["criterion"].startswith("utility:table(")
    again = one(quantiplan, COMMUTE, "--criterion", claim["criterion"])  # as on the command line
    assert again["value"] == result["value"]
    for by in (-0.01, 0.01):
        policy["claim"] = {**claim, "value": float(Fraction(str(claim["value"]))) + by}
        quantiplan.write("bad.json", json.dumps(policy))
        quantiplan("check", COMMUTE, "bad.json", code=4)


@pytest.mark.parametrize("text, message", [
    ("table()", "table: '' is no number"), ("table(1)", "table: found '1', expected a wealth and its utility"),
    ("table(1 2 3)", "table: found '1 2 3', expected a wealth and its utility"),
    ("table(2 0, 1 0)", "ascending"), ("table(0 0; 1)", "table: expected two slopes after the semicolon"),
    ("table(0 0", "closing parenthesis"), ("tabel(0 0)", "found 'tabel'"), ("table(0 x)", "table: ")])
def test_tables_of_the_command_line_are_read_strictly(quantiplan, text, message):
    for command in (["solve", COMMUTE, "--criterion", f"utility:{text}"],
                    ["evaluate", COMMUTE, "--policy", "expectation", "--utility", text]):
        [line] = quantiplan.fails(*command)
        assert message in line, line


def test_a_claim_opens_no_file(quantiplan):
    quantiplan.write("u.json", UTILITIES["a line"])
    one(quantiplan, COMMUTE, "--criterion", "utility:u.json", "--policy-out", "p.json")
    policy = json.loads((quantiplan.folder / "p.json").read_text())
    for text in ("utility:u.json", "utility:-", "utility:/dev/zero"):
        policy["claim"]["criterion"] = text
        quantiplan.write("bad.json", json.dumps(policy))
        [line] = quantiplan.fails("check", COMMUTE, "bad.json")
        assert "must be one such as 'cvar'" in line


def test_a_curve_in_doubles_is_a_line_between_its_points(quantiplan):
    """1 surely, or 0 with probability 7/9 and else 10: tau times CVaR is tau, and 10 (tau - 7/9) from 70/81 on."""
    quantiplan.write("ten.json", """{"format": "quantiplan-model/1", "horizon": 1, "initial": "s", "choices": [
      {"state": "s", "action": "sure", "reward": 1, "next": {"e": 1}},
      {"state": "s", "action": "risk", "next": [{"to": "e", "probability": "7/9", "reward": 0},
                                                {"to": "e", "probability": "2/9", "reward": 10}]}]}""")
    exact, rounded = (quantiplan.json("frontier", "ten.json", "--criterion", "cvar", "--arithmetic", how)
                      for how in ("exact", "double"))
    assert exact["complete"] and rounded["complete"]
    taus = [[Fraction(p["tau"]) for p in curve["points"]] for curve in (exact, rounded)]
    assert taus[0] == [0, Fraction(70, 81), 1]
    assert max(abs(a - b) for a, b in zip(*taus, strict=True)) < Fraction(1, 10**15)


@pytest.mark.parametrize("discount", ["0.5", "0.9"])
@pytest.mark.parametrize("epsilon", [[], ["--epsilon", "0.05"]])
def test_a_bracket_within_epsilon_is_solved_though_the_tails_count_too(quantiplan, discount, epsilon):
    answer = quantiplan.json("solve", MACHINE, "--horizon", "infinite", "--discount", discount, "--criterion", "cvar",
                             "--tau", "0.1,0.5", "--no-comparison", *epsilon, code=0)
    for result in answer["results"]:
        low, high = (Fraction(str(end)) for end in result["bracket"])
        assert high - low <= Fraction(str(answer["epsilon"]))
        assert result["status"] == "solved"


ROUND = """{"format": "quantiplan-model/1", "horizon": "infinite", "discount": "%s", "initial": "s", "choices": [
 {"state": "s", "action": "bold", "next": [{"to": "s", "probability": "1/2", "reward": 3},
                                           {"to": "t", "probability": "1/2", "reward": -2}]},
 {"state": "s", "action": "calm", "reward": "1/5", "next": {"s": 1}},
 {"state": "s", "action": "leave", "reward": "1/2", "next": {"t": 1}},
 {"state": "t", "action": "rest", "next": [{"to": "s", "probability": "1/3", "reward": 1},
                                           {"to": "t", "probability": "2/3", "reward": 0}]}]}"""
REST = [["cvar", "--tau", "0.3"], ["mean-cvar:1/3", "--tau", "0.3"], ["expectation"], ["utility:exponential(0.05)"],
        ["utility:target(1,2)"], ["entropic:0.1"], ["evar", "--tau", "0.3"], ["nested-cvar", "--tau", "0.3"]]


@pytest.mark.parametrize("args", REST)
@pytest.mark.parametrize("horizon, discount", [("infinite", "1/2"), ("infinite", "4/5"), ("25", "9/10")])
def test_discounted_claims_are_rechecked(quantiplan, args, horizon, discount):
    quantiplan.write("round.json", ROUND % discount)
    result = one(quantiplan, "round.json", "--horizon", horizon, "--criterion", *args, "--no-comparison", "--check",
                 "--policy-out", "p.json")
    assert result["check"]["passed"] and result["check"]["optimality_checked"], result["check"]["findings"]
    low, high = (Fraction(str(end)) for end in result["bracket"])
    policy = json.loads((quantiplan.folder / "p.json").read_text())
    claim = policy["claim"]
    width = max(high - low, Fraction(1, 1000))
    # Neither more than anybody has, nor less than the policy itself.
    for shift in (3 * width, -3 * width):
        policy["claim"] = {**claim, "value": str(low + shift), "upper": str(high + shift)}
        quantiplan.write("bad.json", json.dumps(policy))
        done = quantiplan("check", "round.json", "bad.json", code=4)
        assert "Check FAILED" in done.stdout


def test_a_worse_policy_does_not_pass_for_the_best(quantiplan):
    quantiplan.write("round.json", ROUND % "4/5")
    for args in REST:
        one(quantiplan, "round.json", "--criterion", *args, "--no-comparison", "--policy-out", "p.json")
        text = (quantiplan.folder / "p.json").read_text()
        policy = json.loads(text)
        for rule in policy["rules"]:
            if rule["state"] == "s":
                rule["choose"] = [{"action": "calm"}]
        quantiplan.write("bad.json", json.dumps(policy))
        is_worse = policy != json.loads(text)
        assert is_worse or args[0] in ("evar", "nested-cvar")
        assert not is_worse or quantiplan("check", "round.json", "bad.json").returncode in (1, 4), args


@pytest.mark.parametrize("args", [["entropic:0.3"], ["evar", "--tau", "0.3"], ["nested-cvar", "--tau", "0.3"],
                                  ["evar", "--tau", "0"], ["evar", "--tau", "1"]])
def test_claims_on_the_way_to_a_goal_are_rechecked(quantiplan, args):
    """Who hurries may miss the goal, and who walks does not."""
    quantiplan.write("goal.json", """{"format": "quantiplan-model/1", "horizon": 3, "initial": "s", "goal": ["g"],
      "rewards": "cost", "choices": [
      {"state": "s", "action": "hurry", "next": {"g": "9/10", "lost": "1/10"}},
      {"state": "s", "action": "walk", "next": [{"to": "g", "probability": "1/2", "reward": 4},
                                                {"to": "u", "probability": "1/2", "reward": 1}]},
      {"state": "u", "action": "walk", "reward": 5, "next": {"g": 1}},
      {"state": "u", "action": "wait", "reward": 0, "next": {"u": "1/2", "g": "1/2"}}]}""")
    result = one(quantiplan, "goal.json", "--criterion", *args, "--no-comparison", "--check", "--policy-out", "p.json")
    assert result["check"]["passed"] and result["check"]["optimality_checked"], result["check"]["findings"]
    text = (quantiplan.folder / "p.json").read_text()
    quantiplan.write("bad.json", text.replace('"action": "walk"', '"action": "hurry"', 1))
    assert "may miss the goal" in quantiplan("check", "goal.json", "bad.json", code=4).stdout
    for by in (1, -1):
        policy = json.loads(text)
        low, high = (-Fraction(str(end)) for end in reversed(result["bracket"]))
        policy["claim"].update(value=str(low + by), upper=str(high + by))
        quantiplan.write("bad.json", json.dumps(policy))
        quantiplan("check", "goal.json", "bad.json", code=4)


@pytest.mark.parametrize("criterion", ["cvar", "evar"])
def test_the_worst_share_of_nothing_is_rechecked(quantiplan, criterion):
    result = one(quantiplan, COMMUTE, "--criterion", criterion, "--tau", "0", "--check")
    assert result["check"]["passed"] and result["check"]["optimality_checked"]
