"""Calls the program named by QUANTIPLAN on a model; what comes back is an exit code, a parsed report and policies."""

import os
import pathlib
import subprocess
import tempfile

from player import read

PROGRAM = os.environ["QUANTIPLAN"]


class Desk:
    """A folder with one model, and the commands that are run on it."""

    def __init__(self, model):
        self.folder = tempfile.TemporaryDirectory(prefix="nets-")
        self.path = pathlib.Path(self.folder.name)
        self.model = model
        self.write("model.json", model.json())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def write(self, name, text):
        (self.path / name).write_text(text, encoding="utf-8")
        return name

    def run(self, *args):
        """(exit code, standard output, standard error)"""
        done = subprocess.run([PROGRAM, *map(str, args)], cwd=self.path, capture_output=True, encoding="utf-8",
                              stdin=subprocess.DEVNULL, timeout=1200)
        return done.returncode, done.stdout, done.stderr

    def report(self, *args):
        """(exit code, report or None, standard error, command)"""
        code, out, err = self.run(*args, "--json")
        return code, read(out) if out else None, err, " ".join(["quantiplan", *map(str, args)])

    def take(self, pattern):
        """The files of a name pattern, by name: they are read once and removed."""
        found = {}
        for path in sorted(self.path.glob(pattern)):
            found[path.name] = path.read_text(encoding="utf-8")
            path.unlink()
        return found
