"""What goes wrong, as Python's exceptions: one class for each kind, all of them `Error`."""

from __future__ import annotations

import re
from typing import NamedTuple


class Problem(NamedTuple):
    """One thing that is wrong: where ("commute.json:7", "P[2][17]", "tau", or ""), and what was found and expected.

    >>> print(Problem("tau", "found 2, must be from 0 to 1"))
    tau: found 2, must be from 0 to 1
    """

    place: str
    message: str

    def __str__(self) -> str:
        if not self.place or self.message.startswith(self.place):
            return self.message
        return f"{self.place}: {self.message}"


class Error(Exception):
    """Base of all errors of Quantiplan. `problems` lists them: a model is read to its end, and up to 20
    problems are reported together.

    >>> import quantiplan as qp
    >>> try:
    ...     qp.Model.from_arrays([[[0.5, 0.4], [0, 1]]], [0, 1], horizon=1, initial=0)
    ... except qp.ModelError as error:
    ...     print(error.problems[0].message)
    P[0][0] sums to 0.9, must be 1
    """

    problems: list[Problem]

    def __init__(self, problems: list[Problem] | str) -> None:
        if isinstance(problems, str):
            problems = [Problem("", problems)]
        self.problems = problems
        super().__init__("\n".join(map(str, problems)))

    def __reduce__(self) -> tuple[type[Error], tuple[list[Problem]]]:
        return type(self), (self.problems,)


class NumberError(Error, ValueError):
    """A text or float that is no exact number.

    >>> import quantiplan as qp
    >>> try:
    ...     qp.read("examples/commute.json").solve(tau=float("nan"))
    ... except qp.NumberError as error:
    ...     print(error)
    tau: found nan, expected a finite number
    """


class RequestError(Error, ValueError):
    """An argument that makes no sense: a tau, a horizon, an initial state.

    >>> import quantiplan as qp
    >>> try:
    ...     qp.read("examples/commute.json").solve(tau=.1, side="left")
    ... except qp.RequestError as error:
    ...     print(error)
    side: found 'left', expected lower, upper or both
    """


class ModelError(Error, ValueError):
    """A model that cannot be read or does not describe a Markov decision process.

    >>> import quantiplan as qp
    >>> try:
    ...     qp.Model.from_arrays([[[1, 0], [0, 1]]], [0, 1, 2])
    ... except qp.ModelError as error:
    ...     print(len(error.problems))
    1
    """


class PolicyError(Error, ValueError):
    """A policy that cannot be read, does not fit the model, or has no rule for what has happened.

    >>> import quantiplan as qp
    >>> try:
    ...     qp.load_policy("examples/commute.json")
    ... except qp.PolicyError as error:
    ...     print("no model beside it")
    no model beside it
    """


class RefusedError(Error, RuntimeError):
    """Sound, but outside what can be computed exactly, or beyond the limits of memory or time.

    >>> issubclass(RefusedError, RuntimeError)
    True
    """


class FileError(Error, OSError):
    """A file that cannot be opened, read or written.

    >>> import quantiplan as qp
    >>> try:
    ...     qp.read("nowhere.json")
    ... except qp.FileError as error:
    ...     print(error.problems[0].place)
    nowhere.json
    """

    def __init__(self, problems: list[Problem] | str) -> None:
        Error.__init__(self, problems)

    def __str__(self) -> str:
        return "\n".join(map(str, self.problems))


class QuantiplanWarning(UserWarning):
    """What was mended in a model, and what had better be mended by its author.

    >>> issubclass(QuantiplanWarning, UserWarning)
    True
    """


_CLASSES = (NumberError, RequestError, ModelError, PolicyError, RefusedError, FileError)
_FLAG = re.compile(r"--([a-z][a-z-]*)(?: (\d+|[A-Z]+|lower|upper|infinite)\b)?")
_CONSTANTS = re.compile(r"--const ((?:\w+=\.\.\.,?)+)")
_VALUES = {"lower": '"lower"', "upper": '"upper"', "infinite": "math.inf"}


def in_python(text: str) -> str:
    """Options by their names here: "--round-rewards 6" is "round_rewards=6", "--horizon infinite" "horizon=math.inf"."""

    def name(match: re.Match[str]) -> str:
        word = match[1].replace("-", "_")
        return f"{word}={_VALUES.get(match[2], match[2])}" if match[2] else word

    def constants(match: re.Match[str]) -> str:
        return "const={" + ", ".join(f'"{part[:-4]}": ...' for part in match[1].split(",")) + "}"

    return _FLAG.sub(name, _CONSTANTS.sub(constants, text))


_ROW = re.compile(r"state '(\d+)', choice '(\d+)'")


def in_arrays(text: str) -> str:
    """A row as who gave arrays calls it: P[0][5], of action 0 in state 5."""
    return _ROW.sub(r"P[\2][\1]", text)


def from_library(code: int, problems: list[tuple[str, str]]) -> Error:
    """The exception for an error of the library; the extension module calls this."""
    return _CLASSES[code]([Problem(in_python(place), in_python(message)) for place, message in problems])
