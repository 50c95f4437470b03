"""Policies that are best by different criteria, side by side."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from ._tables import Results, table_html
from .criteria import Criterion, Measures
from .distribution import Sample, sample_of


class ComparedPolicy(NamedTuple):
    """The policy that is best by one criterion, held to all measures; or why there is none.

    >>> import quantiplan as qp
    >>> qp.read("examples/commute.json").compare("cvar", tau=.1)["cvar"].measures["cvar"].value
    -40.0
    """

    criterion: str
    measures: Measures
    why: str
    status: str
    sample: Sample | None  # the measures are those of episodes


class CriteriaTable(Results):
    """Policies that are best by different criteria, each held to all measures.

    >>> import quantiplan as qp
    >>> table = qp.read("examples/commute.json").compare(["quantile", "cvar"], tau=.3)
    >>> table["quantile"].measures["quantile"].value, table["cvar"].measures["quantile"].value
    (-25.0, -40.0)
    """

    def __init__(self, found: dict[str, Any]) -> None:
        self.tau: Fraction = found["tau"]
        self.text: str = found["text"]
        self.results: list[ComparedPolicy] = [
            ComparedPolicy(name, Measures(values, sample_of(made)), why, status, sample_of(made))
            for name, values, why, status, made in found["rows"]
        ]

    def __getitem__(self, criterion: str | Criterion) -> ComparedPolicy:
        for row in self.results:
            if row.criterion == str(criterion):
                return row
        raise KeyError(f"{str(criterion)!r}: there are {', '.join(row.criterion for row in self.results)}")

    def __iter__(self) -> Iterator[ComparedPolicy]:
        return iter(self.results)

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {"criterion": row.criterion, **{m.measure: m.value for m in row.measures}} for row in self.results
        ]

    def to_frame(self) -> Any:
        """A row for each criterion, a column for each measure; a pandas frame.

        >>> import quantiplan as qp
        >>> qp.read("examples/commute.json").compare(["quantile", "cvar"], tau=.1).to_frame().shape
        (2, 7)
        """
        import pandas as pd

        return pd.DataFrame(self._rows()).set_index("criterion")

    def _repr_html_(self) -> str:
        return table_html(self._rows())

    def __repr__(self) -> str:
        return self.text
