"""quantiplan explain: why a policy does what it does, in sentences and as JSON."""

import json

import pytest

from conftest import SOURCE, large_model, model_text, seconds_beyond_reading


@pytest.fixture
def stake(quantiplan):
    """From 's', 'save' is surely 1, 'bet' 3 or 0; the best chance of at least 4 in two steps."""
    text = model_text({"s": {"save": [("s", 1, 1)], "bet": [("s", "1/2", 3), ("s", "1/2", 0)]}}, name="stake", horizon=2)
    quantiplan.write("stake.json", text)
    quantiplan("threshold", "stake.json", "--target", "4", "--policy-out", "p.json", code=0)
    return ["explain", "stake.json", "--policy", "p.json"]


def test_a_point_in_sentences(quantiplan, stake):
    """With 0: save, then bet (1/2); or bet, then after 3 save (1/2). With 3 at time 1 saving is sure, betting is 1/2."""
    text = quantiplan(*stake, "--state", "s", "--time", "1", "--wealth", "3", code=0).stdout
    assert text.splitlines()[1:] == [
        "Policy 'p.json', made for a total of at least 4",
        "",
        "Time 1 in 's', with 3 collected so far: 1 is still to be collected.",
        "  'save': the promise of 4 is still kept with 1, mean 4.",
        "  With 'bet' it would be 0.5, mean 4.5.",
        "",
        "Why: no other action keeps the promise as often.",
    ]
    found = quantiplan.json(*stake, "--state", "s", "--time", "1", "--wealth", "3")
    assert (found["format"], found["promise"], found["left"]) == ("quantiplan-explanation/1", 4, 1)
    assert [(a["action"], a["taken"], a["probability_exact"], a["mean_exact"]) for a in found["actions"]] == [
        ("save", True, "1", "4"), ("bet", False, "0.5", "4.5"),
    ]


def test_a_tie_is_told(quantiplan, stake):
    text = quantiplan(*stake, "--state", "s", "--wealth", "0", code=0).stdout
    assert "keeps the promise as often" in text


def test_a_policy_that_goes_on_otherwise_says_what_it_comes_to(quantiplan):
    """For 4 both first steps are as good, 1/2: save and bet, or bet and, after 3, save. This file always bets: 6 with 1/4, mean 3."""
    quantiplan.write("stake.json", model_text(
        {"s": {"save": [("s", 1, 1)], "bet": [("s", "1/2", 3), ("s", "1/2", 0)]}}, name="stake", horizon=2))
    quantiplan("threshold", "stake.json", "--target", "4", "--policy-out", "p.json", code=0)
    policy = json.loads((quantiplan.folder / "p.json").read_text())
    del policy["claim"]
    for rule in policy["rules"]:
        rule["choose"] = [{"action": "bet"}]
    quantiplan.write("bold.json", json.dumps(policy))
    asked = ["explain", "stake.json", "--policy", "bold.json", "--state", "s"]
    text = quantiplan(*asked, "--wealth", "0", code=0).stdout
    assert text.splitlines()[3:7] == [
        "Time 0 in 's', with 0 collected so far: 4 is still to be collected.",
        "  'bet': the promise of 4 is still kept with 0.5, mean 2.75.",
        "  With 'save' it would be 0.5, mean 2.5.",
        "  That is if only the promise counts from here on. Followed to its end, this policy keeps it with",
    ] and "0.25, mean 3.\n" in text
    own = quantiplan.json(*asked, "--wealth", "0")["policy_goes_on"]
    assert (own["probability_exact"], own["mean_exact"]) == ("0.25", "3")
    # From time 1 on, with 3: what it does is all that is left.
    at_one = quantiplan.json(*asked, "--time", "1", "--wealth", "3")
    assert at_one["policy_goes_on"]["probability_exact"] == "0.5"
    assert "Followed to its end" not in quantiplan(*asked, "--time", "1", "--wealth", "3", code=0).stdout


def test_the_ranges_agree_with_every_point(quantiplan, stake):
    found = quantiplan.json(*stake, "--state", "s", "--time", "1")
    [at] = found["times"]
    assert at["time"] == 1 and at["ranges"][0]["from"] is None and at["ranges"][-1]["to"] is None
    for wealth in (0, 1, 3):
        [action] = [
            r["action"] for r in at["ranges"]
            if (r["from"] is None or wealth >= r["from"]) and (r["to"] is None or wealth < r["to"])
        ]
        point = quantiplan.json(*stake, "--state", "s", "--time", "1", "--wealth", wealth)
        assert [a["action"] for a in point["actions"] if a["taken"]] == [action]
    text = quantiplan(*stake, "--state", "s", "--time", "1", code=0).stdout
    assert "'s', by what has been collected until then:\n  time 1: " in text
    assert "from 3" in text and ": 'save'" in text


def test_costs_are_spent_and_their_ranges_ascend(quantiplan):
    quantiplan.write("upload.json", (SOURCE / "examples" / "upload.json").read_text())
    explain = ["explain", "upload.json", "--tau", "0.05"]
    text = quantiplan(*explain, "--state", "broken", code=0).stdout
    assert "Policy 'best for tau 0.05, lower side', made for a cost of at most 5" in text
    assert "'broken', by what has been spent until then:" in text
    text = quantiplan(*explain, "--state", "start", "--wealth", "0", code=0).stdout
    assert "Time 0 in 'start', with 0 spent so far: 5 may still be spent." in text
    assert "the promise of 5 is still kept with 0.99" in text


def test_a_grid_policy_speaks_in_units_of_the_user(quantiplan, grid_policy):
    """commute with discount 0.9, -23.5 at best: nothing is an index."""
    found = quantiplan.json("explain", "commute.json", "--policy", grid_policy, "--state", "home", "--time", "1")
    bounds = [b for at in found["times"] for r in at["ranges"] for b in (r["from"], r["to"]) if b is not None]
    assert found["grid_unit"] == 2
    assert all(-100 <= float(b) <= 100 for b in bounds)
    text = quantiplan("explain", "commute.json", "--policy", grid_policy, "--state", "home", code=0).stdout
    assert "The policy counts in steps of 2 and less, rounded" in text


def test_a_summary_counts_actions_states_and_differences(quantiplan):
    """At tau 0.1 the bike is taken, where the expectation-optimal policy takes the train."""
    explain = ["explain", "commute.json", "--tau", "0.1", "--side", "upper", "--summary", "--episodes", "50", "--seed", "3"]
    found = quantiplan.json(*explain)
    assert (found["episodes"], found["seed"], found["steps"]) == (50, 3, 50)
    assert found["actions"] == [{"action": "bike", "steps": 50}]
    assert found["states"] == [
        {"state": "home", "steps": 50, "action": "bike", "differs": 50, "expectation_action": "train"}
    ]
    text = quantiplan(*explain, code=0).stdout
    assert "It differs from the expectation-optimal policy in 100.0 % of the steps, most in\n" in text
    same = quantiplan("explain", "commute.json", "--tau", "0.3", "--summary", code=0).stdout
    assert "In all of these steps it does what the expectation-optimal policy does.\n" in same


@pytest.mark.parametrize(
    "args, said",
    [
        (["--state", "home"], "--policy: found none, expected a file, or --tau for the best policy"),
        (["--tau", "0.1"], "--state: found none, expected a state, or --summary"),
        (["--tau", "0.1", "--state", "hom"], "--state: unknown state 'hom', must be a state of the model; did you mean 'home'?"),
        (["--tau", "0.1", "--state", "home", "--summary"],
         "--summary: found with --state, --time or --wealth, expected one of them"),
        (["--tau", "0.1,0.2", "--state", "home"], "--tau: found several, expected one of one side"),
        (["--tau", "0.1", "--state", "office", "--wealth", "0"],
         "explain: found an episode that is over, at time 0 in state 'office', expected one that goes on"),
        (["--tau", "0.1", "--state", "home", "--wealth", "0", "--time", "x"],
         "--time: found 'x', expected a whole number of steps"),
    ],
)
def test_requests_that_make_no_sense(quantiplan, args, said):
    assert quantiplan.fails("explain", "commute.json", *args) == [f"quantiplan: {said}"]


def test_a_state_that_the_policy_never_meets(quantiplan):
    text = quantiplan("explain", "commute.json", "--tau", "0.1", "--state", "office", code=0).stdout
    assert text.endswith("  The policy never comes there.\n")


def test_a_promise_that_is_a_class_is_named(quantiplan):
    asked = ["explain", SOURCE / "examples/treatment.json", "--tau", "0.1", "--summary"]
    assert "made for a wealth of '3' or better" in quantiplan(*asked, code=0).stdout
    assert quantiplan.json(*asked)["promise"] == "3"


def test_wealth_that_is_no_sum_is_named(quantiplan):
    """The rules of the file: at time 3 the extra mile after two silver and a bronze, by the book after all else."""
    asked = ["explain", SOURCE / "examples/service.json", "--tau", "0.1", "--state", "fresh"]
    text = quantiplan(*asked, code=0).stdout
    assert "'fresh', by the wealth until then:\n  time 0: always: 'extra mile'." in text
    assert "  time 3: '2 silver, 1 bronze': 'extra mile'; otherwise: 'by the book'." in text
    quantiplan("solve", SOURCE / "examples/service.json", "--tau", "0.1", "--policy-out", "p.json", code=0)
    rules = json.loads((quantiplan.folder / "p.json").read_text())["rules"]
    found = {at["time"]: at["ranges"] for at in quantiplan.json(*asked)["times"]}
    assert sorted(found) == sorted(r["time"] for r in rules if r["state"] == "fresh")
    assert [(r.get("wealths"), r["action"]) for r in found[3]] == [
        (["2 silver, 1 bronze"], "extra mile"), (None, "by the book"),
    ]
    assert quantiplan.fails(*asked, "--time", "3", "--wealth", "1") == [
        "quantiplan: explain: found a wealth that is no sum, expected sums of rewards; what is done by the wealth so far is told "
        "without one"
    ]


def test_a_policy_of_a_mixture_is_explained_by_itself(quantiplan):
    model = SOURCE / "examples/datacenter.json"
    quantiplan("solve", model, "--tau", "0.1", "--mixed", "--policy-out", "m.json", code=0)
    parts = json.loads((quantiplan.folder / "m.json").read_text())["mixture"]
    asked = ["explain", model, "--policy", "m.json", "--state", "on=3,jobs=5"]
    [said] = quantiplan.fails(*asked)
    assert said.startswith("quantiplan: --part: found none, expected 1 to 2, one of the policies of the mixture, which are drawn with ")
    assert quantiplan.fails(*asked, "--part", "3")[0].startswith("quantiplan: --part: found 3, expected 1 to 2")
    for number, part in enumerate(parts, 1):
        found = quantiplan.json(*asked, "--part", number)
        assert found["policy"].startswith(f"m.json, part {number}, drawn with 0.")
        rules = [r for r in part["rules"] if r["state"] == "on=3,jobs=5"]
        assert [at["time"] for at in found["times"]] == [r["time"] for r in rules]
        for at, rule in zip(found["times"], rules):
            assert [r["action"] for r in reversed(at["ranges"])] == [c["action"] for c in rule["choose"]]
    assert "1000 episodes" in quantiplan("explain", model, "--policy", "m.json", "--summary", code=0).stdout
    assert quantiplan.fails("explain", model, "--tau", "0.1", "--state", "on=3,jobs=5", "--part", "1") == [
        "quantiplan: --part: found with a policy that is no mixture"
    ]


def test_where_the_policy_never_is_cannot_be_explained(quantiplan):
    asked = ["explain", "commute.json", "--tau", "0.1", "--state", "station", "--time", "1", "--wealth", "0"]
    assert quantiplan.fails(*asked) == [
        "quantiplan: explain: the policy never comes to state 'station' at time 1, expected where it does"
    ]


def test_a_limit_of_the_search_is_told(quantiplan):
    large = quantiplan.write("large.json", large_model())
    limit = seconds_beyond_reading(quantiplan, large, 0.3)
    asked = ["explain", large, "--tau", "0.1", "--state", "s0", "--time-limit", limit]
    done = quantiplan(*asked)
    if done.returncode == 2:
        # Before there is a policy, or before it is complete.
        assert "a limit was met before " in done.stderr and done.stderr.endswith(
            "expected a longer --time-limit or a larger --memory-limit\n")
        return
    assert done.returncode == 1 and "The search for it ended early; no policy promises more than " in done.stdout


def test_a_policy_of_a_search_that_ended_early_says_so(quantiplan):
    """With so little memory a coarse bracket is all there is."""
    choices = {"s": {"a": [("s", 0.5, 0), ("s", 0.5, 1)], "b": [("s", 1, 0.4001)]}}
    quantiplan.write("steps.json", model_text(choices, horizon=20000))
    asked = ["steps.json", "--tau", "0.1", "--memory-limit", "30M"]
    [solved] = quantiplan.json("solve", *asked, code=1)["results"]
    promised, possible = solved["bracket"]
    assert promised < possible
    explained = ["explain", *asked, "--state", "s", "--time", "0"]
    text = " ".join(quantiplan(*explained, code=1).stdout.split())
    assert f"made for a total of at least {promised} The search for it ended early; no policy promises more than {possible}." in text
    found = quantiplan.json(*explained, code=1)
    assert (found["promise"], found["no_more_than"]) == (promised, possible)
    assert quantiplan.json("explain", "commute.json", "--tau", "0.1", "--state", "home")["no_more_than"] is None
