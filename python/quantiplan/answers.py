"""Answers: all results of one call."""

from __future__ import annotations

import os
from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from . import _core
from ._errors import Error, Problem, RefusedError, RequestError
from ._numbers import exact, shown
from ._tables import Results
from ._watch import Progress, Watch
from .results import Result

if TYPE_CHECKING:
    from .model import Model
    from .structures import Structure


class Answer(Results):
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

    def __contains__(self, key: Any) -> bool:
        """Whether there is a result for this tau, or a result of this answer."""
        if isinstance(key, Result):
            return any(r is key for r in self.results)
        try:
            self[key]
        except (KeyError, Error):
            return False
        return True

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

        `criteria` adds the distributions of policies that are best by others: "cvar", "evar". Of several initial
        states the page has a table, and is about the worst of them. Comes back with what was left out of the page, a
        sentence each.

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
                self.model._core, asked, self._starts(), list(criteria), os.fsdecode(path), {**options, "check": check}, watch
            )

    def _starts(self) -> list[int]:
        """Positions of several initial states; empty: there is one question."""
        return []

    def __getstate__(self) -> dict[str, Any]:
        # An order of one's own is not kept.
        asked = None if self._asked and "structure" in self._asked[0]["setting"] else self._asked
        return {**self.__dict__, "_text": self.text, "_answer": None, "_asked": asked}

    def __repr__(self) -> str:
        return "<Answer\n  " + "\n  ".join(map(repr, self.results)) + ">"
