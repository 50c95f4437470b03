"""Distributions of totals under a policy, and what they are worth."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core, _plots
from ._errors import Problem, RequestError
from ._numbers import Number, Total, Value, float_of, text_of, texts_of, total_text
from ._queries import Computing, computing_of, one_of
from ._tables import curve_html
from ._watch import Watch

if TYPE_CHECKING:
    from typing import Unpack

    from .criteria import Measures
    from .policy import Policy


class Sample(NamedTuple):
    """Episodes that a distribution was made of: with this confidence every P(W >= w) errs by at most `band`.

    >>> import quantiplan as qp
    >>> qp.read("examples/commute.json").solve(tau=.3)[.3].distribution.sample is None  # it was computed
    True
    """

    episodes: int
    seed: int
    confidence: float
    band: float


def sample_of(parts: Any) -> Sample | None:
    """From what the extension module hands out."""
    return None if parts is None else Sample(*parts)


class Distribution:
    """The distribution of the total under one policy: `levels` ascending, with their `probabilities`. Where it was too
    large to be computed, it is that of a `sample`, whose probabilities and mean are estimates.

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
        self.sample: Sample | None = sample_of(core.sample)
        self.mean: Value = self._known(core.mean)
        self.goal_mean: Value | None = Value.of(core.goal_mean)  # E[W; goal], where the mean does not tell it
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
        """P(W >= level); where totals are costs, P(C <= level). A float that is the nearest to one of the levels
        means that level. A class of wealth by its name.

        >>> import quantiplan as qp
        >>> qp.read("examples/commute.json").solve(tau=.3)[.3].distribution.at_least(-25)
        0.72
        """
        return self._known(self._core.promise(self._level_text(level)))

    def at_least_bracket(self, level: Number) -> tuple[Fraction, Fraction]:
        """Where P(W >= level) certainly lies, or P(C <= level) of costs, with what was rounded; in a sample it does so
        for all levels at once, with the sample's confidence.

        >>> import quantiplan as qp
        >>> qp.read("examples/commute.json").solve(tau=.3)[.3].distribution.at_least_bracket(-25)
        (Fraction(18, 25), Fraction(18, 25))
        """
        low, high = self._core.promise_bracket(self._level_text(level))
        return low, high

    def _known(self, parts: Any) -> Value:
        value = Value.known(parts)
        if self.sample is not None and value.exact is None:
            value.certainty = "estimate"
        return value

    def _level_text(self, level: Number) -> str:
        if self.classes is not None and isinstance(level, str):
            return level
        if isinstance(level, float) and self.classes is None:
            level = self._meant(level)
        return total_text(level, "level")

    def _meant(self, level: float) -> Any:
        """The exact level, of the float that is nearest to one: 2/3 is less than 0.6666666666666667."""
        same = np.flatnonzero(self.levels == level)
        return self._core.level_at(int(same[-1 if self._core.cost else 0])) if len(same) else level

    def quantile(self, tau: Number, side: str = "lower") -> float:
        """A quantile of this distribution; its lower end where it is only bracketed.

        >>> import quantiplan as qp
        >>> qp.read("examples/commute.json").solve(tau=.3)[.3].distribution.quantile(.1)
        -55.0
        """
        return float_of(self.quantile_bracket(tau, side)[0])

    def quantile_bracket(self, tau: Number, side: str = "lower") -> tuple[Total, Total]:
        """Where the quantile certainly lies; equal ends where it is known exactly. In a sample it does so with the
        sample's confidence, and an end of which the sample says nothing is an infinity.

        >>> import quantiplan as qp
        >>> qp.read("examples/commute.json").solve(tau=.3)[.3].distribution.quantile_bracket(.1)
        (Fraction(-55, 1), Fraction(-55, 1))
        """
        if one_of(side, "side") == "both":
            raise RequestError([Problem("side", "found 'both', expected lower or upper")])
        found = self._core.quantile(text_of(tau, "tau"), side == "upper")
        return -math.inf if found["open_below"] else found["lower"], math.inf if found["open_above"] else found["upper"]

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
                ),
                self.sample,
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
        return curve_html(self.classes or self.levels, self.probabilities)

    def __reduce__(self) -> Any:
        return _evaluated, (self._policy(), self.measures)

    def __repr__(self) -> str:
        names = self.classes or [f"{level:g}" for level in self.levels[[0, -1]]] if len(self) else None
        ends = f" from {names[0]} to {names[-1]}" if names else ""
        mean = "" if math.isnan(self.mean) else f", mean {float(self.mean):.6g}"
        made = "" if self.sample is None else f" of {self.sample.episodes} episodes"
        return f"<Distribution{made}: {len(self)} levels{ends}{mean}>"


def _evaluated(policy: Policy, measures: Measures | None) -> Distribution:
    """A distribution again, from its policy."""
    made = policy.evaluate()
    made.measures = measures
    return made
