"""Time, memory, Ctrl-C: an early end is a valid partial answer, a refusal says what would be needed."""

import json
import os
import pty
import re
import resource
import select
import signal
import subprocess
import time

import pytest

from conftest import PROGRAM, large_model, seconds_beyond_reading


@pytest.fixture
def large(quantiplan):
    return quantiplan.write("large.json", large_model())


def assert_valid_bracket(result, status):
    assert result["status"] == status
    assert result["certificate"] == "bracket"
    lower, upper = result["bracket"]
    assert result["quantile"] == lower
    assert 0 <= lower < upper <= 400 * 996
    assert 0.9 <= result["probability"] <= 1


def test_time_limit_ends_with_a_bracket_that_holds(quantiplan, large):
    # In time of the processor: how long that takes is up to the machine.
    limit = seconds_beyond_reading(quantiplan, large, 0.3)
    begin = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    answer = quantiplan.json("solve", large, "--tau", "0.1", "--side", "both", "--time-limit", limit, code=1)
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - begin < 30 + 2 * float(limit)
    for result in answer["results"]:
        assert_valid_bracket(result, "limit_reached")
    text = quantiplan("solve", large, "--tau", "0.1", "--time-limit", limit, code=1).stdout
    assert "Ended early, at a limit: the optimum lies within the bracket.\n" in text
    assert re.search(r"With probability more than 0.9 the total is at least \d+; no policy promises more than \d+\.", text)


def test_frontier_that_meets_the_time_limit_ends_with_code_1(quantiplan, large):
    limit = seconds_beyond_reading(quantiplan, large, 0.3)
    curve = quantiplan.json("frontier", large, "--time-limit", limit, code=1)
    assert curve["status"] == "limit_reached"
    for quantile in curve["quantiles"]:
        lower, upper = quantile["bracket"]
        assert quantile["certificate"] == "bracket"
        assert quantile["quantile"] == lower < upper
    assert "Ended early, at a limit.\n" in quantiplan("frontier", large, "--time-limit", limit, code=1).stdout


def test_evaluation_without_time_for_the_measures_shows_the_distribution(quantiplan):
    # The distribution is there at once; thousands of EVaRs are the work of minutes.
    toss = [{"to": "s", "probability": "1/2", "reward": reward} for reward in (0, 1)]
    model = quantiplan.write("coin.json", json.dumps({
        "format": "quantiplan-model/1", "horizon": 400, "initial": "s",
        "choices": [{"state": "s", "action": "toss", "next": toss}],
    }))
    taus = ",".join(f"{i}/8001" for i in range(1, 8001))
    limit = seconds_beyond_reading(quantiplan, model, 1)
    done = quantiplan(
        "evaluate", model, "--policy", "expectation", "--measures", "evar", "--tau", taus, "--time-limit", limit, "--json",
        code=1,
    )
    assert done.stderr == (
        "quantiplan: --measures: left out: a limit was met before it was complete, expected a longer --time-limit or a larger "
        "--memory-limit\n"
    )
    evaluation = json.loads(done.stdout)
    assert len(evaluation["distribution"]) == 401 and evaluation["measures"] == []


def test_evaluation_that_meets_the_time_limit_is_refused(quantiplan, large):
    [line] = quantiplan.fails("evaluate", large, "--policy", "expectation", "--time-limit", "0.000001")
    assert line.startswith("quantiplan: ") and "--time-limit" in line


def wait_until_interruptible(running):
    """Until the program has its own handler for Ctrl-C: the model is read, the solve begins."""
    bit = 1 << (signal.SIGINT - 1)
    for _ in range(24000):
        with open(f"/proc/{running.pid}/status") as status:
            caught = int(re.search(r"SigCgt:\s*(\w+)", status.read())[1], 16)
        if caught & bit:
            break
        time.sleep(0.05)
    time.sleep(0.5)
    assert running.poll() is None, "the model is too small for this test"


def test_interrupt_ends_with_a_bracket_that_holds(quantiplan, large):
    running = quantiplan.start("solve", large, "--tau", "0.1", "--json", "--threads", "2")
    wait_until_interruptible(running)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=1200)
    assert running.returncode == 1, err
    assert err == ""
    assert_valid_bracket(json.loads(out)["results"][0], "interrupted")


def test_a_second_interrupt_ends_the_program(quantiplan, large):
    running = quantiplan.start("solve", large, "--tau", "0.1")
    wait_until_interruptible(running)
    running.send_signal(signal.SIGINT)
    try:
        while running.poll() is None:
            running.send_signal(signal.SIGINT)
    except ProcessLookupError:
        pass
    running.communicate(timeout=1200)
    # Killed, unless the partial answer was out before the second signal came.
    assert running.returncode in (1, -signal.SIGINT)


def test_memory_limit_refuses_and_says_what_is_needed(quantiplan, large):
    [line] = quantiplan.fails("solve", "commute.json", "--tau", "0.1", "--memory-limit", "10")
    assert re.fullmatch(
        r"quantiplan: memory: .* would need \S+ \S+ besides \S+ \S+ in use, the limit is 10 bytes; "
        r"raise --memory-limit, shorten the horizon or coarsen the rewards",
        line,
    )
    [line] = quantiplan.fails("solve", large, "--tau", "0.1", "--memory-limit", "20M")
    assert "the limit is 20 MiB" in line
    [line] = quantiplan.fails("frontier", large, "--memory-limit", "1.5K")
    assert "the limit is 1536 bytes" in line


def test_the_exact_engine_refuses_totals_without_a_grid(quantiplan):
    [line] = quantiplan.fails(
        "solve", "commute.json", "--tau", "0.1", "--discount", "0.123456789", "--horizon", "50",
        "--engine", "steps",
    )
    assert line == (
        "quantiplan: wealth: with horizon 50 and discount 0.123456789 the total reward has no common unit whose "
        "multiples fit 64-bit integers, which --engine steps needs; expected --engine auto or lattice, a shorter "
        "horizon, or rewards with a coarser common denominator"
    )


def test_threads_do_not_change_a_byte_of_a_larger_answer(quantiplan):
    model = quantiplan.write("model.json", large_model(states=40, horizon=12))

    def answer(threads):
        text = quantiplan(
            "solve", model, "--tau", "0.05,0.5,1/3", "--side", "both", "--distribution", "--json",
            "--threads", threads, code=0,
        ).stdout
        return [line for line in text.splitlines() if '"seconds"' not in line]

    assert answer(1) == answer(2)


PROGRESS = re.compile(rb"\r\S.* \[#*\.*\] +\d+ %")


def on_a_terminal(args, folder):
    """What the program writes to standard error if that is a terminal, interrupted once it shows progress."""
    control, terminal = pty.openpty()
    running = subprocess.Popen(
        [PROGRAM, *args], cwd=folder, stdout=subprocess.DEVNULL, stderr=terminal, stdin=subprocess.DEVNULL
    )
    os.close(terminal)
    written = b""
    while True:
        ready, _, _ = select.select([control], [], [], 60)
        try:
            part = os.read(control, 65536) if ready else b""
        except OSError:  # the terminal is gone with its last writer
            part = b""
        if not part:
            break
        if not PROGRESS.search(written) and PROGRESS.search(written + part):
            running.send_signal(signal.SIGINT)
        written += part
    os.close(control)
    running.wait(timeout=1200)
    return written.decode()


def test_progress_is_shown_on_a_terminal_only_and_erased(quantiplan, large):
    args = ["solve", large, "--tau", "0.1"]
    shown = on_a_terminal([*args, "--time-limit", "60"], quantiplan.folder)
    assert PROGRESS.search(shown.encode())
    assert shown.endswith("\r\x1b[K")
    args += ["--time-limit", seconds_beyond_reading(quantiplan, large, 1.5)]
    assert on_a_terminal([*args, "--quiet"], quantiplan.folder) == ""
    assert quantiplan(*args, code=1).stderr == ""
