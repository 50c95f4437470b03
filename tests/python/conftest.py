"""What all tests share: small models, random models, and the program beside the package."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import quantiplan as qp

SOURCE = Path(__file__).resolve().parents[2]
EXAMPLES = SOURCE / "examples"


@pytest.fixture(autouse=True)
def in_the_source(monkeypatch: pytest.MonkeyPatch) -> None:
    """Examples are named from the root of the repository."""
    monkeypatch.chdir(SOURCE)


@pytest.fixture
def commute() -> qp.Model:
    return qp.read(EXAMPLES / "commute.json")


def program_path() -> str:
    """The command that the wheel brings, or the one that is tested otherwise."""
    beside = Path(sys.executable).with_name("quantiplan")
    return os.environ.get("QUANTIPLAN") or (str(beside) if beside.exists() else shutil.which("quantiplan") or "quantiplan")


def program(*arguments: str) -> dict:
    done = subprocess.run([program_path(), *arguments, "--json"], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 3), done.stderr
    return json.loads(done.stdout)


def random_arrays(seed: int, states: int = 4, actions: int = 3, grid: int = 20) -> tuple[np.ndarray, np.ndarray]:
    """P[a, s, s'] in multiples of 1/grid, and rewards of outcomes in whole numbers."""
    draw = np.random.default_rng(seed)
    P = np.zeros((actions, states, states))
    for a in range(actions):
        for s in range(states):
            cuts = np.sort(draw.integers(0, grid + 1, states - 1))
            P[a, s] = np.diff(np.concatenate([[0], cuts, [grid]])) / grid
    return P, draw.integers(-5, 6, (actions, states, states))


@pytest.fixture
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield
