"""Models made on request, a function each, with all parameters by name: `qp.domains.machine(levels=20)`.

`help(qp.domains.machine)` lists the parameters; docs/domains.md says what they mean. Made from the library's own
table, so that this module offers what `quantiplan generate` does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from . import _core
from ._names import nearest
from .reading import generate

if TYPE_CHECKING:
    from .model import Model


def _maker(name: str, help: str, parameters: list[tuple[str, str, str]]) -> Callable[..., Model]:
    def make(**given: Any) -> Model:
        return generate(name, **given)

    lines = [f"    {p.replace('-', '_')} ({usual}): {text}" for p, text, usual in parameters]
    make.__name__ = make.__qualname__ = name.replace("-", "_")
    make.__doc__ = f"{help}.\n\nParameters, with their usual values:\n\n" + "\n".join(lines)
    return make


def names() -> list[str]:
    """What there is."""
    return [name for name, _, _ in _core.domains()]


_makers = {name.replace("-", "_"): _maker(name, help, parameters) for name, help, parameters in _core.domains()}
globals().update(_makers)
__all__ = ["names", *_makers]  # pyright: ignore


def __dir__() -> list[str]:
    return list(__all__)


def __getattr__(name: str) -> Callable[..., Model]:
    raise AttributeError(f"there is no domain {name!r}{nearest(name, names())}")
