"""PRISM's explicit files (.tra with .lab, .srew, .trew, .sta) and Storm's DRN, read and written."""

import json
from fractions import Fraction

import pytest

from conftest import SOURCE, model_text

# A coin is thrown once by c; b shakes it, which may lead back to the start. State rewards are 1 and 1/2.
TRA = """4 5 7
0 0 1 1 a
1 0 2 0.5 c
1 0 3 0.5 c
1 1 0 0.7 b
1 1 1 0.3 b
2 0 2 1 a
3 0 3 1 a
"""
LAB = '0="init" 1="deadlock" 2="heads" 3="tails" 4="end"\n0: 0\n2: 2 4\n3: 3 4\n'
SREW = "4 2\n0 1\n1 0.5\n"
TREW = "4 5 4\n1 0 2 6\n1 0 3 6\n1 1 0 5\n1 1 1 5\n"
STA = "(s,b)\n0:(0,false)\n1:(1,false)\n2:(2,true)\n3:(3,true)\n"

DRN = """// two ways to a goal
@type: MDP
@value_type: double
@parameters

@reward_models
cost utility
@nr_states
3
@nr_choices
4
@model
state 0 [1, 0] init
\taction a [1, 0]
\t\t1 : 0.5
\t\t2 : 0.5
\taction b [2, 5]
\t\t2 : 1
state 1 [0, 0] goal
\taction 0 [0, 0]
\t\t1 : 1
state 2 [1, 0] "other label" goal
\taction __NOLABEL__ [0, 0]
\t\t2 : 1
"""


def write(quantiplan, name="m", tra=TRA, **more):
    """A .tra and the files beside it."""
    for ending, text in more.items():
        quantiplan.write(f"{name}.{ending}", text)
    return quantiplan.write(f"{name}.tra", tra)


def whole(quantiplan, **changed):
    return write(quantiplan, **{"lab": LAB, "srew": SREW, "trew": TREW, "sta": STA, **changed})


def solve(quantiplan, *args):
    return quantiplan.json("solve", *args)["results"]


def as_json(quantiplan, *args):
    return json.loads(quantiplan("convert", *args, "-", "--to", "json", "-q", code=0).stdout)


def exact(value):
    return Fraction(str(value))


def rows(model):
    """{(state, action): {(next, probability, reward)}}"""
    found = {}
    for choice in model["choices"]:
        after = choice["next"]
        if isinstance(after, dict):
            after = [{"to": to, "probability": p} for to, p in after.items()]
        found[choice["state"], choice["action"]] = {
            (o["to"], exact(o["probability"]), exact(o.get("reward", 0)) + exact(choice.get("reward", 0)))
            for o in after
        }
    return found


# Reading.


def test_the_files_of_a_model_are_read_together(quantiplan):
    model = as_json(quantiplan, whole(quantiplan))
    assert (model["initial"], model["horizon"]) == ("(s=0,b=false)", "infinite")
    assert model["states"] == ["(s=0,b=false)", "(s=1,b=false)", "(s=2,b=true)", "(s=3,b=true)"]
    assert model["labels"] == {
        "heads": ["(s=2,b=true)"], "tails": ["(s=3,b=true)"], "end": ["(s=2,b=true)", "(s=3,b=true)"],
    }
    half, one = Fraction(1, 2), Fraction(1)
    assert rows(model) == {
        ("(s=0,b=false)", "a"): {("(s=1,b=false)", one, one)},
        ("(s=1,b=false)", "c"): {("(s=2,b=true)", half, Fraction(13, 2)), ("(s=3,b=true)", half, Fraction(13, 2))},
        ("(s=1,b=false)", "b"): {("(s=0,b=false)", Fraction(7, 10), Fraction(11, 2)),
                                 ("(s=1,b=false)", Fraction(3, 10), Fraction(11, 2))},
        ("(s=2,b=true)", "a"): {("(s=2,b=true)", one, Fraction(0))},
        ("(s=3,b=true)", "a"): {("(s=3,b=true)", one, Fraction(0))},
    }


def test_answers(quantiplan):
    model = whole(quantiplan)
    # Straight to the coin: 1 + 1/2 + 6; heads with probability 1/2, and no second throw.
    lower, upper = solve(quantiplan, model, "--goal", "heads", "--cost", "--tau", "0.5", "--side", "both")
    assert (lower["quantile"], upper["quantile"], upper["probability"]) == ("miss", 7.5, 0.5)
    assert solve(quantiplan, model, "--goal", "end", "--cost", "--tau", "0.1")[0]["quantile"] == 7.5
    assert solve(quantiplan, model, "--goal", "s>1 & b", "--cost", "--tau", "0.1")[0]["quantile"] == 7.5
    assert solve(quantiplan, model, "--goal", "end", "--tau", "0.1")[0]["quantile"] == "inf"
    assert solve(quantiplan, model, "--goal", "end", "--cost", "--tau", "0.1", "--adversarial")[0]["quantile"] == "miss"
    # Three steps: a, then b and a c from there if it stays (1 + 5.5 + 6.5), with probability 3/10.
    [result] = solve(quantiplan, model, "--goal", "end", "--tau", "0.8", "--horizon", "3")
    assert (result["quantile"], result["probability"]) == (13, 0.3)


def test_a_tra_may_stand_alone(quantiplan):
    done = quantiplan("info", write(quantiplan), "--json", code=0)
    info = json.loads(done.stdout)["model"]
    assert (info["states"], info["choices"], info["initial"]) == (4, 5, "0")
    assert "every reward is 0" in done.stderr and "state 0" in done.stderr
    assert solve(quantiplan, "m.tra", "--goal", "2", "--tau", "0.5", "--side", "upper")[0]["quantile"] == 0


def test_a_chain(quantiplan):
    tra = write(quantiplan, tra="3 4\n0 1 1/3\n0 2 2/3\n1 1 1\n2 2 1\n", trew="3 1\n0 1 4\n", srew="3 1\n0 1\n",
                lab='0="init" 1="deadlock" 2="end"\n0: 0\n1: 2\n2: 2\n')
    lower, upper = solve(quantiplan, tra, "--goal", "end", "--tau", "2/3", "--side", "both")
    # P(W >= 5) is 1/3, no more.
    assert (lower["quantile"], upper["quantile"], upper["probability_exact"]) == (1, 5, "1/3")


def test_comments_and_blanks(quantiplan):
    tra = "# Transitions (MDP)\n" + TRA.replace("1 0 2 0.5 c", "1  0\t2 0.5 c") + "\n"
    srew = '# Reward structure "time"\n# State rewards\n' + SREW
    assert as_json(quantiplan, whole(quantiplan, tra=tra, srew=srew)) == as_json(quantiplan, whole(quantiplan))
    texts = {"tra": TRA, "lab": LAB, "srew": SREW, "trew": TREW, "sta": STA}
    windows = {ending: text.replace("\n", "\r\n") for ending, text in texts.items()}
    assert as_json(quantiplan, write(quantiplan, "w", **windows)) == as_json(quantiplan, whole(quantiplan))


def test_storms_older_variant(quantiplan):
    tra = "mdp\n" + "".join(line.rsplit(" ", 1)[0] + "\n" for line in TRA.splitlines()[1:])
    lab = "#DECLARATION\ninit heads tails end\n#END\n0 init\n2 heads end\n3 tails end\n"
    model = as_json(quantiplan, write(quantiplan, tra=tra, lab=lab))
    assert model["labels"] == {"heads": ["2"], "tails": ["3"], "end": ["2", "3"]}
    assert [c["action"] for c in model["choices"]] == ["[]", "[]", "[]#2", "[]", "[]"]


def test_actions_that_come_twice_are_numbered(quantiplan):
    tra = whole(quantiplan, tra=TRA.replace(" b\n", " c\n"))
    assert [c["action"] for c in as_json(quantiplan, tra)["choices"]] == ["a", "c", "c#2", "a", "a"]
    quantiplan("convert", tra, "again.tra", "-q", code=0)
    assert (quantiplan.folder / "again.tra").read_text() == TRA.replace(" b\n", " c\n")


def test_deadlocks_become_terminal_states(quantiplan):
    lab = LAB.replace("2: 2 4", "2: 1 2 4").replace("3: 3 4", "3: 1 3 4")
    tra = whole(quantiplan, lab=lab, tra=TRA.replace("2 0 2 1 a", "2 0 2 1").replace("3 0 3 1 a", "3 0 3 1"))
    info = quantiplan.json("info", tra)
    assert (info["terminal_states"], info["model"]["choices"]) == (2, 3)
    # A state's reward is collected on leaving, so it never is. Without the label, a loop is a loop; with a reward of
    # its own, too.
    assert quantiplan.json("info", whole(quantiplan, lab=lab, srew="4 1\n2 1\n"))["terminal_states"] == 2
    assert quantiplan.json("info", whole(quantiplan))["terminal_states"] == 0
    assert quantiplan.json("info", whole(quantiplan, lab=lab, trew="4 5 1\n2 0 2 1\n"))["terminal_states"] == 1


def test_drn(quantiplan):
    file = quantiplan.write("m.drn", DRN)
    model = as_json(quantiplan, file, "--reward", "utility")
    assert model["labels"] == {"goal": ["1", "2"], "other label": ["2"]}
    assert rows(model)["0", "b"] == {("2", Fraction(1), Fraction(5))}
    assert [c["action"] for c in model["choices"]] == ["a", "b", "[]", "[]"]
    # The state's reward is collected on leaving, and the goal's own is not.
    assert solve(quantiplan, file, "--goal", '"other label"', "--tau", "0.1", "--cost")[0]["quantile"] == 3
    args = [file, "--goal", "goal", "--tau", "0.1"]
    assert solve(quantiplan, *args, "--cost")[0]["quantile"] == 2
    assert solve(quantiplan, *args, "--cost", "--reward", "2")[0]["quantile"] == 0
    assert solve(quantiplan, *args, "--reward", "utility")[0]["quantile"] == 5
    notice = quantiplan("info", file, code=0).stderr
    assert "'cost'" in notice and "'utility'" in notice and "--reward" in notice
    [line] = quantiplan.fails("info", file, "--reward", "time")
    assert line.startswith("quantiplan: --reward: ") and "utility" in line


def test_drn_of_a_chain_with_fractions_and_placeholders(quantiplan):
    text = (
        "@type: DTMC\n@value_type: rational\n@parameters\n\n@placeholders\n$third : 1/3\n@reward_models\n\n"
        "@nr_states\n2\n@model\nstate 0 init\n\taction 0\n\t\t0 : $third\n\t\t1 : 2/3\n"
        "state 1 deadlock\n\taction 0\n\t\t1 : 1\n"
    )
    model = as_json(quantiplan, quantiplan.write("m.drn", text))
    assert rows(model) == {("0", "[]"): {("0", Fraction(1, 3), Fraction(0)), ("1", Fraction(2, 3), Fraction(0))}}
    assert quantiplan.json("info", "m.drn")["terminal_states"] == 1


def test_the_initial_state_may_be_missing(quantiplan):
    file = whole(quantiplan, lab=LAB.replace("0: 0\n", ""))
    assert "no initial state" in quantiplan("info", file, code=0).stderr
    [line] = quantiplan.fails("solve", file, "--goal", "end", "--tau", "0.5", "-q")
    assert "no initial state" in line and "--initial" in line
    args = ["--initial", "(s=1,b=false)", "--goal", "end", "--cost", "--tau", "0.5"]
    assert solve(quantiplan, file, *args)[0]["quantile"] == 6.5


def test_rows_may_stand_in_any_order(quantiplan):
    wanted = quantiplan("convert", whole(quantiplan), "-", "--to", "json", "-q", code=0).stdout
    head, *rows = (quantiplan.folder / "m.tra").read_text(encoding="utf-8").splitlines()
    for shuffled in [rows[::-1], sorted(rows, key=lambda row: row.split()[2])]:
        quantiplan.write("m.tra", "\n".join([head, *shuffled]) + "\n")
        found = json.loads(quantiplan("convert", "m.tra", "-", "--to", "json", "-q", code=0).stdout)
        assert canonical(found) == canonical(json.loads(wanted))


def canonical(model):
    return sorted((c["state"], c["action"], str(c.get("reward")), sorted(map(str, (
        c["next"].items() if isinstance(c["next"], dict) else c["next"])))) for c in model["choices"])  # fmt: skip


def test_the_format_is_known_by_its_content(quantiplan):
    assert quantiplan.json("info", "-", stdin=DRN)["model"]["states"] == 3
    assert quantiplan.json("info", quantiplan.write("drn.txt", DRN))["model"]["states"] == 3


# Writing.


def test_tra_and_back(quantiplan):
    before = as_json(quantiplan, whole(quantiplan))
    quantiplan("convert", "m.tra", "again.tra", "-q", code=0)
    assert as_json(quantiplan, "again.tra") == before
    for ending in ["tra", "lab", "sta"]:
        assert (quantiplan.folder / f"again.{ending}").read_text() == (quantiplan.folder / f"m.{ending}").read_text()
    quantiplan("convert", "m.tra", "m.drn", "-q", code=0)
    assert as_json(quantiplan, "m.drn") == before
    quantiplan("convert", "m.drn", "m.json", "-q", code=0)
    quantiplan("convert", "m.json", "third.tra", "-q", code=0)
    assert as_json(quantiplan, "third.tra") == before


def test_drn_and_back(quantiplan):
    file = quantiplan.write("m.drn", DRN)
    before = as_json(quantiplan, file)
    for between in ["again.drn", "again.json"]:
        quantiplan("convert", file, between, "-q", code=0)
        assert as_json(quantiplan, between) == before
    # "other label" is no word for PRISM, and still survives our own .lab.
    quantiplan("convert", quantiplan.write("n.drn", DRN.replace("other label", "other")), "again.tra", "-q", code=0)
    again = as_json(quantiplan, "again.tra")
    assert rows(again) == rows(before) and again["labels"] == {"goal": ["1", "2"], "other": ["2"]}


def test_a_model_of_our_own(quantiplan):
    """The trip of the documentation: names, horizon, goal and cost are lost or become labels, and it is said."""
    text = model_text(
        {"road": {"try": [("home", "1/3", 1), ("road", "2/3", 1)], "wait": [("road", 1, 0)]}},
        name="trip", horizon="infinite", goal=["home"], rewards="cost",
    )
    quantiplan.write("trip.json", text)
    for ending in ["tra", "drn"]:
        notices = quantiplan("convert", "trip.json", f"trip.{ending}", code=0).stderr
        assert "name" in notices and f"trip.{ending}" in notices
        [wanted] = solve(quantiplan, "trip.json", "--tau", "0.1")
        [got] = solve(quantiplan, f"trip.{ending}", "--tau", "0.1", "--goal", "goal", "--cost")
        assert (got["quantile"], got["probability_exact"]) == (wanted["quantile"], wanted["probability_exact"])
    assert (quantiplan.folder / "trip.tra").read_text().splitlines()[0] == "2 3 4"
    assert " 1/3 try" in (quantiplan.folder / "trip.tra").read_text()
    # The terminal state is a loop with the label "deadlock", as the model checkers have it.
    assert '1="deadlock"' in (quantiplan.folder / "trip.lab").read_text()
    assert quantiplan.json("info", "trip.tra")["terminal_states"] == 1
    assert quantiplan.json("info", "trip.drn")["terminal_states"] == 1


def test_what_cannot_be_held_is_refused_and_nothing_is_written(quantiplan):
    model = quantiplan.write("m.json", model_text(
        {"s": {"a": [("t", "1/2", 1), ("t", "1/2", 2)], "b": [("s", "1/2", 1), ("t", "1/2", 2)]}}, horizon="infinite"))
    for out, words in [("x.tra", "'a'"), ("x.drn", "'a'")]:
        [line] = quantiplan.fails("convert", model, out, "-q")
        assert "'s'" in line and words in line, line
    # Another reward for another next state: .tra holds it, .drn does not.
    other = quantiplan.write("o.json", model_text({"s": {"b": [("s", "1/2", 1), ("t", "1/2", 2)]}}, horizon="infinite"))
    quantiplan("convert", other, "o.tra", "-q", code=0)
    assert (quantiplan.folder / "o.trew").read_text() == "2 2 2\n0 0 0 1\n0 0 1 2\n"
    quantiplan.fails("convert", other, "x.drn", "-q")
    assert list(quantiplan.folder.glob("x.*")) == []
    wealth = SOURCE / "examples" / "treatment.json"
    assert "wealth" in quantiplan("convert", wealth, "w.tra").stderr


def test_standard_output(quantiplan):
    text = quantiplan("convert", whole(quantiplan), "-", "--to", "drn", "-q", code=0).stdout
    assert text.startswith("@type: MDP\n")
    assert quantiplan.json("info", "-", stdin=text)["model"]["states"] == 4
    [line] = quantiplan.fails("convert", "m.tra", "-", "--to", "tra", "-q")  # several files
    assert "tra" in line


@pytest.mark.parametrize("name", ["commute", "datacenter", "machine", "service", "upload"])
def test_our_examples_survive_all_formats(quantiplan, name):
    source = SOURCE / "examples" / f"{name}.json"
    model = quantiplan.json("info", source)["model"]
    done = quantiplan("convert", source, "m.tra", "-q")
    if done.returncode == 2:
        assert "reward" in done.stderr  # two for one next state
        return
    quantiplan("convert", "m.tra", "m.json", "-q", code=0)
    again = quantiplan.json("info", "m.json")["model"]
    assert [again[k] for k in ("states", "choices")] == [model[k] for k in ("states", "choices")]


# What is wrong, and where.

WRONG_FILES = {
    # name: (file, old, new, place, words)
    "transitions": ("tra", "4 5 7", "4 5 8", "m.tra:1", ["8", "7"]),
    "choices": ("tra", "4 5 7", "4 6 7", "m.tra:1", ["6", "5"]),
    "states": ("tra", "4 5 7", "3 5 7", "m.tra:4", ["'3'"]),
    "a next state": ("tra", "0 0 1 1 a", "0 0 9 1 a", "m.tra:2", ["'9'"]),
    "a choice is missing": ("tra", "1 1 ", "1 2 ", "m.tra:5", ["choice 2", "choice 1"]),
    "a sum": ("tra", "0.7", "0.6", "m.tra:5", ["'b'", "0.9"]),
    "a negative probability": ("tra", "0.7", "-0.7", "m.tra:5", ["-0.7"]),
    "a word for a number": ("tra", "0.7", "x", "m.tra:5", ["'x'", "number"]),
    "infinity": ("tra", "0.7", "inf", "m.tra:5", ["'inf'"]),
    "too few fields": ("tra", "0 0 1 1 a", "0 0 1", "m.tra:2", ["3 fields"]),
    "too many fields": ("tra", "0 0 1 1 a", "0 0 1 1 a b", "m.tra:2", ["6 fields"]),
    "two actions of a choice": ("tra", "1 0 3 0.5 c", "1 0 3 0.5 d", "m.tra:4", ["'d'", "'c'"]),
    "a transition twice": ("tra", "1 0 3 0.5 c", "1 0 2 0.5 c", "m.tra:4", ["twice"]),
    "nothing": ("tra", TRA, "", "m.tra", ["empty"]),
    "no header": ("tra", "4 5 7\n", "", "m.tra:1", ["'0 0 1 1 a'"]),
    "a word for a header": ("tra", "4 5 7", "hello", "m.tra:1", ["'hello'"]),
    "a hostile header": ("tra", "4 5 7", "99999999999 5 7", "m.tra:1", ["99999999999"]),
    "a more hostile header": ("tra", "4 5 7", "9" * 50 + " 5 7", "m.tra:1", []),
    "observations": ("tra", "4 5 7", "4 5 7 2", "m.tra:1", []),
    "a label of a state beyond": ("lab", "3: 3 4", "9: 3 4", "m.lab:4", ["'9'"]),
    "a label beyond": ("lab", "3: 3 4", "3: 3 9", "m.lab:4", ["'9'"]),
    "a label twice": ("lab", "3: 3 4", "3: 3 3", "m.lab:4", ["twice"]),
    "no labels": ("lab", '0="init" 1="deadlock"', "hello", "m.lab:1", ["hello"]),
    "no colon": ("lab", "3: 3 4", "3 3 4", "m.lab:4", []),
    "a reward of a state beyond": ("srew", "1 0.5", "9 0.5", "m.srew:3", ["'9'"]),
    "other states": ("srew", "4 2", "5 2", "m.srew:1", ["4"]),
    "other rewards": ("srew", "4 2", "4 3", "m.srew:1", ["3", "2"]),
    "a word for a reward": ("srew", "0.5", "x", "m.srew:3", ["'x'"]),
    "a reward of no transition": ("trew", "1 0 2 6", "1 0 1 6", "m.trew:2", ["state 1", "choice 0"]),
    "a reward of no choice": ("trew", "1 0 2 6", "1 7 2 6", "m.trew:2", ["choice 7"]),
    "a state without values": ("sta", "3:(3,true)\n", "", "m.sta:4", ["state 3"]),
    "two states alike": ("sta", "3:(3,true)", "3:(2,true)", "m.sta:5", ["(s=2,b=true)"]),
    "too few values": ("sta", "3:(3,true)", "3:(3)", "m.sta:5", ["2 values"]),
}


@pytest.mark.parametrize("name", WRONG_FILES)
def test_what_is_wrong_with_the_files(quantiplan, name):
    ending, old, new, place, words = WRONG_FILES[name]
    text = {"tra": TRA, "lab": LAB, "srew": SREW, "trew": TREW, "sta": STA}[ending]
    assert old in text
    # The counts of the others hang on those of the .tra: it comes alone.
    write_files = write if ending == "tra" else whole
    lines = quantiplan.fails("info", write_files(quantiplan, **{ending: text.replace(old, new)}), "-q")
    assert lines[0].startswith(f"{place}: ") and all(word in lines[0] for word in words), lines


WRONG_DRN = {
    "a ctmc": ("MDP", "CTMC", "m.drn:2", ["CTMC", "not supported"]),
    "a pomdp": ("MDP", "POMDP", "m.drn:2", ["POMDP", "not supported"]),
    "a Markov automaton": ("MDP", "Markov Automaton", "m.drn:2", ["Markov Automaton", "not supported"]),
    "no type": ("@type: MDP\n", "", "m.drn:11", ["@type"]),
    "parameters": ("@parameters\n\n", "@parameters\np\n", "m.drn:5", ["'p'"]),
    "intervals": ("double", "double-interval", "m.drn:3", ["double-interval"]),
    "a state is missing": ("state 1 ", "state 5 ", "m.drn:19", ["'5'"]),
    "a next state": ("1 : 0.5", "7 : 0.5", "m.drn:15", ["7"]),
    "a sum": ("1 : 0.5", "1 : 0.25", "m.drn:14", ["'a'", "0.75"]),
    "a negative probability": ("1 : 0.5", "1 : -0.5", "m.drn:15", ["-0.5"]),
    "a word for a number": ("1 : 0.5", "1 : p", "m.drn:15", ["'p'"]),
    "rewards": ("action a [1, 0]", "action a [1]", "m.drn:14", ["1 reward", "2"]),
    "the number of states": ("3\n@nr_choices", "4\n@nr_choices", "m.drn:9", ["4", "3"]),
    "the number of choices": ("@nr_choices\n4", "@nr_choices\n9", "m.drn:11", ["9", "4"]),
    "nothing": (DRN, "", "m.drn", ["empty"]),
    "no states": (DRN[DRN.index("state 0"):], "", "m.drn:9", []),
}


@pytest.mark.parametrize("name", WRONG_DRN)
def test_what_is_wrong_with_a_drn(quantiplan, name):
    old, new, place, words = WRONG_DRN[name]
    assert old in DRN
    lines = quantiplan.fails("info", quantiplan.write("m.drn", DRN.replace(old, new)), "-q")
    assert lines[0].startswith(f"{place}: ") and all(word in lines[0] for word in words), lines


def test_rubbish(quantiplan):
    for name in ["m.tra", "m.drn"]:
        (quantiplan.folder / name).write_bytes(bytes(range(256)) * 4)
        assert quantiplan.fails("info", name)[0].startswith(f"{name}:1")
    write(quantiplan)
    for ending in ["lab", "srew", "trew", "sta"]:
        (quantiplan.folder / f"m.{ending}").write_bytes(b"\xff\xfe\x00 rubbish")
        assert quantiplan.fails("info", "m.tra")[0].startswith(f"m.{ending}"), ending
        (quantiplan.folder / f"m.{ending}").unlink()
