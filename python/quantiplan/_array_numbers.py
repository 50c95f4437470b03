"""Numbers in arrays, of every type that numpy has, as the library takes them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from ._errors import ModelError, NumberError, Problem
from ._numbers import is_short, text_of

MOST_PROBLEMS = 20


def numbers_of(values: Any, place: Callable[[int], str]) -> Any:
    """As the library takes them: float64, float32 or int64 arrays as they are, all else as texts. `place` is what the
    user calls number i."""
    array = np.asarray(values).ravel()
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if array.dtype in (np.float64, np.float32, np.int64):
        return np.ascontiguousarray(array)
    if array.dtype.kind in "bui" and (array.dtype != np.uint64 or not np.any(array > np.uint64(2**63 - 1))):
        return np.ascontiguousarray(array, dtype=np.int64)
    if array.dtype.kind == "f" and array.dtype.itemsize <= 8:
        return as_doubles(array)
    found: list[str] = []
    problems: list[Problem] = []
    for i, value in enumerate(array if array.dtype.kind == "f" else array.tolist()):  # long doubles are none of Python's
        try:
            found.append(text_of(value))
        except NumberError as error:
            told = (Problem(place(i), p.message) for p in error.problems)  # one R[s, a] is the reward of many outcomes
            problems += [problem for problem in told if problem not in problems]
            if len(problems) == MOST_PROBLEMS:
                break
    if problems:
        raise NumberError(problems)
    return found


def as_doubles(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """float64 of the same shortest decimals."""
    if array.dtype in (np.float16, np.float32):
        distinct, at = np.unique(array, return_inverse=True)
        return np.asarray([float(str(value)) for value in distinct])[at.ravel()]
    return np.ascontiguousarray(array, dtype=np.float64)


def require_unmasked(given: Any, what: str) -> None:
    """numpy.asarray would take what is masked for numbers."""
    if isinstance(given, np.ma.MaskedArray):
        masked = np.argwhere(np.ma.getmaskarray(given))
        if len(masked):
            place = what + "".join(f"[{i}]" for i in masked[0].tolist())
            raise ModelError([Problem(place, f"{place} is masked, must be a number")])
    elif isinstance(given, (list, tuple)):
        for i, part in enumerate(given):
            if isinstance(part, (np.ma.MaskedArray, list, tuple)):
                require_unmasked(part, f"{what}[{i}]")


def fractions_of(numbers: list[str]) -> np.ndarray[Any, Any] | None:
    """Exactly; nothing where one of them is none, which the library says better."""
    found = np.empty(len(numbers), dtype=object)
    try:
        for i, text in enumerate(numbers):
            if not is_short(text):
                return None
            found[i] = Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None
    return found
