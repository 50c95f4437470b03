"""--checkpoint and --resume: whatever ends a run, the next goes on, to the same bytes."""

import json
import os
import random
import shutil
import signal
import subprocess
import time

import pytest
from conftest import PROGRAM, SOURCE
from test_ranks import MODULE, MPIRUN, children_of, environment, launch


def without_work(text):
    answer = json.loads(text)
    work = answer.pop("work")
    return answer, {key: work[key] for key in ("backups", "breakpoints", "multiply_adds", "passes")}


def wait_for(happens, running):
    """Until it does, or the process has ended, however slow the machine is."""
    while not happens() and running.poll() is None:
        time.sleep(0.005)


@pytest.fixture
def garnet(quantiplan):
    quantiplan(
        "generate", "garnet", "--states", "400", "--horizon", "30", "--greatest-reward", "60", "-o", "garnet.json",
        code=0,
    )
    return "garnet.json"


QUESTIONS = {
    "dense": ["--tau", "0.1,1/2", "--representation", "dense"],
    "automatic": ["--tau", "0.1"],
    "rounds": ["--tau", "0.1", "--discount", "0.95", "--engine", "lattice", "--epsilon", "1"],
    "blocks": ["--tau", "0.1", "--representation", "dense", "--memory-limit", "60M"],
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_run_killed_at_any_moment_is_resumed_to_the_same_bytes(quantiplan, garnet, question):
    arguments = ["solve", garnet, *QUESTIONS[question], "--threads", "1", "--json"]
    begin = time.monotonic()
    expected = without_work(quantiplan(*arguments, "--policy-out", "alone-{tau}.json", code=0).stdout)
    took = time.monotonic() - begin
    dice = random.Random(question)
    folder = ["--checkpoint", "kept", "--checkpoint-every", "0"]
    resume = []
    manifest = quantiplan.folder / "kept" / "manifest"
    for _ in range(4):
        running = quantiplan.start(*arguments, *folder, *resume)
        wait_for(manifest.exists, running)
        time.sleep(dice.uniform(0, 0.6) * took)
        running.send_signal(signal.SIGKILL)
        running.communicate()
        resume = ["--resume"]
    done = quantiplan(*arguments, *folder, *resume, "--policy-out", "resumed-{tau}.json", code=0)
    assert without_work(done.stdout) == expected
    for policy in quantiplan.folder.glob("alone-*.json"):
        resumed = quantiplan.folder / policy.name.replace("alone", "resumed")
        assert resumed.read_bytes() == policy.read_bytes()


def interrupted(quantiplan, *arguments):
    """A folder with a pass that has begun; where the machine is too fast for that, one that is over."""
    running = quantiplan.start(*arguments, "--checkpoint", "kept", "--checkpoint-every", "0")
    wait_for(lambda: list((quantiplan.folder / "kept").glob("*.at")), running)
    running.send_signal(signal.SIGKILL)
    running.communicate()


def test_another_problem_is_refused(quantiplan, garnet):
    arguments = ["solve", garnet, "--tau", "0.1", "--representation", "dense"]
    interrupted(quantiplan, *arguments)
    [line] = quantiplan.fails(*arguments, "--checkpoint", "kept")
    assert line == (
        "quantiplan: kept: found a checkpoint, expected --resume to go on from it, or another folder"
    )
    [line] = quantiplan.fails(*arguments, "--horizon", "29", "--checkpoint", "kept", "--resume")
    assert line == (
        "kept/manifest: the checkpoint is of another problem, expected the same model, question and options"
    )
    [line] = quantiplan.fails("solve", garnet, "--tau", "0.1", "--resume")
    assert line == "quantiplan: --resume: found without --checkpoint, expected both"


def test_a_damaged_folder_is_refused(quantiplan, garnet):
    arguments = ["solve", garnet, "--tau", "0.1", "--representation", "dense"]
    interrupted(quantiplan, *arguments)
    kept = quantiplan.folder / "kept"
    whole = quantiplan.folder / "whole"
    # What a killed process had begun, a file's removal too, may still happen after its end: only the copy stays as it is.
    shutil.copytree(kept, whole, copy_function=copied_if_there)
    kept.rename(quantiplan.folder / "killed")
    shutil.copytree(whole, kept)
    dice = random.Random(7)
    files = [path for path in sorted(whole.iterdir()) if not path.name.endswith(".tmp")]
    state = next(path for path in files if path.suffix in (".at", ".done"))
    needed = {state, whole / "manifest", *(p for p in files if p.suffix == ".part")}
    for original in sorted(needed):
        path = kept / original.name
        good = original.read_bytes()
        for bad in (good[: len(good) // 2], b"", good[:-1], flipped(good, dice)):
            path.write_bytes(bad)
            done = quantiplan(*arguments, "--checkpoint", "kept", "--resume")
            # a part may be of a layer that is not asked for any more: then the run ends, and clears the folder
            if path.suffix != ".part" or done.returncode != 0:
                assert done.returncode == 2, done.stderr
                assert f"kept/{path.name}: the checkpoint is" in done.stderr
            shutil.rmtree(kept)
            shutil.copytree(whole, kept)


@pytest.mark.parametrize("question", ["dense", "rounds"])
def test_damage_is_not_taken_for_a_lack_of_memory(quantiplan, garnet, question):
    """Of the comparison that was left out, of a finer round the bracket stayed wide, without a word of it."""
    arguments = ["solve", garnet, *QUESTIONS[question], "--checkpoint", "kept"]
    quantiplan(*arguments, "--checkpoint-every", "0", code=0)
    kept = quantiplan.folder / "kept"
    outcomes = sorted(kept.glob("*.done"))
    assert len(outcomes) > 1
    for path in outcomes:
        good = path.read_bytes()
        path.write_bytes(flipped(good, random.Random(3)))
        [line] = quantiplan.fails(*arguments, "--resume")
        assert line.startswith(f"kept/{path.name}: the checkpoint is ")
        path.write_bytes(good)
    # whole, but another's
    one, other, *_ = sorted(kept.glob(f"{outcomes[0].stem}.*.rules"))
    one.write_bytes(other.read_bytes())
    [line] = quantiplan.fails(*arguments, "--resume")
    assert line.startswith(f"kept/{one.name}: the checkpoint is damaged")


def copied_if_there(source, target):
    try:
        shutil.copy2(source, target)
    except FileNotFoundError:
        pass


def flipped(good, dice):
    bad = bytearray(good)
    bad[dice.randrange(len(bad))] ^= 1 << dice.randrange(8)
    return bytes(bad)


def test_a_folder_that_cannot_be_made_is_said(quantiplan, garnet):
    quantiplan.write("file", "")
    [line] = quantiplan.fails("solve", garnet, "--tau", "0.1", "--checkpoint", "file/below")
    assert line.startswith("file/below: cannot make the folder")


def test_what_is_not_kept_is_said_by_name(quantiplan, garnet):
    cases = {
        "exact arithmetic": ["solve", garnet, "--tau", "0.1", "--exact"],
        "an infinite horizon without discount": ["solve", "trip.json", "--tau", "0.1"],
        "classes of wealth": ["solve", "service.json", "--tau", "0.1"],
        "another criterion": ["solve", garnet, "--tau", "0.1", "--criterion", "cvar"],
    }
    for name in ("trip.json", "service.json"):
        shutil.copy(SOURCE / "examples" / name, quantiplan.folder)
    for what, arguments in [*cases.items(), ("another criterion", ["frontier", garnet, "--criterion", "cvar"])]:
        [line] = quantiplan.fails(*arguments, "--checkpoint", "kept")
        assert line.startswith(f"quantiplan: --checkpoint: found with {what}, of which nothing is kept, expected ")
        assert not (quantiplan.folder / "kept").exists()
    # cut off, so it is finite; checked by code that evaluates policies
    quantiplan("generate", "garnet", "--states", "5", "--branching", "3", "-o", "five.json", code=0)
    quantiplan("solve", "five.json", "--tau", "0.1", "--discount", "0.5", "--horizon", "infinite", "--epsilon", "5",
               "--check", "--checkpoint", "kept", code=0)


def test_half_an_option_is_refused(quantiplan, garnet):
    [line] = quantiplan.fails("solve", garnet, "--tau", "0.1", "--checkpoint", "")
    assert line == "quantiplan: --checkpoint: found an empty name, expected a folder"
    [line] = quantiplan.fails("solve", garnet, "--tau", "0.1", "--checkpoint-every", "1")
    assert line == "quantiplan: --checkpoint-every: found without --checkpoint, expected both"


def test_a_pipe_in_the_folder_is_not_waited_for(quantiplan, garnet):
    (quantiplan.folder / "kept").mkdir()
    os.mkfifo(quantiplan.folder / "kept" / "manifest")
    [line] = quantiplan.fails("solve", garnet, "--tau", "0.1", "--checkpoint", "kept", "--resume")
    assert line.startswith("kept/manifest: the checkpoint is damaged")


def test_a_folder_without_its_manifest_is_not_begun_anew(quantiplan, garnet):
    arguments = ["solve", garnet, "--tau", "0.1", "--representation", "dense"]
    interrupted(quantiplan, *arguments)
    (quantiplan.folder / "kept" / "manifest").unlink()
    [line] = quantiplan.fails(*arguments, "--checkpoint", "kept")
    assert line.startswith("quantiplan: kept: found a checkpoint, expected --resume")
    [line] = quantiplan.fails(*arguments, "--checkpoint", "kept", "--resume")
    assert line == "kept/manifest: not found, expected the folder as it was written"


def test_what_was_not_written_to_its_end_goes_away(quantiplan, garnet):
    arguments = ["solve", garnet, "--tau", "0.1", "--representation", "dense", "--checkpoint", "kept"]
    (quantiplan.folder / "kept").mkdir()
    names = ["manifest.12.tmp", "0123456789abcdef.at.3.tmp", "notes.tmp"]
    for name in names:
        (quantiplan.folder / "kept" / name).write_text("half")
    quantiplan(*arguments, "--checkpoint-every", "0", code=0)
    assert [name for name in names if (quantiplan.folder / "kept" / name).exists()] == ["notes.tmp"]
    # no file may be longer than this: the first layer is not written whole, and not left behind
    shutil.rmtree(quantiplan.folder / "kept")
    done = subprocess.run(
        ["bash", "-c", 'ulimit -f 8; trap "" XFSZ; exec "$@"', "-", PROGRAM, *arguments, "--checkpoint-every", "0"],
        cwd=quantiplan.folder, capture_output=True, text=True, timeout=600,
    )
    assert done.returncode == 2 and done.stdout == ""
    assert "cannot write: File too large" in done.stderr
    left = sorted(path.name for path in (quantiplan.folder / "kept").iterdir())
    assert "manifest" in left and not [name for name in left if name.endswith(".tmp")]


@pytest.mark.skipif(MPIRUN is None or not MODULE.exists(), reason="no MPI here")
def test_another_number_of_ranks_goes_on(quantiplan, garnet):
    arguments = ["solve", garnet, "--tau", "0.1,1/2", "--representation", "dense", "--json"]
    expected = without_work(quantiplan(*arguments, code=0).stdout)
    folder = ["--checkpoint", "kept", "--checkpoint-every", "0"]
    resume = []
    for size in (3, 2):
        running = subprocess.Popen(
            launch(size, *arguments, *folder, *resume), cwd=quantiplan.folder, env=environment(quantiplan),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        wait_for(lambda: list((quantiplan.folder / "kept").glob(f"*-of-{size}.part")), running)
        for pid in children_of(running.pid):
            os.kill(pid, signal.SIGKILL)
        running.wait(timeout=600)
        resume = ["--resume"]
    done = subprocess.run(
        launch(4, *arguments, *folder, *resume), cwd=quantiplan.folder, env=environment(quantiplan),
        capture_output=True, text=True, timeout=600,
    )
    assert done.returncode == 0, done.stderr
    assert without_work(done.stdout) == expected
