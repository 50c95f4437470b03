"""A question that is answered for each of several initial states: the worst, the best, and all of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

from ._errors import Problem, RequestError
from ._numbers import shown
from .answers import Answer
from .curves import Threshold

if TYPE_CHECKING:
    from .model import Model

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

    def report(self, *_: Any, **__: Any) -> list[str]:
        """A page is made for one initial state: `ans.by_state[state].report(path)`.

        >>> import quantiplan as qp
        >>> ans = qp.read("examples/commute.json").solve(tau=.3, initial={"home", "station"})
        >>> ans.report("commute.html")
        Traceback (most recent call last):
        ...
        quantiplan._errors.RequestError: report: found 2 initial states, expected one: ans.by_state[state].report(...)
        """
        raise RequestError(
            [Problem("report", f"found {len(self.by_state)} initial states, expected one: ans.by_state[state].report(...)")]
        )

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


def by_state(model: Model, starts: Sequence[str], options: dict[str, Any], ask: Callable[[str, dict[str, Any]], One]) -> dict[Any, One]:
    """One state after the other, in the time that one call has; after Ctrl-C the rest have no time any more."""
    begin, found = time.monotonic(), {}
    limit = options.get("time-limit")
    for name in starts:
        if limit is not None:
            left = Fraction(limit) - Fraction(time.monotonic() - begin)
            options = {**options, "time-limit": f"{max(float(left), 1e-9):.9f}"}
        answer = ask(name, options)
        found[model._states.label(name)] = answer
        if any(r.status == "interrupted" for r in answer.results):
            limit = "1/1000000000"
    return found
