"""quantiplan threshold where wealth is no sum: the chance of a class or better, with policy and check."""

import json
from fractions import Fraction

import pytest

from test_preferences import A_BEFORE_B, CASES, INFINITE, GRADES, LABELS, ORDERED, STEPS, preference_text


def model_of(quantiplan, name, cases=CASES):
    wealth, choices, *more = cases[name]
    horizon = more[0] if cases is CASES else "infinite"
    return quantiplan.write("model.json", preference_text(wealth, choices, horizon))


def targets(*levels):
    return [f"--target={level}" for level in levels]


def triples(answer):
    return [(r["target"], r["rank"], r["probability_exact"]) for r in answer["results"]]


@pytest.mark.parametrize("name", CASES)
def test_the_chance_of_a_class_is_that_of_the_quantile(quantiplan, name):
    lower, upper = CASES[name][-2:]
    model = model_of(quantiplan, name)
    answer = quantiplan.json("threshold", model, *targets(lower[0], upper[0]), "--check")
    assert triples(answer) == [lower, upper]
    assert list(answer)[:4] == ["format", "model", "classes", "results"]
    for result in answer["results"]:
        assert list(result)[:4] == ["target", "rank", "status", "certificate"]
        assert (result["status"], result["certificate"], result["bracket"]) == ("solved", "exact", None)
        assert result["check"]["passed"] and result["check"]["optimality_checked"]


@pytest.mark.parametrize("name, is_infinite", [(n, False) for n in CASES] + [(n, True) for n in INFINITE])
def test_policies_read_back_and_keep_their_claim(quantiplan, name, is_infinite):
    level, _, probability = INFINITE[name][-2] if is_infinite else CASES[name][-1]
    model = model_of(quantiplan, name, INFINITE if is_infinite else CASES)
    quantiplan("threshold", model, *targets(level), "--exact", "--policy-out", "p.json", code=0)
    claim = json.loads((quantiplan.folder / "p.json").read_text(encoding="utf-8"))["claim"]
    assert list(claim) == ["target", "probability", "exact_probability"] and "tau" not in claim
    report = quantiplan.json("check", model, "p.json")
    assert report["passed"] and report["optimality_checked"]
    law = quantiplan.json("evaluate", model, "--policy", "p.json", "--exact", "--at-least", level)
    assert [(a["wealth"], a["probability_exact"]) for a in law["at_least"]] == [(level, probability)]
    played = quantiplan.json("simulate", model, "--policy", "p.json", "--episodes", "50", "--seed", "1")
    assert len(played["episodes"]) == 50


@pytest.mark.parametrize("arithmetic", ["auto", "double", "exact"])
@pytest.mark.parametrize("name", INFINITE)
def test_without_end(quantiplan, name, arithmetic):
    *_, lower, upper, question = INFINITE[name]
    model = model_of(quantiplan, name, INFINITE)
    answer = quantiplan.json(
        "threshold", model, *targets(lower[0], upper[0]), "--arithmetic", arithmetic, "--check")
    for result, (level, rank, probability) in zip(answer["results"], [lower, upper]):
        assert (result["target"], result["rank"]) == (level, rank)
        assert result["probability"] == pytest.approx(float(Fraction(probability)), rel=1e-9)
        assert result["check"]["passed"] and result["check"]["optimality_checked"]
    assert answer["engine"]["why"].endswith(f"each class is a question of {question}")


@pytest.mark.parametrize("arithmetic", ["auto", "double", "exact"])
@pytest.mark.parametrize("engine", ["auto", "ranked", "forward"])
def test_numbers_between_classes_count_as_the_next_better(quantiplan, engine, arithmetic):
    """The best of two steps is 1, 2 or 5."""
    model = model_of(quantiplan, "max")
    args = ["--engine", engine, "--arithmetic", arithmetic, "--check"]
    answer = quantiplan.json("threshold", model, "--target=-inf,0,3/2, 3", "--target", "5.0,6", *args)
    assert [r["target"] for r in answer["results"]] == ["-inf", 0, 1.5, 3, 5, 6]
    assert [r["rank"] for r in answer["results"]] == [1, 1, 2, 3, 3, None]
    assert [r["probability"] for r in answer["results"]] == pytest.approx([1, 1, 1, 0.75, 0.75, 0])
    assert all(r["check"]["passed"] and r["check"]["optimality_checked"] for r in answer["results"])


def test_a_class_that_no_history_comes_to_counts_as_the_next_better(quantiplan):
    model = quantiplan.write("model.json", preference_text(A_BEFORE_B, ORDERED, 2))
    answer = quantiplan.json("threshold", model, *targets("spoilt", "x", "done"), "--check")
    assert triples(answer) == [("spoilt", 1, "1"), ("x", 3, "1"), ("done", 4, "0.375")]
    assert all(r["check"]["passed"] and r["check"]["optimality_checked"] for r in answer["results"])


def test_a_policy_may_pass_over_the_class_itself(quantiplan):
    """2 ok needs the steady way twice; with probability 1 it is reached or passed."""
    model = quantiplan.write("model.json", preference_text({"kind": "counts", "labels": LABELS}, GRADES, 2))
    for level, probability in [("1 ok, 1 bad", "1"), ("1 top, 1 ok", "0.5"), ("2 top", "0.25")]:
        quantiplan("threshold", model, *targets(level), "--policy-out", "p.json", code=0)
        report = quantiplan.json("check", model, "p.json")
        assert report["passed"] and report["optimality_checked"], report["findings"]
        assert report["claim"]["probability_exact"] == probability


def test_text_names_the_class(quantiplan):
    model = model_of(quantiplan, "table")
    text = quantiplan("threshold", model, *targets("high"), code=0).stdout
    assert "target y    rank  best P(W >= y)  certificate\n    high  3 of 3" in text
    assert "  The wealth is 'high' or better with probability 0.666667; no policy does better.\n" in text
    numbers = quantiplan("threshold", model_of(quantiplan, "max"), "--target", "3", code=0).stdout
    assert "  The wealth is 3 or better with probability 0.75; no policy does better.\n" in numbers


def test_unknown_classes_are_told_what_exists(quantiplan):
    model = model_of(quantiplan, "table")
    [line] = quantiplan.fails("threshold", model, *targets("hihg"))
    assert line == (
        "quantiplan: --target: found 'hihg', expected 'low', 'mid', 'high'; did you mean 'high'?")
    model = model_of(quantiplan, "max")
    [line] = quantiplan.fails("threshold", model, *targets("much"))
    assert line == "quantiplan: --target: found 'much', expected a number, or '1', '2', '5'"
    quantiplan.write("model.json", preference_text("product", {"s": {"go": [("s", "1/2", 2), ("s", "1/2", 3)]}}, 9))
    [line] = quantiplan.fails("threshold", "model.json", *targets("much"))
    assert line.endswith("or one of the 4 classes below them")


FORGED = [
    ({"probability": 0.8, "exact_probability": "4/5"}, "is wrong"),
    ({"probability": 0.5, "exact_probability": "1/2"}, "is wrong"),
    ({"target": "2"}, "more than claimed"),
    # The other choice everywhere: a true probability, but not the greatest.
    ({"probability": 0.0, "exact_probability": 0}, "it is more than claimed, 0."),
    ({"target": "much"}, "No policy comes to the claimed class"),
]


@pytest.mark.parametrize("changes, finding", FORGED, ids=lambda value: str(value))
def test_forged_claims_are_refuted(quantiplan, changes, finding):
    model = quantiplan.write("model.json", preference_text("max", STEPS, 2))
    quantiplan("threshold", model, "--target", "5", "--policy-out", "p.json", code=0)
    policy = json.loads((quantiplan.folder / "p.json").read_text(encoding="utf-8"))
    policy["claim"].update(changes)
    if "it is" in finding:
        policy["rules"] = [
            {"time": t, "state": "s", "choose": [{"action": "safe"}]} for t in range(2)]
    quantiplan.write("forged.json", json.dumps(policy))
    report = quantiplan.json("check", model, "forged.json", code=4)
    assert any(finding in line for line in report["findings"]), report["findings"]


def test_check_takes_a_target_of_its_own(quantiplan):
    model = quantiplan.write("model.json", preference_text("max", STEPS, 2))
    quantiplan("threshold", model, "--target", "5", "--policy-out", "p.json", code=0)
    assert quantiplan.json("check", model, "p.json", "--target", "3")["claim"]["target"] == "3"
    # Risky ways lose the 2 that is sure otherwise.
    assert quantiplan.json("check", model, "p.json", "--target", "2", code=4)["passed"] is False
