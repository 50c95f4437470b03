"""What promises cost: the frontier, thresholds and the price in the mean."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core, _plots
from ._errors import Error, Problem, RefusedError
from ._numbers import Number, Total, Value, exact, float_of, shown, text_of
from ._tables import Results, curve_html, table_html
from ._watch import catches_interrupts
from .policy import Policy
from .results import WithPolicy

if TYPE_CHECKING:
    from .model import Model
    from .structures import Structure


class ThresholdResult(WithPolicy):
    """The greatest probability of a total as good as `target`, with a policy that has it.

    >>> import quantiplan as qp
    >>> qp.read("examples/commute.json").threshold(-40)[-40]
    <ThresholdResult target -40: probability 1.0 exact>
    """

    def __init__(self, model: Model, fields: dict[str, Any], facts: dict[str, Any], structure: Structure | None) -> None:
        self._model = model
        self._fields = fields
        self._facts = facts
        self._structure = structure

    @property
    def initial(self) -> Any:
        """The initial state that it is for; a dict of probabilities where it is drawn."""
        return self._model._initial_label(self._facts["initial"])

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
        status = "" if self.status == "solved" else f", {self.status}"
        return f"<ThresholdResult target {shown(self.target)}: probability {self.probability} {self.certificate}{status}>"

    def _repr_html_(self) -> str:
        return table_html([self._row()])


class Threshold(Results):
    """The results for all targets: `found[40]`.

    >>> import quantiplan as qp
    >>> [t.probability.exact for t in qp.read("examples/commute.json").threshold([-40, -25])]
    [Fraction(1, 1), Fraction(18, 25)]
    """

    def __init__(self, model: Model, found: dict[str, Any], structure: Structure | None = None) -> None:
        self.model = model
        self.engine: dict[str, str] = found["engine"]
        self.work: dict[str, Any] = found["work"]
        self.results: list[ThresholdResult] = [
            ThresholdResult(model, fields, found["model"], structure) for fields in found["results"]
        ]

    def __getitem__(self, target: Any) -> ThresholdResult:
        wanted = target if isinstance(target, str) or _is_infinite(target) else exact(target)
        for r in self.results:
            if r.target == wanted or isinstance(wanted, str) and r.target == _number_of(wanted):
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
        self._made = found["made"]
        self._table: _core.Policy | None = None
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
        self.levels, self.probabilities = step_arrays(found["steps"])
        self.upper_levels, self.upper_probabilities = step_arrays(found["upper_steps"])
        self.probabilities_exact: list[Fraction | None] = [value[1] for _, value in found["steps"]]

    def policy(self, target: Number) -> Policy:
        """A policy that attains the curve at this total, of costs at most this; all of them share one table of decisions.
        Where there is none (infinite horizons, rounded wealth, classes, adversaries), `Model.threshold` finds one.

        >>> import quantiplan as qp
        >>> qp.read("examples/commute.json").frontier().policy(-30).evaluate().at_least(-30)
        0.73
        """
        if self._table is None and self._made is not None:
            self._table = self._made.policy(catches_interrupts())
        if self._table is None:
            raise RefusedError([Problem("policy", "the curve has no table of decisions; threshold finds a policy")])
        return Policy(self.model, self._table.with_target(text_of(target, "target")))

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_made": None, "_table": None}

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
        return curve_html(self.classes or self.levels, self.probabilities)

    def __repr__(self) -> str:
        ends = "" if not len(self) else f" from {shown(self.levels_exact[0])} to {shown(self.levels_exact[-1])}"
        return f"<Frontier: {len(self)} levels{ends}, {self.status}>"


class TradeoffPoint(WithPolicy):
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


class Tradeoff(Results):
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


def step_arrays(steps: list[tuple[Total, tuple[float, Any, Any, Any]]]) -> tuple[Any, Any]:
    levels = np.asarray([float_of(level) for level, _ in steps])
    probabilities = np.asarray([value[0] for _, value in steps])
    levels.flags.writeable = probabilities.flags.writeable = False
    return levels, probabilities


def _number_of(text: str) -> Total | None:
    """Of the text of a total."""
    try:
        return float(text) if text in ("inf", "-inf") else exact(text)
    except Error:
        return None


def _is_infinite(value: Any) -> bool:
    return isinstance(value, float) and math.isinf(value)
