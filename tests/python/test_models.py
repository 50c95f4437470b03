"""Models from arrays, sparse matrices, frames and environments; numbers as people have them; what errors say."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import gymnasium
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
from conftest import EXAMPLES, random_arrays

import quantiplan as qp


def same(a: qp.Model, b: qp.Model) -> bool:
    return a.convert(format="json") == b.convert(format="json")


@pytest.mark.parametrize("seed", range(5))
def test_arrays_sparse_matrices_and_frames_give_the_same_model(seed, no_warnings):
    P, R = random_arrays(seed)
    given = {"horizon": 5, "initial": 0, "discount": 1}
    dense = qp.Model.from_arrays(P, R, **given)
    assert same(dense, qp.Model.from_arrays([sp.csr_matrix(m) for m in P], R, **given))
    assert same(dense, qp.Model.from_arrays([sp.csc_array(m) for m in P], [sp.csr_matrix(r) for r in R], **given))
    frame = dense.to_frame()
    again = qp.Model.from_dataframe(frame, states=range(4), **given)
    assert same(dense, again)
    assert same(dense, qp.Model.from_dataframe(pl.from_pandas(frame), states=range(4), **given))
    assert same(dense, qp.Model.from_dataframe(pa.Table.from_pandas(frame), states=range(4), **given))


def test_rewards_of_states_actions_and_outcomes():
    P = [[[0, 1], [0, 1]], [[1, 0], [0, 1]]]
    of_states = qp.Model.from_arrays(P, [3, 5], horizon=1, initial=0)
    assert of_states.choices(0)[1] == [(0, 1, 3)]
    of_actions = qp.Model.from_arrays(P, [[3, 4], [5, 6]], horizon=1, initial=0)
    assert of_actions.choices(0)[1] == [(0, 1, 4)]
    of_outcomes = qp.Model.from_arrays(P, [[[1, 2], [3, 4]], [[5, 6], [7, 8]]], horizon=1, initial=0)
    assert of_outcomes.choices(1) == {0: [(1, 1, 4)], 1: [(1, 1, 8)]}
    assert qp.Model.from_arrays(P, 7, horizon=1, initial=0).choices(1)[0] == [(1, 1, 7)]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_floats_that_all_differ_are_normalised_exactly(dtype):
    draw = np.random.default_rng(3)
    P = draw.random((3, 40, 40)).astype(dtype)
    P /= P.sum(axis=2, keepdims=True)
    R = draw.random((3, 40, 40))
    with pytest.warns(qp.QuantiplanWarning):
        dense = qp.Model.from_arrays(P, R, horizon=2, initial=0)
        texts = [np.array([str(x) for x in values.ravel()], dtype=object).reshape(P.shape) for values in (P, R)]
        spelled = qp.Model.from_arrays(*texts, horizon=2, initial=0)
    assert same(dense, spelled) and dense.notices == spelled.notices
    row = [Fraction(str(p)) for p in P[1, 7]]
    assert [p for _, p, _ in dense.choices(7)[1]] == [p / sum(row) for p in row]


def test_half_precision_means_its_shortest_decimals(no_warnings):
    P = np.array([[[0.1, 0.9], [0, 1]]], dtype=np.float16)
    assert qp.Model.from_arrays(P, np.array([0.3, 0], dtype=np.float16), horizon=1, initial=0).choices(0)[0] == [
        (0, Fraction(1, 10), Fraction(3, 10)), (1, Fraction(9, 10), Fraction(3, 10))]


@pytest.mark.parametrize(
    "P, message",
    [
        (np.zeros((0, 0, 0)), "P has the shape (0, 0, 0), must have at least one action and one state"),
        (np.zeros((2, 0, 0)), "P has the shape (2, 0, 0), must have at least one action and one state"),
        ([[[1, 0], [0]]], "P has rows of different lengths, must be an array"),
    ],
)
def test_arrays_that_are_none(P, message):
    with pytest.raises(qp.ModelError) as error:
        qp.Model.from_arrays(P, 0, horizon=1, initial=0)
    assert str(error.value) == message


def test_frames_as_people_have_them(no_warnings):
    frame = pd.DataFrame({"state": ["a", "a"], "action": ["x", "x"], "next": ["a", "b"], "probability": [0.25, 0.75],
                          "reward": [1, 2]})
    plain = qp.Model.from_dataframe(frame, horizon=3)
    categories = frame.astype({"state": "category", "action": "category", "next": "category"})
    assert same(plain, qp.Model.from_dataframe(categories, horizon=3))
    assert same(plain, qp.Model.from_dataframe(frame.astype({"probability": "Float64", "reward": "Int64"}), horizon=3))
    assert same(plain, qp.Model.from_dataframe(pl.from_pandas(frame).lazy(), horizon=3))
    assert same(plain, qp.Model.from_dataframe({c: frame[c].tolist() for c in frame}, horizon=3))
    twice = pd.concat([frame, frame[["probability"]]], axis=1)
    with pytest.raises(qp.ModelError, match="probability: the frame has 2 columns 'probability', must have one"):
        qp.Model.from_dataframe(twice, horizon=3)


def test_wrappers_of_environments():
    lake = gymnasium.make("FrozenLake-v1", is_slippery=False)
    limited = gymnasium.wrappers.TimeLimit(lake, 9)
    assert qp.Model.from_gymnasium(gymnasium.wrappers.RecordEpisodeStatistics(limited)).horizon == 9
    changed = gymnasium.wrappers.TransformReward(limited, lambda r: 10 * r)
    with pytest.warns(qp.QuantiplanWarning, match="FrozenLakeEnv itself: it knows nothing of TransformReward"):
        assert qp.Model.from_gymnasium(changed).threshold(1)[1].probability == 1


def test_a_row_of_zeros_is_an_action_that_a_state_does_not_have():
    m = qp.Model.from_arrays([[[0, 1], [0, 0]]], [1, 0], horizon=3, initial=0)
    assert m.choices(1) == {} and list(m.choices(0)) == [0]


def test_names_are_those_that_the_user_gave():
    P = [[[0.5, 0.5], [0, 1]]]
    m = qp.Model.from_arrays(P, [1, 2], horizon=2, initial="a", states=["a", "b"], actions=["go"])
    assert m.states == ["a", "b"] and m.actions == ["go"] and m.initial == "a"
    frame = pd.DataFrame({"s": [(0, 1)], "a": [True], "s2": [(2, 3)], "p": [1], "r": [4]})
    m = qp.Model.from_dataframe(frame, state="s", action="a", next="s2", probability="p", reward="r", horizon=1)
    assert m.states == [(0, 1), (2, 3)] and m.initial == (0, 1)
    assert m.solve(tau=0.5)[0.5].policy.start().act((0, 1)) is True


def test_a_float_means_its_shortest_decimal():
    P = [[[0.1, 0.9], [0, 1]]]
    m = qp.Model.from_arrays(P, [0.1, -2.25], horizon=1, initial=0, discount=0.97)
    assert m.choices(0)[0] == [(0, Fraction(1, 10), Fraction(1, 10)), (1, Fraction(9, 10), Fraction(1, 10))]
    assert m.discount == Fraction(97, 100)


def test_exact_numbers_are_taken_exactly():
    P = np.array([[[Fraction(1, 3), Fraction(2, 3)], [Decimal("0.25"), "3/4"]]], dtype=object)
    m = qp.Model.from_arrays(P, np.array([Fraction(1, 7), 0], dtype=object), horizon=1, initial=0)
    assert m.choices(0)[0][0] == (0, Fraction(1, 3), Fraction(1, 7))
    assert m.choices(1)[0] == [(0, Fraction(1, 4), 0), (1, Fraction(3, 4), 0)]


def test_single_precision_is_normalised_with_one_warning():
    P = np.full((2, 3, 3), 1 / 3, dtype=np.float32)
    with pytest.warns(qp.QuantiplanWarning, match="the probabilities of 6 choices were normalised to 1") as caught:
        m = qp.Model.from_arrays(P, [0, 1, 2], horizon=1, initial=0)
    assert len(caught) == 1 and m.choices(0)[0][0][1] == Fraction(1, 3)


def test_rows_are_called_as_in_the_array():
    P = np.full((2, 3, 3), 1 / 3, dtype=np.float32)
    P[1, 2, 0] = 0.33333398
    with pytest.warns(qp.QuantiplanWarning, match=r"6 choices were normalised to 1; the farthest off: P\[1\]\[2\]: sum"):
        m = qp.Model.from_arrays(P, [0, 0, 1], horizon=2, initial=0)
    assert "farthest off: P[1][2]: sum" in m.notices[0]
    with pytest.warns(qp.QuantiplanWarning, match="the farthest off: state 'c', choice '1': sum"):
        qp.Model.from_arrays(P, [0, 0, 1], horizon=2, initial="a", states=["a", "b", "c"])
    with pytest.raises(qp.ModelError, match=r"P\[0\]\[0\]: probabilities sum to 1.00000000000000004, must be 1"):
        qp.Model.from_arrays([[[0.1 + 0.2, 0.7], [0, 1]]], [0, 0], horizon=2, initial=0, tolerance=0)


def test_the_tolerance_is_the_users():
    P = [[[0.5, 0.49], [0, 1]]]
    with pytest.raises(qp.ModelError, match=r"P\[0\]\[0\] sums to 0.99, must be 1"):
        qp.Model.from_arrays(P, [0, 1], horizon=1, initial=0)
    with pytest.warns(qp.QuantiplanWarning, match="normalised"):
        qp.Model.from_arrays(P, [0, 1], horizon=1, initial=0, tolerance=0.02)


def test_rewards_without_a_unit_are_named_and_rounded_only_if_asked():
    P, R = [[[0, 1], [0, 1]]], [0.1 + 0.2, 1]
    with pytest.warns(qp.QuantiplanWarning, match=r"0\.30000000000000004.*round_rewards=6"):
        m = qp.Model.from_arrays(P, R, horizon=1, initial=0)
    assert m.solve(tau=0.5)[0.5].quantile_exact == Fraction("0.30000000000000004")
    with pytest.warns(qp.QuantiplanWarning, match="rounded to 6 decimals"):
        m = qp.Model.from_arrays(P, R, horizon=1, initial=0, round_rewards=6)
    assert m.solve(tau=0.5)[0.5].quantile_exact == Fraction(3, 10)


def test_errors_name_what_the_user_gave():
    good = [[[0.5, 0.5], [0, 1]]]
    P = np.zeros((3, 20, 20))
    P[:, :, 0] = 1
    P[2, 17, 0] = 0.93
    with pytest.raises(qp.ModelError) as caught:
        qp.Model.from_arrays(P, 0, horizon=1, initial=0)
    assert str(caught.value) == "P[2][17] sums to 0.93, must be 1"
    assert caught.value.problems == [qp.Problem("P[2][17]", "P[2][17] sums to 0.93, must be 1")]
    with pytest.raises(qp.ModelError, match=r"P\[0\]\[0\] has the probability -0.5, must be from 0 to 1"):
        qp.Model.from_arrays([[[-0.5, 1.5], [0, 1]]], [0, 0], horizon=1, initial=0)
    with pytest.raises(qp.ModelError, match=r"P has the shape \(2, 2\)"):
        qp.Model.from_arrays([[1, 0], [0, 1]], [0, 0])
    with pytest.raises(qp.ModelError, match=r"R has the shape \(3,\)"):
        qp.Model.from_arrays(good, [0, 0, 0])
    with pytest.raises(qp.ModelError, match=r"R\[1\] is nan"):
        qp.Model.from_arrays(good, np.array([0, math.nan]))
    with pytest.raises(qp.ModelError, match="initial: unknown state '7'"):
        qp.Model.from_arrays(good, [0, 0], horizon=1, initial=7)
    with pytest.raises(qp.RequestError, match="horizon: found 1.5"):
        qp.Model.from_arrays(good, [0, 0], horizon=1.5, initial=0)


def test_rewards_that_are_no_numbers_are_named():
    for R, place in [
        ([0, math.nan], "R[1]"),
        (np.array([[0], [math.inf]]), "R[1][0]"),
        ([[[0, 0], [0, -math.inf]]], "R[0][1][1]"),
        ([sp.csr_matrix([[0, math.nan], [0, 0]])], "R[0][0][1]"),
    ]:
        with pytest.raises(qp.ModelError) as caught:
            qp.Model.from_arrays([[[0.5, 0.5], [0, 1]]], R, horizon=1, initial=0)
        [problem] = caught.value.problems
        assert problem.place == place and str(problem).startswith(f"{place} is ") and "finite number" in problem.message
    frame = pd.DataFrame({"state": [1, 0], "action": 0, "next": 0, "probability": 1.0, "reward": [1, math.inf]})
    with pytest.raises(qp.ModelError, match="column 'reward', row 1 is inf, must be a finite number"):
        qp.Model.from_dataframe(frame, horizon=1)


def test_all_kinds_of_problems_come_together():
    P = np.array([[[0.5, 0.4], [0, 1]], [[1.5, -0.5], [0.2, 0.8]]])
    with pytest.raises(qp.ModelError) as caught:
        qp.Model.from_arrays(P, [math.nan, 0], horizon=1, initial=0)
    assert [p.place for p in caught.value.problems] == ["R[0]", "P[1][0]", "P[1][0]", "P[0][0]"]
    assert str(caught.value).splitlines()[-1] == "P[0][0] sums to 0.9, must be 1"


def test_errors_of_frames_name_columns_and_rows():
    frame = pd.DataFrame({"state": ["a", "a"], "action": ["x", "x"], "next": ["a", "b"], "probability": [0.5, 0.4], "rewrd": [0, 1]})
    with pytest.raises(qp.ModelError, match="no column 'reward'; did you mean 'rewrd'"):
        qp.Model.from_dataframe(frame, horizon=1)
    frame = frame.rename(columns={"rewrd": "reward"})
    with pytest.raises(qp.ModelError, match="state 'a', action 'x' sums to 0.9"):
        qp.Model.from_dataframe(frame, horizon=1)
    frame.loc[1, "probability"] = math.nan
    with pytest.raises(qp.ModelError, match="column 'probability', row 1"):
        qp.Model.from_dataframe(frame, horizon=1)


def test_names_that_are_nearly_right(commute):
    with pytest.raises(qp.RequestError, match="state 'hom': there is none of this name; did you mean 'home'"):
        commute.solve(tau=0.1, initial="hom")
    with pytest.raises(TypeError, match="'treads'; did you mean 'threads'"):
        commute.solve(tau=0.1, treads=1)
    with pytest.raises(qp.RequestError, match="side: found 'left', expected lower, upper or both"):
        commute.solve(tau=0.1, side="left")
    with pytest.raises(qp.RequestError, match="tau: found 1.5, must be from 0 to 1"):
        commute.solve(tau=1.5)
    with pytest.raises(qp.FileError):
        qp.read("there-is-no-such-file.json")
    assert issubclass(qp.FileError, OSError) and issubclass(qp.ModelError, ValueError)


def test_problems_of_files_have_places(tmp_path):
    path = tmp_path / "m.json"
    path.write_text((EXAMPLES / "commute.json").read_text().replace('"probability": 0.2', '"probability": 0.3'))
    with pytest.raises(qp.ModelError) as caught:
        qp.read(path)
    assert caught.value.problems[0].place.startswith(str(path) + ":")


@pytest.mark.filterwarnings("ignore::quantiplan.QuantiplanWarning")
@pytest.mark.parametrize("ending", ["json", "csv", "prism", "drn", "tra"])
def test_every_format_can_be_written_and_read(ending, tmp_path):
    P = [[[0.5, 0.5], [0, 1]], [[0, 1], [0.25, 0.75]]]
    m = qp.Model.from_arrays(P, [[1, 2], [3, 4]], horizon=6, initial="a", states=["a", "b"], actions=["x", "y"])
    expected = m.solve(tau=0.3, horizon=6)[0.3].quantile
    m.convert(tmp_path / f"m.{ending}")
    again = qp.read(tmp_path / f"m.{ending}")
    initial = again.initial if again.initial is not None else m.initial
    assert again.solve(tau=0.3, horizon=6, initial=initial)[0.3].quantile == expected


def test_what_a_format_cannot_hold_is_said(commute, tmp_path):
    with pytest.warns(qp.QuantiplanWarning, match="has no place for"):
        commute.convert(tmp_path / "m.csv")
    with pytest.raises(qp.RefusedError, match="a PRISM program cannot hold"):
        commute.convert(tmp_path / "m.prism")


def test_constants_goals_and_costs_of_programs():
    m = qp.read("examples/gathering.prism", const={"danger": 0.1})
    assert m.states and m.info()["states"] == len(m)
    dice = qp.read("examples/dice.prism", goal="thrown", cost=True, horizon=math.inf)
    assert dice.cost and dice.horizon == math.inf and len(dice.goal) == 36
    assert len(qp.read("examples/dice.prism", goal='"thrown" & total=7').goal) == 6
    assert dice.solve(tau=0.1)[0.1].quantile == 10


def test_environments_give_their_models():
    env = gymnasium.make("CliffWalking-v1")
    m = qp.Model.from_gymnasium(env, horizon=20)
    assert m.initial == 36 and m.solve(tau=0.5)[0.5].quantile == -13
    # The outcome that ends the episode leads to the end, where nothing more is paid.
    assert m.choices("end") == {}


def test_arrays_and_environments_agree():
    env = gymnasium.make("FrozenLake-v1", is_slippery=True)
    m = qp.Model.from_gymnasium(env, horizon=12)
    P, R = np.zeros((4, 17, 17)), np.zeros((4, 17, 17))
    for s, actions in env.unwrapped.P.items():
        for a, outcomes in actions.items():
            for p, s2, r, done in outcomes:
                P[a, s, 16 if done else s2] += p
                R[a, s, 16 if done else s2] = max(R[a, s, 16 if done else s2], r)
    # Rewards of outcomes that share their end differ: only compare what arrays can say.
    f = m.threshold(1)[1].probability
    assert 0 < f < 1


def test_an_environment_without_a_table_is_refused():
    with pytest.raises(qp.ModelError, match="CartPoleEnv has no table P"):
        qp.Model.from_gymnasium(gymnasium.make("CartPole-v1"), horizon=3)


def test_models_tell_what_they_are(commute):
    assert repr(commute) == "<Model 'commute': 3 states, 3 choices, 5 outcomes, horizon 3>"
    assert len(commute) == 3 and commute.discount == 1 and commute.goal == [] and not commute.cost
    assert commute.info()["wealth_unit"] == 5


def test_every_domain_has_a_function_with_its_parameters():
    assert {"machine", "hiv", "seats", "gamble"} <= set(qp.domains.names())
    assert "levels (10)" in qp.domains.machine.__doc__
    assert same(qp.domains.machine(levels=5), qp.generate("machine", levels=5))
    assert qp.domains.inventory(demand=[0.5, 0.5]).solve(tau=0.5)
    with pytest.raises(AttributeError, match="there is no domain 'machin'; did you mean 'machine'?"):
        qp.domains.machin  # noqa: B018
    with pytest.raises(qp.RequestError, match="level: no parameter of 'machine'; did you mean 'levels'?"):
        qp.domains.machine(level=3)
    with pytest.raises(qp.RequestError, match="xy: no parameter of 'machine'; there are levels, initial_wear, horizon"):
        qp.generate("machine", xy=3)
    with pytest.raises(qp.RequestError, match="domain: there is no domain 'hivv'; did you mean 'hiv'?"):
        qp.generate("hivv")


def test_the_initial_state_may_be_drawn():
    P = [[[0, 0, 1], [0, 0, 1], [0, 0, 0]]]
    m = qp.Model.from_arrays(P, [3, 5, 0], horizon=1, initial={0: "1/4", 1: 0.75})
    assert m.initial == {0: Fraction(1, 4), 1: Fraction(3, 4)}
    r = m.solve(tau=0.25, side="upper")[0.25]
    assert (r.quantile, r.probability, r.mean) == (5, 0.75, 4.5)
    assert m.solve(tau=0.25, initial=0)[0.25].quantile == 3
    assert m.solve(tau=0.5, initial={0: 1})[0.5].quantile == 3
