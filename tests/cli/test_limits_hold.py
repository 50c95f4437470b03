"""Limits hold: whatever the engine and the phase it is in, a call ends near its limit, with a bracket."""

import json
import math
import os
import re
import subprocess

import pytest

from conftest import PROGRAM, SOURCE, is_sanitized, large_model, model_text, sanitized, seconds_beyond_reading

# Far beyond what a tiny limit leaves, far below what the calls take without one. CPU time, so that it
# does not matter how busy the machine is.
MOST_CPU_SECONDS = 200 if is_sanitized() else 20
# The program's own memory, its libraries and its stacks.
PROGRAM_MB = 24


def run(quantiplan, *args):
    """Exit code, standard output and error, CPU seconds, and the most megabytes that were resident."""
    running = subprocess.Popen(
        [PROGRAM, *map(str, args)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=quantiplan.folder,
        env=quantiplan.env,
    )
    out = running.stdout.read().decode()
    err = running.stderr.read().decode()
    _, status, usage = os.wait4(running.pid, 0)
    running.returncode = os.waitstatus_to_exitcode(status)
    return running.returncode, out, err, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def was_busy(err):
    """On a busy machine the time may be up before the model is read: there is nothing to certify then."""
    return "the time limit was met while it was read" in err


def one_state(gain="1/2", **more):
    """Gains 1 or nothing, for ever."""
    left = "9/10" if gain == "1/10" else "1/2"
    return model_text({"s": {"go": [("s", left, 0), ("s", gain, 1)]}}, **more)


def chain(states, **more):
    """Forward or back at a cost, to a goal at the end."""
    choices = {
        f"s{i}": {"go": [(f"s{i + 1}", "2/3", 1), (f"s{max(i - 1, 0)}", "1/3", 2)]} for i in range(states)
    }
    return model_text(choices, goal=[f"s{states}"], rewards="cost", **more)


MODELS = {
    "walk": one_state(horizon=1_000_000),
    "discounted": one_state(horizon="infinite", discount="0.999999"),
    "long": one_state(horizon=1_000_000, discount="0.99999"),
    "goal": chain(3, horizon="infinite", discount="0.99999"),
    "far goal": chain(3, horizon="infinite", discount="0.9999999"),
    "infinite": chain(3000, horizon="infinite"),
    "large": large_model(),
    "best": large_model(horizon=200, greatest=99_991).replace('"horizon"', '"wealth": {"kind": "max"}, "horizon"', 1),
}

CASES = [
    ("walk", []),
    ("walk", ["--engine", "steps"]),
    ("walk", ["--engine", "lattice"]),
    ("walk", ["--engine", "levels"]),
    ("walk", ["--engine", "search"]),
    ("walk", ["--engine", "paper"]),
    ("walk", ["--exact"]),
    ("walk", ["--engine", "forward"]),
    ("walk", ["--engine", "ranked"]),
    ("discounted", []),
    ("discounted", ["--adversarial"]),
    ("long", []),
    ("long", ["--engine", "levels"]),
    ("goal", []),
    ("goal", ["--adversarial"]),
    ("far goal", []),
    ("infinite", []),
    ("infinite", ["--exact"]),
    ("infinite", ["--engine", "paper"]),
    ("large", []),
    ("large", ["--engine", "paper"]),
    ("large", ["--engine", "levels"]),
    ("large", ["--exact"]),
    ("large", ["--engine", "forward"]),
    ("best", []),
    ("best", ["--engine", "forward"]),
]


def number(text):
    """A total as JSON has it: a number, a fraction, an infinity or a miss."""
    if isinstance(text, str):
        named = {"inf": math.inf, "-inf": -math.inf, "miss": -math.inf}
        if text in named:
            return named[text]
        numerator, _, denominator = text.partition("/")
        return int(numerator) / int(denominator or 1)
    return text


@pytest.mark.parametrize("name, options", CASES, ids=lambda x: x if isinstance(x, str) else " ".join(x))
@pytest.mark.parametrize("command", ["solve", "frontier", "threshold"])
def test_time_limit(quantiplan, command, name, options):
    model = quantiplan.write("model.json", MODELS[name])
    asked = {"solve": ["--tau", "0.1", "--side", "both"], "frontier": ["--tau", "0.1"], "threshold": ["--target", "7"]}
    code, out, err, cpu, _ = run(
        quantiplan, command, model, *asked[command], *options, "--time-limit", "0.1", "--threads", "2", "--json"
    )
    # What an engine does not do at all is refused, and at once.
    assert code in (0, 1) or (code == 2 and ("limit" not in err or was_busy(err))), err
    assert cpu < MOST_CPU_SECONDS
    if code == 2 or command != "solve":
        return
    for result in json.loads(out)["results"]:
        if result.get("bracket") is None:
            assert result["status"] == "solved" or result.get("quantile") is None
            continue
        lower, upper = map(number, result["bracket"])
        # Costs are brackets in their own order.
        assert lower <= upper or name in ("goal", "far goal", "infinite")


def test_time_limit_of_many_questions(quantiplan):
    model = quantiplan.write("model.json", MODELS["walk"])
    taus = []
    for first in range(1, 20001, 5000):
        taus += ["--tau", ",".join(f"{i}/20001" for i in range(first, first + 5000))]
    code, out, err, cpu, _ = run(quantiplan, "solve", model, *taus, "--time-limit", "0.1", "--json")
    if code == 2 and was_busy(err):
        return
    assert code == 1
    assert results_told_and_left_out(out) == 20000
    assert cpu < MOST_CPU_SECONDS


@pytest.mark.parametrize("command, flag, numbers", [
    ("solve", "--tau", [f"{i}e-6" for i in range(1, 100_001)]),
    ("threshold", "--target", [str(i) for i in range(100_000)]),
])
def test_what_a_report_leaves_out_is_said(quantiplan, command, flag, numbers):
    """100,000 answers of a small model: finding them takes no time, telling them does."""
    model = quantiplan.write("model.json", one_state(horizon=5))
    args = [command, model, *many_numbers(flag, numbers), "--time-limit", "0.1"]
    code, out, err, cpu, most = run(quantiplan, *args, "--json")
    if code == 2 and was_busy(err):
        return
    assert code == 1
    assert results_told_and_left_out(out) == 100_000
    assert len(json.loads(out)["results"]) >= 1000
    assert cpu < MOST_CPU_SECONDS
    assert is_sanitized() or most < 250
    code, out, err, cpu, _ = run(quantiplan, *args)
    if code == 2 and was_busy(err):
        return
    assert code == 1 and cpu < MOST_CPU_SECONDS
    rows, every, described = map(int, re.search(
        r"\nThe time limit was met: the table has (\d+) of (\d+) results, (\d+) of them are described.\n", out).groups())
    assert 1000 <= described <= rows <= every == 100_000
    assert out.count(f"\n{'tau' if command == 'solve' else 'target'} ") >= described


def results_told_and_left_out(out):
    answer = json.loads(out)
    return len(answer["results"]) + answer.get("results_left_out", 0)


def many_numbers(flag, numbers):
    """Arguments have a greatest length: several of them."""
    return [word for i in range(0, len(numbers), 5000) for word in (flag, ",".join(numbers[i : i + 5000]))]


@pytest.mark.parametrize("command, flag, numbers", [
    ("solve", "--tau", [f"{i}e-6" for i in range(1, 150_001)]),
    ("threshold", "--target", [str(i) for i in range(150_000)]),
])
def test_a_long_list_of_numbers_costs_no_time(quantiplan, command, flag, numbers):
    """They are read before the model is looked for; comparing each with each would take minutes."""
    code, _, err, cpu, _ = run(quantiplan, command, "missing.json", *many_numbers(flag, numbers))
    assert code == 2
    assert "missing.json: cannot open" in err
    assert cpu < MOST_CPU_SECONDS


@pytest.mark.parametrize("command, asked, name", [
    ("solve", many_numbers("--tau", [f"{i}/3001" for i in range(1, 3001)]), "p-{tau}.json"),
    ("threshold", many_numbers("--target", [str(i) for i in range(3000)]), "p-{target}.json"),
])
def test_policies_have_what_the_call_leaves_of_the_time_limit(quantiplan, command, asked, name):
    code, out, err, _, _ = run(
        quantiplan, command, "commute.json", *asked, "--policy-out", name, "--time-limit", "0.05", "--json", "-q"
    )
    if code == 2 and was_busy(err):
        return
    assert code == 1
    assert results_told_and_left_out(out) == 3000
    files = len(list(quantiplan.folder.glob("p-*.json")))
    told = re.findall(
        r"quantiplan: --policy-out: the time limit was met when (\d+) of (\d+) policies were written; "
        r"expected a longer --time-limit\n", err)
    assert err.count("\n") == len(told) <= 1
    # None is told of where the time was up before there was a policy.
    assert files == int(told[0][0]) < int(told[0][1]) <= 3000 if told else files == 0


def test_distributions_left_out_for_want_of_time_are_told_of_once(quantiplan):
    taus = many_numbers("--tau", [f"{i}/5001" for i in range(1, 5001)])
    code, out, err, _, _ = run(
        quantiplan, "solve", "commute.json", *taus, "--distribution", "--time-limit", "0.05", "--json", "-q"
    )
    if code == 2 and was_busy(err):
        return
    assert code == 1
    assert results_told_and_left_out(out) == 5000
    assert err.count("\n") <= 1


def test_distribution_has_what_the_solve_leaves_of_the_time_limit(quantiplan):
    model = quantiplan.write("model.json", MODELS["large"])
    _, _, _, cpu, _ = run(
        quantiplan, "solve", model, "--tau", "0.1", "--time-limit", "0.1", "--distribution", "--json"
    )
    assert cpu < MOST_CPU_SECONDS


def test_a_limited_bracket_stays_within_what_is_possible(quantiplan):
    model = quantiplan.write("model.json", MODELS["discounted"])
    for options in ([], ["--adversarial"]):
        code, out, err, _, _ = run(
            quantiplan, "solve", model, "--tau", "0.1", "--time-limit", "0.1", "--json", *options
        )
        if code == 2 and was_busy(err):
            continue
        assert code == 1
        lower, upper = map(number, json.loads(out)["results"][0]["bracket"])
        assert 0 <= lower <= upper <= 1_000_000


def test_what_is_possible_is_no_claim_of_a_policy_that_rounds(quantiplan):
    """Rounded down, a policy's totals may lie below the least one: its claim must be one that it keeps."""
    choices = {
        "s": {"a": [("s", "9/10", "-1/3"), ("t", "1/10", 0)]},
        "t": {"b": [("s", "1/2", "-1/3"), ("t", "1/2", "2/7")]},
    }
    model = quantiplan.write("model.json", model_text(choices, horizon="infinite", discount="0.9"))
    quantiplan("solve", model, "--tau", "0", "--side", "upper", "--check", code=0)


MEMORY = [("machine", engine, mb) for engine in ("search", "paper", "levels") for mb in (64, 256)] + [
    (name, engine, 64)
    for name, engines in {
        "large": ("auto", "steps", "paper", "levels", "search", "forward"),
        "best": ("auto", "forward"),
        "infinite": ("auto", "paper"),
        "goal": ("auto",),
    }.items()
    for engine in engines
]


@sanitized
@pytest.mark.parametrize("name, engine, limit_mb", MEMORY)
def test_memory_limit(quantiplan, name, engine, limit_mb):
    text = (SOURCE / "examples" / "machine.json").read_text(encoding="utf-8") if name == "machine" else MODELS[name]
    model = quantiplan.write("model.json", text)
    _, _, _, _, alone = run(quantiplan, "info", model)
    code, out, err, _, most = run(
        quantiplan, "solve", model, "--tau", "0.1", "--engine", engine, "--memory-limit", f"{limit_mb}M",
        "--time-limit", "3", "--threads", "2", "--json",
    )
    assert code in (0, 1, 2), err
    assert most <= alone + 1.1 * limit_mb + PROGRAM_MB


def test_a_curve_of_millions_of_steps_obeys_the_time_limit(quantiplan):
    """With a discount and a goal levels double with every step; so does the curve, if it is told to the end."""
    choices = {
        "s": {
            "a": [("g", "5/7", 0), ("s", "2/7", 2)],
            "b": [("s", "1/4", 0), ("g", "3/8", 2), ("s", "3/8", 1)],
        }
    }
    model = quantiplan.write("m.json", model_text(choices, horizon="infinite", discount="1/2", goal=["g"]))
    limit = seconds_beyond_reading(quantiplan, model, 0.3)
    for more in [[], ["--exact"]]:
        code, out, err, cpu, _ = run(
            quantiplan, "frontier", model, "--tau", "2/3", "--epsilon", "1e-9", "--time-limit", limit, "--json", *more
        )
        assert code in (1, 2) and cpu < MOST_CPU_SECONDS + 2 * float(limit), (err, cpu)
        if code == 1:
            assert json.loads(out)["status"] == "limit_reached"
