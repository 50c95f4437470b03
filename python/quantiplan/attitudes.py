"""Attitudes to later selves, who may want other quantiles."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ._numbers import Total, Value, float_of, floats_of, shown
from ._tables import Results
from .results import WithPolicy

if TYPE_CHECKING:
    from .model import Model


class AttitudeResult(WithPolicy):
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
        self.nested: Total | None = fields["nested"]  # of "recursive": the quantile of quantiles that it goes by
        self.left_out: str = fields["left_out"]  # why something is absent

    @property
    def bracket(self) -> tuple[float, float]:
        """Where the first self's quantile certainly lies; equal ends where it is known exactly."""
        low, high = self._fields["quantile"], self._fields["other_end"]
        return floats_of(high, low) if isinstance(low, Fraction) and isinstance(high, Fraction) and high < low else floats_of(low, high)

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


class Attitudes(Results):
    """Question by question, each with all attitudes.

    >>> import quantiplan as qp
    >>> [a.attitude for a in qp.read("examples/commute.json").attitudes(.3, ["resolute", "replan"])]
    ['resolute', 'replan']
    """

    def __init__(self, model: Model, found: dict[str, Any]) -> None:
        self.model = model
        self.engine: dict[str, str] = found["engine"]
        self.slack: Fraction = found["slack"]  # by how much at most totals were rounded to decide
        self.results: list[AttitudeResult] = [AttitudeResult(model, fields) for fields in found["results"]]

    def __getitem__(self, attitude: str) -> AttitudeResult:
        for r in self.results:
            if r.attitude == attitude:
                return r
        raise KeyError(attitude)

    def __repr__(self) -> str:
        return "<Attitudes\n  " + "\n  ".join(map(repr, self.results)) + ">"
