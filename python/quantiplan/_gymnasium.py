"""Models from Gymnasium's tabular environments: env.unwrapped.P[s][a] = [(p, s', reward, done), ...]."""

from __future__ import annotations

import numbers
import sys
import warnings
from typing import Any

import numpy as np

from . import _core
from ._arrays import Rows
from ._errors import ModelError, Problem, QuantiplanWarning
from ._names import Names, distinct_texts


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


# Wrappers whose step() leaves what one sees, does and gets as it is.
_ONLOOKERS = {
    "Autoreset", "HumanRendering", "OrderEnforcing", "PassiveEnvChecker", "RecordEpisodeStatistics", "RecordVideo",
    "RenderCollection", "TimeLimit",
}  # fmt: skip


def warn_of_what_is_not_in_the_table(env: Any) -> None:
    """The table is that of the environment inside: a wrapper that changes what one sees, does or gets is not in it, nor
    the whims of Taxi's passengers."""
    base = getattr(env, "unwrapped", env)
    if getattr(base, "fickle_passenger", False):
        warnings.warn(
            f"the table P of {type(base).__name__} leaves out that passengers are fickle, and so does the model",
            QuantiplanWarning,
            stacklevel=3,
        )
    gymnasium = sys.modules.get("gymnasium")
    if gymnasium is None:
        return
    changed = []
    while isinstance(env, gymnasium.Wrapper):
        name = type(env).__name__
        kinds = (gymnasium.RewardWrapper, gymnasium.ActionWrapper, gymnasium.ObservationWrapper)
        steps = type(env).step is not gymnasium.Wrapper.step and name not in _ONLOOKERS
        if isinstance(env, kinds) or steps:
            changed.append(name)
        env = env.env
    if changed:
        warnings.warn(
            f"the model is that of {type(env).__name__} itself: it knows nothing of {', '.join(changed)} around it",
            QuantiplanWarning,
            stacklevel=3,
        )


def states_of(env: Any) -> list[Any]:
    """The states of the table, and "end", where an episode is over, if it has outcomes that lead there."""
    states, _ = _rows_of(env)
    return states


def states_for(env: Any, probabilities: Any) -> list[Any]:
    """The states that a list of probabilities is over: those of the environment, which may leave out the end."""
    states = states_of(env)
    return states[:-1] if states[-1] == END and len(probabilities) == len(states) - 1 else states


def has_integers(env: Any) -> bool:
    """True if states are called by whole numbers."""
    return all(isinstance(s, numbers.Integral) or s == END for s in states_of(env))


END = "end"  # an extra state without actions


def _by_key(part: Any, place: str) -> dict[Any, Any]:
    """A dict as it is, a list by position."""
    if isinstance(part, dict):
        return part
    if isinstance(part, (list, tuple)):
        return dict(enumerate(part))
    raise _wrong(place, f"found {type(part).__name__}, expected a dict or a list")


def _wrong(place: str, message: str) -> ModelError:
    return ModelError([Problem(place, message)])


def _rows_of(env: Any) -> tuple[list[Any], list[tuple[Any, Any, list[tuple[Any, Any, Any, bool]]]]]:
    """The states, and a row for each state and action with its outcomes (probability, next, reward, done)."""
    rows, ends = [], False
    table = _by_key(table_of(env), "env.P")
    states = list(table)
    for s, actions in table.items():
        keyed = _by_key(actions, f"P[{s!r}]")
        for a in sorted(keyed) if all(isinstance(a, numbers.Integral) for a in keyed) else keyed:
            place, outcomes = f"P[{s!r}][{a!r}]", []
            for outcome in keyed[a]:
                try:
                    p, s2, r, done = outcome
                except (TypeError, ValueError):
                    raise _wrong(place, f"found {outcome!r}, expected (probability, next state, reward, done)") from None
                if not done and s2 not in table:
                    raise _wrong(place, f"leads to {s2!r}, which is no state of P")
                ends = ends or bool(done)
                outcomes.append((p, END if done else s2, r, bool(done)))
            rows.append((s, a, outcomes))
    if not rows:
        raise _wrong("env.P", "found no actions, expected at least one")
    if ends and END in table:
        raise _wrong("env.P", f"found a state {END!r}, expected another name: episodes end there")
    return states + ([END] if ends else []), rows


def build(env: Any, header: dict[str, Any], tolerance: float) -> tuple[_core.Model, Names, Names]:
    states, table = _rows_of(env)
    position = {s: i for i, s in enumerate(states)}
    actions = list(dict.fromkeys(a for _, a, _ in table))
    if all(isinstance(a, numbers.Integral) for a in actions):
        actions = list(range(max(actions) + 1))
    number = {a: i for i, a in enumerate(actions)}
    begin = np.cumsum([0] + [len(outcomes) for _, _, outcomes in table])
    outcomes = [outcome for _, _, row in table for outcome in row]
    rows = Rows(
        np.asarray([position[s] for s, _, _ in table]),
        np.asarray([number[a] for _, a, _ in table]),
        begin,
        np.asarray([position[s2] for _, s2, _, _ in outcomes], dtype=np.int64),
        _plain([p for p, _, _, _ in outcomes]),
        _plain([r for _, _, r, _ in outcomes]),
    )

    def called(row: int) -> str:
        s, a, _ = table[row]
        return f"P[{s!r}][{a!r}]"

    def row_of(i: int) -> int:
        return int(np.searchsorted(begin, i, side="right")) - 1

    rows.check(
        called,
        lambda i: f"the probability in {called(row_of(i))}",
        lambda i: f"the reward in {called(row_of(i))}",
        tolerance,
    )
    model = rows.build(header, distinct_texts(states, "states"), distinct_texts(actions, "actions"))
    return model, Names("state", states), Names("action", actions)


def _plain(values: list[Any]) -> Any:
    """Doubles as such; anything else one by one, for an int may be too long and a float32 means another decimal."""
    if all(isinstance(v, float) or isinstance(v, (int, np.integer)) and abs(int(v)) <= 2**53 for v in values):
        return np.asarray(values, dtype=float)
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out
