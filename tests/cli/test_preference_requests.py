"""Wealth that is no sum: what is refused, and models that make no sense."""

import json
import re

import pytest

from conftest import seconds_beyond_reading

from test_preferences import A_BEFORE_B, GRADES, LADDER, LABELS, ORDERED, PUSHED, STEPS, preference_text

COUNTS = {"kind": "counts", "labels": LABELS}


@pytest.fixture
def counts(quantiplan):
    choices = {**GRADES, "s": {**GRADES["s"], "stop": [("end", 1, "ok")]}}
    return quantiplan.write("counts.json", preference_text(COUNTS, choices, 2))


@pytest.mark.parametrize(
    "option, word",
    [
        (["--goal", "end"], "goal"),
        (["--cost"], "cost"),
        (["--discount", "0.9"], "discount"),
        (["--adversarial"], "adversar"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
@pytest.mark.parametrize("command", ["solve", "frontier"])
def test_what_belongs_to_sums(quantiplan, counts, command, option, word):
    [line] = quantiplan.fails(command, counts, "--tau", "0.1", *option)
    assert line.startswith("quantiplan: ") and word in line and "sums of rewards" in line


@pytest.mark.parametrize("key, value", [("goal", ["e"]), ("rewards", "cost"), ("discount", 0.5)])
def test_what_belongs_to_sums_in_the_model(quantiplan, key, value):
    choices = {"s": {"go": [("e", 1, 3)]}}
    model = quantiplan.write("model.json", preference_text("max", choices, 1, **{key: value}))
    [line] = quantiplan.fails("solve", model, "--tau", "0.1")
    assert "sums of rewards" in line


@pytest.mark.parametrize("engine", ["steps", "lattice", "levels", "search", "epochs", "paper"])
def test_engines_of_sums(quantiplan, counts, engine):
    [line] = quantiplan.fails("solve", counts, "--tau", "0.1", "--engine", engine)
    assert line.startswith("quantiplan: --engine: ") and "ranked" in line and "forward" in line


def test_ranked_needs_residuals(quantiplan):
    model = quantiplan.write("model.json", preference_text(A_BEFORE_B, ORDERED, 2))
    [line] = quantiplan.fails("solve", model, "--tau", "0.1", "--engine", "ranked")
    assert line.startswith("quantiplan: --engine: ") and "residuals" in line and "forward" in line


def test_a_wealth_without_numbers_has_no_expectation(quantiplan, counts):
    [line] = quantiplan.fails("evaluate", counts, "--policy", "expectation")
    assert line.endswith("a wealth that is a number: this one has no expectation")


def test_a_class_may_not_rise_and_fall_for_ever(quantiplan):
    model = quantiplan.write("model.json", preference_text(LADDER, PUSHED, "infinite"))
    for command in ["solve", "frontier"]:
        [line] = quantiplan.fails(command, model, "--tau", "0.1")
        assert line == (
            "quantiplan: --horizon: infinite, but the class may go up ('low' to 'mid' by 'up') and down ('mid' to 'low' "
            "by 'down'), so that an infinite episode may have none; expected a finite --horizon, or classes that only "
            "rise or only fall"
        )
    # With an end it has a class.
    assert quantiplan.json("solve", model, "--tau", "0.5", "--horizon", "2")["results"][0]["quantile"] == "high"


@pytest.mark.parametrize(
    "wealth, reward",
    [("product", 2), (COUNTS, "ok"), ({"kind": "lexicographic", "components": 2}, [1, 2]),
     ({"kind": "weighted counts", "weights": {"ok": 1}}, "ok")],
    ids=["product", "counts", "lexicographic", "weighted counts"],
)
def test_what_has_no_limit_without_end(quantiplan, wealth, reward):
    model = quantiplan.write("model.json", preference_text(wealth, {"s": {"go": [("s", 1, reward)]}}, "infinite"))
    [line] = quantiplan.fails("solve", model, "--tau", "0.1")
    name = wealth if isinstance(wealth, str) else wealth["kind"]
    assert line.startswith("quantiplan: --horizon: infinite") and f"wealth by {name}" in line


@pytest.mark.parametrize("engine", ["forward", "ranked"])
def test_a_refusal_says_how_many_wealths_were_met(quantiplan, engine):
    """Eight primes: one wealth for every multiset of them."""
    primes = [2, 3, 5, 7, 11, 13, 17, 19]
    choices = {"s": {"go": [("s", "1/8", prime) for prime in primes]}}
    model = quantiplan.write("model.json", preference_text("product", choices, 40))
    [line] = quantiplan.fails("solve", model, "--tau", "0.1", "--engine", engine, "--memory-limit", "4M")
    assert line.startswith("quantiplan: memory: ")
    assert int(re.search(r"(\d+) (?:different wealths|levels of wealth)", line)[1]) > 1000
    for help_word in ["4 MiB", "a shorter --horizon", "of fewer values", "a larger --memory-limit"]:
        assert help_word in line


def test_a_time_limit_leaves_the_question_open(quantiplan):
    choices = {"s": {"go": [("s", "1/8", f"l{i}") for i in range(8)]}}
    wealth = {"kind": "counts", "labels": [f"l{i}" for i in range(8)]}
    model = quantiplan.write("model.json", preference_text(wealth, choices, 60))
    limit = seconds_beyond_reading(quantiplan, model, 0.1)
    for engine in ["forward", "ranked"]:
        args = ["solve", model, "--tau", "0.1", "--engine", engine, "--time-limit", limit]
        [result] = quantiplan.json(*args, code=1)["results"]
        assert (result["status"], result["quantile"], result["probability"]) == ("limit_reached", None, None)
    assert quantiplan.json("frontier", model, "--time-limit", limit, code=1)["status"] == "limit_reached"


def test_labels_do_not_fit_a_csv(quantiplan, counts):
    [line] = quantiplan.fails("convert", counts, "model.csv")
    assert "labels" in line and line.endswith("JSON only")
    numbers = quantiplan.write("numbers.json", preference_text("max", STEPS, 2))
    notice = quantiplan("convert", numbers, "model.csv", code=0).stderr
    assert notice.rstrip().endswith("the wealth structure")


def test_classes_that_are_asked_for_exist(quantiplan):
    model = quantiplan.write("model.json", preference_text(LADDER, PUSHED, 2))
    quantiplan("solve", model, "--tau", "0.5", "--policy-out", "p.json", code=0)
    [line] = quantiplan.fails("evaluate", model, "--policy", "p.json", "--at-least", "hihg")
    assert line.startswith("quantiplan: --at-least: found 'hihg', expected ") and "'high'" in line


def test_a_policy_of_another_structure(quantiplan):
    ladder = quantiplan.write("ladder.json", preference_text(LADDER, PUSHED, 2))
    quantiplan("solve", ladder, "--tau", "0.5", "--policy-out", "p.json", code=0)
    policy = json.loads((quantiplan.folder / "p.json").read_text(encoding="utf-8"))
    for wealth in [["hihg"], ["high", "high"]]:
        policy["rules"] = [{"time": 1, "state": "s", "choose": [{"wealth": wealth, "action": "rest"}, {"action": "push"}]}]
        quantiplan.write("p.json", json.dumps(policy))
        assert quantiplan("evaluate", ladder, "--policy", "p.json").returncode == 2


HEAD = '{"format": "quantiplan-model/1", "horizon": 1, "initial": "s",\n "wealth": '
LIGHT = '{"kind": "automaton", "states": ["on", "off"], "start": "on",\n  "transitions": '
FLIP = '{"from": "on", "label": "flip", "to": "off"}'
STAY = '{"from": "off", "label": "*", "to": "off"}'


def model(wealth, outcome):
    return f'{HEAD}{wealth},\n "choices": [\n  {{"state": "s", "action": "go", {outcome}}}]}}\n'


MISTAKES = {
    "unknown label": (
        model('{"kind": "counts", "labels": ["bad", "good"]}', '"reward": "god", "next": {"e": 1}'),
        "4: state 's', choice 'go': reward: unknown label 'god', must be one of the labels of the wealth 'counts'; did you mean 'good'?",
    ),
    "unknown label of an outcome": (
        model('{"kind": "counts", "labels": ["bad", "good"]}', '"next": [{"to": "e", "probability": 1, "reward": "god"}]'),
        "4: state 's', choice 'go': reward: unknown label 'god', must be one of the labels of the wealth 'counts'; did you mean 'good'?",
    ),
    "a number for a label": (
        model('{"kind": "counts", "labels": ["bad", "good"]}', '"reward": 1, "next": {"e": 1}'),
        "4: state 's', choice 'go': reward: found a number, expected a string, a label of the wealth 'counts'",
    ),
    "vector too long": (
        model('{"kind": "lexicographic", "components": 2}', '"reward": [1, 2, 3], "next": {"e": 1}'),
        "4: state 's', choice 'go': reward: found a list of 3, must be a list of 2 numbers for the wealth 'lexicographic'",
    ),
    "no vector": (
        model('{"kind": "lexicographic", "components": 2}', '"reward": 1, "next": {"e": 1}'),
        "4: state 's', choice 'go': reward: found a number, expected a list of 2 numbers for the wealth 'lexicographic'",
    ),
    "missing reward": (
        model('"max"', '"next": {"e": 1}'),
        "4: state 's', choice 'go': next state 'e': missing reward, must have one for the wealth 'max'",
    ),
    "two rewards": (
        model('"min"', '"reward": 1, "next": [{"to": "e", "probability": 1, "reward": 2}]'),
        "4: state 's', choice 'go': next state 'e': both the choice and the outcome have a 'reward', must be one of them for the wealth 'min'",
    ),
    "product with 0": (
        model('"product"', '"reward": 0, "next": {"e": 1}'),
        "4: state 's', choice 'go': next state 'e': reward is 0, must be above 0 in a product",
    ),
    "missing transition": (
        model(f'{LIGHT}[{FLIP}],\n  "classes": ["off", "on"]}}', '"reward": "flip", "next": {"e": 1}'),
        "2: wealth: state 'off', label 'flip': missing transition, must lead to a state",
    ),
    "missing entry": (
        model('{"kind": "table", "classes": ["low", "high"], "start": "low", "table": {"low": {"up": "high"}}}',
              '"reward": "up", "next": {"e": 1}'),
        "2: wealth: class 'high', label 'up': missing entry, must lead to a class",
    ),
    "two classes with one state": (
        model(f'{LIGHT}[{FLIP}, {STAY}],\n  "classes": [["off"], {{"name": "light", "states": ["on", "off"]}}]}}',
              '"reward": "flip", "next": {"e": 1}'),
        "4: wealth: class 'light': state 'off' is in a class already",
    ),
    "a state without a class": (
        model(f'{LIGHT}[{FLIP}, {STAY}],\n  "classes": ["off"]}}', '"reward": "flip", "next": {"e": 1}'),
        "2: wealth: state 'on' is in no class, must be in one",
    ),
    "unknown kind": (
        model('{"kind": "tabel"}', '"reward": "up", "next": {"e": 1}'),
        "2: wealth: found 'tabel', must be one of 'sum', 'max', 'min', 'product', 'lexicographic', 'counts', "
        "'weighted counts', 'automaton', 'table'; did you mean 'table'?",
    ),
    "key of another kind": (
        model('{"kind": "max", "labels": ["up"]}', '"reward": 1, "next": {"e": 1}'),
        "2: wealth: key 'labels' is given for the kind 'max', must be left out",
    ),
    "missing key": (
        model('{"kind": "counts"}', '"next": {"e": 1}'),
        "2: wealth: missing key 'labels' of the kind 'counts'",
    ),
}


@pytest.mark.parametrize("text, message", MISTAKES.values(), ids=MISTAKES)
def test_mistakes_name_their_place(quantiplan, text, message):
    line_of_choice = text.count("\n", 0, text.index('"action"')) + 1
    message = message.replace("4: state", f"{line_of_choice}: state", 1)
    assert quantiplan.fails("solve", quantiplan.write("model.json", text), "--tau", "0.1") == [f"model.json:{message}"]
