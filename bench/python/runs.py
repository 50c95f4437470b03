"""How many runs the tables of policies have, and how many of them ties explain.

    python bench/python/runs.py [PROGRAM]      by default build/release/quantiplan; needs numpy

A run is a stretch of residuals with one action. Every backward pass is done here once more, in doubles, and a policy walked
from its target, so that these numbers of runs can be compared:

    all        every residual between the least and the greatest that is met at a time and state counts as met
    written    what the program writes: only residuals that are met count
    tied, e    besides, an action that is as good as the best within e (in P, and in the mean within 100 e; or, of the policy with
               the best mean, in l P + mean with the claimed weight l) is taken if the next greater residual took it

Exact grids over finite horizons without a discount, which is all that is asked here. Counts, no times.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

ROUNDING = 1e-12
MODELS = {
    "data centre, 5 servers, 10 steps": "datacenter",
    "Garnet, 50 states, 10 steps": "garnet --states 50 --horizon 10 --greatest-reward 10 --reward-of outcome",
    "inventory": "inventory",
    "seats": "seats",
}
Outcome = tuple[str, float, int]
Choose = Callable[[int, str, np.ndarray], np.ndarray]


def outcomes_of(choice: dict[str, Any]) -> list[Outcome]:
    """State, probability and reward of each outcome of a choice in a model file."""
    reward = choice.get("reward", 0)
    if isinstance(choice["next"], dict):
        return [(to, float(Fraction(str(p))), int(Fraction(str(reward)))) for to, p in choice["next"].items()]
    return [
        (o["to"], float(Fraction(str(o["probability"]))), int(Fraction(str(o.get("reward", reward)))))
        for o in choice["next"]
    ]


class Walk:
    """P and mean of every action at every time, state and residual; walks of policies that they give."""

    def __init__(self, model: dict[str, Any], policy: dict[str, Any]):
        self.actions: dict[str, list[list[Outcome]]] = {}
        for choice in model["choices"]:
            self.actions.setdefault(choice["state"], []).append(outcomes_of(choice))
        self.horizon, self.initial, self.target = model["horizon"], model["initial"], int(policy["target"])
        self.weight = float(Fraction(str(policy["claim"]["weight"]))) if "weight" in policy["claim"] else None
        rewards = [r for state in self.actions.values() for outcomes in state for _, _, r in outcomes]
        least = self.target - self.horizon * max(0, *rewards) - 2
        self.levels = np.arange(least, self.target - self.horizon * min(0, *rewards) + 3)
        self.chances: list[dict[str, np.ndarray]] = [{} for _ in range(self.horizon)]
        self.means: list[dict[str, np.ndarray]] = [{} for _ in range(self.horizon)]
        self._pass()

    def _moved(self, values: np.ndarray, reward: int) -> np.ndarray:
        return values[np.clip(np.arange(len(self.levels)) - reward, 0, len(self.levels) - 1)]

    def _pass(self) -> None:
        ended = ((self.levels <= 0) * 1.0, np.zeros(len(self.levels)))
        later: dict[str, tuple[np.ndarray, np.ndarray]] = {}
        for time in reversed(range(self.horizon)):
            now = {}
            for state, actions in self.actions.items():
                chance, mean = [], []
                for outcomes in actions:
                    rest = [(p, r, *later.get(to, ended)) for to, p, r in outcomes]
                    chance.append(sum(p * self._moved(c, r) for p, r, c, _ in rest))
                    mean.append(sum(p * (r + self._moved(m, r)) for p, r, _, m in rest))
                self.chances[time][state], self.means[time][state] = np.array(chance), np.array(mean)
                best = self.best(time, state, np.arange(len(self.levels)))
                every = np.arange(len(best))
                now[state] = (self.chances[time][state][best, every], self.means[time][state][best, every])
            later = now

    def worth(self, time: int, state: str, at: np.ndarray, tie: float) -> np.ndarray:
        """What is maximised, of each action: minus infinity for those that P rules out."""
        chance, mean = self.chances[time][state][:, at], self.means[time][state][:, at]
        if self.weight is not None:
            return self.weight * chance + mean
        return np.where(chance >= chance.max(0) - tie, mean, -np.inf)

    def best(self, time: int, state: str, at: np.ndarray) -> np.ndarray:
        return np.argmax(self.worth(time, state, at, ROUNDING), 0)

    def like_above(self, tie: float) -> Choose:
        """What the next greater residual took, wherever it is as good as the best."""

        def choose(time: int, state: str, at: np.ndarray) -> np.ndarray:
            worth = self.worth(time, state, at, tie)
            is_tied = worth >= worth.max(0) - (tie if self.weight is not None else 100 * tie)
            first = self.best(time, state, at)
            chosen = first.copy()
            for i in range(1, len(at)):
                chosen[i] = chosen[i - 1] if is_tied[chosen[i - 1], i] else first[i]
            return chosen

        return choose

    def runs(self, choose: Choose, *, all_between: bool = False) -> tuple[int, int]:
        """Of all tables of the walk, and of the longest."""
        met = {self.initial: {self.target - int(self.levels[0])}}
        count = longest = 0
        for time in range(self.horizon):
            following: dict[str, set[int]] = {}
            for state, places in met.items():
                if state not in self.actions:
                    continue
                at = np.arange(max(places), min(places) - 1, -1) if all_between else np.array(sorted(places, reverse=True))
                chosen = choose(time, state, at)
                runs = 1 + int((chosen[1:] != chosen[:-1]).sum())
                count, longest = count + runs, max(longest, runs)
                for i, action in zip(at, chosen, strict=True):
                    for to, _, reward in self.actions[state][action]:
                        following.setdefault(to, set()).add(int(np.clip(i - reward, 0, len(self.levels) - 1)))
            met = following
        return count, longest


def main() -> None:
    program = sys.argv[1] if len(sys.argv) > 1 else "build/release/quantiplan"
    print("| model | policy | all | longest | written | longest | tied, 1e-12 | tied, 1e-6 |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        model_path, policy_path = Path(folder, "model.json"), Path(folder, "policy.json")
        for name, words in MODELS.items():
            subprocess.run([program, "generate", *words.split(), "-q", "-o", model_path], check=True)
            for prefer in ("mean", "probability"):
                command = [program, "solve", model_path, "--tau", "0.1", "--prefer", prefer, "-q", "--policy-out", policy_path]
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
                policy = json.loads(policy_path.read_text())
                walk = Walk(json.loads(model_path.read_text()), policy)
                before, before_longest = walk.runs(walk.best, all_between=True)
                tied = [walk.runs(walk.like_above(tie))[0] for tie in (ROUNDING, 1e-6)]
                written = [len(rule["choose"]) for rule in policy["rules"]]
                print(f"| {name} | {prefer} | {before} | {before_longest} | {sum(written)} | {max(written)} "
                      f"| {tied[0]} | {tied[1]} |", flush=True)


if __name__ == "__main__":
    main()
