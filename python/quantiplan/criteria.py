"""What a policy is to be best at, beside the quantile; and what distributions are worth by such measures."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, Union

import numpy as np

from . import _core, _plots
from ._errors import Error, Problem, RequestError
from ._numbers import Number, Total, float_of, floats_of, shown, text_of
from ._tables import Results, table_html
from .results import Result

if TYPE_CHECKING:
    from .distribution import Sample
    from .model import Model

Points = Iterable[Sequence[Number]]


class Criterion:
    """What a policy is to be best at: the quantile, or one of its neighbours (docs/criteria.md).

    Made from the text that the program takes, or by name; both are what `solve(criterion=...)` accepts.

    >>> import quantiplan as qp
    >>> qp.Criterion("mean-cvar:0.3") == qp.Criterion.mean_cvar(.3)
    True
    >>> qp.read("examples/commute.json").solve(tau=.1, criterion=qp.Criterion.cvar())[.1].value
    -40.0
    """

    kind: str
    """Its name: "cvar", "mean-cvar", "utility" and so on."""
    parameter: Fraction | None
    """The weight, beta or lambda, where there is one."""
    takes_tau: bool
    """True if it is asked for each tau."""

    def __init__(self, text: str | Criterion = "quantile") -> None:
        self._given: str | tuple[str]  # what the extension module takes: a text, or (a table of a utility,)
        if isinstance(text, Criterion):
            self._given = text._given
        elif isinstance(text, str):
            self._given = text
        else:
            raise RequestError([Problem("criterion", f"found {text!r}, expected a text or a qp.Criterion")])
        self.kind, self.parameter, self._text, self.takes_tau = _core.criterion(self._given, "criterion")

    @classmethod
    def quantile(cls) -> Criterion:
        """The tau-quantile: the usual one.

        >>> Criterion.quantile()
        <Criterion quantile>
        """
        return cls("quantile")

    @classmethod
    def cvar(cls) -> Criterion:
        """The mean of the worst share tau.

        >>> Criterion.cvar().takes_tau
        True
        """
        return cls("cvar")

    @classmethod
    def mean_cvar(cls, weight: Number) -> Criterion:
        """(1 - weight) CVaR + weight E W.

        >>> Criterion.mean_cvar("1/4").parameter
        Fraction(1, 4)
        """
        return cls(f"mean-cvar:{text_of(weight, 'weight')}")

    @classmethod
    def worst_case(cls) -> Criterion:
        """The least total that can occur.

        >>> Criterion.worst_case().takes_tau
        False
        """
        return cls("worst-case")

    @classmethod
    def expectation(cls) -> Criterion:
        """The mean.

        >>> Criterion.expectation()
        <Criterion expectation>
        """
        return cls("expectation")

    @classmethod
    def entropic(cls, beta: Number) -> Criterion:
        """-(1/beta) ln E exp(-beta W), beta > 0.

        >>> Criterion.entropic(.1)
        <Criterion entropic:0.1>
        """
        return cls(f"entropic:{text_of(beta, 'beta')}")

    @classmethod
    def evar(cls) -> Criterion:
        """The best entropic(beta) + ln(tau)/beta.

        >>> Criterion.evar().kind
        'evar'
        """
        return cls("evar")

    @classmethod
    def mean_variance(cls, weight: Number) -> Criterion:
        """E W - weight Var W.

        >>> Criterion.mean_variance(2)
        <Criterion mean-variance:2>
        """
        return cls(f"mean-variance:{text_of(weight, 'weight')}")

    @classmethod
    def nested_cvar(cls) -> Criterion:
        """CVaR of one step, of the CVaR of the next, and so on.

        >>> Criterion.nested_cvar().takes_tau
        True
        """
        return cls("nested-cvar")

    @classmethod
    def utility(cls, of: str | Points, *, slope_below: Number = 0, slope_above: Number = 0) -> Criterion:
        """E u(W): a name with parameters ("exponential(0.1)"), a file with a table, or the points (w, u) of one,
        with straight lines between them.

        >>> Criterion.utility("exponential(0.1)")
        <Criterion utility:exponential(0.1)>
        >>> Criterion.utility([(0, 0), (10, 5), (10, 8)], slope_above=.5).kind
        'utility'
        """
        text, is_table = utility_text(of, slope_below, slope_above)
        if not is_table:
            return cls(f"utility:{text}")
        made = cls.__new__(cls)
        made._given = (text,)
        made.kind, made.parameter, made._text, made.takes_tau = _core.criterion(made._given, "criterion")
        return made

    def __str__(self) -> str:
        return str(self._text)

    def __repr__(self) -> str:
        return f"<Criterion {self._text}>"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            return str(self) == other
        return isinstance(other, Criterion) and (str(self), self._table) == (str(other), other._table)

    def __hash__(self) -> int:
        return hash(self._text)

    @property
    def _table(self) -> str | None:
        return self._given[0] if isinstance(self._given, tuple) else None


AnyCriterion = Union[str, Criterion]


def utility_text(of: Any, slope_below: Number = 0, slope_above: Number = 0) -> tuple[str, bool]:
    """A name or a path as it is; points as the text of a table, and True."""
    if isinstance(of, str):
        return of, False
    if hasattr(of, "__fspath__"):
        return str(of.__fspath__()), False
    try:
        points = [[text_of(x, "utility"), text_of(u, "utility")] for x, u in of]
    except Error:
        raise
    except (TypeError, ValueError):
        raise RequestError(
            [Problem("utility", f"found {of!r}, expected a name, a file, or points (w, u)")]
        ) from None
    table = {
        "format": "quantiplan-utility/1",
        "points": points,
        "slope_below": text_of(slope_below, "slope_below"),
        "slope_above": text_of(slope_above, "slope_above"),
    }
    return json.dumps(table), True


class Measured(NamedTuple):
    """What a distribution is worth by one measure.

    >>> import quantiplan as qp
    >>> d = qp.read("examples/commute.json").solve(tau=.3)[.3].policy.evaluate(measures="cvar", tau=.3)
    >>> d.measures["cvar"].exact
    Fraction(-1439, 30)
    """

    measure: str
    parameter: Fraction | None  # tau or beta
    bracket_exact: tuple[Total, Total] | None
    why: str  # there is none

    @property
    def bracket(self) -> tuple[float, float]:
        """Where it certainly lies: equal ends, the nearest float, where it is exact, else rounded outwards."""
        if self.bracket_exact is None:
            return math.nan, math.nan
        return floats_of(*self.bracket_exact)

    @property
    def exact(self) -> Total | None:
        """The number itself, where it is known exactly."""
        if self.bracket_exact is None or self.bracket_exact[0] != self.bracket_exact[1]:
            return None
        return self.bracket_exact[0]

    @property
    def value(self) -> float:
        """The nearest float, or the middle of the bracket; not a number where there is none."""
        low, high = self.bracket
        if self.bracket_exact is not None and all(isinstance(end, Fraction) for end in self.bracket_exact):
            return float(sum(self.bracket_exact) / 2)  # type: ignore[arg-type]
        return low if low == high else math.nan

    def __repr__(self) -> str:
        at = "" if self.parameter is None else f" {shown(self.parameter)}"
        if self.bracket_exact is None:
            return f"<Measured {self.measure}{at}: none, {self.why}>"
        if self.exact is not None:
            return f"<Measured {self.measure}{at}: {shown(self.exact)}>"
        return f"<Measured {self.measure}{at}: {self.value:.10g}, in [{self.bracket[0]!r}, {self.bracket[1]!r}]>"


class Measures(Results):
    """Measures of one distribution, in the order they were asked for: `found["cvar"]`, `found["cvar", .1]`.

    >>> import quantiplan as qp
    >>> d = qp.read("examples/commute.json").solve(tau=.3)[.3].policy.evaluate(measures=["mean", "worst-case"])
    >>> d.measures["worst-case"].value
    -65.0
    """

    def __init__(
        self, found: list[tuple[str, Fraction | None, Total | None, Total | None, str]], sample: Sample | None = None
    ) -> None:
        self.sample = sample  # whose measures they are, where the distribution is made of episodes
        self.results: list[Measured] = [
            Measured(name, parameter, None if low is None or high is None else (low, high), why)
            for name, parameter, low, high, why in found
        ]

    def __getitem__(self, key: Any) -> Measured:
        from ._numbers import exact

        name, parameter = key if isinstance(key, tuple) else (key, None)
        for each in self.results:
            if each.measure == str(name).replace("_", "-") and (
                parameter is None or each.parameter == exact(parameter)
            ):
                return each
        known = ", ".join(m.measure + ("" if m.parameter is None else f" {shown(m.parameter)}") for m in self.results)
        raise KeyError(f"{key!r}: there are {known}")

    def to_frame(self) -> Any:
        """One row for each measure; a pandas frame.

        >>> import quantiplan as qp
        >>> len(qp.read("examples/commute.json").solve(tau=.3)[.3].distribution.measure("mean").to_frame())
        1
        """
        import pandas as pd

        return pd.DataFrame([_measured_row(m) for m in self.results])

    def _repr_html_(self) -> str:
        return table_html([_measured_row(m) for m in self.results])

    def __repr__(self) -> str:
        made = "" if self.sample is None else f" of {self.sample.episodes} episodes"
        return f"<Measures{made}\n  " + "\n  ".join(map(repr, self.results)) + ">"


def _measured_row(m: Measured) -> dict[str, Any]:
    return {
        "measure": m.measure,
        "parameter": float_of(m.parameter),
        "value": m.value,
        "bracket_low": m.bracket[0],
        "bracket_high": m.bracket[1],
    }


def _nearest(value: tuple[float, Any, str, Any] | None) -> float:
    return math.nan if value is None else value[0]


class CriterionCurve(Results):
    """The greatest value of a criterion for every tau: results at the taus where the optimum changes; of mean-variance for
    every lambda, each policy with its mean and variance the best one from its lambda up to the next.

    >>> import quantiplan as qp
    >>> curve = qp.read("examples/commute.json").frontier(criterion="cvar")
    >>> float(curve.values[0]), float(curve.taus[-1])
    (-40.0, 1.0)
    >>> curve = qp.read("examples/commute.json").frontier(criterion="mean-variance")
    >>> curve.lambdas_exact[0], float(curve.variances[-1]), curve.complete
    (Fraction(0, 1), 0.0, True)
    """

    def __init__(self, model: Model, found: dict[str, Any], criterion: str) -> None:
        self.model = model
        self.criterion = criterion
        self.complete: bool = found["complete"]
        self.engine: dict[str, str] = found["engine"]
        self.work: dict[str, Any] = found["work"]
        self.epsilon: Fraction | None = found["epsilon"]
        self.results: list[Result] = [Result(model, fields, found["model"], None) for fields in found["results"]]
        by_lambda = criterion == "mean-variance"
        fields = found["results"]
        self.taus = np.asarray([] if by_lambda else [float(f["tau"]) for f in fields])
        self.lambdas_exact: list[Fraction] = [f["parameter"] for f in fields] if by_lambda else []
        self.lambdas = np.asarray([float(x) for x in self.lambdas_exact])
        self.means = np.asarray([float_of(r.mean) for r in self.results] if by_lambda else [])
        self.variances = np.asarray([_nearest(f["variance"]) for f in fields] if by_lambda else [])
        self.values = np.asarray([r.value for r in self.results])

    def __getitem__(self, position: int) -> Result:
        return self.results[position]

    @property
    def status(self) -> str:
        """The first status that is not "solved", if there is one."""
        return next((r.status for r in self.results if r.status != "solved"), "solved")

    def plot(self, ax: Any = None, **style: Any) -> Any:
        """The curve, on matplotlib's axes: by tau; of mean-variance, the mean by the standard deviation.

        >>> import quantiplan as qp
        >>> qp.read("examples/commute.json").frontier(criterion="cvar").plot().get_xlabel()
        'tau'
        """
        return _plots.criterion_curve(self, ax, **style)

    def __repr__(self) -> str:
        what = "lambdas" if self.criterion == "mean-variance" else "taus"
        return f"<CriterionCurve of {self.criterion}: {len(self)} {what}, {self.status}>"
