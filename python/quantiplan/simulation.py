"""Seeded episodes of a policy, and what they tell of it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ._errors import Problem, RequestError
from ._numbers import Number, exact, float_of

if TYPE_CHECKING:
    from .policy import Policy


class Simulation:
    """Episodes that were played: `totals` in the order of play, and how often each level occurred.

    >>> import quantiplan as qp
    >>> qp.read("examples/commute.json").solve(tau=.3)[.3].policy.simulate(1000, seed=1).at_least(-25) > .6
    True
    """

    def __init__(self, policy: Policy, found: dict[str, Any], seed: int, asked: int) -> None:
        model = policy.model
        self.seed = seed
        self.asked = asked
        self.episodes: int = found["episodes"]
        self.classes: list[str] | None = found["levels"] or None
        totals = found["totals"]
        if self.classes is not None:  # the library counts them by rank
            totals = [_number_of(policy, level) for level in self.classes]
        self.levels_exact: list[Any] = totals if self.classes is None else [
            level if number is None else number for level, number in zip(self.classes, totals)
        ]
        self.levels = np.asarray([float_of(t) for t in totals])
        self.slack: Fraction = found["slack"]  # without an end: what would follow is worth at most this, either way
        self.counts = np.asarray(found["counts"], dtype=np.int64)
        drawn = found["drawn"]
        self.totals: np.ndarray[Any, Any] | None = self.levels[drawn] if len(drawn) else None
        if policy._core.cost and self.classes is None:  # ascending, as in distributions
            self.levels_exact, self.levels, self.counts = self.levels_exact[::-1], self.levels[::-1], self.counts[::-1]
        self.steps: list[list[tuple[Any, Any, Any, Any]]] = [
            [
                (model._state_label(s), model._actions.label(a), r, model._state_label(s2))
                for s, a, r, s2 in episode
            ]
            for episode in found["steps"]
        ]

    @property
    def mean(self) -> float:
        """The mean of the totals; not a number where wealth has none."""
        if not all(isinstance(level, Fraction) for level in self.levels_exact):
            return float(np.average(self.levels, weights=self.counts))
        # Integers over one denominator: the sum of many fractions would reduce each of them.
        unit = math.lcm(*(level.denominator for level in self.levels_exact))
        total = sum(c * (t.numerator * (unit // t.denominator)) for c, t in zip(self.counts.tolist(), self.levels_exact))
        return float_of(Fraction(total, unit * self.episodes))

    def at_least(self, level: Number) -> float:
        """The share of episodes with a total of at least this much. Where wealth goes by classes without numbers, `level`
        is the name of one.

        >>> import quantiplan as qp
        >>> qp.read("examples/commute.json").solve(tau=.3)[.3].policy.simulate(10).at_least(-1000)
        1.0
        """
        if isinstance(level, str) and self.classes is not None:
            if level not in self.classes:
                raise RequestError([Problem("level", f"found {level!r}, expected one of {', '.join(self.classes)}")])
            return float(self.counts[self.classes.index(level) :].sum() / self.episodes)
        if isinstance(level, float):  # as levels are floats, here
            return float(self.counts[self.levels >= level].sum() / self.episodes)
        wanted = exact(level, "level")
        reached = [not isinstance(t, str) and t >= wanted for t in self.levels_exact]
        return float(self.counts[np.asarray(reached, dtype=bool)].sum() / self.episodes)

    def to_frame(self) -> Any:
        """One row for each total that occurred; a pandas frame.

        >>> import quantiplan as qp
        >>> policy = qp.read("examples/commute.json").solve(tau=.3)[.3].policy
        >>> int(policy.simulate(50).to_frame()["count"].sum())
        50
        """
        import pandas as pd

        return pd.DataFrame({"total": self.classes or self.levels, "count": self.counts})

    def __len__(self) -> int:
        return self.episodes

    def __repr__(self) -> str:
        return f"<Simulation of {self.episodes} episodes, seed {self.seed}, mean {self.mean:.6g}>"


def _number_of(policy: Policy, level: str) -> Fraction | None:
    """The number of a class of wealth, where classes have such."""
    structure = policy._structure
    has_numbers = policy.model._core.wealth in ("max", "min", "product") if structure is None else hasattr(structure, "number")
    try:
        return Fraction(level) if has_numbers else None
    except ValueError:
        return None


class StateSummary(NamedTuple):
    """How often a state was met, and what was done there; `differs` counts the steps at which the policy with the best
    mean does otherwise, `own_then` and `other_then` are what the two do most often there.

    >>> import quantiplan as qp
    >>> qp.read("examples/commute.json").solve(tau=.1)[.1].policy.summary(100).states[0].most
    'bike'
    """

    state: Any
    met: int
    differs: int
    most: Any
    own_then: Any
    other_then: Any


@dataclass
class PolicySummary:
    """What a policy is like, from episodes that are played: actions and states, the most frequent first.

    >>> import quantiplan as qp
    >>> found = qp.read("examples/commute.json").solve(tau=.1)[.1].policy.summary(100)
    >>> found.steps, found.actions, found.states[0].other_then
    (100, [('bike', 100)], 'train')
    """

    episodes: int
    seed: int
    steps: int
    actions: list[tuple[Any, int]]
    states: list[StateSummary]
    is_compared: bool

    def to_frame(self) -> Any:
        """One row for each state; a pandas frame.

        >>> import quantiplan as qp
        >>> len(qp.read("examples/commute.json").solve(tau=.1)[.1].policy.summary(10).to_frame())
        1
        """
        import pandas as pd

        return pd.DataFrame(self.states, columns=list(StateSummary._fields))
