"""The edges of the package: orders of one's own where they have no answer, numbers beyond floats, keys, pictures, exits."""

from __future__ import annotations

import math
import subprocess
import sys
import textwrap
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
