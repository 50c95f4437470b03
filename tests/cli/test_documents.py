"""Every command that the documents show runs as it is pasted, from the root."""

import os
import re
import shlex
import shutil
import subprocess

import pytest

from conftest import PROGRAM, SOURCE

PAGES = [SOURCE / "README.md", *sorted((SOURCE / "docs").glob("*.md"))]
# Whole words that stand for what a user has: a synopsis is no command.
SYNOPSIS = re.compile(r"\b(COMMAND|MODEL|POLICY|IN|OUT|FILE)\b|quantiplan: ")
COMMAND = re.compile(r"(\$ )?(\$?quantiplan[ =]|build/release/quantiplan |source <\(quantiplan |mkdir -p ~)")
# Half an hour and more: that they are understood is enough.
LONG = re.compile(r"quantiplan experiment fig\d")


def lines_of(page):
    """In code blocks, fenced or indented; the commands among them as a shell reads them."""
    text = page.read_text(encoding="utf-8")
    fenced = re.findall(r"^```(\w*)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    blocks = [block for language, block in fenced if language in ("", "sh", "console", "txt")]
    plain = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    indented = re.findall(r"^    (.*)$", plain, re.MULTILINE)
    for line in [line for block in blocks for line in block.splitlines()] + indented:
        if COMMAND.match(line) and not SYNOPSIS.search(line):
            yield line.removeprefix("$ ")


def commands():
    for page in PAGES:
        found = list(lines_of(page))
        if found:
            yield pytest.param(found, id=page.name)


def test_the_documents_show_commands():
    assert sum(len(list(lines_of(page))) for page in PAGES) >= 60


@pytest.mark.parametrize("lines", commands())
def test_the_commands_of_a_page_run_one_after_another(tmp_path, lines):
    for folder in ("bin", "build/release", "home"):
        (tmp_path / folder).mkdir(parents=True)
    for place in ("bin/quantiplan", "build/release/quantiplan"):
        (tmp_path / place).symlink_to(PROGRAM)
    has_man = shutil.which("man") is not None and b"man" in subprocess.run(["man", "--version"], capture_output=True).stdout
    page = subprocess.run([PROGRAM, "report", SOURCE / "examples" / "commute.json", "--out", tmp_path / "page.html"],
                          capture_output=True)
    script = ["set -euo pipefail"]
    for line in lines:
        if "man -l" in line and not has_man:
            continue
        if LONG.match(line) or (line.startswith("quantiplan report") and b"without the page" in page.stderr):
            line = line.split("#")[0] + " -h"
        script += [f"echo {shlex.quote(line)} >> ../ran", line]
    work = tmp_path / "work"
    work.mkdir()
    (work / "examples").symlink_to(SOURCE / "examples")
    (work / "build").symlink_to(tmp_path / "build")
    env = {**os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}", "HOME": str(tmp_path / "home"),
           "LC_ALL": "C.UTF-8", "MANPAGER": "cat", "PAGER": "cat"}
    # What a page takes for granted is the policy of its first example.
    subprocess.run([PROGRAM, "solve", "examples/commute.json", "--tau", "0.1", "--side", "upper", "--policy-out", "policy.json"],
                   cwd=work, env=env, check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run(["bash", "-c", "\n".join(script)], cwd=work, env=env, capture_output=True, encoding="utf-8")
    last = (tmp_path / "ran").read_text().splitlines()[-1]
    assert done.returncode == 0, (last, done.stderr)
