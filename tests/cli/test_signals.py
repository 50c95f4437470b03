"""Ctrl-C and SIGTERM: at once while nothing is at stake, with what is known while it solves, never within an output."""

import json
import os
import re
import resource
import select
import signal
import subprocess
import time

import pytest
from conftest import PROGRAM, large_model

SIGNALS = [signal.SIGINT, signal.SIGTERM]


def status_of(running):
    with open(f"/proc/{running.pid}/status", encoding="utf-8") as status:
        text = status.read()
    return re.search(r"State:\s*(\w)", text)[1], int(re.search(r"SigCgt:\s*(\w+)", text)[1], 16)


def wait_until(running, holds):
    """Until `holds` of the program's state (S: it waits) and its set of signals with handlers."""
    for _ in range(12000):
        assert running.poll() is None, running.communicate()
        if holds(*status_of(running)):
            return
        time.sleep(0.05)
    raise AssertionError("the program did not get there")


def catches(number):
    return lambda state, caught: bool(caught & 1 << (number - 1))


def start(quantiplan, *args, **more):
    more = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
    return subprocess.Popen([PROGRAM, *map(str, args)], cwd=quantiplan.folder, env=quantiplan.env, **more)


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.parametrize("command", [
    ["solve", "-", "--tau", "0.1"], ["info", "-"], ["convert", "-", "x.csv"], ["check", "commute.json", "-"],
    ["simulate", "commute.json", "--policy", "-"],
])
def test_the_first_signal_ends_a_program_that_waits_for_input(quantiplan, command, number):
    running = start(quantiplan, *command, stdin=subprocess.PIPE)
    wait_until(running, lambda state, caught: state == "S")
    running.send_signal(number)
    assert running.wait(timeout=600) == -number
    assert running.stdout.read() == b"" and running.stderr.read() == b""


@pytest.mark.parametrize("number", SIGNALS)
def test_the_first_signal_ends_a_solve_with_a_bracket_that_holds(quantiplan, number):
    model = quantiplan.write("large.json", large_model())
    running = start(quantiplan, "solve", model, "--tau", "0.1", "--json")
    wait_until(running, catches(number))
    time.sleep(0.5)
    running.send_signal(number)
    out, err = running.communicate(timeout=600)
    assert (running.returncode, err) == (1, b"")
    [result] = json.loads(out)["results"]
    assert result["status"] == "interrupted" and result["bracket"][0] <= result["bracket"][1]


def test_a_signal_during_the_solve_leaves_out_distributions_too(quantiplan):
    """Whoever stops a solve waits for what it found: the distribution of a rounded policy takes many times as long."""
    model = quantiplan.write("large.json", large_model())
    running = start(quantiplan, "solve", model, "--tau", "0.1", "--distribution", "--json")
    wait_until(running, catches(signal.SIGINT))
    time.sleep(0.5)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=600)
    said = b"quantiplan: --distribution: interrupted when 0 of 1 distributions were made, the others are left out\n"
    assert (running.returncode, err) == (1, said)
    [result] = json.loads(out)["results"]
    assert result["status"] == "interrupted" and result["bracket"][0] <= result["bracket"][1]


def slow_to_follow(steps=9):
    """Solved at once, as nothing is chosen; its exact distribution has millions of levels."""
    rows = [
        {"state": f"s{t}", "action": "go",
         "next": [{"to": f"s{t + 1}", "probability": "1/10", "reward": (d * 10**t)} for d in range(10)]}
        for t in range(steps)
    ]
    return json.dumps({"format": "quantiplan-model/1", "horizon": steps, "initial": "s0", "choices": rows})


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_after_the_solve_leaves_out_distributions_and_shows_the_answer(quantiplan, number):
    model = quantiplan.write("slow.json", slow_to_follow())
    # The policy is written when the solve is over.
    running = start(quantiplan, "solve", model, "--tau", "0.1", "--no-comparison", "--prefer", "probability",
                    "--distribution", "--policy-out", "p.json", "--engine", "search", "--epsilon", "100000000", "--json")
    for _ in range(12000):
        if (quantiplan.folder / "p.json").exists() or running.poll() is not None:
            break
        time.sleep(0.05)
    time.sleep(0.2)
    running.send_signal(number)
    out, err = running.communicate(timeout=600)
    assert running.returncode == 1, err
    # Whichever of the two distributions was being made.
    assert err in (
        b"quantiplan: --distribution: interrupted when 0 of 1 distributions were made, the others are left out\n",
        b"quantiplan: --distribution: expectation-optimal policy: left out, interrupted\n",
    )
    [result] = json.loads(out)["results"]
    assert result["status"] == "solved" and result["certificate"] == "bracket"


LONG = ["simulate", "commute.json", "--policy", "expectation", "--episodes", "3000", "--trace", "--json"]


@pytest.mark.parametrize("number", SIGNALS)
def test_a_signal_does_not_cut_an_output_in_two(quantiplan, number):
    """The reader waits, so that the output has begun and cannot end before the signal comes."""
    whole = quantiplan(*LONG, code=0).stdout
    assert len(whole) > 1 << 17  # more than a pipe holds
    running = start(quantiplan, *LONG)
    select.select([running.stdout], [], [], 60)
    running.send_signal(number)
    out, err = running.communicate(timeout=600)
    assert out.decode() == whole and err == b""
    assert running.returncode == -number


def test_the_second_signal_ends_an_output_that_nobody_reads(quantiplan):
    running = start(quantiplan, *LONG)
    select.select([running.stdout], [], [], 60)
    running.send_signal(signal.SIGINT)
    wait_until(running, lambda state, caught: not catches(signal.SIGTERM)(state, caught))
    running.send_signal(signal.SIGTERM)
    assert running.wait(timeout=600) == -signal.SIGTERM
    running.communicate()


def test_the_first_signal_ends_a_program_whose_pipe_nobody_opens(quantiplan):
    os.mkfifo(quantiplan.folder / "pipe")
    running = start(quantiplan, "info", "commute.json", "-o", "pipe")
    wait_until(running, lambda state, caught: state == "S" and catches(signal.SIGINT)(state, caught))
    running.send_signal(signal.SIGINT)
    assert running.wait(timeout=600) == -signal.SIGINT
    running.communicate()


def limit_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))


def test_a_file_that_does_not_fit_leaves_the_old_one_and_nothing_beside_it(quantiplan):
    quantiplan.write("out.json", "old")
    running = start(quantiplan, *LONG, "-o", "out.json", preexec_fn=limit_files)
    _, err = running.communicate(timeout=600)
    assert (running.returncode, err) == (2, b"out.json: cannot write: File too large\n")
    assert (quantiplan.folder / "out.json").read_text() == "old"
    assert sorted(p.name for p in quantiplan.folder.iterdir()) == ["commute.json", "out.json"]
