"""quantiplan evaluate: the distribution of a policy."""

import json

import pytest

from conftest import large_model, model_text

ATOMS = [(-65, 0.018), (-55, 0.18), (-35, 0.072), (-30, 0.01), (-25, 0.72)]


def test_expectation_policy_has_the_distribution_computed_by_hand(quantiplan):
    evaluation = quantiplan.json("evaluate", "commute.json", "--policy", "expectation")
    assert list(evaluation)[:4] == ["format", "model", "policy", "distribution"]
    assert list(evaluation)[-7:] == ["quantiles", "at_least", "measures", "rest", "relative_error", "slack", "sample"]
    assert (evaluation["rest"], evaluation["slack"], evaluation["sample"]) == (None, 0, None)
    assert evaluation["format"] == "quantiplan-evaluation/1"
    assert evaluation["policy"] == "expectation"
    assert [a["wealth"] for a in evaluation["distribution"]] == [w for w, _ in ATOMS]
    assert [a["probability"] for a in evaluation["distribution"]] == pytest.approx([p for _, p in ATOMS])
    assert evaluation["mean"] == pytest.approx(-31.89, rel=1e-12)


def test_exact_arithmetic_is_exact(quantiplan):
    evaluation = quantiplan.json("evaluate", "commute.json", "--policy", "expectation", "--exact")
    assert evaluation["relative_error"] == 0
    assert [a["probability_exact"] for a in evaluation["distribution"]] == ["0.018", "0.18", "0.072", "0.01", "0.72"]
    assert evaluation["mean_exact"] == "-31.89"


def test_quantiles_and_thresholds_are_those_asked_for(quantiplan):
    evaluation = quantiplan.json(
        "evaluate", "commute.json", "--policy", "expectation", "--tau", "0.198,0.5", "--side", "both",
        "--at-least", "-40,-25", "--at-least", "-20",
    )
    assert [(q["tau"], q["side"], q["quantile"], q["bracket"]) for q in evaluation["quantiles"]] == [
        ("0.198", "lower", -55, [-55, -55]),
        ("0.198", "upper", -35, [-35, -35]),
        ("0.5", "lower", -25, [-25, -25]),
        ("0.5", "upper", -25, [-25, -25]),
    ]
    assert [a["wealth"] for a in evaluation["at_least"]] == [-40, -25, -20]
    assert [a["probability"] for a in evaluation["at_least"]] == pytest.approx([0.802, 0.72, 0])


def test_a_policy_file_is_evaluated_under_its_own_setting(quantiplan):
    quantiplan(
        "solve", "commute.json", "--tau", "0.5", "--horizon", "2", "--policy-out", "short.json", code=0
    )
    evaluation = quantiplan.json("evaluate", "commute.json", "--policy", "short.json")
    assert evaluation["model"]["horizon"] == 2
    assert evaluation["policy"] == "short.json"


@pytest.mark.parametrize("command", ["evaluate", "simulate"])
def test_a_setting_beside_a_policy_file_must_be_its_own(quantiplan, policy, command):
    plain = quantiplan(command, "commute.json", "--policy", policy, code=0).stdout
    same = ["--horizon", "3", "--initial", "home", "--discount", "1", "--goal", ""]
    assert quantiplan(command, "commute.json", "--policy", policy, *same, code=0).stdout == plain
    for flag, value, found, own in [
        ("--horizon", ["2"], "2", "3"), ("--horizon", ["infinite"], "infinite", "3"),
        ("--initial", ["station"], "station", "home"),
        ("--initial", ["home:1/2,station:1/2"], "home:0.5,station:0.5", "home"),
        ("--discount", ["0.9"], "0.9", "1"), ("--goal", ["office"], "the goal 'office'", "no goal"),
        ("--cost", [], "costs", "rewards"), ("--adversarial", [], "an adversary", "oneself"),
    ]:
        assert quantiplan.fails(command, "commute.json", "--policy", policy, flag, *value) == [
            f"quantiplan: {flag}: found {found}, but the policy file was made for {own}; expected the same, or none"
        ]


def test_the_setting_that_made_a_policy_is_accepted_where_the_model_has_none(quantiplan):
    moves = quantiplan.write("m.csv", "state,action,next,probability,reward\na,x,b,1,2\nb,x,a,1,3\n")
    setting = ["--horizon", "4", "--initial", "b", "--discount", "1/2", "--cost"]
    quantiplan("solve", moves, "--tau", "0.5", *setting, "--policy-out", "p.json", code=0)
    for given in ([], setting, setting[:2], setting[2:]):
        found = quantiplan.json("evaluate", moves, "--policy", "p.json", *given)
        assert found["mean_exact"] == "5"  # 3 + 2/2 + 3/4 + 2/8


def test_setting_of_the_expectation_policy(quantiplan):
    evaluation = quantiplan.json(
        "evaluate", "commute.json", "--policy", "expectation", "--horizon", "1", "--initial", "station",
        "--discount", "0.5",
    )
    assert evaluation["model"]["discount"] == 0.5
    assert [(a["wealth"], a["probability"]) for a in evaluation["distribution"]] == [(-45, 0.2), (-15, 0.8)]


def test_text_shows_mean_bars_quantiles_and_thresholds(quantiplan):
    text = quantiplan(
        "evaluate", "commute.json", "--policy", "expectation", "--tau", "0.1", "--at-least", "-40", code=0
    ).stdout
    assert "Mean -31.89; 5 different totals from -65 to -25\n" in text
    assert "\n  -25         0.72  ########################################\n" in text
    assert "tau  side   quantile\n0.1  lower       -55\n" in text
    assert "total w  P(W >= w)\n    -40      0.802\n" in text


def test_long_distributions_are_abbreviated_unless_all_is_given(quantiplan):
    model = quantiplan.write("model.json", large_model(states=4, horizon=4))
    args = ["evaluate", model, "--policy", "expectation"]
    atoms = len(quantiplan.json(*args)["distribution"])
    assert atoms > 24
    assert f"... {atoms - 24} more (use --all or --json)\n" in quantiplan(*args, code=0).stdout
    assert "more (use" not in quantiplan(*args, "--all", code=0).stdout


def test_a_policy_on_a_grid_has_a_bracketed_distribution(quantiplan, grid_policy):
    evaluation = quantiplan.json(
        "evaluate", "commute.json", "--policy", grid_policy, "--tau", "0.5", "--at-least", "-24,-23.6,0"
    )
    # Steps of 2 at time 0 and 1 afterwards: a total is short of the truth by less than 2 + 1 + 1.
    assert 0 < evaluation["slack"] <= 4
    truth = -23.5
    [quantile] = evaluation["quantiles"]
    assert quantile["quantile"] == quantile["bracket"][0] <= truth <= quantile["bracket"][1]
    for entry, probability in zip(evaluation["at_least"], [0.72, 0.72, 0]):
        if probability == 0:
            assert (entry["probability_exact"], entry["probability_is"]) == ("0", "exact")
            continue
        assert entry["probability_is"] == "lower bound"
        assert entry["probability"] <= probability <= entry["bracket"][1]
    text = quantiplan("evaluate", "commute.json", "--policy", grid_policy, code=0).stdout
    assert "Totals are rounded down: each stands for totals up to " in text


def test_a_long_policy_on_a_fine_grid_is_sampled_in_few_episodes(quantiplan):
    """On so fine a grid nodes double with every step; no more are counted than show that, and long episodes are fewer."""
    steps = 20_000
    model = quantiplan.write(
        "m.json", model_text({"s": {"a": [("s", "1/2", 1), ("s", "1/2", 0)]}}, horizon="infinite", discount="0.9")
    )
    rules = [{"time": t, "state": "s", "choose": [{"action": "a"}]} for t in range(steps + 1)]
    policy = {"format": "quantiplan-policy/1", "horizon": "infinite", "discount": "0.9", "initial": "s", "target": 3}
    policy |= {"grid": {"unit": "1/1099511627776", "halved_at": []}, "truncated_at": steps, "rules": rules}
    quantiplan.write("p.json", json.dumps(policy))
    found = quantiplan.json("evaluate", model, "--policy", "p.json", "--tau", "0.5")
    assert found["sample"]["episodes"] == 1000
    # What is sampled are totals without a cut.
    assert found["slack"] <= 1e-8
    low, high = found["quantiles"][0]["bracket"]
    assert low < 5 < high
    # What episodes came to is no exact figure of the policy.
    assert found["mean_is"] == "estimate" and "mean_exact" not in found
    for measure in found["measures"]:
        assert not measure["is_exact"] and measure["is_estimate"]
        assert (measure["bracket"] is not None) == (measure["measure"] == "quantile")


DISCOUNTED = {"s": {"go": [("end", "1/2", 1), ("s", "1/2", 1)], "stay": [("s", 1, 0)]}}


def discounted_policy(quantiplan, rules):
    model = quantiplan.write("d.json", model_text(DISCOUNTED, horizon="infinite", discount="1/3"))
    listed = ", ".join(f'{{"time": {t}, "state": "s", "choose": [{{"action": "go"}}]}}' for t in rules)
    head = '"format": "quantiplan-policy/1", "horizon": "infinite", "discount": "1/3", "initial": "s"'
    return model, quantiplan.write("d.pol", f'{{{head}, "truncated_at": 2, "rules": [{listed}]}}')


def test_a_discounted_policy_without_end_has_a_mean(quantiplan):
    model, policy = discounted_policy(quantiplan, [0, 1, 2])
    law = quantiplan.json("evaluate", model, "--policy", policy)
    # 1 + 1/6 + 1/36 + .. = 6/5, of which as many steps are counted as epsilon asks.
    assert 1.2 - 0.001 < law["mean"] < 1.2
    text = quantiplan("evaluate", model, "--policy", policy, code=0).stdout
    assert "Mean [1.199" in text and "undefined" not in text


def test_a_policy_that_does_not_go_on_is_not_evaluated(quantiplan):
    model, policy = discounted_policy(quantiplan, [0, 1])
    [line] = quantiplan.fails("evaluate", model, "--policy", policy)
    assert "no rule for state 's' at time 2" in line
    goal = quantiplan.write("g.json", model_text(DISCOUNTED, horizon="infinite", discount="1/3", goal=["end"]))
    aimed = (quantiplan.folder / policy).read_text().replace('"truncated_at"', '"goal": ["end"], "truncated_at"')
    [line] = quantiplan.fails("evaluate", goal, "--policy", quantiplan.write("g.pol", aimed))
    assert "no rule for state '2 s' at time 2" in line
