"""Requests that make no sense: the whole message on standard error, exit code 2, nothing on standard output."""

import os
import subprocess

import pytest

from conftest import PROGRAM

COMMANDS = "solve, frontier, threshold, tradeoff, report, evaluate, simulate, explain, info, convert, check, generate, experiment, " \
           "help, version, man, completion"
STEPS = "expected a whole number of steps, or infinite"
NUMBER = "expected a decimal such as -0.5 or 1e-3, or a fraction such as 1/3"
SOLVE = ["solve", "commute.json", "--tau", "0.1"]


@pytest.mark.parametrize(
    "args, line, hint",
    [
        ([], f"found none, expected a command: {COMMANDS}", ""),
        (["slove"], f"found 'slove', expected a command: {COMMANDS}; did you mean 'solve'?", ""),
        (["solve"], "solve: MODEL: found none, expected one", "solve "),
        (["solve", "commute.json"], "solve: --tau: found none, expected one", "solve "),
        (["solve", "commute.json", "--tau"], "solve: --tau: found no value, expected T[,T...]", "solve "),
        ([*SOLVE, "more"], "solve: found 'more', expected no further argument", "solve "),
        ([*SOLVE, "--tua", "0.1"], "solve: found '--tua', expected an option of this command; did you mean '--tau'?",
         "solve "),
        ([*SOLVE, "--horizon", "1", "--horizon", "2"], "solve: --horizon: found it 2 times, expected once", "solve "),
        (["threshold", "commute.json"], "threshold: --target: found none, expected one", "threshold "),
        (["threshold", "commute.json", "--target"], "threshold: --target: found no value, expected Y[,Y...]", "threshold "),
        (["evaluate", "commute.json"], "evaluate: --policy: found none, expected one", "evaluate "),
        (["simulate", "commute.json"], "simulate: --policy: found none, expected one", "simulate "),
        (["convert", "commute.json"], "convert: OUT: found none, expected one", "convert "),
        (["check", "commute.json"], "check: POLICY: found none, expected one", "check "),
    ],
)
def test_arguments_that_do_not_fit(quantiplan, args, line, hint):
    assert quantiplan.fails(*args) == [f"quantiplan: {line}; see quantiplan {hint}--help"]


@pytest.mark.parametrize(
    "args, line",
    [
        (["--tau", "2"], "--tau: found 2, must be from 0 to 1; did you mean 0.02?"),
        (["--tau", "-0.1"], "--tau: found -0.1, must be from 0 to 1"),
        (["--tau", "x"], f"--tau: 'x' is no number: it does not begin with a digit; {NUMBER}"),
        (["--tau", "0.1,,0.2"], f"--tau: '' is no number: it is empty; {NUMBER}"),
        (["--tau", "1/0"], f"--tau: '1/0' is no number: the denominator is 0; {NUMBER}"),
        (["--tau", "nan"], f"--tau: 'nan' is no number: it is not finite; {NUMBER}"),
        (
            ["--tau", "1e-9999"],
            f"--tau: '1e-9999' is no number: the exponent must be from -1000 to 1000; {NUMBER}",
        ),
        (["--tau", "0.1", "--side", "middle"], "--side: found 'middle', expected lower, upper or both"),
        (["--tau", "0.1", "--horizon", "x"], f"--horizon: found 'x', {STEPS}"),
        (["--tau", "0.1", "--horizon", "inf"], f"--horizon: found 'inf', {STEPS}"),
        (["--tau", "0.1", "--horizon", "Infinite"], f"--horizon: found 'Infinite', {STEPS}"),
        # 2^64 - 1 steps are not the same as no end.
        (["--tau", "0.1", "--horizon", 2**64 - 1], f"--horizon: found '18446744073709551615', {STEPS}"),
        (["--tau", "0.1", "--horizon", "0"], "--horizon: found 0, must be from 1 to 1000000000, or infinite"),
        (
            ["--tau", "0.1", "--horizon", "1000000001"],
            "--horizon: found 1000000001, must be from 1 to 1000000000, or infinite",
        ),
        (
            ["--tau", "0.1", "--goal", "offic"],
            "--goal: unknown state 'offic', must be a state of the model; did you mean 'office'?",
        ),
        (["--tau", "0.1", "--goal", "office,x,y"], "--goal: unknown state 'x,y', must be a state of the model"),
        (["--tau", "0.1", "--discount", "0"], "--discount: found 0, must be above 0 and at most 1"),
        (["--tau", "0.1", "--discount", "x"], f"--discount: 'x' is no number: it does not begin with a digit; {NUMBER}"),
        (
            ["--tau", "0.1", "--initial", "hom"],
            "--initial: unknown state 'hom', must be a state of the model; did you mean 'home'?",
        ),
        (["--tau", "0.1", "--epsilon", "0"],
         "--epsilon: found '0', expected a positive number such as 0.01 or 1/3, or auto"),
        (["--tau", "0.1", "--epsilon", "1e-"],
         "--epsilon: found '1e-', expected a positive number such as 0.01 or 1/3, or auto"),
        (["--tau", "0.1", "--engine", "x"], "--engine: found 'x', expected one of auto, steps, lattice, levels, search, epochs, ranked, forward, paper"),
        (["--tau", "0.1", "--arithmetic", "x"], "--arithmetic: found 'x', expected one of auto, double, exact"),
        (
            ["--tau", "0.1", "--representation", "x"],
            "--representation: found 'x', expected one of auto, sparse, dense",
        ),
        (["--tau", "0.1", "--threads", "1025"], "--threads: found '1025', expected a whole number from 0 to 1024"),
        (
            ["--tau", "0.1", "--memory-limit", "x"],
            "--memory-limit: found 'x', expected a size such as 500M, 8G or a number of bytes",
        ),
        (
            ["--tau", "0.1", "--time-limit", "-1"],
            "--time-limit: found '-1', expected a number of seconds, 0 for none",
        ),
        (
            ["--tau", "0.1", "--exact", "--arithmetic", "double"],
            "--exact: given with another --arithmetic, expected one",
        ),
        (
            ["--tau", "0.1", "--exact", "--representation", "dense"],
            "--representation: found 'dense' with exact arithmetic, expected auto or sparse: arrays hold doubles",
        ),
    ],
)
def test_values_that_make_no_sense(quantiplan, args, line):
    assert quantiplan.fails("solve", "commute.json", *args) == [f"quantiplan: {line}"]


def test_an_unknown_kernel_is_answered_with_those_there_are(quantiplan):
    [line] = quantiplan.fails(*SOLVE, "--kernel", "x")
    assert line.startswith("quantiplan: --kernel: found 'x', expected one of auto, reference")


def test_an_unknown_backend_is_answered_with_those_there_are(quantiplan):
    [line] = quantiplan.fails(*SOLVE, "--backend", "x")
    assert line == "quantiplan: --backend: found 'x', expected one of auto, host, gpu"


def test_a_gpu_that_is_not_there_is_named_before_the_work_begins(quantiplan):
    from ctypes.util import find_library

    if find_library("cuda"):
        pytest.skip("this machine has the NVIDIA driver")
    [line] = quantiplan.fails(*SOLVE, "--backend", "gpu")
    assert line == (
        "quantiplan: --backend: found 'gpu', expected auto or host: the NVIDIA driver (libcuda.so.1) is not installed"
    )


def test_thresholds_are_exact_numbers(quantiplan):
    assert quantiplan.fails("evaluate", "commute.json", "--policy", "expectation", "--at-least", "x") == [
        f"quantiplan: --at-least: 'x' is no number: it does not begin with a digit; {NUMBER}"
    ]


@pytest.mark.parametrize(
    "args, line",
    [
        (["x"], f"'x' is no number: it does not begin with a digit; {NUMBER}"),
        (["1,,2"], f"'' is no number: it is empty; {NUMBER}"),
        (["miss"], f"'miss' is no number: it does not begin with a digit; {NUMBER}"),
        (["inf"], "found inf, expected a number, or -inf for the goal alone"),
        (["-inf", "--cost"], "found -inf, expected a number, or inf for the goal alone"),
    ],
)
def test_targets_are_numbers_or_the_goal_alone(quantiplan, args, line):
    assert quantiplan.fails("threshold", "commute.json", "--target", *args) == [f"quantiplan: --target: {line}"]


def test_files_that_cannot_be_read(quantiplan):
    assert quantiplan.fails("solve", "nowhere.json", "--tau", "0.1") == [
        "nowhere.json: cannot open: No such file or directory"
    ]
    assert quantiplan.fails("info", ".") == [".: cannot read: Is a directory"]
    assert quantiplan.fails("evaluate", "commute.json", "--policy", "nowhere.json") == [
        "nowhere.json: cannot open: No such file or directory"
    ]
    assert quantiplan.fails("evaluate", "commute.json", "--policy", "commute.json") == [
        "commute.json:1: format: found 'quantiplan-model/1', must be 'quantiplan-policy/1'"
    ]


def test_output_paths_are_tried_before_the_work_begins(quantiplan):
    # The model does not exist: had it been looked at first, the message would be another.
    for flag in ["--output", "--policy-out"]:
        assert quantiplan.fails("solve", "nowhere.json", "--tau", "0.1", flag, "no/such/folder.json") == [
            "no/such/folder.json: cannot write: No such file or directory"
        ]
        assert quantiplan.fails("solve", "nowhere.json", "--tau", "0.1", flag, ".") == [
            ".: cannot write: it is a folder, expected a file name"
        ]
    assert quantiplan.fails("convert", "nowhere.json", "no/such/folder.json") == [
        "no/such/folder.json: cannot write: No such file or directory"
    ]


def test_empty_names_are_no_file_names(quantiplan):
    for flag in ["--output", "--policy-out"]:
        assert quantiplan.fails(*SOLVE, flag, "") == [
            f"quantiplan: {flag}: found an empty name, expected a file name"
        ]
    assert quantiplan.fails("convert", "commute.json", "", "--to", "csv") == [
        "quantiplan: OUT: found an empty name, expected a file name"
    ]
    assert quantiplan.fails(*SOLVE, "--horizon", "") == [
        f"quantiplan: --horizon: found '', {STEPS}"
    ]
    assert [p.name for p in quantiplan.folder.iterdir()] == ["commute.json"]


@pytest.mark.parametrize("path", ["commute.json", "./commute.json", "link.json"])
def test_the_model_is_not_overwritten(quantiplan, path):
    (quantiplan.folder / "link.json").symlink_to("commute.json")
    before = (quantiplan.folder / "commute.json").read_text()
    for flag in ["--output", "--policy-out"]:
        assert quantiplan.fails(*SOLVE, flag, path) == [
            f"quantiplan: {flag}: '{path}' would overwrite the model, expected another file name"
        ]
    for command in [["frontier", "commute.json"], ["info", "commute.json"]]:
        assert quantiplan.fails(*command, "-o", path) == [
            f"quantiplan: --output: '{path}' would overwrite the model, expected another file name"
        ]
    assert (quantiplan.folder / "commute.json").read_text() == before


def test_the_policy_that_is_read_is_not_overwritten(quantiplan, policy):
    line = "quantiplan: --output: 'policy.json' would overwrite the policy, expected another file name"
    assert quantiplan.fails("check", "commute.json", policy, "-o", policy) == [line]
    assert quantiplan.fails("evaluate", "commute.json", "--policy", policy, "-o", policy) == [line]
    # This one is no file.
    quantiplan("evaluate", "commute.json", "--policy", "expectation", "-o", "expectation", code=0)


def test_report_and_policy_go_to_different_places(quantiplan):
    for path in ["new.json", "./new.json"]:
        assert quantiplan.fails(*SOLVE, "-o", path, "--policy-out", "new.json") == [
            "quantiplan: --policy-out: 'new.json' takes the report already, expected another file name"
        ]
    assert quantiplan.fails(*SOLVE, "--policy-out", "-") == [
        "quantiplan: --policy-out: standard output takes the report already, expected another file name"
    ]
    quantiplan(*SOLVE, "-o", "/dev/null", "--policy-out", "/dev/null", code=0)
    done = quantiplan(*SOLVE, "-o", "report.txt", "--policy-out", "-", code=0)
    assert done.stdout.startswith("{") and "quantiplan-policy/1" in done.stdout


def test_standard_input_is_read_once(quantiplan):
    assert quantiplan.fails("check", "-", "-") == ["quantiplan: POLICY: only one of MODEL and POLICY may be -"]
    for command in [["evaluate", "-"], ["simulate", "-", "--episodes", "1", "--seed", "1"]]:
        assert quantiplan.fails(*command, "--policy", "-") == [
            "quantiplan: --policy: only one of MODEL and POLICY may be -"
        ]


def test_a_folder_that_may_not_be_written_is_an_error(quantiplan):
    # Root may write to any folder of a disk, but not make files in /sys.
    (quantiplan.folder / "locked").mkdir(mode=0o500)
    path, verb = ("/sys/a.json", "open for writing") if os.geteuid() == 0 else ("locked/a.json", "write")
    assert quantiplan.fails(*SOLVE, "-o", path) == [f"{path}: cannot {verb}: Permission denied"]


def test_a_failure_leaves_no_files_behind(quantiplan):
    quantiplan.write("old.json", "old")
    quantiplan.fails("solve", "commute.json", "--tau", "2", "-o", "old.json", "--policy-out", "new.json")
    assert (quantiplan.folder / "old.json").read_text() == "old"
    assert sorted(p.name for p in quantiplan.folder.iterdir()) == ["commute.json", "old.json"]


@pytest.mark.parametrize("command", ["solve", "frontier", "info", "convert"])
def test_a_full_disk_is_not_silent(quantiplan, command):
    args = {
        "solve": SOLVE,
        "frontier": ["frontier", "commute.json"],
        "info": ["info", "commute.json"],
        "convert": ["convert", "commute.json", "-", "--to", "json"],
    }[command]
    with open("/dev/full", "w") as full:
        done = quantiplan(*args, stdout=full, code=2)
    assert done.stderr == "standard output: cannot write: No space left on device\n"


@pytest.mark.parametrize("more", [[], ["-o", "-"]])
def test_a_closed_pipe_ends_without_a_message(quantiplan, more):
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as pipe:
        done = quantiplan(*SOLVE, *more, stdout=pipe, code=2)
    assert done.stderr == ""


def test_a_closed_standard_output_is_not_silent(quantiplan):
    done = subprocess.run(
        ["sh", "-c", f'"{PROGRAM}" solve commute.json --tau 0.1 >&-'],
        cwd=quantiplan.folder, stderr=subprocess.PIPE, encoding="utf-8",
    )
    assert done.returncode == 2
    assert done.stderr == "standard output: cannot write: Bad file descriptor\n"
