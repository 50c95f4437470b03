"""Preference orders of one's own: what a history is worth, where that is no sum."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class Structure(Protocol):
    """A wealth structure: how rewards add up to a wealth, and which final wealth is better.

    Every step asks Python, so this is for small problems, with a finite horizon; the built-in structures of
    model files (max, min, product, lexicographic, counts, automaton, table) run at full speed. Optional:
    `text(key)`, what a class is called; `number(wealth)`, where wealth has an expectation.

    >>> class LongestRun:  # the longest run of steps that paid something
    ...     def initial(self): return (0, 0)
    ...     def update(self, wealth, reward):
    ...         now = wealth[0] + 1 if reward > 0 else 0
    ...         return (now, max(now, wealth[1]))
    ...     def key(self, wealth): return wealth[1]
    >>> isinstance(LongestRun(), Structure)
    True
    """

    def initial(self) -> Hashable:
        """The wealth of the empty history."""

    def update(self, wealth: Any, reward: Any) -> Hashable:
        """The wealth after one more reward: an int or a Fraction, a label, or a tuple of Fractions."""

    def key(self, wealth: Any) -> Any:
        """What is compared of a final wealth: greater is better, equal is the same class."""
