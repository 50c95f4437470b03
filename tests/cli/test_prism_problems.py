"""What is wrong with a program in the PRISM language is told with its line and column; what only looks wrong is not."""

import pytest

M = "module m\n  x : [0..2];\n  [a] x<2 -> (x'=x+1);\nendmodule\n"
K = "module k\n  y : bool;\n  [a] !y -> (y'=true);\nendmodule\n"


def changed(old, new, text="mdp\n" + M):
    assert old in text
    return text.replace(old, new)


WRONG = {
    # name: (text, place of the first message, words in it)
    "an update out of range": (changed("x<2", "true"), "4:16", ["(x=2)", "'x'", "3", "[0..2]"]),
    "below the range": (changed("x+1", "x-1"), "4:15", ["-1", "[0..2]"]),
    "no bounds": (changed("[0..2]", "int"), "3:7", ["int", "not supported"]),
    "no bounds, first": (changed("[0..2]", "int init 1"), "3:7", ["int"]),
    "an empty range": (changed("[0..2]", "[2..0]"), "3:3", ["[2..0]"]),
    "a range that varies": (changed("[0..2]", "[0..x]"), "3:11", ["constant"]),
    "a fractional range": (changed("[0..2]", "[0..1/2]"), "3:12", ["whole number"]),
    "an initial value out of range": (changed("[0..2]", "[0..2] init 3"), "3:19", ["3", "[0..2]"]),
    "division by zero": (changed("(x'=x+1)", "1/x : (x'=x+1) + 1-1/x : true"), "4:15", ["(x=0)", "zero"]),
    "division by zero in a guard": (changed("x<2", "1/(x-1)<2"), "4:8", ["(x=1)", "zero"]),
    "division by zero in a constant": ("mdp\nconst double p = 1/0;\n" + M, "2:19", ["zero"]),
    "mod by zero": (changed("x+1", "mod(2,x)"), "4:18", ["mod", "0"]),
    "mod of a fraction": (changed("x+1", "mod(1/2,2)"), "4:23", ["mod", "whole number"]),
    "log": (changed("x<2", "log(x+1,2)<1"), "4:7", ["log", "irrational"]),
    "a fractional power": (changed("x<2", "x<pow(2,1/2)"), "4:9", ["pow", "irrational"]),
    "a huge power": (changed("x<2", "x<pow(10,1000000000)"), "4:9", []),
    "a huge number": (changed("x<2", "x<" + "9" * 40), "4:9", ["64 bits"]),
    "an undefined constant": ("mdp\nconst int N;\n" + M, "2:11", ["N", "--const"]),
    "a constant twice": ("mdp\nconst int N=1;\nconst int N=2;\n" + M, "3:11", ["'N'", "twice", "line 2"]),
    "a constant of another type": ("mdp\nconst int N=1/2;\n" + M, "2:14", ["int"]),
    "a condition for a number": ("mdp\nconst double p=true;\n" + M, "2:16", ["double"]),
    "constants in a circle": ("mdp\nconst int a1=b1+1;\nconst int b1=a1;\n" + M, "3:14", ["'a1'", "itself"]),
    "a constant that varies": ("mdp\nconst int N=x;\n" + M, "2:13", ["x"]),
    "a formula of itself": ("mdp\nformula f = f+1;\n" + changed("x<2", "x<f", M), "2:13", ["'f'", "f -> f"]),
    "formulas in a circle": (
        "mdp\nformula f = g;\nformula g = 1+f;\n" + changed("x<2", "x<f", M), "3:15", ["f -> g -> f"]
    ),
    "a formula twice": ("mdp\nformula f = 1;\nformula f = 2;\n" + M, "3:9", ["twice"]),
    "a variable like a constant": ("mdp\nconst int x = 1;\n" + M, "4:3", ["'x'", "twice"]),
    "no initial state": ("mdp\n" + M + "init x>2 endinit\n", "6:1", ["no initial state"]),
    "init and init": (changed("[0..2]", "[0..2] init 1") + "init x=1 endinit\n", "3:3", ["'x'"]),
    "init is no condition": ("mdp\n" + M + "init x endinit\n", "6:6", ["condition"]),
    "a fraction for a variable": (changed("x+1", "x/2"), "4:19", ["'x'", "whole number", "floor"]),
    "a condition for a whole number": (changed("x+1", "x=1"), "4:19", ["'x'", "whole number"]),
    "a number for a condition": ("mdp\n" + changed("'=true", "'=1", K), "4:17", ["'y'", "condition"]),
    "a guard that is no condition": (changed("x<2", "x+2"), "4:8", ["guard", "condition"]),
    "a probability that is a condition": (changed("(x'=x+1)", "x=0 : (x'=x+1)"), "4:15", ["number"]),
    "conditions added": (changed("x<2", "(x<2)+1>0"), "4:9", ["'+'", "condition"]),
    "conditions compared": (changed("x<2", "true<false"), "4:7", ["'<'", "condition"]),
    "a number negated": (changed("x<2", "!x"), "4:8", ["'!'", "condition"]),
    "unlike things compared": (changed("x<2", "x=true"), "4:8", ["'='"]),
    "unlike branches": (changed("x+1", "x=0?1:true"), "4:21", ["? :"]),
    "min of a condition": (changed("x+1", "min(x,true)"), "4:24", ["min"]),
    "too few arguments": (changed("x+1", "mod(x)"), "4:18", ["mod"]),
    "an unknown name": (changed("x<2", "z<2"), "4:7", ["'z'"]),
    "an unknown function": (changed("x<2", "sin(x)<2"), "4:7", ["'sin'", "min"]),
    "an unknown name, far off": ("mdp\n" + M + 'label "l" =\n  x=1 &\n  yy;\n', "8:3", ["'yy'"]),
    "an unknown variable is set": (changed("(x'", "(z'"), "4:15", ["'z'", "'m'"]),
    "an unknown label": ("mdp\n" + M + 'label "l" = "k";\n', "6:13", ["k"]),
    "an unknown module is copied": ("mdp\n" + M + "module k = n [x=y] endmodule\n", "6:8", ["'n'"]),
    "a copy without a new name": ("mdp\n" + M + "module k = m [a=b] endmodule\n", "6:8", ["'k'", "'x'"]),
    "a copy of itself": ("mdp\n" + M + "module k = k [x=y] endmodule\n", "6:8", ["'k'"]),
    "a module twice": ("mdp\n" + M + changed("x", "z", M), "6:8", ["'m'", "twice"]),
    "probabilities below 1": (changed("(x'=x+1)", "0.5 : (x'=x+1) + 0.25 : true"), "4:3", ["(x=0)", "0.75"]),
    "probabilities above 1": (changed("(x'=x+1)", "0.5 : (x'=x+1) + 0.75 : true"), "4:3", ["1.25"]),
    "probabilities, later": (changed("(x'=x+1)", "1-x/2 : (x'=x+1)"), "4:3", ["(x=1)", "0.5"]),
    "a negative probability": (changed("(x'=x+1)", "-0.5 : (x'=x+1) + 1.5 : true"), "4:14", ["-0.5"]),
    "two modules with one variable": ("mdp\n" + M + changed("y", "x", K), "7:3", ["'x'", "twice", "line 3"]),
    "a module sets another's variable": (
        "mdp\n" + M + changed("(y'=true)", "(x'=0)", K), "8:14", ["'k'", "'x'", "'m'"]
    ),
    "a variable set twice": (changed("(x'=x+1)", "(x'=1) & (x'=2)"), "4:24", ["'x'", "twice"]),
    "a global set by two at once": (
        "mdp\nglobal g : bool;\n" + (M + K).replace("(x'", "(g'=true)&(x'").replace("(y'", "(g'=true)&(y'"),
        "9:14", ["'g'", "'a'"],
    ),
    "a label that is no condition": ("mdp\n" + M + 'label "l" = x;\n', "6:13", ["condition"]),
    "a label twice": ("mdp\n" + M + 'label "l" = x=1;\nlabel "l" = x=2;\n', "7:7", ["'l'", "twice"]),
    "a label that has a meaning": ("mdp\n" + M + 'label "init" = x=1;\n', "6:7", ["init"]),
    "a reward that is a condition": ("mdp\n" + M + "rewards true : x=1; endrewards\n", "6:17", ["number"]),
    "rewards twice": ("mdp\n" + M + 'rewards "r" true : 1; endrewards\n' * 2, "7:1", ["'r'", "twice"]),
    "a module twice in the system": ("mdp\n" + M + "system m || m endsystem\n", "6:13", ["'m'", "twice"]),
    "an unknown module in the system": ("mdp\n" + M + "system k endsystem\n", "6:8", ["'k'"]),
    "a module that the system forgets": ("mdp\n" + M + K + "system m endsystem\n", "10:8", ["'k'"]),
    "an unknown action is hidden": ("mdp\n" + M + "system m/{z} endsystem\n", "6:9", ["'z'"]),
    "no arrow": (changed("->", ">"), "4:15", ["found"]),
    "no semicolon": (changed("[0..2];", "[0..2]"), "4:3", ["'['", "';'"]),
    "no end of a module": (changed("endmodule\n", ""), "5:1", ["'m'", "endmodule"]),
    "no statement": ("mdp\nmodul m\n", "2:1", ["'modul'", "module"]),
    "a strange character": (changed("x<2", "x<2 # x"), "4:11", ["'#'"]),
    "a column is a character": ("mdp\n" + M + 'label "l" = "\u00e9\u00e9" ! x;\n', "6:18", ["'!'"]),
    "a keyword as a name": (changed("x", "endmodule"), "3:13", []),
    "two model types": ("mdp\ndtmc\n" + M, "2:1", ["'dtmc'"]),
    "no module": ("mdp\n", "2:1", ["module"]),
    "a bracket too many": (changed("x<2", "(x<2"), "4:12", ["')'"]),
    "10^5 brackets": (changed("x<2", "(" * 100_000 + "x<2" + ")" * 100_000), "4:1007", ["nested"]),
    "10^5 open brackets": (changed("x<2", "(" * 100_000), "4:1007", ["nested"]),
    "10^5 negations": (changed("x<2", "!" * 100_000 + "true"), "4:1007", ["nested"]),
    "10^5 minus signs": (changed("x<2", "x<" + "-" * 100_000 + "2"), "4:1008", ["nested"]),
    "10^5 questions": (changed("x<2", "x<2?" * 100_000 + "true" + ":false" * 100_000), "4:4005", ["nested"]),
    "10^5 arrows": (changed("x<2", "x<2" + "=>x<2" * 100_000), "4:5000", ["nested"]),
    "10^5 functions": (changed("x<2", "x<" + "min(1," * 100_000), "4:6001", ["nested"]),
    "10^5 brackets of a system": ("mdp\n" + M + "system " + "(" * 100_000 + "m", "6:1008", ["nested"]),
    "clocks": (changed("[0..2]", "clock"), "3:7", ["clock", "not supported"]),
    "players": ("mdp\n" + M + "player p1 m endplayer\n", "6:1", ["player", "not supported"]),
    "observables": ("mdp\n" + M + "observables x endobservables\n", "6:1", ["observable", "not supported"]),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_told_with_its_place(quantiplan, name):
    text, place, words = WRONG[name]
    lines = quantiplan.fails("info", quantiplan.write("m.prism", text))
    assert lines[0].startswith(f"m.prism:{place}: "), lines[0]
    assert all(word in lines[0] for word in words), lines[0]
    assert all(len(line) < 400 for line in lines)


@pytest.mark.parametrize("kind, words", [
    ("ctmc", "continuous-time Markov chain"), ("stochastic", "continuous-time Markov chain"),
    ("pta", "timed automaton"), ("pomdp", "partially observable"), ("popta", "partially observable"),
    ("smg", "game"), ("csg", "game"), ("tsg", "game"), ("ma", "Markov automaton"),
    ("imdp", "interval"), ("idtmc", "interval"),
])
def test_other_kinds_of_models_are_refused_by_name(quantiplan, kind, words):
    [line] = quantiplan.fails("info", quantiplan.write("m.prism", f"// no\n  {kind}\n{M}"))
    assert line.startswith(f"m.prism:2:3: found '{kind}'") and words in line and "not supported" in line


def test_several_mistakes_at_once(quantiplan):
    text = "mdp\n" + M.replace("x<2", "y<2").replace("x+1", "z") + "rewards true : q; endrewards\n"
    lines = quantiplan.fails("info", quantiplan.write("m.prism", text))
    assert [line.split(": ")[0] for line in lines] == ["m.prism:4:7", "m.prism:4:18", "m.prism:6:16"]


def test_rubbish(quantiplan):
    (quantiplan.folder / "m.prism").write_bytes(bytes(range(256)) * 10)
    [line] = quantiplan.fails("info", "m.prism")
    assert line.startswith("m.prism:1")
    (quantiplan.folder / "m.prism").write_bytes(b"mdp\nmodule \xff\xfe endmodule")
    assert quantiplan.fails("info", "m.prism")[0].startswith("m.prism:2")
    for text in ["", "  \n\n", "// nothing\n"]:
        [line] = quantiplan.fails("info", quantiplan.write("m.prism", text))
        assert line.startswith("m.prism:")


def test_a_module_without_commands_is_one_deadlock_state(quantiplan):
    for text in ["mdp\nmodule m\n  x : bool;\nendmodule\n", changed("x<2", "x>2")]:
        found = quantiplan.json("info", quantiplan.write("m.prism", text), "-q")
        assert (found["model"]["states"], found["model"]["choices"], found["terminal_states"]) == (1, 0, 1)
    [result] = quantiplan.json("solve", "m.prism", "--tau", "0.5", "-q")["results"]
    assert (result["quantile"], result["probability"]) == (0, 1)


def test_long_chains_are_not_deep(quantiplan):
    text = changed("x<2", "x<2" + "&x<2|x<0" * 20_000).replace("x+1", "x+1" + "+0" * 50_000)
    assert quantiplan.json("info", quantiplan.write("m.prism", text))["model"]["states"] == 3


def test_what_is_never_reached_may_be_wrong(quantiplan):
    """Errors of values are those of states that are met, and only of the operands that count."""
    text = changed("x<2", "x<2 & (x=0 | 1/x>0) & (x>0 ? 1/x>0 : true)")
    text = text.replace("endmodule", "  [b] x>2 -> 1/0 : (x'=77);\nendmodule")
    assert quantiplan.json("info", quantiplan.write("m.prism", text))["model"]["states"] == 3


def test_probabilities_within_a_millionth_of_one_are_normalised_with_a_notice(quantiplan):
    text = changed("(x'=x+1)", "0.3333333333 : (x'=x+1) + 0.6666666666 : (x'=2)")
    done = quantiplan("info", quantiplan.write("m.prism", text), code=0)
    assert any("m.prism" in line and "normalised" in line for line in done.stderr.splitlines())
