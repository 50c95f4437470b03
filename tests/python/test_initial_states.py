"""Several initial states: probabilities, or a question for each of them, as the program answers it."""

from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np
import pytest
from conftest import EXAMPLES, program

import quantiplan as qp

RING = EXAMPLES / "ring.prism"


@pytest.fixture
def ring(recwarn) -> qp.Model:
    return qp.read(RING, goal="stable", cost=True, horizon=float("inf"))


def of_the_program(*more: str) -> dict:
    return program("solve", str(RING), "--goal", "stable", "--cost", "--horizon", "infinite", "--tau", "0.1,0.5", *more)


def test_every_initial_state_is_a_question_as_in_the_program(ring):
    ans = ring.solve(tau=[0.1, 0.5])
    assert isinstance(ans, qp.AnswerByState) and isinstance(ans, qp.Answer)
    expected = of_the_program()
    assert list(ans.by_state) == [each["state"] for each in expected["initial_states"]] == ring.initial
    for each in expected["initial_states"]:
        assert [r.quantile for r in ans.by_state[each["state"]]] == [r["quantile"] for r in each["answer"]["results"]]
    for low, high, row in zip(ans, ans.best, expected["summary"]):
        assert (low.initial, low.quantile) == (row["worst"]["state"], row["worst"]["value"])
        assert (high.initial, high.quantile) == (row["best"]["state"], row["best"]["value"])
    # Costs: the worst is the greatest.
    assert ans[0.1].quantile > ans.best[0.1].quantile


def test_the_table_has_a_row_for_each_state_and_question(ring):
    ans = ring.solve(tau=[0.1, 0.5])
    frame = ans.to_frame()
    assert len(frame) == 2 * len(ring.initial) and list(frame["initial"].unique()) == ring.initial
    at_once = frame[frame.tau == 0.1].set_index("initial")["quantile"]
    assert at_once.max() == ans[0.1].quantile and at_once.min() == ans.best[0.1].quantile
    assert "<td>" in ans._repr_html_() and ans.text.startswith(f"{len(ring.initial)} initial states")
    assert ans[0.1].check().passed and ans[0.1].policy.initial == ans[0.1].initial


def test_conditions_labels_and_sets_choose_among_them(ring):
    condition = "x1=0 & x2=0"
    ans = ring.solve(tau=0.1, initial=condition)
    expected = program("solve", str(RING), "--goal", "stable", "--cost", "--horizon", "infinite", "--tau", "0.1",
                       "--initial", condition)
    assert list(ans.by_state) == [each["state"] for each in expected["initial_states"]] and len(ans.by_state) == 2
    chosen = set(ring.initial[:3])
    assert set(ring.solve(tau=0.1, initial=chosen).by_state) == chosen
    one = ring.solve(tau=0.1, initial=ring.initial[0])
    assert not isinstance(one, qp.AnswerByState) and one[0.1].initial == ring.initial[0]
    assert list(ring.solve(tau=0.1, initial='"stable"').by_state) == [
        s for s in ring.initial if ring.solve(tau=0.1, initial=s)[0.1].quantile == 0
    ]


def test_thresholds_too(ring):
    found = ring.threshold([1, 3])
    assert isinstance(found, qp.ThresholdByState)
    expected = program("threshold", str(RING), "--goal", "stable", "--cost", "--horizon", "infinite", "--target", "1,3")
    for low, high, row in zip(found, found.best, expected["summary"]):
        assert float(low.probability) == pytest.approx(float(Fraction(row["worst"]["value"])), abs=1e-6)
        assert float(high.probability) == pytest.approx(float(Fraction(row["best"]["value"])), abs=1e-6)
        assert low.initial == row["worst"]["state"]
    assert len(found.to_frame()) == 2 * len(ring.initial)


def test_pickles_keep_all_of_them(ring):
    ans = pickle.loads(pickle.dumps(ring.solve(tau=0.1)))
    assert repr(ans) == repr(ring.solve(tau=0.1)) and list(ans.by_state) == ring.initial
    found = pickle.loads(pickle.dumps(ring.threshold(3)))
    assert repr(found) == repr(ring.threshold(3))


def test_curves_and_a_page_of_all_of_them(commute, tmp_path):
    curves = commute.frontier(tau=[0.3], initial={"home", "station"})
    assert isinstance(curves, qp.FrontierByState) and isinstance(curves, qp.Frontier)
    for state, curve in curves.by_state.items():
        alone = commute.frontier(tau=[0.3], initial=state)
        assert curve.levels_exact == alone.levels_exact and curve.probabilities_exact == alone.probabilities_exact
        assert curve.policy(curve.levels_exact[-1]).initial == state
    assert curves.levels_exact == curves.by_state["home"].levels_exact  # the worst
    assert repr(pickle.loads(pickle.dumps(curves))) == repr(curves)
    ans = commute.solve(tau=0.3, initial={"home", "station"})
    ans.report(tmp_path / "both.html")
    page = (tmp_path / "both.html").read_text()
    assert '"starts":{"shown":"home","of":2' in page


@pytest.mark.parametrize("ask", [lambda m, **k: m.frontier(criterion="cvar", **k), lambda m, **k: m.tradeoff(tau=0.1, **k),
                                 lambda m, **k: m.compare(tau=0.1, **k), lambda m, **k: m.expectation_policy(**k)])
def test_who_needs_one_says_so(commute, ask):
    with pytest.raises(qp.RequestError, match="initial: found 2 states, expected one here"):
        ask(commute, initial={"home", "station"})


def test_a_limit_of_time_is_for_all_of_them():
    hard = qp.generate("machine", levels=40, horizon=2000, discount=0.9999)
    some = set(hard.states[:20])
    ans = hard.solve(tau=0.1, epsilon=1e-9, initial=some, time_limit=1)
    assert ans.status == "limit_reached" and len(ans.by_state) == 20
    assert ans.work["seconds"] < 20


def test_probabilities_close_to_1_are_normalised_within_the_tolerance(commute):
    close = {"home": 0.3333333, "station": 0.6666666}
    with pytest.warns(qp.QuantiplanWarning, match="initial: probabilities sum to 0.9999999, normalised to 1") as told:
        r = commute.solve(tau=0.3, initial=close)[0.3]
    assert len(told) == 1 and told[0].filename == __file__
    assert r.initial == {"home": Fraction(1, 3), "station": Fraction(2, 3)}
    assert r.quantile == commute.solve(tau=0.3, initial={"home": "1/3", "station": "2/3"})[0.3].quantile
    with pytest.raises(qp.RequestError, match="sum to 0.99, must be 1"):
        commute.solve(tau=0.3, initial={"home": 0.33, "station": 0.66})
    wide = qp.read(EXAMPLES / "commute.json", tolerance=0.02)
    for m in (wide, pickle.loads(pickle.dumps(wide))):
        with pytest.warns(qp.QuantiplanWarning, match="sum to 0.99, normalised"):
            m.solve(tau=0.3, initial={"home": 0.33, "station": 0.66})
    strict = qp.read(EXAMPLES / "commute.json", tolerance=0)
    with pytest.raises(qp.RequestError, match="sum to 0.9999999, must be 1"):
        strict.solve(tau=0.3, initial=close)


def test_arrays_of_probabilities_over_all_states():
    P = np.array([[[0.5, 0.5], [0, 1]]], dtype=np.float32)
    m = qp.Model.from_arrays(P, [1, 0], horizon=3, initial=np.array([0.25, 0.75], dtype=np.float32))
    assert m.initial == {0: Fraction(1, 4), 1: Fraction(3, 4)}
    assert m.solve(tau=0.5, initial=np.array([1.0, 0.0]))[0.5].initial == 0
