"""quantiplan solve: values, sides, settings, policies, distributions."""

import pytest

from conftest import model_text


def test_commute_example_of_the_documentation(quantiplan):
    answer = quantiplan.json("solve", "commute.json", "--tau", "0.1", "--side", "upper")
    assert list(answer) == ["format", "model", "epsilon", "results", "engine", "work"]
    assert answer["epsilon"] is None
    assert answer["format"] == "quantiplan-answer/1"
    assert answer["model"] == {
        "name": "commute", "states": 3, "choices": 3, "outcomes": 5, "horizon": 3, "discount": 1, "initial": "home",
        "goal_states": None, "rewards": "reward", "adversarial": False,
    }
    [result] = answer["results"]
    assert list(result)[:8] == [
        "tau", "side", "status", "certificate", "quantile", "bracket", "attained", "probability",
    ]
    assert result["tau"] == "0.1"
    assert result["side"] == "upper"
    assert result["status"] == "solved"
    assert result["certificate"] == "exact"
    assert result["quantile"] == -40
    assert result["bracket"] == [-40, -40]
    assert result["attained"] is True
    assert (result["probability"], result["probability_is"]) == (1, "exact")
    assert result["mean"] == -40
    other = result["expectation_policy"]
    assert other["mean"] == pytest.approx(-31.89, rel=1e-12)
    assert other["quantile"] == -55
    assert other["probability"] == pytest.approx(0.802, rel=1e-12)
    assert answer["engine"]["given"] == "auto"
    assert list(answer["engine"]) == ["given", "used", "why"]
    assert list(answer["work"])[:4] == ["seconds", "backups", "breakpoints", "peak_bytes"]


def test_text_says_the_guarantee_as_a_sentence(quantiplan):
    text = quantiplan("solve", "commute.json", "--tau", "0.1", "--side", "upper", code=0).stdout
    assert (
        "  With probability at least 0.9 the total is at least -40; no policy promises more.\n"
        "  Its mean is -40; no policy that keeps the promise has more than -35.904.\n"
        "  The expectation-optimal policy reaches that with probability 0.802 only.\n"
    ) in text
    assert "0.1  upper         -40          1   -40" in text


def test_lower_is_the_default_side(quantiplan):
    [result] = quantiplan.json("solve", "commute.json", "--tau", "0.1")["results"]
    assert (result["side"], result["quantile"]) == ("lower", -40)
    text = quantiplan("solve", "commute.json", "--tau", "0.1", code=0).stdout
    assert "With probability more than 0.9 the total is at least -40; no policy promises more." in text


def test_both_sides_come_lower_then_upper_for_each_tau(quantiplan):
    results = quantiplan.json("solve", "commute.json", "--tau", "0.5,1/3", "--side", "both")["results"]
    assert [(r["tau"], r["side"]) for r in results] == [
        ("0.5", "lower"), ("0.5", "upper"), ("1/3", "lower"), ("1/3", "upper"),
    ]
    assert all(r["quantile"] == -25 for r in results)


def test_a_tie_at_theta_splits_the_sides(quantiplan):
    lower, upper = quantiplan.json("solve", "commute.json", "--tau", "0.28", "--side", "both")["results"]
    assert (lower["quantile"], lower["certificate"]) == (-30, "exact")
    assert (upper["quantile"], upper["certificate"]) == (-25, "exact")


def test_tau_may_be_repeated_and_stays_exact(quantiplan):
    results = quantiplan.json("solve", "commute.json", "--tau", "0.1", "--tau=2e-1,1/3")["results"]
    assert [r["tau"] for r in results] == ["0.1", "0.2", "1/3"]


def test_an_undefined_side_is_left_out_under_both(quantiplan):
    results = quantiplan.json("solve", "commute.json", "--tau", "0,1", "--side", "both")["results"]
    assert [(r["tau"], r["side"]) for r in results] == [("0", "upper"), ("1", "lower")]
    text = quantiplan("solve", "commute.json", "--tau", "0,1", "--side", "both", code=0).stdout
    assert "The total is surely at least -40; no policy is sure of more." in text
    assert "A total of at least -25 is possible; no policy can reach more." in text


def test_an_undefined_side_asked_for_alone_is_an_error(quantiplan):
    assert quantiplan.fails("solve", "commute.json", "--tau", "0") == [
        "quantiplan: --tau: the lower quantile is undefined at 0; give --side upper"
    ]
    assert quantiplan.fails("solve", "commute.json", "--tau", "1", "--side", "upper") == [
        "quantiplan: --tau: the upper quantile is undefined at 1; give --side lower"
    ]


def test_horizon_initial_and_discount_override_the_model(quantiplan):
    answer = quantiplan.json("solve", "commute.json", "--tau", "0.1", "--horizon", "1")
    assert answer["model"]["horizon"] == 1
    assert answer["results"][0]["quantile"] == -10
    answer = quantiplan.json("solve", "commute.json", "--tau", "0.1", "--initial", "station")
    assert answer["model"]["initial"] == "station"
    assert answer["results"][0]["quantile"] == -45
    answer = quantiplan.json("solve", "commute.json", "--tau", "0.5", "--discount", "1/2")
    assert answer["model"]["discount"] == 0.5
    assert answer["results"][0]["quantile"] == -17.5


def test_wealth_that_is_no_finite_decimal_is_a_string_fraction(quantiplan):
    answer = quantiplan.json("solve", "commute.json", "--tau", "0.5", "--discount", "1/3")
    assert answer["model"]["discount"] == "1/3"
    assert answer["results"][0]["quantile"] == -15
    model = quantiplan.write(
        "thirds.json",
        '{"format": "quantiplan-model/1", "horizon": 1, "initial": "a",'
        ' "choices": [{"state": "a", "action": "go", "reward": "1/3", "next": {"b": 1}}]}',
    )
    [result] = quantiplan.json("solve", model, "--tau", "0.5")["results"]
    assert result["quantile"] == "1/3"
    assert result["bracket"] == ["1/3", "1/3"]
    assert result["mean_exact"] == "1/3"


def test_the_model_may_come_from_standard_input(quantiplan):
    text = (quantiplan.folder / "commute.json").read_text()
    [result] = quantiplan.json("solve", "-", "--tau", "0.1", stdin=text)["results"]
    assert result["quantile"] == -40


@pytest.mark.parametrize(
    "options",
    [
        ["--engine", "auto"],
        ["--engine", "steps"],
        ["--engine", "paper"],
        ["--arithmetic", "auto"],
        ["--arithmetic", "double"],
        ["--arithmetic", "exact"],
        ["--exact"],
        ["--representation", "sparse"],
        ["--representation", "dense", "--arithmetic", "double"],
        ["--kernel", "reference"],
        ["--kernel", "auto"],
        ["--backend", "host"],
        ["--backend", "auto"],
        ["--threads", "1"],
        ["--threads", "2"],
        ["--memory-limit", "1G"],
        ["--time-limit", "60"],
    ],
    ids=" ".join,
)
def test_no_option_changes_the_answer(quantiplan, options):
    answer = quantiplan.json("solve", "commute.json", "--tau", "0.1,0.5,0.9", "--side", "both", "--check", *options)
    assert [r["quantile"] for r in answer["results"]] == [-40, -40, -25, -25, -25, -25]
    assert all(r["status"] == "solved" and r["certificate"] == "exact" for r in answer["results"])
    assert all(r["check"]["passed"] for r in answer["results"])


def test_engine_given_and_used_are_recorded(quantiplan):
    engine = quantiplan.json("solve", "commute.json", "--tau", "0.1", "--engine", "paper")["engine"]
    assert engine["given"] == "paper"
    assert "paper" in engine["used"]


def test_check_reports_its_findings(quantiplan):
    [result] = quantiplan.json("solve", "commute.json", "--tau", "0.1", "--check")["results"]
    assert result["check"]["passed"] is True
    assert result["check"]["optimality_checked"] is True
    assert len(result["check"]["findings"]) >= 4
    text = quantiplan("solve", "commute.json", "--tau", "0.1", "--check", code=0).stdout
    assert "  Independent check: passed.\n" in text


def test_no_comparison_leaves_out_what_it_says(quantiplan):
    [result] = quantiplan.json("solve", "commute.json", "--tau", "0.1", "--side", "upper", "--no-comparison")["results"]
    assert (result["quantile"], result["probability"]) == (-40, 1)
    assert result["mean"] is None
    assert result["expectation_policy"] is None
    text = quantiplan("solve", "commute.json", "--tau", "0.1", "--no-comparison", code=0).stdout
    assert "no policy promises more" in text
    assert "expectation-optimal" not in text and "mean" not in text


def test_distribution_in_json_has_both_policies(quantiplan):
    answer = quantiplan.json("solve", "commute.json", "--tau", "0.1", "--distribution")
    [result] = answer["results"]
    assert [(a["wealth"], a["probability"]) for a in result["distribution"]] == [(-40, 1)]
    other = answer["expectation_policy"]
    assert [a["wealth"] for a in other["distribution"]] == [-65, -55, -35, -30, -25]
    assert [a["probability"] for a in other["distribution"]] == pytest.approx([0.018, 0.18, 0.072, 0.01, 0.72])
    assert other["mean"] == pytest.approx(-31.89)


def test_distribution_in_text_is_side_by_side(quantiplan):
    text = quantiplan("solve", "commute.json", "--tau", "0.1", "--distribution", code=0).stdout
    assert "  lower quantile  this policy  expectation\n" in text
    assert "  total  probability  this policy" in text
    assert "####" in text
    assert all(len(line) <= 80 for line in text.splitlines() if "#" in line)


def test_bars_are_unicode_only_in_a_utf8_locale(quantiplan):
    text = quantiplan(
        "solve", "commute.json", "--tau", "0.1", "--distribution", env={"LC_ALL": "C.UTF-8"}, code=0
    ).stdout
    assert "█" in text and "##" not in text


def test_policy_out_writes_the_policy(quantiplan, policy):
    text = (quantiplan.folder / policy).read_text()
    assert '"quantiplan-policy/1"' in text
    evaluation = quantiplan.json("evaluate", "commute.json", "--policy", policy)
    assert [(a["wealth"], a["probability"]) for a in evaluation["distribution"]] == [(-40, 1)]


def test_policy_out_tells_several_results_apart_by_name(quantiplan):
    quantiplan(
        "solve", "commute.json", "--tau", "0.1,1/3", "--side", "both", "--policy-out", "p-{tau}-{side}.json", code=0
    )
    assert sorted(p.name for p in quantiplan.folder.glob("p-*")) == [
        "p-0.1-lower.json", "p-0.1-upper.json", "p-1_3-lower.json", "p-1_3-upper.json",
    ]


def test_policy_out_with_one_name_for_several_results_is_refused_first(quantiplan):
    assert quantiplan.fails("solve", "nowhere.json", "--tau", "0.1,0.5", "--policy-out", "p.json") == [
        "quantiplan: --policy-out: several results would be written to 'p.json', expected {tau} or {side} in the "
        "name to tell them apart"
    ]
    assert not (quantiplan.folder / "p.json").exists()


def test_output_goes_to_a_file_as_a_whole(quantiplan):
    done = quantiplan("solve", "commute.json", "--tau", "0.1", "--json", "--output", "answer.json", code=0)
    assert done.stdout == ""
    assert '"quantile": -40' in (quantiplan.folder / "answer.json").read_text()
    assert sorted(p.name for p in quantiplan.folder.iterdir()) == ["answer.json", "commute.json"]


def test_threads_do_not_change_a_byte(quantiplan):
    def answer(threads):
        text = quantiplan(
            "solve", "commute.json", "--tau", "0.1,0.5", "--side", "both", "--distribution", "--json",
            "--threads", threads, code=0,
        ).stdout
        return [line for line in text.splitlines() if '"seconds"' not in line]

    assert answer(1) == answer(2)


def test_repeated_taus_are_answered_once_and_blanks_do_not_matter(quantiplan):
    answer = quantiplan.json("solve", "commute.json", "--tau", "0.5, 0.1", "--tau", " 1/10,0.5,1/2 ")
    assert [r["tau"] for r in answer["results"]] == ["0.5", "0.1"]


def test_a_model_without_a_name_has_null_for_it(quantiplan):
    nameless = quantiplan.write(
        "m.json",
        '{"format": "quantiplan-model/1", "horizon": 1, "initial": "a", '
        '"choices": [{"state": "a", "action": "go", "next": {"b": 1}}]}',
    )
    assert quantiplan.json("solve", nameless, "--tau", "0.5")["model"]["name"] is None


def test_rationals_are_for_what_is_small_and_doubles_come_first_elsewhere(quantiplan):
    coin = quantiplan.write("coin.json", model_text({"s": {"toss": [("s", "1/2", 1), ("s", "1/2", 0)]}}))
    few = quantiplan.json("solve", coin, "--tau", "0.1", "--horizon", "20")
    assert few["engine"]["used"] == "steps (sparse, exact)"
    many = quantiplan.json("solve", coin, "--tau", "0.1", "--horizon", "400")
    assert many["engine"]["used"].endswith("double)")
    exact = quantiplan.json("solve", coin, "--tau", "0.1", "--horizon", "400", "--exact")
    [rough], [sure] = many["results"], exact["results"]
    assert rough["certificate"] == sure["certificate"] == "exact"
    assert rough["quantile"] == sure["quantile"] == 187
    assert rough["probability"] <= sure["probability"] <= rough["probability_upper"]


def test_the_same_holds_level_by_level(quantiplan):
    steps = {f"s{i}": {"go": [(f"s{i + 1}", "1/2", 1), (f"s{i}", "1/2", 1)]} for i in range(60)}
    for last, used in [(3, "epochs (exact)"), (60, "epochs (double)")]:
        road = model_text(
            {s: c for s, c in steps.items() if int(s[1:]) < last},
            horizon="infinite", goal=[f"s{last}"], rewards="cost", initial="s0",
        )
        name = quantiplan.write(f"road{last}.json", road)
        answer = quantiplan.json("solve", name, "--tau", "0.1")
        assert answer["engine"]["used"] == used
        assert answer["results"][0]["certificate"] == "exact"
        exact = quantiplan.json("solve", name, "--tau", "0.1", "--exact")
        assert exact["engine"]["used"] == "epochs (exact)"
        assert exact["results"][0]["quantile"] == answer["results"][0]["quantile"]
        chance = quantiplan.json("threshold", name, "--target", "100", "--exact")
        assert chance["engine"]["used"] == "epochs (exact)"
