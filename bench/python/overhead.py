"""What the Python package costs: a call beyond the library's own time, and models from arrays and frames.

    python bench/python/overhead.py [OUTCOMES...]      by default 100000 1000000 10000000

Each time is the best of three; a line names what it is to be compared with.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.sparse import csr_matrix

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


def frame_of(outcomes: int) -> pd.DataFrame:
    """Ten outcomes a choice, ten choices a state, in the order of a file."""
    states = max(outcomes // 100, 10)
    draw = np.random.default_rng(1)
    state = np.repeat(np.arange(states), 100)
    return pd.DataFrame(
        {
            "state": state,
            "action": np.tile(np.repeat(np.arange(10), 10), states),
            "next": draw.integers(0, states, len(state)),
            "probability": np.full(len(state), 0.1),
            "reward": draw.integers(-50, 50, len(state)) / 10,
        }
    )


def building(outcomes: int) -> None:
    frame = frame_of(outcomes)
    named = {"horizon": 5, "initial": 0}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.csv"
        frame.rename(
            columns={"state": "idstatefrom", "action": "idaction", "next": "idstateto"}
        ).to_csv(path, index=False)
        times = 3 if outcomes <= 1_000_000 else 1
        read = best(lambda: qp.read(path), times)
        pandas = best(lambda: pd.read_csv(path), times)
    made = best(lambda: qp.Model.from_dataframe(frame, **named), times)
    P, R = sparse_of(frame)
    arrays = best(lambda: qp.Model.from_arrays(P, R, **named), times)
    print(
        f"{len(frame):>9} outcomes: from sparse arrays {arrays:.2f} s ({arrays / read:.0%} of CSV, a third wanted), "
        f"from a frame {made:.2f} s, from CSV {read:.2f} s; pandas reads the CSV alone in {pandas:.2f} s"
    )


def sparse_of(frame: pd.DataFrame) -> tuple[list[csr_matrix], np.ndarray]:
    """The frame as matrices, with a reward for each choice."""
    states = int(frame["state"].max()) + 1
    P = []
    for a in range(10):
        mine = frame[frame["action"] == a]
        P.append(csr_matrix((mine["probability"], (mine["state"], mine["next"])), shape=(states, states)))
    return P, frame["reward"].to_numpy()[::10].reshape(states, 10)


def dense_building(states: int) -> None:
    """P[a, s, s'] and R[a, s, s'] without zeros, ten actions, against the same model from CSV."""
    draw = np.random.default_rng(1)
    P = np.full((10, states, states), 1 / states)
    R = draw.integers(-50, 50, P.shape) / 10
    made = best(lambda: qp.Model.from_arrays(P, R, horizon=5, initial=0))
    action, state, following = np.indices(P.shape).reshape(3, -1)
    frame = pd.DataFrame({"idstatefrom": state, "idaction": action, "idstateto": following, "probability": P.ravel(), "reward": R.ravel()})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.csv"
        frame.sort_values(["idstatefrom", "idaction", "idstateto"]).to_csv(path, index=False)
        read = best(lambda: qp.read(path))
    print(f"{P.size:>9} outcomes: from dense arrays {made:.2f} s ({made / read:.0%} of CSV), from CSV {read:.2f} s")


def dense(states: int) -> None:
    """P[a, s, s'] without zeros, and other packages' set-up of it where they are installed."""
    draw = np.random.default_rng(1)
    weights = draw.integers(1, 9, (4, states, states)).astype(float)
    P = weights / weights.sum(axis=2, keepdims=True)
    R = draw.integers(-5, 6, (states, 4))
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        line = f"{P.size:>9} outcomes: from arrays {best(lambda: qp.Model.from_arrays(P, R, horizon=5, initial=0), 2):.2f} s"
        try:
            from quantecon.markov import DiscreteDP

            line += f"; QuantEcon {best(lambda: DiscreteDP(R, P.transpose(1, 0, 2), 0.9), 2):.2f} s"
        except ImportError:
            pass
        try:
            from mdptoolbox.mdp import ValueIteration

            line += f"; pymdptoolbox {best(lambda: ValueIteration(P, R, 0.9), 2):.2f} s"
        except ImportError:
            pass
    print(line)


if __name__ == "__main__":
    overhead()
    for count in map(int, sys.argv[1:] or ("100000", "1000000", "10000000")):
        building(count)
    dense_building(320)
    dense(200)
