"""Help, version and documentation agree with the program, and no option goes untested."""

import pathlib
import re

import pytest

from conftest import SOURCE

COMMANDS = ["solve", "frontier", "threshold", "tradeoff", "report", "evaluate", "simulate", "explain", "info", "convert", "check", "generate",
            "experiment"]
PAGE = SOURCE / "docs" / "command-line.md"
HERE = pathlib.Path(__file__)


def flags(text):
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text))


def help_of(quantiplan, *command):
    return quantiplan(*command, "--help", code=0).stdout


def declared_flags(quantiplan, *command):
    """Flags at the beginning of a line of the help, not those that an explanation mentions."""
    text = help_of(quantiplan, *command)
    if command == ("generate",):  # what is the same for each domain; parameters are in test_generate
        text += help_of(quantiplan, "generate", "garnet").split("Output:\n")[1]
    if command == ("experiment",):  # the same for each figure
        text += help_of(quantiplan, "experiment", "fig1")
    lines = re.findall(r"^  (?:-\w,)?(--[a-z-]+)", text, re.MULTILINE)
    return set(lines) - {"--help"}


def engine_flags(quantiplan):
    """Those of the library's option_table."""
    section = help_of(quantiplan, "solve").split("How it is computed:\n")[1].split("\n\n")[0]
    found = re.findall(r"^  (--[a-z-]+)", section, re.MULTILINE)
    assert len(found) >= 7
    return set(found)


def test_version(quantiplan):
    assert re.fullmatch(r"quantiplan \d+\.\d+\.\d+\n", quantiplan("--version", code=0).stdout)


def test_help_lists_the_commands_and_exit_codes(quantiplan):
    text = help_of(quantiplan)
    commands, about = text.split("Subcommands:\n")[1].split("About the program:\n")
    assert re.findall(r"^  (\w+)  ", commands, re.MULTILINE) == COMMANDS
    assert re.findall(r"^  (\w+)  ", about, re.MULTILINE) == ["help", "version", "man", "completion"]
    assert "Exit codes: 0 solved, 1 ended early" in text


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_examples_that_fits_a_terminal(quantiplan, command):
    text = help_of(quantiplan, command)
    assert f"Usage: quantiplan {command} [OPTIONS]" in text
    assert f"Examples:\n  quantiplan {command} " in text
    assert max(map(len, text.splitlines())) <= 80


def test_every_engine_option_works_with_every_command_that_computes(quantiplan):
    engine = engine_flags(quantiplan)
    for command in ["frontier", "threshold", "tradeoff", "report", "evaluate", "simulate", "explain", "check"]:
        assert engine <= declared_flags(quantiplan, command), command


def test_every_setting_option_works_with_every_command_that_has_a_horizon(quantiplan):
    setting = {"--horizon", "--initial", "--discount", "--goal", "--cost", "--adversarial"}
    for command in ["solve", "frontier", "threshold", "tradeoff", "report", "evaluate", "simulate", "explain", "info"]:
        assert setting <= declared_flags(quantiplan, command), command


def test_every_option_of_every_command_occurs_in_the_tests(quantiplan):
    tests = "".join(p.read_text() for p in HERE.parent.glob("test_*.py") if p != HERE)
    for command in COMMANDS:
        assert declared_flags(quantiplan, command) - flags(tests) == set(), command


def sections():
    """The text below each heading of the page, without code blocks."""
    text = re.sub(r"^```.*?^```", "", PAGE.read_text(), flags=re.DOTALL | re.MULTILINE)
    parts = re.split(r"^## (.*)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


@pytest.mark.parametrize("command", COMMANDS)
def test_the_page_lists_the_options_of_each_command(quantiplan, command):
    assert flags(sections()[f"quantiplan {command}"]) == declared_flags(quantiplan, command)


def test_the_page_explains_each_option_in_a_table(quantiplan):
    explained = set()
    for row in re.findall(r"^\| (`-.*?) \|", PAGE.read_text(), re.MULTILINE):
        explained |= flags(row)
    for command in COMMANDS:
        assert declared_flags(quantiplan, command) - explained == set(), command


def transcripts():
    """(command, output) of each console block of the page."""
    for block in re.findall(r"^```console\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


COUNTS = "seconds|backups|breakpoints|peak_bytes|multiply_adds|passes|exact_nodes|levels|model_bytes|bytes_per_outcome"


def without_work(text):
    """What it cost is no promise: it may change with every release."""
    text = re.sub(rf'"({COUNTS}|estimated_bytes)": [-+.\de]+', r'"\1": ...', text)
    return re.sub(r"^(Work:|memory ) .*$", r"\1 ...", text, flags=re.MULTILINE)


def test_the_transcripts_of_the_page_are_what_the_program_prints(quantiplan, policy):
    (quantiplan.folder / "examples").symlink_to(SOURCE / "examples")
    met = set()
    for command, output in transcripts():
        program, *args = command.split()
        assert program == "quantiplan"
        met.add(args[0])
        done = quantiplan(*args, env={"LC_ALL": "C.UTF-8"}, code=0)
        assert without_work(done.stdout) == without_work(output), command
    assert met == set(COMMANDS)
