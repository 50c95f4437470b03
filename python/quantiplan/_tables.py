"""Results in a row, and tables of them for notebooks."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import Any


class Results:
    """Results in the order of the question."""

    results: list[Any]

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.results)

    def to_frame(self) -> Any:
        """One row for each result; a pandas frame.

        >>> import quantiplan as qp
        >>> frame = qp.read("examples/commute.json").solve(tau=[.1, .3]).to_frame()
        >>> frame["quantile"].tolist()
        [-40.0, -25.0]
        """
        import pandas as pd

        return pd.DataFrame(self._frame_rows())

    def _frame_rows(self) -> list[dict[str, Any]]:
        return [r._row() for r in self.results]

    def _repr_html_(self) -> str:
        return table_html(self._frame_rows())


def curve_html(levels: Any, probabilities: Any) -> str:
    """A dozen of its rows, from end to end."""
    rows = [{"level": level, "probability": float(p)} for level, p in zip(levels, probabilities)]
    step = max(1, -(-len(rows) // 12))
    return table_html(rows[::step] + (rows[-1:] if (len(rows) - 1) % step else []))


def table_html(rows: list[dict[str, Any]]) -> str:
    """An HTML table for notebooks."""

    def cell(value: Any) -> str:
        return html.escape(f"{value:.6g}" if isinstance(value, float) else str(value))

    head = "".join(f"<th>{html.escape(name)}</th>" for name in rows[0]) if rows else ""
    body = "".join("<tr>" + "".join(f"<td>{cell(v)}</td>" for v in row.values()) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
