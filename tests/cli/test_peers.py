"""The model checker Storm gives the same answers, where it is installed (make bench-peers)."""

import json
import pathlib
import subprocess

import pytest
from conftest import PROGRAM, SOURCE

PYTHON = SOURCE / "build" / "venv" / "bin" / "python"


def has_stormpy():
    return PYTHON.exists() and subprocess.run([PYTHON, "-c", "import stormpy"], capture_output=True).returncode == 0


@pytest.mark.skipif(not has_stormpy(), reason="stormpy is not installed in build/venv (make bench-peers)")
def test_storm_and_quantiplan_agree(tmp_path):
    script = pathlib.Path(SOURCE) / "bench" / "python" / "storm.py"
    done = subprocess.run(
        [PYTHON, script, "--quick", "--json", "--program", pathlib.Path(PROGRAM).resolve()],
        capture_output=True,
        encoding="utf-8",
        cwd=tmp_path,
        timeout=1200,
    )
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout.strip().splitlines()[-1])["rows"]
    # A disagreement ends the script: every program was compared in all its questions.
    always = ["exploration", "quantile", "bounded"]
    coin = [*always, "unbounded", "exactly"]
    assert [row["question"] for row in rows] == [*coin, *coin, *(5 * always)]
    assert [row["states"] for row in rows if row["question"] == "bounded"] == [154, 272, 46, 66, 47, 302, 181]
