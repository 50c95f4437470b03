"""The edges of the package: orders of one's own where they have no answer, numbers beyond floats, keys, pictures, exits."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import textwrap
import warnings
from decimal import Decimal
from fractions import Fraction

import matplotlib
import numpy as np
import pytest

import quantiplan as qp

matplotlib.use("Agg")

ONE = [[[0.5, 0.5], [0, 1]]]


class WorstDay:
    def initial(self):
        return 100

    def update(self, wealth, reward):
        return min(wealth, reward)

    def key(self, wealth):
        return wealth

    def number(self, wealth):
        return wealth


# Orders of one's own


def test_an_order_of_ones_own_is_no_sum(commute):
    for call, place in [
        (lambda: commute.tradeoff(tau=0.3, structure=WorstDay()), "tradeoff"),
        (lambda: commute.tradeoff(target=-25, structure=WorstDay()), "tradeoff"),
        (lambda: commute.solve(tau=0.3, mixed=True, structure=WorstDay()), "mixed"),
        (lambda: commute.attitudes(tau=0.3, structure=WorstDay()), "structure"),
    ]:
        with pytest.raises(qp.RefusedError, match="expected sums of rewards") as caught:
            call()
        assert caught.value.problems[0].place == place


@pytest.mark.parametrize("given", [3, WorstDay, type("NoKey", (), {"initial": int, "update": int})()])
def test_what_is_no_order_is_named(commute, given):
    with pytest.raises(qp.RequestError, match="structure: found .*, expected an object with the methods initial, update and key"):
        commute.solve(tau=0.3, structure=given)


def test_files_have_no_order_of_ones_own(commute, tmp_path):
    policy = commute.solve(tau=0.3, structure=WorstDay())[0.3].policy
    with pytest.warns(qp.QuantiplanWarning, match="has no place for a structure of one's own"):
        policy.save(tmp_path / "p.json")
    again = qp.load_policy(tmp_path / "p.json", structure=WorstDay())
    assert again.evaluate().levels_exact == policy.evaluate().levels_exact != qp.load_policy(tmp_path / "p.json").evaluate().levels_exact
    assert commute.load_policy(tmp_path / "p.json", WorstDay()).evaluate().mean.exact == policy.evaluate().mean.exact
    with pytest.raises(qp.FileError, match="none.json: there is no such file"):
        qp.load_policy(tmp_path / "none.json")


AT_THE_END = """
    import quantiplan as qp
    m = qp.read("examples/commute.json")
    class WorstDay:
        def initial(self): return 100
        def update(self, wealth, reward): return min(wealth, reward)
        def key(self, wealth): return wealth
    def main(): return m.solve(tau=.3, structure=WorstDay())
    a = main()
"""


def test_scripts_end_in_silence():
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(AT_THE_END)], capture_output=True, text=True, check=True)
    assert done.stdout == done.stderr == ""


# Numbers beyond floats


def test_totals_greater_than_all_floats():
    m = qp.Model.from_arrays(ONE, ["1e400", "-1e400"], horizon=2, initial=0)
    assert m.frontier().levels.tolist() == [0, math.inf] and "from 0 to 2e+400" in repr(m.frontier())
    found = m.threshold("1e400")
    assert found.to_frame()["target"].tolist() == [math.inf] and "target 1e+400:" in repr(found)
    r = m.solve(tau=0.6)[0.6]
    assert r.quantile_exact == 2 * 10**400 and r.quantile == math.inf and "2e+400 exact" in repr(r)
    assert r.policy.simulate(10).levels.tolist() == [0, math.inf]
    assert "tau 1e-400 " in repr(m.solve(tau="1e-400"))


@pytest.mark.parametrize(
    "reward, shown",
    [("1/3", "1/3"), ("1e-30", "1e-30"), ("0.123456789012", "0.123456789012"), ("0.30000000000000004", "~0.3"), ("-1234567/7654321", "~-0.1612902046")],
)
def test_what_is_rounded_says_so(reward, shown):
    m = qp.Model.from_arrays([[[1]]], [reward], horizon=1, initial=0)
    assert f"lower: {shown} exact, P(W >= {shown}) = 1.0" in repr(m.solve(tau=0.5)[0.5])


def test_fractions_of_any_length_go_in():
    m = qp.Model.from_arrays(ONE, [1, 2], horizon=60, initial=0, discount=Fraction(10**30 + 7, 10**30 + 9))
    r = m.solve(tau=0.3, epsilon=1)[0.3]
    run = r.policy.start()
    for _ in range(50):
        run.act()
        run.observe(1 + run.state, run.state)
    assert len(str(run.collected.denominator)) > 1000
    assert r.distribution.at_least(run.collected) == 1 and r.distribution.at_least(2 * run.collected + 20) == 0
    wide = Fraction(2**40_000, 2**40_000 - 1)
    short = qp.Model.from_arrays(ONE, [1, 2], horizon=2, initial=0)
    assert short.threshold(wide)[wide].probability == short.threshold("1.0001")["1.0001"].probability == 1
    assert short.solve(tau=wide - 1)[wide - 1].quantile == 2
    run = short.solve(tau=0.5)[0.5].policy
    assert run.explain(0, wealth=-wide).wealth == -wide


@pytest.mark.parametrize("text", ["1e999999999", "1e-999999999", Decimal("1e999999999"), "#ff", "0." + "1" * 2000])
def test_numbers_that_take_all_memory_are_refused(commute, text):
    for call in (
        lambda: commute.solve(probability=text),
        lambda: commute.solve(tau=0.3)[text],
        lambda: qp.read("examples/commute.json", tolerance=text),
        lambda: commute.solve(tau=0.3, initial={"home": text}),
        lambda: commute.tradeoff(tau=0.3, mean_gap=text),
    ):
        with pytest.raises((qp.Error, KeyError)):
            call()


def test_a_float_means_the_level_that_it_is_nearest_to():
    m = qp.Model.from_arrays(ONE, [0, "5/6"], horizon=2, initial=0)
    r = m.solve(tau=0.6)[0.6]
    assert r.quantile_exact == Fraction(5, 6) < Fraction(repr(r.quantile))
    assert r.distribution.at_least(r.quantile).exact == r.probability.exact == Fraction(1, 2)
    assert r.distribution.at_least(0.8333).exact == Fraction(1, 2) and r.distribution.at_least(0.834) == 0
    costs = m.solve(tau=0.6, cost=True)[0.6]
    assert costs.distribution.at_least(5 / 6).exact == 1 and costs.distribution.at_least(0.83).exact == Fraction(1, 2)
    played = r.policy.simulate(100, seed=1)
    assert played.at_least(Fraction(5, 6)) == played.at_least(r.quantile) == played.at_least("5/6") > 0


# Arguments and keys


def test_taus_and_targets_as_arrays_of_one_number(commute):
    assert commute.solve(tau=np.array(0.3))[np.array(0.3)].quantile == -25
    assert commute.threshold(np.array(-25))[-25].probability == 0.72
    assert commute.threshold(["-50/2"])["-50/2"].probability == commute.threshold("-25")["-50/2"].probability == 0.72
    for wrong in (b".1", [[0.1]], None):
        with pytest.raises(qp.RequestError if wrong is None else qp.NumberError, match="^tau: found"):
            commute.solve(tau=wrong)


def test_what_an_answer_has(commute):
    ans = commute.solve(tau=[0.1, 0.3], side="both")
    assert 0.1 in ans and (0.3, "upper") in ans and ans[0.1] in ans and Fraction(1, 10) in ans
    assert 0.2 not in ans and (0.1, "left") not in ans and "x" not in ans and None not in ans


def one_state() -> qp.Model:
    return qp.Model.from_arrays([[[1]]], [1])


def test_what_is_missing_is_said_as_in_python(tmp_path):
    path = tmp_path / "m.prism"
    path.write_text("mdp\nconst int N; const int K;\nmodule m\n s : [0..N] init 0;\n [] s<K -> (s'=s+1);\nendmodule\n")
    with pytest.raises(qp.ModelError, match='the constants N, K have no value; give const={"N": ..., "K": ...}'):
        qp.read(path)


def test_wrong_arguments_are_named(commute):
    for call, message in [
        (lambda: commute.tradeoff(tau=[0.1, 0.2]), "tau: found 2 of them, expected one"),
        (lambda: commute.solve(tau=0.1, mean_gap=-1), "mean_gap: found -1, expected a part, from 0 to 1"),
        (lambda: commute.convert(format="umb"), "format: found umb, which is no text, expected a path"),
        (lambda: qp.generate(3), "domain: found 3, expected a text"),
        (lambda: qp.generate("inventory", capacity=None), "capacity: found None, expected a number"),
        (lambda: qp.read("examples/dice.prism", const={"n": None}), "const n: found None, expected a number"),
        (lambda: commute.solve(tau=0), 'tau: the lower quantile is undefined at 0; give side="upper"'),
        (lambda: commute.solve(tau=0.1, horizon=0), "horizon: found 0, expected a whole number of steps from 1, or math.inf for no end"),
        (lambda: one_state().solve(tau=0.1, initial=0), "no horizon: the model has none; give horizon=N, or horizon=math.inf"),
        (lambda: one_state().solve(tau=0.1, horizon=1), "no initial state: the model has none; give initial=STATE"),
    ]:
        with pytest.raises(qp.Error) as caught:
            call()
        assert str(caught.value) == message
    assert qp.read("examples/commute.json", memory_limit=10**9).name == "commute"
    assert set(dir(qp.domains)) == {"names", *qp.domains.names()}


def test_a_curve_without_end_is_followed_as_by_the_program():
    curve = qp.read("examples/upload.json").frontier()
    assert curve.levels.tolist() == [2, 5, 7] and curve.probabilities_exact[:2] == [Fraction(3, 5), Fraction(99, 100)]
    assert curve.upto == 7 and [q["quantile"] for q in curve.quantiles] == [7, 5, 5, 5, 2, 2, 2, 2, 2]


def test_mixtures_say_what_they_are():
    mixed = qp.generate("inventory").solve(tau=0.2, mixed=True)[0.2].mixed
    assert repr(mixed.policy) == "<Policy mixed of two, by a coin before the start>"


# Pictures


class BadDays:
    def initial(self):
        return 0

    def update(self, wealth, reward):
        return wealth + (reward < -10)

    def key(self, wealth):
        return -wealth

    def text(self, key):
        return f"{-key} bad days"


def test_pictures_of_a_sure_thing_show_it():
    sure = qp.Model.from_arrays([[[1]]], [3], horizon=2, initial=0)
    for drawn, steps in [
        (sure.solve(tau=0.1)[0.1].plot(), [1, 1, 0]),
        (sure.frontier().plot(), [1, 1, 0]),
        (sure.solve(tau=0.1, cost=True)[0.1].plot(), [0, 1, 1]),
    ]:
        x, y = drawn.lines[0].get_data()
        assert list(y) == steps and x[0] < x[1] == 6 < x[2]
    two = qp.Model.from_arrays(ONE, [0, 2], horizon=2, initial=0).solve(tau=0.6)[0.6].plot()
    assert list(two.lines[0].get_data()[1]) == [1, 1, 0.5, 0] and two.lines[1].get_xdata()[0] == 2


def test_pictures_of_classes_have_their_names(commute):
    r = commute.solve(tau=0.3, structure=BadDays())[0.3]
    drawn = r.plot()
    names = [label.get_text() for label in drawn.get_xticklabels()]
    assert names == r.distribution.classes and r.level in names
    assert drawn.lines[1].get_xdata()[0] == 1 + names.index(r.level)
    curve = commute.frontier(structure=BadDays())
    assert [label.get_text() for label in curve.plot().get_xticklabels()] == curve.classes
    many = qp.read("examples/service.json").frontier(horizon=7)
    axes = many.plot()
    axes.figure.draw_without_rendering()
    assert len(many) > 24 and axes.get_xlabel() == "class"
    ends = [label.get_window_extent().x1 for label in axes.get_xticklabels()]
    assert len(ends) > 12 and min(np.diff(ends)) > 12  # slanted, and none upon another


# Files


def test_what_read_is_told_is_written_too(tmp_path):
    for name, said in [
        ("examples/dice.prism", {"goal": "thrown", "cost": True, "horizon": math.inf}),
        ("examples/commute.json", {"horizon": 2, "goal": "office"}),
        ("examples/machine.json", {"horizon": 3, "cost": True}),
    ]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            m = qp.read(name, **said)
        m.save(tmp_path / "m.json")
        again = qp.read(os.fsencode(tmp_path / "m.json"))
        assert (again.goal, again.cost, again.horizon) == (m.goal, m.cost, m.horizon) and again.discount == m.discount
        assert repr(again.solve(tau=0.3, epsilon=1)) == repr(m.solve(tau=0.3, epsilon=1))
        assert qp.Model.from_json(m.convert()).goal == m.goal
        assert [m.choices(s) for s in m.states] == [again.choices(s) for s in again.states]


def test_labels_and_vectors_are_shown_as_they_are_observed():
    for name, state, expected in [
        ("service", "fresh", ("by the book", [("fresh", Fraction(19, 20), "silver"), ("fresh", Fraction(1, 20), "bronze")])),
        ("delivery", "depot", ("express", [("delivered", Fraction(97, 100), (0, 60)), ("delivered", Fraction(3, 100), (1, 60))])),
        ("workflow", "written", None),
    ]:
        m = qp.read(f"examples/{name}.json")
        if expected is not None:
            assert m.choices(state)[expected[0]] == expected[1]
            assert m.to_frame()["reward"][0] == expected[1][0][2]
        policy = m.solve(tau=0.1)[0.1].policy
        run = policy.start()
        for state, action, reward, following in policy.simulate(1, trace=True).steps[0]:
            assert run.state == state and run.act() == action
            with pytest.raises(qp.RequestError, match="reward: found 3, expected a (label or None|vector of numbers)"):
                run.observe(3, following)
            run.observe(reward, following)
        assert run.is_over
    with pytest.raises(qp.RequestError, match=r"const: found \[1\], expected a dict"):
        qp.read("examples/dice.prism", const=[1])
