"""Answers: what was found, how sure it is, and the policy behind it."""

from __future__ import annotations

import html
import math
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core, _plots
from ._errors import Problem, RefusedError, RequestError
from ._numbers import Number, Total, Value, exact, float_of, shown, text_of, texts_of, total_text
from ._queries import Computing, computing_of, one_of
from ._watch import Progress, Watch
from .policy import Policy

if TYPE_CHECKING:
    from typing import Unpack

    from .criteria import Criterion, Measures
    from .model import Model
    from .structures import Structure


@dataclass
class Check:
    """The verdict of the independent checker; true if it passed.

    >>> import quantiplan as qp
    >>> qp.read("examples/commute.json").solve(tau=.3)[.3].check().passed
    True
    """

    passed: bool
    optimality_checked: bool
    findings: list[str]
    ended_early: bool
    nothing_to_check: bool

    def __bool__(self) -> bool:
        return self.passed


@dataclass
class Comparison:
    """What the expectation-optimal policy would have attained.

    >>> import quantiplan as qp
    >>> qp.read("examples/commute.json").solve(tau=.1)[.1].expectation_policy.quantile
    -55.0
    """

    mean: Value
    quantile_exact: Total | None
    probability: Value  # that its total is as good as the quantile of the result
    goal_probability: Value | None
    goal_mean: Value | None

    @property
    def quantile(self) -> float:
        """Its quantile at the same tau and side, as a float."""
        return float_of(self.quantile_exact)


class Distribution:
    """The distribution of the total under one policy: `levels` ascending, with their `probabilities`.

    >>> import quantiplan as qp
    >>> d = qp.read("examples/commute.json").solve(tau=.3)[.3].distribution
    >>> float(d.levels[-1]), float(d.probabilities[-1])
    (-25.0, 0.72)
    """

    def __init__(self, core: _core.Distribution, policy: Callable[[], Policy]) -> None:
        self._core = core
        self._policy = policy  # whose distribution it is
        self.levels: np.ndarray[Any, Any] = core.levels
        self.probabilities: np.ndarray[Any, Any] = core.probabilities
        self.classes: list[str] | None = core.classes
        self.mean: Value = Value.known(core.mean)
        self.slack: Fraction = core.slack
        self.relative_error: float = core.relative_error
        self.rest: tuple[Total, Total, float] | None = core.rest
        self.measures: Measures | None = None  # those that evaluate(measures=...) asked for

    @property
    def levels_exact(self) -> list[Total]:
        """The levels as Fractions; infinities are floats, and episodes that miss their goal "miss"."""
        return [self._core.level_at(i) for i in range(len(self.levels))]

    @property
    def probabilities_exact(self) -> list[Fraction | None]:
        """The probabilities as Fractions; None where one is only known as a float."""
        return [self._core.probability_at(i)[1] for i in range(len(self.levels))]

    def at_least(self, level: Number) -> Value:
        """P(W >= level); where totals are costs, P(C <= level). A class of wealth by its name.

        >>> import quantiplan as qp
        >>> qp.read("examples/commute.json").solve(tau=.3)[.3].distribution.at_least(-25)
        0.72
        """
        if self.classes is not None and isinstance(level, str):
            return Value.known(self._core.promise(level))
        return Value.known(self._core.promise(total_text(level, "level")))

    def quantile(self, tau: Number, side: str = "lower") -> float:
        """A quantile of this distribution; its lower end where it is only bracketed.

        >>> import quantiplan as qp
        >>> qp.read("examples/commute.json").solve(tau=.3)[.3].distribution.quantile(.1)
        -55.0
        """
        return float_of(self.quantile_bracket(tau, side)[0])

    def quantile_bracket(self, tau: Number, side: str = "lower") -> tuple[Total, Total]:
        """Where the quantile certainly lies; equal ends where it is known exactly.

        >>> import quantiplan as qp
        >>> qp.read("examples/commute.json").solve(tau=.3)[.3].distribution.quantile_bracket(.1)
        (Fraction(-55, 1), Fraction(-55, 1))
        """
        if one_of(side, "side") == "both":
            raise RequestError([Problem("side", "found 'both', expected lower or upper")])
        found = self._core.quantile(text_of(tau, "tau"), side == "upper")
        return found["lower"], found["upper"]

    def measure(
        self,
        measures: str | Iterable[str] = "all",
        *,
        tau: Number | Iterable[Number] = ("0.05", "0.1", "0.5"),
        beta: Number | Iterable[Number] = ("0.01", "0.1", "1"),
        utility: Any = None,
        **computing: Unpack[Computing],
    ) -> Measures:
        """What this distribution is worth: "quantile", "cvar", "evar" (each for every `tau`), "mean",
        "standard-deviation", "worst-case", "best-case", "entropic" (for every `beta`), "utility" (of `utility`: a name
        with parameters, a file, or points (w, u)), or "all".

        >>> import quantiplan as qp
        >>> d = qp.read("examples/commute.json").solve(tau=.3)[.3].distribution
        >>> d.measure(["mean", "cvar"], tau=.3)["mean"].value
        -31.89
        """
        from .criteria import Measures, utility_text

        names = measures if isinstance(measures, str) else ",".join(map(str, measures))
        wanted = names.replace("_", "-")
        if "utility" in wanted and utility is None:
            raise RequestError([Problem("measures", "utility needs utility=, which is missing")])
        text, is_table = (None, False) if utility is None else utility_text(utility)
        options, progress = computing_of(computing)
        with Watch(progress) as watch:
            return Measures(
                _core.measure(
                    self._core, wanted, texts_of(tau, "tau"), texts_of(beta, "beta"), text, is_table, options, watch
                )
            )

    def to_frame(self) -> Any:
        """One row for each level; a pandas frame.

        >>> import quantiplan as qp
        >>> len(qp.read("examples/commute.json").solve(tau=.3)[.3].distribution.to_frame())
        5
        """
        import pandas as pd

        return pd.DataFrame({"level": self.classes or self.levels, "probability": self.probabilities})

    def plot(self, ax: Any = None, **style: Any) -> Any:
        """P(W >= w) as steps, on matplotlib's axes.

        >>> import quantiplan as qp
        >>> qp.read("examples/commute.json").solve(tau=.3)[.3].distribution.plot().get_ylabel()
        'P(at least this)'
        """
        return _plots.distribution(self, ax, **style)

    def __len__(self) -> int:
        return len(self.levels)

    def _repr_html_(self) -> str:
        return _curve_table(self.classes or self.levels, self.probabilities)

    def __reduce__(self) -> Any:
        return _evaluated, (self._policy(), self.measures)

    def __repr__(self) -> str:
        names = self.classes or [f"{level:g}" for level in self.levels[[0, -1]]] if len(self) else None
        ends = f" from {names[0]} to {names[-1]}" if names else ""
        mean = "" if math.isnan(self.mean) else f", mean {float(self.mean):.6g}"
        return f"<Distribution: {len(self)} levels{ends}{mean}>"


def _evaluated(policy: Policy, measures: Measures | None) -> Distribution:
    """A distribution again, from its policy."""
    made = policy.evaluate()
    made.measures = measures
    return made


class _WithPolicy:
    """What has a policy that is made when it is asked for."""

    _model: Model
    _fields: dict[str, Any]
    _structure: Structure | None

    @property
    def policy(self) -> Policy:
        """A policy that attains it; made at the first call."""
        if "policy" not in self._fields:
            made = self._fields["made"]
            core = None if made is None else made.policy()
            if core is None:
                raise RefusedError(
                    [Problem("policy", "there is none: no policy attains it, or the call ended before there was one")]
                )
            self._fields["policy"] = Policy(self._model, core, self._structure)
        policy: Policy = self._fields["policy"]
        return policy

    def check(self, **computing: Unpack[Computing]) -> Check:
        """The verdict of the checker on this result: as solve(check=True) had it, or made now."""
        if self._fields.get("check") is None:
            return self.policy.check(**computing)
        return Check(**self._fields["check"])

    def __getstate__(self) -> dict[str, Any]:
        """All that can be made is made, so that a pickle needs nothing but itself."""
        fields = dict(self._fields)
        made = fields.pop("made", None)
        if made is not None and "policy" not in fields:
            try:
                fields["policy"] = self.policy
            except RefusedError:
                pass
        fields["made"] = None
        return {**self.__dict__, "_fields": fields}


class NextClass(NamedTuple):
    """A class beyond the promised one, how probable it or a better one is, and the bound of all policies that keep the
    promise.

    >>> import quantiplan as qp
    >>> shift = qp.read("examples/commute.json")
    >>> shift.solve(tau=.3)[.3].next_class is None  # it has totals, no classes
    True
    """

    level: Total | None
    probability: Value
    bound: Value


class Mixed(_WithPolicy):
    """Two policies and a coin between them, tossed before the start: together they keep the promise with the best
    mean that any policy which keeps it can have.

    >>> import quantiplan as qp
    >>> qp.read("examples/commute.json").solve(tau=.3, mixed=True)[.3].mixed.mean
    -31.89
    """

    def __init__(self, model: Model, fields: dict[str, Any], structure: Structure | None) -> None:
        self._model = model
        self._fields = fields
        self._structure = structure
        self.coin: Fraction = fields["coin"]  # the chance of the first
        self.probability = Value.known(fields["probability"])
        self.mean = Value.known(fields["mean"])

    def __repr__(self) -> str:
        return f"<Mixed by a coin of {shown(self.coin)}: probability {self.probability}, mean {float(self.mean):.6g}>"


class Result(_WithPolicy):
    """The greatest quantile at one tau and side, how sure it is, and the policy.

    >>> import quantiplan as qp
    >>> r = qp.read("examples/commute.json").solve(tau=.3)[.3]
    >>> r
    <Result tau 0.3 lower: -25 exact, P(W >= -25) = 0.72, mean -31.89>
    >>> r.quantile_exact, r.probability.exact
    (Fraction(-25, 1), Fraction(18, 25))
    """

    def __init__(self, model: Model, fields: dict[str, Any], facts: dict[str, Any], structure: Structure | None) -> None:
        self._model = model
        self._fields = fields
        self._facts = facts
        self._structure = structure

    @property
    def criterion(self) -> Criterion:
        """What the policy is best at: the quantile, unless solve(criterion=...) asked for another one."""
        from .criteria import Criterion

        found: Criterion | None = self._fields.get("criterion")
        return Criterion.quantile() if found is None else found

    @property
    def value(self) -> float:
        """What the policy attains of the criterion; of the usual one, the quantile."""
        return float_of(self.value_exact)

    @property
    def value_exact(self) -> Total | None:
        """The same as a Fraction; where `certificate` is not "exact", the end of the bracket that is attained."""
        total: Total | None = self._fields["quantile"]
        return total

    @property
    def tau(self) -> Fraction:
        """The tau that was asked for."""
        tau: Fraction | None = self._fields["tau"]
        if tau is None:
            raise RequestError([Problem("tau", f"the criterion {self.criterion} has none")])
        return tau

    @property
    def side(self) -> str:
        """Which quantile at this tau, "lower" or "upper"."""
        return str(self._fields["side"])

    @property
    def status(self) -> str:
        """How the call went: "solved", "limit_reached", "interrupted" or "unsettled"."""
        return str(self._fields["status"])

    @property
    def certificate(self) -> str:
        """How sure it is: "exact", "bracket" (the optimum lies in it) or "tie" (one of its two ends)."""
        return str(self._fields["certificate"])

    @property
    def quantile(self) -> float:
        """What the policy promises: the optimum, or the end of the bracket that it attains. Not a number where
        an episode misses its goal, where wealth has classes (`level`), or of another criterion (`value`)."""
        return float_of(self.quantile_exact)

    @property
    def quantile_exact(self) -> Total | None:
        """The same as a Fraction; an infinity is a float, a miss the text "miss", a class its name."""
        return self.value_exact if "criterion" not in self._fields else None

    level = quantile_exact

    @property
    def bracket(self) -> tuple[float, float]:
        """Where the optimum certainly lies; equal ends where it is exact."""
        low, high = self.bracket_exact
        return float_of(low), float_of(high)

    @property
    def bracket_exact(self) -> tuple[Total | None, Total | None]:
        """The same as Fractions."""
        ends = self._fields["quantile"], self._fields["other_end"]
        return (ends[1], ends[0]) if self._fields.get("turned", self._facts["cost"]) else ends

    @property
    def is_exact(self) -> bool:
        """True where the optimum is known exactly."""
        return self.certificate == "exact"

    @property
    def attained(self) -> bool:
        """False for a supremum that no policy attains, though every lower level is attained."""
        return bool(self._fields["attained"])

    @property
    def probability(self) -> Value | None:
        """P(W >= quantile) under the policy; of costs, P(C <= quantile)."""
        return Value.of(self._fields["probability"])

    @property
    def mean(self) -> Value | None:
        """The expected total of the policy."""
        return Value.of(self._fields["mean"])

    @property
    def mean_bound(self) -> Value | None:
        """No policy that keeps the promise has a better mean than this."""
        return Value.of(self._fields["mean_bound"])

    @property
    def mixed(self) -> Mixed | None:
        """The mixture of policies that solve(mixed=True) asks for."""
        found = self._fields["mixed"]
        if found is None:
            return None
        return found if isinstance(found, Mixed) else Mixed(self._model, found, self._structure)

    @property
    def next_class(self) -> NextClass | None:
        """With prefer="classes": the next better class, which the policy reaches as often as a promise allows."""
        found = self._fields["next_class"]
        return None if found is None else NextClass(found[0], Value.known(found[1]), Value.known(found[2]))

    @property
    def prefer(self) -> str:
        """What the policy is best at besides the promise."""
        return str(self._fields["prefer"])

    @property
    def goal_probability(self) -> Value | None:
        """The probability of reaching the goal under the policy, where there is one."""
        return Value.of(self._fields["goal_probability"])

    @property
    def goal_mean(self) -> Value | None:
        """E[W; goal], to which episodes that miss it add nothing."""
        return Value.of(self._fields["goal_mean"])

    @property
    def expectation_policy(self) -> Comparison | None:
        """What the policy with the best mean would have attained."""
        found = self._fields["expectation_policy"]
        if found is None:
            return None
        return Comparison(
            Value.known(found["mean"]),
            found["quantile"],
            Value.known(found["probability"]),
            Value.of(found["goal_probability"]),
            Value.of(found["goal_mean"]),
        )

    @property
    def distribution(self) -> Distribution:
        """The whole distribution of the policy's total; made at the first call."""
        if "distribution" not in self.__dict__:
            made = self._fields["made"]
            core = None if made is None else made.distribution()
            self.__dict__["distribution"] = self.policy.evaluate() if core is None else Distribution(core, lambda: self.policy)
        found: Distribution = self.__dict__["distribution"]
        return found

    def plot(self, ax: Any = None, **style: Any) -> Any:
        """The distribution of the total with the promise marked, on matplotlib's axes.

        >>> import quantiplan as qp
        >>> qp.read("examples/commute.json").solve(tau=.3)[.3].plot().get_xlabel()
        'total reward'
        """
        return _plots.result(self, ax, **style)

    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        state.pop("distribution", None)  # made anew from the policy
        state["_fields"]["mixed"] = self.mixed
        return state

    def _row(self) -> dict[str, Any]:
        low, high = self.bracket
        if "criterion" in self._fields:
            return {
                "criterion": str(self._fields["criterion"]),
                "tau": float_of(self._fields["tau"]),
                "value": self.value_exact if isinstance(self.value_exact, str) else self.value,
                "bracket_low": low,
                "bracket_high": high,
                "certificate": self.certificate,
                "status": self.status,
            }
        level = self.quantile_exact if isinstance(self.quantile_exact, str) else self.quantile
        return {
            "tau": float(self.tau),
            "side": self.side,
            "quantile": level,
            "bracket_low": low,
            "bracket_high": high,
            "probability": float_of(self.probability),
            "mean": float_of(self.mean),
            "certificate": self.certificate,
            "status": self.status,
        }

    def __repr__(self) -> str:
        low, high = self.bracket_exact
        where = shown(self.value_exact) if low == high else f"[{shown(low)}, {shown(high)}]"
        sign = "C <=" if self._facts["cost"] else "W >="
        promise = "" if self.probability is None else f", P({sign} {shown(self.quantile_exact)}) = {self.probability}"
        mean = "" if self.mean is None else f", mean {float(self.mean):.6g}"
        status = "" if self.status == "solved" else f", {self.status}"
        if "criterion" in self._fields:
            at = "" if self._fields["tau"] is None else f" tau {shown(self.tau)}"
            return f"<Result {self._fields['criterion']}{at}: {where} {self.certificate}{mean}{status}>"
        return f"<Result tau {shown(self.tau)} {self.side}: {where} {self.certificate}{promise}{mean}{status}>"

    def _repr_html_(self) -> str:
        return _table([self._row()])


class _Sequence:
    """Results in the order of the question."""

    results: list[Any]

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.results)

    def to_frame(self) -> Any:
        """One row for each result; a pandas frame."""
        import pandas as pd

        return pd.DataFrame([r._row() for r in self.results])

    def _repr_html_(self) -> str:
        return _table([r._row() for r in self.results])


class Answer(_Sequence):
    """All results of a call: `answer[.1]`, or `answer[.1, "upper"]` where both sides were asked for.

    >>> import quantiplan as qp
    >>> ans = qp.read("examples/commute.json").solve(tau=[.1, .3])
    >>> [r.quantile for r in ans]
    [-40.0, -25.0]
    """

    def __init__(
        self,
        model: Model,
        found: dict[str, Any],
        structure: Structure | None = None,
        asked: tuple[dict[str, Any], dict[str, Any]] | None = None,
    ) -> None:
        self.model = model
        self._asked = asked
        self.facts: dict[str, Any] = found["model"]
        self.engine: dict[str, str] = found["engine"]
        self.work: dict[str, Any] = found["work"]
        self.epsilon: Fraction | None = found["epsilon"]
        self.results: list[Result] = [Result(model, fields, self.facts, structure) for fields in found["results"]]
        self._answer = found["answer"]
        self._text: str | None = None

    @property
    def result(self) -> Result:
        """The result, where there is one only."""
        if len(self.results) != 1:
            raise RequestError([Problem("result", f"found {len(self.results)} results, expected one")])
        return self.results[0]

    @property
    def status(self) -> str:
        """The first status that is not "solved", if there is one."""
        return next((r.status for r in self.results if r.status != "solved"), "solved")

    def __getitem__(self, key: Any) -> Result:
        tau, side = key if isinstance(key, tuple) else (key, None)
        wanted = exact(tau, "tau")
        for r in self.results:
            if r._fields["tau"] == wanted and side in (None, r.side):
                return r
        if any(r._fields["tau"] is None for r in self.results):
            raise KeyError(f"{key!r}: the criterion {self.results[0].criterion} has no tau; expected answer.result")
        known = ", ".join(f"{shown(r.tau)} {r.side}" for r in self.results)
        raise KeyError(f"{key!r}: there are results for tau {known}")

    @property
    def text(self) -> str:
        """The report of the program."""
        if self._text is None:
            self._text = self._answer.text()
        return self._text

    def report(
        self,
        path: str | os.PathLike[str],
        *,
        criteria: Iterable[str] = (),
        check: bool = True,
        progress: Progress = None,
    ) -> list[str]:
        """Writes a page to look at the answer in a browser, complete in one file; docs/report.md shows it.

        `criteria` adds the distributions of policies that are best by others: "cvar", "evar". Comes back with what
        was left out of the page, a sentence each.

        >>> import quantiplan as qp
        >>> ans = qp.read("examples/commute.json").solve(tau=.1)
        >>> ans.report("commute.html")  # doctest: +SKIP
        []
        """
        if self._asked is None:
            raise RefusedError([Problem("report", "this answer does not know how it was asked for; solve again")])
        query, options = self._asked
        asked = {name: query[name] for name in ("taus", "side", "setting")}
        with Watch(progress) as watch:
            return _core.report(
                self.model._core, asked, list(criteria), os.fspath(path), {**options, "check": check}, watch
            )

    def __getstate__(self) -> dict[str, Any]:
        # An order of one's own is not kept.
        asked = None if self._asked and "structure" in self._asked[0]["setting"] else self._asked
        return {**self.__dict__, "_text": self.text, "_answer": None, "_asked": asked}

    def __repr__(self) -> str:
        return "<Answer\n  " + "\n  ".join(map(repr, self.results)) + ">"


class ThresholdResult(_WithPolicy):
    """The greatest probability of a total as good as `target`, with a policy that has it.

    >>> import quantiplan as qp
    >>> qp.read("examples/commute.json").threshold(-40)[-40]
    <ThresholdResult target -40: probability 1.0 exact>
    """

    def __init__(self, model: Model, fields: dict[str, Any], structure: Structure | None) -> None:
        self._model = model
        self._fields = fields
        self._structure = structure

    @property
    def target(self) -> Total:
        """The total or class that was asked for."""
        target: Total = self._fields["target"]
        return target

    @property
    def status(self) -> str:
        """How the call went: "solved", "limit_reached", "interrupted" or "unsettled"."""
        return str(self._fields["status"])

    @property
    def certificate(self) -> str:
        """How sure the probability is: "exact" or "bracket"."""
        return str(self._fields["certificate"])

    @property
    def probability(self) -> Value | None:
        """The greatest P(W >= target), of costs P(C <= target); a lower bound where it is a bracket."""
        return Value.of(self._fields["probability"])

    @property
    def upper(self) -> Value | None:
        """The upper end, where the probability is a bracket."""
        return Value.of(self._fields["upper"])

    def _row(self) -> dict[str, Any]:
        return {
            "target": self.target if isinstance(self.target, str) else float_of(self.target),
            "probability": float_of(self.probability),
            "upper": float_of(self.probability if self.upper is None else self.upper),
            "certificate": self.certificate,
            "status": self.status,
        }

    def __repr__(self) -> str:
        return f"<ThresholdResult target {shown(self.target)}: probability {self.probability} {self.certificate}>"

    def _repr_html_(self) -> str:
        return _table([self._row()])


class Threshold(_Sequence):
    """The results for all targets: `found[40]`.

    >>> import quantiplan as qp
    >>> [t.probability.exact for t in qp.read("examples/commute.json").threshold([-40, -25])]
    [Fraction(1, 1), Fraction(18, 25)]
    """

    def __init__(self, model: Model, found: dict[str, Any], structure: Structure | None = None) -> None:
        self.model = model
        self.engine: dict[str, str] = found["engine"]
        self.work: dict[str, Any] = found["work"]
        self.results: list[ThresholdResult] = [ThresholdResult(model, f, structure) for f in found["results"]]

    def __getitem__(self, target: Any) -> ThresholdResult:
        wanted = target if isinstance(target, str) or _is_infinite(target) else exact(target)
        for r in self.results:
            if r.target == wanted:
                return r
        raise KeyError(f"{target!r}: there are results for {', '.join(shown(r.target) for r in self.results)}")

    def __repr__(self) -> str:
        return "<Threshold\n  " + "\n  ".join(map(repr, self.results)) + ">"


class Frontier:
    """The greatest probability of each total: G*(w) = max P(W >= w), at each level where it changes.

    Where `upper_levels` is not empty the curve is bracketed, and these arrays are its lower bound.

    >>> import quantiplan as qp
    >>> qp.read("examples/commute.json").frontier()
    <Frontier: 4 levels from -40 to -25, solved>
    """

    def __init__(self, model: Model, found: dict[str, Any]) -> None:
        self.model = model
        self.status: str = found["status"]
        self.engine: dict[str, str] = found["engine"]
        self.work: dict[str, Any] = found["work"]
        self.cost: bool = found["model"]["cost"]
        self.relative_error: float = found["relative_error"]
        self.upto: Total | None = found["upto"]
        self.epsilon: Fraction | None = found["epsilon"]
        self.quantiles: list[dict[str, Any]] = found["quantiles"]
        self.levels_exact: list[Total] = [level for level, _ in found["steps"]]
        self.classes: list[Total] | None = (
            self.levels_exact if any(isinstance(t, str) and t != "miss" for t in self.levels_exact) else None
        )
        self.levels, self.probabilities = _arrays(found["steps"])
        self.upper_levels, self.upper_probabilities = _arrays(found["upper_steps"])
        self.probabilities_exact: list[Fraction | None] = [value[1] for _, value in found["steps"]]

    def to_frame(self) -> Any:
        """One row for each level; a pandas frame.

        >>> import quantiplan as qp
        >>> len(qp.read("examples/commute.json").frontier().to_frame())
        4
        """
        import pandas as pd

        return pd.DataFrame({"level": self.classes or self.levels, "probability": self.probabilities})

    def plot(self, ax: Any = None, **style: Any) -> Any:
        """The curve, on matplotlib's axes: read off what every promise costs in probability.

        >>> import quantiplan as qp
        >>> qp.read("examples/commute.json").frontier().plot().get_ylabel()
        'greatest P(at least this)'
        """
        return _plots.frontier(self, ax, **style)

    def __len__(self) -> int:
        return len(self.levels)

    def _repr_html_(self) -> str:
        return _curve_table(self.classes or self.levels, self.probabilities)

    def __repr__(self) -> str:
        ends = "" if not len(self) else f" from {shown(self.levels_exact[0])} to {shown(self.levels_exact[-1])}"
        return f"<Frontier: {len(self)} levels{ends}, {self.status}>"


class TradeoffPoint(_WithPolicy):
    """A promise with the best mean that was found beside it.

    >>> import quantiplan as qp
    >>> qp.read("examples/commute.json").tradeoff(tau=.3)[-1].level
    -25.0
    """

    def __init__(self, model: Model, fields: dict[str, Any]) -> None:
        self._model = model
        self._fields = fields
        self._structure = None
        self.level_exact: Total = fields["level"]
        self.level = float_of(self.level_exact)
        self.probability = Value.known(fields["probability"])
        self.mean = Value.known(fields["mean"])
        self.mean_bound = Value.known(fields["mean_bound"])

    def _row(self) -> dict[str, Any]:
        return {
            "level": self.level,
            "probability": float(self.probability),
            "mean": float(self.mean),
            "mean_bound": float(self.mean_bound),
        }

    def __repr__(self) -> str:
        return f"<TradeoffPoint {shown(self.level_exact)}: probability {self.probability}, mean {float(self.mean):.6g}>"


class Tradeoff(_Sequence):
    """The price of a promise: what is lost in the mean by promising more, point by point.

    >>> import quantiplan as qp
    >>> qp.read("examples/commute.json").tradeoff(tau=.3).by
    'level'
    """

    def __init__(self, model: Model, found: dict[str, Any], by: str) -> None:
        self.model = model
        self.by = by  # "level" or "probability"
        self.status: str = found["status"]
        self.engine: dict[str, str] = found["engine"]
        self.work: dict[str, Any] = found["work"]
        self.levels: int = found["levels"]
        self.above = Value.of(found["above"])
        self.results: list[TradeoffPoint] = [TradeoffPoint(model, fields) for fields in found["points"]]

    @property
    def points(self) -> list[TradeoffPoint]:
        """The points, from the least promise to the greatest."""
        return self.results

    def __getitem__(self, position: int) -> TradeoffPoint:
        return self.results[position]

    def plot(self, ax: Any = None, **style: Any) -> Any:
        """The mean against the level, or against the probability, on matplotlib's axes.

        >>> import quantiplan as qp
        >>> qp.read("examples/commute.json").tradeoff(tau=.3).plot().get_ylabel()
        'mean'
        """
        return _plots.tradeoff(self, ax, **style)

    def __repr__(self) -> str:
        return f"<Tradeoff by {self.by}: {len(self)} points, {self.status}>"


class AttitudeResult(_WithPolicy):
    """What one attitude to later selves comes to.

    >>> import quantiplan as qp
    >>> qp.read("examples/commute.json").attitudes(tau=.3)["resolute"].quantile
    -25.0
    """

    def __init__(self, model: Model, fields: dict[str, Any]) -> None:
        self._model = model
        self._fields = fields
        self._structure = None
        self.attitude: str = fields["attitude"]
        self.tau: Fraction = fields["tau"]
        self.side: str = fields["side"]
        self.status: str = fields["status"]
        self.quantile_exact: Total | None = fields["quantile"]
        self.quantile = float_of(self.quantile_exact)
        self.probability = Value.of(fields["probability"])
        self.mean = Value.of(fields["mean"])
        self.regret: dict[str, Any] | None = fields["regret"]

    def _row(self) -> dict[str, Any]:
        return {
            "attitude": self.attitude,
            "tau": float(self.tau),
            "side": self.side,
            "quantile": self.quantile,
            "probability": float_of(self.probability),
            "mean": float_of(self.mean),
            "regret": math.nan if self.regret is None else float(self.regret["most"]),
        }

    def __repr__(self) -> str:
        return f"<AttitudeResult {self.attitude}, tau {shown(self.tau)}: {shown(self.quantile_exact)}>"


class Attitudes(_Sequence):
    """Question by question, each with all attitudes.

    >>> import quantiplan as qp
    >>> [a.attitude for a in qp.read("examples/commute.json").attitudes(.3, ["resolute", "replan"])]
    ['resolute', 'replan']
    """

    def __init__(self, model: Model, found: dict[str, Any]) -> None:
        self.model = model
        self.engine: dict[str, str] = found["engine"]
        self.results: list[AttitudeResult] = [AttitudeResult(model, fields) for fields in found["results"]]

    def __getitem__(self, attitude: str) -> AttitudeResult:
        for r in self.results:
            if r.attitude == attitude:
                return r
        raise KeyError(attitude)

    def __repr__(self) -> str:
        return "<Attitudes\n  " + "\n  ".join(map(repr, self.results)) + ">"


def _arrays(steps: list[tuple[Total, tuple[float, Any, Any, Any]]]) -> tuple[Any, Any]:
    levels = np.asarray([float_of(level) for level, _ in steps])
    probabilities = np.asarray([value[0] for _, value in steps])
    levels.flags.writeable = probabilities.flags.writeable = False
    return levels, probabilities


def _is_infinite(value: Any) -> bool:
    return isinstance(value, float) and math.isinf(value)


def _curve_table(levels: Any, probabilities: Any) -> str:
    """A dozen of its rows, from end to end."""
    rows = [{"level": level, "probability": float(p)} for level, p in zip(levels, probabilities)]
    step = max(1, -(-len(rows) // 12))
    return _table(rows[::step] + (rows[-1:] if (len(rows) - 1) % step else []))


def _table(rows: list[dict[str, Any]]) -> str:
    """An HTML table for notebooks."""

    def cell(value: Any) -> str:
        return html.escape(f"{value:.6g}" if isinstance(value, float) else str(value))

    head = "".join(f"<th>{html.escape(name)}</th>" for name in rows[0]) if rows else ""
    body = "".join("<tr>" + "".join(f"<td>{cell(v)}</td>" for v in row.values()) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
