"""What users call states and actions, and what the library calls them.

The library knows texts. Who gives arrays speaks of positions, and who gives a data frame of the values in
its columns: `Names` remembers them.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from ._errors import ModelError, Problem, RequestError


class Names:
    """Labels of one kind ("state"), by the library's names for them."""

    def __init__(self, kind: str, labels: Sequence[Hashable] | None = None, *, positions: bool = False) -> None:
        self.kind = kind
        self.positions = positions  # labels are ints, names their digits
        self._by_name: dict[str, Hashable] | None = None
        self._by_label: dict[Hashable, str] | None = None  # made where it is asked for
        if labels is not None and not all(type(label) is str for label in labels):
            self._by_name = dict(zip(texts(labels), labels))

    def label(self, name: str) -> Any:
        """What the user calls it."""
        if self.positions:
            return int(name)
        return name if self._by_name is None else self._by_name.get(name, name)

    def name(self, label: Hashable) -> str:
        """What the library calls it."""
        if self.positions and isinstance(label, np.ndarray) and label.ndim == 0:
            label = label.item()
        return text_of(label)

    def equal_name(self, label: Hashable) -> str | None:
        """The name of the label that is equal to this one, as 0.0 is to 0; none where there is no such."""
        if self._by_name is None:
            return None
        if self._by_label is None:
            self._by_label = {known: name for name, known in self._by_name.items()}
        try:
            name = self._by_label.get(label)
        except TypeError:  # not hashable
            return None
        return name if name is None or is_truth(self._by_name[name]) == is_truth(label) else None

    def unknown(self, label: Hashable, names: Callable[[], Iterable[str]]) -> RequestError:
        """The error for a label that there is not, with the nearest one that there is."""
        text = self.name(label)
        if self.positions:
            count = sum(1 for _ in names())
            return RequestError([Problem(self.kind, f"found {label!r}, expected one of 0 to {count - 1}")])
        near = difflib.get_close_matches(text, list(names()), 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        return RequestError([Problem("", f"{self.kind} {text!r}: there is none of this name{hint}")])


def nearest(text: str, known: Iterable[str]) -> str:
    """What follows the news that there is no such thing: the one that was meant, or all that there are."""
    known = list(known)
    near = difflib.get_close_matches(text, known, 1)
    return f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(known)}"


def is_truth(label: Any) -> bool:
    """True and False are equal to 1 and 0, but never mean them."""
    return isinstance(label, (bool, np.bool_))


def text_of(label: Hashable) -> str:
    if isinstance(label, (bool, np.bool_)):
        label = bool(label)
    elif isinstance(label, np.generic) and not isinstance(label, (str, np.datetime64, np.timedelta64)):
        label = label.item()
    text = str(label)
    if not text.isascii() and any("\ud800" <= sign <= "\udfff" for sign in text):
        raise RequestError([Problem("", f"the name {text!r} has half of a surrogate pair, expected whole characters")])
    return text


def texts(labels: Iterable[Hashable]) -> list[str]:
    return [text_of(label) for label in labels]


def distinct_texts(labels: Iterable[Hashable], what: str) -> list[str]:
    """What the library calls them; an error where it would mistake one for another."""
    labels = list(labels)
    found = texts(labels)
    if len(set(found)) == len(found):
        return found
    problems = []
    seen: dict[str, Hashable] = {}
    for text, label in zip(found, labels):
        if text in seen:
            told = "is given twice" if repr(seen[text]) == repr(label) else f"has the same name as {label!r}"
            problems.append(Problem(what, f"{seen[text]!r} {told}, must be distinct"))
        seen.setdefault(text, label)
    raise ModelError(problems[:20])
