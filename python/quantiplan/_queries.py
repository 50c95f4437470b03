"""Arguments that several calls share: the setting, how it is computed, and what is asked."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypedDict

from . import _core
from ._errors import Problem, RequestError
from ._numbers import Number, text_of, texts_of
from ._watch import Progress

if TYPE_CHECKING:
    from .model import Model
    from .structures import Structure


class Computing(TypedDict, total=False):
    """How it is computed; none of these changes what the answer means."""

    engine: str
    epsilon: Number
    arithmetic: str
    representation: str
    reduce: str
    kernel: str
    threads: int
    memory_limit: str | int
    time_limit: float
    check: bool
    progress: Progress


class Asking(Computing, total=False):
    """The setting, where it is not the model's."""

    horizon: int | float | str
    discount: Number
    initial: Hashable
    goal: Hashable | Iterable[Hashable]
    cost: bool
    adversarial: bool
    structure: Structure


_SETTING = ("horizon", "discount", "initial", "goal", "cost", "adversarial", "structure")
_OPTIONS = tuple(name.replace("-", "_") for name, _ in _core.option_names())
_CHOICES: dict[str, tuple[str, ...]] = {
    "side": ("lower", "upper", "both"),
    "prefer": ("auto", "mean", "probability", "classes"),
}


def one_of(value: str, what: str) -> str:
    """The value, if it is one of those there are."""
    if value not in _CHOICES[what]:
        *most, last = _CHOICES[what]
        raise RequestError([Problem(what, f"found {value!r}, expected {', '.join(most)} or {last}")])
    return value


def horizon_of(value: Any) -> int:
    """Steps; -1 for an infinite horizon: math.inf or "infinite"."""
    if value == "infinite" or (isinstance(value, float) and math.isinf(value) and value > 0):
        return -1
    try:
        steps = int(value)
        whole = steps == value and steps >= 1
    except (TypeError, ValueError, OverflowError):
        whole = False
    if not whole:
        raise RequestError(
            [Problem("horizon", f"found {value!r}, expected a whole number of steps, or math.inf for no end")]
        )
    return steps


def split(model: Model, given: Any) -> tuple[dict[str, Any], dict[str, Any], Progress]:
    """The setting, the options, and how progress is shown."""
    setting: dict[str, Any] = dict(model._setting)
    options: dict[str, Any] = {}
    progress: Progress = None
    for name, value in given.items():
        if name == "progress":
            progress = value
        elif value is None:
            continue
        elif name in _SETTING:
            setting[name] = setting_value(model, name, value)
        elif name == "check":
            options["check"] = bool(value)
        elif name == "exact":
            if value:
                options["arithmetic"] = "exact"
        elif name in _OPTIONS:
            options[name.replace("_", "-")] = value if isinstance(value, str) else text_of(value, name)
        else:
            known = (*_SETTING, *_OPTIONS, "progress")
            near = difflib.get_close_matches(name, known, 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise TypeError(f"unexpected keyword argument {name!r}{hint}")
    return setting, options, progress


def initial_value(given: Any, name_of: Callable[[Any], str]) -> str | dict[str, str]:
    """The name of the initial state, or the probabilities of several: {"a": "1/2", "b": "1/2"}."""
    if isinstance(given, Mapping):
        return {name_of(state): text_of(probability, "initial") for state, probability in given.items()}
    return name_of(given)


def setting_value(model: Model, name: str, value: Any) -> Any:
    if name == "horizon":
        return horizon_of(value)
    if name == "discount":
        return text_of(value, "discount")
    if name == "initial":
        return initial_value(value, model._state_name)
    if name == "goal":
        return model._goal_names(value)
    if name == "structure":
        return model._structure(value)
    return bool(value)


def taus_of(tau: Any, probability: Any, usual: list[str] | None = None) -> list[str]:
    """The taus, given as such or as what is to be promised: tau = 1 - probability."""
    if tau is not None and probability is not None:
        raise RequestError([Problem("probability", "found together with tau, expected one of them")])
    if probability is not None:
        from ._numbers import exact

        texts = texts_of(probability, "probability")
        return [text_of(1 - exact(text, "probability")) for text in texts]
    if tau is None:
        if usual is None:
            raise RequestError([Problem("tau", "found none, expected tau=.1 or probability=.9")])
        return usual
    return texts_of(tau, "tau")
