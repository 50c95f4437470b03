"""Calls: threads, Ctrl-C, progress, limits, memory, lifetimes."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest
from conftest import random_arrays

import quantiplan as qp


def hard() -> qp.Model:
    """Takes minutes if nobody stops it."""
    return qp.generate("machine", levels=40, horizon=2000, discount=0.9999)


def test_the_lock_is_free_while_it_solves():
    m = hard()
    done = threading.Event()
    thread = threading.Thread(target=lambda: (m.solve(tau=0.1, time_limit=1.0, threads=1), done.set()))
    ticks = 0
    thread.start()
    while not done.wait(0.01):
        ticks += 1
    thread.join()
    assert ticks > 1  # with the lock held it would be one at most, however long a tick is


def test_threads_give_the_same_answers():
    m = qp.generate("inventory", horizon=20)
    expected = [repr(r) for r in m.solve(tau=[0.1, 0.5])]
    found: list[list[str]] = []
    threads = [threading.Thread(target=lambda: found.append([repr(r) for r in m.solve(tau=[0.1, 0.5])])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4
    assert repr(m.solve(tau=0.1, threads=1)) == repr(m.solve(tau=0.1, threads=2))


INTERRUPTED = """
    import os, signal, sys, threading, time
    import quantiplan as qp
    m = qp.generate("machine", levels=40, horizon=2000, discount=0.9999)
    threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    r = m.solve(tau=0.1, epsilon=1e-9)[0.1]
    assert r.status == "interrupted", r.status
    assert r.bracket[0] < r.bracket[1], r.bracket
    # Afterwards Ctrl-C is what it was.
    try:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(5)
    except KeyboardInterrupt:
        print("as before")
"""


def test_ctrl_c_returns_the_bracket_so_far():
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(INTERRUPTED)], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.stdout == "as before\n", done.stderr


LATER = """
    import os, signal, threading
    import quantiplan as qp
    m = qp.generate("machine", levels=40, horizon=2000, discount=0.9999)
    r = m.solve(tau=0.1, epsilon=100, compare=False, threads=1)[0.1]
    r.policy
    threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    try:
        r.distribution
    except KeyboardInterrupt:
        print("ended", r.policy.simulate(3, seed=1).episodes)
"""


def test_ctrl_c_ends_what_is_made_on_request():
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(LATER)], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.stdout == "ended 3\n", done.stderr


NOTEBOOK = """
import quantiplan as qp
m = qp.generate("machine", levels=40, horizon=2000, discount=0.9999)
print("begins", flush=True)
r = m.solve(tau=0.1, epsilon=1e-9, progress=False)[0.1]
print(r.status, r.bracket[0] < r.bracket[1])
"""


def test_interrupting_a_notebook_returns_the_bracket_so_far():
    from jupyter_client.manager import start_new_kernel

    manager, client = start_new_kernel()
    told = ""
    try:
        client.execute(NOTEBOOK)
        while "True" not in told and "Traceback" not in told:
            message = client.get_iopub_msg(timeout=600)
            content = message["content"]
            told += content.get("text", "") + "".join(content.get("traceback", []))
            if content.get("text") == "begins\n":
                time.sleep(1)
                manager.interrupt_kernel()
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    assert told == "begins\ninterrupted True\n"


def test_a_handler_of_the_user_stays(commute):
    seen = []
    before = signal.signal(signal.SIGINT, lambda *_: seen.append(1))
    try:
        timer = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        assert hard().solve(tau=0.1, time_limit=0.6)[0.1].status == "limit_reached"
        timer.join()
        time.sleep(0.1)
    finally:
        signal.signal(signal.SIGINT, before)
    assert seen == [1]


def test_a_time_limit_gives_a_bracket_that_holds():
    r = hard().solve(tau=0.1, time_limit=0.3, epsilon=1e-9)[0.1]
    assert r.status == "limit_reached" and r.bracket[0] < r.bracket[1]


def test_a_memory_limit_is_refused_or_kept():
    with pytest.raises(qp.RequestError, match="memory_limit"):
        hard().solve(tau=0.1, memory_limit="much")


def test_progress_is_told_to_whoever_asks():
    told = []
    # However slow the machine, in some time there is progress.
    for limit in (1, 10, 100):
        hard().solve(tau=0.1, time_limit=limit, progress=lambda phase, fraction, bracket: told.append((phase, fraction, bracket)))
        if told:
            break
    assert told and all(isinstance(phase, str) and fraction <= 1 for phase, fraction, _ in told)


def test_tqdm_shows_it_on_request_and_scripts_are_silent(capfd):
    hard().solve(tau=0.1, time_limit=0.5)
    assert capfd.readouterr().err == ""
    hard().solve(tau=0.1, time_limit=1.0, progress=True)
    assert "%" in capfd.readouterr().err


def test_memory_does_not_grow():
    P, R = random_arrays(1, states=3, actions=2)

    def once() -> None:
        m = qp.Model.from_arrays(P, R, horizon=3, initial=0)
        r = m.solve(tau=0.3)[0.3]
        r.distribution.levels.sum()
        r.policy.start().act()

    def resident() -> int:
        with open("/proc/self/statm") as f:
            return int(f.read().split()[1]) * os.sysconf("SC_PAGESIZE")

    for _ in range(200):
        once()
    gc.collect()
    before = resident()
    for _ in range(1000):
        once()
    gc.collect()
    assert resident() - before < 8 << 20


def test_results_outlive_models():
    m = qp.generate("inventory")
    ans = m.solve(tau=0.1)
    r = ans[0.1]
    run = r.policy.start()
    law = r.distribution
    levels = law.levels
    del m, ans, r, law
    gc.collect()
    assert run.act() and levels.size


def test_the_interpreter_ends_cleanly():
    code = "import quantiplan as qp; m = qp.generate('gamble'); r = m.solve(tau=.1)[.1]; p = r.policy; d = r.distribution; s = p.start()"
    done = subprocess.run([sys.executable, "-X", "dev", "-c", code], capture_output=True, text=True, check=True)
    assert "leak" not in done.stderr, done.stderr
