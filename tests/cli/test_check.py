"""quantiplan check: holds a policy to its claim; exit code 4 if it fails."""

import json
import re

import pytest

from conftest import SOURCE, model_text


def test_a_true_claim_passes(quantiplan, policy):
    checked = quantiplan.json("check", "commute.json", policy)
    assert list(checked) == ["format", "model", "policy", "claim", "passed", "ended_early", "optimality_checked", "findings"]
    assert checked["format"] == "quantiplan-check/1"
    assert checked["passed"] is True
    assert checked["optimality_checked"] is True
    assert checked["claim"]["tau"] == "0.1"
    assert checked["claim"]["side"] == "upper"
    assert checked["claim"]["quantile"] == -40
    assert checked["claim"]["probability"] == 1
    assert quantiplan("check", "commute.json", policy, code=0).stdout.endswith("Check passed.\n")


def test_the_policy_may_be_an_option(quantiplan, policy):
    assert quantiplan("check", "commute.json", "--policy", policy, code=0).stdout.endswith("Check passed.\n")
    [line] = quantiplan.fails("check", "commute.json", policy, "--policy", policy)
    assert "--policy" in line and "POLICY" in line


def test_a_false_claim_fails_with_exit_code_4(quantiplan, policy):
    checked = quantiplan.json("check", "commute.json", policy, "--quantile", "-35", code=4)
    assert checked["passed"] is False
    text = quantiplan("check", "commute.json", policy, "--quantile", "-35", code=4).stdout
    assert text.endswith("Check FAILED.\n")


def test_a_policy_that_is_not_optimal_for_another_tau_fails(quantiplan, policy):
    checked = quantiplan.json("check", "commute.json", policy, "--tau", "0.5", code=4)
    assert checked["passed"] is False
    assert checked["optimality_checked"] is True
    assert quantiplan.json("check", "commute.json", policy, "--side", "lower")["passed"] is True


def test_a_false_probability_in_the_file_fails(quantiplan, policy):
    text = (quantiplan.folder / policy).read_text()
    assert '"probability": 1' in text
    quantiplan.write("forged.json", text.replace('"probability": 1', '"probability": 0.5', 1))
    assert quantiplan.json("check", "commute.json", "forged.json", code=4)["passed"] is False


def test_side_and_numbers_of_a_claim_are_read_exactly(quantiplan, policy):
    assert quantiplan.fails("check", "commute.json", policy, "--side", "both") == [
        "quantiplan: --side: found 'both', expected lower or upper"
    ]
    assert quantiplan.fails("check", "commute.json", policy, "--quantile", "x") == [
        "quantiplan: --quantile: 'x' is no number: it does not begin with a digit; expected a decimal such as -0.5 "
        "or 1e-3, or a fraction such as 1/3"
    ]


def test_a_bracket_passes_and_forged_brackets_fail(quantiplan, grid_policy):
    checked = quantiplan.json("check", "commute.json", grid_policy)
    assert checked["passed"] is True and checked["optimality_checked"] is True
    assert (checked["claim"]["quantile"], checked["claim"]["upper"]) == (-24, -23)
    text = (quantiplan.folder / grid_policy).read_text()
    for true, false in [
        ('"probability": 0.72', '"probability": 0.73'),
        ('"quantile": -24', '"quantile": -23.4'),
        ('"upper": -23', '"upper": -24'),
        ('"tau": 0.5', '"tau": 0.1'),
    ]:
        assert true in text
        quantiplan.write("forged.json", text.replace(true, false, 1))
        assert quantiplan.json("check", "commute.json", "forged.json", code=4)["passed"] is False, false


def test_a_bracket_of_another_level_claims_what_its_tau_demands(quantiplan, grid_policy):
    checked = quantiplan.json("check", "commute.json", grid_policy, "--quantile", "-32", "--tau", "0.25")
    assert checked["passed"] is True
    assert 0.7499999 < checked["claim"]["probability"] < 0.75
    assert quantiplan.json("check", "commute.json", grid_policy, "--quantile", "-20", code=4)["passed"] is False


def test_the_mean_of_a_policy_that_pays_until_its_target_is_sure_is_recomputed(quantiplan):
    machine = SOURCE / "examples" / "machine.json"
    quantiplan("solve", machine, "--tau", "0.1", "--policy-out", "machine-policy.json", code=0)
    assert quantiplan.json("check", machine, "machine-policy.json")["optimality_checked"] is True
    policy = json.loads((quantiplan.folder / "machine-policy.json").read_text())
    for mean in [0, policy["claim"]["mean"] + 0.01, policy["claim"]["mean"] - 0.01]:
        forged = {**policy, "claim": {**policy["claim"], "mean": mean}}
        quantiplan.write("forged.json", json.dumps(forged))
        checked = quantiplan.json("check", machine, "forged.json", code=4)
        assert any("Its mean is not" in finding for finding in checked["findings"]), mean


def test_every_result_has_an_entry(quantiplan):
    """Confirmed, refuted, cut short, or in words why there is nothing to check."""
    lost = {"s": {"go": [("g", "1/2", -1), ("dead", "1/2", -1)]}, "dead": {"on": [("dead", 1, 0)]}}
    both_ways = {"s": {"a": [("g", "1/2", 1), ("t", "1/2", -1)]}, "t": {"b": [("e", 1, -1)]}}
    gains = {"s": {"go": [("s", "1/2", 1), ("e", "1/2", 1)]}}
    for name, choices, more in [
        ("finite", lost, {"horizon": 3, "goal": ["g"]}),
        ("infinite", lost, {"horizon": "infinite", "goal": ["g"]}),
        ("discounted", lost, {"horizon": 4, "discount": "1/2", "goal": ["g"]}),
        ("acyclic", both_ways, {"horizon": "infinite", "goal": ["g"]}),
        ("gains", gains, {"horizon": "infinite"}),
    ]:
        model = quantiplan.write(f"{name}.json", model_text(choices, **more))
        for options in [[], ["--cost"], ["--adversarial"], ["--cost", "--adversarial"]]:
            answer = quantiplan.json("solve", model, "--tau", "0.2,0.5,1", "--side", "lower", "--check", *options)
            for result in answer["results"]:
                check = result["check"]
                assert check["passed"] is not False and check["findings"], (name, options, result)


def test_a_miss_is_confirmed_and_a_false_one_refuted(quantiplan):
    model = quantiplan.write(
        "lost.json", model_text({"s": {"go": [("g", "1/2", -1), ("dead", "1/2", -1)]}}, horizon=3, goal=["g"])
    )
    [result] = quantiplan.json("solve", model, "--tau", "0.2", "--side", "upper", "--check", "--policy-out", "p.json")["results"]
    assert result["quantile"] == "miss"
    assert result["check"]["passed"] is True and result["check"]["optimality_checked"] is True
    assert result["check"]["findings"][-1].startswith("The greatest P(W > miss) of any policy is 0.5: it is not at least 0.8")
    # At tau 0.5 a goal is promised, so a miss is not the optimum.
    wrong = quantiplan.json("check", model, "p.json", "--tau", "0.5", "--side", "upper", "--quantile", "miss", code=4)
    assert wrong["passed"] is False


@pytest.mark.parametrize("engine", ["auto", "lattice", "search", "levels"])
def test_a_miss_on_a_grid_is_confirmed(quantiplan, engine):
    choices = {"s": {"go": [("g", "1/2", 1), ("s", "1/4", 1), ("dead", "1/4", 1)], "wait": [("s", 1, 0)]}}
    model = quantiplan.write("m.json", model_text(choices, horizon="infinite", discount="1/3", goal=["g"]))
    args = ["--tau", "0.2", "--side", "both", "--engine", engine, "--check", "--policy-out", "{side}.json"]
    for result in quantiplan.json("solve", model, *args)["results"]:
        assert result["quantile"] == "miss"
        assert result["check"]["passed"] is True and result["check"]["optimality_checked"] is True
        assert "reatest P(W > miss) of any policy" in result["check"]["findings"][-1]
        assert "0.6666666666" in result["check"]["findings"][-1] and "no policy" in result["check"]["findings"][-1].lower()
    # The goal is reached with probability 2/3, which is promised at tau 0.5.
    for side in ["lower", "upper"]:
        claim = ["--tau", "0.5", "--side", side, "--quantile", "miss"]
        assert quantiplan.json("check", model, f"{side}.json", *claim, code=4)["passed"] is False


def test_what_cannot_be_checked_is_said(quantiplan):
    infinite = model_text({"s": {"go": [("s", "1/2", 1), ("e", "1/2", 1)]}}, horizon="infinite")
    [result] = quantiplan.json("solve", quantiplan.write("e.json", infinite), "--tau", "1", "--check")["results"]
    assert result["quantile"] == "inf" and result["probability"] == 0
    assert result["check"] == {
        "passed": None,
        "ended_early": False,
        "optimality_checked": False,
        "findings": ["Every number is promised, but what lies beyond them all is not: no one probability shows that."],
    }
    text = quantiplan("solve", "e.json", "--tau", "1", "--check", code=0).stdout
    assert "  Whatever number is given, a total above it is possible.\n  Independent check: nothing to check.\n" in text
    far = model_text({"s": {"on": [("s", 1, 1)], "stop": [("g", 1, 0)]}}, horizon="infinite", goal=["g"])
    [result] = quantiplan.json("solve", quantiplan.write("far.json", far), "--tau", "0.5", "--check")["results"]
    assert result["attained"] is False and result["check"]["passed"] is None
    assert result["check"]["findings"] == [
        "It is a supremum that no policy attains, though policies come as close as one likes."
    ]


def test_a_check_that_meets_a_limit_is_neither_passed_nor_refuted(quantiplan, policy):
    checked = quantiplan.json("check", "commute.json", policy, "--memory-limit", "500", code=1)
    assert checked["passed"] is False and checked["ended_early"] is True
    assert checked["findings"][-1].startswith("The check ended early, before the policy was followed to its end: ")
    assert quantiplan("check", "commute.json", policy, "--memory-limit", "500", code=1).stdout.endswith(
        "Check not finished.\n"
    )


def test_a_class_that_is_a_number_may_be_written_in_any_way(quantiplan):
    steps = {"s": {"safe": [("s", 1, "5/2")], "risky": [("s", "1/2", 5), ("s", "1/2", 1)]}}
    model = quantiplan.write("max.json", model_text(steps, horizon=2, wealth="max"))
    quantiplan("solve", model, "--tau", "0.1", "--side", "lower", "--policy-out", "p.json", code=0)
    text = (quantiplan.folder / "p.json").read_text()
    assert '"quantile": "2.5"' in text
    for way in ["2.5", "5/2", "2.50", "25e-1"]:
        assert quantiplan.json("check", model, "p.json", "--quantile", way)["passed"] is True
        quantiplan.write("q.json", text.replace('"quantile": "2.5"', f'"quantile": "{way}"'))
        assert quantiplan.json("check", model, "q.json")["passed"] is True
        quantiplan("evaluate", model, "--policy", "q.json", code=0)
    assert quantiplan.json("check", model, "p.json", "--quantile", "7/2", code=4)["passed"] is False


def test_a_policy_that_passes_can_be_run(quantiplan, grid_policy):
    """Each rule in turn is dropped from a policy on a grid, all of which it needs."""
    whole = json.loads((quantiplan.folder / grid_policy).read_text())
    for i in range(len(whole["rules"])):
        less = {**whole, "rules": whole["rules"][:i] + whole["rules"][i + 1:]}
        quantiplan.write("less.json", json.dumps(less))
        checked = quantiplan.json("check", "commute.json", "less.json", code=4)
        assert checked["findings"][-1].endswith("and has no rule for it."), i
        assert "no rule" in quantiplan.fails("evaluate", "commute.json", "--policy", "less.json")[0]


@pytest.mark.parametrize("level", ["1e999", "1e30"])
def test_a_quantile_beyond_all_totals_is_refuted(quantiplan, grid_policy, level):
    text = (quantiplan.folder / grid_policy).read_text()
    text = re.sub(r'("side": "[a-z]+", "quantile": )[-0-9.]+', rf'\1"{level}"', text)
    forged = quantiplan.write("forged.json", re.sub(r', "upper": [-0-9.]+', "", text))
    found = quantiplan("check", "commute.json", forged)
    assert found.returncode == 4 and f"No total is as great as the claimed quantile, {level}." in found.stdout


def test_a_mean_claimed_too_high_after_the_cut_is_refuted(quantiplan):
    """Of one state that pays 5 with 0.1 and costs 0.01 else: 0.491 a step, 9.82 in all. What is claimed is less, by the tail."""
    quantiplan.write("pays.json", json.dumps({
        "format": "quantiplan-model/1", "horizon": "infinite", "discount": "0.95", "initial": "s", "choices": [
            {"state": "s", "action": "rest", "reward": -3, "next": {"s": 1}},
            {"state": "s", "action": "work", "next": [
                {"to": "s", "probability": "0.1", "reward": 5}, {"to": "s", "probability": "0.9", "reward": "-0.01"}]}]}))
    quantiplan("solve", "pays.json", "--tau", "1/2", "--prefer", "mean", "--policy-out", "p.json", code=0)
    policy = json.loads((quantiplan.folder / "p.json").read_text(encoding="utf-8"))
    assert policy["claim"]["mean"] < 9.82 < policy["claim"]["mean_bound"]
    for claimed, code in ((9.8199999, 0), (9.8200001, 4), (9.88, 4)):
        policy["claim"]["mean"] = claimed
        quantiplan.write("q.json", json.dumps(policy))
        out = quantiplan("check", "pays.json", "q.json", code=code).stdout
        assert ("Its mean is not at least" in out) == (code == 4)
