"""Data as people have it: types of numpy, masks, times, frames that are not quite right, environments of one's own."""

from __future__ import annotations

import copy
import datetime
import math
import pickle
import warnings
from decimal import Decimal
from fractions import Fraction

import gymnasium
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp

import quantiplan as qp

GOOD = [[[0.5, 0.5], [0, 1]]]
HALF = sp.csr_matrix([[0.5, 0.5], [0, 1]])
BASE = {"state": ["a", "a", "b"], "action": "x", "next": ["a", "b", "b"], "probability": [0.5, 0.5, 1], "reward": [1, 2, 3]}


def arrays(P=GOOD, R=(1, 2), **given) -> qp.Model:
    return qp.Model.from_arrays(P, list(R) if isinstance(R, tuple) else R, **{"horizon": 3, "initial": 0, **given})


def frame(**columns) -> pd.DataFrame:
    return pd.DataFrame({**BASE, **columns})


def reward_of(m: qp.Model, state=0) -> Fraction:
    return next(iter(m.choices(state).values()))[0][2]


# Arrays


@pytest.mark.parametrize(
    "R, exact",
    [
        (np.array([2**63 + 5, 1], dtype=np.uint64), 2**63 + 5),
        (np.array([2**80, 1], dtype=object), 2**80),
        (np.array([np.longdouble("0.1"), 1]), Fraction(1, 10)),
        (np.array([1, 2], dtype=">i4"), 1),
        (np.array([0.1, 2], dtype=">f4"), Fraction(1, 10)),
        (np.array(["1/3", "2"]), Fraction(1, 3)),
        (np.array([Decimal("1e3"), 2], dtype=object), 1000),
    ],
)
def test_numbers_of_every_type_are_taken_exactly(R, exact, no_warnings):
    assert reward_of(arrays(R=R)) == exact


def test_what_is_masked_is_no_number():
    for P, R, place in [
        (GOOD, np.ma.array([1, 2], mask=[0, 1]), "R[1]"),
        (np.ma.array(GOOD, mask=[[[0, 1], [0, 0]]]), [1, 2], "P[0][0][1]"),
        ([np.ma.array(GOOD[0], mask=[[0, 0], [1, 0]])], [1, 2], "P[0][1][0]"),
    ]:
        with pytest.raises(qp.ModelError) as caught:
            arrays(P, R)
        assert str(caught.value) == f"{place} is masked, must be a number"
    assert arrays(np.ma.array(GOOD, mask=False)).choices(0)
    with pytest.raises(qp.ModelError, match=r"column 'reward'\[1\] is masked"):
        qp.Model.from_dataframe({**BASE, "action": ["x"] * 3, "reward": np.ma.array([1, 2, 3], mask=[0, 1, 0])}, horizon=1)


def test_sparse_rewards_must_fit_and_stay_exact(no_warnings):
    for R, message in [
        ([HALF, HALF], "R has 2 matrices, must have 1, one for each action"),
        ([sp.eye(3)], r"R\[0\] has the shape \(3, 3\), must be \(2, 2\)"),
    ]:
        for P in ([HALF], GOOD):
            with pytest.raises(qp.ModelError, match=message):
                arrays(P, R)
    with pytest.raises(qp.ModelError, match="P is one sparse matrix, must be a list of them, one for each action"):
        arrays(HALF)
    assert reward_of(arrays([HALF], [sp.csr_matrix([[2**53 + 1, 0], [0, 3]], dtype=np.int64)])) == 2**53 + 1
    single = sp.csr_matrix(np.array([[0.1, 0.9], [0, 1]], dtype=np.float32))
    mixed = arrays([single, HALF], [single, HALF])
    assert mixed.choices(0)[0] == [(0, Fraction(1, 10), Fraction(1, 10)), (1, Fraction(9, 10), Fraction(9, 10))]
    assert reward_of(arrays([HALF, HALF], sp.csr_matrix([[0, 7], [5, 0]]))) == 0  # R[s, a]


@pytest.mark.parametrize(
    "P, R, message",
    [
        ([[[None, 1], [0, 1]]], [1, 2], "P[0][0][0] is None, must be a number"),
        ([[["1", ""], ["0", "1"]]], [1, 2], "P[0][0][1] is '', must be a number"),
        ([[["1/3", "2/3"], ["0", "one"]]], [1, 2], "P[0][1][1]: 'one' is no number"),
        ([[[Fraction(1, 2), Fraction(1, 3)], [0, 1]]], [1, 2], "P[0][0] sums to 0.833333333333, must be 1"),
        ([[[Fraction(-1, 2), Fraction(3, 2)], [0, 1]]], [1, 2], "P[0][0] has the probability -1/2, must be from 0 to 1"),
        (GOOD, [Fraction(1), None], "R[1]: found None, expected a number"),
        (GOOD, [Decimal("nan"), 1], "R[0]: found NaN, expected a finite number"),
        (GOOD, np.array([1, 2j]), "R[0]: found (1+0j), expected a number"),
        (GOOD, [Decimal("1e999999999"), 1], "R[0]: found 1.000e+999999999, expected an exponent from -1000 to 1000"),
    ],
)
def test_errors_of_objects_have_places(P, R, message):
    with pytest.raises(qp.Error) as caught:
        arrays(P, R)
    assert str(caught.value).startswith(message)


def test_sparse_matrices_in_an_array_of_objects():
    """As pymdptoolbox has them."""
    P, R = np.empty(1, dtype=object), np.empty(1, dtype=object)
    P[0], R[0] = HALF, sp.csr_matrix([[0, 7], [3, 0]])
    assert arrays(P).choices(0) == arrays(GOOD).choices(0)
    dense = arrays(GOOD, [[[0, 7], [3, 0]]])
    assert arrays(P, R).choices(0) == arrays(GOOD, R).choices(0) == dense.choices(0)


def test_what_is_wrong_is_said_once_whatever_follows():
    with pytest.raises(qp.NumberError) as caught:
        arrays(R=(1j, 1))
    assert [problem.place for problem in caught.value.problems] == ["R[0]", "R[1]"]
    assert str(caught.value).count("R[0]: found 1j, expected a number") == 1


def test_texts_of_zero_are_no_outcomes(no_warnings):
    m = arrays([[["1/3", "2/3"], ["0", "1"]], [["0", "0.0"], ["1", "0"]]])
    assert m.choices(0) == {0: [(0, Fraction(1, 3), 1), (1, Fraction(2, 3), 1)]} and list(m.choices(1)) == [0, 1]


def test_a_reward_of_many_digits_leaves_the_others_as_they_are():
    R = np.random.default_rng(5).random((2, 30, 30))
    R[0, 3, 4], R[1, 7, 7] = 1.2345678901234567e-05, 1e300
    P = np.full((2, 30, 30), 1 / 32)
    P[:, :, 0] += 2 / 32
    with pytest.warns(qp.QuantiplanWarning):
        m = qp.Model.from_arrays(P, R, horizon=2, initial=0)
    for a, s, s2 in [(0, 3, 4), (1, 7, 7), (1, 0, 29)]:
        assert m.choices(s)[a][s2] == (s2, Fraction(str(P[a, s, s2])), Fraction(repr(float(R[a, s, s2]))))


@pytest.mark.parametrize(
    "given, message",
    [
        ({"states": ["a", "a"]}, "states: 'a' is given twice, must be distinct"),
        ({"states": [1, "1"], "initial": 1}, "states: 1 has the same name as '1', must be distinct"),
        ({"P": GOOD + GOOD, "actions": ["x", "x"]}, "actions: 'x' is given twice, must be distinct"),
        ({"states": ["\ud800", "b"]}, "half of a surrogate pair"),
        ({"name": 3}, "name: found 3, expected a text"),
        ({"initial": set()}, "initial: found an empty set, expected at least one state"),
        ({"initial": {}}, "initial: found an empty dict, expected at least one state"),
        ({"discount": "much"}, "discount: 'much' is no number"),
    ],
)
def test_names_and_headers_that_cannot_be(given, message):
    with pytest.raises(qp.Error) as caught:
        arrays(**given)
    assert message in str(caught.value) and len(caught.value.problems) == 1


def test_initial_states_and_goals_as_they_come():
    assert arrays(initial=1.0).initial == 1  # from a row of a frame
    assert arrays(initial=pd.Series({0: 0.25, 1: 0.75})).initial == {0: Fraction(1, 4), 1: Fraction(3, 4)}
    assert arrays(initial=sp.csr_matrix([[0.5, 0.5]])).initial == {0: Fraction(1, 2), 1: Fraction(1, 2)}
    assert arrays(goal=None).goal == [] and arrays(name=None).name == ""
    assert arrays(states=[(0, 1), (1, 1)], initial=(0, 1), goal=(1, 1)).goal == [(1, 1)]
    assert qp.Model.from_arrays(GOOD, [1, 2]).info()["initial"] is None


# Frames


def test_whole_numbers_of_all_widths_stay_apart(no_warnings):
    m = qp.Model.from_dataframe(
        frame(state=np.array([1, 1, 2**63 + 1], dtype=np.uint64), next=np.array([1, 2, 2], dtype=np.int64)), horizon=1
    )
    assert m.states == [1, 2**63 + 1, 2] and m.initial == 1
    assert reward_of(qp.Model.from_dataframe(frame(reward=np.array([2**63 + 1, 2, 3], dtype=np.uint64)), horizon=1), "a") == 2**63 + 1
    wide = pl.DataFrame({**BASE, "reward": pl.Series([2**100, 1, 2], dtype=pl.Int128)})
    assert reward_of(qp.Model.from_dataframe(wide, horizon=1), "a") == 2**100


@pytest.mark.parametrize("unit", ["s", "us", "ns"])
def test_times_are_states(unit):
    days = pd.Series(pd.to_datetime(["2020-01-01", "2020-01-02"])).astype(f"datetime64[{unit}]")
    m = qp.Model.from_dataframe(frame(state=days.iloc[[0, 0, 1]].values, next=days.iloc[[0, 1, 1]].values), horizon=2)
    assert m.initial == pd.Timestamp("2020-01-01") and len(m) == 2
    assert m.solve(tau=0.5, initial=pd.Timestamp("2020-01-02"))[0.5].quantile == 6
    with pytest.raises(qp.ModelError, match="column 'state', row 1: nothing there, must be a state"):
        qp.Model.from_dataframe(frame(state=pd.to_datetime(["2020-01-01", None, "2020-01-02"])), horizon=1)
    dates = [datetime.date(2020, 1, 1), datetime.date(2020, 1, 2)]
    m = qp.Model.from_dataframe(pl.DataFrame({**BASE, "state": [dates[0], *dates], "next": [*dates, dates[1]]}), horizon=1)
    assert m.states == dates


def test_states_are_found_by_what_they_are_equal_to():
    floats = frame(state=[0.0, 0, 1], next=[0.0, 1, 1])
    m = qp.Model.from_dataframe(floats, horizon=3, initial=0, goal=[1])
    assert m.initial == 0 and m.goal == [1] and m.choices(np.float32(0)) == m.choices(0)
    assert m.solve(tau=0.5, initial=Fraction(0)).results[0].initial == 0
    cut = {name: pd.cut(values, [-1, 0.5, 2]) for name, values in [("state", [0, 0, 1]), ("next", [0, 1, 1])]}
    assert qp.Model.from_dataframe(frame(**cut), horizon=3, initial=pd.Interval(-1, 0.5)).initial == pd.Interval(-1, 0.5)
    with pytest.raises(qp.ModelError, match="initial: unknown state 'True'"):
        qp.Model.from_dataframe(floats, horizon=3, initial=True)
    with pytest.raises(qp.RequestError, match="state 'False': there is none"):
        m.solve(tau=0.5, initial=False)


def test_lists_keep_the_types_of_their_values():
    lists = {name: list(column) for name, column in frame().items()}
    with pytest.raises(qp.ModelError, match="column 'state', row 1: nothing there, must be a state"):
        qp.Model.from_dataframe({**lists, "state": ["a", math.nan, "b"]}, horizon=1)
    with pytest.raises(qp.ModelError, match="has the same name as '1', must be distinct"):
        qp.Model.from_dataframe({**lists, "state": [1, 1, "1"], "next": [1, "1", "1"]}, horizon=1)
    times = np.array(["2020-01-01", "2020-01-02"], dtype="datetime64[ns]")
    m = qp.Model.from_dataframe({**lists, "state": times[[0, 0, 1]], "next": times[[0, 1, 1]]}, horizon=2)
    assert m.initial == times[0] and m.states == list(times)
    assert m.solve(tau=0.5, initial=times[1])[0.5].quantile == 6
    with pytest.raises(qp.ModelError, match="the frame has no rows"):
        qp.Model.from_dataframe({name: times[:0] for name in lists}, horizon=1)


def test_columns_in_the_index_records_and_orders_of_states(no_warnings):
    plain = qp.Model.from_dataframe(frame(), horizon=2)
    for other in (frame().set_index(["state", "action"]), frame().to_records(), frame().to_dict("list")):
        assert qp.Model.from_dataframe(other, horizon=2).convert() == plain.convert()
    for order in (np.array(["b", "a"]), pd.Series(["b", "a"]), ("b", "a")):
        m = qp.Model.from_dataframe(frame(), horizon=2, states=order, initial=[0.5, 0.5])
        assert m.states == ["b", "a"] and m.initial == {"b": Fraction(1, 2), "a": Fraction(1, 2)}
    numbered = frame(state=[1, 1, 2], next=[1, 2, 2])
    assert qp.Model.from_dataframe(numbered, horizon=2, initial=numbered.mean(numeric_only=True).round()["next"]).initial == 2


@pytest.mark.parametrize(
    "given, message",
    [
        (None, "frame: found None, expected a frame of pandas or polars, an Arrow table or a dict of columns"),
        ([BASE], "frame: found list, expected a frame"),
        (frame()["state"], "frame: found Series, expected a frame"),
        (pl.Series([1, 2]), "frame: found Series, expected a frame"),
        ({**BASE, "action": ["x"] * 3, "reward": [1]}, "column 'reward' has 1 rows, must have 3 as column 'state'"),
        ({**BASE, "action": ["x"] * 3, "reward": 1}, "column 'reward' is 1, must be a list or an array"),
        (frame(state=[1, 1, "1"], next=[1, "1", "1"]), "states: 1 has the same name as '1', must be distinct"),
        (frame(reward=["1", "2", "three"]), "column 'reward', row 2: 'three' is no number"),
        (frame(probability=[Decimal(".5"), Decimal(".4"), 1]), "state 'a', action 'x' sums to 0.9, must be 1"),
        (pl.DataFrame({**BASE, "state": [[1], [1], [2]]}), "([1]) as a name, expected texts, numbers or tuples"),
        (pl.DataFrame({**BASE, "next": [{"x": 1}] * 3}), "found {'x': 1} as a name, expected texts, numbers or tuples"),
        (pa.Table.from_arrays([pa.array([1])] * 2, names=["state", "state"]), "the frame has 2 columns 'state', must have one"),
    ],
)
def test_frames_that_are_not_right(given, message):
    with pytest.raises(qp.Error) as caught:
        qp.Model.from_dataframe(given, horizon=1)
    assert message in str(caught.value)


def test_models_in_json_may_have_exact_numbers():
    text = {"format": "quantiplan-model/1", "horizon": 1, "initial": "a"}
    text["choices"] = [{"state": "a", "action": "go", "next": [
        {"to": "a", "probability": Fraction(1, 3), "reward": np.float32(0.1)}, {"to": "a", "probability": "2/3", "reward": 2**70}]}]
    assert qp.Model.from_json(text).choices("a")["go"] == [("a", Fraction(1, 3), Fraction(1, 10)), ("a", Fraction(2, 3), 2**70)]


# Environments


class Own:
    """Letters for states, words for actions."""

    def __init__(self, P):
        self.P = P

    @property
    def unwrapped(self):
        return self

    def reset(self, seed=None):
        return 0, {}

    def step(self, action):
        return 0, 0, False, False, {}


def test_tables_of_ones_own():
    P = {"a": {"go": [(0.5, "b", np.float32(0.1), False), (0.5, "a", 2**60 + 1, True)]}, "b": {}}
    m = qp.Model.from_gymnasium(Own(P), horizon=3, initial="a")
    assert m.choices("a") == {"go": [("b", Fraction(1, 2), Fraction(1, 10)), ("end", Fraction(1, 2), 2**60 + 1)]}
    assert m.states == ["a", "b", "end"]
    assert qp.Model.from_gymnasium(Own([[[(1.0, 0, 1, False)]]]), horizon=2).choices(0) == {0: [(0, 1, 1)]}
    assert qp.Model.from_gymnasium(Own({5: {0: [(1, 7, 1, False)]}, 7: {2: [(1, 7, 1, True)]}}), horizon=2, initial=5.0).states == [5, 7, "end"]


def test_an_environment_s_own_distribution_of_initial_states():
    env = gymnasium.make("FrozenLake-v1", desc=["SS", "HG"], is_slippery=False)
    for given in (env.unwrapped.initial_state_distrib, [0.5, 0.5, 0, 0], [0.5, 0.5, 0, 0, 0]):
        assert qp.Model.from_gymnasium(env, horizon=4, initial=given).initial == {0: Fraction(1, 2), 1: Fraction(1, 2)}
    with pytest.raises(qp.RequestError, match=r"probabilities of the shape \(3,\), expected one for each of 5 states"):
        qp.Model.from_gymnasium(env, horizon=4, initial=[0.5, 0.5, 0])


@pytest.mark.parametrize(
    "P, message",
    [
        ({0: {0: [(1.0, 5, 1, False)]}}, "P[0][0]: leads to 5, which is no state of P"),
        ({0: {0: [(1.0, 0, 1)]}}, "P[0][0]: found (1.0, 0, 1), expected (probability, next state, reward, done)"),
        ({0: {}}, "env.P: found no actions, expected at least one"),
        (np.zeros((2, 2, 2)), "env.P: found ndarray, expected a dict or a list"),
        ({0: {0: [(0.5, 0, 1, False), (0.43, 0, 1, False)]}}, "P[0][0] sums to 0.93, must be 1"),
        ({0: {0: [(1, 0, None, False)]}}, "the reward in P[0][0]: found None, expected a number"),
        ({"end": {0: [(1, "end", 0, True)]}}, "env.P: found a state 'end', expected another name: episodes end there"),
    ],
)
def test_tables_that_are_not_right(P, message):
    with pytest.raises(qp.ModelError if "None" not in message else qp.NumberError) as caught:
        qp.Model.from_gymnasium(Own(P), horizon=2, initial=0)
    assert str(caught.value) == message


def test_warnings_name_the_line_of_the_user():
    env = gymnasium.wrappers.TransformReward(gymnasium.make("CliffWalking-v1"), lambda r: 2 * r)
    with pytest.warns(qp.QuantiplanWarning, match="knows nothing of TransformReward") as caught:
        qp.Model.from_gymnasium(env, horizon=3)
    assert caught[0].filename == __file__


class Shaped(gymnasium.Wrapper):
    def step(self, action):
        state, reward, terminated, truncated, info = self.env.step(action)
        return state, reward + 1, terminated, truncated, info


def test_what_is_not_in_the_table_is_said(no_warnings):
    cliff = gymnasium.make("CliffWalking-v1")
    for wrapper in (gymnasium.wrappers.NormalizeReward, Shaped):
        with pytest.warns(qp.QuantiplanWarning, match=f"it knows nothing of {wrapper.__name__} around it"):
            qp.Model.from_gymnasium(wrapper(cliff), horizon=3)
    for wrapper in (gymnasium.Wrapper, gymnasium.wrappers.RecordEpisodeStatistics, gymnasium.wrappers.Autoreset):
        qp.Model.from_gymnasium(wrapper(cliff), horizon=3)
    cliff.unwrapped.fickle_passenger = True  # as Taxi has it
    with pytest.warns(qp.QuantiplanWarning, match="the table P of CliffWalkingEnv leaves out that passengers are fickle"):
        qp.Model.from_gymnasium(cliff, horizon=3)


def test_an_environment_that_ends_before_the_policy_does_is_told_once():
    cliff = gymnasium.make("CliffWalking-v1", max_episode_steps=5)
    live = qp.gym.follow(cliff, qp.Model.from_gymnasium(cliff, horizon=30).solve(tau=0.5)[0.5].policy)
    with pytest.warns(qp.QuantiplanWarning, match="ended the episode after 5 steps, but the policy counts on more") as caught:
        assert live.play(seed=1) == live.play(seed=2) == -5
    assert len(caught) == 1 and caught[0].filename == __file__
    short = qp.Model.from_gymnasium(cliff).solve(tau=0.5)[0.5].policy
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert qp.gym.follow(cliff, short).play(seed=1) == -5


def test_environments_that_are_followed_can_be_copied_and_pickled():
    env = gymnasium.make("CliffWalking-v1")
    policy = qp.Model.from_gymnasium(env, horizon=30).solve(tau=0.5)[0.5].policy
    live = qp.gym.follow(env, policy)
    live.reset(seed=1)
    live.step()
    for other in (copy.deepcopy(live), pickle.loads(pickle.dumps(live))):
        assert repr(other) == repr(live) and other.run.state == live.run.state and other.act() == live.act()
    with pytest.raises(qp.RequestError, match="env: found 2 environments in one, expected one"):
        qp.gym.follow(gymnasium.make_vec("CliffWalking-v1", num_envs=2), policy)
    with pytest.raises(AttributeError):
        live.__no_such__  # noqa: B018


def test_episodes_side_by_side_have_runs_of_their_own():
    env = gymnasium.make_vec("CliffWalking-v1", num_envs=3, vectorization_mode="sync")
    m = qp.Model.from_gymnasium(gymnasium.make("CliffWalking-v1"), horizon=30)
    policy = m.solve(tau=0.5)[0.5].policy
    seen, _ = env.reset(seed=1)
    runs = [policy.start(state=s) for s in seen]
    while not all(run.is_over for run in runs):
        seen, rewards, ended, _, _ = env.step(np.array([0 if run.is_over else run.act() for run in runs]))
        for run, state, reward, is_end in zip(runs, seen, rewards, ended):
            if not run.is_over:
                run.observe(reward, "end" if is_end else state)
    assert [run.collected for run in runs] == [-13] * 3 and math.isclose(runs[0].chance, 1)
