"""Models: what can be asked of them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, overload

from . import _core
from ._errors import Problem, RequestError
from ._model_sources import ModelSources
from ._names import Names
from ._numbers import Number, text_of, total_text
from ._queries import USUAL_TAUS, Asking, flag, one_of, one_tau, share_of, split, starts_of, taus_of, whole
from ._watch import Watch
from .answers import Answer
from .attitudes import Attitudes
from .by_state import AnswerByState, FrontierByState, ThresholdByState
from .comparison import CriteriaTable
from .criteria import AnyCriterion, Criterion, CriterionCurve
from .curves import Frontier, Threshold, Tradeoff
from .policy import Policy, with_structure

if TYPE_CHECKING:
    from typing import Unpack

    from .structures import Structure


class Model(ModelSources):
    """A finite Markov decision process with rewards on its outcomes; it never changes.

    Made by `from_arrays`, `from_dataframe`, `from_gymnasium`, `qp.read` or `qp.generate`.

    >>> import quantiplan as qp
    >>> stay, go = [[1, 0], [0, 1]], [[.2, .8], [0, 1]]
    >>> m = qp.Model.from_arrays([stay, go], [[0, -1], [2, 2]], horizon=5, initial=0)
    >>> m.solve(tau=.1)[.1].quantile
    4.0
    """

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
        the best mean of all. Several initial states without probabilities (a set of them, a label or condition that
        holds in several, or a model that has such) are a question each, and the answer is an `AnswerByState`. Ctrl-C, or `time_limit` in seconds, ends the call with the bracket so far.

        >>> import quantiplan as qp
        >>> r = qp.generate("gambler", goal=10).solve(tau=.25)[.25]
        >>> r.quantile, r.certificate
        (0.0, 'exact')
        >>> qp.read("examples/commute.json").solve(criterion="expectation").result.value
        -31.89
        """
        setting, options, progress = split(self, asking, several=True)
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
            query["mean_gap"] = share_of(mean_gap, "mean_gap")
        starts = starts_of(self, setting)

        def made(found: dict[str, Any], asked: dict[str, Any]) -> Answer:
            _set_criterion(found, wanted)
            return Answer(self, found, asking.get("structure"), (asked, options))

        with Watch(progress) as watch:
            if not starts:
                return made(_core.solve(self._core, query, options, watch), query)
            each = _core.solve_each(self._core, query, self._positions(starts), options, watch)
        return AnswerByState({
            self._states.label(name): made(found, {**query, "setting": {**setting, "initial": name}})
            for name, found in zip(starts, each)
        })

    def _positions(self, names: list[str]) -> list[int]:
        return [index for name in names if (index := self._core.find_state(name)) is not None]

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
    def frontier(
        self, *, criterion: Literal["cvar", "mean-variance"] | Criterion, **asking: Unpack[Asking]
    ) -> CriterionCurve: ...

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
        greatest value for every tau instead, and with `criterion="mean-variance"` for every lambda. Several initial
        states, as in `solve`, have a curve each: a `FrontierByState`.

        >>> import quantiplan as qp
        >>> curve = qp.generate("gambler", goal=4, horizon=2).frontier()
        >>> float(curve.probabilities[0])
        1.0
        """
        setting, options, progress = split(self, asking, several=criterion == "quantile")
        query = {"taus": taus_of(tau, probability, []), "side": one_of(side, "side"), "setting": setting}
        text = str(criterion).replace("_", "-")
        if text != "mean-variance":
            text = str(Criterion(criterion))
        if text != "quantile":
            if query["taus"] or side != "lower":
                name = "tau" if query["taus"] else "side"
                raise RequestError([Problem(name, "found with a criterion, expected neither: the curve has every tau")])
            query["curve"] = text
            with Watch(progress) as watch:
                found = _core.criterion_curve(self._core, query, options, watch)
            for fields in found["results"]:
                fields["criterion"] = Criterion(
                    "cvar" if text == "cvar" else f"{text}:{fields['parameter']}" if fields["parameter"] else "expectation"
                )
            return CriterionCurve(self, found, text)
        if not query["taus"]:  # as the program; they say how far a curve without a last level is followed
            query["taus"] = list(USUAL_TAUS)
        starts = starts_of(self, setting)
        with Watch(progress) as watch:
            if not starts:
                return Frontier(self, _core.frontier(self._core, query, options, watch))
            each = _core.frontier_each(self._core, query, self._positions(starts), options, watch)
        return FrontierByState({s: Frontier(self, found) for s, found in zip(map(self._states.label, starts), each)})

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
        setting, options, progress = split(self, asking, several=True)
        several = isinstance(target, Iterable) and not isinstance(target, (str, bytes))
        if getattr(target, "shape", None) == ():  # an array of one number
            target, several = target.item(), False  # type: ignore[union-attr]
        targets: list[str] = []
        levels: list[str] = []
        for each in target if several else [target]:  # type: ignore[union-attr]
            if isinstance(each, str) and (self._core.wealth != "sum" or "structure" in asking):
                levels.append(each)
            else:
                targets.append(total_text(each, "target"))
        starts = starts_of(self, setting)
        structure = asking.get("structure")
        with Watch(progress) as watch:
            if not starts:
                return Threshold(self, _core.threshold(self._core, targets, levels, setting, options, watch), structure)
            each = _core.threshold_each(
                self._core, targets, levels, setting, self._positions(starts), options, watch
            )
        labels = map(self._states.label, starts)
        return ThresholdByState({s: Threshold(self, found, structure) for s, found in zip(labels, each)})

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
            query["tau"] = one_tau(taus_of(tau, probability))
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
            "taus": [one_tau(taus_of(tau, probability))],
            "side": "lower",
            "setting": setting,
            "criterion": Criterion(criterion)._given,
        }
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

    def going_on(self, goal: Any = None, *, horizon: int | float | None = None) -> Model:
        """The same model where a visit of the goal does not end an episode: it may go on and collect more until a later
        visit, as model checkers mean F{"r"}>=y. Goals get a further action "stop", which takes a step; with costs nothing
        changes. `goal` and `horizon`, if they are given, become the model's own.

        >>> import quantiplan as qp
        >>> m = qp.Model.from_arrays([[[0, 1], [0, 1]]], [0, 2], horizon=3, initial=0, goal=1)
        >>> m.solve(tau=.5)[.5].quantile, m.going_on().solve(tau=.5)[.5].quantile
        (0.0, 4.0)
        """
        setting, _, _ = split(self, {"goal": goal, "horizon": horizon})
        core, stopped, steps = _core.going_on(self._core, setting)
        if stopped is None or stopped == setting.get("goal"):  # nothing to go on from
            return Model(self._core, self._states, self._actions, setting)
        setting["goal"] = stopped
        if steps is not None and setting.get("horizon") != -1:
            setting["horizon"] = steps
        states = Names("state", [*self.states, *stopped])
        return Model(core, states, Names("action", [*self.actions, "stop"]), setting)

    def load_policy(self, path: str | os.PathLike[str], structure: Structure | None = None) -> Policy:
        """A policy that was saved, for this model; with the structure of one's own that it goes by, if it does.

        >>> import quantiplan as qp, tempfile, os
        >>> m = qp.read("examples/commute.json")
        >>> path = os.path.join(tempfile.mkdtemp(), "p.json")
        >>> m.solve(tau=.3)[.3].policy.save(path, model=False)
        >>> m.load_policy(path).target
        Fraction(-25, 1)
        """
        return with_structure(self, _core.read_policy(self._core, os.fsdecode(path)), structure)


def _set_criterion(found: dict[str, Any], asked: Criterion) -> None:
    """Results of another criterion have it as it was asked for: a table of a utility has no name."""
    for fields in found["results"]:
        if "criterion" in fields:
            fields["criterion"] = asked
