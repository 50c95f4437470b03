"""Where models come from: arrays, data frames, environments, texts."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np

from . import _arrays, _core, _frames, _gymnasium
from ._errors import Problem, QuantiplanWarning, RequestError
from ._model_core import ModelCore
from ._names import Names, text_of as name_text, texts as name_texts
from ._numbers import Number, text_of
from ._queries import decimals_of, flag, horizon_of, initial_value, require_some, tolerance_text


class ModelSources(ModelCore):
    """The constructors."""

    @classmethod
    def from_arrays(
        cls,
        P: Any,
        R: Any,
        *,
        horizon: int | float | None = None,
        initial: Any = None,
        discount: Number = 1,
        goal: Hashable | Iterable[Hashable] = (),
        cost: bool = False,
        states: Sequence[Hashable] | None = None,
        actions: Sequence[Hashable] | None = None,
        name: str = "",
        tolerance: Number | None = None,
        round_rewards: int | None = None,
    ) -> Self:
        """A model from P[a, s, s'] and R[s], R[s, a] or R[a, s, s'].

        P is an array, or a list of scipy.sparse matrices, one for each action; a row of zeros is an action
        that a state does not have. Floats mean their shortest decimals (0.1 is one tenth), and integers,
        Fractions, Decimals and texts in arrays of objects are taken exactly.

        >>> import quantiplan as qp
        >>> m = qp.Model.from_arrays([[[0, 1], [0, 1]]], [3, 0], horizon=2, initial=0)
        >>> m.solve(tau=.5)[.5].quantile
        3.0
        """
        header = _header(name, horizon, discount, cost, tolerance, round_rewards)
        _name_states(header, initial, goal, lambda: _arrays.state_names(P, states), states is None)
        return cls._made(*_arrays.build(P, R, header, states, actions, _arrays.tolerance_of(tolerance)))

    @classmethod
    def from_dataframe(
        cls,
        frame: Any,
        *,
        state: Hashable = "state",
        action: Hashable = "action",
        next: Hashable = "next",
        probability: Hashable = "probability",
        reward: Hashable = "reward",
        horizon: int | float | None = None,
        initial: Any = None,
        discount: Number = 1,
        goal: Hashable | Iterable[Hashable] = (),
        cost: bool = False,
        states: Sequence[Hashable] | None = None,
        name: str = "",
        tolerance: Number | None = None,
        round_rewards: int | None = None,
    ) -> Self:
        """A model from a data frame with a row for each outcome: pandas, polars, or an Arrow table.

        The arguments `state` to `reward` name its columns. Rows of the same state, action, next state and
        reward are merged; the initial state is that of the first row, if none is given.

        >>> import pandas as pd, quantiplan as qp
        >>> df = pd.DataFrame({"state": ["home"] * 2, "action": ["bike", "train"], "next": ["work"] * 2,
        ...                    "probability": [1, 1], "reward": [-40, -25]})
        >>> qp.Model.from_dataframe(df, horizon=1).solve(tau=.5)[.5].quantile
        -25.0
        """
        header = _header(name, horizon, discount, cost, tolerance, round_rewards)
        names = {"state": state, "action": action, "next": next, "probability": probability, "reward": reward}
        columns = _frames.columns_of(frame, names)
        ordered = None if states is None or len(states) == 0 else list(states)
        if initial is None:
            initial = _frames.first_state(columns)
        _name_states(
            header,
            initial,
            goal,
            None if ordered is None else lambda: name_texts(ordered),
            columns["state"].dtype.kind in "iu",
            lambda state: _frames.same_state(columns, state),
        )
        return cls._made(*_frames.build(columns, names, header, ordered, _arrays.tolerance_of(tolerance)))

    @classmethod
    def from_gymnasium(
        cls,
        env: Any,
        *,
        horizon: int | float | None = None,
        initial: Any = None,
        discount: Number = 1,
        name: str = "",
        tolerance: Number | None = None,
        round_rewards: int | None = None,
    ) -> Self:
        """The model of an environment that has a table of its transitions (env.unwrapped.P), as Gymnasium's
        toy text environments have. An outcome that ends the episode leads to a state "end". Episodes begin as in
        the environment, in one state or in one of several, by its own probabilities; `initial` says otherwise. The
        horizon is that of its limit of time (TimeLimit), if none is given.

        >>> import gymnasium, quantiplan as qp
        >>> env = gymnasium.make("CliffWalking-v1")
        >>> qp.Model.from_gymnasium(env, horizon=30).solve(tau=.5)[.5].quantile
        -13.0
        """
        _gymnasium.warn_of_what_is_not_in_the_table(env)
        if horizon is None:
            horizon = getattr(getattr(env, "spec", None), "max_episode_steps", None)
        header = _header(name or _gym_name(env), horizon, discount, False, tolerance, round_rewards)
        begin = initial if initial is not None else _initial_states(env)
        _name_states(header, begin, (), lambda: name_texts(_gymnasium.states_for(env, begin)), _gymnasium.has_integers(env))
        return cls._made(*_gymnasium.build(env, header, _arrays.tolerance_of(tolerance)))

    @classmethod
    def from_json(cls, text: str | Mapping[str, Any]) -> Self:
        """A model from the text of a model file (docs/model-format.md), or from what json.loads makes of it;
        structures of wealth are declared here ("wealth": {"kind": "max"}).

        >>> import quantiplan as qp
        >>> with open("examples/commute.json") as file:
        ...     m = qp.Model.from_json(file.read())
        >>> m.initial
        'home'
        """
        if not isinstance(text, str):
            text = json.dumps(text, default=_number_in_json)
        return cls._made(_core.parse(text, "json", "", {}))

    @classmethod
    def _made(cls, core: _core.Model, states: Names | None = None, actions: Names | None = None) -> Self:
        model = cls(core, states, actions)
        for notice in model.notices:
            warnings.warn(notice, QuantiplanWarning, stacklevel=3)
        return model


def _number_in_json(value: Any) -> Any:
    """Fractions, Decimals and numbers of numpy as texts."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    return text_of(value)


def _gym_name(env: Any) -> str:
    spec = getattr(env, "spec", None)
    return str(spec.id) if spec is not None else ""


def _initial_states(env: Any) -> Any:
    """The initial state of an environment that has one, or their probabilities."""
    law = _gymnasium.initial_states(env)
    return next(iter(law)) if len(law) == 1 else law


def _header(
    name: str, horizon: Any, discount: Any, cost: bool, tolerance: Any, round_rewards: int | None
) -> dict[str, Any]:
    if name is not None and not isinstance(name, str):
        raise RequestError([Problem("name", f"found {name!r}, expected a text")])
    header: dict[str, Any] = {"name": name or "", "cost": flag(cost, "cost")}
    if horizon is not None:
        header["horizon"] = horizon_of(horizon)
    if discount is not None:
        header["discount"] = text_of(discount, "discount")
    if tolerance is not None:
        header["tolerance"] = tolerance_text(tolerance)
    if round_rewards is not None:
        header["round_rewards"] = decimals_of(round_rewards)
    return header


def _name_states(
    header: dict[str, Any],
    initial: Any,
    goal: Any,
    names: Callable[[], Sequence[str]] | None,
    are_integers: bool,
    label_of: Callable[[Hashable], Hashable] = lambda state: state,
) -> None:
    def name_of(state: Hashable) -> str:
        state = label_of(state)
        if are_integers and isinstance(state, float) and state.is_integer():
            state = int(state)  # a row of a frame makes floats of all its numbers
        return name_text(state)

    if isinstance(initial, (set, frozenset)):
        require_some(initial)
        header["may_begin"] = sorted(name_of(each) for each in initial)
    elif initial is not None:
        header["initial"] = initial_value(initial, name_of, names)
    if goal is None:
        goal = ()
    is_one = isinstance(goal, tuple) and goal and names is not None and name_of(goal) in names()
    if is_one or isinstance(goal, str) or not isinstance(goal, Iterable):
        goal = [goal]
    header["goal"] = [name_of(each) for each in goal]
