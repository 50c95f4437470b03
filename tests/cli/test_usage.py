"""What the program says of itself: suggestions, short and long help, the manual page, completions."""

import os
import re
import shutil
import subprocess

import pytest

from conftest import PROGRAM

ABOUT = ["help", "version", "man", "completion"]


@pytest.mark.parametrize(
    "words, said",
    [
        (["sovle", "commute.json"], "experiment, help, version, man, completion; did you mean 'solve'?; see quantiplan --help"),
        (["solve", "commute.json", "--taus", "0.1"],
         "quantiplan: solve: found '--taus', expected an option of this command; did you mean '--tau'?; "
         "see quantiplan solve --help"),
        (["solve", "commute.json", "--taus=0.1"], "did you mean '--tau'?; see quantiplan solve --help"),
        (["generate", "garnt"], "did you mean 'garnet'?; see quantiplan generate --help"),
        (["solve", "commute.json", "--tau", "10"], "quantiplan: --tau: found 10, must be from 0 to 1; did you mean 0.1?"),
        (["solve", "commute.json", "--tau", "0,5"], "quantiplan: --tau: found 5, must be from 0 to 1; did you mean 0.5 for 0,5?"),
        (["solve", "commute.json", "--tau", "10%"], "quantiplan: --tau: found 10%, must be from 0 to 1; did you mean 0.1?"),
        (["frontier", "commute.json", "--probability", "90"],
         "quantiplan: --probability: found 90, must be from 0 to 1; did you mean 0.9?"),
        (["tradeoff", "commute.json", "--tau", "5%"], "quantiplan: --tau: found 5%, must be from 0 to 1; did you mean 0.05?"),
        (["solve", "commute.json", "--tau", "0.1", "--probability", "0.9"],
         "quantiplan: --probability: found with --tau, expected one of them"),
        (["tradeoff", "commute.json", "--tau", "0.1", "--probability", "0.9"],
         "quantiplan: --probability: found with --tau, expected one of them"),
        (["frontier", "commute.json", "--criterion", "cvar", "--probability", "0.9"],
         "quantiplan: --probability: found with --criterion, expected neither: the curve has every tau, or every lambda"),
        (["help", "slove"], "quantiplan: help: found 'slove', expected a command; did you mean 'solve'?"),
        (["completion", "csh"], "quantiplan: completion: found 'csh', expected bash, zsh or fish"),
    ],
)
def test_a_mistake_is_answered_with_what_was_meant(quantiplan, words, said):
    [line] = quantiplan.fails(*words)
    assert line.endswith(said)


def test_what_is_far_from_every_name_has_no_suggestion(quantiplan):
    [line] = quantiplan.fails("xylophone")
    assert "did you mean" not in line
    [line] = quantiplan.fails("solve", "commute.json", "--tau", "1000")
    assert line == "quantiplan: --tau: found 1000, must be from 0 to 1"


@pytest.mark.parametrize("command", ["solve", "frontier", "evaluate"])
def test_a_probability_is_one_less_tau(quantiplan, policy, command):
    more = ["--policy", policy] if command == "evaluate" else []
    found = quantiplan(command, "commute.json", *more, "--probability", "0.9,2/3", "--json", code=0).stdout
    same = quantiplan(command, "commute.json", *more, "--tau", "0.1,1/3", "--json", code=0).stdout
    without = [re.sub(r'"seconds": [-+.\de]+', "", text) for text in (found, same)]
    assert without[0] == without[1] and '"1/3"' in found


def test_the_price_of_a_probability(quantiplan):
    found = quantiplan("tradeoff", "commute.json", "--probability", "0.9", "--side", "upper", "--csv", code=0).stdout
    assert found == quantiplan("tradeoff", "commute.json", "--tau", "0.1", "--side", "upper", "--csv", code=0).stdout
    assert len(found.splitlines()) > 2


def test_help_and_version_are_commands_too(quantiplan):
    assert quantiplan("version", code=0).stdout == quantiplan("--version", code=0).stdout
    assert quantiplan("-V", code=0).stdout == quantiplan("--version", code=0).stdout
    assert quantiplan("help", code=0).stdout == quantiplan("--help", code=0).stdout
    for words in (["solve"], ["generate", "machine"]):
        assert quantiplan("help", *words, code=0).stdout == quantiplan(*words, "--help", code=0).stdout


@pytest.mark.parametrize("command", [[], ["solve"], ["evaluate"], ["generate"], ["generate", "machine"], ["experiment", "fig1"]])
def test_short_help_is_shorter_and_names_every_option(quantiplan, command):
    brief = quantiplan(*command, "-h", code=0).stdout
    full = quantiplan(*command, "--help", code=0).stdout
    if command in (["solve"], ["evaluate"]):  # others are short as they are
        assert len(brief) < 0.6 * len(full)
    assert max(map(len, brief.splitlines())) <= 88
    options = re.findall(r"^  (?:-\w,)?(--[a-z-]+)", full, re.MULTILINE)
    assert options and all(name in brief for name in options)
    assert brief.endswith(f"{' '.join(['quantiplan', *command])} --help tells all.\n")


def test_short_help_needs_no_model_and_wins_over_mistakes(quantiplan):
    brief = quantiplan("solve", "-h", code=0).stdout
    assert quantiplan("solve", "-h", "missing.json", "--tau", "x", code=0).stdout == brief


def test_the_manual_page_has_every_command_and_option(quantiplan):
    page = quantiplan("man", code=0).stdout
    assert page.startswith(".TH QUANTIPLAN 1 ")
    plain = page.replace("\\-", "-")
    for command in ["solve", "frontier", "check", *ABOUT]:
        assert f'.SS "{command}"\n' in plain
        for name in re.findall(r"^  (?:-\w,)?(--[a-z-]+)", quantiplan(command, "--help", code=0).stdout, re.MULTILINE):
            assert f"\\fB{name}\\fR" in plain
    assert '.SS "generate garnet"\n' in plain and ".SH \"EXIT STATUS\"\n" in plain
    # A line that begins with a dot is a request, and all of ours are known.
    assert set(re.findall(r"^\.(\w+)", page, re.MULTILINE)) == {"TH", "SH", "SS", "TP", "PP", "B", "I", "RI", "nf", "fi"}


def completed(quantiplan, line):
    """What bash offers for the last word of the line."""
    script = 'source <("$0" completion bash); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _quantiplan; printf "%s\\n" "${COMPREPLY[@]}"'
    done = subprocess.run(["bash", "-c", script, PROGRAM, *line.split(" ")], cwd=quantiplan.folder,
                          capture_output=True, encoding="utf-8", check=True)
    return [word for word in done.stdout.split("\n") if word]


@pytest.mark.parametrize(
    "line, words",
    [
        ("quantiplan so", ["solve"]),
        ("quantiplan generate ga", ["garnet", "gambler", "gamble"]),
        ("quantiplan solve commute.json --si", ["--side"]),
        ("quantiplan solve commute.json --side u", ["upper"]),
        ("quantiplan generate machine --lev", ["--levels"]),
        ("quantiplan solve commute.json --arithmetic ", ["auto", "double", "exact"]),
        ("quantiplan evaluate commute.json --policy comm", ["commute.json"]),
        ("quantiplan solve commute.json --engine l", ["lattice", "levels"]),
        ("quantiplan solve commute.json --reduce b", ["bisimulation"]),
        ("quantiplan completion ", ["bash", "zsh", "fish"]),
        ("quantiplan help sol", ["solve"]),
        ("quantiplan solve commute.json --tau ", []),
    ],
)
def test_bash_completes(quantiplan, line, words):
    assert completed(quantiplan, line) == words


@pytest.mark.parametrize("shell, check", [("bash", ["-n"]), ("zsh", ["-n"]), ("fish", ["--no-execute"])])
def test_completions_are_scripts_of_their_shell(quantiplan, shell, check):
    text = quantiplan("completion", shell, code=0).stdout
    for name in ["tradeoff", "garnet", "probability", "memory-limit"]:
        assert name in text
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    quantiplan.write("script", text)
    subprocess.run([shell, *check, "script"], cwd=quantiplan.folder, check=True)


@pytest.mark.parametrize("line, words", [("solve m.json --side ", ["both", "lower", "upper"]), ("completion ", ["bash", "fish", "zsh"])])
def test_fish_completes(quantiplan, line, words):
    if shutil.which("fish") is None:
        pytest.skip("fish is not installed")
    quantiplan.write("script.fish", quantiplan("completion", "fish", code=0).stdout)
    done = subprocess.run(
        ["fish", "-c", f"source script.fish; complete -C 'quantiplan {line}'"],
        cwd=quantiplan.folder, capture_output=True, encoding="utf-8", check=True,
        env={**os.environ, "HOME": str(quantiplan.folder)},
    )
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == words
