"""What a call from Python costs beyond the library's own time, and the set-up of arrays against other packages'.

    python bench/python/overhead.py

QuantEcon and pymdptoolbox are measured where they are installed. bench/python/building.py has models from arrays, frames and
files.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

import quantiplan as qp


def best(call: Callable[[], object], times: int = 3) -> float:
    seconds = []
    for _ in range(times):
        begin = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - begin)
    return min(seconds)


def overhead() -> None:
    m = qp.read(Path(__file__).parents[2] / "examples/commute.json")
    beyond = []
    for _ in range(300):
        begin = time.perf_counter()
        answer = m.solve(tau=0.1, threads=1)
        beyond.append(time.perf_counter() - begin - answer.work["seconds"])
    print(f"a call of solve beyond the library: {min(beyond) * 1e6:.0f} microseconds (at most 100 wanted)")


def setting_up(states: int) -> None:
    """P[a, s, s'] without zeros, every number another float: exact here, as they are there."""
    draw = np.random.default_rng(1)
    P = draw.random((4, states, states))
    P /= P.sum(axis=2, keepdims=True)
    R = draw.integers(-5, 6, (states, 4)).astype(float)
    found = {"Quantiplan": best(lambda: qp.Model.from_arrays(P, R, horizon=5, initial=0))}
    try:
        from quantecon.markov import DiscreteDP

        found["QuantEcon"] = best(lambda: DiscreteDP(R, np.ascontiguousarray(P.transpose(1, 0, 2)), 0.9))
    except ImportError:
        pass
    try:
        from mdptoolbox.mdp import ValueIteration

        found["pymdptoolbox"] = best(lambda: ValueIteration(P, R, 0.9))
    except ImportError:
        pass
    print(f"{P.size} outcomes: " + ", ".join(f"{name} {seconds:.3f} s" for name, seconds in found.items()))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    overhead()
    for count in (50, 200, 500):
        setting_up(count)
