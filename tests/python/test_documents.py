"""Documents are run: docstrings, the tutorial, the notebooks; and the types that the package declares."""

from __future__ import annotations

import doctest
import functools
import importlib
import inspect
import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from conftest import SOURCE
from nbclient import NotebookClient

import quantiplan as qp

MODULES = sorted(
    m.name for m in pkgutil.iter_modules(qp.__path__) if not m.name.startswith("_core") and m.name != "__main__"
)
NOTEBOOKS = sorted(p.name for p in (SOURCE / "examples/notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("name", ["", *MODULES])
def test_examples_of_docstrings(name):
    module = importlib.import_module("quantiplan" + (f".{name}" if name else ""))
    found = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert found.failed == 0


def public_things():
    """Every public name of the package, and the members of its classes."""
    for name in [*qp.__all__, "gym.follow", "gym.Following"]:
        thing = functools.reduce(getattr, name.split("."), qp)
        if inspect.ismodule(thing):
            continue
        yield name, thing, True
        members = {name: found for kind in reversed(thing.__mro__) if "quantiplan" in kind.__module__
                   for name, found in vars(kind).items()} if inspect.isclass(thing) else {}
        for member, found in members.items():
            call = getattr(found, "__func__", found)
            if not member.startswith("_") and (inspect.isfunction(call) or isinstance(found, property)):
                yield f"{name}.{member}", call, inspect.isfunction(call)


def test_every_public_name_has_a_docstring_and_every_call_an_example():
    missing = []
    for name, thing, is_call in public_things():
        text = thing.__doc__ or ""
        if not text or (is_call and ">>>" not in text and not name.startswith(("Value.", "Structure.", "gym.Following."))):
            missing.append(name)
    assert missing == []


@pytest.mark.parametrize("page", ["docs/python.md", "README.md", "docs/domains.md"])
def test_pages_run_from_top_to_bottom(page, tmp_path):
    """Blocks of Python share their names; a line '# 5.0' after an expression is what it must print."""
    text = (SOURCE / page).read_text()
    scope: dict[str, object] = {}
    for block in re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for written in ("p.json", "everywhere.html"):
            block = block.replace(written, str(tmp_path / written))
        for number, line in enumerate(block.splitlines()):
            shown = re.match(r"^(\S.*?)  # = (.*)$", line)
            if shown:
                before = "\n".join(block.splitlines()[:number])
                exec(compile(before, page, "exec"), scope)
                assert repr(eval(shown[1], scope)) == shown[2], line
        exec(compile(block, page, "exec"), scope)


def texts_of(cell) -> list[str]:
    """What a cell shows, without pictures and what names them."""
    shown = [o.get("data", {}).get("text/plain", "") for o in cell.get("outputs", []) if o.output_type != "stream"]
    return [text for text in shown if not text.startswith(("<Axes", "<Figure"))]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_notebooks_run(name):
    path = SOURCE / "examples/notebooks" / name
    notebook = nbformat.read(path, as_version=4)
    assert path.stat().st_size < 200_000, "outputs are to be kept small"
    shown = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.outputs]
    assert shown and not any(o.output_type == "error" for cell in shown for o in cell.outputs)
    kept = [texts_of(cell) for cell in notebook.cells]
    client = NotebookClient(notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}})
    client.execute()
    assert [texts_of(cell) for cell in notebook.cells] == kept


def mypy(*arguments: str) -> str:
    done = subprocess.run([sys.executable, "-m", "mypy", *arguments], capture_output=True, text=True, check=False, env={**os.environ, "MYPY_CACHE_DIR": os.devnull})
    return done.stdout + done.stderr


USE = '''
from fractions import Fraction
import quantiplan as qp

m: qp.Model = qp.Model.from_arrays([[[1.0]]], [1], horizon=2, initial=0)
answer: qp.Answer = m.solve(tau=[.1, Fraction(1, 3)], side="both", threads=2, time_limit=1.5)
r: qp.Result = answer[.1]
x: float = r.quantile
low, high = r.bracket
run: qp.Run = r.policy.start()
left: Fraction | None = run.target
m.solve(tau=.1, horizn=3)
r.quantil
'''


def test_types_are_declared_for_users(tmp_path):
    (tmp_path / "use.py").write_text(USE)
    assert (Path(qp.__file__).parent / "py.typed").exists()
    found = mypy("--strict", str(tmp_path / "use.py"))
    wrong = sorted(int(line.split(":")[1]) for line in found.splitlines() if ": error:" in line)
    assert wrong == [12, 13], found


def test_the_package_itself_passes_mypy():
    found = mypy("--strict", "-p", "quantiplan")
    assert "Success" in found, found


def test_the_stub_of_the_extension_is_current():
    """Every name of the module is in the stub, and the other way round."""
    from quantiplan import _core

    stub = (Path(qp.__file__).parent / "_core.pyi").read_text()
    declared = set(re.findall(r"^(?:def|class) (\w+)", stub, re.MULTILINE))
    assert declared == {name for name in dir(_core) if not name.startswith("_")}
