"""Models from arrays: P[a, s, s'] and rewards, as value iteration codes have them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from . import _core
from ._array_numbers import MOST_PROBLEMS, as_doubles, fractions_of, numbers_of, require_unmasked
from ._errors import Error, ModelError, NumberError, Problem, RequestError, in_arrays
from ._names import Names, distinct_texts, texts
from ._numbers import text_of

# How far from 1 probabilities may sum, as in the library.
TOLERANCE = 1e-6


class Rows:
    """Choices with their outcomes, row after row: what the library's builder takes."""

    def __init__(
        self,
        state: np.ndarray[Any, Any],
        action: np.ndarray[Any, Any],
        begin: np.ndarray[Any, Any],
        next_state: np.ndarray[Any, Any],
        probability: Any,
        reward: Any,
    ) -> None:
        self.state = np.ascontiguousarray(state, dtype=np.uint32)
        self.action = np.ascontiguousarray(action, dtype=np.uint32)
        self.begin = np.ascontiguousarray(begin, dtype=np.int64)
        self.next = np.ascontiguousarray(next_state, dtype=np.int64)
        self.probability = probability
        self.reward = reward
        self.told: Callable[[str], str] = str  # what the library says, in the user's terms
        self._places: tuple[Callable[[int], str], Callable[[int], str]] | None = None
        self._wrong_rows: Callable[[Any], list[Problem]] = lambda values: []

    def check(
        self,
        called: Callable[[int], str],
        likely: Callable[[int], str],
        paid: Callable[[int], str],
        tolerance: float = TOLERANCE,
    ) -> None:
        """Makes numbers of probabilities and rewards, and complains of what is clearly wrong in the user's terms, all of
        it together: `called` is the name of a row, `likely` that of an outcome's probability, `paid` that of its reward.
        What is close the library settles."""
        self._places = likely, paid
        self._wrong_rows = lambda values: self._wrong_rows_of(values, called, tolerance)
        self.probability = numbers_of(self.probability, likely)
        self.reward = numbers_of(self.reward, paid)
        problems: list[Problem] = []
        if not isinstance(self.reward, list) and self.reward.dtype.kind == "f":
            for i in np.flatnonzero(~np.isfinite(self.reward))[:MOST_PROBLEMS]:
                place = paid(int(i))
                problems.append(Problem(place, f"{place} is {self.reward[i]}, must be a finite number"))
        if not isinstance(self.probability, list) and len(self.state) > 0:
            problems += self._wrong_rows(self.probability)
        if problems:
            raise ModelError(list(dict.fromkeys(problems))[:MOST_PROBLEMS])

    def outcome(self, i: int) -> tuple[int, int, int]:
        """State, action and next state of an outcome."""
        row = int(np.searchsorted(self.begin, i, side="right")) - 1
        return int(self.state[row]), int(self.action[row]), int(self.next[i])

    def _wrong_rows_of(self, values: Any, called: Callable[[int], str], tolerance: float) -> list[Problem]:
        problems = []
        for i in np.flatnonzero(~((values >= 0) & (values <= 1)))[:MOST_PROBLEMS]:
            row = int(np.searchsorted(self.begin, i, side="right")) - 1
            message = f"{called(row)} has the probability {values[i]}, must be from 0 to 1"
            problems.append(Problem(called(row), message))
        told = {problem.place for problem in problems}
        begin, end = self.begin[:-1], self.begin[1:]
        summed = values if begin[-1] < end[-1] else np.append(values, 0)
        sums = np.add.reduceat(summed, begin, dtype=object if values.dtype == object else float)
        sums[begin == end] = 0
        for row in np.flatnonzero(~(np.abs(sums - 1) <= tolerance * (1 + 1e-6) + 1e-12))[: 2 * MOST_PROBLEMS]:
            place = called(int(row))
            if place not in told:
                problems.append(Problem(place, f"{place} sums to {float(f'{float(sums[row]):.12g}')}, must be 1"))
        return problems

    def build(self, header: dict[str, Any], states: int | list[str], actions: list[str]) -> _core.Model:
        try:
            return _core.build(
                header, states, actions, self.state, self.action, self.begin, self.next, self.probability, self.reward
            )
        except RequestError as error:
            raise self._placed(error) from None
        except ModelError as error:
            # Of texts, which the library sums quicker: what is wrong in the user's terms.
            values = fractions_of(self.probability) if isinstance(self.probability, list) else None
            problems = [] if values is None else self._wrong_rows(values)
            if not problems:
                problems = [Problem(self.told(place), self.told(message)) for place, message in error.problems]
        raise ModelError(problems[:MOST_PROBLEMS])

    def _placed(self, error: RequestError) -> Error:
        """A text that is no number is known to the library by its position."""
        what, _, position = error.problems[0].place.partition(" ")
        if self._places is None or what not in ("probability", "reward") or not position.isdigit():
            return error
        place = self._places[what == "reward"](int(position))
        return NumberError([Problem(place, error.problems[0].message)])


def _is_sparse(matrix: Any) -> bool:
    return hasattr(matrix, "tocsr")


def _as_array(given: Any, what: str) -> np.ndarray[Any, Any]:
    require_unmasked(given, what)
    if _is_sparse(given) or getattr(given, "format", None) == "coo" and hasattr(given, "toarray"):
        given = given.toarray()
    try:
        return np.asarray(given)
    except ValueError:
        raise _wrong(f"{what} has rows of different lengths, must be an array") from None


def _wrong(message: str) -> ModelError:
    return ModelError([Problem("", message)])


def _matrices(P: Any) -> list[Any] | np.ndarray[Any, Any]:
    """One matrix for each action: a list with sparse ones in it, or an array (A, S, S)."""
    if _are_sparse(P):
        return [_canonical(m) for m in P]
    if _is_sparse(P) and len(P.shape) == 2:
        raise _wrong("P is one sparse matrix, must be a list of them, one for each action")
    array = _as_array(P, "P")
    if array.ndim == 3 and 0 in array.shape:
        raise _wrong(f"P has the shape {array.shape}, must have at least one action and one state")
    if array.ndim != 3 or array.shape[1] != array.shape[2]:
        raise _wrong(f"P has the shape {array.shape}, must be (actions, states, states): P[a, s, s']")
    return _with_zeros(array) if array.dtype.kind in "OU" else array


def _with_zeros(P: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Texts of 0 as the number: what is not 0 is an outcome."""
    plain = P.astype(object)
    for at, value in enumerate(plain.flat):
        if value is None or isinstance(value, str) and not value.strip():
            place = "P" + "".join(f"[{i}]" for i in np.unravel_index(at, P.shape))
            raise ModelError([Problem(place, f"{place} is {value!r}, must be a number")])
        if isinstance(value, str) and not value.strip("+-0. ") and "0" in value:
            plain.flat[at] = 0
    return plain


def _dense(P: np.ndarray[Any, Any], R: Any) -> Rows:
    """What is not 0, by state, then action. One flat index serves P and R, and none is needed where all of P counts:
    index arrays for state, action and next took longer than the model itself."""
    actions, states = P.shape[:2]
    flat = P.transpose(1, 0, 2).reshape(-1)  # a model lists the choices of a state together
    lengths = np.count_nonzero(flat.reshape(-1, states), axis=1)
    row = np.flatnonzero(lengths)  # a row of zeros is an action that a state does not have
    full = len(row) * states == flat.size and bool((lengths == states).all())
    at = None if full else np.flatnonzero(flat)
    next_state = np.tile(np.arange(states), len(row)) if at is None else at % states
    of_each = lengths[row]
    begin = np.concatenate([[0], np.cumsum(of_each)])
    reward = _dense_rewards(R, states, actions, at, row, of_each)
    probability = flat if at is None else flat[at]
    return Rows(row // actions, row % actions, begin, next_state, probability, reward)


def _dense_rewards(R: Any, states: int, actions: int, at: Any, row: Any, of_each: Any) -> Any:
    """The rewards of the entries at these positions of P[s, a, s'], whose rows are of these lengths."""
    if _are_sparse(R):
        dense = [m.toarray() if _is_sparse(m) else m for m in _reward_matrices(R, states, actions)]
        R = np.stack(_data_of(dense))
    array = _as_array(R, "R")
    if array.shape == ():
        return array.reshape(1)
    if array.shape == (states,):
        return np.repeat(array[row // actions], of_each)
    if array.shape == (states, actions):
        return np.repeat(array.reshape(-1)[row], of_each)
    if array.shape == (actions, states, states):
        flat = array.transpose(1, 0, 2).reshape(-1)
        return flat if at is None else flat[at]
    raise _wrong_rewards(array.shape, states, actions)


def _wrong_rewards(shape: tuple[int, ...], states: int, actions: int) -> ModelError:
    return _wrong(
        f"R has the shape {shape}, must be ({states},), ({states}, {actions}) or "
        f"({actions}, {states}, {states}): R[s], R[s, a] or R[a, s, s']"
    )


def _are_sparse(given: Any) -> bool:
    """Sparse matrices in a list, or in an array of objects, as pymdptoolbox has them."""
    if isinstance(given, np.ndarray):
        return given.dtype == object and given.ndim == 1 and any(_is_sparse(m) for m in given)
    return isinstance(given, Sequence) and any(_is_sparse(m) for m in given)


def _reward_matrices(R: Sequence[Any], states: int, actions: int) -> list[Any]:
    """R[a], one matrix for each action, some of them sparse."""
    if len(R) != actions:
        raise _wrong(f"R has {len(R)} matrices, must have {actions}, one for each action")
    found = [m.tocsr() if _is_sparse(m) else _as_array(m, f"R[{a}]") for a, m in enumerate(R)]
    for a, matrix in enumerate(found):
        if matrix.shape != (states, states):
            raise _wrong(f"R[{a}] has the shape {matrix.shape}, must be ({states}, {states})")
    return found


def _data_of(matrices: list[Any]) -> list[np.ndarray[Any, Any]]:
    """Their numbers, so that numpy may put them together: a float32 means another decimal than the same float64."""
    data = [m.data if _is_sparse(m) else m for m in matrices]
    if len({d.dtype for d in data}) > 1:
        data = [as_doubles(d.ravel()).reshape(d.shape) if d.dtype.kind == "f" and d.dtype.itemsize < 8 else d for d in data]
    return data


def _sparse(P: list[Any]) -> tuple[Any, Any, Any, Any]:
    count = P[0].shape[0]
    for a, matrix in enumerate(P):
        if matrix.shape != (count, count):
            raise _wrong(f"P[{a}] has the shape {matrix.shape}, must be ({count}, {count})")
    # Row (s, a) begins behind those of earlier states and of earlier actions of s: nothing is sorted.
    lengths = np.stack([np.diff(m.indptr) for m in P], axis=1)
    begin = np.concatenate([[0], np.cumsum(lengths.ravel())])[:-1].reshape(lengths.shape)
    total = int(lengths.sum())
    state, action, next_state = (np.empty(total, dtype=np.int64) for _ in range(3))
    data = _data_of(P)
    probability = np.empty(total, dtype=np.result_type(*[d.dtype for d in data]))
    for a, m in enumerate(P):
        to = np.arange(m.nnz) + np.repeat(begin[:, a] - m.indptr[:-1], lengths[:, a])
        state[to] = np.repeat(np.arange(count), lengths[:, a])
        action[to], next_state[to], probability[to] = a, m.indices, data[a]
    if np.all(probability != 0):
        return state, action, next_state, probability
    keep = probability != 0
    return state[keep], action[keep], next_state[keep], probability[keep]


def _canonical(matrix: Any) -> Any:
    """In rows, columns ascending, each once; the user's own matrix stays as it is."""
    if not _is_sparse(matrix):
        from scipy.sparse import csr_matrix

        return csr_matrix(_as_array(matrix, "P"))
    rows = matrix.tocsr()
    if not rows.has_canonical_format:
        rows = rows.copy()
        rows.sum_duplicates()
    return rows


def _rewards(R: Any, states: int, actions: int, state: Any, action: Any, next_state: Any) -> Any:
    """The reward of each outcome, from R[s], R[s, a], R[a, s, s'] or sparse matrices R[a]."""
    if _are_sparse(R):
        matrices = _reward_matrices(R, states, actions)
        data = _data_of(matrices)
        out = np.empty(len(state), dtype=np.result_type(*[d.dtype for d in data]))
        for a, matrix in enumerate(matrices):
            mine = action == a
            if _is_sparse(matrix):
                matrix = type(matrix)((data[a], matrix.indices, matrix.indptr), shape=matrix.shape)
            else:
                matrix = data[a]
            out[mine] = np.asarray(matrix[state[mine], next_state[mine]]).ravel()
        return out
    array = _as_array(R, "R")
    if array.shape == ():
        return array.reshape(1)
    if array.shape == (states,):
        return array[state]
    if array.shape == (states, actions):
        return array[state, action]
    if array.shape == (actions, states, states):
        return array[action, state, next_state]
    raise _wrong_rewards(array.shape, states, actions)


def build(
    P: Any,
    R: Any,
    header: dict[str, Any],
    state_names: Sequence[Any] | None,
    action_names: Sequence[Any] | None,
    tolerance: float,
) -> tuple[_core.Model, Names, Names]:
    matrices = _matrices(P)
    actions = len(matrices)
    states = int(matrices.shape[1] if isinstance(matrices, np.ndarray) else matrices[0].shape[0])
    if state_names is not None and len(state_names) != states:
        raise _wrong(f"there are {len(state_names)} names of states, must be {states}")
    if action_names is not None and len(action_names) != actions:
        raise _wrong(f"there are {len(action_names)} names of actions, must be {actions}")
    if isinstance(matrices, np.ndarray):
        rows = _dense(matrices, R)
    else:
        state, action, next_state, probability = _sparse(matrices)
        reward = _rewards(R, states, actions, state, action, next_state)
        row = state.astype(np.int64) * actions + action
        first = np.flatnonzero(np.diff(row, prepend=-1))
        rows = Rows(state[first], action[first], np.append(first, len(row)), next_state, probability, reward)
    def likely(i: int) -> str:
        s, a, s2 = rows.outcome(i)
        return f"P[{a}][{s}][{s2}]"

    places = _reward_places(R, states, actions)
    rows.check(
        lambda r: f"P[{rows.action[r]}][{rows.state[r]}]",
        likely,
        lambda i: places(*rows.outcome(i)),
        tolerance,
    )
    names = [str(a) for a in range(actions)] if action_names is None else distinct_texts(action_names, "actions")
    if state_names is None and action_names is None:
        rows.told = in_arrays
    model = rows.build(header, states if state_names is None else distinct_texts(state_names, "states"), names)
    return (
        model,
        Names("state", state_names, positions=state_names is None),
        Names("action", action_names, positions=action_names is None),
    )


def _reward_places(R: Any, states: int, actions: int) -> Callable[[int, int, int], str]:
    """What the user calls the reward of an outcome."""
    shape = None if _are_sparse(R) else tuple(R.shape) if hasattr(R, "shape") else np.shape(R)
    if shape == ():
        return lambda s, a, s2: "R"
    if shape == (states,):
        return lambda s, a, s2: f"R[{s}]"
    if shape == (states, actions):
        return lambda s, a, s2: f"R[{s}][{a}]"
    return lambda s, a, s2: f"R[{a}][{s}][{s2}]"


def state_names(P: Any, given: Sequence[Any] | None) -> list[str]:
    """What the library calls the states of P[a, s, s']."""
    if given is not None:
        return texts(given)
    matrices = _matrices(P)
    return [str(s) for s in range(int(matrices[0].shape[0]) if len(matrices) else 0)]


def tolerance_of(tolerance: Any) -> float:
    """How far from 1 rows may sum, for what is checked here."""
    return TOLERANCE if tolerance is None else float(Fraction(text_of(tolerance, "tolerance")))
