"""Files that are written: never onto what is read, whole or not at all, links and devices as documented."""

import os
import stat
import subprocess

import pytest
from conftest import COMMUTE, PROGRAM, SOURCE

SOLVE = ["solve", "commute.json", "--tau", "0.1"]
GATHERING = (SOURCE / "examples" / "gathering.prism").read_text(encoding="utf-8")


def overwrites(flag, path, what="the model"):
    return [f"quantiplan: {flag}: '{path}' would overwrite {what}, expected another file name"]


def contents(folder):
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()}


# Onto what is read


@pytest.mark.parametrize("path", ["m.prism", "./m.prism", "../{here}/m.prism", "soft.prism", "hard.prism"])
def test_convert_does_not_overwrite_its_input(quantiplan, path):
    quantiplan.write("m.prism", GATHERING)
    (quantiplan.folder / "soft.prism").symlink_to("m.prism")
    os.link(quantiplan.folder / "m.prism", quantiplan.folder / "hard.prism")
    path = path.format(here=quantiplan.folder.name)
    before = contents(quantiplan.folder)
    assert quantiplan.fails("convert", "m.prism", path, "--const", "danger=0.1") == overwrites("OUT", path)
    assert contents(quantiplan.folder) == before


def write_tra(quantiplan, name="m.tra"):
    quantiplan("generate", "garnet", "--states", "3", "--branching", "2", "-o", name, "--quiet", code=0)


@pytest.mark.parametrize("ending", ["tra", "lab", "trew"])
def test_the_files_beside_a_tra_are_inputs_too(quantiplan, ending):
    write_tra(quantiplan)
    before = contents(quantiplan.folder)
    what = "the model" if ending == "tra" else "a file of the model"
    read = ["m.tra", "--horizon", "3"]
    for command in (["info", *read], ["frontier", *read], ["solve", *read, "--tau", "0.1"],
                    ["threshold", *read, "--target", "1"],
                    ["evaluate", *read, "--policy", "expectation"],
                    ["simulate", *read, "--policy", "expectation"]):
        assert quantiplan.fails(*command, "-o", f"m.{ending}") == overwrites("--output", f"m.{ending}", what)
    assert quantiplan.fails("convert", "m.tra", f"m.{ending}", "--to", "json") == overwrites("OUT", f"m.{ending}", what)
    assert quantiplan.fails("solve", *read, "--tau", "0.1", "--policy-out", f"m.{ending}") == overwrites(
        "--policy-out", f"m.{ending}", what)
    assert contents(quantiplan.folder) == before


def test_a_tra_is_not_written_over_files_of_the_same_name(quantiplan):
    """It writes or removes .lab, .sta, .srew and .trew beside it."""
    for ending in ("lab", "sta", "srew", "trew"):
        name = f"m.{ending}"
        quantiplan("convert", "commute.json", name, "--to", "json", code=0)
        assert quantiplan.fails("convert", name, "m.tra") == overwrites("OUT", name)
        (quantiplan.folder / name).unlink()
    write_tra(quantiplan)
    assert quantiplan.fails("convert", "m.tra", "m.tra") == overwrites("OUT", "m.tra")


def test_the_files_of_one_model_do_not_meet(quantiplan):
    assert quantiplan.fails("convert", "commute.json", "x.lab", "--to", "tra") == overwrites(
        "OUT", "x.lab", "another file of the same model")
    assert quantiplan.fails("generate", "garnet", "-o", "x.sta", "--to", "tra") == overwrites(
        "--output", "x.sta", "another file of the same model")


def test_a_redirected_standard_input_is_an_input(quantiplan):
    before = (quantiplan.folder / "commute.json").read_bytes()
    for name in ("-", "/dev/stdin"):
        for command in (["convert", name, "commute.json"], ["solve", name, "--tau", "0.1", "-o", "commute.json"]):
            with open(quantiplan.folder / "commute.json", encoding="utf-8") as file:
                done = subprocess.run(
                    [PROGRAM, *command], stdin=file, capture_output=True, encoding="utf-8",
                    cwd=quantiplan.folder, timeout=600,
                )
            assert done.returncode == 2 and "would overwrite the model" in done.stderr
    assert (quantiplan.folder / "commute.json").read_bytes() == before


def test_standard_output_is_not_appended_to_the_model(quantiplan):
    before = (quantiplan.folder / "commute.json").read_bytes()
    with open(quantiplan.folder / "commute.json", "a", encoding="utf-8") as file:
        done = quantiplan("info", "commute.json", stdout=file, code=2)
    assert done.stderr == (
        "quantiplan: --output: standard output would overwrite the model, expected another file name\n")
    assert (quantiplan.folder / "commute.json").read_bytes() == before


def test_policies_do_not_meet_inputs_reports_or_each_other(quantiplan, policy):
    quantiplan.write("p-0.1.json", COMMUTE)
    assert quantiplan.fails("solve", "p-0.1.json", "--tau", "0.1,0.5", "--policy-out", "p-{tau}.json") == overwrites(
        "--policy-out", "p-0.1.json")
    (quantiplan.folder / "q-0.1.json").write_text("old")
    (quantiplan.folder / "q-0.5.json").symlink_to("q-0.1.json")
    [line] = quantiplan.fails("solve", "commute.json", "--tau", "0.1,0.5", "--policy-out", "q-{tau}.json")
    assert line.startswith("quantiplan: --policy-out: several results would be written to 'q-0.5.json'")
    (quantiplan.folder / "sub").mkdir()
    (quantiplan.folder / "round").symlink_to("sub")
    [line] = quantiplan.fails(*SOLVE, "-o", "sub/x.json", "--policy-out", "round/x.json")
    assert line == (
        "quantiplan: --policy-out: 'round/x.json' takes the report already, expected another file name")
    with open(quantiplan.folder / "out.json", "w", encoding="utf-8") as file:
        done = quantiplan(*SOLVE, "--policy-out", "out.json", stdout=file, code=2)
    assert "'out.json' takes the report already" in done.stderr


UTILITY = '{"format": "quantiplan-utility/1", "points": [[-60, 0], [-20, 1]]}'


@pytest.mark.parametrize("name", ["u.json", "soft.json", "hard.json", "./u.json"])
@pytest.mark.parametrize("flag, command", [
    ("--output", ["solve", "commute.json", "--criterion", "utility:u.json", "-o"]),
    ("--policy-out", ["solve", "commute.json", "--criterion", "utility:u.json", "--policy-out"]),
    ("--output", ["solve", "commute.json", "--tau", "0.1", "--compare", "cvar,utility:u.json", "-o"]),
    ("--output", ["solve", "commute.json", "--tau", "0.1", "--compare", "all", "--criterion", "utility:u.json", "-o"]),
    ("--output", ["evaluate", "commute.json", "--policy", "expectation", "--utility", "u.json", "-o"]),
    ("--out", ["report", "commute.json", "--tau", "0.1", "--criterion", "cvar,utility:u.json", "--data", "--out"]),
])
def test_a_utility_is_an_input_too(quantiplan, flag, command, name):
    quantiplan.write("u.json", UTILITY)
    (quantiplan.folder / "soft.json").symlink_to("u.json")
    os.link(quantiplan.folder / "u.json", quantiplan.folder / "hard.json")
    before = contents(quantiplan.folder)
    assert quantiplan.fails(*command, name) == overwrites(flag, name, "the utility")
    assert contents(quantiplan.folder) == before


def test_a_file_of_questions_is_an_input_too(quantiplan):
    quantiplan.write("asked.props", '"q": Pmax=? [F "init"];')
    assert quantiplan.fails("solve", "commute.json", "--props", "asked.props", "-o", "asked.props") == overwrites(
        "--output", "asked.props", "the file of questions")


@pytest.mark.parametrize("out, scheduler", [("x.json", "x.json"), ("x.json", "./x.json"), ("x.tra", "x.lab"),
                                            ("-", "-")])
def test_a_chain_and_its_scheduler_do_not_meet(quantiplan, policy, out, scheduler):
    more = ["--to", "json"] if out == "-" else []
    shown = "standard output" if scheduler == "-" else f"'{scheduler}'"
    assert quantiplan.fails("convert", "commute.json", out, *more, "--policy", policy, "--scheduler", scheduler) == [
        f"quantiplan: --scheduler: {shown} takes the model that is written already, expected another file name"]
    assert not (quantiplan.folder / "x.json").exists()


@pytest.mark.parametrize("flag, command", [
    ("--criterion", ["--criterion", "utility:-"]), ("--compare", ["--tau", "0.1", "--compare", "utility:-"])])
def test_standard_input_is_read_once(quantiplan, flag, command):
    assert quantiplan.fails("solve", "-", *command, stdin=COMMUTE) == [
        f"quantiplan: {flag}: only one of MODEL and the utilities may be -"]


# Links


def test_the_file_behind_a_link_is_replaced_and_the_link_stays(quantiplan):
    (quantiplan.folder / "sub").mkdir()
    (quantiplan.folder / "sub" / "old.json").write_text("old")
    (quantiplan.folder / "sub" / "old.json").chmod(0o666)
    (quantiplan.folder / "second.json").symlink_to("sub/old.json")
    (quantiplan.folder / "first.json").symlink_to("second.json")
    quantiplan("convert", "commute.json", "first.json", code=0)
    assert os.readlink(quantiplan.folder / "first.json") == "second.json"
    assert os.readlink(quantiplan.folder / "second.json") == "sub/old.json"
    written = quantiplan.folder / "sub" / "old.json"
    assert "commute" in written.read_text()
    assert stat.S_IMODE(written.stat().st_mode) == 0o666  # whatever the umask
    assert sorted(p.name for p in (quantiplan.folder / "sub").iterdir()) == ["old.json"]


@pytest.mark.parametrize("make, why", [
    (lambda f: (f / "out.json").symlink_to("nowhere.json"),
     "it is a link to 'nowhere.json', which does not exist; expected a file, or a name that is free"),
    (lambda f: (f / "out.json").symlink_to("/no/such/folder/x.json"),
     "it is a link to '/no/such/folder/x.json', which does not exist; expected a file, or a name that is free"),
    (lambda f: (f / "out.json").symlink_to("out.json"), "it is a link that leads to itself, expected a file"),
    (lambda f: ((f / "out.json").symlink_to("b"), (f / "b").symlink_to("out.json")),
     "it is a link that leads to itself, expected a file"),
])
def test_links_that_lead_nowhere_are_refused_before_the_work_begins(quantiplan, make, why):
    make(quantiplan.folder)
    before = sorted(p.name for p in quantiplan.folder.iterdir())
    for command in (
        ["solve", "nowhere.txt", "--tau", "0.1", "-o", "out.json"],
        ["solve", "nowhere.txt", "--tau", "0.1", "--policy-out", "out.json"],
        ["convert", "nowhere.txt", "out.json"],
        ["generate", "garnet", "-o", "out.json"],
    ):
        assert quantiplan.fails(*command) == [f"out.json: cannot write: {why}"]
    assert sorted(p.name for p in quantiplan.folder.iterdir()) == before


# Devices and descriptors


def test_standard_output_by_its_name_is_written_where_it_is(quantiplan):
    """A pipe; a file, behind what stands there; a file that is appended to."""
    plain = quantiplan("info", "commute.json", code=0).stdout
    assert quantiplan("info", "commute.json", "-o", "/dev/stdout", code=0).stdout == plain
    for mode in ("w", "a"):
        with open(quantiplan.folder / "log.txt", mode, encoding="utf-8") as file:
            file.write("before\n")
            file.flush()
            quantiplan("info", "commute.json", "-o", "/dev/stdout", stdout=file, code=0)
    assert (quantiplan.folder / "log.txt").read_text() == 2 * ("before\n" + plain)


def test_a_named_pipe_is_written_to(quantiplan):
    os.mkfifo(quantiplan.folder / "pipe")
    reader = subprocess.Popen(["cat", "pipe"], cwd=quantiplan.folder, stdout=subprocess.PIPE, encoding="utf-8")
    quantiplan("info", "commute.json", "-o", "pipe", code=0)
    assert reader.communicate(timeout=600)[0] == quantiplan("info", "commute.json", code=0).stdout
    assert (quantiplan.folder / "pipe").is_fifo()


def test_names_as_long_as_names_can_be(quantiplan):
    name = "x" * 250 + ".json"
    quantiplan("convert", "commute.json", name, code=0)
    quantiplan("convert", "commute.json", name, code=0)
    assert sorted(p.name for p in quantiplan.folder.iterdir()) == ["commute.json", name]


def test_what_is_written_is_on_the_disk_before_it_has_its_name(quantiplan):
    """fsync of the file, then the rename, then fsync of the folder."""
    if subprocess.run(["which", "strace"], capture_output=True).returncode != 0:
        pytest.skip("no strace")
    done = subprocess.run(
        ["strace", "-f", "-e", "trace=fsync,rename", PROGRAM, "convert", "commute.json", "out.json"],
        cwd=quantiplan.folder, capture_output=True, encoding="utf-8", timeout=600,
    )
    if "rename(" not in done.stderr:
        pytest.skip("strace may not trace here")
    calls = [line.split("(")[0].split()[-1] for line in done.stderr.splitlines() if "(" in line]
    assert calls[calls.index("rename") - 1: calls.index("rename") + 2] == ["fsync", "rename", "fsync"]


def test_a_program_that_is_killed_while_it_writes_leaves_nothing(quantiplan):
    if subprocess.run(["which", "strace"], capture_output=True).returncode != 0:
        pytest.skip("no strace")
    try:
        os.close(os.open(quantiplan.folder, os.O_TMPFILE | os.O_WRONLY))
    except OSError:
        pytest.skip("no files without names here")
    quantiplan.write("out.json", "old")
    done = subprocess.run(
        ["strace", "-f", "-e", "trace=fsync", "-e", "inject=fsync:signal=KILL",
         PROGRAM, "convert", "commute.json", "out.json"],
        cwd=quantiplan.folder, capture_output=True, encoding="utf-8", timeout=600,
    )
    if "killed by SIGKILL" not in done.stderr:
        pytest.skip("strace may not trace here")
    assert (quantiplan.folder / "out.json").read_text() == "old"
    assert sorted(p.name for p in quantiplan.folder.iterdir()) == ["commute.json", "out.json"]


# What is optional does not lose what is there


def test_a_policy_that_cannot_be_written_does_not_lose_the_answer(quantiplan):
    done = quantiplan(*SOLVE, "--policy-out", "/dev/full", code=2)
    assert done.stderr == "/dev/full: cannot write: No space left on device\n"
    assert "tau 0.1, lower side (exact):" in done.stdout
    done = quantiplan("threshold", "commute.json", "--target", "-40", "--policy-out", "/dev/full", code=2)
    assert done.stderr == "/dev/full: cannot write: No space left on device\n"
    assert "P(W >= y)" in done.stdout or "-40" in done.stdout


def test_the_distribution_comes_without_an_expectation_to_compare_with(quantiplan):
    path = SOURCE / "examples" / "service.json"
    for extra in ([], ["--no-comparison"], ["--horizon", "4"]):
        done = quantiplan("solve", path, "--tau", "0.2", "--distribution", *extra, code=0)
        assert done.stderr == "" and "P(W = w)" in done.stdout
        answer = quantiplan.json("solve", path, "--tau", "0.2", "--distribution", *extra)
        assert answer["results"][0]["distribution"]
