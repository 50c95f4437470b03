"""Policies: run, explained, evaluated, played, checked, saved."""

from __future__ import annotations

import html
import os
import random
import secrets
import warnings
from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from . import _core
from ._errors import FileError, PolicyError, Problem, QuantiplanWarning, RequestError
from ._numbers import Number, Value, exact, shown, text_of
from ._queries import Computing, flag, split, whole
from ._watch import Watch
from .run import ActionOutlook, Explanation, Run, WealthRange
from .simulation import PolicySummary, Simulation, StateSummary

if TYPE_CHECKING:
    from typing import Unpack

    from .distribution import Distribution
    from .model import Model
    from .results import Check
    from .structures import Structure


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
        own = found["probability"]
        return Explanation(
            state, time, exact(wealth), found["left"], actions,
            None if own is None else Value.known(own), Value.of(found["mean"]), found["sentences"],
        )

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
        from .distribution import Distribution

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
        found = self._verdict(None, computing)
        if found is None:
            raise RequestError([Problem("check", "found a policy that claims nothing, expected a claim")])
        return found

    def _verdict(self, missed: tuple[str, str] | None, computing: Any) -> Check | None:
        """None of a policy that claims nothing, unless the quantile at this tau and side is a miss."""
        from .results import Check

        _, options, progress = split(self.model, computing)
        with Watch(progress) as watch:
            found = self._core.check(options, watch, missed)
        return None if found is None else Check(**found)

    def actions_by_wealth(self, state: Hashable, *, time: int = 0) -> list[WealthRange]:
        """What the policy does in a state at a time, by what was collected until then; empty if it has no rule there.

        >>> import quantiplan as qp
        >>> policy = qp.domains.gamble().solve(tau=.3)[.3].policy
        >>> [(r.action, r.low, r.high) for r in policy.actions_by_wealth("second", time=1)]
        [('large', None, Fraction(50, 1)), ('small', Fraction(50, 1), None)]
        """
        found = _core.action_ranges(self._core, self.model._state_index(state), whole(time, "time", 0))
        return [WealthRange(self.model._actions.label(name), *rest) for name, *rest in found]

    def summary(self, episodes: int = 1000, *, seed: int = 1, **computing: Unpack[Computing]) -> PolicySummary:
        """What the policy is like, from seeded episodes: how often each action is taken and each state met, and where the
        policy with the best mean does otherwise.

        >>> import quantiplan as qp
        >>> qp.read("examples/commute.json").solve(tau=.1)[.1].policy.summary(100).actions
        [('bike', 100)]
        """
        _, options, progress = split(self.model, computing)
        label = self.model._actions.label
        episodes, seed = whole(episodes, "episodes", 1), whole(seed, "seed", 0)
        with Watch(progress) as watch:
            found = _core.summary(self._core, episodes, seed, options, watch)
        found["actions"] = [(label(name), taken) for name, taken in found["actions"]]
        found["states"] = [
            StateSummary(self.model._state_label(state), met, differs, *(None if name is None else label(name) for name in done))
            for state, met, differs, *done in found["states"]
        ]
        return PolicySummary(**found)

    def chain(self, **computing: Unpack[Computing]) -> Model:
        """The Markov chain of the policy, for model checkers: a state is one of the model with what the policy looks at
        there. Labels "met" and "lost": where the promise is kept or broken for good.

        >>> import quantiplan as qp
        >>> chain = qp.read("examples/commute.json").solve(tau=.3)[.3].policy.chain()
        >>> len(chain), sorted(chain.labels)
        (11, ['lost', 'met'])
        """
        from .model import Model

        _, options, progress = split(self.model, computing)
        with Watch(progress) as watch:
            return Model(_core.chain(self._core, options, watch), None, self.model._actions)

    def scheduler(self, format: str = "storm") -> str:
        """The policy as a scheduler of a model checker, if it looks at the state alone: "storm", "prism-actions" or
        "prism-indices".

        >>> import quantiplan as qp
        >>> m = qp.read("examples/commute.json")
        >>> m.solve(tau=.3, goal="office", horizon="infinite")[.3].policy.scheduler("prism-indices")
        '0=1\\n1=0\\n'
        """
        return _core.scheduler(self._core, format)

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
        path = os.fsdecode(path)
        self._core.save(path)
        if self._structure is not None:
            warnings.warn(
                f"{path} has no place for a structure of one's own: give it to load_policy, or the policy goes by the "
                "sum of rewards",
                QuantiplanWarning,
                stacklevel=2,
            )
        if model:
            self.model.convert(_beside(path), "json")

    @classmethod
    def _load(cls, path: str, structure: Structure | None = None) -> Policy:
        from .reading import read

        if not os.path.exists(path):
            raise FileError([Problem(path, "there is no such file")])
        beside = _beside(path)
        if not os.path.exists(beside):
            raise PolicyError(
                [Problem(path, f"there is no model beside it ({beside}); expected qp.load_policy(path, model)")]
            )
        return read(beside).load_policy(path, structure)

    def __reduce__(self) -> Any:
        return _unpickled, (self.model, self.text(), self._structure)

    def __repr__(self) -> str:
        if self._core.is_mixture:
            return "<Policy mixed of two, by a coin before the start>"
        target = "" if self.target is None else f", target {shown(self.target)}"
        return f"<Policy {self.kind}{target}, {self._core.rules} rules>"

    def _repr_html_(self) -> str:
        return f"<code>{html.escape(repr(self))}</code>"


def _bits(seed: int | None) -> Callable[[], int]:
    """64 random bits at each call: by chance, or those of a seed."""
    if seed is None:
        return lambda: secrets.randbits(64)
    source = random.Random(whole(seed, "seed", 0))
    return lambda: source.getrandbits(64)


def _beside(path: str) -> str:
    stem, ending = os.path.splitext(path)
    return (stem if ending == ".json" else path) + ".model.json"


def _unpickled(model: Model, text: str, structure: Structure | None) -> Policy:
    return with_structure(model, _core.parse_policy(model._core, text, ""), structure)


def with_structure(model: Model, core: _core.Policy, structure: Structure | None) -> Policy:
    """What was read, by a structure of one's own, which files do not have."""
    if structure is not None:
        core.set_structure(model._structure(structure))
    return Policy(model, core, structure)
