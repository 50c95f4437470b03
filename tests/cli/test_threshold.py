"""quantiplan threshold: the greatest probability of at least a total, with its policy."""

import json
from fractions import Fraction

import pytest

from conftest import SOURCE, model_text


def probabilities(quantiplan, *args):
    return [r["probability"] for r in quantiplan.json("threshold", *args)["results"]]


def test_the_best_probability_of_each_target(quantiplan):
    answer = quantiplan.json("threshold", "commute.json", "--target", "-40,-35,-30", "--target", "-25,-24")
    assert list(answer) == ["format", "model", "results", "engine", "work"]
    assert answer["format"] == "quantiplan-threshold/1"
    assert [r["target"] for r in answer["results"]] == [-40, -35, -30, -25, -24]
    assert [r["probability"] for r in answer["results"]] == pytest.approx([1, 0.802, 0.73, 0.72, 0])
    for result in answer["results"]:
        assert list(result)[:4] == ["target", "status", "certificate", "probability"]
        assert (result["status"], result["certificate"], result["bracket"]) == ("solved", "exact", None)


def test_exact_arithmetic_is_exact(quantiplan):
    results = quantiplan.json("threshold", "commute.json", "--target", "-35", "--exact")["results"]
    assert [(r["probability_exact"], r["probability_is"]) for r in results] == [("0.802", "exact")]


def test_text_is_a_table_with_sentences(quantiplan):
    text = quantiplan("threshold", "commute.json", "--target", "-30", code=0).stdout
    assert "target y  best P(W >= y)  certificate\n     -30            0.73  exact\n" in text
    assert "target -30 (exact):\n  The total is at least -30 with probability 0.73; no policy does better.\n" in text


def test_equal_targets_are_answered_once_and_fractions_are_exact(quantiplan):
    answer = quantiplan.json("threshold", "commute.json", "--target", "-30, -60/2,-91/3", "--target=-3e1")
    assert [r["target"] for r in answer["results"]] == [-30, "-91/3"]


def test_the_setting_may_be_overridden(quantiplan):
    args = ["commute.json", "--target", "-15", "--initial", "station", "--horizon", "1", "--discount", "1"]
    assert probabilities(quantiplan, *args) == [0.8]


def test_costs_are_targets_to_keep_to(quantiplan, trip, games):
    assert probabilities(quantiplan, trip, "--target", "0,1,3,inf") == [0, 0.5, 0.875, 1]
    assert probabilities(quantiplan, games, "--target", "0,4,5", "--cost") == [0.5, 0.5, 1]
    text = quantiplan("threshold", trip, "--target", "3,inf", code=0).stdout
    assert "  The goal is reached at a cost of at most 3 with probability 0.875; no policy does better.\n" in text
    assert "  The goal is reached with probability 1; no policy does better.\n" in text
    assert "target y  best P(C <= y)" in text


def test_merely_to_reach_the_goal(quantiplan):
    model = quantiplan.write(
        "m.json",
        model_text(
            {"s": {"short": [("goal", "1/2", -9), ("lost", "1/2", 0)], "long": [("goal", "3/5", -99), ("lost", "2/5", 0)]}},
            horizon=1, goal=["goal"],
        ),
    )
    assert probabilities(quantiplan, model, "--target", "-inf,-99,-98,-9,0") == pytest.approx([0.6, 0.6, 0.5, 0.5, 0])


def test_policies_keep_their_word(quantiplan):
    quantiplan(
        "threshold", "commute.json", "--target", "-30,-91/3", "--policy-out", "p-{target}.json", "--check", code=0
    )
    assert sorted(p.name for p in quantiplan.folder.glob("p-*")) == ["p--30.json", "p--91_3.json"]
    policy = json.loads((quantiplan.folder / "p--30.json").read_text())
    assert policy["claim"]["target"] == -30 and "tau" not in policy["claim"]
    evaluation = quantiplan.json("evaluate", "commute.json", "--policy", "p--30.json", "--at-least", "-30")
    assert evaluation["at_least"][0]["probability"] == pytest.approx(0.73)
    checked = quantiplan.json("check", "commute.json", "p--30.json")
    assert checked["passed"] is True and checked["optimality_checked"] is True
    assert list(checked["claim"])[:2] == ["target", "probability"]
    assert checked["claim"]["target"] == -30
    text = quantiplan("check", "commute.json", "p--30.json", code=0).stdout
    assert "Policy 'p--30.json': the total is at least -30 with probability 0.73, and no policy does better\n" in text


def test_a_policy_that_is_not_the_best_for_another_target_fails(quantiplan):
    quantiplan("threshold", "commute.json", "--target", "-40", "--policy-out", "p.json", code=0)
    # The bike is surely there for 40, and never for 35.
    checked = quantiplan.json("check", "commute.json", "p.json", "--target", "-35", code=4)
    assert (checked["passed"], checked["claim"]["target"], checked["claim"]["probability"]) == (False, -35, 0)


def test_a_policy_may_be_held_to_the_other_kind_of_claim(quantiplan, policy):
    assert quantiplan.json("check", "commute.json", policy, "--target", "-40")["passed"] is True
    quantiplan("threshold", "commute.json", "--target", "-40", "--policy-out", "p.json", code=0)
    claim = ["--tau", "0.1", "--side", "upper", "--quantile", "-40"]
    assert quantiplan.json("check", "commute.json", "p.json", *claim)["passed"] is True
    for given, missing in [(claim[2:], "--tau"), (claim[:2] + claim[4:], "--side"), (claim[:4], "--quantile")]:
        assert quantiplan.fails("check", "commute.json", "p.json", *given) == [
            f"quantiplan: {missing}: not given, and the policy file makes no claim of this kind; expected it on the "
            "command line"
        ]
    assert quantiplan.fails("check", "commute.json", "p.json", "--target", "1", *claim) == [
        "quantiplan: --target: given together with --tau, expected the claim of a threshold or that of a quantile"
    ]


def test_a_false_probability_in_the_file_fails(quantiplan):
    quantiplan("threshold", "commute.json", "--target", "-30", "--policy-out", "p.json", code=0)
    text = (quantiplan.folder / "p.json").read_text()
    assert '"probability": 0.73' in text
    for false in ["0.74", "0.72"]:
        quantiplan.write("forged.json", text.replace("0.73", false))
        assert quantiplan.json("check", "commute.json", "forged.json", code=4)["passed"] is False


def test_policy_out_with_one_name_for_several_targets_is_refused_first(quantiplan):
    assert quantiplan.fails("threshold", "nowhere.json", "--target", "1,2", "--policy-out", "p.json") == [
        "quantiplan: --policy-out: several results would be written to 'p.json', expected {target} in the name to "
        "tell them apart"
    ]


def test_brackets_where_there_is_no_grid(quantiplan):
    # -10 - 0.97 * 15 = -24.55 with probability 0.72, at best; nothing is more.
    args = ["threshold", "commute.json", "--discount", "0.97", "--horizon", "100"]
    least, most = quantiplan.json(*args, "--target", "-24.6,-24.5")["results"]
    for result, truth in [(least, 0.72), (most, 0)]:
        low, high = result["bracket"] or (result["probability"], result["probability"])
        assert low - 1e-12 <= truth <= high + 1e-12
    assert quantiplan(*args, "--target", "-24.6", "--check").returncode in (0, 1)


def test_output_goes_to_a_file_and_the_model_may_come_from_standard_input(quantiplan):
    text = (quantiplan.folder / "commute.json").read_text()
    done = quantiplan("threshold", "-", "--target", "-40", "--json", "-o", "a.json", "-q", stdin=text, code=0)
    assert done.stdout == ""
    assert json.loads((quantiplan.folder / "a.json").read_text())["results"][0]["probability"] == 1


# Values of Storm's exact engine; the greatest cycle has 1,881 states that behave differently.
COIN = {
    ("all_heads", False): "17/29",
    ("all_heads", True): "462973/1572864",
    ("disagree", False): "37101798760906709/102027593703751680",
    ("disagree", True): "0",
}


@pytest.mark.parametrize("label, adversarial", COIN)
def test_chances_of_large_cycles_are_close_in_doubles_and_exact_in_rationals(quantiplan, label, adversarial):
    program = SOURCE / "tests" / "prism" / "models" / "consensus.prism"
    asked = [program, "--const", "N=6,K=2", "--reward", "steps", "--goal", label, "--horizon", "infinite", "--cost"]
    asked += ["--target", "inf", *(["--adversarial"] if adversarial else [])]
    truth = Fraction(COIN[label, adversarial])
    for reduce in ("none", "auto"):
        [found] = quantiplan.json("threshold", *asked, "--reduce", reduce)["results"]
        least, most = (Fraction(end) for end in found["bracket"] or [found["probability"]] * 2)
        assert least <= truth <= most and most - least < Fraction(1, 10**9)
        [exactly] = quantiplan.json("threshold", *asked, "--reduce", reduce, "--exact")["results"]
        assert Fraction(exactly["probability_exact"]) == truth
