#!/usr/bin/env python3
"""Holds the sources to what no compiler checks; prints each breach and fails if there is one.

    layers   an include of src/ names its folder, and src/layers.txt allows it
    names    no type is defined twice in a namespace (the one-definition rule)
    sizes    no file of src/, cli/ and of the package for Python beyond 400 lines, no folder beyond 30 files
    headers  quantiplan/quantiplan.hpp includes every public header
"""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MOST_LINES = 400
MOST_FILES = 30


# Where the Python of the project is held to the sizes.
PYTHON = ("python", "scripts", "bench", "tests/python")
# Needs what a plain build does not have.
OPTIONAL_HEADERS = {"mpi.hpp"}


def sources(*folders, endings=("*.?pp",)):
    for folder in folders:
        for path in sorted(path for ending in endings for path in (ROOT / folder).rglob(ending)):
            yield path, path.relative_to(ROOT)


def read_layers():
    """Folder -> the folders it may include; a folder is listed after all of them."""
    layers = {}
    for line in (ROOT / "src/layers.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        folder, *seen = line.split()
        unknown = [name for name in seen if name not in layers]
        if unknown:
            sys.exit(f"src/layers.txt: {folder} sees {', '.join(unknown)}, expected folders above it")
        layers[folder] = set(seen)
    return layers


def layer_breaches():
    layers = read_layers()
    headers = {str(path.relative_to(ROOT / "src")) for path, _ in sources("src")}
    for path, name in sources("src"):
        folder = str(path.parent.relative_to(ROOT / "src"))
        if folder not in layers:
            yield f"{name}: the folder is not in src/layers.txt"
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            found = re.match(r'#include "([^"]+)"', line)
            if not found or found[1].startswith("quantiplan/") or found[1] == "version.hpp":
                continue
            if found[1] not in headers:
                yield f"{name}:{number}: found {found[1]}, expected a header with its folder below src/"
                continue
            other = found[1].rpartition("/")[0]
            if other != folder and other not in layers[folder]:
                yield f"{name}:{number}: {folder} may not include {found[1]} (src/layers.txt)"


DEFINITION = re.compile(
    r"^(?:template <[^;{]*>\s*)?(?:struct|class|enum(?: class)?)\s+(\w+)(?: final)?\s*(?::(?!:)[^;{]*)?\{", re.M
)


def named_parts(text):
    """(namespace, text) of what stands in named namespaces; what is anonymous belongs to its file."""
    parts, stack, begin = [], [], 0
    for found in re.finditer(r"^(?:namespace ([\w:]*) ?\{|\}  // namespace.*)$", text, re.M):
        inside = "::".join(filter(None, stack))
        if stack and "" not in stack:
            parts.append((inside, text[begin:found.start()]))
        if found[0].startswith("}"):
            if stack:
                stack.pop()
        else:
            stack.append(found[1])
        begin = found.end()
    return parts


def name_breaches():
    defined = collections.defaultdict(list)
    for path, name in sources("include", "src", "cli"):
        for namespace, text in named_parts(path.read_text()):
            for found in DEFINITION.finditer(text):
                if "template <>" not in found[0]:
                    defined[f"{namespace}::{found[1]}"].append(str(name))
    for name, places in sorted(defined.items()):
        if len(set(places)) > 1:
            yield f"{name} is defined in {' and in '.join(sorted(set(places)))}"


def size_breaches():
    files = collections.Counter()
    for path, name in [*sources("src", "cli", "python/bindings"), *sources(*PYTHON, endings=("*.py",))]:
        files[str(name.parent)] += 1
        lines = len(path.read_text().splitlines())
        if lines > MOST_LINES:
            yield f"{name}: {lines} lines, expected at most {MOST_LINES}"
    for folder, count in sorted(files.items()):
        if count > MOST_FILES:
            yield f"{folder}: {count} files, expected at most {MOST_FILES}"


def header_breaches():
    all_of_them = ROOT / "include/quantiplan/quantiplan.hpp"
    named = set(re.findall(r'#include "quantiplan/([^"]+)"', all_of_them.read_text()))
    headers = {path.name for path in all_of_them.parent.glob("*.hpp")} - {all_of_them.name} - OPTIONAL_HEADERS
    for missing in sorted(headers - named):
        yield f"include/quantiplan/quantiplan.hpp: {missing} is missing, expected every public header"


def main():
    breaches = [*layer_breaches(), *name_breaches(), *size_breaches(), *header_breaches()]
    for breach in breaches:
        print(breach, file=sys.stderr)
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
