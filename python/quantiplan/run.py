"""Episodes under a policy, as they happen, and what each action would come to."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _core
from ._errors import Problem, RequestError
from ._numbers import Value, exact, float_of, shown, text_of
from ._watch import Watch

if TYPE_CHECKING:
    from .policy import Policy


class Run:
    """One episode under a policy, as it happens: what to do now, given what has happened.

    >>> import quantiplan as qp
    >>> run = qp.read("examples/commute.json").solve(tau=.3)[.3].policy.start()
    >>> run.act("home")
    'train'
    >>> run.observe(-10, "station")
    >>> run.target, run.chance
    (Fraction(-15, 1), 0.8)
    """

    def __init__(self, policy: Policy, core: _core.Run, collected: Fraction = Fraction(0)) -> None:
        self._policy = policy
        self._core = core
        self._collected = collected
        self._begin: int = core.state
        self._seen: list[tuple[Any, int]] = []  # what was observed: rewards and next states

    @property
    def time(self) -> int:
        """Steps that were observed."""
        return self._core.time

    @property
    def state(self) -> Any:
        """Where the episode is."""
        return self._policy.model._state_label(self._core.state)

    @property
    def is_over(self) -> bool:
        """True at the horizon, at a state without actions and at a goal."""
        return self._core.is_over

    @property
    def collected(self) -> Fraction:
        """The sum of the rewards so far, each discounted to the start."""
        return self._collected

    @property
    def target(self) -> Fraction | None:
        """What is left of the promise, in units of now: at least so much must still be collected, or at most
        so much may still be spent."""
        target: Fraction | None = self._core.target
        return target

    @property
    def wealth(self) -> str | None:
        """The wealth so far, of a policy that goes by it."""
        return self._core.wealth

    @property
    def chance(self) -> Value | None:
        """The probability that the promise will be kept, given what has happened; computed anew each time."""
        with Watch(False) as watch:
            return Value.of(self._core.chance({}, watch))

    def act(self, state: Hashable | None = None) -> Any:
        """What the policy does now. Who says where he is gets an error if the episode is elsewhere.

        >>> import quantiplan as qp
        >>> qp.read("examples/commute.json").solve(tau=.3)[.3].policy.start().act("home")
        'train'
        """
        model = self._policy.model
        index = None if state is None else model._state_index(state)
        return model._actions.label(self._core.act(self._policy._core, index))

    def observe(self, reward: Any, next_state: Hashable) -> None:
        """What came of the action: a reward of the model (a float means its shortest decimal; labels and
        vectors where rewards are such), and the next state.

        >>> import quantiplan as qp
        >>> run = qp.read("examples/commute.json").solve(tau=.3)[.3].policy.start()
        >>> action = run.act()
        >>> run.observe(-10, "station")
        >>> run.state, run.collected
        ('station', Fraction(-10, 1))
        """
        model = self._policy.model
        index = model._state_index(next_state)
        seen: Any
        if model._core.has_labels:
            if reward is not None and not isinstance(reward, str):
                raise RequestError([Problem("reward", f"found {reward!r}, expected a label or None")])
            seen = reward or ""
        elif model._core.has_vectors:
            if isinstance(reward, str) or not isinstance(reward, Iterable):
                raise RequestError([Problem("reward", f"found {reward!r}, expected a vector of numbers")])
            seen = [text_of(part, "reward") for part in reward]
        else:
            seen = text_of(reward, "reward")
        self._observe(seen, index)

    def _observe(self, seen: Any, index: int) -> None:
        core = self._policy.model._core
        if core.has_labels:
            self._core.observe_label(seen, index)
        elif core.has_vectors:
            self._core.observe_vector(seen, index)
        else:
            time = self._core.time
            self._core.observe(seen, index)
            self._collected += self._policy._core.discount**time * exact(seen)
        self._seen.append((seen, index))

    def explain(self) -> Explanation:
        """What each action would come to from here, and which one the policy takes.

        >>> import quantiplan as qp
        >>> qp.read("examples/commute.json").solve(tau=.3)[.3].policy.start().explain().taken.action
        'train'
        """
        found = self._policy.explain(self.state, time=self.time, wealth=self._collected)
        taken = self.act()
        found.actions = [a._replace(taken=a.action == taken) for a in found.actions]
        return found

    def copy(self) -> Run:
        """An episode that goes on by itself from here.

        >>> import quantiplan as qp
        >>> qp.read("examples/commute.json").solve(tau=.3)[.3].policy.start().copy().time
        0
        """
        other = Run(self._policy, self._core.copy(), self._collected)
        other._begin, other._seen = self._begin, list(self._seen)
        return other

    __copy__ = copy

    def __reduce__(self) -> Any:
        return _run_again, (self._policy, self._begin, self._seen)

    def __repr__(self) -> str:
        return f"<Run at time {self.time} in {self.state!r}{', over' if self.is_over else ''}>"


def _run_again(policy: Policy, begin: int, seen: list[tuple[Any, int]]) -> Run:
    """The same episode: what was done follows from what was observed."""
    run = Run(policy, policy._core.start(begin))
    for reward, next_state in seen:
        run._core.act(policy._core, None)
        run._observe(reward, next_state)
    return run


class ActionOutlook(NamedTuple):
    """An action, if what is best for the promise follows it.

    >>> import quantiplan as qp
    >>> qp.read("examples/commute.json").solve(tau=.3)[.3].policy.explain("home").taken.mean
    -31.89
    """

    action: Any
    taken: bool
    probability: Value  # that the promise is kept
    mean: Value | None  # of the whole total


class WealthRange(NamedTuple):
    """What a policy does in a state at a time, from one wealth to another, both in units of the start.

    Of rewards, at least `low` and less than `high`; of costs, more than `low` and at most `high`; None: no bound. Where wealth
    is no sum, `wealths` lists those that it is for; empty: all others.

    >>> import quantiplan as qp
    >>> qp.read("examples/commute.json").solve(tau=.3)[.3].policy.actions_by_wealth("home")
    [WealthRange(action='train', low=None, high=None, wealths=[])]
    """

    action: Any
    low: Fraction | None
    high: Fraction | None
    wealths: list[str]


class Explanation:
    """What each action would come to in the middle of an episode, in the order of the model; `probability` and `mean` are what the
    policy itself comes to from there on, None where that is not known exactly. `sentences` say it as `quantiplan explain` does.

    >>> import quantiplan as qp
    >>> [a.action for a in qp.read("examples/commute.json").solve(tau=.3)[.3].policy.explain("home")]
    ['bike', 'train']
    >>> qp.read("examples/commute.json").solve(tau=.3)[.3].policy.explain("home").sentences[-1]
    'no other action keeps the promise as often.'
    """

    def __init__(
        self,
        state: Any,
        time: int,
        wealth: Fraction,
        left: Fraction,
        actions: list[ActionOutlook],
        probability: Value | None = None,
        mean: Value | None = None,
        sentences: list[str] | None = None,
    ) -> None:
        self.sentences = sentences or []
        self.state = state
        self.time = time
        self.wealth = wealth
        self.left = left
        self.actions = actions
        self.probability = probability
        self.mean = mean

    @property
    def taken(self) -> ActionOutlook:
        """The action that the policy takes."""
        return next(a for a in self.actions if a.taken)

    def __iter__(self) -> Iterator[ActionOutlook]:
        return iter(self.actions)

    def __len__(self) -> int:
        return len(self.actions)

    def to_frame(self) -> Any:
        """One row for each action; a pandas frame.

        >>> import quantiplan as qp
        >>> policy = qp.read("examples/commute.json").solve(tau=.3)[.3].policy
        >>> len(policy.explain("home").to_frame())
        2
        """
        import pandas as pd

        return pd.DataFrame(
            {
                "action": [a.action for a in self.actions],
                "taken": [a.taken for a in self.actions],
                "probability": [float(a.probability) for a in self.actions],
                "mean": [float_of(a.mean) for a in self.actions],
            }
        )

    def __repr__(self) -> str:
        lines = [f"At time {self.time} in {self.state!r} with {shown(self.wealth)}, {shown(self.left)} left:"]
        for a in self.actions:
            mean = "" if a.mean is None else f", mean {float(a.mean):.6g}"
            lines.append(
                f"  {'->' if a.taken else '  '} {a.action}: kept with probability {float(a.probability):.6g}{mean}"
            )
        return "\n".join(lines)
