"""What goes out is loaded by Storm and by umbi, and what they write comes in: the same counts, rewards and answers.

Only where both can be imported (scripts/test.sh storm); elsewhere the whole file is skipped by name.
"""

import json
import pathlib
from fractions import Fraction

import pytest

stormpy = pytest.importorskip("stormpy", reason="stormpy is not installed: scripts/test.sh storm installs it")
umbi = pytest.importorskip("umbi", reason="umbi is not installed: scripts/test.sh storm installs it")
import stormpy.io  # noqa: E402
import umbi.ats  # noqa: E402

MODELS = pathlib.Path(__file__).resolve().parents[1] / "prism" / "models"

MDP = """mdp
const double p = 1/3;
module m
  x : [-1..3] init 0;
  b : bool init false;
  [a] x=0 -> p:(x'=1) + 1-p:(x'=2)&(b'=true);
  [c] x=0 -> 1/4:(x'=3) + 3/4:(x'=-1);
  [] x=1 -> 0.5:(x'=0) + 0.5:(x'=3);
  [] x=-1 -> (x'=0);
  [] x>1 -> true;
endmodule
rewards "time" x<2 : 1; [a] x=0 : 2; endrewards
rewards "energy" [c] true : 3; endrewards
label "done" = x=3;
label "lost" = x=2;
"""
DTMC = (MODELS / "die.prism").read_text(encoding="utf-8").split('rewards "face"')[0]
ENDS = """mdp
module m
  x : [0..3] init 0;
  [a] x<2 -> 1/3:(x'=x+1) + 2/3:(x'=3);
endmodule
rewards "time" true : 1; endrewards
label "done" = x=2;
"""
SEVERAL = """dtmc
module m
  x : [0..4];
  [] x<4 -> 1/2:(x'=x+1) + 1/2:true;
  [] x=4 -> true;
endmodule
init x=0 | x=2 endinit
rewards "steps" x<4 : 1; endrewards
label "done" = x=4;
"""
CASES = {
    "mdp": (MDP, 'Pmax=? [F "done"]'),
    "dtmc": (DTMC, 'P=? [F "six"]'),
    "several": (SEVERAL, 'P=? [F "done"]'),
    "ends": (ENDS, 'Pmax=? [F "done"]'),
}


def from_program(path):
    options = stormpy.BuilderOptions()
    options.set_build_all_labels()
    options.set_build_all_reward_models()
    options.set_build_choice_labels()
    options.set_build_state_valuations()
    return stormpy.build_model(stormpy.parse_prism_program(str(path)), options=options)


def load(path):
    if path.suffix == ".umb":
        return stormpy.build_model_from_umb(str(path))
    if path.suffix == ".drn":
        return stormpy.build_model_from_drn(str(path))
    if path.suffix == ".tra":
        rewards = path.with_suffix(".trew")
        return stormpy.build_model_from_explicit(
            str(path), str(path.with_suffix(".lab")), transition_rewards=str(rewards) if rewards.exists() else None
        )
    return from_program(path)


def value(model, text):
    result = stormpy.model_checking(model, stormpy.parse_properties(text)[0])
    return {s: float(result.get_value(s)) for s in model.initial_states}


def shape(model):
    labels = {
        name: len(list(model.labeling.get_states(name))) for name in model.labeling.get_labels() if name != "deadlock"
    }
    return model.model_type, model.nr_states, model.nr_choices, model.nr_transitions, labels


def totals(model):
    """The sum of all state and choice rewards of each structure, whichever of the two it stands on."""
    out = {}
    for name, rewards in model.reward_models.items():
        total = sum(rewards.state_action_rewards) if rewards.has_state_action_rewards else 0
        if rewards.has_state_rewards:
            choices = [model.transition_matrix.get_row_group_end(s) - model.transition_matrix.get_row_group_start(s)
                       for s in range(model.nr_states)]
            total += sum(r * n for r, n in zip(rewards.state_rewards, choices))
        out[name] = round(float(total), 9)
    return out


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("ending", ["drn", "umb", "prism"])
def test_storm_reads_what_is_written(quantiplan, case, ending):
    text, question = CASES[case]
    quantiplan("convert", quantiplan.write("in.prism", text), f"out.{ending}", code=0)
    wanted, found = from_program(quantiplan.folder / "in.prism"), load(quantiplan.folder / f"out.{ending}")
    assert shape(found) == shape(wanted)
    assert totals(found) == totals(wanted)
    assert sorted(value(found, question).values()) == pytest.approx(sorted(value(wanted, question).values()))


@pytest.mark.parametrize("case", CASES)
def test_storm_reads_its_variant_of_tra(quantiplan, case):
    text, question = CASES[case]
    done = quantiplan("convert", quantiplan.write("in.prism", text), "out.tra", "--to", "storm-tra", code=0)
    if case == "mdp":
        assert "the exact values of 2 distinct numbers, rounded by at most 3.9e-17" in done.stderr
    wanted, found = from_program(quantiplan.folder / "in.prism"), load(quantiplan.folder / "out.tra")
    assert shape(found) == shape(wanted)
    assert sorted(value(found, question).values()) == pytest.approx(sorted(value(wanted, question).values()))


@pytest.mark.parametrize("compression", ["NO_COMPRESSION", "GZIP", "XZ"])
@pytest.mark.parametrize("case", CASES)
def test_umb_of_storm_is_read(quantiplan, case, compression):
    text, _ = CASES[case]
    model = from_program(quantiplan.folder / quantiplan.write("in.prism", text))
    options = stormpy.io.UmbExportOptions()
    options.compression = getattr(stormpy.io.CompressionMode, compression)
    stormpy.io.export_to_umb(model, str(quantiplan.folder / "storm.umb"), options=options)
    goal = {"dtmc": "six"}.get(case, "done")
    reward = {"dtmc": "flips", "several": "steps"}.get(case, "time")
    ask = ["--goal", goal, "--cost", "--target", "3,5,inf", "--reward", reward]
    if case == "several":
        ask += ["--initial", "(x=2)"]
    theirs = quantiplan.json("threshold", "storm.umb", *ask, "-q")
    ours = quantiplan.json("threshold", "in.prism", *ask, "-q")
    found = [result["probability"] for result in theirs["results"]]
    assert found == pytest.approx([result["probability"] for result in ours["results"]], abs=1e-12)
    assert any(p > 0 for p in found)


def test_quantiles_agree_with_storm(quantiplan):
    """The least cost c with Pmax(F{"time"}<=c "done") > 0.3, by Storm's own probabilities."""
    quantiplan("convert", quantiplan.write("in.prism", MDP), "out.umb", code=0)
    model = load(quantiplan.folder / "out.umb")
    within = []
    for c in range(12):
        formula = stormpy.parse_properties(f'Pmax=? [F{{"time"}}<={c} "done"]')[0]
        within.append(float(stormpy.model_checking(model, formula, only_initial_states=True).get_value(0)))
    wanted = next(c for c, p in enumerate(within) if p > 0.3)
    ours = quantiplan.json("solve", "out.umb", "--reward", "time", "--goal", "done", "--cost", "--tau", "0.7", "-q")
    assert ours["results"][0]["quantile"] == wanted == 3
    assert ours["results"][0]["probability"] == pytest.approx(within[wanted])


ONE = MDP.split('rewards "energy"')[0] + 'label "done" = x=3;\n'  # umbi keeps one annotation of each group


def test_umbi_reads_what_is_written(quantiplan):
    quantiplan("convert", quantiplan.write("in.prism", ONE), "out.umb", code=0)
    ats = umbi.ats.read(quantiplan.folder / "out.umb")
    assert (ats.num_states, ats.num_choices, ats.num_branches) == (5, 6, 9)
    assert sorted({Fraction(branch.prob) for branch in ats.branches}) == [
        Fraction(1, 4), Fraction(1, 3), Fraction(1, 2), Fraction(2, 3), Fraction(3, 4), 1
    ]  # fmt: skip


def test_umb_of_umbi_is_read(quantiplan):
    """Through umbi and back: the model is the same, number for number."""
    quantiplan("convert", quantiplan.write("in.prism", ONE), "out.umb", code=0)
    umbi.ats.write(umbi.ats.read(quantiplan.folder / "out.umb"), quantiplan.folder / "again.umb")
    first = quantiplan("convert", "out.umb", "-", "--to", "prism", code=0).stdout
    second = quantiplan("convert", "again.umb", "-", "--to", "prism", code=0).stdout
    assert first == second
    assert "1/3" in first and 'rewards "time"' in first and 'label "done"' in first


@pytest.mark.parametrize("ending", ["drn", "umb", "prism"])
@pytest.mark.parametrize("target", [2, 3, 6])
def test_storm_confirms_our_policy(quantiplan, target, ending):
    """Its probability of the chain that our policy makes is ours, and no greater than its own greatest."""
    quantiplan.write("in.prism", MDP)
    ask = ["--reward", "time", "--goal", "done", "--cost", "--target", target, "-q"]
    [ours] = quantiplan.json("threshold", "in.prism", *ask, "--policy-out", "p.json")["results"]
    quantiplan("convert", "in.prism", f"chain.{ending}", "--policy", "p.json", "--reward", "time", "-q", code=0)
    chain = load(quantiplan.folder / f"chain.{ending}")
    assert "Dtmc" in type(chain).__name__
    assert list(value(chain, 'P=? [F "met"]').values()) == [pytest.approx(ours["probability"])]
    best = stormpy.parse_properties(f'Pmax=? [F{{"time"}}<={target} "done"]')[0]
    whole = from_program(quantiplan.folder / "in.prism")
    result = stormpy.model_checking(whole, best, only_initial_states=True)
    assert float(result.get_value(whole.initial_states[0])) == pytest.approx(ours["probability"])


def test_storm_follows_our_scheduler(quantiplan):
    """Of a question where the policy looks at the state alone: the greatest chance of the goal."""
    quantiplan.write("in.prism", MDP)
    ask = ["--reward", "time", "--goal", "done", "--cost", "--target", "inf", "-q"]
    [ours] = quantiplan.json("threshold", "in.prism", *ask, "--policy-out", "p.json")["results"]
    more = ["--policy", "p.json", "--reward", "time", "--scheduler", "s.json", "-q"]
    quantiplan("convert", "in.prism", "chain.drn", *more, code=0)
    quantiplan("convert", "in.prism", "whole.drn", "-q", code=0)
    model = load(quantiplan.folder / "whole.drn")
    matrix = model.transition_matrix
    question = stormpy.parse_properties('Pmax=? [F "done"]')[0]
    scheduler = stormpy.model_checking(model, question, extract_scheduler=True).get_scheduler()
    for row in json.loads((quantiplan.folder / "s.json").read_text(encoding="utf-8")):
        local = row["c"][0]["index"] - matrix.get_row_group_start(row["s"])
        scheduler.set_choice(type(scheduler.get_choice(0))(local), row["s"])
    found = value(model.apply_scheduler(scheduler, True), 'P=? [F "done"]')
    assert list(found.values()) == [pytest.approx(ours["probability"])]


@pytest.mark.parametrize("question", [
    'Pmax=? [F{"time"}<=3 "done"]', 'Pmin=? [F{"time"}<=5 "done" | "lost"]', 'Pmax=? [F<=3 "done"]', 'Pmin=? [F "lost"]',
    'Pmax=? [F{"time"}>=3 "done"]', 'R{"time"}min=? [F "done" | "lost"]', 'R{"energy"}max=? [C<=4]',
    'Pmax=? [F{"time"}<4 "done"]', 'Pmax=? [F{"time"}<7/2 "done"]', 'Pmax=? [F{"time"}>3 "done"]', 'R{"energy"}max=? [C<2*2]',
    'Pmax=? [F{"time"}<=1+2*2 "done"]',
])  # fmt: skip
def test_their_questions_have_their_answers(quantiplan, question):
    quantiplan.write("in.prism", MDP)
    [ours] = quantiplan.json("solve", "in.prism", "--prop", question, "-q")["properties"]
    whole = from_program(quantiplan.folder / "in.prism")
    formula = stormpy.parse_properties(question)[0]
    theirs = stormpy.model_checking(whole, formula, only_initial_states=True).get_value(whole.initial_states[0])
    assert ours["result"] == pytest.approx(float(theirs), abs=1e-6)


@pytest.mark.parametrize("case", ["mdp", "ends", "several"])
def test_jani_of_storm_is_read(quantiplan, case):
    text, _ = CASES[case]
    program = stormpy.parse_prism_program(str(quantiplan.folder / quantiplan.write("in.prism", text)))
    jani, _ = program.to_jani([])
    stormpy.io.export_jani_to_file(str(quantiplan.folder / "m.jani"), jani, [])
    ask = ["--goal", "done", "--cost", "--target", "3,5,inf", "-q", "--reward", "steps" if case == "several" else "time"]
    theirs, ours = (quantiplan.json("threshold", file, *ask) for file in ("m.jani", "in.prism"))
    key = "summary" if case == "several" else "results"
    wanted = [each.get("probability", each.get("worst", {}).get("value")) for each in ours[key]]
    assert [each.get("probability", each.get("worst", {}).get("value")) for each in theirs[key]] == wanted


def whole(low, high):
    return {"kind": "bounded", "base": "int", "lower-bound": low, "upper-bound": high}


def operation(sign, left, right):
    return {"op": sign, "left": left, "right": right}


def edge(location, *to, action=None, guard=None):
    """`to`: (location, probability, {variable: value})."""
    out = {"location": location, "destinations": [
        {"location": l, "probability": {"exp": p}, "assignments": [{"ref": x, "value": v} for x, v in values.items()]}
        for l, p, values in to]}  # fmt: skip
    return out | ({"action": action} if action else {}) | ({"guard": {"exp": guard}} if guard else {})


SENDER = {"name": "sender", "initial-locations": ["idle"], "variables": [],
          "locations": [{"name": "idle", "transient-values": [{"ref": "wait", "value": "n"}]}, {"name": "wait"},
                        {"name": "done", "transient-values": [{"ref": "sent", "value": True}]}],
          "edges": [edge("idle", ("wait", 0.75, {"wait": 2}), ("idle", 0.25, {"wait": 1}), action="send"),
                    edge("wait", ("done", 1, {}), action="ack"), edge("wait", ("idle", 1, {}), action="late")]}  # fmt: skip
TAKER = {"name": "taker", "initial-locations": ["r"], "locations": [{"name": "r"}, {"name": "g"}],
         "variables": [{"name": "tries", "type": whole(0, 2), "initial-value": 0}],
         "edges": [edge("r", ("g", 0.5, {}), ("r", 0.5, {"tries": operation("%", operation("+", "tries", 1), 3)}), action="get"),
                   edge("g", ("r", 1, {"n": {"op": "min", "left": operation("+", "n", 1), "right": 2}}), action="answer")]}  # fmt: skip
COUNTER = {"name": "c", "initial-locations": ["l"], "locations": [{"name": "l"}], "variables": [],
           "edges": [edge("l", ("l", 1, {"n": {"op": "sgn", "exp": operation("-", "n", 1)}})),
                     edge("l", ("l", 1, {"n": {"op": "trc", "exp": operation("/", "n", -2)}})),
                     edge("l", ("l", 1, {"n": {"op": "abs", "exp": operation("-", "n", 2)}}), guard=operation("≥", "n", 0))]}  # fmt: skip
VECTORS = [{"synchronise": ["send", "get"], "result": "send"}, {"synchronise": ["ack", "answer"]},
           {"synchronise": ["late", None], "result": "late"}]  # fmt: skip
NETWORKS = {
    "vectors": ([SENDER, TAKER], {"syncs": VECTORS}),
    "fewer vectors": ([SENDER, TAKER], {"syncs": VECTORS[:1]}),
    "no vectors": ([SENDER, TAKER], {}),
    "one alone": ([SENDER], {}),
    "operators": ([COUNTER, SENDER], {}),
}


@pytest.mark.parametrize("network", NETWORKS)
def test_automata_of_jani_are_what_storm_makes_of_them(quantiplan, network):
    automata, more = NETWORKS[network]
    transient = [{"name": "wait", "type": "real", "transient": True, "initial-value": 0},
                 {"name": "sent", "type": "bool", "transient": True, "initial-value": False}]  # fmt: skip
    model = {"jani-version": 1, "name": "m", "type": "mdp", "features": ["derived-operators"], "automata": automata,
             "actions": [{"name": name} for name in ("send", "get", "ack", "answer", "late")], "properties": [],
             "variables": [{"name": "n", "type": whole(-2, 4), "initial-value": 0}, *transient],
             "system": {"elements": [{"automaton": each["name"]} for each in automata], **more}}  # fmt: skip
    quantiplan.write("m.jani", json.dumps(model))
    jani, _ = stormpy.parse_jani_model(str(quantiplan.folder / "m.jani"))
    options = stormpy.BuilderOptions()
    options.set_build_all_reward_models()
    wanted = stormpy.build_model(jani, options=options)
    quantiplan("convert", "m.jani", "out.umb", "-q", code=0)
    found = load(quantiplan.folder / "out.umb")
    counts = [(m.nr_states, m.nr_choices, m.nr_transitions) for m in (found, wanted)]
    assert counts[0] == counts[1]
    if network == "vectors":
        assert counts[0][0] == 15
        [question] = stormpy.parse_properties('R{"wait"}max=? [C<=6]')
        theirs = stormpy.model_checking(wanted, question, only_initial_states=True).get_value(wanted.initial_states[0])
        [ours] = quantiplan.json("solve", "m.jani", "--prop", 'R{"wait"}max=? [C<=6]', "-q")["properties"]
        assert ours["result"] == pytest.approx(float(theirs))
