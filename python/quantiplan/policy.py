"""Policies: run, explained, evaluated, played, checked, saved."""

from __future__ import annotations

import html
import os
import random
import secrets
from collections.abc import Callable, Hashable, Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _core
from ._errors import PolicyError, Problem, RequestError
from ._numbers import Number, Value, exact, float_of, shown, text_of
from ._queries import Computing, flag, split, whole
from ._watch import Watch

if TYPE_CHECKING:
    from typing import Unpack

    from .model import Model
    from .results import Check, Distribution
    from .structures import Structure


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
            seen = reward or ""
        elif model._core.has_vectors:
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


class Explanation:
    """What each action would come to in the middle of an episode; the best for the promise first.

    >>> import quantiplan as qp
    >>> [a.action for a in qp.read("examples/commute.json").solve(tau=.3)[.3].policy.explain("home")]
    ['bike', 'train']
    """

    def __init__(self, state: Any, time: int, wealth: Fraction, left: Fraction, actions: list[ActionOutlook]) -> None:
        self.state = state
        self.time = time
        self.wealth = wealth
        self.left = left
        self.actions = actions

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
        self.counts = np.asarray(found["counts"], dtype=np.int64)
        drawn = found["drawn"]
        self.totals: np.ndarray[Any, Any] | None = self.levels[drawn] if len(drawn) else None
        self.steps: list[list[tuple[Any, Any, Fraction, Any]]] = [
            [
                (model._state_label(s), model._actions.label(a), r, model._state_label(s2))
                for s, a, r, s2 in episode
            ]
            for episode in found["steps"]
        ]

    @property
    def mean(self) -> float:
        """The mean of the totals; not a number where wealth has none."""
        return float(np.average(self.levels, weights=self.counts))

    def at_least(self, level: float | str) -> float:
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
        return float(self.counts[self.levels >= level].sum() / self.episodes)

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


class Policy:
    """Which action to take, by time, state and what is left of the target.

    >>> import quantiplan as qp
    >>> policy = qp.read("examples/commute.json").solve(tau=.3)[.3].policy
    >>> policy.kind, policy.target
    ('by residual', Fraction(-25, 1))
    """

    def __init__(self, model: Model, core: _core.Policy, structure: Structure | None = None) -> None:
        self.model = model
        self._core = core
        self._structure = structure

    @property
    def kind(self) -> str:
        """What it looks at besides the state: "by time", "by residual", "by index", "stationary" or "by wealth"."""
        return self._core.kind

    @property
    def target(self) -> Fraction | None:
        """What the policy promises, where it has such a target."""
        target: Fraction | None = self._core.target
        return target

    @property
    def claim(self) -> dict[str, Any] | None:
        """What the solver says of it, to which `check` holds it."""
        claim: dict[str, Any] | None = self._core.claim
        return claim

    @property
    def initial(self) -> Any:
        """The initial state; a dict of probabilities where it is drawn.

        >>> import quantiplan as qp
        >>> qp.read("examples/commute.json").solve(tau=.3)[.3].policy.initial
        'home'
        """
        found = self._core.initial()
        if isinstance(found, dict):
            return {self.model._states.label(name): probability for name, probability in found.items()}
        return self.model._states.label(found)

    def drawn_initial(self, seed: int | None = None) -> Any:
        """One of the initial states, drawn with its probability: by `seed`, or by chance.

        >>> import quantiplan as qp
        >>> m = qp.read("examples/commute.json")
        >>> policy = m.solve(tau=.3, initial={"home": "1/2", "station": "1/2"})[.3].policy
        >>> policy.drawn_initial(seed=1) in ("home", "station")
        True
        """
        return self.model._state_label(self._core.drawn_initial(_bits(seed)()))

    def start(self, seed: int | None = None, *, state: Hashable | None = None) -> Run:
        """An episode from the initial state. What is drawn, one of several initial states or a policy of a mixture, is
        drawn by `seed`, or by chance; an environment that draws the state itself says it as `state`.

        >>> import quantiplan as qp
        >>> run = qp.generate("gambler", goal=4, horizon=2).solve(tau=.5)[.5].policy.start()
        >>> run.time, run.state
        (0, 'capital=2')
        >>> m = qp.read("examples/commute.json")
        >>> policy = m.solve(tau=.3, initial={"home": "1/2", "station": "1/2"})[.3].policy
        >>> policy.start(state="station").state
        'station'
        """
        draw = _bits(seed)
        part = self
        if self._core.is_mixture:
            part = Policy(self.model, self._core.part(draw()), self._structure)
        if state is None:
            begin = part._core.drawn_initial(draw())
        else:
            begin = self.model._state_index(state)
        return Run(part, part._core.start(begin))

    def explain(
        self, state: Hashable, *, time: int = 0, wealth: Number = 0, **computing: Unpack[Computing]
    ) -> Explanation:
        """Why this action: having collected `wealth` by `time`, the probability that the promise can still be
        kept after each action, the mean of the total, and which one the policy takes. In an episode,
        `run.explain()` knows time and wealth.

        >>> import quantiplan as qp
        >>> policy = qp.read("examples/commute.json").solve(tau=.3)[.3].policy
        >>> policy.explain("home")
        At time 0 in 'home' with 0, -25 left:
             bike: kept with probability 0, mean -40
          -> train: kept with probability 0.72, mean -31.89
        """
        _, options, progress = split(self.model, computing)
        index = self.model._state_index(state)
        time = whole(time, "time", 0)
        with Watch(progress) as watch:
            found = self._core.explain(index, time, text_of(wealth, "wealth"), options, watch)
        actions = [
            ActionOutlook(self.model._actions.label(name), taken, Value.known(p), Value.of(mean))
            for name, taken, p, mean in found["actions"]
        ]
        return Explanation(state, time, exact(wealth), found["left"], actions)

    def evaluate(
        self,
        measures: str | Iterable[str] | None = None,
        *,
        tau: Number | Iterable[Number] | None = None,
        beta: Number | Iterable[Number] | None = None,
        utility: Any = None,
        **computing: Unpack[Computing],
    ) -> Distribution:
        """The exact distribution of the total under this policy. With `measures`, or what they take, its `measures` say
        what it is worth (`Distribution.measure`).

        >>> import quantiplan as qp
        >>> policy = qp.read("examples/commute.json").solve(tau=.3)[.3].policy
        >>> float(policy.evaluate().mean.exact)
        -31.89
        >>> policy.evaluate(measures="cvar", tau=.3).measures["cvar"].exact
        Fraction(-1439, 30)
        """
        from .results import Distribution

        _, options, progress = split(self.model, computing)
        with Watch(progress) as watch:
            found = Distribution(self._core.evaluate(options, watch), lambda: self)
        given = {name: value for name, value in (("tau", tau), ("beta", beta), ("utility", utility)) if value is not None}
        if measures is not None or given:
            found.measures = found.measure("all" if measures is None else measures, **given, **computing)
        return found

    def simulate(
        self, episodes: int = 1, *, seed: int = 0, trace: bool = False, **computing: Unpack[Computing]
    ) -> Simulation:
        """Seeded episodes; the same seed gives the same episodes everywhere. With `trace`, their steps, too.

        >>> import quantiplan as qp
        >>> qp.generate("gambler", goal=4, horizon=2).solve(tau=.5)[.5].policy.simulate(1000, seed=1).episodes
        1000
        """
        _, options, progress = split(self.model, computing)
        episodes = whole(episodes, "episodes", 1)
        seed = whole(seed, "seed", 0)
        keep = "steps" if flag(trace, "trace") else "order"
        with Watch(progress) as watch:
            return Simulation(self, self._core.simulate(episodes, seed, keep, options, watch), seed, episodes)

    def check(self, **computing: Unpack[Computing]) -> Check:
        """Confirms what the policy claims, by code that shares nothing with the engines.

        >>> import quantiplan as qp
        >>> bool(qp.read("examples/commute.json").solve(tau=.3)[.3].policy.check())
        True
        """
        from .results import Check

        _, options, progress = split(self.model, computing)
        with Watch(progress) as watch:
            found = self._core.check(options, watch)
        if found is None:
            raise RequestError([Problem("check", "found a policy that claims nothing, expected a claim")])
        return Check(**found)

    def text(self) -> str:
        """The policy as a file has it (docs/policy-format.md).

        >>> import quantiplan as qp
        >>> "quantiplan-policy" in qp.read("examples/commute.json").solve(tau=.3)[.3].policy.text()
        True
        """
        return self._core.text()

    def save(self, path: str | os.PathLike[str], *, model: bool = True) -> None:
        """Writes the policy as the program reads it; and beside it, for `qp.load_policy`, the model
        ("p.model.json" for "p.json"), unless `model` is False.

        >>> import quantiplan as qp, tempfile, os
        >>> path = os.path.join(tempfile.mkdtemp(), "p.json")
        >>> qp.read("examples/commute.json").solve(tau=.3)[.3].policy.save(path)
        >>> qp.load_policy(path).target
        Fraction(-25, 1)
        """
        path = os.fspath(path)
        self._core.save(path)
        if model:
            self.model.convert(_beside(path), "json")

    @classmethod
    def _load(cls, path: str) -> Policy:
        from .model import read

        beside = _beside(path)
        if not os.path.exists(beside):
            raise PolicyError(
                [Problem(path, f"there is no model beside it ({beside}); expected qp.load_policy(path, model)")]
            )
        return read(beside).load_policy(path)

    def __reduce__(self) -> Any:
        return _unpickled, (self.model, self.text(), self._structure)

    def __repr__(self) -> str:
        target = "" if self.target is None else f", target {shown(self.target)}"
        return f"<Policy {self.kind}{target}, {self._core.rules} rules>"

    def _repr_html_(self) -> str:
        return f"<code>{html.escape(repr(self))}</code>"


def _number_of(policy: Policy, level: str) -> Fraction | None:
    """The number of a class of wealth, where classes have such."""
    structure = policy._structure
    has_numbers = policy.model._core.wealth in ("max", "min", "product") if structure is None else hasattr(structure, "number")
    try:
        return Fraction(level) if has_numbers else None
    except ValueError:
        return None


def _bits(seed: int | None) -> Callable[[], int]:
    """64 random bits at each call: by chance, or those of a seed."""
    if seed is None:
        return lambda: secrets.randbits(64)
    source = random.Random(whole(seed, "seed", 0))
    return lambda: source.getrandbits(64)


def _beside(path: str) -> str:
    stem, ending = os.path.splitext(path)
    return (stem if ending == ".json" else path) + ".model.json"


def _run_again(policy: Policy, begin: int, seen: list[tuple[Any, int]]) -> Run:
    """The same episode: what was done follows from what was observed."""
    run = Run(policy, policy._core.start(begin))
    for reward, next_state in seen:
        run._core.act(policy._core, None)
        run._observe(reward, next_state)
    return run


def _unpickled(model: Model, text: str, structure: Structure | None) -> Policy:
    core = _core.parse_policy(model._core, text, "")
    if structure is not None:
        core.set_structure(model._structure(structure))
    return Policy(model, core, structure)
