"""Models: where they come from, and what can be asked of them."""

from __future__ import annotations

import html
import json
import math
import os
import warnings
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np

from . import _arrays, _core, _frames, _gymnasium
from ._errors import Problem, QuantiplanWarning, RequestError, in_python
from ._names import Names, text_of as name_text, texts as name_texts
from ._numbers import Number, text_of, texts_of, total_text
from ._queries import (
    Asking,
    decimals_of,
    flag,
    horizon_of,
    initial_value,
    one_of,
    setting_value,
    split,
    taus_of,
    tolerance_text,
    whole,
)
from ._watch import Watch
from .criteria import AnyCriterion, CriteriaTable, Criterion, CriterionCurve
from .policy import Policy
from .results import Answer, Attitudes, Frontier, Threshold, Tradeoff

if TYPE_CHECKING:
    from typing import Unpack

    from .structures import Structure


class Model:
    """A finite Markov decision process with rewards on its outcomes; it never changes.

    Made by `from_arrays`, `from_dataframe`, `from_gymnasium`, `qp.read` or `qp.generate`.

    >>> import quantiplan as qp
    >>> stay, go = [[1, 0], [0, 1]], [[.2, .8], [0, 1]]
    >>> m = qp.Model.from_arrays([stay, go], [[0, -1], [2, 2]], horizon=5, initial=0)
    >>> m.solve(tau=.1)[.1].quantile
    4.0
    """

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

    # Where models come from

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
    ) -> Model:
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
        _name_states(header, initial, goal, lambda: _arrays.state_names(P, states))
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
    ) -> Model:
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
        columns = {"state": state, "action": action, "next": next, "probability": probability, "reward": reward}
        if initial is None:
            column = _frames.from_arrow(frame)[state] if state in _columns(frame) else ()
            initial = _first(column)
        _name_states(header, initial, goal, None if states is None else lambda: name_texts(states))
        return cls._made(
            *_frames.build(frame, columns, header, list(states) if states else None, _arrays.tolerance_of(tolerance))
        )

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
    ) -> Model:
        """The model of an environment that has a table of its transitions (env.unwrapped.P), as Gymnasium's
        toy text environments have. An outcome that ends the episode leads to a state "end". Episodes begin as in
        the environment, in one state or in one of several, by its own probabilities; `initial` says otherwise.

        >>> import gymnasium, quantiplan as qp
        >>> env = gymnasium.make("CliffWalking-v1")
        >>> qp.Model.from_gymnasium(env, horizon=30).solve(tau=.5)[.5].quantile
        -13.0
        """
        if horizon is None:
            horizon = getattr(getattr(env, "spec", None), "max_episode_steps", None)
        header = _header(name or _gym_name(env), horizon, discount, False, tolerance, round_rewards)
        begin = initial if initial is not None else _initial_states(env)
        _name_states(header, begin, (), lambda: [str(s) for s in range(len(_gymnasium.table_of(env)))])
        return cls._made(*_gymnasium.build(env, header, _arrays.tolerance_of(tolerance)))

    @classmethod
    def from_json(cls, text: str | Mapping[str, Any]) -> Model:
        """A model from the text of a model file (docs/model-format.md), or from what json.loads makes of it;
        structures of wealth are declared here ("wealth": {"kind": "max"}).

        >>> import quantiplan as qp
        >>> with open("examples/commute.json") as file:
        ...     m = qp.Model.from_json(file.read())
        >>> m.initial
        'home'
        """
        if not isinstance(text, str):
            text = json.dumps(text)
        return cls._made(_core.parse(text, "json", "", {}))

    @classmethod
    def _made(cls, core: _core.Model, states: Names | None = None, actions: Names | None = None) -> Model:
        model = cls(core, states, actions)
        for notice in core.notices:
            warnings.warn(in_python(notice), QuantiplanWarning, stacklevel=3)
        return model

    # What a model is

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
        """The initial state, as the user calls it; a dict of probabilities where it is drawn."""
        name = self._core.initial
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
        return [in_python(notice) for notice in self._core.notices]

    @property
    def states(self) -> list[Any]:
        """All states, as the user calls them."""
        return [self._states.label(self._core.state_name(s)) for s in range(self._core.state_count)]

    @property
    def actions(self) -> list[Any]:
        """All actions, in the order of first appearance."""
        return [self._actions.label(name) for name in self._core.outcomes()["actions"]]

    def choices(self, state: Hashable) -> dict[Any, list[tuple[Any, Fraction, Fraction]]]:
        """The actions of a state, each with its outcomes (next state, probability, reward), exactly.

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
        return pd.DataFrame(
            {
                "state": states[columns["state"]],
                "action": actions[columns["action"]],
                "next": states[columns["next"]],
                "probability": columns["probability"],
                "reward": columns["reward"],
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
            return self._core.text(format or "json")
        for lost in self._core.write(os.fspath(path), format):
            warnings.warn(f"{os.fspath(path)} has no place for {lost}", QuantiplanWarning, stacklevel=2)
        return None

    save = convert

    # What can be asked

    def solve(
        self,
        tau: Number | Iterable[Number] | None = None,
        *,
        probability: Number | Iterable[Number] | None = None,
        side: str = "lower",
        prefer: str = "auto",
        mean_gap: Number | None = None,
        mixed: bool = False,
        compare: bool = True,
        criterion: AnyCriterion = "quantile",
        **asking: Unpack[Asking],
    ) -> Answer:
        """The policies with the greatest tau-quantiles of the total reward; with `criterion`, those that are best by
        another one ("cvar", "expectation", "utility:exponential(0.1)": docs/criteria.md, or a qp.Criterion), which
        results have as `value`.

        `probability=.9` is the same as `tau=.1`: a total that is reached with at least this probability.
        `side` is "lower", "upper" or "both"; `prefer` says what is best besides the promise, "mean",
        "probability", or "classes" where wealth has such; `mixed` asks for two policies and a coin as well, which attain
        the best mean of all. Ctrl-C, or `time_limit` in seconds, ends the call with the bracket so far.

        >>> import quantiplan as qp
        >>> r = qp.generate("gambler", goal=10).solve(tau=.25)[.25]
        >>> r.quantile, r.certificate
        (0.0, 'exact')
        >>> qp.read("examples/commute.json").solve(criterion="expectation").result.value
        -31.89
        """
        setting, options, progress = split(self, asking)
        wanted = Criterion(criterion)
        query = {
            "taus": taus_of(tau, probability, None if wanted.takes_tau else []),
            "side": one_of(side, "side"),
            "setting": setting,
            "prefer": one_of(prefer, "prefer"),
            "compare": flag(compare, "compare"),
            "mixed": flag(mixed, "mixed"),
            "criterion": wanted._given,
        }
        if wanted.kind != "quantile":
            asked = {"side": side != "lower", "prefer": prefer != "auto", "mean_gap": mean_gap is not None, "mixed": mixed}
            for name in (name for name, is_asked in asked.items() if is_asked):
                raise RequestError([Problem(name, f"found with criterion={str(wanted)!r}, expected it with the quantile only")])
        if mean_gap is not None:
            query["mean_gap"] = text_of(mean_gap, "mean_gap")
        with Watch(progress) as watch:
            found = _core.solve(self._core, query, options, watch)
        _set_criterion(found, wanted)
        return Answer(self, found, asking.get("structure"), (query, options))

    @overload
    def frontier(
        self,
        tau: Number | Iterable[Number] | None = None,
        *,
        probability: Number | Iterable[Number] | None = None,
        side: str = "lower",
        criterion: Literal["quantile"] = "quantile",
        **asking: Unpack[Asking],
    ) -> Frontier: ...

    @overload
    def frontier(self, *, criterion: Literal["cvar"] | Criterion, **asking: Unpack[Asking]) -> CriterionCurve: ...

    def frontier(
        self,
        tau: Number | Iterable[Number] | None = None,
        *,
        probability: Number | Iterable[Number] | None = None,
        side: str = "lower",
        criterion: AnyCriterion = "quantile",
        **asking: Unpack[Asking],
    ) -> Frontier | CriterionCurve:
        """The greatest probability of every total: the whole curve, for all tau at once. With `criterion="cvar"`, the
        greatest value for every tau instead.

        >>> import quantiplan as qp
        >>> curve = qp.generate("gambler", goal=4, horizon=2).frontier()
        >>> float(curve.probabilities[0])
        1.0
        """
        setting, options, progress = split(self, asking)
        query = {"taus": taus_of(tau, probability, []), "side": one_of(side, "side"), "setting": setting}
        wanted = Criterion(criterion)
        if wanted.kind != "quantile":
            if query["taus"] or side != "lower":
                name = "tau" if query["taus"] else "side"
                raise RequestError([Problem(name, "found with a criterion, expected neither: the curve has every tau")])
            query["criterion"] = wanted._given
            with Watch(progress) as watch:
                found = _core.criterion_curve(self._core, query, options, watch)
            _set_criterion(found, wanted)
            return CriterionCurve(self, found, wanted)
        with Watch(progress) as watch:
            return Frontier(self, _core.frontier(self._core, query, options, watch))

    def threshold(
        self, target: Number | str | Iterable[Number | str], **asking: Unpack[Asking]
    ) -> Threshold:
        """The greatest probability of a total of at least `target` (a cost of at most), with a policy. Where
        wealth is no sum, targets may be the names of classes.

        >>> import quantiplan as qp
        >>> t = qp.generate("gambler", goal=4, horizon=2).threshold(1)[1]
        >>> t.probability
        0.4
        """
        setting, options, progress = split(self, asking)
        several = isinstance(target, Iterable) and not isinstance(target, str)
        targets: list[str] = []
        levels: list[str] = []
        for each in target if several else [target]:  # type: ignore[union-attr]
            if isinstance(each, str) and (self._core.wealth != "sum" or "structure" in asking):
                levels.append(each)
            else:
                targets.append(total_text(each, "target"))
        with Watch(progress) as watch:
            found = _core.threshold(self._core, targets, levels, setting, options, watch)
        return Threshold(self, found, asking.get("structure"))

    def tradeoff(
        self,
        tau: Number | None = None,
        *,
        target: Number | None = None,
        probability: Number | None = None,
        side: str = "lower",
        mean_gap: Number | None = None,
        most_points: int = 100,
        **asking: Unpack[Asking],
    ) -> Tradeoff:
        """What is lost in the mean by promising more: with `tau` (or `probability`, 1 - tau), the best mean for each
        level; with `target`, the best mean for each probability of reaching it.

        >>> import quantiplan as qp
        >>> curve = qp.generate("inventory").tradeoff(tau=.1)
        >>> curve[0].mean >= curve[-1].mean
        True
        """
        setting, options, progress = split(self, asking)
        query: dict[str, Any] = {"side": one_of(side, "side"), "most_points": whole(most_points, "most_points", 2)}
        if target is None or tau is not None or probability is not None:
            [query["tau"]] = taus_of(tau, probability)
        if target is not None:
            query["target"] = text_of(target, "target")
        if mean_gap is not None:
            query["mean_gap"] = text_of(mean_gap, "mean_gap")
        with Watch(progress) as watch:
            found = _core.tradeoff(self._core, query, setting, options, watch)
        return Tradeoff(self, found, "probability" if "tau" not in query else "level")

    def attitudes(
        self,
        tau: Number | Iterable[Number] | None = None,
        attitude: str | Iterable[str] = "all",
        *,
        probability: Number | Iterable[Number] | None = None,
        side: str = "lower",
        **asking: Unpack[Asking],
    ) -> Attitudes:
        """Policies by how they treat later selves, who may prefer other quantiles: "resolute", "replan",
        "subgame-perfect", "recursive", "within:DELTA", or "all".

        >>> import quantiplan as qp
        >>> m = qp.generate("gambler", goal=4, horizon=2)
        >>> len(m.attitudes(tau=.5))
        5
        """
        setting, options, progress = split(self, asking)
        query = {"taus": taus_of(tau, probability), "side": one_of(side, "side"), "setting": setting}
        asked = [attitude] if isinstance(attitude, str) else list(attitude)
        with Watch(progress) as watch:
            return Attitudes(self, _core.attitudes(self._core, asked, query, options, watch))

    def compare(
        self,
        criteria: str | AnyCriterion | Iterable[AnyCriterion] = "all",
        *,
        tau: Number | None = None,
        probability: Number | None = None,
        criterion: AnyCriterion = "quantile",
        **asking: Unpack[Asking],
    ) -> CriteriaTable:
        """Policies that are best by each of the criteria, held to all measures at this tau: one table. "all" are the
        usual ones and `criterion`, whose measure is a column, too, if it is a utility or entropic risk.

        >>> import quantiplan as qp
        >>> table = qp.read("examples/commute.json").compare(tau=.3)
        >>> [row.criterion for row in table]
        ['quantile', 'cvar', 'mean-cvar:0.5', 'evar', 'nested-cvar', 'worst-case', 'expectation',
         'entropic:0.1', 'mean-variance:0.1']
        """
        setting, options, progress = split(self, asking)
        query = {
            "taus": taus_of(tau, probability),
            "side": "lower",
            "setting": setting,
            "criterion": Criterion(criterion)._given,
        }
        if len(query["taus"]) != 1:
            raise RequestError([Problem("tau", f"found {len(query['taus'])} of them, expected one")])
        wanted: Any = "all"
        if criteria != "all":
            several = [criteria] if isinstance(criteria, (str, Criterion)) else criteria
            wanted = [Criterion(each)._given for each in several]
        with Watch(progress) as watch:
            return CriteriaTable(_core.compare(self._core, wanted, query, options, watch))

    def expectation_policy(self, **asking: Unpack[Asking]) -> Policy:
        """The policy with the greatest expected total: what to compare with.

        >>> import quantiplan as qp
        >>> qp.generate("gambler", goal=4).expectation_policy().evaluate().mean
        0.0
        """
        setting, options, progress = split(self, asking)
        with Watch(progress) as watch:
            return Policy(self, _core.expectation_policy(self._core, setting, options, watch))

    def load_policy(self, path: str | os.PathLike[str]) -> Policy:
        """A policy that was saved, for this model.

        >>> import quantiplan as qp, tempfile, os
        >>> m = qp.read("examples/commute.json")
        >>> path = os.path.join(tempfile.mkdtemp(), "p.json")
        >>> m.solve(tau=.3)[.3].policy.save(path, model=False)
        >>> m.load_policy(path).target
        Fraction(-25, 1)
        """
        return Policy(self, _core.read_policy(self._core, os.fspath(path)))

    # Names

    def _state_index(self, state: Hashable) -> int:
        found = self._core.find_state(self._states.name(state))
        if found is None and isinstance(state, float) and state.is_integer():
            found = self._core.find_state(str(int(state)))  # a row of a frame makes floats of all its numbers
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
            found = self._core.states_where(goal)
            if not found:
                raise RequestError([Problem("goal", f"found {goal!r}, expected what holds in at least one state")])
            return found
        if isinstance(goal, Iterable) and not isinstance(goal, tuple):
            return [name for each in goal for name in self._goal_names(each)]
        if isinstance(goal, tuple) and self._core.find_state(self._states.name(goal)) is None:
            return [name for each in goal for name in self._goal_names(each)]
        return [self._state_name(goal)]

    def _structure(self, structure: Structure) -> _core.Structure:
        return _core.structure(self._core, structure)

    # Python's habits

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
        return _unpickled, (self._core.text("json"), self._states, self._actions, self._setting)


def _set_criterion(found: dict[str, Any], asked: Criterion) -> None:
    """Results of another criterion have it as it was asked for: a table of a utility has no name."""
    for fields in found["results"]:
        if "criterion" in fields:
            fields["criterion"] = asked


def _unpickled(text: str, states: Names, actions: Names, setting: dict[str, Any]) -> Model:
    return Model(_core.parse(text, "json", "", {"tolerance": "0"}), states, actions, setting)


def _columns(frame: Any) -> list[Any]:
    for attribute in ("columns", "column_names"):
        if hasattr(frame, attribute):
            names = list(getattr(frame, attribute))
            if names and not hasattr(names[0], "to_pylist"):
                return names
    return list(getattr(frame, "column_names", frame))


def _first(column: Any) -> Any:
    for value in column:
        return value.as_py() if hasattr(value, "as_py") else value
    return None


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
    header: dict[str, Any] = {"name": name, "cost": flag(cost, "cost")}
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
    header: dict[str, Any], initial: Any, goal: Any, names: Callable[[], Sequence[str]] | None
) -> None:
    if initial is not None:
        header["initial"] = initial_value(initial, name_text, names)
    if isinstance(goal, str) or not isinstance(goal, Iterable):
        goal = [goal]
    header["goal"] = [name_text(each) for each in goal]


def read(
    path: str | os.PathLike[str],
    *,
    const: Mapping[str, Any] | None = None,
    reward: str | int | None = None,
    goal: Any = None,
    cost: bool | None = None,
    horizon: int | float | None = None,
    tolerance: Number | None = None,
    round_rewards: int | None = None,
    time_limit: float | None = None,
    memory_limit: str | None = None,
    progress: Any = None,
) -> Model:
    """A model from a file, in every format that the program reads: .json, .csv, PRISM programs, .tra, .drn.

    `goal`, `cost` and `horizon`, if they are given, become the model's own.

    >>> import quantiplan as qp
    >>> qp.read("examples/commute.json").solve(tau=.3)[.3].quantile
    -25.0
    """
    given: dict[str, Any] = {}
    if const:
        given["const"] = {name: _constant(value) for name, value in const.items()}
    if reward is not None:
        given["reward"] = str(reward)
    if tolerance is not None:
        given["tolerance"] = tolerance_text(tolerance)
    if round_rewards is not None:
        given["round_rewards"] = decimals_of(round_rewards)
    if time_limit is not None:
        given["time-limit"] = text_of(time_limit, "time_limit")
    if memory_limit is not None:
        given["memory-limit"] = str(memory_limit)
    with Watch(progress) as watch:
        core = _core.read(os.fspath(path), given, watch)
    model = Model._made(core)
    for name, value in (("goal", goal), ("cost", cost), ("horizon", horizon)):
        if value is not None:
            model._setting[name] = setting_value(model, name, value)
    return model


def _constant(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return text_of(value)


def generate(domain: str, **parameters: Any) -> Model:
    """A model made on request: qp.domains lists what there is, with all parameters.

    >>> import quantiplan as qp
    >>> qp.generate("machine", levels=20, discount=.95)
    <Model 'machine-20': 21 states, 60 choices, 118 outcomes, horizon 100>
    """
    given = [(name.replace("_", "-"), _parameter(value)) for name, value in parameters.items()]
    with Watch(False) as watch:
        return Model(_core.generate(domain, given, watch))


def _parameter(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple, np.ndarray)):
        return ",".join(texts_of(value, "parameter"))
    if isinstance(value, float) and math.isinf(value):
        return "infinite"
    return text_of(int(value) if isinstance(value, bool) else value)


def load_policy(path: str | os.PathLike[str], model: Model | None = None) -> Policy:
    """A policy that was saved with its model; one that the program wrote needs `model`.

    >>> import quantiplan as qp, tempfile, os
    >>> r = qp.generate("gambler", goal=4, horizon=2).solve(tau=.5)[.5]
    >>> path = os.path.join(tempfile.mkdtemp(), "p.json")
    >>> r.policy.save(path)
    >>> qp.load_policy(path).kind == r.policy.kind
    True
    """
    if model is not None:
        return model.load_policy(path)
    return Policy._load(os.fspath(path))
