"""What the documents show is what the program prints, but for the time it takes."""

import os
import pathlib
import shlex
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TRANSCRIPTS = sorted((ROOT / "examples" / "transcripts").glob("*.txt"))


def test_there_are_transcripts():
    assert [path.stem for path in TRANSCRIPTS] == [
        "commute", "datacenter", "gathering", "machine", "service", "two-games", "two-minds", "upload", "workflow",
    ]


def test_the_machine_is_what_generate_prints():
    done = subprocess.run(
        [os.environ["QUANTIPLAN"], "generate", "machine"], capture_output=True, encoding="utf-8", check=True
    )
    assert done.stdout == (ROOT / "examples" / "machine.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_a_transcript_is_what_the_program_prints(path):
    command, _, expected = path.read_text(encoding="utf-8").partition("\n")
    words = shlex.split(command.removeprefix("$ "))
    assert words[0] == "quantiplan"
    done = subprocess.run(
        [os.environ["QUANTIPLAN"], *words[1:]],
        cwd=ROOT,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    printed = [line for line in done.stdout.split("\n") if not line.startswith("Work: ")]
    assert "\n".join(printed) == expected
