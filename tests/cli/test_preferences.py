"""Wealth that is no sum: every structure on a model small enough to be worked out by hand."""

import json

import pytest

from conftest import SOURCE

STEPS = {"s": {"safe": [("s", 1, 2)], "risky": [("s", "1/2", 5), ("s", "1/2", 1)]}}
CAPITAL = {"s": {"hold": [("s", 1, 1)], "bet": [("s", "1/2", "3/2"), ("s", "1/2", "1/2")]}}
PARCEL = {
    "s": {
        "fast": [("e", "3/4", [0, 9]), ("e", "1/4", [1, 9])],
        "slow": [("e", "1/2", [0, 4]), ("e", "1/2", [1, 4])],
    }
}
GRADES = {"s": {"steady": [("s", 1, "ok")], "bold": [("s", "1/2", "top"), ("s", "1/2", "bad")]}}
ORDERED = {
    "s": {
        "first": [("s", "3/4", "A"), ("s", "1/4", "B")],
        "second": [("s", "1/2", "A"), ("s", "1/2", "B")],
        "wait": [("s", 1, None)],
    }
}
PUSHED = {"s": {"rest": [("s", 1, None)], "push": [("s", "2/3", "up"), ("s", "1/3", "down")]}}

LABELS = ["bad", "ok", "top"]
LATE = {"kind": "lexicographic", "components": [{"name": "late", "better": "less"}, {"name": "euros", "better": "less"}]}
# A, and B after it, is done; B before A is spoilt. No history comes to 'x'.
A_BEFORE_B = {
    "kind": "automaton",
    "states": ["none", "a", "ab", "b", "x"],
    "start": "none",
    "transitions": [
        {"from": start, "label": label, "to": to}
        for start, label, to in [
            ("none", "A", "a"), ("none", "B", "b"), ("a", "A", "a"), ("a", "B", "ab"),
            ("ab", "*", "ab"), ("b", "*", "b"), ("x", "*", "x"),
        ]
    ],
    "classes": [{"name": "spoilt", "states": ["b"]}, "x", ["none", "a"], {"name": "done", "states": ["ab"]}],
}
LADDER = {
    "kind": "table",
    "classes": ["low", "mid", "high"],
    "start": "mid",
    "table": {
        "low": {"up": "mid", "down": "low"},
        "mid": {"up": "high", "down": "low"},
        "high": {"up": "high", "down": "mid"},
    },
}

# name: wealth, choices, horizon, number of classes, tau, then (quantile, rank, probability) of either side.
CASES = {
    # 5 at least once in two risky steps.
    "max": ("max", STEPS, 2, 3, "1/4", (2, 2, "1"), (5, 3, "0.75")),
    # 5 twice.
    "min": ("min", STEPS, 2, 3, "3/4", (2, 2, "1"), (5, 3, "0.25")),
    # 1/4, 1/2, 3/4, 1, 3/2, 9/4: a bet that is won is not bet again.
    "product": ("product", CAPITAL, 2, 6, "1/2", (1, 4, "1"), (1.5, 5, "0.5")),
    "lexicographic": (LATE, PARCEL, 1, 4, "1/4", ("(1 late, 4 euros)", 2, "1"), ("(0 late, 9 euros)", 3, "0.75")),
    # Best is 2 top, then 1 top, 1 ok, then 2 ok: whatever has a bad comes behind.
    "worst first": (
        {"kind": "counts", "labels": LABELS}, GRADES, 2, 6, "1/2", ("2 ok", 4, "1"), ("1 top, 1 ok", 5, "0.5"),
    ),
    # One top is better than 2 ok, even with a bad.
    "best first": (
        {"kind": "counts", "labels": LABELS, "first": "best"}, GRADES, 2, 6, "1/4",
        ("2 ok", 3, "1"), ("1 top, 1 bad", 4, "0.75"),
    ),
    # -4, -1, 3/2, 2, 9/2, 7.
    "weighted": (
        {"kind": "weighted counts", "weights": {"bad": -2, "ok": 1, "top": "7/2"}}, GRADES, 2, 6, "1/2",
        (2, 4, "1"), (4.5, 5, "0.5"),
    ),
    # A by the first (3/4), B by the second (1/2); ranks count the class that no history comes to.
    "automaton": (A_BEFORE_B, ORDERED, 2, 4, "5/8", ("none | a", 3, "1"), ("done", 4, "0.375")),
    # Once up, one rests.
    "table": (LADDER, PUSHED, 2, 3, "1/3", ("mid", 2, "1"), ("high", 3, "2/3")),
}
WITH_RESIDUALS = ["max", "min", "product", "lexicographic", "worst first", "best first", "weighted"]


def preference_text(wealth, choices, horizon, **more):
    """A model from {state: {action: [(to, probability, reward), ...]}}; None is no reward."""
    rows = [
        {
            "state": state,
            "action": action,
            "next": [
                {"to": to, "probability": p, **({} if r is None else {"reward": r})} for to, p, r in outcomes
            ],
        }
        for state, actions in choices.items()
        for action, outcomes in actions.items()
    ]
    head = {"format": "quantiplan-model/1", "name": "small", "horizon": horizon, "initial": next(iter(choices))}
    return json.dumps({**head, "wealth": wealth, **more, "choices": rows})


@pytest.fixture(params=CASES)
def case(request, quantiplan):
    wealth, choices, horizon, *expected = CASES[request.param]
    quantiplan.write("model.json", preference_text(wealth, choices, horizon))
    return request.param, *expected


def answers(answer):
    return [(r["quantile"], r["rank"], r["probability_exact"]) for r in answer["results"]]


def test_solve_gives_class_rank_and_probability(quantiplan, case):
    name, classes, tau, lower, upper = case
    answer = quantiplan.json("solve", "model.json", "--tau", tau, "--side", "both", "--check")
    assert answer["classes"] == classes
    assert answers(answer) == [lower, upper]
    for result in answer["results"]:
        assert (result["status"], result["certificate"]) == ("solved", "exact")
        assert result["bracket"] == [result["quantile"], result["quantile"]]
        assert (result["attained"], result["probability_is"]) == (True, "exact")
        assert result["check"]["passed"] and result["check"]["optimality_checked"]
    assert answer["engine"]["used"] == ("ranked (exact)" if name in WITH_RESIDUALS else "forward (exact)")
    assert answer["model"]["wealth"] == name.replace("worst first", "counts").replace(
        "best first", "counts").replace("weighted", "weighted counts")


@pytest.mark.parametrize("arithmetic", ["auto", "double", "exact"])
@pytest.mark.parametrize("engine", ["auto", "ranked", "forward"])
def test_engines_and_arithmetics_agree(quantiplan, case, engine, arithmetic):
    name, classes, tau, lower, upper = case
    if engine == "ranked" and name not in WITH_RESIDUALS:
        return
    answer = quantiplan.json(
        "solve", "model.json", "--tau", tau, "--side", "both", "--engine", engine, "--arithmetic", arithmetic
    )
    assert answer["classes"] == classes
    assert [(r["quantile"], r["rank"]) for r in answer["results"]] == [lower[:2], upper[:2]]
    assert all(r["certificate"] == "exact" for r in answer["results"])


def test_policies_keep_what_they_claim(quantiplan, case):
    _, _, tau, lower, upper = case
    quantiplan("solve", "model.json", "--tau", tau, "--side", "both", "--policy-out", "{side}.json", code=0)
    for side, (quantile, _, probability) in [("lower", lower), ("upper", upper)]:
        report = quantiplan.json("check", "model.json", f"{side}.json")
        assert report["passed"] and report["optimality_checked"]
        assert report["claim"]["probability_exact"] == probability
        assert report["model"]["wealth"] is not None
        law = quantiplan.json(
            "evaluate", "model.json", "--policy", f"{side}.json", "--exact", "--tau", tau, "--side", side,
            "--at-least", quantile,
        )
        assert [q["quantile"] for q in law["quantiles"]] == [quantile]
        assert [(a["wealth"], a["probability_exact"]) for a in law["at_least"]] == [(quantile, probability)]
        assert sum(a["probability"] for a in law["distribution"]) == pytest.approx(1)


def test_the_frontier_ends_with_what_solve_says(quantiplan, case):
    _, classes, tau, lower, upper = case
    frontier = quantiplan.json("frontier", "model.json", "--tau", tau, "--side", "both")
    assert frontier["classes"] == classes
    steps = [(s["wealth"], s["rank"], s["probability_exact"]) for s in frontier["steps"]]
    assert lower in steps and upper in steps
    assert [(q["quantile"], q["rank"]) for q in frontier["quantiles"]] == [lower[:2], upper[:2]]


def test_a_frontier_by_hand(quantiplan):
    quantiplan.write("model.json", preference_text(CASES["best first"][0], GRADES, 2))
    frontier = quantiplan.json("frontier", "model.json")
    assert [(s["wealth"], s["rank"], s["probability_exact"]) for s in frontier["steps"]] == [
        ("2 ok", 3, "1"), ("1 top, 1 bad", 4, "0.75"), ("1 top, 1 ok", 5, "0.5"), ("2 top", 6, "0.25"),
    ]
    lines = quantiplan("frontier", "model.json", code=0).stdout.splitlines()
    assert any(line.split() == ["1", "top,", "1", "bad", "4", "of", "6", "0.75", "#" * 30] for line in lines)


def test_text_of_an_answer(quantiplan):
    quantiplan.write("model.json", preference_text(A_BEFORE_B, ORDERED, 2))
    text = quantiplan("solve", "model.json", "--tau", "5/8", "--side", "both", code=0).stdout
    assert "; wealth by automaton\n" in text
    assert "\n0.625  lower    none | a  3 of 4          1\n0.625  upper        done  4 of 4      0.375\n" in text
    assert "  With probability at least 0.375 the wealth is 'done' or better; no policy promises more.\n" in text


def test_sure_and_possible(quantiplan):
    quantiplan.write("model.json", preference_text("max", STEPS, 2))
    sure = quantiplan("solve", "model.json", "--tau", "0", "--side", "upper", code=0).stdout
    assert "  The wealth is surely 2 or better; no policy promises more.\n" in sure
    possible = quantiplan("solve", "model.json", "--tau", "1", "--side", "lower", code=0).stdout
    assert "  A wealth of 5 or better is possible; no policy promises more.\n" in possible


def test_numbers_have_means_and_an_expectation_optimal_policy(quantiplan):
    """Steady twice is 2 on average; 4.5 needs one bold step, which is worth 3/4."""
    quantiplan.write("model.json", preference_text(CASES["weighted"][0], GRADES, 2))
    [result] = quantiplan.json("solve", "model.json", "--tau", "1/2", "--side", "upper")["results"]
    assert result["mean_exact"] == "1.75"
    other = result["expectation_policy"]
    assert (other["mean_exact"], other["quantile"], other["rank"], other["probability_exact"]) == ("2", 2, 4, "0")
    quantiplan.write("model.json", preference_text(CASES["worst first"][0], GRADES, 2))
    [result] = quantiplan.json("solve", "model.json", "--tau", "1/2")["results"]
    assert (result["mean"], result["expectation_policy"]) == (None, None)


def test_rules_go_by_the_wealth_so_far(quantiplan):
    quantiplan.write("model.json", preference_text(A_BEFORE_B, ORDERED, 2))
    quantiplan("solve", "model.json", "--tau", "5/8", "--side", "upper", "--policy-out", "p.json", code=0)
    policy = json.loads((quantiplan.folder / "p.json").read_text(encoding="utf-8"))
    assert policy["claim"]["quantile"] == "done"
    assert policy["rules"] == [
        {"time": 0, "state": "s", "choose": [{"action": "first"}]},
        {"time": 1, "state": "s", "choose": [{"wealth": ["a"], "action": "second"}, {"action": "first"}]},
    ]


def test_a_claim_on_the_command_line(quantiplan):
    quantiplan.write("model.json", preference_text(CASES["best first"][0], GRADES, 2))
    quantiplan("solve", "model.json", "--tau", "1/4", "--side", "upper", "--policy-out", "p.json", code=0)
    policy = json.loads((quantiplan.folder / "p.json").read_text(encoding="utf-8"))
    del policy["claim"]
    quantiplan.write("p.json", json.dumps(policy))
    claim = ["--tau", "1/4", "--side", "upper", "--quantile"]
    assert quantiplan.json("check", "model.json", "p.json", *claim, "1 top, 1 bad")["passed"]
    assert not quantiplan.json("check", "model.json", "p.json", *claim, "2 ok", code=4)["passed"]


@pytest.mark.parametrize(
    "change, words",
    [
        # A policy that never tries.
        (lambda p: p.update(rules=[{**r, "choose": [{"action": "wait"}]} for r in p["rules"]]), "P(W = 'done') is 0"),
        (lambda p: p["claim"].update(probability=0.5, exact_probability=0.5), "0.375"),
        # Reached with probability 1, but more can be had.
        (lambda p: p["claim"].update(quantile="spoilt", probability=1, exact_probability=1), "The greatest P(W > 'spoilt')"),
    ],
    ids=["another policy", "another probability", "a lower quantile"],
)
def test_a_false_claim_fails_the_check(quantiplan, change, words):
    quantiplan.write("model.json", preference_text(A_BEFORE_B, ORDERED, 2))
    quantiplan("solve", "model.json", "--tau", "5/8", "--side", "upper", "--policy-out", "p.json", code=0)
    policy = json.loads((quantiplan.folder / "p.json").read_text(encoding="utf-8"))
    change(policy)
    quantiplan.write("p.json", json.dumps(policy))
    text = quantiplan("check", "model.json", "p.json", code=4).stdout
    assert words in text and text.endswith("Check FAILED.\n")


def test_episodes_show_labels_and_repeat_with_the_seed(quantiplan):
    quantiplan.write("model.json", preference_text(CASES["best first"][0], GRADES, 2))
    quantiplan("solve", "model.json", "--tau", "1/4", "--side", "upper", "--policy-out", "p.json", code=0)
    args = ["simulate", "model.json", "--policy", "p.json", "--episodes", "200", "--seed", "7", "--trace"]
    first, again = quantiplan(*args, code=0).stdout, quantiplan(*args, code=0).stdout
    assert first == again
    assert first != quantiplan(*args[:-2], "8", "--trace", code=0).stdout
    run = quantiplan.json(*args)
    assert {e["wealth"] for e in run["episodes"]} <= {"2 bad", "1 top, 1 bad", "1 top, 1 ok", "2 top"}
    for episode in run["episodes"]:
        met = [step["reward"] for step in episode["steps"]]
        assert set(met) <= set(LABELS)
        counts = [f"{met.count(label)} {label}" for label in reversed(LABELS) if label in met]
        assert episode["wealth"] == ", ".join(counts)
    assert sum(total["count"] for total in run["totals"]) == 200


def test_vectors_and_missing_labels_in_a_trace(quantiplan):
    quantiplan.write("model.json", preference_text(LATE, PARCEL, 1))
    quantiplan("solve", "model.json", "--tau", "1/2", "--policy-out", "p.json", code=0)
    run = quantiplan.json("simulate", "model.json", "--policy", "p.json", "--episodes", "1", "--trace")
    assert run["episodes"][0]["steps"][0]["reward"] in ["(0, 9)", "(1, 9)"]
    quantiplan.write("model.json", preference_text(LADDER, PUSHED, 2))
    quantiplan("solve", "model.json", "--tau", "0.1", "--policy-out", "p.json", code=0)
    run = quantiplan.json("simulate", "model.json", "--policy", "p.json", "--episodes", "1", "--trace")
    assert run["episodes"][0]["wealth"] == "mid"
    assert [step["reward"] for step in run["episodes"][0]["steps"]] == [None, None]


@pytest.mark.parametrize("engine", ["ranked", "forward"])
def test_sums_by_classes_are_the_sums(quantiplan, engine):
    args = ["solve", "commute.json", "--tau", "0.1,0.198,0.3,0.95", "--side", "both", "--check"]
    by_steps, by_classes = quantiplan.json(*args), quantiplan.json(*args, "--engine", engine)
    for one, other in zip(by_steps["results"], by_classes["results"]):
        assert all(one[key] == other[key] for key in ["quantile", "probability_exact", "certificate"])
        assert other["check"]["passed"]
    frontiers = [quantiplan.json("frontier", "commute.json", *more) for more in [[], ["--engine", engine]]]
    curves = [[(s["wealth"], s["probability_exact"]) for s in f["steps"]] for f in frontiers]
    assert curves[0] == curves[1]


@pytest.mark.parametrize("engine", ["ranked", "forward"])
def test_policies_of_sums_by_classes_can_be_read(quantiplan, engine):
    """6 in two steps: after a 5 both choices do, and the gamble has the better mean; after a 1 only another 5."""
    quantiplan.write("model.json", preference_text("sum", STEPS, 2))
    args = ["solve", "model.json", "--tau", "1/2", "--engine", engine, "--policy-out", "p.json"]
    [result] = quantiplan.json(*args)["results"]
    assert (result["quantile"], result["probability_exact"]) == (6, "0.75")
    assert quantiplan.json("check", "model.json", "p.json")["passed"]
    law = quantiplan.json("evaluate", "model.json", "--policy", "p.json", "--exact", "--at-least", "6")
    assert [(a["wealth"], a["probability_exact"]) for a in law["at_least"]] == [(6, "0.75")]
    run = quantiplan.json("simulate", "model.json", "--policy", "p.json", "--episodes", "200")
    assert {total["wealth"] for total in run["totals"]} == {2, 6, 10}


@pytest.mark.parametrize("name", ["service", "workflow", "treatment", "delivery"])
def test_threads_do_not_change_a_byte(quantiplan, name):
    model = SOURCE / "examples" / f"{name}.json"

    def answer(threads):
        found = quantiplan.json(
            "solve", model, "--tau", "0.01,0.1,0.5,0.9", "--side", "both", "--arithmetic", "double",
            "--threads", threads, "--policy-out", f"{{tau}}-{{side}}-{threads}.json",
        )
        del found["work"]
        files = [
            (quantiplan.folder / f"{tau}-{side}-{threads}.json").read_bytes()
            for tau in ["0.01", "0.1", "0.5", "0.9"] for side in ["lower", "upper"]
        ]
        return found, files

    assert answer(1) == answer(3)


def test_info_and_convert_keep_the_structure(quantiplan, case):
    name, *_ = case
    info = quantiplan.json("info", "model.json")
    assert (info["rewards"] is None) == (name not in ["max", "min", "product"])
    quantiplan("convert", "model.json", "copy.json", code=0)
    quantiplan("convert", "copy.json", "again.json", code=0)
    texts = [(quantiplan.folder / file).read_text(encoding="utf-8") for file in ["copy.json", "again.json"]]
    assert texts[0] == texts[1]
    _, _, tau, lower, upper = case
    assert answers(quantiplan.json("solve", "copy.json", "--tau", tau, "--side", "both")) == [lower, upper]


# Without end: what is reached, or avoided, for ever.
INFINITE = {
    # 10 before 1, each with 1/10 a try: 1/2; 4 is there for the taking.
    "max": (
        "max", {"s": {"try": [("e", "1/10", 10), ("e", "1/10", 1), ("s", "8/10", 0)], "take": [("e", 1, 4)]}},
        "1/2", (4, 3, "1"), (10, 4, "0.5"), "reachability",
    ),
    # Working ends with 4 or with 1, after any number of 3; idling is 2 for ever.
    "min": (
        "min", {"s": {"work": [("s", "1/2", 3), ("e", "1/4", 4), ("e", "1/4", 1)], "idle": [("s", 1, 2)]}},
        "1/2", (2, 2, "1"), (3, 3, "0.5"), "safety",
    ),
    # Seen, 1/3, before all is over, 1/6.
    "rising table": (
        {"kind": "table", "classes": ["unseen", "seen"], "start": "unseen",
         "table": {"unseen": {"see": "seen"}, "seen": {"*": "seen"}}},
        {"s": {"look": [("s", "1/2", None), ("e", "1/3", "see"), ("e", "1/6", None)], "idle": [("s", 1, None)]}},
        "1/3", ("unseen", 1, "1"), ("seen", 2, "2/3"), "reachability",
    ),
    # In store the first hit ends it, 3/4 of the times; then it is used: 3/4 + 1/4 * 1/2.
    "falling automaton": (
        {"kind": "automaton", "states": ["whole", "cracked", "broken"], "start": "whole",
         "transitions": [{"from": "whole", "label": "hit", "to": "cracked"},
                         {"from": "cracked", "label": "hit", "to": "broken"},
                         {"from": "broken", "label": "*", "to": "broken"}],
         "classes": ["broken", "cracked", "whole"]},
        {"s": {"use": [("s", "1/2", None), ("s", "1/4", "hit"), ("e", "1/4", None)],
               "store": [("s", "1/2", None), ("s", "1/8", "hit"), ("e", "3/8", "hit")]}},
        "1/8", ("broken", 1, "1"), ("cracked", 2, "0.875"), "safety",
    ),
}


@pytest.fixture(params=INFINITE)
def infinite(request, quantiplan):
    wealth, choices, *expected = INFINITE[request.param]
    quantiplan.write("model.json", preference_text(wealth, choices, "infinite"))
    return expected


@pytest.mark.parametrize("arithmetic", ["auto", "double", "exact"])
def test_without_end(quantiplan, infinite, arithmetic):
    tau, lower, upper, question = infinite
    args = ["--tau", tau, "--side", "both", "--arithmetic", arithmetic]
    answer = quantiplan.json("solve", "model.json", *args, "--check")
    assert [(r["quantile"], r["rank"]) for r in answer["results"]] == [lower[:2], upper[:2]]
    assert all(r["certificate"] == "exact" and r["check"]["passed"] for r in answer["results"])
    assert answer["engine"]["why"].endswith(f"each class is a question of {question}")
    for result, (_, _, probability) in zip(answer["results"], [lower, upper]):
        numerator, _, denominator = probability.partition("/")
        assert result["probability"] == pytest.approx(float(numerator) / float(denominator or 1), rel=1e-9)
    frontier = quantiplan.json("frontier", "model.json", *args)
    assert [(q["quantile"], q["rank"]) for q in frontier["quantiles"]] == [lower[:2], upper[:2]]


def test_policies_without_end_are_stationary_and_keep_their_claim(quantiplan, infinite):
    tau, _, upper, _ = infinite
    quantiplan("solve", "model.json", "--tau", tau, "--side", "upper", "--policy-out", "p.json", code=0)
    policy = json.loads((quantiplan.folder / "p.json").read_text(encoding="utf-8"))
    assert all("time" not in rule for rule in policy["rules"])
    assert quantiplan.json("check", "model.json", "p.json")["passed"]
    law = quantiplan.json("evaluate", "model.json", "--policy", "p.json", "--exact", "--at-least", upper[0])
    assert [(a["wealth"], a["probability_exact"]) for a in law["at_least"]] == [(upper[0], upper[2])]


def test_a_loop_that_pays_nothing_is_left_almost_surely(quantiplan):
    """The best is found with probability 1 in the end, whatever the chance of a try."""
    choices = {"s": {"try": [("e", "1/1000", 9), ("s", "999/1000", 0)], "wait": [("s", 1, 0)]}}
    quantiplan.write("model.json", preference_text("max", choices, "infinite"))
    [result] = quantiplan.json("solve", "model.json", "--tau", "0", "--side", "upper", "--check")["results"]
    assert (result["quantile"], result["probability_exact"]) == (9, "1")
    text = quantiplan("solve", "model.json", "--tau", "0", "--side", "upper", code=0).stdout
    assert "  The wealth is almost surely 9 or better; no policy promises more.\n" in text


@pytest.mark.parametrize("engine", ["forward", "ranked"])
def test_engines_of_classes_show_distributions_of_sums(quantiplan, engine):
    by_classes = quantiplan.json("solve", "commute.json", "--tau", "0.1", "--engine", engine, "--distribution")
    plain = quantiplan.json("solve", "commute.json", "--tau", "0.1", "--distribution")
    for answer in (by_classes, plain):
        assert answer["results"][0]["distribution"]
    chances = [[atom["probability_exact"] for atom in a["expectation_policy"]["distribution"]] for a in (by_classes, plain)]
    assert chances[0] == chances[1]
