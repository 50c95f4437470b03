"""Models from Gymnasium's tabular environments: env.unwrapped.P[s][a] = [(p, s', reward, done), ...]."""

from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy as np

from . import _core
from ._arrays import Rows
from ._errors import ModelError, Problem, QuantiplanWarning
from ._names import Names


def initial_states(env: Any) -> dict[int, Any]:
    """The distribution of initial states: their probabilities, where these are positive."""
    table_of(env)
    base = env.unwrapped
    law = getattr(base, "initial_state_distrib", None)
    if law is None:
        start = getattr(base, "start_state_index", None)
        if start is None:
            state, _ = env.reset(seed=0)
            start = int(state)
        return {int(start): 1}
    return {int(s): law[s] for s in np.flatnonzero(law)}


def table_of(env: Any) -> Any:
    """The environment's transitions; an error if it has none."""
    base = getattr(env, "unwrapped", env)
    table = getattr(base, "P", None)
    if table is None:
        raise ModelError(
            [
                Problem(
                    "env",
                    f"{type(base).__name__} has no table P of its transitions, which Gymnasium's toy text "
                    "environments have; build a model with from_arrays or from_dataframe",
                )
            ]
        )
    return table


def warn_of_wrappers(env: Any) -> None:
    """The table is that of the environment inside: a wrapper that changes what one sees, does or gets is not in it."""
    gymnasium = sys.modules.get("gymnasium")
    if gymnasium is None:
        return
    kinds = (gymnasium.RewardWrapper, gymnasium.ActionWrapper, gymnasium.ObservationWrapper)
    changed = []
    while isinstance(env, gymnasium.Wrapper):
        if isinstance(env, kinds):
            changed.append(type(env).__name__)
        env = env.env
    if changed:
        warnings.warn(
            f"the model is that of {type(env).__name__} itself: it knows nothing of {', '.join(changed)} around it",
            QuantiplanWarning,
            stacklevel=4,
        )


def build(env: Any, header: dict[str, Any], tolerance: float) -> tuple[_core.Model, Names, Names]:
    table = table_of(env)
    count = len(table)
    end = count  # where an episode is over: an extra state without actions
    state, action, begin, following, probability, reward = [], [], [0], [], [], []
    uses_end = False
    for s in range(count):
        for a in sorted(table[s]):
            state.append(s)
            action.append(a)
            for p, s2, r, done in table[s][a]:
                following.append(end if done else int(s2))
                uses_end = uses_end or bool(done)
                probability.append(p)
                reward.append(r)
            begin.append(len(following))
    actions = max(action) + 1
    states: list[Any] = list(range(count)) + (["end"] if uses_end else [])
    rows = Rows(
        np.asarray(state), np.asarray(action), np.asarray(begin), np.asarray(following), _plain(probability), _plain(reward)
    )
    row_of = np.repeat(np.arange(len(state)), np.diff(begin))
    rows.check(
        lambda r: f"P[{rows.state[r]}][{rows.action[r]}]",
        lambda i: f"the reward in P[{rows.state[row_of[i]]}][{rows.action[row_of[i]]}]",
        tolerance,
    )
    model = rows.build(header, [str(s) for s in states], [str(a) for a in range(actions)])
    return model, Names("state", states), Names("action", list(range(actions)))


def _plain(values: list[Any]) -> Any:
    if all(isinstance(v, (int, float, np.floating, np.integer)) for v in values):
        return np.asarray(values, dtype=float)
    return np.asarray(values, dtype=object)
