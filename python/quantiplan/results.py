"""Results: what was found at one tau, how sure it is, and the policy behind it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _plots
from ._errors import Problem, RefusedError, RequestError
from ._numbers import Total, Value, bracket_shown, float_of, floats_of, shown, text_of
from ._queries import Computing
from ._tables import table_html
from ._watch import catches_interrupts
from .distribution import Distribution
from .policy import Policy

if TYPE_CHECKING:
    from typing import Unpack

    from .criteria import Criterion
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


class WithPolicy:
    """What has a policy that is made when it is asked for."""

    _model: Model
    _fields: dict[str, Any]
    _structure: Structure | None

    @property
    def policy(self) -> Policy:
        """A policy that attains it; made at the first call."""
        if "policy" not in self._fields:
            made = self._fields["made"]
            core = None if made is None else made.policy(catches_interrupts())
            if core is None:
                raise RefusedError(
                    [Problem("policy", "there is none: no policy attains it, or the call ended before there was one")]
                )
            self._fields["policy"] = Policy(self._model, core, self._structure)
        policy: Policy = self._fields["policy"]
        return policy

    def check(self, **computing: Unpack[Computing]) -> Check:
        """The verdict of the checker on this result: as solve(check=True) had it, or made now.

        >>> import quantiplan as qp
        >>> qp.read("examples/commute.json").solve(tau=.3)[.3].check().passed
        True
        """
        if self._fields.get("check") is not None:
            return Check(**self._fields["check"])
        found = self.policy._verdict(self._missed(), computing)
        return Check(False, False, ["The policy makes no claim."], False, True) if found is None else found

    def _missed(self) -> tuple[str, str] | None:
        """Tau and side of a quantile that is a miss, which policies do not claim."""
        return None

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


class Mixed(WithPolicy):
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


class Result(WithPolicy):
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
    def initial(self) -> Any:
        """The initial state that it is for; a dict of probabilities where it is drawn."""
        return self._model._initial_label(self._facts["initial"])

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
        """Where the optimum certainly lies: equal ends, the nearest float, where it is exact, else rounded outwards."""
        return floats_of(*self.bracket_exact)

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
    def mean_weight(self) -> Fraction | None:
        """What a unit of probability is worth in the mean where that bound is least: it proves the bound."""
        weight: Fraction | None = self._fields["mean_weight"]
        return weight

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
    def goal_probability_bound(self) -> Value | None:
        """No policy that keeps the promise reaches the goal with a greater probability than this."""
        return Value.of(self._fields["goal_probability_bound"])

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

    def _missed(self) -> tuple[str, str] | None:
        is_miss = self.bracket_exact == ("miss", "miss") and self.certificate == "exact" and not self._facts["adversarial"]
        return (text_of(self.tau), self.side) if is_miss and "criterion" not in self._fields else None

    @property
    def distribution(self) -> Distribution:
        """The whole distribution of the policy's total; made at the first call."""
        if "distribution" not in self.__dict__:
            made = self._fields["made"]
            core = None if made is None else made.distribution(catches_interrupts())
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
        tie = f"[{shown(low)}, {shown(high)}]"  # one of the two is meant
        where = tie if self.certificate == "tie" else bracket_shown(low, high)
        sign = "C <=" if self._facts["cost"] else "W >="
        promise = "" if self.probability is None else f", P({sign} {shown(self.quantile_exact)}) {self.probability._shown()}"
        mean = "" if self.mean is None else f", mean {float(self.mean):.6g}"
        status = "" if self.status == "solved" else f", {self.status}"
        if "criterion" in self._fields:
            at = "" if self._fields["tau"] is None else f" tau {shown(self.tau)}"
            return f"<Result {self._fields['criterion']}{at}: {where} {self.certificate}{mean}{status}>"
        return f"<Result tau {shown(self.tau)} {self.side}: {where} {self.certificate}{promise}{mean}{status}>"

    def _repr_html_(self) -> str:
        return table_html([self._row()])
