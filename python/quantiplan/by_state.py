"""A question that is answered for each of several initial states: the worst, the best, and all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from ._errors import Problem, RequestError
from ._numbers import shown
from .answers import Answer
from .curves import Frontier, Threshold

One = TypeVar("One", Answer, Threshold)


def _rank(result: Any) -> tuple[int, Any]:
    """Greater is better: a total, a class, or the probability of a target; an episode that misses its goal is worst."""
    fields = result._fields
    found = fields["rank"] if "rank" in fields else fields["probability"]
    if isinstance(found, tuple):  # a probability
        found = found[0] if found[1] is None else found[1]
    if found is None or found == "miss":
        return (0, 0)
    return (1, found)


def _extreme(answers: Sequence[One], choose: Callable[..., Any]) -> list[Any]:
    """Question by question, the result of one state."""
    return [choose(results, key=_rank) for results in zip(*(answer.results for answer in answers))]


def _rows(by_state: dict[Any, One]) -> list[dict[str, Any]]:
    return [{"initial": state, **r._row()} for state, answer in by_state.items() for r in answer.results]


class AnswerByState(Answer):
    """The answers for several initial states. As an `Answer` it has the worst result of each question, which holds
    whatever state it is; `best` has the best ones, `by_state` all, and `to_frame()` is the table.

    >>> import quantiplan as qp
    >>> ans = qp.read("examples/commute.json").solve(tau=.3, initial={"home", "station"})
    >>> ans[.3].quantile, ans[.3].initial
    (-25.0, 'home')
    >>> ans.best[.3].quantile, ans.by_state["station"][.3].quantile
    (-15.0, -15.0)
    """

    def __init__(self, by_state: dict[Any, Answer]) -> None:
        answers = list(by_state.values())
        self.__dict__.update(answers[0].__dict__)
        self.by_state = by_state
        self.results = _extreme(answers, min)
        self.best = Answer.__new__(Answer)
        self.best.__dict__.update(answers[0].__dict__)
        self.best.results = _extreme(answers, max)
        self.work = {**answers[0].work, "seconds": sum(answer.work["seconds"] for answer in answers)}

    @property
    def worst(self) -> Answer:
        """The worst result of each question: what this answer has anyway."""
        return self

    @property
    def status(self) -> str:
        """The first status of any state that is not "solved", if there is one."""
        return next((a.status for a in self.by_state.values() if a.status != "solved"), "solved")

    @property
    def text(self) -> str:
        """Worst and best, question by question."""
        lines = [f"{len(self.by_state)} initial states, each a question"]
        for low, high in zip(self.results, self.best.results):
            tau = "" if low._fields["tau"] is None else f"tau {shown(low.tau)}, {low.side} side: "
            lines.append(
                f"{tau}worst {shown(low.value_exact)} from {low.initial}, best {shown(high.value_exact)} from {high.initial}"
            )
        return "\n".join(lines) + "\n"

    def _starts(self) -> list[int]:
        return [self.model._state_index(state) for state in self.by_state]

    def _frame_rows(self) -> list[dict[str, Any]]:
        return _rows(self.by_state)

    def __getstate__(self) -> dict[str, Any]:
        return {"by_state": self.by_state}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]

    def __repr__(self) -> str:
        pairs = zip(self.results, self.best.results)
        lines = [f"worst from {low.initial!r}: {low}\n   best from {high.initial!r}: {high}" for low, high in pairs]
        return f"<AnswerByState, {len(self.by_state)} initial states\n  " + "\n  ".join(lines) + ">"


class ThresholdByState(Threshold):
    """The greatest probabilities for several initial states. As a `Threshold` it has the least of them for each
    target; `best` has the greatest, `by_state` all, and `to_frame()` is the table.

    >>> import quantiplan as qp
    >>> found = qp.read("examples/commute.json").threshold(-25, initial={"home", "station"})
    >>> found[-25].probability.exact, found.best[-25].initial
    (Fraction(18, 25), 'station')
    """

    def __init__(self, by_state: dict[Any, Threshold]) -> None:
        answers = list(by_state.values())
        self.__dict__.update(answers[0].__dict__)
        self.by_state = by_state
        self.results = _extreme(answers, min)
        self.best = Threshold.__new__(Threshold)
        self.best.__dict__.update(answers[0].__dict__)
        self.best.results = _extreme(answers, max)

    @property
    def worst(self) -> Threshold:
        """The least probability of each target: what this answer has anyway."""
        return self

    def _frame_rows(self) -> list[dict[str, Any]]:
        return _rows(self.by_state)

    def __repr__(self) -> str:
        pairs = zip(self.results, self.best.results)
        lines = [f"worst from {low.initial!r}: {low}\n   best from {high.initial!r}: {high}" for low, high in pairs]
        return f"<ThresholdByState, {len(self.by_state)} initial states\n  " + "\n  ".join(lines) + ">"


def _height(curve: Frontier) -> tuple[int, Any]:
    """The first quantile; greater is better. Classes have no order here."""
    level = curve.quantiles[0]["quantile"]
    if level is None or isinstance(level, str):
        return (0 if level == "miss" else 1, 0)
    return (1, -level if curve.cost else level)


class FrontierByState(Frontier):
    """The curves for several initial states. As a `Frontier` it is the one with the least quantile at the first tau, and
    of equals the first; `by_state` has all.

    >>> import quantiplan as qp
    >>> curves = qp.read("examples/commute.json").frontier(initial={"home", "station"})
    >>> len(curves.by_state["home"]), len(curves.by_state["station"])
    (4, 2)
    """

    def __init__(self, by_state: dict[Any, Frontier]) -> None:
        self.__dict__.update(min(by_state.values(), key=_height).__dict__)
        self.by_state = by_state

    def __getstate__(self) -> dict[str, Any]:
        return {"by_state": self.by_state}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]

    def __repr__(self) -> str:
        return f"<FrontierByState, {len(self.by_state)} initial states, the worst: {super().__repr__()}>"
