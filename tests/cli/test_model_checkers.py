"""Questions and models as the model checkers have them: several initial states, goals that go on, properties, policies."""

import json
import random
import struct
import tarfile
from fractions import Fraction

import pytest

from conftest import COMMUTE, SOURCE, sanitized

STAIRS = """mdp
module m
  x : [0..3];
  b : bool;
  [a] x<3 -> 1/3:(x'=x+1) + 2/3:true;
endmodule
init x<2 & !b endinit
rewards "t" true : 1; endrewards
rewards "u" x=1 : 1/3; endrewards
label "done" = x=3;
"""
TWO = """dtmc
module m
  s : [0..1] init 0;
  [] s=0 -> (s'=1);
  [] s=1 -> true;
endmodule
rewards "r" true : 1; endrewards
label "goal" = s=1;
"""
CHOICE = """mdp
module m
  x : [0..3] init 0;
  [a] x=0 -> 1/3:(x'=1) + 2/3:(x'=2);
  [c] x=0 -> 1/4:(x'=3) + 3/4:true;
  [] x=1 -> 1/2:(x'=0) + 1/2:(x'=3);
endmodule
rewards "time" x<2 : 1; [a] true : 1; endrewards
label "done" = x=3;
"""
COST = ["--goal", "done", "--cost", "--reward", "t", "-q"]


def test_a_question_is_answered_for_all_initial_states(quantiplan):
    quantiplan.write("m.prism", STAIRS)
    text = quantiplan("threshold", "m.prism", *COST, "--target", "4", code=0).stdout
    assert "worst 1/9 from (x=0,b=false), best 11/27 from (x=1,b=false)" in text
    found = quantiplan.json("threshold", "m.prism", *COST, "--target", "4")
    assert found["summary"] == [{
        "target": 4,
        "worst": {"state": "(x=0,b=false)", "value": "1/9"},
        "best": {"state": "(x=1,b=false)", "value": "11/27"},
    }]  # fmt: skip
    answers = {each["state"]: each["answer"]["results"][0]["probability_exact"] for each in found["initial_states"]}
    assert answers == {"(x=0,b=false)": "1/9", "(x=1,b=false)": "11/27"}
    found = quantiplan.json("solve", "m.prism", *COST, "--tau", "0.1,0.5", "--side", "both")
    assert [(e["tau"], e["side"], e["worst"]["value"], e["best"]["value"]) for e in found["summary"]] == [
        (0.1, "lower", 15, 11), (0.1, "upper", 15, 11), (0.5, "lower", 8, 5), (0.5, "upper", 8, 5)
    ]  # fmt: skip
    assert "2 states, each a question" in quantiplan("info", "m.prism", "-q", code=0).stdout


def test_curves_of_all_initial_states(quantiplan):
    quantiplan.write("m.prism", STAIRS)
    text = quantiplan("frontier", "m.prism", *COST, "--tau", "0.1,0.5", code=0).stdout
    assert "worst 15 from (x=0,b=false), best 11 from (x=1,b=false)" in text and "worst 8" in text
    found = quantiplan.json("frontier", "m.prism", *COST, "--tau", "0.1,0.5")
    for each in found["initial_states"]:
        alone = quantiplan.json("frontier", "m.prism", *COST, "--tau", "0.1,0.5", "--initial", each["state"])
        assert [each["answer"][key] for key in ("steps", "quantiles")] == [alone[key] for key in ("steps", "quantiles")]
    [line] = quantiplan.fails("frontier", "m.prism", *COST, "--criterion", "cvar")
    assert "--criterion: found with 2 initial states" in line


def test_one_pass_serves_all_initial_states(quantiplan):
    """The same numbers as if each were asked, and the work of one."""
    choices = [
        f"state {s} [0] init\n\taction a [{s % 3}]\n\t\t{(s + 1) % 40} : 1/3\n\t\t{(7 * s) % 40} : 2/3\n\taction b [1]\n\t\t{(s + 11) % 40} : 1"
        for s in range(40)
    ]
    head = "@type: MDP\n@parameters\n\n@reward_models\nr\n@nr_states\n40\n@nr_choices\n80\n@model\n"
    quantiplan.write("many.drn", head + "\n".join(choices) + "\n")
    args = ["many.drn", "--horizon", "12", "--tau", "0.1", "--reduce", "none", "-q"]
    found = quantiplan.json("solve", *args)
    values = set()
    for each in found["initial_states"][::7]:
        alone = quantiplan.json("solve", *args, "--initial", each["state"])
        for key in ("quantile", "bracket", "certificate", "probability"):
            assert each["answer"]["results"][0][key] == alone["results"][0][key], each["state"]
        values.add(alone["results"][0]["quantile"])
    assert len(values) > 1
    [line] = quantiplan.fails("solve", *args, "--checkpoint", "kept")
    assert "--checkpoint" in line


def test_bounds_that_meet_are_exact(quantiplan):
    """A goal that is reached surely, found in doubles: between 1 and 1 is 1."""
    question = ["solve", SOURCE / "examples/gathering.prism", "--const", "danger=.1", "--prop", "Pmax=? [F rich]", "-q"]
    [found] = quantiplan.json(*question)["properties"]
    assert (found["result"], found["certificate"]) == (1, "exact")
    assert " to " not in quantiplan(*question, code=0).stdout


def test_levels_without_end_serve_all_initial_states(quantiplan):
    """More arcs than a state asked by itself has in rationals: chances of each are those of it alone."""
    quantiplan.write("grid.prism", """mdp
const int N=22;
module m
 x:[0..N]; y:[0..N];
 [a] x<N -> 1/3:(x'=x+1) + 2/3:true;
 [b] y<N -> 1/2:(y'=y+1) + 1/4:(y'=max(0,y-1)) + 1/4:(x'=max(0,x-1));
 [c] x<N & y<N -> 1/5:(x'=x+1)&(y'=y+1) + 4/5:(x'=max(0,x-1));
endmodule
init true endinit
rewards "t" [a] true:2; [b] true:1; [c] true:3; endrewards
label "done" = x=N & y=N;
""")
    args = ["grid.prism", "--goal", "done", "--cost", "--horizon", "infinite", "--target", "60,100,inf", "-q"]
    found = quantiplan.json("threshold", *args)["initial_states"]
    assert len(found) == 23 * 23
    for each in found[5::130]:
        alone = quantiplan.json("threshold", *args, "--initial", each["state"])["results"]
        for ours, own in zip(each["answer"]["results"], alone):
            assert ours["certificate"] == own["certificate"]
            (low, high), (own_low, own_high) = (r["bracket"] or [r["probability"]] * 2 for r in (ours, own))
            assert max(low, own_low) <= min(high, own_high) and high - low < 1e-9
    prop = ["grid.prism", "--prop", 'Pmax=? [F{"t"}<=60 "done"]', "-q"]
    [values] = quantiplan.json("solve", *prop)["properties"]
    chances = [each["answer"]["results"][0]["probability"] for each in found]
    assert values["result"] == pytest.approx([min(chances), max(chances)])


def test_the_greatest_expected_reward_to_a_goal(quantiplan):
    """V = max(2 + V/2, 1 + 0 ...): by hand. A choice to stay makes it infinite."""
    text = """mdp
module m
  x : [0..2] init 0;
  [on] x=0 -> 1/2:(x'=0) + 1/2:(x'=1);
  [go] x=0 -> (x'=2);
  [on] x=1 -> (x'=2);
  LOOP
  [] x=2 -> true;
endmodule
rewards "r" [on] true : 2; [go] true : 5; endrewards
label "done" = x=2;
"""
    quantiplan.write("m.prism", text.replace("LOOP", ""))
    [found] = quantiplan.json("solve", "m.prism", "--prop", 'R{"r"}max=? [F "done"]', "-q")["properties"]
    assert (found["result"], found["exact"], found["certificate"]) == (6, "6", "exact")  # on until it moves: 4, and 2
    [least] = quantiplan.json("solve", "m.prism", "--prop", 'R{"r"}min=? [F "done"]', "-q")["properties"]
    assert least["result"] == 5
    quantiplan.write("loop.prism", text.replace("LOOP", "[stay] x=1 -> true;"))
    [found] = quantiplan.json("solve", "loop.prism", "--prop", 'R{"r"}max=? [F "done"]', "-q")["properties"]
    assert found["result"] == "inf"
    args = ["m.prism", "--reward", "r", "--goal", "done", "--horizon", "infinite", "--criterion", "expectation", "-q"]
    quantiplan("solve", *args, "--policy-out", "p.json", code=0)
    law = quantiplan.json("evaluate", "m.prism", "--reward", "r", "--policy", "p.json", "-q")
    assert law["mean"] == pytest.approx(6)


@pytest.mark.parametrize("ending", ["prism", "tra", "drn", "umb", "json"])
def test_every_format_keeps_several_initial_states(quantiplan, ending):
    quantiplan("convert", quantiplan.write("m.prism", STAIRS), f"again.{ending}", code=0)
    args = [a for a in COST if ending != "json" or a not in ("--reward", "t")]
    found = quantiplan.json("threshold", f"again.{ending}", *args, "--target", "4")
    assert [found["summary"][0][end]["value"] for end in ("worst", "best")] == ["1/9", "11/27"]


@pytest.mark.parametrize("initial", ["(x=1,b=false)", "x=1", "x>0", '"init" & x=1'])
def test_initial_picks_one_by_name_or_condition(quantiplan, initial):
    quantiplan.write("m.prism", STAIRS)
    found = quantiplan.json("threshold", "m.prism", *COST, "--target", "4", "--initial", initial)
    assert found["model"]["initial"] == "(x=1,b=false)"
    assert found["results"][0]["probability_exact"] == "11/27"


RING = """mdp
module a1
  x1 : [0..1];
  [step] x1=x5 -> 1/2:(x1'=0) + 1/2:(x1'=1);
  [step] x1!=x5 -> (x1'=x5);
  [lazy] true -> 1/3:(x1'=0) + 2/3:true;
endmodule
""" + "".join(
    f"module a{i} = a1 [x1=x{i}, x5=x{i - 1}, lazy=lazy{i}] endmodule\n" for i in range(2, 6)
) + """formula tokens = (x1=x2?1:0) + (x2=x3?1:0) + (x3=x4?1:0) + (x4=x5?1:0) + (x5=x1?1:0);
init true endinit
rewards "steps" true : 1; [lazy2] x2=1 : 2; endrewards
label "stable" = tokens=1;
"""


@pytest.mark.parametrize("kind", ["dtmc", "mdp"])
def test_states_that_behave_alike_are_answered_once(quantiplan, kind):
    """The same numbers as if each were asked; where nothing is reduced, each is."""
    text = RING if kind == "mdp" else "\n".join(
        line for line in RING.replace("mdp", "dtmc").splitlines() if "[lazy]" not in line
    ).replace("[lazy2] x2=1 : 2;", "").replace(", lazy=", ", unused=")
    quantiplan.write("m.prism", text)
    def results(*more):
        found = quantiplan.json(*more, "-q")
        each = [(row["state"], row["answer"]["results"], row["answer"]["model"]) for row in found["initial_states"]]
        for _, [result], _ in each:
            for key in ("mean", "mean_bound"):
                result.pop(key, None)
        return found["summary"], each
    goal = ["--goal", "stable", "--cost"]
    for ask in [["threshold", "m.prism", *goal, "--target", "4"], ["solve", "m.prism", *goal, "--tau", "0.2"],
                ["solve", "m.prism", *goal, "--tau", "0.2", "--horizon", "6"],
                ["threshold", "m.prism", "--target", "3", "--horizon", "4", "--cost"]]:  # fmt: skip
        summary, each = results(*ask)
        wanted, one_by_one = results(*ask, "--reduce", "none")
        assert summary == wanted
        assert [state for state, _, _ in each] == [state for state, _, _ in one_by_one]
        for (state, [found], model), (_, [own], _) in zip(each, one_by_one):
            assert model["initial"] == state
            keys = {"quantile", "probability", "probability_exact", "target", "status"} & found.keys()
            assert {key: found[key] for key in keys} == {key: own[key] for key in keys}
    steps = "" if kind == "dtmc" else "min"
    for prop in [f'P{steps}=? [F{{"steps"}}<=4 "stable"]', f'P{steps}=? [F{{"steps"}}>=4 "stable"]',
                 f'R{{"steps"}}{steps}=? [C<=5]', f'R{{"steps"}}{steps}=? [F "stable"]']:  # fmt: skip
        [found] = quantiplan.json("solve", "m.prism", "--prop", prop, "-q")["properties"]
        [own] = quantiplan.json("solve", "m.prism", "--prop", prop, "-q", "--reduce", "none")["properties"]
        for ours, theirs in zip(found["initial_states"], own["initial_states"], strict=True):
            assert ours["state"] == theirs["state"]
            assert ours["low"] == pytest.approx(theirs["low"], abs=1e-12)


def test_criteria_are_answered_for_all_initial_states(quantiplan):
    """As for each by itself; costs are costs again, the worst state has the greatest."""
    quantiplan.write("m.prism", STAIRS)
    for criterion, more in [("cvar", ["--tau", "0.1,1/3"]), ("expectation", []), ("entropic:0.5", []), ("utility:exponential(-0.1)", [])]:
        for ask in [[*COST], ["--horizon", "6", "-q"], ["--horizon", "6", "--cost", "-q"]]:
            if ask == COST and criterion not in ("cvar", "expectation"):
                continue
            ask = ["solve", "m.prism", "--criterion", criterion, *more, *ask]
            found = quantiplan.json(*ask)
            own = [quantiplan.json(*ask, "--initial", state)["results"] for state in ("x=0 & !b", "x=1 & !b")]
            for i, row in enumerate(found["summary"]):
                values = [float(Fraction(str(row[end]["value"]).split(" to ")[0])) for end in ("worst", "best")]
                each = (float(Fraction(str(results[i]["value"]))) for results in own)
                assert values == pytest.approx(sorted(each, reverse="--cost" in ask and "utility" not in criterion))
                assert str(row.get("tau")) == str(own[0][i]["tau"])
    text = quantiplan("solve", "m.prism", "--criterion", "cvar", "--tau", "0.1", *COST, code=0).stdout
    assert "cvar, tau 0.1:\n  worst " in text


def test_a_state_that_misses_its_goal_is_the_dear_end_of_a_range(quantiplan):
    """What never comes there costs more than any number."""
    text = """mdp
module m
  x : [0..3];
  [] x<2 -> 1/2:(x'=2) + 1/2:true;
  [] x>1 -> true;
endmodule
init x=0 | x=3 endinit
rewards x!=2 : 1; endrewards
label "goal" = x=2;
"""
    ask = ["solve", quantiplan.write("m.prism", text), "--prop", 'Rmin=? [F "goal"]', "-q"]
    [found] = quantiplan.json(*ask)["properties"]
    assert found["result"] == [2, "inf"]
    assert [(row["low"], row["high"]) for row in found["initial_states"]] == [(2, 2), ("inf", "inf")]
    assert "  result       [2, inf], over 2 initial states\n" in quantiplan(*ask, code=0).stdout


def test_a_table_of_states_keeps_to_its_width(quantiplan):
    """A fraction of hundreds of digits is rounded there; JSON has it."""
    quantiplan.write("m.prism", STAIRS)
    text = quantiplan("threshold", "m.prism", *COST, "--target", "40", code=0).stdout
    assert max(map(len, text.splitlines())) < 100
    value = quantiplan.json("threshold", "m.prism", *COST, "--target", "40")["summary"][0]["worst"]["value"]
    assert len(value) > 30 and "/" in value


def test_what_is_asked_of_one_state_names_the_option(quantiplan):
    quantiplan.write("m.prism", STAIRS)
    [line] = quantiplan.fails("tradeoff", "m.prism", *COST, "--tau", "0.1")
    assert line == "quantiplan: found 2 initial states, as '(x=0,b=false)', expected one here: give --initial STATE"
    [line] = quantiplan.fails("solve", "m.prism", *COST, "--tau", "0.1", "--policy-out", "p.json")
    assert line == "quantiplan: --policy-out: found with 2 initial states, expected one: give --initial STATE"
    [line] = quantiplan.fails("tradeoff", "m.prism", *COST, "--tau", "0.1", "--initial", "x<3")
    assert "--initial: found 'x<3', expected what holds in one state" in line


def test_goals_end_or_go_on(quantiplan):
    """F{"r"}>=3 goal: 0 where the first visit ends the path, 1 where it goes on."""
    quantiplan.write("m.prism", TWO)
    ask = ["--goal", "goal", "-q"]
    def chance(*more):
        return quantiplan.json("threshold", "m.prism", *ask, "--target", "3", *more)["results"][0]["probability"]
    assert chance() == chance("--goal-ends", "yes") == 0
    assert chance("--goal-ends", "no") == 1
    assert [chance("--goal-ends", "no", "--horizon", k) for k in (2, 3, 4)] == [0, 1, 1]
    def quantile(*more):
        return quantiplan.json("solve", "m.prism", *ask, "--tau", "0.5", *more)["results"][0]["quantile"]
    assert (quantile(), quantile("--goal-ends", "no")) == (1, "inf")
    [line] = quantiplan.fails("threshold", "m.prism", *ask, "--target", "3", "--goal-ends", "maybe")
    assert line == "quantiplan: --goal-ends: found 'maybe', expected yes or no"
    [line] = quantiplan.fails("threshold", "m.prism", *ask, "--target", "3", "--goal-ends", "no", "--policy-out", "p")
    assert "--policy-out: found with --goal-ends no" in line


def collecting(seed, counts):
    """A random MDP whose state x earns reward[x]; `counts`: with a variable that counts it up to that."""
    draw = random.Random(seed)
    reward = [draw.choice([0, 0, 1, 2]) for _ in range(4)]
    lines = ["mdp", "module m", "  x : [0..3] init 0;"]
    lines += [f"  k : [0..{counts}] init 0;"] if counts else []
    for x in range(4):
        for action in "ab"[: draw.choice([1, 2])]:
            step = f"&(k'=min(k+{reward[x]},{counts}))" if counts else ""
            first, second = draw.randrange(4), draw.randrange(4)
            lines.append(f"  [{action}] x={x} -> 1/3:(x'={first}){step} + 2/3:(x'={second}){step};")
    lines += ["endmodule", 'rewards "r"', *[f"  x={x} : {r};" for x, r in enumerate(reward)], "endrewards"]
    return "\n".join([*lines, f'label "goal" = x={draw.randrange(4)};', ""])


@pytest.mark.parametrize("seed", range(20))
def test_the_least_chance_of_enough_reward_at_a_goal(quantiplan, seed):
    """Pmin of F{"r"}>=c is Pmin of F (goal & k>=c) where k counts the reward."""
    ask = 'Pmin=? [F{"r"}>=3 "goal"]', 'Pmin=? [F ("goal" & k>=3)]'
    quantiplan.write("m.prism", collecting(seed, 0))
    quantiplan.write("k.prism", collecting(seed, 3))
    [found] = quantiplan.json("solve", "m.prism", "--prop", ask[0], "-q")["properties"]
    [wanted] = quantiplan.json("solve", "k.prism", "--prop", ask[1], "-q")["properties"]
    assert found["exact"] == wanted["exact"]


def test_the_least_chance_needs_rewards_that_only_grow(quantiplan):
    text = TWO.replace("dtmc", "mdp").replace("s=0 ->", "s<1 ->").replace("true : 1", "true : -2")
    text = text.replace("  []", "  [again] s=0 -> true;\n  []", 1)
    [line] = quantiplan.fails("solve", quantiplan.write("m.prism", text), "--prop", 'Pmin=? [F{"r"}>=3 "goal"]', "-q")
    assert line.endswith("found the reward -2, expected none below 0")
    [line] = quantiplan.fails("solve", "m.prism", "--prop", 'quantile(max B, Pmin>0.5 [F{"r"}>=B "goal"])', "-q")
    assert line.endswith("one target: --prop 'Pmin=? [F{...}>=y ...]'")


@pytest.mark.parametrize("given", [["--const", "n=1,p=min(1/5,1),B=4"], ["--const", "n=1", "--const", "B=4,p=1/5"]])
def test_constants_of_a_model_and_of_its_properties_in_one_list(quantiplan, given):
    """Two of the steps from x=1 must be taken: P within 2, 3 and 4 is 1/9, 7/27 and 11/27."""
    text = STAIRS.replace("module m", "const int n;\nmodule m").replace("x<2 & !b", "x=n & !b")
    quantiplan.write("m.prism", text)
    quantiplan.write("m.props", """const int B; const double p;
"within": Pmax=? [F{"t"}<=B "done"];
"least": quantile(min D, Pmax>p [F{"t"}<=D "done"]);
""")  # fmt: skip
    found = quantiplan.json("solve", "m.prism", *given, "--props", "m.props", "-q")["properties"]
    assert [(each["name"], each["exact"]) for each in found] == [("within", "11/27"), ("least", "3")]
    [line] = quantiplan.fails("solve", "m.prism", "--const", "n=1,B=4", "--props", "m.props", "-q")
    assert line == "quantiplan: --const: the constant 'p' of the properties has no value, expected p=..."


def test_what_is_not_written_tells_no_outcomes_apart(quantiplan):
    """Two ways to stay, told apart by the second reward structure alone, for which DRN and CSV have no place."""
    text = """dtmc
module m1
  x : [0..1];
  [a] x=0 -> 1/2:(x'=1) + 1/2:(x'=0);
endmodule
module m2
  y : [0..1];
  [b] true -> 1/3:(y'=y) + 2/3:(y'=1);
endmodule
rewards "r0" true : 1; endrewards
rewards "r1" [a] true : 1; endrewards
"""
    done = quantiplan("convert", quantiplan.write("m.prism", text), "m.drn", code=0)
    assert "the reward structure 'r1', which depends on the next state" in done.stderr
    written = (quantiplan.folder / "m.drn").read_text(encoding="utf-8")
    assert "\t\t1 : 0.25\n\t\t0 : 5/12\n\t\t2 : 1/3\n" in written
    facts = quantiplan.json("info", "m.drn", "-q")["model"]
    assert (facts["states"], facts["outcomes"]) == (4, 8)
    rows = quantiplan("convert", "m.prism", "-", "--to", "csv", "-q", code=0).stdout.splitlines()
    assert len(rows) == 9 and '"(x=0,y=0)",[],"(x=0,y=0)",5/12,1' in rows


def test_a_quantile_that_no_bound_attains(quantiplan):
    """The goal is reached with probability 0.3, whatever the bound: the least of none is inf, the greatest -inf."""
    text = TWO.replace("(s'=1)", "0.3:(s'=1) + 0.7:(s'=2)").replace("[0..1]", "[0..2]").replace("s=1 ->", "s>=1 ->")
    quantiplan.write("m.prism", text)
    for ends, found in {"max B, P>0.2 [F{\"r\"}>=B": "inf", "max B, P>0.3 [F{\"r\"}>=B": "-inf",
                        "min B, P>0.2 [F{\"r\"}<=B": 1, "min B, P>0.3 [F{\"r\"}<=B": "inf"}.items():  # fmt: skip
        [answer] = quantiplan.json("solve", "m.prism", "--prop", f'quantile({ends} "goal"])', "-q")["properties"]
        assert (answer["low"], answer["high"]) == (found, found)
        [answer] = quantiplan.json("solve", "m.prism", "--prop", f'quantile({ends} s>2])', "-q")["properties"]
        assert answer["low"] == ("-inf" if "max" in ends else "inf")


def test_a_discount_and_a_start_that_is_a_goal_without_choices(quantiplan):
    """Nothing is to be done there: cost 0 surely."""
    quantiplan.write("m.prism", "dtmc\nmodule m\n  x : [0..1] init 0;\nendmodule\nlabel \"done\" = x=0;\n")
    ask = ["--goal", "done", "--discount", "0.9", "--cost", "-q"]
    [found] = quantiplan.json("threshold", "m.prism", *ask, "--target", "0")["results"]
    assert found["probability_exact"] == "1"
    [found] = quantiplan.json("solve", "m.prism", *ask, "--tau", "0.5")["results"]
    assert found["quantile"] == 0


def test_a_start_at_the_goal_with_no_other_choice(quantiplan):
    """Where goals end episodes nothing can be done any more, and that is no empty model."""
    text = """mdp
module m
  x : [0..1] init 0;
  [] x=0 -> (x'=1);
endmodule
label "goal" = x=0;
"""
    quantiplan.write("m.prism", text)
    for question, wanted in {'Pmin=? [F<=4 "goal"]': 1, 'Pmax=? [F<=4 "goal"]': 1, 'Pmax=? [F<=4 x=1]': 1}.items():
        for more in [[], ["--reduce", "none"]]:
            [found] = quantiplan.json("solve", "m.prism", "--prop", question, "-q", *more)["properties"]
            assert found["result"] == wanted


def test_costs_of_nothing_to_a_goal_that_is_surely_reached(quantiplan):
    """Doubles leave open whether 1/3 + ... is 1; rationals, then the question is one of the graph."""
    text = """mdp
module m
  x : [0..5] init 0;
  [a] x=0 -> 2/8:(x'=0) + 3/8:(x'=1) + 3/8:(x'=4);
  [b] x=1 -> 4/5:(x'=2) + 1/5:(x'=0);
  [a] x=2 -> (x'=1);
  [b] x=4 -> 3/11:(x'=5) + 4/11:(x'=5) + 4/11:(x'=4);
  [a] x=5 -> 3/7:(x'=5) + 2/7:(x'=4) + 2/7:(x'=2);
endmodule
rewards "r" [a] x=5 : 0; endrewards
"""
    [found] = quantiplan.json(
        "solve", quantiplan.write("m.prism", text), "--prop", 'R{"r"}min=? [F x=1]', "-q")["properties"]  # fmt: skip
    assert (found["low"], found["high"]) == (0, 0)


def test_rewards_that_are_all_0_are_written_with_an_item(quantiplan):
    """Storm refuses rewards without one."""
    quantiplan.write("m.prism", TWO.replace("true : 1", "true : 0"))
    text = quantiplan("convert", "m.prism", "-", "--to", "prism", code=0).stdout
    assert 'rewards "r"\n  true : 0;\nendrewards' in text
    quantiplan.write("again.prism", text)
    assert quantiplan("convert", "again.prism", "-", "--to", "prism", code=0).stdout == text


def test_an_initial_state_may_be_a_goal(quantiplan):
    quantiplan.write("m.prism", TWO.replace("init 0", "init 1"))
    for more in [[], ["--horizon", "3"]]:
        args = ["m.prism", "--goal", "goal", "--cost", "-q", "--check", *more]
        [result] = quantiplan.json("solve", *args, "--tau", "0.5")["results"]
        assert (result["quantile"], result["probability"], result["check"]["passed"]) == (0, 1, True)
        [result] = quantiplan.json("threshold", *args, "--target", "0")["results"]
        assert result["probability"] == 1


PROPERTIES = {
    'Pmax=? [F{"time"}<=3 "done"]': 0.578125,
    'Pmin=? [F "done"]': 0.2,
    "Pmax=? [F<=2 x=3]": 0.4375,
    'quantile(min B, Pmax>0.5 [F{"time"}<=B "done"])': 3,
    'quantile(min B, Pmax>=0.25 [F{"time"}<=B "done"])': 1,
    'quantile(min B, Pmin>0.5 [F{"time"}<=B "done"])': "inf",
    'Pmax=? [F{"time"}>=2 "done"]': 0.75,
    'R{"time"}max=? [C<=2]': 2.5,
    'R{"time"}min=? [F "done"]': 4,
    'Pmax>0.5 [F{"time"}<=3 "done"]': True,
    'Pmax<0.5 [F{"time"}<=3 "done"]': False,
    'Pmax=? [F{"time"}<=k "done"]': 0.4375,
    # All policies where neither min nor max is said: the least of them, or the greatest.
    'P>=0.2 [F "done"]': True,
    'P>0.2 [F "done"]': False,
    'P<0.6 [F{"time"}<=3 "done"]': True,
    'P<=0.5 [F{"time"}<=3 "done"]': False,
    'R{"time"}>=4 [F "done"]': True,
    # The ends of what keeps P<=p: next to a level. P>=0 holds from the first bound on.
    'quantile(max B, Pmax<=0.5 [F{"time"}<=B "done"])': 2,
    'quantile(max B, Pmax<0.25 [F{"time"}<=B "done"])': 0,
    'quantile(max B, Pmin<=0.5 [F{"time"}<=B "done"])': "inf",
    'quantile(max B, Pmax<0 [F{"time"}<=B "done"])': "-inf",
    'quantile(min B, Pmax<=0.8 [F{"time"}>=B "done"])': 2,
    'quantile(min B, Pmax>=0 [F{"time"}<=B false])': 0,
    'quantile(min B, Pmax>0 [F{"time"}<=B false])': "inf",
    'quantile(max B, Pmax>=0 [F{"time"}>=B false])': "inf",
}


@pytest.mark.parametrize("question", PROPERTIES)
def test_questions_in_their_words(quantiplan, question):
    quantiplan.write("m.prism", CHOICE)
    quantiplan.write("k.props", "const int k;\n")
    more = ["--const", "k=2", "--props", "k.props"] if "=k" in question else []
    found = quantiplan.json("solve", "m.prism", "--prop", question, "-q", *more)
    [answer] = found["properties"]
    wanted = PROPERTIES[question]
    assert answer["result"] == (wanted if isinstance(wanted, (bool, str)) else pytest.approx(wanted))
    assert answer["property"] == question
    assert quantiplan("solve", "m.prism", "--prop", question, "-q", *more, code=0).stdout.startswith(question + "\n")


SLOW = """mdp
module m
  s : [0..6] init 3;
  [] s=2 -> 5/9:(s'=2) + 4/9:(s'=4);
  [] s=2 -> 5/6:(s'=3) + 1/6:(s'=1);
  [] s=3 -> (s'=5);
  [] s=3 -> 3/7:(s'=2) + 4/7:(s'=4);
  [] s=4 -> true;
  [] s=4 -> 5/12:(s'=2) + 2/12:(s'=6) + 5/12:(s'=5);
  [] s=5 -> (s'=3);
  [] s=5 -> 1/4:(s'=6) + 1/2:(s'=2) + 1/4:(s'=4);
  [] s=6 -> (s'=5);
endmodule
rewards "r" s=1 : 3; endrewards
"""


def test_a_comparison_too_close_for_doubles_is_put_to_rationals(quantiplan):
    """Who stays at 4 for ever collects nothing: the least probability is 0, which doubles only bound."""
    quantiplan.write("m.prism", SLOW)
    for comparison, wanted in [(">0", False), ("<=0", True)]:
        [found] = quantiplan.json("solve", "m.prism", "--prop", f'Pmin{comparison} [F{{"r"}}>=3 s!=4]', "-q")["properties"]
        assert found["result"] is wanted


def test_a_unit_of_rewards_is_the_step_between_bounds(quantiplan):
    """As Storm counts: 2 is the step where every reward is 2, and 1/2 where each is 1/2."""
    for reward, wanted in [("2", 6), ("1/2", 1.5)]:
        quantiplan.write("m.prism", CHOICE.replace('x<2 : 1; [a] true : 1;', f"x<2 : {reward};"))
        question = 'quantile(max B, Pmax<=0.6 [F{"time"}<=B "done"])'
        [found] = quantiplan.json("solve", "m.prism", "--prop", question, "-q")["properties"]
        assert found["result"] == wanted


@pytest.mark.parametrize("question, same", {
    'Pmax=? [F{"time"}<3 "done"]': 'Pmax=? [F{"time"}<=2 "done"]',
    'Pmax=? [F{"time"}<5/2+1/2 "done"]': 'Pmax=? [F{"time"}<=2 "done"]',
    'Pmax=? [F{"time"}<7/2 "done"]': 'Pmax=? [F{"time"}<=3 "done"]',
    'Pmax=? [F{"time"}>3 "done"]': 'Pmax=? [F{"time"}>=4 "done"]',
    'Pmin=? [F{"time"}>7/2 "done"]': 'Pmin=? [F{"time"}>=4 "done"]',
    'Pmax=? [F{"time"}<0 "done"]': "Pmax=? [F false]",
    'Pmax=? [F{"time"}<=-1 "done"]': "Pmax=? [F false]",
    'Pmax=? [F{"time"}<=1+2*2 "done"]': 'Pmax=? [F{"time"}<=5 "done"]',
    'Pmax=? [F{1}<=max(2,5) (x=3)]': 'Pmax=? [F{"time"}<=5 "done"]',
    'quantile(min B, Pmax>0.5 [F{"time"}<=B (x=3)])': 'quantile(min B, Pmax>0.5 [F{"time"}<=B "done"])',
    "Pmax=? [F<=2*2 x=3]": 'Pmax=? [F<=4 "done"]',
    'Pmax>=1-1/2 [F{"time"}<=4 "done"]': 'Pmax>=1/2 [F{"time"}<=4 "done"]',
    "R{1}max=? [C<5]": 'R{"time"}max=? [C<=4]',
    'quantile(B, Pmax>0.5 [F{"time"}<=B "done"])': 'quantile(min B, Pmax>0.5 [F{"time"}<=B "done"])',
    'quantile(B, Pmax<=0.8 [F{"time"}>=B "done"])': 'quantile(min B, Pmax<=0.8 [F{"time"}>=B "done"])',
}.items())  # fmt: skip
def test_other_words_for_the_same_question(quantiplan, question, same):
    """Strict bounds count in the unit of the rewards, here 1; bounds are numbers that may be computed."""
    quantiplan.write("m.prism", CHOICE)
    [found], [wanted] = (
        quantiplan.json("solve", "m.prism", "--prop", each, "-q")["properties"] for each in (question, same)
    )
    assert {**found, "property": same} == wanted


def test_reward_at_least_means_what_it_means_there(quantiplan):
    quantiplan.write("m.prism", TWO)
    for question, wanted in [('P=? [F{"r"}>=3 "goal"]', 1), ('quantile(max B, P>0.5 [F{"r"}>=B "goal"])', "inf")]:
        assert quantiplan.json("solve", "m.prism", "--prop", question, "-q")["properties"][0]["result"] == wanted


def test_a_file_of_properties_has_names(quantiplan):
    quantiplan.write("m.prism", STAIRS)
    quantiplan.write("m.props", '// two\nconst int k = 2+2;\n"a": Pmax=? [F{"t"}<=k "done"];\n"b": Pmax=? [F "done"];\n')
    both = quantiplan.json("solve", "m.prism", "--props", "m.props", "-q")["properties"]
    assert [each["name"] for each in both] == ["a", "b"]
    assert both[0]["result"] == pytest.approx([1 / 9, 11 / 27]) and both[1]["result"] == [1, 1]
    [one] = quantiplan.json("solve", "m.prism", "--props", "m.props", "--prop", "b", "-q")["properties"]
    assert one["name"] == "b"


@pytest.mark.parametrize("question, word", {
    'S=? ["done"]': "a steady-state question", 'Pmax=? [G "done"]': "(G)", "Pmax=? [x=0 U x=3]": "an until (U)",
    'multi(Pmax=? [F "done"])': "several objectives", 'P=? [F "done"]': "neither min nor max",
    'quantile(min B, Pmax>0.5 [F{"time"}<B "done"])': "strict bounds", "Pmax=? [F=3 x=3]": "other bounds of steps",
    'quantile(max B, Pmax>0.5 [F{"time"}<=B "done"])': "other quantiles",
    'quantile(min B, Pmax<0.5 [F{"time"}<=B "done"])': "other quantiles",
    'quantile(min B, P>0.5 [F{"time"}<=B "done"])': "neither min nor max",
}.items())  # fmt: skip
def test_what_is_out_of_scope_is_named(quantiplan, question, word):
    [line] = quantiplan.fails("solve", quantiplan.write("m.prism", CHOICE), "--prop", question, "-q")
    assert "--prop" in line and word in line


def test_a_chain_stays_a_chain_and_all_rewards_go_out(quantiplan):
    quantiplan.write("m.prism", STAIRS.replace("mdp", "dtmc", 1))
    for ending, words in {
        "drn": ["@type: DTMC", "\nt u\n", "[1, 1/3]"],
        "prism": ["dtmc\n", 'rewards "t"', 'rewards "u"'],
        "json": ['"kind": "dtmc"'],
    }.items():
        quantiplan("convert", "m.prism", f"again.{ending}", code=0)
        text = (quantiplan.folder / f"again.{ending}").read_text(encoding="utf-8")
        assert all(word in text for word in words), (ending, text)
    quantiplan("convert", "m.prism", "again.tra", code=0)
    assert (quantiplan.folder / "again.tra").read_text(encoding="utf-8").startswith("4 7\n0 1 1/3 a\n0 0 2/3 a\n")
    for number, name in enumerate("tu", 1):
        text = (quantiplan.folder / f"again{number}.trew").read_text(encoding="utf-8")
        assert text.startswith(f'# Reward structure "{name}"\n4 ')
    for file in ["again.tra", "again.drn", "again.prism"]:
        again = quantiplan("convert", file, "-", "--to", "drn", "-q", code=0).stdout
        assert "@type: DTMC" in again and "\nt u\n" in again
    done = quantiplan("convert", "m.prism", "again.json", code=0)
    assert "JSON has no place for the reward structure 'u'" in done.stderr


def test_storms_variant_and_decimals(quantiplan):
    quantiplan.write("m.prism", CHOICE)
    done = quantiplan("convert", "m.prism", "s.tra", "--to", "storm-tra", code=0)
    assert "the exact values of 2 distinct numbers, rounded by at most" in done.stderr
    assert (quantiplan.folder / "s.tra").read_text(encoding="utf-8").startswith("mdp\n0 0 1 0.3333333333333333\n")
    assert (quantiplan.folder / "s.lab").read_text(encoding="utf-8").startswith("#DECLARATION\ninit deadlock done\n#END\n")
    assert quantiplan.json("info", "s.tra", "-q")["model"]["states"] == 4
    done = quantiplan("convert", "m.prism", "d.tra", "--to", "tra-decimals", code=0)
    assert "/" not in (quantiplan.folder / "d.tra").read_text(encoding="utf-8") and "rounded by" in done.stderr
    assert quantiplan.fails("convert", "m.prism", "-", "--to", "jani") != []


def test_a_policy_goes_out_as_a_chain_and_as_a_scheduler(quantiplan):
    quantiplan.write("m.prism", CHOICE)
    ask = ["--goal", "done", "--cost", "-q"]
    for target in ["2", "3", "5"]:
        [result] = quantiplan.json("threshold", "m.prism", *ask, "--target", target, "--policy-out", "p.json")["results"]
        for ending in ["drn", "umb", "prism"]:
            quantiplan("convert", "m.prism", f"chain.{ending}", "--policy", "p.json", "-q", code=0)
            [met] = quantiplan.json("solve", f"chain.{ending}", "--prop", 'P=? [F "met"]', "-q")["properties"]
            assert met["exact"] == str(result["probability_exact"])
    quantiplan.json("solve", "m.prism", *ask, "--tau", "0.9", "--policy-out", "p.json")
    quantiplan("convert", "m.prism", "chain.drn", "--policy", "p.json", "--scheduler", "s.json", code=0)
    scheduler = json.loads((quantiplan.folder / "s.json").read_text(encoding="utf-8"))
    assert [each["s"] for each in scheduler] == [0, 1, 2, 3]
    assert scheduler[0]["c"][0]["labels"] in (["a"], ["c"])
    [line] = quantiplan.fails("convert", "m.prism", "x.drn", "--scheduler", "s.json")
    assert "--scheduler: found without --policy" in line


def test_a_policy_goes_out_as_strategies_of_prism(quantiplan):
    """The second action of the start is worth the wait if there is no limit; with two steps it is not at the end."""
    text = """mdp
module m
  x : [0..2] init 0;
  b : bool init true;
  [fast] x=0 -> 1/2:(x'=1) + 1/2:(x'=2);
  [slow] x=0 -> 1/4:(x'=1) + 3/4:(b'=!b);
  [] x=1 -> true;
endmodule
label "done" = x=1;
"""
    quantiplan.write("m.prism", text)
    def written(kind, *more):
        ask = ["--goal", "done", "--cost", "--target", "inf", "-q", "--policy-out", "p.json", *more]
        quantiplan("threshold", "m.prism", *ask, code=0)
        quantiplan("convert", "m.prism", "c.drn", "--policy", "p.json", "-q", "--scheduler", "s.txt", *kind, code=0)
        return (quantiplan.folder / "s.txt").read_text(encoding="utf-8")
    actions, indices = (["--scheduler-format", each] for each in ("prism-actions", "prism-indices"))
    assert written(actions) == "(0,true)=slow\n(0,false)=slow\n"
    assert written(indices) == "0=1\n3=1\n"
    assert [each["c"][0]["index"] for each in json.loads(written([]))][:4] == [1, 2, 3, 5]
    # With three steps left slow 1/4 + 3/4 (1/4 + 3/4 1/2) = 0.71875, and fast at the last: 1/2.
    assert written(actions, "--horizon", "3") == "(0,true),0=slow\n(0,true),2=fast\n(0,false),1=slow\n"
    assert written(indices, "--horizon", "3") == "0,0=1\n0,2=0\n3,1=1\n"
    quantiplan("threshold", "m.prism", "--goal", "done", "--cost", "--target", "inf", "--horizon", "3", "-q",
               "--policy-out", "p.json", code=0)  # fmt: skip
    convert = ["convert", "m.prism", "c.drn", "--policy", "p.json", "-q"]
    [line] = quantiplan.fails(*convert, "--scheduler", "s.txt")
    assert "does not do the same in state '(x=0,b=true)' whatever the time" in line
    [line] = quantiplan.fails(*convert, "--scheduler", "s.txt", "--scheduler-format", "dot")
    assert line.endswith("found 'dot', expected storm, prism-actions or prism-indices")
    [line] = quantiplan.fails(*convert, "--scheduler-format", "storm")
    assert "--scheduler-format: found without --scheduler" in line


def test_a_policy_of_finite_horizon_goes_out_with_its_time(quantiplan):
    commute = quantiplan.write("commute.json", COMMUTE)
    [result] = quantiplan.json("solve", commute, "--tau", "0.3", "--policy-out", "p.json")["results"]
    quantiplan("convert", commute, "chain.umb", "--policy", "p.json", code=0)
    [met] = quantiplan.json("solve", "chain.umb", "--prop", 'P=? [F "met"]', "-q")["properties"]
    assert met["result"] == pytest.approx(result["probability"])


def test_umb_archives_may_be_compressed_and_are_not_trusted(quantiplan):
    quantiplan("convert", quantiplan.write("m.prism", CHOICE), "m.umb", code=0)
    plain = (quantiplan.folder / "m.umb").read_bytes()
    wanted = quantiplan("convert", "m.umb", "-", "--to", "prism", code=0).stdout
    import gzip
    import lzma

    for name, data in {"gz.umb": gzip.compress(plain), "xz.umb": lzma.compress(plain)}.items():
        (quantiplan.folder / name).write_bytes(data)
        assert quantiplan("convert", name, "-", "--to", "prism", code=0).stdout == wanted
        (quantiplan.folder / name).write_bytes(data[:-20])
        assert "found an end in the middle" in quantiplan.fails("info", name)[0]
    bomb = gzip.compress(b"\0" * 300_000_000)
    (quantiplan.folder / "bomb.umb").write_bytes(bomb)
    [line] = quantiplan.fails("info", "bomb.umb", "--memory-limit", "100M")
    assert "came out of it, and no end" in line or "memory" in line
    (quantiplan.folder / "bomb.umb").write_bytes(lzma.compress(b"\0" * 70_000_000, preset=0))
    [line] = quantiplan.fails("info", "bomb.umb")
    assert line == "bomb.umb: more than 64 MiB came out of it, and no end; expected less, or an unpacked file"
    (quantiplan.folder / "cut.umb").write_bytes(plain[:1000])
    assert "index.json" in quantiplan.fails("info", "cut.umb")[0]


def umb_with_holes(path, states, padding=0):
    """A chain of `states` as a sparse file: its arrays say nothing, and none of them takes room on disk."""
    system = {"time": "discrete", "#players": 1, "#states": states, "#initial-states": 1, "#choices": states,
              "#choice-actions": 0, "#branches": states, "#observations": 0}  # fmt: skip
    index = json.dumps({"format-version": 1, "format-revision": 0, "transition-system": system, "annotations": {}})
    sizes = {"state-is-initial.bin": (states + 63) // 64 * 8, "branch-to-target.bin": 8 * states, "more.bin": padding}
    with open(path, "wb") as out:
        def start(name, size):
            entry = tarfile.TarInfo(name)
            entry.size = size
            out.write(entry.tobuf(tarfile.USTAR_FORMAT))
        start("index.json", len(index))
        out.write(index.encode().ljust((len(index) + 511) // 512 * 512, b"\0"))
        for name, size in sizes.items():
            start(name, size)
            begin = out.tell()
            if name == "state-is-initial.bin":
                out.write(b"\1")
            out.seek(begin + (size + 511) // 512 * 512)
        out.truncate(out.tell() + 1024)


@sanitized
def test_umb_is_mapped_and_not_copied(quantiplan):
    """An archive of 400 MB, of which the model needs little, within a limit of 60 MB."""
    umb_with_holes(quantiplan.folder / "m.umb", 1000, padding=400_000_000)
    facts = quantiplan.json("info", "m.umb", "--memory-limit", "60M")
    assert [facts["model"][what] for what in ("states", "choices", "outcomes")] == [1000, 1000, 1000]


def test_holes_in_an_archive_are_no_model(quantiplan):
    """A file of some kilobytes that says to have 400 million states: refused before any of them is looked at."""
    umb_with_holes(quantiplan.folder / "m.umb", 400_000_000)
    assert (quantiplan.folder / "m.umb").stat().st_size > 3_000_000_000
    [line] = quantiplan.fails("info", "m.umb", "--memory-limit", "100M")
    assert "memory: reading m.umb needs more than 100 MiB" in line


def test_umb_keeps_rewards_of_branches(quantiplan):
    """Two ways to the same state, told apart by their reward alone, which no text format holds."""
    text = json.dumps({
        "format": "quantiplan-model/1", "horizon": 1, "initial": "a", "choices": [
            {"state": "a", "action": "x", "next": [{"to": "b", "probability": "1/3", "reward": 1},
                                                   {"to": "b", "probability": "2/3", "reward": 5}]}]})  # fmt: skip
    quantiplan("convert", quantiplan.write("m.json", text), "m.umb", code=0)
    with tarfile.open(quantiplan.folder / "m.umb") as archive:
        assert archive.getnames()[0] == "index.json"
        data = archive.extractfile("annotations/rewards/reward/branches/values.bin").read()
    assert struct.unpack("<3d", data) == (1, 5, 0)
    [result] = quantiplan.json("threshold", "m.umb", "--horizon", "1", "--target", "2", "-q")["results"]
    assert result["probability_exact"] == "2/3"


def test_jani_is_read(quantiplan):
    automaton = {
        "name": "m", "locations": [{"name": "l"}, {"name": "end"}], "initial-locations": ["l"],
        "edges": [{"location": "l", "action": "go", "destinations": [
            {"location": "l", "probability": {"exp": 0.5}, "assignments": [{"ref": "cost", "value": 1}]},
            {"location": "end", "probability": {"exp": 0.5}}]}],
    }  # fmt: skip
    model = {"jani-version": 1, "name": "m", "type": "dtmc", "automata": [automaton],
             "actions": [{"name": "go"}],
             "variables": [{"name": "cost", "type": "real", "transient": True, "initial-value": 0}],
             "system": {"elements": [{"automaton": "m"}], "syncs": [{"synchronise": ["go"], "result": "go"}]}}  # fmt: skip
    quantiplan.write("m.jani", json.dumps(model))
    ask = ["--goal", "m_location=1", "--cost", "-q"]
    [result] = quantiplan.json("threshold", "m.jani", *ask, "--target", "2")["results"]
    assert result["probability"] == 0.875
    model["type"] = "ctmc"
    [line] = quantiplan.fails("info", quantiplan.write("m.jani", json.dumps(model)))
    assert line == "m.jani:1: type: found 'ctmc', which is not supported; expected mdp or dtmc"
