"""Models and policies from files, and models made on request."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from ._errors import Problem, RequestError
from ._names import nearest
from ._numbers import Number, text_of, texts_of
from ._queries import decimals_of, setting_value, tolerance_text
from ._watch import Watch
from .model import Model
from .policy import Policy

if TYPE_CHECKING:
    from .structures import Structure


def read(
    path: str | os.PathLike[str],
    *,
    const: Mapping[str, Any] | None = None,
    reward: str | int | None = None,
    goal: Any = None,
    cost: bool | None = None,
    horizon: int | float | None = None,
    tolerance: Number | None = None,
    round_rewards: int | None = None,
    time_limit: float | None = None,
    memory_limit: str | int | None = None,
    progress: Any = None,
) -> Model:
    """A model from a file, in every format that the program reads: .json, .csv, PRISM programs, .tra, .drn.

    `goal`, `cost` and `horizon`, if they are given, become the model's own.

    >>> import quantiplan as qp
    >>> qp.read("examples/commute.json").solve(tau=.3)[.3].quantile
    -25.0
    """
    given: dict[str, Any] = {}
    if const is not None and not isinstance(const, Mapping):
        raise RequestError([Problem("const", f"found {const!r}, expected a dict of values by name")])
    if const:
        given["const"] = {name: _constant(name, value) for name, value in const.items()}
    if reward is not None:
        given["reward"] = str(reward)
    if tolerance is not None:
        given["tolerance"] = tolerance_text(tolerance)
    if round_rewards is not None:
        given["round_rewards"] = decimals_of(round_rewards)
    if time_limit is not None:
        given["time-limit"] = text_of(time_limit, "time_limit")
    if memory_limit is not None:
        given["memory-limit"] = memory_limit if isinstance(memory_limit, str) else text_of(memory_limit, "memory_limit")
    with Watch(progress) as watch:
        core = _core.read(os.fsdecode(path), given, watch)
    model = Model._made(core)
    for name, value in (("goal", goal), ("cost", cost), ("horizon", horizon)):
        if value is not None:
            model._setting[name] = setting_value(model, name, value)
    return model


def _constant(name: str, value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    return text_of(value, f"const {name}")


def generate(domain: str, **parameters: Any) -> Model:
    """A model made on request: qp.domains lists what there is, with all parameters.

    >>> import quantiplan as qp
    >>> qp.generate("machine", levels=20, discount=.95)
    <Model 'machine-20': 21 states, 60 choices, 118 outcomes, horizon 100>
    """
    if not isinstance(domain, str):
        raise RequestError([Problem("domain", f"found {domain!r}, expected a text")])
    given = {name.replace("-", "_"): value for name, value in parameters.items()}
    known = {name: [p.replace("-", "_") for p, _, _ in table] for name, _, table in _core.domains()}
    if domain not in known:
        raise RequestError([Problem("domain", f"there is no domain {domain!r}{nearest(domain, known)}")])
    wrong = [Problem(p, f"no parameter of {domain!r}{nearest(p, known[domain])}") for p in given if p not in known[domain]]
    if wrong:
        raise RequestError(wrong)
    with Watch(False) as watch:
        texts = [(name.replace("_", "-"), _parameter(name, value)) for name, value in given.items()]
        return Model(_core.generate(domain, texts, watch))


def _parameter(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple, np.ndarray)):
        return ",".join(texts_of(value, name))
    if isinstance(value, float) and math.isinf(value):
        return "infinite"
    return text_of(int(value) if isinstance(value, bool) else value, name)


def load_policy(
    path: str | os.PathLike[str], model: Model | None = None, structure: Structure | None = None
) -> Policy:
    """A policy that was saved with its model; one that the program wrote needs `model`, and one that goes by a structure
    of one's own needs that.

    >>> import quantiplan as qp, tempfile, os
    >>> r = qp.generate("gambler", goal=4, horizon=2).solve(tau=.5)[.5]
    >>> path = os.path.join(tempfile.mkdtemp(), "p.json")
    >>> r.policy.save(path)
    >>> qp.load_policy(path).kind == r.policy.kind
    True
    """
    if model is not None:
        return model.load_policy(path, structure)
    return Policy._load(os.fsdecode(path), structure)
