"""Models from arrays and frames, against the same model from CSV, and against others that set up arrays or read the file.

    python bench/python/building.py [OUTCOMES...]      by default 100000 1000000 10000000

Prints a table: seconds, best of three (of 10^7 outcomes: one run), and the ratio to reading the CSV. "few": a few distinct
probabilities and rewards, as models by hand have them; "all": every probability is another float, as after dividing
random weights by their sum, so that every row is normalised exactly.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.sparse import csr_matrix

import quantiplan as qp

ACTIONS = 10
NAMED = {"horizon": 5, "initial": 0}
CSV = {"state": "idstatefrom", "action": "idaction", "next": "idstateto"}


def best(call: Callable[[], object], times: int) -> float:
    seconds = []
    for _ in range(times):
        begin = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - begin)
    return min(seconds)


def weights(draw: np.random.Generator, shape: tuple[int, ...], numbers: str) -> np.ndarray:
    """Rows that sum to about 1."""
    if numbers == "few":
        return np.full(shape, 1 / shape[-1])
    given = draw.random(shape)
    return given / given.sum(axis=-1, keepdims=True)


def dense(outcomes: int, numbers: str) -> tuple[Callable[[], object], pd.DataFrame]:
    """P[a, s, s'] and R[a, s, s'] without zeros."""
    states = round((outcomes / ACTIONS) ** 0.5)
    draw = np.random.default_rng(1)
    P = weights(draw, (ACTIONS, states, states), numbers)
    R = draw.integers(-50, 50, P.shape) / 10
    action, state, following = np.indices(P.shape).reshape(3, -1)
    frame = pd.DataFrame({"state": state, "action": action, "next": following, "probability": P.ravel(), "reward": R.ravel()})
    return lambda: qp.Model.from_arrays(P, R, **NAMED), frame.sort_values(["state", "action", "next"])


def frame_of(outcomes: int, numbers: str) -> pd.DataFrame:
    """Ten outcomes a choice, ten choices a state, in the order of a file."""
    states = max(outcomes // 100, 10)
    draw = np.random.default_rng(1)
    count = states * 100
    return pd.DataFrame(
        {
            "state": np.repeat(np.arange(states), 100),
            "action": np.tile(np.repeat(np.arange(ACTIONS), 10), states),
            "next": draw.integers(0, states, count),
            "probability": weights(draw, (count // 10, 10), numbers).ravel(),
            "reward": draw.integers(-50, 50, count) / 10,
        }
    )


def frames(outcomes: int, numbers: str) -> tuple[Callable[[], object], pd.DataFrame]:
    frame = frame_of(outcomes, numbers)
    return lambda: qp.Model.from_dataframe(frame, **NAMED), frame


def sparse(outcomes: int, numbers: str) -> tuple[Callable[[], object], pd.DataFrame]:
    """One matrix for each action, with a reward for each choice."""
    frame = frame_of(outcomes, numbers)
    frame["reward"] = np.repeat(frame["reward"].to_numpy()[::10], 10)
    states = int(frame["state"].max()) + 1
    P = []
    for _, mine in frame.groupby("action"):
        P.append(csr_matrix((mine["probability"], (mine["state"], mine["next"])), shape=(states, states)))
    R = frame["reward"].to_numpy()[::10].reshape(states, ACTIONS)
    return lambda: qp.Model.from_arrays(P, R, **NAMED), frame


def measured(name: str, made: Callable[[], object], frame: pd.DataFrame) -> str:
    times = 3 if len(frame) <= 1_000_000 else 1
    building = best(made, times)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.csv"
        frame.rename(columns=CSV).to_csv(path, index=False)
        program = Path(sys.executable).with_name("quantiplan")
        command = [str(program), "info", str(path), "--quiet", "--output", "/dev/null"]
        reading = best(lambda: qp.read(path), times)
        by_program = best(lambda: subprocess.run(command, check=True), times) if program.exists() else float("nan")
        pandas = best(lambda: pd.read_csv(path), times)
    return (
        f"| {len(frame):,} | {name} | {building:.2f} | {reading:.2f} | {by_program:.2f} | {building / reading:.0%} | {pandas:.2f} |"
    )


def main() -> None:
    warnings.simplefilter("ignore")
    print("| outcomes | from | seconds | CSV | CSV, `quantiplan info` | of the CSV | pandas reads the CSV |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for count in map(int, sys.argv[1:] or ("100000", "1000000", "10000000")):
        for what in (sparse, frames, dense):
            for numbers in ("few", "all"):
                print(measured(f"{what.__name__}, {numbers}", *what(count, numbers)), flush=True)


if __name__ == "__main__":
    main()
