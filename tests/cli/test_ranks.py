"""Several processes by mpirun: the answers and files of one, to the byte; what goes wrong is said once."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

import pytest
from conftest import PROGRAM, large_model, sanitized, seconds_beyond_reading

MPIRUN = shutil.which("mpirun")
MODULE = pathlib.Path(PROGRAM).parent / "quantiplan-mpi.so"
pytestmark = pytest.mark.skipif(
    MPIRUN is None or not MODULE.exists(), reason="no MPI here (libopenmpi-dev, openmpi-bin)"
)

SIZES = [1, 2, 3, 4, 7]


def environment(quantiplan):
    """Root may launch, and processes may be more than cores."""
    return {
        **quantiplan.env,
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    }


def launch(size, *args):
    return [MPIRUN, "--oversubscribe", "--bind-to", "none", "-n", str(size), PROGRAM, *map(str, args)]


def ranks(quantiplan, size, *args, code=0):
    done = subprocess.run(
        launch(size, *args), cwd=quantiplan.folder, env=environment(quantiplan), capture_output=True, text=True,
        timeout=600,
    )
    assert done.returncode == code, (args, done.stdout, done.stderr)
    return done


def without_work(text):
    answer = json.loads(text)
    work = answer.pop("work")
    return json.dumps(answer), {key: work[key] for key in ("backups", "breakpoints", "multiply_adds", "passes")}, work


QUESTIONS = {
    # several taus, both sides, policies
    "garnet": ["--tau", "0.1,1/2", "--side", "both"],
    # a discount: grids that coarsen, mass dropped at the ends
    "discounted": ["--tau", "0.1", "--discount", "0.9", "--engine", "lattice", "--epsilon", "0.5"],
    "adversary": ["--tau", "0.25", "--adversarial", "--cost"],
    "preferred": ["--tau", "0.1", "--prefer", "mean"],
}


@pytest.fixture
def garnet(quantiplan):
    quantiplan("generate", "garnet", "--states", "40", "--horizon", "8", "-o", "garnet.json", code=0)
    return "garnet.json"


@pytest.mark.parametrize("question", QUESTIONS)
def test_answers_and_policies_are_those_of_one_process(quantiplan, garnet, question):
    arguments = ["solve", garnet, *QUESTIONS[question], "--representation", "dense", "--json", "--policy-out"]
    alone = quantiplan(*arguments, "alone-{tau}-{side}.json", code=0)
    expected = without_work(alone.stdout)
    policies = sorted(quantiplan.folder.glob("alone-*.json"))
    assert policies
    sizes = SIZES if question == "garnet" else [3, 4] if question == "discounted" else [2]
    for size in sizes:
        found = without_work(ranks(quantiplan, size, *arguments, "ranks-{tau}-{side}.json").stdout)
        assert found[:2] == expected[:2]
        assert ("sent_bytes" in found[2]) == (size > 1)
        for policy in policies:
            other = quantiplan.folder / policy.name.replace("alone", "ranks")
            assert other.read_bytes() == policy.read_bytes()
            other.unlink()


def test_other_queries_are_answered_once(quantiplan, garnet):
    for arguments in (["frontier", garnet, "--representation", "dense"],
                      ["threshold", garnet, "--target", "100", "--representation", "dense"],
                      ["info", garnet]):
        alone = quantiplan(*arguments, "--json", code=0).stdout
        found = ranks(quantiplan, 2, *arguments, "--json").stdout
        left, right = json.loads(alone), json.loads(found)
        left.pop("work", None), right.pop("work", None)
        assert left == right


def test_reports_have_no_colours(quantiplan, garnet):
    """mpirun gives the first process a terminal, whatever it writes to itself."""
    arguments = ["solve", garnet, "--tau", "0.1", "--distribution"]
    terminal = {"TERM": "xterm", "LC_ALL": "C.UTF-8"}
    alone = quantiplan(*arguments, env=terminal, code=0).stdout
    for size in (1, 2):
        done = subprocess.run(
            launch(size, *arguments), cwd=quantiplan.folder, env={**environment(quantiplan), **terminal},
            capture_output=True, text=True, timeout=600,
        )
        assert done.stdout.split("Work: ")[0] == alone.split("Work: ")[0]


def test_a_request_that_is_wrong_is_said_once(quantiplan, garnet):
    done = ranks(quantiplan, 3, "solve", garnet, "--tau", "2", code=2)
    assert done.stdout == ""
    assert done.stderr.count("must be in [0, 1]") + done.stderr.count("found 2") == 1


def test_a_gpu_below_the_ranks_gives_the_same_or_is_refused_once(quantiplan, garnet):
    """Where there is none, one process says what is missing; `auto` is silent."""
    arguments = ["solve", garnet, "--tau", "0.1", "--representation", "dense", "--json"]
    expected = without_work(quantiplan(*arguments, code=0).stdout)
    assert without_work(ranks(quantiplan, 3, *arguments, "--backend", "auto").stdout)[:2] == expected[:2]
    alone = quantiplan(*arguments, "--backend", "gpu")
    found = ranks(quantiplan, 3, *arguments, "--backend", "gpu", code=alone.returncode)
    if alone.returncode == 0:
        assert without_work(found.stdout)[:2] == expected[:2]
    else:
        assert found.stdout == ""
        assert found.stderr.count("--backend: found 'gpu'") == 1


def test_ranks_with_other_arguments_are_refused(quantiplan, garnet):
    command = launch(1, "solve", garnet, "--tau", "0.1")
    command += [":", "-n", "1", PROGRAM, "solve", garnet, "--tau", "0.2"]
    done = subprocess.run(
        command, cwd=quantiplan.folder, env=environment(quantiplan), capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert "quantiplan: ranks: rank 1 has another command line than rank 0, expected the same" in done.stderr


def test_ranks_with_other_models_are_refused(quantiplan, garnet):
    (quantiplan.folder / "there").mkdir()
    quantiplan("generate", "garnet", "--states", "41", "-o", "there/garnet.json", code=0)
    command = launch(1, "solve", garnet, "--tau", "0.1")
    command += [":", "-n", "1", "-wdir", str(quantiplan.folder / "there"), PROGRAM, "solve", garnet, "--tau", "0.1"]
    done = subprocess.run(
        command, cwd=quantiplan.folder, env=environment(quantiplan), capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 2
    assert "quantiplan: ranks: rank 1 has another model than rank 0, expected the same" in done.stderr


def test_a_rank_without_the_model_is_named(quantiplan, garnet):
    (quantiplan.folder / "there").mkdir()
    command = launch(1, "solve", garnet, "--tau", "0.1")
    command += [":", "-n", "1", "-wdir", str(quantiplan.folder / "there"), PROGRAM, "solve", garnet, "--tau", "0.1"]
    done = subprocess.run(
        command, cwd=quantiplan.folder, env=environment(quantiplan), capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 2
    assert "rank 1: garnet.json" in done.stderr


def test_a_process_that_no_launcher_started_is_not_silent(quantiplan, garnet):
    """The variables of mpirun have reached it, as from a script that mpirun started: it is alone."""
    for rank in ("0", "1"):
        variables = {"OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_RANK": rank}
        done = subprocess.run(
            [PROGRAM, "solve", garnet, "--tau", "0.1"], cwd=quantiplan.folder,
            env={**environment(quantiplan), **variables}, capture_output=True, text=True, timeout=600,
        )
        assert (done.returncode, done.stdout) == (2, "")
        assert "found a launch of 2 processes of which MPI knows 1, expected one MPI" in done.stderr


@sanitized
def test_a_rank_without_memory_is_said_once(quantiplan):
    quantiplan("generate", "garnet", "--states", "5000", "--branching", "16", "-o", "large.umb", code=0)
    # What MPI takes of an address space is not for us to know.
    for kibibytes in range(180000, 420000, 30000):
        command = launch(1, "solve", "large.umb", "--horizon", "2", "--tau", "0.1")
        helper = 'ulimit -v "$0"; exec "$@"'
        command += [":", "-n", "1", "bash", "-c", helper, str(kibibytes), *command[command.index(PROGRAM):]]
        done = subprocess.run(
            command, cwd=quantiplan.folder, env=environment(quantiplan), capture_output=True, text=True, timeout=600
        )
        assert done.stderr.count("the system gave no more") <= 1, done.stderr
        assert "was asked something else" not in done.stderr
        if "quantiplan: ranks: rank 1: memory: the system gave no more" in done.stderr:
            assert (done.returncode, done.stdout) == (2, "")
            return
    pytest.fail("no limit that MPI is content with, and the model is not")


def test_standard_input_is_refused(quantiplan):
    done = ranks(quantiplan, 2, "solve", "-", "--tau", "0.1", code=2)
    assert "standard input reaches one only" in done.stderr


def test_a_time_limit_ends_all_with_a_bracket(quantiplan):
    model = quantiplan.write("large.json", large_model())
    limit = seconds_beyond_reading(quantiplan, model, 2)
    done = ranks(quantiplan, 2, "solve", model, "--tau", "0.1", "--time-limit", limit, "--json", code=1)
    result = json.loads(done.stdout)["results"][0]
    assert result["status"] == "limit_reached"


def children_of(pid):
    found = subprocess.run(["ps", "-o", "pid=,comm=", "--ppid", str(pid)], capture_output=True, text=True).stdout
    return [int(line.split()[0]) for line in found.splitlines() if "quantiplan" in line]


def test_a_rank_that_dies_ends_the_run_and_leaves_whole_files_or_none(quantiplan):
    model = quantiplan.write("large.json", large_model())
    running = subprocess.Popen(
        launch(3, "solve", model, "--tau", "0.1", "--policy-out", "policy.json", "-o", "report.txt"),
        cwd=quantiplan.folder, env=environment(quantiplan), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )
    while len(victims := children_of(running.pid)) < 3:
        assert running.poll() is None
        time.sleep(0.05)
    time.sleep(1)
    os.kill(victims[-1], signal.SIGKILL)
    out, err = running.communicate(timeout=600)
    assert running.returncode != 0
    assert out == "" and "signal 9" in err
    # mpirun asks the others to end, as Ctrl-C does: rank 0 may have had the time for the bracket so far.
    if (quantiplan.folder / "policy.json").exists():
        json.loads((quantiplan.folder / "policy.json").read_text())
    if (quantiplan.folder / "report.txt").exists():
        assert "Ended early" in (quantiplan.folder / "report.txt").read_text()
