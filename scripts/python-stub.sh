#!/usr/bin/env bash
# Writes python/quantiplan/_core.pyi, the types of the extension module, with a Python that has it and nanobind:
#   scripts/python-stub.sh PYTHON
set -euo pipefail
cd "$(dirname "$0")/.."
stub=python/quantiplan/_core.pyi
"$1" -m nanobind.stubgen -q -m quantiplan._core -o "$stub"
"$1" - "$stub" << 'END'
import re, sys
text = open(sys.argv[1]).read()
text = re.sub(r"Annotated\[NDArray\[[\w.]+\], dict\(.*?\)\]", "NDArray[Any]", text.replace("(None,)", "None"))
for plain, full in (("dict", "dict[str, Any]"), ("tuple", "tuple[Any, ...]"), ("list", "list[Any]"), ("object", "Any")):
    text = re.sub(rf"\b{plain}\b(?!\[)", full, text)
text = text.replace("from typing import Annotated\n", "from typing import Any\n").replace("import numpy\n", "")
text = text.replace("NDArray[Any] | NDArray[Any] | NDArray[Any]", "NDArray[Any]")
open(sys.argv[1], "w").write("# Made by scripts/python-stub.sh.\n" + text)
END
