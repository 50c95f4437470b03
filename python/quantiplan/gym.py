"""Policies in a live Gymnasium environment."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from ._errors import Problem, QuantiplanWarning, RequestError

if TYPE_CHECKING:
    from .policy import Policy
    from .run import Run


class Following:
    """An environment with a policy that runs along: `env.act()` says what to do, and `env.step` tells the policy
    what came of it, so that it carries what is left of its target.

    >>> import gymnasium, quantiplan as qp
    >>> env = gymnasium.make("CliffWalking-v1")
    >>> m = qp.Model.from_gymnasium(env, horizon=30)
    >>> with qp.gym.follow(env, m.solve(tau=.5)[.5].policy) as env:
    ...     print(env.play(seed=1))
    -13.0
    """

    def __init__(self, env: Any, policy: Policy) -> None:
        from .policy import Policy

        for name in ("reset", "step"):
            if not callable(getattr(env, name, None)):
                raise RequestError(
                    [Problem("env", f"found {env!r}, which has no {name}(), expected a Gymnasium environment")]
                )
        if hasattr(env, "num_envs"):
            raise RequestError(
                [Problem("env", f"found {env.num_envs} environments in one, expected one; run each by policy.start()")]
            )
        if not isinstance(policy, Policy):
            raise RequestError([Problem("policy", f"found {policy!r}, expected a qp.Policy, as r.policy")])
        self.env = env
        self.policy = policy
        self._run: Run | None = None
        self._told = False

    @property
    def run(self) -> Run:
        """The episode as the policy sees it."""
        if self._run is None:
            raise RequestError([Problem("run", "found no episode, expected reset() before it")])
        return self._run

    def reset(self, **arguments: Any) -> tuple[Any, dict[str, Any]]:
        """Begins an episode. The environment must begin where the policy does, or in one of the states where it may."""
        observation, info = self.env.reset(**arguments)
        begins = self.policy.initial
        known = begins if isinstance(begins, dict) else [begins]
        if observation not in known:
            where = begins if not isinstance(begins, dict) else f"one of {len(begins)} others"
            raise RequestError(
                [
                    Problem(
                        "reset",
                        f"the environment begins in state {observation}, but the policy in {where}; expected "
                        "a model of the same initial state",
                    )
                ]
            )
        self._run = self.policy.start(state=observation)
        return observation, info

    def act(self) -> Any:
        """What the policy does now."""
        return self.run.act()

    def step(self, action: Any = None) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """A step of the environment with the policy's action; another one is an error, for the policy could
        not go on."""
        taken = self.act()
        if action is not None and action != taken:
            raise RequestError([Problem("step", f"found the action {action}, expected {taken}, the policy's")])
        return self._step(taken)

    def _step(self, taken: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        observation, reward, terminated, truncated, info = self.env.step(taken)
        self.run.observe(reward, "end" if terminated else observation)
        if truncated and not terminated and not self.run.is_over and not self._told:
            self._told = True
            warnings.warn(
                f"the environment ended the episode after {self.run.time} steps, but the policy counts on more: its "
                "promise is for the horizon of the model",
                QuantiplanWarning,
                stacklevel=3,
            )
        return observation, reward, terminated, truncated or (self.run.is_over and not terminated), info

    def play(self, **arguments: Any) -> float:
        """A whole episode; arguments go to reset. Returns the sum of its rewards."""
        self.reset(**arguments)
        total, over = 0.0, self.run.is_over
        while not over:
            _, reward, terminated, truncated, _ = self._step(self.act())
            total += float(reward)
            over = terminated or truncated
        return total

    def close(self) -> None:
        """Closes the environment; so does the end of `with`."""
        self.env.close()

    def __enter__(self) -> Following:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __getattr__(self, name: str) -> Any:
        if name == "env" or name.startswith("__"):  # of an object that is being copied or unpickled
            raise AttributeError(name)
        return getattr(self.env, name)

    def __repr__(self) -> str:
        return f"<Following {self.policy!r} in {self.env!r}>"


def follow(env: Any, policy: Policy) -> Following:
    """The environment with the policy running along: reset(), then step() until the episode is over, or play().

    The model must be that of the environment: `qp.Model.from_gymnasium(env)`.

    >>> import gymnasium, quantiplan as qp
    >>> env = gymnasium.make("CliffWalking-v1")
    >>> best = qp.Model.from_gymnasium(env, horizon=30).solve(tau=.5)[.5]
    >>> qp.gym.follow(env, best.policy).play(seed=1)
    -13.0
    """
    return Following(env, policy)
