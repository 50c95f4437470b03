"""Models in the PRISM language: what is read, what is answered, what is refused and where.

The models and their expected values stand in tests/prism; so does a second reader of the language, against which the
program is held on random texts. QUANTIPLAN_PRISM_SEEDS says how many of these (60, unless it does).
"""

import json
import os
import sys
from collections import Counter
from fractions import Fraction

import pytest

from conftest import PROGRAM, SOURCE

sys.path.insert(0, str(SOURCE / "tests" / "prism"))

import compare  # noqa: E402: no package, but a folder beside this one
import expected  # noqa: E402
import oracle  # noqa: E402
import random_programs  # noqa: E402

MODELS = expected.MODELS
CASES = [
    pytest.param(path, case, id=f"{path.stem} {case.get('constants', '')}".strip())
    for path in expected.programs()
    for case in json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["cases"]
]


def constants(case):
    return ["--const", case["constants"]] if case.get("constants") else []


def setting(question):
    args = [] if "goal" not in question else ["--goal", question["goal"]]
    args += ["--reward", question["reward"]] if "reward" in question else []
    args += ["--horizon", question["horizon"]] if "horizon" in question else []
    return args + ["--cost"] * question.get("cost", False) + ["--adversarial"] * question.get("adversarial", False)


def solve(quantiplan, *args):
    return quantiplan.json("solve", *args)["results"]


def level(value):
    return value if value in ("miss", "inf", "-inf") else Fraction(str(value))


# The models.


@pytest.mark.parametrize("path, case", CASES)
def test_the_model_is_the_expected_one(quantiplan, path, case):
    info = quantiplan.json("info", path, *constants(case))["model"]
    assert {"states": info["states"], "choices": info["choices"], "transitions": info["outcomes"]} == case["counts"]
    assert info["horizon"] == "infinite"
    text = path.read_text(encoding="utf-8")
    written = quantiplan("convert", path, "-", "--to", "json", "-q", *constants(case), code=0).stdout
    assert compare.differences(written, expected.explored(path, case), text.count("\nmodule ")) == []


@pytest.mark.parametrize("path, case", CASES)
def test_chances_of_reaching_a_goal(quantiplan, path, case):
    for question in case.get("chances", []):
        for which, more in [("greatest", []), ("least", ["--adversarial"])]:
            args = ["--goal", question["goal"], "--target", "-inf", "--exact", *constants(case), *more]
            [result] = quantiplan.json("threshold", path, *args)["results"]
            assert Fraction(result["probability_exact"]) == Fraction(question[which]), (question, which)


@pytest.mark.parametrize("path, case", CASES)
def test_quantiles(quantiplan, path, case):
    for question in case.get("quantiles", []):
        args = ["--tau", question["tau"], "--side", question.get("side", "lower"), "--exact", "--check"]
        [result] = solve(quantiplan, path, *args, *setting(question), *constants(case))
        assert level(result["quantile"]) == level(question["quantile"]), question
        if question["probability"] is not None:
            assert Fraction(result["probability_exact"]) == Fraction(question["probability"]), question


@pytest.mark.parametrize("path", [p for p in expected.programs() if p.stem != "consensus"], ids=lambda p: p.stem)
def test_the_expected_values_are_the_oracles(path):
    assert expected.differences(path) == []


def test_operators_by_value():
    """The oracle's values are those of the comments; that it is the program's model, too, is tested above."""
    path = MODELS / "features" / "operators.prism"
    rows = [line for line in path.read_text(encoding="utf-8").splitlines() if "(v'=" in line]
    wanted = [int(row.split("//")[1].split(":")[0]) for row in rows]
    model = oracle.explore(path.read_text(encoding="utf-8"))
    assert [model.valuations[s]["v"] for s in model.states[1:]] == wanted


@pytest.mark.parametrize("seed", range(int(os.environ.get("QUANTIPLAN_PRISM_SEEDS", "60"))))
def test_random_programs_agree_with_the_oracle(seed, tmp_path):
    random_programs.check_seed(PROGRAM, seed, tmp_path)


# Options.

DIE = MODELS / "die.prism"
GATHERING = MODELS / "gathering.prism"


def test_a_goal_is_a_label_states_or_a_condition(quantiplan):
    for goal in [
        "six", '"six"', "face=6", "(node=7,face=6)", 'face>5 & "thrown"', "node=7 & !(face<6)", '"thrown"&face=2*3',
    ]:
        [result] = quantiplan.json("threshold", DIE, "--goal", goal, "--target", "-inf", "--exact")["results"]
        assert result["probability_exact"] == "1/6", goal
    for goal in ["(node=7,face=6),(node=7,face=1)", "face=1 | face=6"]:
        [result] = quantiplan.json("threshold", DIE, "--goal", goal, "--target", "-inf")["results"]
        assert result["probability_exact"] == "1/3", goal
    two = ["threshold", MODELS / "two_dice.prism", "--target", "-inf", "--exact"]
    # Formulas are known to conditions, too; constants likewise.
    assert quantiplan.json(*two, "--goal", "thrown,seven")["results"][0]["probability_exact"] == "1"
    assert quantiplan.json(*two, "--goal", '"thrown" & total=12')["results"][0]["probability_exact"] == "1/36"
    conditions = ["x=width-1 & y=height-1 & gold & at_gem", "x=2&y=2&gold"]
    with_names, with_numbers = (quantiplan.json("info", GATHERING, "--goal", goal)["model"] for goal in conditions)
    assert with_names["goal_states"] == with_numbers["goal_states"] > 0


def test_a_goal_that_is_none(quantiplan):
    for goal, words in [
        ("nine", "nine"), ("face=9", "face=9"), ("face=", "column 6"), ("face+1", "condition"), ("face=true", "="),
        ("foo=1", "foo"), ('"nine"', "nine"), ("face=1/0", "zero"), ("(", "column 2"), ("face==1", "column"),
    ]:
        [line] = quantiplan.fails("info", DIE, "--goal", goal, "-q")
        assert line.startswith("quantiplan: --goal: ") and words in line, (goal, line)


def test_constants_are_given(quantiplan):
    model = MODELS / "features" / "constants.prism"
    for given in [["tries=2,p=1/3"], ["tries=2", "p=1/3"], ["p=2/6, tries=1+1"]]:
        args = ["--goal", "won", "--target", "-inf", *(x for text in given for x in ("--const", text))]
        [result] = quantiplan.json("threshold", model, *args)["results"]
        assert result["probability_exact"] == "11/36", given
    [line] = quantiplan.fails("info", model)
    assert line.startswith(f"{model}:6:11: ") and "tries" in line and "--const" in line
    for given, words in [
        ("tries=2,p=1,q=3", "'q'"), ("tries=2,tries=3,p=1", "twice"), ("tries=2,p=1,two=2", "'two'"),
        ("tries=1/2,p=1", "int"), ("tries=true,p=1", "int"), ("tries,p=1", "NAME=VALUE"),
        ("tries=2+,p=1", "--const"), ("tries=2,p=x", "x"),
    ]:
        lines = quantiplan.fails("info", model, "--const", given)
        assert lines[0].startswith("quantiplan: --const: ") and words in lines[0], (given, lines)
    [line] = quantiplan.fails("info", "commute.json", "--const", "N=1")
    assert line.startswith("quantiplan: --const: ")


def test_reward_structures_by_name_and_number(quantiplan):
    model = MODELS / "features" / "rewarded.prism"
    args = ["--goal", "end", "--tau", "0.5", "--side", "upper", "--cost"]
    by_default = quantiplan("solve", model, *args, "--json", code=0)
    assert "'choices', 'outcomes'" in by_default.stderr and "--reward" in by_default.stderr
    assert json.loads(by_default.stdout)["results"][0]["quantile"] == 1.5
    # (s=0) -a-> (s=2) costs 1, then b 1; b costs nothing by itself, so going by b is cheaper still.
    for name, wanted in [("1", 1.5), ("choices", 1), ("2", 1), ("outcomes", 4), ("3", 4)]:
        assert solve(quantiplan, model, *args, "--reward", name)[0]["quantile"] == wanted, name
    for name in ["0", "4", "choice", ""]:
        [line] = quantiplan.fails("info", model, "--reward", name, "-q")
        assert line.startswith("quantiplan: --reward: ") and "outcomes" in line, line
    [line] = quantiplan.fails("info", "commute.json", "--reward", "r")
    assert line.startswith("quantiplan: --reward: ")


def test_a_reward_that_grows_without_bound(quantiplan):
    """Being robbed again and again before the treasure is brought home: a supremum that no policy attains."""
    args = ["solve", GATHERING, "--goal", "rich", "--reward", "robberies", "--tau", "0.9"]
    [result] = quantiplan.json(*args)["results"]
    assert (result["quantile"], result["attained"]) == ("inf", False)


def test_notices(quantiplan):
    lines = quantiplan("info", MODELS / "features" / "deadlocked.prism", code=0).stderr.splitlines()
    assert len(lines) == 1 and "2 states are deadlocks" in lines[0] and "(s=1)" in lines[0]
    assert quantiplan("info", MODELS / "features" / "deadlocked.prism", "-q", code=0).stderr == ""
    lines = quantiplan("info", MODELS / "features" / "no_rewards.prism", code=0).stderr.splitlines()
    assert [("no reward structure" in x, "1 state is a deadlock" in x) for x in lines] == [(True, False), (False, True)]
    lines = quantiplan("info", MODELS / "features" / "uniform.prism", code=0).stderr.splitlines()
    assert any("2 states of the dtmc" in line and "same probability" in line for line in lines)
    assert quantiplan("info", MODELS / "two_dice.prism", code=0).stderr.count("\n") == 1


def test_built_in_labels(quantiplan):
    model = MODELS / "features" / "deadlocked.prism"
    assert quantiplan.json("info", model, "--goal", '"deadlock"')["model"]["goal_states"] == 2
    assert quantiplan.json("info", model, "--goal", '"deadlock" & s=3')["model"]["goal_states"] == 1
    assert quantiplan.json("info", model, "--goal", '!"init"')["model"]["goal_states"] == 3


def test_the_format_is_known_by_ending_or_content(quantiplan):
    text = DIE.read_text(encoding="utf-8")
    for name in ["m.prism", "m.nm", "m.pm", "m.mdp", "m.dtmc", "m.txt", "m"]:
        assert quantiplan.json("info", quantiplan.write(name, text))["model"]["states"] == 13, name
    assert quantiplan.json("info", "-", stdin=text)["model"]["states"] == 13
    windows = quantiplan.write("w.prism", text.replace("\n", "\r\n"))
    assert quantiplan.json("info", windows)["model"]["states"] == 13
    assert quantiplan.json("info", quantiplan.write("b.prism", "\ufeff" + text))["model"]["states"] == 13


# Policies.


def test_a_policy_names_states_by_their_variables_and_choices_by_their_actions(quantiplan):
    args = ["--goal", "rich", "--tau", "0.05", "--cost", "--policy-out", "p.json"]
    [result] = solve(quantiplan, GATHERING, *args)
    assert (result["quantile"], result["probability_exact"]) == (13, "0.9639")
    policy = json.loads((quantiplan.folder / "p.json").read_text())
    assert policy["initial"] == "(x=0,y=0,gold=false,gem=false,rich=false,stopped=false)"
    assert policy["goal"] == ["(x=0,y=0,gold=false,gem=false,rich=true,stopped=false)"]
    rules = {rule["state"]: rule["choose"] for rule in policy["rules"]}
    [arrive] = rules["(x=2,y=1,gold=true,gem=false,rich=false,stopped=true)"]
    assert arrive == {"action": "arrive"}
    assert {c["action"] for c in rules[policy["initial"]]} <= {"east", "north"}

    checked = quantiplan.json("check", GATHERING, "p.json")
    assert checked["passed"] is True
    evaluation = quantiplan.json("evaluate", GATHERING, "--policy", "p.json", "--at-least", "8,13", "--exact")
    assert [a["probability_exact"] for a in evaluation["at_least"]][1] == "0.9639"
    simulation = quantiplan.json("simulate", GATHERING, "--policy", "p.json", "--episodes", "2000", "--seed", "5")
    within = sum(t["count"] for t in simulation["totals"] if t["wealth"] != "miss" and t["wealth"] <= 13)
    assert abs(within / 2000 - 0.9639) < 0.02
    # Of another reward structure it is no policy that keeps its claim.
    quantiplan("check", GATHERING, "p.json", "--reward", "treasure", code=4)


def test_choices_without_an_action_are_named_by_their_module(quantiplan):
    pair = ["solve", MODELS / "consensus_pair.prism", "--const", "K=1", "--goal", "decided", "--tau", "0.5", "--cost"]
    quantiplan(*pair, "--policy-out", "p.json", code=0)
    policy = json.loads((quantiplan.folder / "p.json").read_text())
    assert {c["action"] for rule in policy["rules"] for c in rule["choose"]} == {"[] p1", "[] p2"}
    quantiplan("check", MODELS / "consensus_pair.prism", "p.json", "--const", "K=1", code=0)
    text = (
        "mdp\nmodule m\n x : [0..2];\n [] x<2 -> (x'=x+1);\n [] x=0 -> (x'=2);\n"
        " [a] x=0 -> true;\n [a] x=0 -> (x'=1);\nendmodule\n"
    )
    model = json.loads(quantiplan("convert", "-", "-", "--to", "json", "-q", stdin=text, code=0).stdout)
    assert [(c["state"], c["action"]) for c in model["choices"]] == [
        ("(x=0)", "[]"), ("(x=0)", "[]#2"), ("(x=0)", "a"), ("(x=0)", "a#2"), ("(x=1)", "[]"),
    ]


def test_an_adversary_and_a_horizon(quantiplan):
    model = MODELS / "backoff.prism"
    args = [model, "--const", "most=2", "--goal", "sent", "--cost", "--tau", "0.1"]
    best, worst = (solve(quantiplan, *args, *more)[0]["quantile"] for more in ([], ["--adversarial"]))
    assert best < worst
    [result] = solve(quantiplan, *args, "--horizon", best)
    assert result["quantile"] == best
    assert solve(quantiplan, *args, "--horizon", best - 1)[0]["quantile"] == "miss"


# Conversions.


@pytest.mark.parametrize("ending", ["json", "csv", "prism", "tra", "drn"])
@pytest.mark.parametrize("stem, goal, more", [
    ("die", "thrown", ["--tau", "0.25,0.01", "--side", "both", "--cost"]),
    ("two_dice", "thrown", ["--tau", "0.1,0.4", "--cost"]),
    ("gathering", "rich", ["--tau", "0.2,0.05", "--side", "both", "--cost"]),
    ("features/synchronised", "top", ["--tau", "0.9", "--cost"]),
    ("features/deadlocked", "open", ["--tau", "0.1", "--cost"]),
    ("features/globals", "rich", ["--tau", "0.5", "--cost", "--adversarial"]),
    ("features/initial", "top", ["--tau", "0.5"]),
])
def test_other_formats_give_the_same_answers(quantiplan, stem, goal, more, ending):
    path = MODELS / f"{stem}.prism"
    out = f"m.{ending}"
    notices = quantiplan("convert", path, out, code=0).stderr
    wanted = solve(quantiplan, path, "--goal", goal, *more)
    again = [out, *more]
    if ending == "csv":
        assert "labels" in notices and "initial state" in notices
        model = json.loads(quantiplan("convert", path, "-", "--to", "json", "-q", code=0).stdout)
        again += ["--initial", model["initial"], "--horizon", "infinite", "--goal", ",".join(model["labels"][goal])]
    else:
        again += ["--goal", goal]
    got = solve(quantiplan, *again)
    keys = ["quantile", "probability_exact", "certificate", "side", "tau"]
    assert [[r[k] for k in keys] for r in got] == [[r[k] for k in keys] for r in wanted]
    # Names survive, so a policy of the one is one of the other; but files of words have none for "[] bert".
    if "names of choices" in notices:
        return
    quantiplan("solve", path, "--goal", goal, *more[:1], more[1].split(",")[0],
               *[a for a in more[2:] if a not in ("--side", "both")], "--policy-out", "p.json", code=0)
    quantiplan("check", out, "p.json", code=0)


def words_only(choices):
    """As files hold them whose names are single words: "[] p1" is "[]"."""
    return {state: Counter((action.split(" ")[0], outcomes) for action, outcomes in rows.elements())
            for state, rows in choices.items()}


@pytest.mark.parametrize("ending", ["json", "prism", "tra", "drn"])
def test_there_and_back_again(quantiplan, ending):
    """PRISM -> X -> JSON is PRISM -> JSON, for each model whose names and rewards X can hold."""
    for path in expected.programs():
        case = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["cases"][0]
        if ending != "json" and path.stem == "rewarded":
            continue  # below
        done = quantiplan("convert", path, f"m.{ending}", *constants(case), "-q")
        if path.stem == "uniform" and ending == "drn":
            assert done.returncode == 2  # two rewards of one choice
            continue
        assert done.returncode == 0, (path, done.stderr)
        direct = quantiplan("convert", path, "-", "--to", "json", "-q", *constants(case), code=0).stdout
        again = quantiplan("convert", f"m.{ending}", "-", "--to", "json", "-q", code=0).stdout
        one, two = compare.from_json(direct), compare.from_json(again)
        assert one[0] == two[0]
        assert words_only(one[1]) == words_only(two[1]) if ending != "json" else one[1] == two[1], path
        labels = {name: states for name, states in two[2].items() if name not in ("init", "deadlock")}
        assert {n: s for n, s in one[2].items() if s} == {n: s for n, s in labels.items() if s}, path


def test_what_a_format_cannot_hold(quantiplan):
    model = MODELS / "features" / "rewarded.prism"
    args = ["--reward", "outcomes", "-q"]
    quantiplan("convert", model, "m.tra", *args, code=0)
    quantiplan("convert", model, "m.json", *args, code=0)
    quantiplan("convert", model, "m.prism", *args, code=0)
    for file in ["m.tra", "m.json", "m.prism"]:
        results = solve(quantiplan, file, "--goal", "end", "--tau", "0.5", "--side", "both", "--cost")
        assert [r["quantile"] for r in results] == [9, 4]
    [line] = quantiplan.fails("convert", model, "m.drn", *args)
    assert "'(s=0)', choice 'a'" in line and ".drn" in line
    assert not (quantiplan.folder / "m.drn").exists()


def test_synchronised_probabilities_multiply_exactly(quantiplan):
    text = (
        "mdp\nmodule a x : [0..1]; [t] true -> 1/3 : (x'=1) + 2/3 : true; endmodule\n"
        "module b = a [x=y] endmodule\nmodule c = a [x=z] endmodule\n"
        'label "all" = x+y+z=3;\nlabel "none" = x+y+z=0;\n'
    )
    model = json.loads(quantiplan("convert", "-", "-", "--to", "json", "-q", stdin=text, code=0).stdout)
    first = next(c for c in model["choices"] if c["state"] == "(x=0,y=0,z=0)")
    assert (first["action"], len(first["next"])) == ("t", 8)
    assert first["next"]["(x=1,y=1,z=1)"] == "1/27" and first["next"]["(x=0,y=0,z=0)"] == "8/27"


def test_examples(quantiplan):
    """What examples/*.prism say of themselves."""
    dice, gathering = SOURCE / "examples" / "dice.prism", SOURCE / "examples" / "gathering.prism"
    assert quantiplan.json("info", dice)["model"]["states"] == 169
    seven = ["--goal", '"thrown" & total=7', "--target", "-inf", "--exact"]
    [result] = quantiplan.json("threshold", dice, *seven)["results"]
    assert result["probability_exact"] == "1/6"
    [result] = solve(quantiplan, dice, "--goal", "thrown", "--cost", "--tau", "0.1")
    assert (result["quantile"], Fraction(result["probability_exact"])) == (10, Fraction(243, 256))
    args = [gathering, "--const", "danger=0.1"]
    results = solve(quantiplan, *args, "--goal", "rich", "--cost", "--tau", "0.2,0.1,0.05")
    assert [(r["quantile"], r["probability_exact"]) for r in results] == [(8, "0.81"), (13, "0.9639"), (13, "0.9639")]
    [result] = solve(quantiplan, *args, "--reward", "treasure", "--horizon", "24", "--tau", "0.2")
    assert (result["quantile"], result["probability_exact"]) == (7, "0.81")
