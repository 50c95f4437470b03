"""Colours on a terminal, and nowhere else."""

import os
import pty
import re
import subprocess

import pytest

from conftest import PROGRAM

SOLVE = ["solve", "commute.json", "--tau", "0.1", "--side", "upper", "-q"]


def on_terminal(quantiplan, *args, **env):
    """What the program writes to a terminal, as it stands, with LF."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([PROGRAM, *args], cwd=quantiplan.folder, stdin=theirs, stdout=theirs, stderr=theirs,
                          env={**quantiplan.env, "TERM": "xterm", "LC_ALL": "C.UTF-8", **env}) as running:
        os.close(theirs)
        written = b""
        while True:
            try:
                block = os.read(ours, 65536)
            except OSError:  # nobody writes any more
                break
            if not block:
                break
            written += block
        running.wait()
    os.close(ours)
    return written.decode().replace("\r\n", "\n")


def plain(text):
    return re.sub(r"\x1b\[[0-9;]*[mK]", "", text).replace("\r", "")


def without_work(text):
    return re.sub(r"^Work: .*$", "", text, flags=re.MULTILINE)


def test_a_terminal_has_colours_and_the_same_words(quantiplan):
    shown = on_terminal(quantiplan, *SOLVE, "--distribution")
    assert "\x1b[32m(exact)\x1b[0m" in shown  # green
    assert "\x1b[36m█" in shown  # bars
    assert "\x1b[2mEngine: " in shown  # dim
    piped = quantiplan(*SOLVE, "--distribution", env={"LC_ALL": "C.UTF-8", "TERM": "xterm"}, code=0).stdout
    assert "\x1b" not in piped
    assert without_work(plain(shown)) == without_work(piped)


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colours_can_be_switched_off(quantiplan, env):
    assert "\x1b" not in on_terminal(quantiplan, *SOLVE, **env)
    assert "\x1b" not in on_terminal(quantiplan, "solve", "missing.json", "--tau", "0.1", **env)


def test_an_empty_no_color_is_none(quantiplan):
    assert "\x1b[32m" in on_terminal(quantiplan, *SOLVE, NO_COLOR="")


def test_data_has_no_colours(quantiplan):
    assert "\x1b" not in on_terminal(quantiplan, *SOLVE, "--json")


def test_errors_begin_in_red(quantiplan):
    assert on_terminal(quantiplan, "solve", "missing.json", "--tau", "0.1").startswith("\x1b[1m\x1b[31mmissing.json:\x1b[0m")
