"""What a model is: its parts, its names, its files."""

from __future__ import annotations

import html
import json
import math
import os
import warnings
from collections.abc import Hashable, Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._errors import Problem, QuantiplanWarning, RequestError, in_arrays, in_python
from ._names import Names
from ._queries import Asking, split

if TYPE_CHECKING:
    from typing import Unpack

    from .structures import Structure


class ModelCore:
    """What the library holds, and what the user calls its states and actions."""

    def __init__(
        self,
        core: _core.Model,
        states: Names | None = None,
        actions: Names | None = None,
        setting: dict[str, Any] | None = None,
    ) -> None:
        self._core = core
        self._states = states or Names("state")
        self._actions = actions or Names("action")
        self._setting = setting or {}  # what qp.read was told besides the file

    @property
    def name(self) -> str:
        """What the model is called; "" where it has no name."""
        return self._core.name

    @property
    def horizon(self) -> int | float | None:
        """Number of steps, math.inf, or None if every call must say it."""
        if "horizon" in self._setting:
            return math.inf if self._setting["horizon"] < 0 else int(self._setting["horizon"])
        horizon: int | float | None = self._core.horizon
        return horizon

    @property
    def discount(self) -> Fraction:
        """What a reward is worth one step later."""
        return self._core.discount if self._core.discount is not None else Fraction(1)

    @property
    def initial(self) -> Any:
        """The initial state, as the user calls it; a dict of probabilities where it is drawn; a list where there are
        several and no probabilities, each of which is a question."""
        several = self._core.possible_initial
        if several:
            return [self._states.label(name) for name in several]
        return self._initial_label(self._core.initial)

    def _initial_label(self, name: Any) -> Any:
        if isinstance(name, dict):
            return {self._states.label(each): probability for each, probability in name.items()}
        return None if name is None else self._states.label(name)

    @property
    def goal(self) -> list[Any]:
        """The goal states, as the user calls them."""
        return [self._states.label(name) for name in self._setting.get("goal", self._core.goal)]

    @property
    def labels(self) -> dict[str, list[Any]]:
        """Named sets of states, as model checkers have them."""
        return {label: [self._states.label(n) for n in names] for label, names in self._core.labels.items()}

    @property
    def cost(self) -> bool:
        """True if rewards are costs, to be kept small."""
        return bool(self._setting.get("cost", self._core.cost))

    @property
    def notices(self) -> list[str]:
        """What was mended when the model was made."""
        told = [in_python(notice) for notice in self._core.notices]
        return [in_arrays(notice) for notice in told] if self._states.positions and self._actions.positions else told

    @property
    def states(self) -> list[Any]:
        """All states, as the user calls them."""
        return [self._states.label(self._core.state_name(s)) for s in range(self._core.state_count)]

    @property
    def actions(self) -> list[Any]:
        """All actions, in the order of first appearance."""
        return [self._actions.label(name) for name in self._core.outcomes()["actions"]]

    def choices(self, state: Hashable) -> dict[Any, list[tuple[Any, Fraction, Any]]]:
        """The actions of a state, each with its outcomes (next state, probability, reward), exactly. A reward is a
        Fraction, or where rewards are such, a label or None, or a tuple of Fractions.

        >>> import quantiplan as qp
        >>> qp.read("examples/commute.json").choices("home")["bike"]
        [('office', Fraction(1, 1), Fraction(-40, 1))]
        """
        found = self._core.choices(self._state_index(state))
        return {
            self._actions.label(action): [(self._state_label(s), p, r) for s, p, r in outcomes]
            for action, outcomes in found.items()
        }

    def __len__(self) -> int:
        """Number of states."""
        return self._core.state_count

    def to_frame(self) -> Any:
        """One row for each outcome, as `from_dataframe` reads it; a pandas frame.

        >>> import quantiplan as qp
        >>> len(qp.read("examples/commute.json").to_frame())
        5
        """
        import pandas as pd

        columns = self._core.outcomes()
        states = np.asarray(self.states, dtype=object)
        actions = np.asarray([self._actions.label(a) for a in columns["actions"]], dtype=object)
        reward = columns["reward"]
        return pd.DataFrame(
            {
                "state": states[columns["state"]],
                "action": actions[columns["action"]],
                "next": states[columns["next"]],
                "probability": columns["probability"],
                "reward": pd.Series(reward, dtype=object) if isinstance(reward, list) else reward,
            }
        ).infer_objects()

    def info(self, **asking: Unpack[Asking]) -> dict[str, Any]:
        """What the model is like for the engines: sizes, the unit of wealth, whether answers are exact.

        >>> import quantiplan as qp
        >>> qp.generate("river").info()["wealth_is_exact"]
        True
        """
        setting, options, _ = split(self, asking)
        return dict(self._core.info(setting, options))

    def convert(self, path: str | os.PathLike[str] | None = None, format: str | None = None) -> str | None:
        """Writes the model to a file, whose ending says the format (.json, .csv, .prism, .tra, .drn); without
        a path, returns its text.

        >>> import quantiplan as qp
        >>> qp.read("examples/commute.json").convert(format="csv").splitlines()[0]
        'idstatefrom,idaction,idstateto,probability,reward'
        """
        if path is None:
            if format == "umb":
                raise RequestError([Problem("format", "found umb, which is no text, expected a path")])
            return self._with_setting().text(format or "json")
        path = os.fsdecode(path)
        for lost in self._with_setting().write(path, format):
            warnings.warn(f"{path} has no place for {lost}", QuantiplanWarning, stacklevel=2)
        return None

    save = convert

    def _with_setting(self) -> _core.Model:
        """The library's model, with the goal, the cost and the horizon that qp.read was told besides the file."""
        if not self._setting:
            return self._core
        said = json.loads(self._core.text("json"), parse_float=str)
        if "horizon" in self._setting:
            said["horizon"] = "infinite" if self._setting["horizon"] < 0 else self._setting["horizon"]
        if "goal" in self._setting:
            said["goal"] = self._setting["goal"]
        if "cost" in self._setting:
            said["rewards"] = "cost" if self._setting["cost"] else "reward"
        return _core.parse(json.dumps(said), "json", "", {"tolerance": str(self._core.tolerance)})

    def _state_index(self, state: Hashable) -> int:
        found = self._core.find_state(self._states.name(state))
        if found is None and isinstance(state, float) and state.is_integer():
            found = self._core.find_state(str(int(state)))  # a row of a frame makes floats of all its numbers
        if found is None and (name := self._states.equal_name(state)) is not None:
            found = self._core.find_state(name)
        if found is None:
            raise self._states.unknown(state, self._names)
        return found

    def _state_name(self, state: Hashable) -> str:
        return self._core.state_name(self._state_index(state))

    def _state_label(self, index: int) -> Any:
        return self._states.label(self._core.state_name(index))

    def _names(self) -> list[str]:
        return [self._core.state_name(s) for s in range(self._core.state_count)]

    def _goal_names(self, goal: Any) -> list[str]:
        """A state, several, or a text: names of states or labels, or a condition."""
        if isinstance(goal, str):
            if goal == "":
                return []
            if self._core.find_state(goal) is not None:
                return [goal]
            found = self._core.states_where(goal, "--goal")
            if not found:
                raise RequestError([Problem("goal", f"found {goal!r}, expected what holds in at least one state")])
            return found
        if isinstance(goal, Iterable) and not isinstance(goal, tuple):
            return [name for each in goal for name in self._goal_names(each)]
        if isinstance(goal, tuple) and self._core.find_state(self._states.name(goal)) is None:
            return [name for each in goal for name in self._goal_names(each)]
        return [self._state_name(goal)]

    def _structure(self, structure: Structure) -> _core.Structure:
        methods = ("initial", "update", "key")
        if isinstance(structure, type) or not all(callable(getattr(structure, name, None)) for name in methods):
            hint = f", as {structure.__name__}()" if isinstance(structure, type) else ""
            message = f"found {structure!r}, expected an object with the methods initial, update and key{hint}"
            raise RequestError([Problem("structure", message)])
        return _core.structure(self._core, structure)

    def __repr__(self) -> str:
        core = self._core
        name = f" {core.name!r}" if core.name else ""
        horizon = "no horizon" if self.horizon is None else f"horizon {self.horizon}"
        return (
            f"<Model{name}: {core.state_count} states, {core.choice_count} choices, "
            f"{core.outcome_count} outcomes, {horizon}>"
        )

    def _repr_html_(self) -> str:
        return f"<code>{html.escape(repr(self))}</code>"

    def __reduce__(self) -> Any:
        tolerance = str(self._core.tolerance)
        return _unpickled, (self._core.text("json"), self._states, self._actions, self._setting, tolerance)


def _unpickled(text: str, states: Names, actions: Names, setting: dict[str, Any], tolerance: str) -> ModelCore:
    from .model import Model

    return Model(_core.parse(text, "json", "", {"tolerance": tolerance}), states, actions, setting)
