"""Several initial states: one target for all of them, and a draw that is no step."""

import json

import pytest

from conftest import model_text

GAME = {
    "a": {"safe": [("end", 1, 5)], "risky": [("end", "1/2", 0), ("end", "1/2", 10)]},
    "b": {"go": [("end", 1, 3)]},
}
# G* = 1 up to 3, 1/2 up to 5, 1/4 up to 10.
EVEN = {"a": "1/2", "b": "1/2"}


@pytest.fixture
def game(quantiplan):
    return quantiplan.write("game.json", model_text(GAME, name="game", horizon=1, initial=EVEN))


def solve(quantiplan, *args):
    return quantiplan.json("solve", *args)["results"]


def test_one_target_is_fixed_before_the_draw(quantiplan, game):
    lower, upper, rare = solve(quantiplan, game, "--tau", "0.5", "--side", "both") + solve(
        quantiplan, game, "--tau", "0.75", "--side", "upper"
    )
    assert [r["quantile"] for r in (lower, upper, rare)] == [3, 5, 10]
    assert [r["probability_exact"] for r in (lower, upper, rare)] == ["1", "0.5", "0.25"]
    assert "from 'a' (0.5) or 'b' (0.5)" in quantiplan("solve", game, "--tau", "0.5", code=0).stdout


def test_the_command_line_says_otherwise(quantiplan, game):
    assert solve(quantiplan, game, "--tau", "0.5", "--initial", "b:1/4,a:3/4")[0]["quantile"] == 5
    assert solve(quantiplan, game, "--tau", "0.5", "--initial", "a:0,b:1")[0]["quantile"] == 3
    report = quantiplan.json("info", game, "--initial", "a:3/4,b:1/4")
    assert report["model"]["initial"] == {"a": 0.75, "b": 0.25}
    assert report["reachable_states"] == 3
    assert "3 reachable from 'a' (0.75) or 'b' (0.25)" in quantiplan("info", game, "--initial", "a:3/4,b:1/4").stdout


def test_names_may_contain_both_signs(quantiplan):
    choices = {"x:1,y:2": GAME["a"], "x:1": GAME["b"]}
    model = quantiplan.write("odd.json", model_text(choices, horizon=1))
    assert solve(quantiplan, model, "--tau", "1", "--initial", "x:1,y:2")[0]["quantile"] == 10
    assert solve(quantiplan, model, "--tau", "1", "--initial", "x:1")[0]["quantile"] == 3
    both = solve(quantiplan, model, "--tau", "0.5", "--side", "upper", "--initial", "x:1,y:2:1/2,x:1:1/2")
    assert both[0]["quantile"] == 5


@pytest.mark.parametrize(
    "text, message",
    [
        ("a:1/2,b:1/4", "--initial: probabilities sum to 0.75, must be 1"),
        ("a:3/2,b:-1/2", "--initial: found a probability of -0.5, must be from 0 to 1"),
        ("a:1/2,c:1/2", "--initial: found 'c:1/2', must be a state of the model, or several with their"),
        ("a:1/2,b", "--initial: found 'b', must be a state of the model, or several with their"),
        ("a:1/2,a:1/2", "--initial: state 'a' is given twice, must be once"),
        ("end:1/2,end:1/2", "is given twice"),
    ],
)
def test_mistakes_on_the_command_line(quantiplan, game, text, message):
    assert message in quantiplan.fails("solve", game, "--tau", "0.5", "--initial", text)[0]


@pytest.mark.parametrize(
    "initial, message",
    [
        ({"a": "1/2", "b": "1/4"}, "bad.json:4: initial: probabilities sum to 0.75, must be 1"),
        ({"a": "1/2", "bb": "1/2"}, "bad.json:5: initial: unknown state 'bb', must be a state of the model"),
        ({"a": "x", "b": "1/2"}, "bad.json:4: initial: 'a': probability: "),
        ({"a": [1], "b": "1/2"}, "bad.json:4: "),
        ({}, "bad.json:3: initial: the object is empty, must have at least one state"),
    ],
)
def test_mistakes_in_the_file(quantiplan, initial, message):
    text = json.dumps(json.loads(model_text(GAME, horizon=1, initial=initial)), indent=1)
    quantiplan.write("bad.json", text)
    assert message in "\n".join(quantiplan.fails("solve", "bad.json", "--tau", "0.5"))


def test_sums_close_to_1_are_normalised(quantiplan):
    quantiplan.write("close.json", model_text(GAME, horizon=1, initial={"a": "0.3333333", "b": "0.6666666"}))
    done = quantiplan("info", "close.json", "--json", code=0)
    assert "initial: probabilities sum to 0.9999999, normalised to 1" in done.stderr
    assert json.loads(done.stdout)["model"]["initial"] == {"a": "1/3", "b": "2/3"}
    assert "sum to 0.9999999, must be 1" in quantiplan.fails("info", "close.json", "--tolerance", "0")[0]


@pytest.mark.parametrize("command", ["solve --tau 0.5", "info", "frontier", "threshold --target 3", "tradeoff --tau 0.5",
                                     "evaluate --policy expectation", "simulate --policy expectation --episodes 5"])
def test_those_of_the_command_line_as_well(quantiplan, game, command):
    name, *more = command.split()
    close = ["--initial", "a:0.3333333,b:0.6666666"]
    done = quantiplan(name, game, *more, *close, code=0)
    assert done.stderr.count("notice: --initial: probabilities sum to 0.9999999, normalised to 1") == 1
    assert quantiplan(name, game, *more, *close, "--quiet", code=0).stderr == ""
    exact = quantiplan(name, game, *more, "--initial", "a:1/3,b:2/3", code=0)
    timeless = lambda text: [line for line in text.splitlines() if not line.startswith("Work:")]
    assert timeless(done.stdout) == timeless(exact.stdout)
    refused = quantiplan.fails(name, game, *more, *close, "--tolerance", "0")[0]
    assert "--initial: probabilities sum to 0.9999999, must be 1" in refused
    wide = ["--initial", "a:0.33,b:0.66", "--tolerance", "0.02"]
    assert "sum to 0.99, normalised to 1" in quantiplan(name, game, *more, *wide, code=0).stderr


def without_times(report):
    report["work"].pop("seconds", None)
    return report


@pytest.mark.parametrize("more", [[], ["--discount", "0.9", "--horizon", "3"], ["--exact"], ["--horizon", "infinite"]])
def test_a_point_mass_is_a_single_state(quantiplan, more):
    found = []
    for name, initial in (("one", "a"), ("mass", {"a": 1, "b": 0})):
        quantiplan.write(f"{name}.json", model_text(GAME, name="game", horizon=1, initial=initial))
        report = quantiplan.json("solve", f"{name}.json", "--tau", "0.3,0.8", "--side", "both", "--check",
                                 "--policy-out", name + "-{tau}-{side}.json", *more)
        policies = [p.read_bytes() for p in sorted(quantiplan.folder.glob(f"{name}-*.json"))]
        assert len(policies) == 4
        found.append((without_times(report), policies))
    assert found[0] == found[1]


ROUNDS = {
    "s": {"a": [("s", "1/3", 2), ("t", "2/3", -1)], "b": [("t", "1/2", 1), ("u", "1/2", 0)]},
    "t": {"a": [("u", "1/4", 3), ("s", "3/4", 0)], "b": [("t", 1, 1)]},
    "u": {"a": [("end", "1/2", 4), ("s", "1/2", 0)]},
}
SHARES = {"s": "1/2", "t": "1/3", "end": "1/6"}
KEPT = ["quantile", "bracket", "probability", "probability_exact", "mean", "mean_exact", "mean_bound", "certificate"]


@pytest.mark.parametrize("more", [["--exact"], ["--engine", "paper"], [], ["--prefer", "probability"], ["--engine", "levels"]])
def test_without_a_discount_the_draw_is_a_first_step(quantiplan, more):
    quantiplan.write("drawn.json", model_text(ROUNDS, horizon=4, initial=SHARES))
    step = {"start": {"draw": [(s, p, 0) for s, p in SHARES.items()]}, **ROUNDS}
    quantiplan.write("step.json", model_text(step, horizon=5))
    taus = ["--tau", "0.1,1/4,0.5,0.9", "--side", "both", "--check"]
    drawn, first = (solve(quantiplan, name, *taus, *more) for name in ("drawn.json", "step.json"))
    close = lambda r: {k: pytest.approx(r[k]) if isinstance(r.get(k), float) else r.get(k) for k in KEPT}
    assert [{k: r.get(k) for k in KEPT} for r in drawn] == [close(r) for r in first]
    assert all(r["check"]["passed"] for r in drawn)


@pytest.mark.parametrize(
    "query",
    ["tradeoff --tau 0.3", "tradeoff --target 4", "frontier --tau 0.5", "threshold --target 3 --target 7",
     "solve --tau 0.2,0.6 --mixed", "solve --tau 0.3 --engine lattice --epsilon 1/2", "solve --tau 0.3 --engine search",
     "evaluate --policy expectation"],
)
def test_so_it_is_for_every_query(quantiplan, query):
    quantiplan.write("drawn.json", model_text(ROUNDS, horizon=4, initial=SHARES))
    step = {"start": {"draw": [(s, p, 0) for s, p in SHARES.items()]}, **ROUNDS}
    quantiplan.write("step.json", model_text(step, horizon=5))
    command, *more = query.split()

    def told(model):
        lines = quantiplan(command, model, *more, code=0).stdout.splitlines()
        return [line for line in lines if not line.startswith(("model:", "Engine:", "Why:", "Work:"))]

    assert told("drawn.json") == told("step.json")


def test_the_draw_is_not_discounted(quantiplan):
    quantiplan.write("half.json", model_text(GAME, horizon=1, discount="1/2", initial=EVEN))
    assert solve(quantiplan, "half.json", "--tau", "0.5", "--side", "upper")[0]["quantile"] == 5


def test_policies_carry_the_start(quantiplan, game):
    quantiplan("solve", game, "--tau", "0.5", "--side", "upper", "--policy-out", "p.json", code=0)
    policy = json.loads((quantiplan.folder / "p.json").read_text())
    assert policy["initial"] == {"a": 0.5, "b": 0.5}
    assert quantiplan("check", game, "p.json", code=0)
    law = quantiplan.json("evaluate", game, "--policy", "p.json", "--at-least", "5")
    assert law["at_least"][0]["probability"] == 0.5
    played = quantiplan.json("simulate", game, "--policy", "p.json", "--episodes", "2000")
    shares = {row["wealth"]: row["count"] for row in played["totals"]} if "totals" in played else None
    assert shares is None or (set(shares) == {3, 5} and 900 < shares[3] < 1100)
    # With other shares it promises too much.
    for initial, code in (({"a": 0.25, "b": 0.75}, 4), ({"a": 0.5, "b": 0.25}, 2), ({"a": 0.5, "c": 0.5}, 2)):
        quantiplan.write("other.json", json.dumps({**policy, "initial": initial}))
        quantiplan("check", game, "other.json", code=code)


def test_some_are_over_at_once(quantiplan):
    quantiplan.write("over.json", model_text(GAME, horizon=1, initial={"a": "1/2", "end": "1/2"}))
    lower, upper = solve(quantiplan, "over.json", "--tau", "0.5", "--side", "both", "--check")
    assert (lower["quantile"], upper["quantile"], upper["probability_exact"]) == (0, 5, "0.5")
    # To a goal: who starts there is there, at a total of 0.
    lower, upper = solve(quantiplan, "over.json", "--tau", "0.5", "--side", "both", "--goal", "end", "--check")
    assert (lower["quantile"], upper["quantile"], upper["probability_exact"]) == (0, 5, "0.5")
    assert all(r["check"]["passed"] for r in (lower, upper))


def test_without_end(quantiplan):
    trip = model_text(
        {"road": {"try": [("home", "1/2", 1), ("road", "1/2", 1)]}},
        horizon="infinite", goal=["home"], rewards="cost", initial={"road": "1/2", "home": "1/2"},
    )
    quantiplan.write("trip.json", trip)
    # P(cost <= c) = 1 - 2^-(c+1).
    lower, upper = solve(quantiplan, "trip.json", "--tau", "1/8", "--side", "both", "--check")
    assert (upper["quantile"], upper["probability_exact"], lower["quantile"]) == (2, "0.875", 3)
    assert lower["check"]["passed"] and upper["check"]["passed"]


def test_what_other_formats_cannot_say(quantiplan):
    game = quantiplan.write("plain.json", model_text({"a": GAME["b"], "b": GAME["b"]}, horizon=1, initial=EVEN))
    [line] = quantiplan.fails("convert", game, "game.prism")
    assert "found 2 initial states with their probabilities, expected one" in line
    assert "the probabilities of the initial states" in quantiplan("convert", game, "game.tra", code=0).stderr
    assert "the initial states" in quantiplan("convert", game, "game.csv", code=0).stderr
    quantiplan("convert", game, "again.json", code=0)
    assert json.loads((quantiplan.folder / "again.json").read_text())["initial"] == {"a": 0.5, "b": 0.5}


def test_attitudes_need_a_single_one(quantiplan, game):
    [line] = quantiplan.fails("solve", game, "--tau", "0.5", "--attitude", "all")
    assert "initial: found with attitudes" in line
