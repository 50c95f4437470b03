"""How a long call is watched: Ctrl-C, and progress by tqdm where somebody looks."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable
from typing import Any, Union

from ._errors import Problem, RequestError

Bracket = Union[tuple[float, float], None]
ProgressFunction = Callable[[str, float, Bracket], None]
Progress = Union[bool, ProgressFunction, None]


def progress_of(value: Any) -> Progress:
    """True, False, None or a function."""
    if value is None or isinstance(value, bool) or callable(value):
        progress: Progress = value
        return progress
    raise RequestError([Problem("progress", f"found {value!r}, expected True, False or a function")])


def is_interactive() -> bool:
    """A notebook, IPython or Python's own prompt; a script is silent."""
    return hasattr(sys, "ps1") or "IPython" in sys.modules and _in_ipython()


def _in_ipython() -> bool:
    get = getattr(sys.modules["IPython"], "get_ipython", None)
    return get is not None and get() is not None


def catches_interrupts() -> bool:
    """Whether Ctrl-C may end a call: in the main thread, unless the user has a handler of his own."""
    return (
        threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )


class _Bar:
    """A tqdm bar that appears with the first news, so that short calls show none."""

    def __init__(self) -> None:
        self._bar: Any = None
        self._phase = ""

    def __call__(self, phase: str, fraction: float, bracket: Bracket) -> None:
        if self._bar is None:
            from tqdm.auto import tqdm

            self._bar = tqdm(total=1.0, leave=False, bar_format="{desc} {percentage:3.0f}%|{bar}| {elapsed}")
        if phase != self._phase:
            self._phase = phase
            self._bar.reset()
        self._bar.set_description_str(phase if bracket is None else f"{phase} [{bracket[0]:g}, {bracket[1]:g}]")
        self._bar.n = max(fraction, 0.0)
        self._bar.refresh()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


class Watch:
    """with Watch(progress) as watch: the library's call takes `watch`."""

    def __init__(self, progress: Progress = None) -> None:
        self._bar: _Bar | None = None
        self._show: ProgressFunction | None = None
        progress = progress_of(progress)
        if callable(progress):
            self._show = progress
        elif progress or (progress is None and is_interactive()):
            try:
                import tqdm  # noqa: F401
            except ImportError:
                if progress:
                    raise
            else:
                self._bar = self._show = _Bar()

    def __enter__(self) -> tuple[bool, ProgressFunction | None]:
        return catches_interrupts(), self._show

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
