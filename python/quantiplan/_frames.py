"""Models from data frames, one row an outcome: pandas, polars, or whatever speaks Arrow."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from . import _core
from ._arrays import Rows
from ._errors import ModelError, Problem
from ._names import Names, texts


def _column(frame: Any, column: Hashable, what: str) -> Any:
    names = list(frame.columns) if hasattr(frame, "columns") else list(frame)
    if column not in names:
        import difflib

        near = difflib.get_close_matches(str(column), [str(n) for n in names], 1)
        hint = f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(map(repr, names))}"
        raise ModelError([Problem(what, f"the frame has no column {column!r}{hint}")])
    if names.count(column) > 1:
        raise ModelError([Problem(what, f"the frame has {names.count(column)} columns {column!r}, must have one")])
    return frame[column]


def _values(column: Any) -> np.ndarray[Any, Any]:
    if hasattr(column, "to_numpy"):
        return np.asarray(column.to_numpy())
    return np.asarray(column)


def _codes(column: Any) -> tuple[np.ndarray[Any, Any], list[Any]]:
    """Positions of the values among the distinct ones, in the order of first appearance."""
    values = _values(column)
    if values.dtype.kind in "iu":
        return _codes_of_integers(values)
    try:
        import pandas as pd
    except ImportError:
        pass
    else:
        found, labels = pd.factorize(values if values.dtype.kind != "U" else values.astype(object))
        return np.asarray(found, dtype=np.int64), [x.item() if isinstance(x, np.generic) else x for x in labels]
    seen: dict[Hashable, int] = {}
    positions = [seen.setdefault(v, len(seen)) for v in values.tolist()]
    return np.asarray(positions, dtype=np.int64), list(seen)


def _codes_of_integers(values: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], list[Any]]:
    least, most = int(values.min()), int(values.max())
    if most - least > 4 * len(values) + 1000:
        distinct, first, codes = np.unique(values, return_index=True, return_inverse=True)
        first_of, keys = first, codes.ravel()
    else:  # a table by value needs no sorting
        keys = values.astype(np.int64) - least
        count = len(values)
        first_of = np.full(most - least + 1, count, dtype=np.int64)
        first_of[keys[::-1]] = np.arange(count - 1, -1, -1)  # of equals the first is written last
        distinct = np.arange(least, most + 1)
    order = np.argsort(first_of, kind="stable")[: int((first_of < len(values)).sum())]
    rank = np.empty(len(first_of), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank[keys], distinct[order].tolist()


def from_arrow(frame: Any) -> Any:
    """Columns by name: a frame as it is, or what an Arrow table makes of it."""
    if hasattr(frame, "collect_schema"):  # one of polars that is still to be computed
        frame = frame.collect() if hasattr(frame, "collect") else frame
    if hasattr(frame, "columns") and hasattr(frame, "__getitem__") and not hasattr(frame, "schema"):
        return frame
    if hasattr(frame, "get_column"):  # polars
        return {name: frame.get_column(name) for name in frame.columns}
    if hasattr(frame, "__arrow_c_stream__"):
        import pyarrow as pa

        frame = pa.table(frame)
    if hasattr(frame, "column_names"):
        return {name: frame.column(name) for name in frame.column_names}
    return frame


def build(
    frame: Any,
    columns: dict[str, Hashable],
    header: dict[str, Any],
    states: list[Hashable] | None,
    tolerance: float,
) -> tuple[_core.Model, Names, Names]:
    frame = from_arrow(frame)
    column = {what: _column(frame, name, what) for what, name in columns.items()}
    count = len(column["state"])
    if count == 0:
        raise ModelError([Problem("", "the frame has no rows, must have one for each outcome")])
    for what, values in column.items():
        _no_gaps(values, what, columns[what])
    # One list of states: first those that have choices, in the order of the frame, then the others.
    both = np.concatenate([_objects(column["state"]), _objects(column["next"])])
    codes, labels = _codes(both)
    if states is not None:
        codes, labels = _in_order(codes, labels, list(states))
    state, next_state = codes[:count], codes[count:]
    action, actions = _codes(column["action"])
    row = state * len(actions) + action
    probability, reward = _values(column["probability"]), _values(column["reward"])
    order = None
    if np.any(row[1:] < row[:-1]):
        order = np.argsort(row, kind="stable")
        row, state, action, next_state = row[order], state[order], action[order], next_state[order]
        probability, reward = probability[order], reward[order]
    first = np.flatnonzero(np.diff(row, prepend=-1))
    rows = Rows(state[first], action[first], np.append(first, count), next_state, probability, reward)
    rows.check(
        lambda r: f"state {labels[rows.state[r]]!r}, action {actions[rows.action[r]]!r}",
        lambda i: f"column {columns['reward']!r}, row {i if order is None else order[i]}",
        tolerance,
    )
    model = rows.build(header, texts(labels), texts(actions))
    return model, Names("state", labels), Names("action", actions)


def _objects(column: Any) -> np.ndarray[Any, Any]:
    values = _values(column)
    return values if values.dtype.kind in "iu" else values.astype(object)


def _in_order(codes: Any, labels: list[Any], wanted: list[Any]) -> tuple[Any, list[Any]]:
    position = {label: i for i, label in enumerate(wanted)}
    missing = [label for label in labels if label not in position]
    if missing:
        raise ModelError([Problem("states", f"{missing[0]!r} is a state of the frame, but is not in the list")])
    return np.asarray([position[label] for label in labels], dtype=np.int64)[codes], wanted


def _no_gaps(column: Any, what: str, name: Hashable) -> None:
    values = _values(column)
    gaps = np.zeros(1, dtype=bool)
    if values.dtype.kind == "f":
        gaps = np.isnan(values)
    elif values.dtype == object:
        gaps = np.asarray([value is None or value != value for value in values.tolist()])
    if gaps.any():
        where = int(np.flatnonzero(gaps)[0])
        raise ModelError([Problem("", f"column {name!r}, row {where}: nothing there, must be a {what}")])
