"""Runs the program named by QUANTIPLAN; each test has a folder of its own as working directory."""

import json
import os
import pathlib
import subprocess
import time

import pytest

PROGRAM = os.environ["QUANTIPLAN"]
SOURCE = pathlib.Path(__file__).resolve().parents[2]

COMMUTE = (SOURCE / "examples" / "commute.json").read_text(encoding="utf-8")


class Program:
    """Calls quantiplan in a folder; a plain locale, so that bars are ASCII unless a test says otherwise."""

    def __init__(self, folder):
        self.folder = folder
        self.env = {**os.environ, "LC_ALL": "C"}

    def __call__(self, *args, stdin="", code=None, env=None, stdout=subprocess.PIPE):
        done = subprocess.run(
            [PROGRAM, *map(str, args)],
            input=stdin,
            stdout=stdout,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            cwd=self.folder,
            env={**self.env, **(env or {})},
            timeout=1200,  # for hangs, not for slow machines
        )
        if code is not None:
            assert done.returncode == code, (args, done.stdout, done.stderr)
        return done

    def json(self, *args, code=0, **more):
        done = self(*args, "--json", code=code, **more)
        assert done.stdout.endswith("}\n")
        return json.loads(done.stdout)

    def fails(self, *args, code=2, **more):
        """The lines on standard error; nothing may stand on standard output."""
        done = self(*args, code=code, **more)
        assert done.stdout == ""
        return done.stderr.splitlines()

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return name

    def start(self, *args):
        """In the background, for signals."""
        return subprocess.Popen(
            [PROGRAM, *map(str, args)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            cwd=self.folder,
            env=self.env,
        )


@pytest.fixture
def quantiplan(tmp_path):
    program = Program(tmp_path)
    program.write("commute.json", COMMUTE)
    return program


@pytest.fixture
def trip(quantiplan):
    """A step towards home costs 1 and arrives with probability 1/2: P(cost <= c) = 1 - 2^-c, mean 2."""
    text = model_text(
        {"road": {"try": [("home", "1/2", 1), ("road", "1/2", 1)]}},
        name="trip", horizon="infinite", goal=["home"], rewards="cost",
    )
    return quantiplan.write("trip.json", text)


@pytest.fixture
def games(quantiplan):
    """Surely 5, or 0 and 100 with probability 1/2 each."""
    text = model_text(
        {"s": {"safe": [("end", 1, 5)], "risky": [("end", "1/2", 0), ("end", "1/2", 100)]}}, name="games", horizon=1
    )
    return quantiplan.write("games.json", text)


@pytest.fixture
def policy(quantiplan):
    """The policy of the commute example's upper 0.1-quantile."""
    quantiplan("solve", "commute.json", "--tau", "0.1", "--side", "upper", "--policy-out", "policy.json", code=0)
    return "policy.json"


@pytest.fixture
def grid_policy(quantiplan):
    """The policy on a grid that the policy format shows: the commute with discount 0.9."""
    page = (SOURCE / "docs" / "policy-format.md").read_text(encoding="utf-8")
    blocks = [part.split("```")[0] for part in page.split("```json\n")[1:]]
    [block] = [text for text in blocks if '"grid"' in text]
    return quantiplan.write("grid.json", block)


def seconds_beyond_reading(quantiplan, model, least):
    """A time limit of so many seconds at least, and far more than this machine takes now to start and read."""
    begin = time.monotonic()
    quantiplan("info", model)
    return str(max(least, 20 * (time.monotonic() - begin)))


def model_text(choices, **more):
    """A model from {state: {action: [(to, probability, reward), ...]}}; its initial state is the first."""
    rows = [
        {
            "state": state,
            "action": action,
            "next": [{"to": to, "probability": p, "reward": r} for to, p, r in outcomes],
        }
        for state, actions in choices.items()
        for action, outcomes in actions.items()
    ]
    return json.dumps({"format": "quantiplan-model/1", "initial": next(iter(choices)), **more, "choices": rows})


def large_model(states=300, actions=3, outcomes=4, horizon=400, greatest=997):
    """A model whose solution takes minutes: dense transitions, large coprime rewards."""
    seed = 12345
    choices = []
    for state in range(states):
        for action in range(actions):
            rows = []
            for _ in range(outcomes):
                seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
                rows.append(
                    {"to": f"s{(seed >> 33) % states}", "probability": f"1/{outcomes}",
                     "reward": (seed >> 20) % greatest}
                )
            choices.append({"state": f"s{state}", "action": f"a{action}", "next": rows})
    return json.dumps({"format": "quantiplan-model/1", "horizon": horizon, "initial": "s0", "choices": choices})


def is_sanitized():
    with open(PROGRAM, "rb") as program:
        content = program.read()
    return b"__asan_init" in content or b"__tsan_init" in content


sanitized = pytest.mark.skipif(is_sanitized(), reason="a sanitizer has memory of its own, and much of it")
