"""Models from data frames, one row an outcome: pandas, polars, or whatever speaks Arrow."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Hashable
from typing import Any

import numpy as np

from . import _core
from ._array_numbers import require_unmasked
from ._arrays import Rows
from ._errors import ModelError, Problem
from ._names import Names, distinct_texts, is_truth

_KINDS = {"next": "state"}  # what a column holds, where that is not its name


def columns_of(frame: Any, names: dict[str, Hashable]) -> dict[str, np.ndarray[Any, Any]]:
    """The columns that are asked for, of a frame of pandas or polars, an Arrow table, or a dict of columns."""
    frame = _from_arrow(frame)
    found = {what: _values(_column(frame, name, what), f"column {name!r}") for what, name in names.items()}
    count = len(found["state"])
    if count == 0:
        raise ModelError([Problem("", "the frame has no rows, must have one for each outcome")])
    for what, column in found.items():
        if len(column) != count:
            message = f"column {names[what]!r} has {len(column)} rows, must have {count} as column {names['state']!r}"
            raise ModelError([Problem("", message)])
    return found


def _column(frame: Any, column: Hashable, what: str) -> Any:
    if not hasattr(frame, "columns") and not isinstance(frame, dict):
        expected = "a frame of pandas or polars, an Arrow table or a dict of columns"
        raise ModelError([Problem("frame", f"found {_short(frame)}, expected {expected}")])
    names = list(frame.columns) if hasattr(frame, "columns") else list(frame)
    if column not in names:
        index = getattr(frame, "index", None)
        if column is not None and column in list(getattr(index, "names", [])):
            return index.get_level_values(column)  # type: ignore[union-attr]
        near = difflib.get_close_matches(str(column), [str(n) for n in names], 1)
        hint = f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(map(repr, names))}" if names else ""
        raise ModelError([Problem(what, f"the frame has no column {column!r}{hint}")])
    if names.count(column) > 1:
        raise ModelError([Problem(what, f"the frame has {names.count(column)} columns {column!r}, must have one")])
    return frame[column]


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 and "\n" not in text else type(value).__name__


def _values(column: Any, called: str) -> np.ndarray[Any, Any]:
    """As an array; of times and what numpy has no type for, the objects that the frame has."""
    require_unmasked(column, called)
    try:
        values = np.asarray(column.to_numpy() if hasattr(column, "to_numpy") else column)
    except Exception:  # noqa: BLE001 as polars does with 128 bits
        values = np.empty(0, dtype=np.void)
    of_texts = values.dtype.kind == "U" and not isinstance(column, np.ndarray)  # numpy makes texts of all in a list
    if values.dtype.kind in "mMV" or values.ndim != 1 or of_texts:
        values = _listed(column, called)
    return values


def _listed(column: Any, called: str) -> np.ndarray[Any, Any]:
    way = next((name for name in ("to_list", "to_pylist", "tolist") if hasattr(column, name)), None)
    if isinstance(column, np.ndarray) and column.dtype.kind in "mM" and any(isinstance(time, int) for time in column[:1].tolist()):
        way = None  # nanoseconds, which are too fine for the times of Python
        column = list(column)
    items = column if way is None else getattr(column, way)()
    if not isinstance(items, Collection) or isinstance(items, str):
        raise ModelError([Problem("", f"{called} is {_short(column)}, must be a list or an array")])
    items = list(items)
    out = np.empty(len(items), dtype=object)
    for i, item in enumerate(items):
        out[i] = item
    return out


def _codes(values: np.ndarray[Any, Any]) -> tuple[np.ndarray[Any, Any], list[Any]]:
    """Positions of the values among the distinct ones, in the order of first appearance."""
    if values.dtype.kind in "iu":
        return _codes_of_integers(values)
    try:
        import pandas as pd
    except ImportError:
        pass
    else:
        try:
            found, labels = pd.factorize(values if values.dtype.kind != "U" else values.astype(object))
        except TypeError:
            raise _unhashable(values) from None
        return np.asarray(found, dtype=np.int64), [x.item() if isinstance(x, np.generic) and x.dtype.kind not in "mM" else x for x in labels]
    seen: dict[Hashable, int] = {}
    try:
        positions = [seen.setdefault(v, len(seen)) for v in values.tolist()]
    except TypeError:
        raise _unhashable(values) from None
    return np.asarray(positions, dtype=np.int64), list(seen)


def first_state(columns: dict[str, np.ndarray[Any, Any]]) -> Any:
    """The state in the first row."""
    value = columns["state"][0]
    if not isinstance(value, Hashable):
        raise _unhashable(columns["state"])
    return value


def same_state(columns: dict[str, np.ndarray[Any, Any]], state: Hashable) -> Hashable:
    """What the frame calls the state that is equal to this one: 0.0 where a column of floats has what users call 0."""
    if isinstance(state, str) or columns["state"].dtype.kind in "iu":
        return state
    try:
        known = {value: value for value in reversed([*columns["state"].tolist(), *columns["next"].tolist()])}
        same = known.get(state, state)
    except TypeError:  # not hashable
        return state
    return same if is_truth(same) == is_truth(state) else state


def _unhashable(values: Any) -> ModelError:
    for value in values.tolist():
        try:
            hash(value)
        except TypeError:
            return ModelError([Problem("", f"found {_short(value)} as a name, expected texts, numbers or tuples")])
    return ModelError([Problem("", "found names that cannot be told apart, expected texts, numbers or tuples")])


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


def _from_arrow(frame: Any) -> Any:
    """Columns by name: a frame as it is, or what an Arrow table makes of it."""
    if isinstance(frame, np.ndarray) and frame.dtype.names:
        return {name: frame[name] for name in frame.dtype.names}
    if hasattr(frame, "collect_schema"):  # one of polars that is still to be computed
        frame = frame.collect() if hasattr(frame, "collect") else frame
    if hasattr(frame, "columns") and hasattr(frame, "__getitem__") and not hasattr(frame, "schema"):
        return frame
    if hasattr(frame, "get_column"):  # polars
        return {name: frame.get_column(name) for name in frame.columns}
    if hasattr(frame, "__arrow_c_stream__"):
        import pyarrow as pa

        try:
            frame = pa.table(frame)
        except pa.ArrowInvalid:  # a single column
            return frame
    if hasattr(frame, "column_names"):
        names = list(frame.column_names)
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ModelError([Problem("", f"the frame has {names.count(twice)} columns {twice!r}, must have one")])
        return {name: frame.column(name) for name in names}
    return frame


def build(
    column: dict[str, np.ndarray[Any, Any]],
    columns: dict[str, Hashable],
    header: dict[str, Any],
    states: list[Hashable] | None,
    tolerance: float,
) -> tuple[_core.Model, Names, Names]:
    count = len(column["state"])
    for what, values in column.items():
        _no_gaps(values, what, columns[what])
    # One list of states: first those that have choices, in the order of the frame, then the others.
    parts = [part if part.dtype.kind in "iu" else part.astype(object) for part in (column["state"], column["next"])]
    if {part.dtype.kind for part in parts} == {"i", "u"}:
        parts = [part.astype(object) if part.dtype == np.uint64 else part for part in parts]
    both = np.concatenate(parts)
    codes, labels = _codes(both)
    if states is not None:
        codes, labels = _in_order(codes, labels, list(states))
    state, next_state = codes[:count], codes[count:]
    action, actions = _codes(column["action"])
    row = state * len(actions) + action
    probability, reward = column["probability"], column["reward"]
    order = None
    if np.any(row[1:] < row[:-1]):
        order = np.argsort(row, kind="stable")
        row, state, action, next_state = row[order], state[order], action[order], next_state[order]
        probability, reward = probability[order], reward[order]
    first = np.flatnonzero(np.diff(row, prepend=-1))
    rows = Rows(state[first], action[first], np.append(first, count), next_state, probability, reward)
    rows.check(
        lambda r: f"state {labels[rows.state[r]]!r}, action {actions[rows.action[r]]!r}",
        lambda i: f"column {columns['probability']!r}, row {i if order is None else order[i]}",
        lambda i: f"column {columns['reward']!r}, row {i if order is None else order[i]}",
        tolerance,
    )
    model = rows.build(header, distinct_texts(labels, "states"), distinct_texts(actions, "actions"))
    return model, Names("state", labels), Names("action", actions)


def _in_order(codes: Any, labels: list[Any], wanted: list[Any]) -> tuple[Any, list[Any]]:
    distinct_texts(wanted, "states")
    position = {label: i for i, label in enumerate(wanted)}
    missing = [label for label in labels if label not in position]
    if missing:
        raise ModelError([Problem("states", f"{missing[0]!r} is a state of the frame, but is not in the list")])
    return np.asarray([position[label] for label in labels], dtype=np.int64)[codes], wanted


def _gaps(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    if values.dtype.kind == "f":
        gaps: np.ndarray[Any, Any] = np.isnan(values)
        return gaps
    if values.dtype != object:
        return np.zeros(1, dtype=bool)
    try:
        import pandas as pd
    except ImportError:
        return np.asarray([value is None or bool(np.isscalar(value) and value != value) for value in values.tolist()])
    return np.asarray(pd.isna(values))


def _no_gaps(values: np.ndarray[Any, Any], what: str, name: Hashable) -> None:
    gaps = _gaps(values)
    if gaps.any():
        where = int(np.flatnonzero(gaps)[0])
        raise ModelError([Problem("", f"column {name!r}, row {where}: nothing there, must be a {_KINDS.get(what, what)}")])
