"""Arguments that several calls share: the setting, how it is computed, and what is asked."""

from __future__ import annotations

import difflib
import math
import numbers
import os
import warnings
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from . import _core
from ._errors import Problem, QuantiplanWarning, RequestError
from ._numbers import Number, exact, text_of, texts_of
from ._watch import Progress, progress_of

if TYPE_CHECKING:
    from ._model_core import ModelCore
    from .structures import Structure


class Computing(TypedDict, total=False):
    """How it is computed; none of these changes what the answer means."""

    engine: str
    epsilon: Number
    arithmetic: str
    representation: str
    reduce: str
    kernel: str
    backend: str
    threads: int
    memory_limit: str | int
    time_limit: float
    checkpoint: str | os.PathLike[str]
    checkpoint_every: float
    resume: bool
    check: bool
    progress: Progress


class Asking(Computing, total=False):
    """The setting, where it is not the model's."""

    horizon: int | float | str
    discount: Number
    initial: Any
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


def flag(value: Any, what: str) -> bool:
    """True or False, and nothing that merely counts as such."""
    if not isinstance(value, (bool, np.bool_)):
        raise RequestError([Problem(what, f"found {value!r}, expected True or False")])
    return bool(value)


def whole(value: Any, what: str, least: int, most: int = 2**64 - 1) -> int:
    """A whole number in a range."""
    if isinstance(value, (numbers.Integral, np.integer)) and not isinstance(value, (bool, np.bool_)):
        if least <= int(value) <= most:
            return int(value)
    limit = "2^64 - 1" if most == 2**64 - 1 else str(most)
    raise RequestError([Problem(what, f"found {value!r}, expected a whole number from {least} to {limit}")])


def decimals_of(value: Any) -> int:
    """How many decimals rewards are rounded to."""
    return whole(value, "round_rewards", 0, 2**32 - 1)


def tolerance_text(value: Any) -> str:
    """How far from 1 probabilities may sum."""
    text = text_of(value, "tolerance")
    if not 0 <= exact(text, "tolerance") < 1:
        raise RequestError([Problem("tolerance", f"found {value!r}, expected at least 0 and less than 1")])
    return text


def horizon_of(value: Any) -> int:
    """Steps; -1 for an infinite horizon: math.inf or "infinite"."""
    if value == "infinite" or (isinstance(value, float) and math.isinf(value) and value > 0):
        return -1
    try:
        steps = int(value)
        is_whole = steps == value and 1 <= steps < 2**63 and not isinstance(value, (bool, np.bool_))
    except (TypeError, ValueError, OverflowError):
        is_whole = False
    if not is_whole:
        raise RequestError(
            [Problem("horizon", f"found {value!r}, expected a whole number of steps from 1, or math.inf for no end")]
        )
    return steps


def computing_of(given: Any) -> tuple[dict[str, Any], Progress]:
    """The options, and how progress is shown, where there is no setting to be said."""
    _, options, progress = _split(None, given)
    return options, progress


def split(model: ModelCore, given: Any, *, several: bool = False) -> tuple[dict[str, Any], dict[str, Any], Progress]:
    """The setting, the options, and how progress is shown. `several`: initial states that are questions of their own
    are welcome."""
    found = _split(model, given)
    starts = found[0].get("initial")
    if isinstance(starts, list) and not several:
        raise RequestError([Problem("initial", f"found {len(starts)} states, expected one here")])
    return found


def _split(model: ModelCore | None, given: Any) -> tuple[dict[str, Any], dict[str, Any], Progress]:
    setting: dict[str, Any] = {} if model is None else dict(model._setting)
    options: dict[str, Any] = {}
    progress: Progress = None
    for name, value in given.items():
        if name == "progress":
            progress = progress_of(value)
        elif value is None:
            continue
        elif name in _SETTING and model is not None:
            setting[name] = setting_value(model, name, value)
        elif name == "check":
            options["check"] = flag(value, "check")
        elif name == "exact":
            if flag(value, "exact"):
                options["arithmetic"] = "exact"
        elif name == "resume":
            options[name] = "true" if flag(value, name) else "false"
        elif name == "checkpoint":
            options[name] = os.fsdecode(value)
        elif name in _OPTIONS:
            options[name.replace("_", "-")] = value if isinstance(value, str) else text_of(value, name)
        else:
            known = (*_SETTING, *_OPTIONS, "progress")
            near = difflib.get_close_matches(name, known, 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise TypeError(f"unexpected keyword argument {name!r}{hint}")
    return setting, options, progress


def require_some(initial: Any) -> None:
    """A set or a dict of states is not empty."""
    if len(initial) == 0:
        kind = "dict" if isinstance(initial, Mapping) else "set"
        raise RequestError([Problem("initial", f"found an empty {kind}, expected at least one state")])


def _unpacked(given: Any) -> Any:
    """A series of pandas as a dict by its index, others and sparse vectors as an array."""
    if hasattr(given, "to_dict") and hasattr(given, "index"):
        return given.to_dict()
    if hasattr(given, "toarray"):
        return given.toarray().ravel()
    if hasattr(given, "to_numpy") and hasattr(given, "__len__"):
        return given.to_numpy()
    return given


def is_distribution(given: Any) -> bool:
    """A dict by state, or a list or an array over all states."""
    return isinstance(given, (Mapping, list)) or (isinstance(given, np.ndarray) and given.ndim > 0)


def initial_value(
    given: Any, name_of: Callable[[Any], str], names: Callable[[], Sequence[str]] | None = None
) -> str | dict[str, str]:
    """The name of the initial state, or the probabilities of several: {"a": "1/2", "b": "1/2"}, or a list or an array
    over all states, whose `names` are in their order."""
    given = _unpacked(given)
    if isinstance(given, Mapping):
        require_some(given)
        return {name_of(state): text_of(probability, "initial") for state, probability in given.items()}
    if not is_distribution(given):
        return name_of(given)
    if names is None:
        raise RequestError(
            [Problem("initial", "found a list of probabilities, expected a dict by state, or states= for their order")]
        )
    known = names()
    values = list(given)
    if len(values) != len(known) or np.ndim(given) != 1:
        raise RequestError(
            [Problem("initial", f"found probabilities of the shape {np.shape(given)}, expected one for each of {len(known)} states")]
        )
    return {name: text_of(p, "initial") for name, p in zip(known, values) if p != 0}


def starts_of(model: ModelCore, setting: dict[str, Any]) -> list[str]:
    """The initial states to answer for one by one: a set of them, those that a label or a condition describes, or all
    of a model that has several and no probabilities. Empty: there is one question."""
    given = setting.get("initial")
    if isinstance(given, list):
        del setting["initial"]
        return given
    return model._core.possible_initial if given is None else []


def _described(model: ModelCore, text: str) -> list[str]:
    """Names of the states that a text describes without naming one; of a model with several initial states, those
    among them."""
    if model._core.find_state(text) is not None:
        return []
    if not any(sign in text for sign in '=<>&|!"') and text not in model._core.labels:
        return []
    names = model._core.states_where(text, "--initial")
    among = [name for name in model._core.possible_initial if name in set(names)]
    if not names:
        raise RequestError([Problem("initial", f"found {text!r}, expected what holds in at least one state")])
    return among or names


def initial_setting(model: ModelCore, given: Any) -> str | dict[str, str] | list[str]:
    """One state, probabilities of several, or a list of those that are questions of their own."""
    if isinstance(given, (set, frozenset)):
        require_some(given)
        several = sorted({model._state_index(state) for state in given})
        return [model._core.state_name(index) for index in several]
    if isinstance(given, str):
        described = _described(model, given)
        if described:
            return described[0] if len(described) == 1 else described
    return normalised_initial(initial_value(given, model._state_name, model._names), model._core.tolerance)


def normalised_initial(initial: str | dict[str, str], tolerance: Fraction) -> str | dict[str, str]:
    """Probabilities that sum to 1 within the tolerance, divided by their sum, with a warning: as the library does it to
    those of a model."""
    if isinstance(initial, str):
        return initial
    shares = {name: exact(text, "initial") for name, text in initial.items()}
    total = sum(shares.values(), Fraction(0))
    if total == 1 or abs(total - 1) > tolerance or any(share < 0 for share in shares.values()):
        return initial
    warnings.warn(
        f"initial: probabilities sum to {float(total)!r}, normalised to 1", QuantiplanWarning, stacklevel=7
    )
    return {name: text_of(share / total) for name, share in shares.items()}


def setting_value(model: ModelCore, name: str, value: Any) -> Any:
    if name == "horizon":
        return horizon_of(value)
    if name == "discount":
        return text_of(value, "discount")
    if name == "initial":
        return initial_setting(model, value)
    if name == "goal":
        return model._goal_names(value)
    if name == "structure":
        return model._structure(value)
    return flag(value, name)


# Of a frontier, as in the program.
USUAL_TAUS = ("0.01", "0.05", "0.1", "0.25", "0.5", "0.75", "0.9", "0.95", "0.99")


def one_tau(taus: list[str]) -> str:
    if len(taus) != 1:
        raise RequestError([Problem("tau", f"found {len(taus)} of them, expected one")])
    return taus[0]


def share_of(value: Any, what: str) -> str:
    """The text of a number from 0 to 1."""
    text = text_of(value, what)
    if not 0 <= exact(text, what) <= 1:
        raise RequestError([Problem(what, f"found {value!r}, expected a part, from 0 to 1")])
    return text


def taus_of(tau: Any, probability: Any, usual: list[str] | None = None) -> list[str]:
    """The taus, given as such or as what is to be promised: tau = 1 - probability."""
    if tau is not None and probability is not None:
        raise RequestError([Problem("probability", "found together with tau, expected one of them")])
    if probability is not None:
        texts = texts_of(probability, "probability")
        return [text_of(1 - exact(text, "probability")) for text in texts]
    if tau is None:
        if usual is None:
            raise RequestError([Problem("tau", "found none, expected tau=.1 or probability=.9")])
        return usual
    return texts_of(tau, "tau")
