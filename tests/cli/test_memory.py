"""Memory: the limit holds in every command, and what the system refuses is a clear error or fewer threads."""

import json
import os
import re
import resource
import subprocess
import sys

import pytest

from conftest import PROGRAM, model_text, sanitized, seconds_beyond_reading

MIB = 1 << 20


# What a process has held at most counts what it was before it became another program: it is started by a small one.
STARTER = """
import json, os, resource, sys
limits, to, *args = sys.argv[1:]
child = os.fork()
if child == 0:
    for which, value in json.loads(limits):
        resource.setrlimit(which, (value, value))
    os.close(int(to))
    os.execv(args[0], args)
_, status, usage = os.wait4(child, 0)
with os.fdopen(int(to), "w") as out:
    json.dump([os.waitstatus_to_exitcode(status), usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime], out)
"""


class Measured:
    def __init__(self, args, folder, limits=(), stdin=subprocess.DEVNULL):
        found, to = os.pipe()
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", STARTER, json.dumps(limits), str(to), PROGRAM, *map(str, args)],
            cwd=folder, stdin=stdin, env={**os.environ, "LC_ALL": "C"}, pass_fds=[to],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", timeout=600,
        )
        os.close(to)
        with os.fdopen(found) as told:
            self.code, self.peak, self.seconds = json.load(told)
        self.out, self.err = done.stdout, done.stderr


@pytest.fixture
def measured(quantiplan):
    def run(*args, **more):
        return Measured(args, quantiplan.folder, **more)

    return run


@pytest.fixture
def idle(measured):
    """What the program takes to do nearly nothing."""
    return measured("info", "commute.json").peak


def assert_within(done, idle, limit):
    """A tenth more, and some for pages that come in large pieces."""
    assert done.peak <= idle + 1.1 * limit + 8 * MIB, (done.peak, idle, done.err)


def walk(horizon):
    return model_text({"s": {"a": [("s", "1/2", 1), ("s", "1/2", -1)]}}, horizon=horizon)


def spread(horizon):
    """Every episode another total: 40 fair bits, discounted, of some hundred digits."""
    return model_text({"s": {"a": [("s", "1/2", 1), ("s", "1/2", 0)]}}, horizon=horizon, discount="999/1000")


@sanitized
def test_simulate_does_not_hold_its_episodes(quantiplan, measured, idle):
    done = measured("simulate", "commute.json", "--policy", "expectation", "--episodes", "100000")
    assert done.code == 0
    assert done.peak <= idle + 8 * MIB
    assert "100000 episodes, mean total " in done.out


@sanitized
def test_simulate_ends_at_the_memory_limit_with_what_was_drawn(quantiplan, measured, idle):
    model = quantiplan.write("spread.json", spread(40))
    args = ["simulate", model, "--policy", "expectation", "--episodes", "400000", "--memory-limit", "10M"]
    done = measured(*args)
    assert done.code == 1
    assert "Ended early: 400000 episodes were asked for.\n" in done.out
    assert int(re.search(r"^(\d+) episodes, mean", done.out, re.M)[1]) > 1000
    assert_within(done, idle, 10 * MIB)


@sanitized
@pytest.mark.parametrize("more", [[], ["--trace"]])
def test_a_list_of_episodes_ends_at_the_memory_limit(quantiplan, measured, idle, more):
    args = ["simulate", "commute.json", "--policy", "expectation", "--episodes", "400000", "--memory-limit", "10M"]
    done = measured(*args, "--json", *more)
    assert done.code == 1
    answer = json.loads(done.out)
    assert 1000 < answer["count"] == len(answer["episodes"]) == sum(t["count"] for t in answer["totals"]) < 400000
    assert_within(done, idle, 10 * MIB)


@sanitized
def test_info_lays_nothing_out(quantiplan, measured, idle):
    model = quantiplan.write("walk.json", walk(1000000))
    done = measured("info", model)
    assert done.code == 0
    assert "totals       -1000000 to 1000000\n" in done.out
    assert done.peak <= idle + 8 * MIB


def test_info_obeys_the_time_limit(quantiplan, measured):
    model = quantiplan.write("walk.json", walk(1000000000))
    limit = seconds_beyond_reading(quantiplan, "commute.json", 0.05)
    done = measured("info", model, "--time-limit", limit)
    assert (done.code, done.out) == (2, "")
    assert done.err == "quantiplan: info: the time limit was met while it was described; expected a longer --time-limit\n"
    assert done.seconds < 10


def test_evaluate_obeys_the_time_limit(quantiplan, measured):
    """Rationals of thousands of digits: however long a product takes, the clock is looked at."""
    choices = {"s": {"a": [("s", "1/3", 1), ("s", "1/7", 5), ("s", "11/21", -2)]}}
    quantiplan.write("three.json", model_text(choices, horizon=1500))
    done = measured("evaluate", "three.json", "--policy", "expectation", "--exact", "--time-limit",
                    seconds_beyond_reading(quantiplan, "three.json", 0.2))
    assert (done.code, done.out) == (2, "")
    assert re.fullmatch(r"quantiplan: evaluation: a limit was met before it was complete, expected .*\n", done.err)
    assert done.seconds < 10


@sanitized
def test_evaluate_obeys_the_memory_limit(quantiplan, measured, idle):
    choices = {"s": {"a": [("s", "1/3", 1), ("t", "2/3", 0)]},
               "t": {"b": [("s", "99999/100000", 3), ("end", "1/100000", 0)]}}
    quantiplan.write("long.json", model_text(choices, horizon="infinite"))
    quantiplan("solve", "long.json", "--tau", "0.5", "--policy-out", "p.json", code=0)
    done = measured("evaluate", "long.json", "--policy", "p.json", "--exact", "--memory-limit", "4M")
    assert done.code in (0, 1, 2)  # with what is left as a rest, without measures, or refused
    assert_within(done, idle, 4 * MIB)


GARNET = ["generate", "garnet", "--states", "1000000", "--actions", "2", "--branching", "2", "-o", "g.csv"]


@sanitized
def test_generate_obeys_its_limits(quantiplan, measured, idle):
    done = measured(*GARNET, "--memory-limit", "20M")
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "quantiplan: memory: generating the model needs more than 20 MiB, the limit; expected a smaller model, or more "
        "memory\n"
    )
    assert_within(done, idle, 20 * MIB)
    done = measured(*GARNET, "--time-limit", "0.02")
    assert done.code == 2
    assert "garnet: the time limit was met while it was generated; expected a longer --time-limit\n" in done.err
    assert not os.path.exists(quantiplan.folder / "g.csv")


@sanitized
@pytest.mark.parametrize("form", ["json", "csv", "drn", "tra"])
def test_reading_obeys_the_memory_limit(quantiplan, measured, idle, form):
    quantiplan("generate", "garnet", "--states", "20000", "--branching", "2", "-o", f"g.{form}", "-q", code=0)
    for command in (["info", f"g.{form}"], ["convert", f"g.{form}", "h.json"], ["solve", f"g.{form}", "--tau", "0.1"]):
        done = measured(*command, "--memory-limit", "3M", "-q")
        assert (done.code, done.out) == (2, "")
        assert done.err == (
            f"quantiplan: memory: reading g.{form} needs more than 3 MiB, the limit; expected a smaller model, or more "
            "memory\n"
        )
        assert_within(done, idle, 3 * MIB)


# Twelve modules that act together, four updates each: one choice of 4^12 outcomes.
TOGETHER = "mdp\n" + "".join(
    f"module m{i} x{i} : [0..3]; [go] true -> "
    + " + ".join(f"0.25 : (x{i}'={v})" for v in range(4))
    + "; endmodule\n"
    for i in range(12)
)
# As many commands instead: 4^12 choices.
CHOICES = "mdp\n" + "".join(
    f"module m{i} x{i} : [0..3]; " + " ".join(f"[go] true -> (x{i}'={v});" for v in range(4)) + " endmodule\n"
    for i in range(12)
)


@sanitized
@pytest.mark.parametrize("program", [TOGETHER, CHOICES])
def test_exploration_keeps_to_the_memory_limit_where_commands_meet(quantiplan, measured, idle, program):
    quantiplan.write("m.prism", program)
    done = measured("info", "m.prism", "--memory-limit", "30M")
    assert (done.code, done.out) == (2, "")
    assert re.fullmatch(
        r"quantiplan: memory: exploring the model needs more than 30 MiB, the limit, after \d+ states, of which 0 are "
        r"explored; expected a smaller model, or more memory\n",
        done.err,
    )
    assert_within(done, idle, 30 * MIB)


@pytest.mark.parametrize("command", [["info"], ["solve", "--tau", "0.1"], ["convert"]])
def test_exploration_obeys_the_time_limit(quantiplan, measured, command):
    quantiplan.write("m.prism", "mdp module m x : [0..1000000000]; [] true -> (x'=mod(x+1,1000000000)); endmodule")
    name, *more = command
    args = [name, "m.prism", *(["m.json"] if name == "convert" else []), *more]
    limit = seconds_beyond_reading(quantiplan, "commute.json", 0.2)
    done = measured(*args, "--time-limit", limit, "--memory-limit", "8G")
    assert (done.code, done.out) == (2, "")
    assert re.fullmatch(
        r"quantiplan: m.prism: the time limit was met while it was explored, after \d+ states, of which \d+ are explored; "
        r"expected a longer --time-limit\n",
        done.err,
    )
    assert done.seconds < 20


NO_TEXT = [["info", "/dev/zero"], ["evaluate", "commute.json", "--policy", "/dev/zero"],
           ["check", "commute.json", "/dev/zero"]]


@sanitized
@pytest.mark.parametrize("command", NO_TEXT, ids=lambda command: command[0])
def test_what_is_no_text_is_refused_at_once(measured, idle, command):
    """Without any limit, and without end."""
    done = measured(*command)
    assert (done.code, done.out) == (2, "")
    assert done.err == "/dev/zero:1: found a NUL byte, must be text\n"
    assert done.peak <= idle + 8 * MIB


@sanitized
def test_a_large_file_that_is_no_text_is_not_read(quantiplan, measured, idle):
    with open(quantiplan.folder / "disk.json", "wb") as disk:
        disk.write(b"{\n")
        disk.truncate(1 << 30)
    done = measured("info", "disk.json")
    assert (done.code, done.err) == (2, "disk.json:2: found a NUL byte, must be text\n")
    assert done.peak <= idle + 8 * MIB


@sanitized
def test_input_without_end_is_refused(quantiplan, measured, idle):
    with subprocess.Popen(["yes"], stdout=subprocess.PIPE) as infinite:
        done = measured("info", "-", "--memory-limit", "20M", stdin=infinite.stdout)
        infinite.kill()
    assert done.code == 2
    assert "memory: reading standard input needs more than 20 MiB, the limit" in done.err


def test_a_pipe_that_does_not_end_meets_the_time_limit(quantiplan, measured):
    drip = "while sleep 0.02; do echo ' '; done"
    with subprocess.Popen(["sh", "-c", drip], stdout=subprocess.PIPE) as infinite:
        done = measured("info", "-", "--time-limit", "0.3", stdin=infinite.stdout)
        infinite.kill()
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "quantiplan: standard input: the time limit was met while it was read; expected a longer --time-limit\n"
    )


REFUSED = (
    "quantiplan: memory: the system gave no more, expected enough for this model; a --memory-limit makes a refusal come "
    "earlier\n"
)


@sanitized
def test_memory_that_the_system_refuses_is_an_error(quantiplan, measured):
    """At whatever moment: within GMP, a container, a thread, the text of an answer."""
    model = quantiplan.write("walk.json", walk(300))
    args = ["solve", model, "--tau", "0.1,0.5", "--exact", "--threads", "2", "--distribution"]

    def within(kibibytes, *of):
        return measured(*of, limits=[(resource.RLIMIT_AS, kibibytes * 1024)])

    def answer(done):
        return [line for line in done.out.splitlines() if not line.startswith("Work: ")]

    enough = measured(*args)
    assert enough.code == 0
    # Below that, not even the libraries are loaded.
    least = next(kib for kib in range(5000, 500000, 200) if within(kib, "--version").code == 0)
    codes = set()
    for kibibytes in range(least, least + 5000, 250):
        done = within(kibibytes, *args)
        codes.add(done.code)
        if done.code == 0:
            assert answer(done) == answer(enough)
        else:
            assert (done.code, done.err) == (2, REFUSED) or "limit" in done.err, (kibibytes, done.code, done.err)
    assert codes == {0, 2}


@sanitized
def test_memory_refused_before_the_program_begins_is_an_error(measured):
    """Between what the loader needs and what the libraries' own objects do there are some kilobytes."""
    def within(kibibytes):
        return measured("--version", limits=[(resource.RLIMIT_AS, kibibytes * 1024)])

    least = next(kib for kib in range(5000, 500000, 200) if within(kib).code == 0)
    codes = set()
    for kibibytes in range(least - 1500, least, 20):
        done = within(kibibytes)
        codes.add(done.code)
        # 127: the loader's own message.
        assert done.code in (0, 127) or (done.code, done.err) == (2, REFUSED), (kibibytes, done.code, done.err)
    assert 2 in codes


@sanitized
def test_results_of_many_taus_meet_the_limit(quantiplan, measured):
    taus = ",".join(f"{i}/2001" for i in range(1, 2001))
    done = measured("solve", "commute.json", "--tau", taus, "--memory-limit", "3M")
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "quantiplan: --tau: found 2000 questions, whose results need about 3.81 MiB, the limit is 3 MiB; expected fewer of "
        "them, or a larger --memory-limit\n"
    )
    answers = quantiplan.json("solve", "commute.json", "--tau", taus, "--memory-limit", "100M")["results"]
    assert len(answers) == 2000 and all(each["status"] == "solved" for each in answers)


@sanitized
def test_threads_that_the_system_refuses_are_done_without(quantiplan, measured):
    """A stack of a gigabyte for each, and room for none."""
    quantiplan("generate", "garnet", "--states", "60", "--horizon", "30", "-o", "g.json", code=0)
    args = ["solve", "g.json", "--tau", "0.1", "--json"]

    def answer(*more, **limits):
        done = measured(*args, *more, **limits)
        assert (done.code, done.err) == (0, "")
        return [line for line in done.out.splitlines() if '"seconds"' not in line]

    limits = [(resource.RLIMIT_STACK, 1024 * MIB), (resource.RLIMIT_AS, 512 * MIB)]
    assert answer("--threads", "8", limits=limits) == answer("--threads", "1")


@sanitized
def test_a_policy_without_end_meets_the_limit(measured, idle):
    for command in (["evaluate", "commute.json", "--policy", "-"], ["check", "commute.json", "-"]):
        with subprocess.Popen(["yes"], stdout=subprocess.PIPE) as infinite:
            done = measured(*command, "--memory-limit", "50M", stdin=infinite.stdout)
            infinite.kill()
        assert done.code == 2
        assert "memory: reading standard input needs more than 50 MiB, the limit" in done.err
        assert_within(done, idle, 50 * MIB)


def policy_of(rules):
    return (
        '{"format": "quantiplan-policy/1", "horizon": 1000000, "discount": 1, "initial": "s", "target": 0, "rules": [\n'
        + ",\n".join(rules) + "]}\n"
    )


# Many rules of one run; one rule of many runs.
LARGE_POLICIES = {
    "rules": policy_of(f'{{"time":{i},"state":"s","choose":[{{"action":"a"}}]}}' for i in range(200_000)),
    "runs": policy_of([
        '{"time":0,"state":"s","choose":[' + "".join(f'{{"upto":{i},"action":"a"}},' for i in range(300_000))
        + '{"action":"a"}]}'
    ]),
}


@sanitized
@pytest.mark.parametrize("name", LARGE_POLICIES)
def test_a_policy_counts_with_its_rules(quantiplan, measured, idle, name):
    """The text alone would fit."""
    quantiplan.write("walk.json", walk(1000000))
    quantiplan.write("p.json", LARGE_POLICIES[name])
    for command in (["evaluate", "walk.json", "--policy", "p.json"], ["check", "walk.json", "p.json"]):
        done = measured(*command, "--memory-limit", "20M")
        assert (done.code, done.out) == (2, "")
        assert done.err == (
            "quantiplan: memory: reading p.json needs more than 20 MiB, the limit; expected a smaller model, or more "
            "memory\n"
        )
        assert_within(done, idle, 20 * MIB)


@sanitized
@pytest.mark.parametrize("command", [
    ["evaluate", "--policy", "expectation"], ["simulate", "--policy", "expectation", "--episodes", "10"]])
def test_rules_of_time_and_state_are_counted(quantiplan, measured, idle, command):
    """300,000 rules, some 50 MB of them."""
    quantiplan("generate", "garnet", "--states", "1000", "--branching", "3", "--horizon", "300", "-o", "g.json", "-q",
               code=0)
    plain = measured("info", "g.json").peak
    done = measured(command[0], "g.json", *command[1:], "--memory-limit", "30M")
    assert done.code == 2 and "the policy's table, as far as it is, would need" in done.err, done.err
    assert_within(done, plain, 30 * MIB)


@sanitized
@pytest.mark.parametrize("criterion", ["nested-cvar", "entropic:0.01"])
def test_a_criterion_is_answered_though_its_policy_does_not_fit(quantiplan, measured, idle, criterion):
    """A decision takes four bytes, its rule in a table more than a hundred: that is made when it is asked for."""
    quantiplan("generate", "garnet", "--states", "1000", "--branching", "3", "--horizon", "300", "-o", "g.json", "-q",
               code=0)
    plain = measured("info", "g.json").peak
    tau = ["--tau", "0.1"] if criterion == "nested-cvar" else []
    args = ["solve", "g.json", "--criterion", criterion, *tau, "--no-comparison", "--arithmetic", "double",
            "--memory-limit", "10M"]
    done = measured(*args)
    assert (done.code, done.err) == (0, "")
    assert_within(done, plain, 10 * MIB)
    done = measured(*args, "--policy-out", "p.json", "-q")
    assert done.code == 1 and "the policy's table, as far as it is, would need" in done.err, done.err
    assert "nested-cvar" in done.out or "entropic" in done.out
    assert_within(done, plain, 10 * MIB)
    assert not (quantiplan.folder / "p.json").exists()
    done = measured(*args[:-1], "1M")
    assert done.code == 2 and "decisions of 300 steps over" in done.err, done.err


@sanitized
def test_a_tau_takes_some_hundred_bytes(quantiplan, measured, idle):
    """Many taus have few levels: their results share what they have in common."""
    model = quantiplan.write("m.json", model_text({"s": {"a": [("s", "1/2", 0), ("s", "1/2", 1)]}}, horizon=5))
    taus = []
    for first in range(0, 60_000, 6000):
        taus += ["--tau", ",".join(f"{i}e-6" for i in range(first + 1, first + 6001))]
    for engine in ("steps", "lattice"):
        done = measured("solve", model, *taus, "--json", "--engine", engine, "-o", "answer.json")
        assert done.code == 0
        report = (quantiplan.folder / "answer.json").stat().st_size
        # The text grows in steps of a half, and is held twice as it is finished.
        assert done.peak <= idle + 2.5 * report + 60_000 * 1600
