"""Pictures, by matplotlib where it is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._numbers import shown

if TYPE_CHECKING:
    from .criteria import CriterionCurve
    from .curves import Frontier, Tradeoff
    from .distribution import Distribution
    from .results import Result


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots()[1]


def _steps(ax: Any, levels: Any, promises: Any, cost: bool, **style: Any) -> None:
    """P(W >= w) as steps, of costs P(C <= c), drawn a little beyond both ends: a single level is a step, too."""
    finite = np.isfinite(levels)
    levels, promises = np.asarray(levels, dtype=float)[finite], np.asarray(promises, dtype=float)[finite]
    if len(levels) == 0:
        return
    margin = 0.04 * (levels[-1] - levels[0]) or max(0.04 * abs(levels[0]), 0.04)
    x = np.concatenate([[levels[0] - margin], levels, [levels[-1] + margin]])
    ends = (0, promises[-1]) if cost else (promises[0], 0)
    ax.step(x, np.concatenate([[ends[0]], promises, [ends[1]]]), where="post" if cost else "pre", **style)


def _name_classes(ax: Any, classes: list[str]) -> None:
    """Their names stand slanted, for they are long, and of many only some: all would lie upon each other."""
    each = -(-len(classes) // 24)
    at = range(0, len(classes), each)
    ax.set_xticks([1 + i for i in at], [classes[i] for i in at], rotation=45, ha="right", rotation_mode="anchor")
    ax.set_xlabel("class")


def distribution(law: Distribution, ax: Any = None, **style: Any) -> Any:
    ax = _axes(ax)
    cost = bool(law._core.cost)
    levels = np.arange(1, len(law) + 1) if law.classes else law.levels
    shares = law.probabilities
    _steps(ax, levels, np.cumsum(shares) if cost else np.cumsum(shares[::-1])[::-1], cost, **style)
    ax.set_xlabel("cost" if cost else "total reward")
    if law.classes:
        _name_classes(ax, law.classes)
    ax.set_ylabel("P(at most this)" if cost else "P(at least this)")
    ax.set_ylim(0, 1.02)
    return ax


def result(found: Result, ax: Any = None, **style: Any) -> Any:
    by_quantile = found.criterion == "quantile"
    tau = found._fields["tau"]
    what = "best" if by_quantile else f"best {found.criterion}"
    style.setdefault("label", what if tau is None else f"{what} for tau = {float(tau):g}")
    ax = distribution(found.distribution, ax, **style)
    low, high = found.bracket
    if found.criterion.kind != "utility":
        if low < high:
            ax.axvspan(low, high, alpha=0.2)
        classes = found.distribution.classes
        if classes and found.level in classes:
            ax.axvline(1 + classes.index(str(found.level)), linestyle=":", color="gray")
        elif np.isfinite(found.value) and not classes:
            ax.axvline(found.value, linestyle=":", color="gray")
    if by_quantile:
        ax.axhline(1 - float(found.tau), linestyle=":", color="gray")
    ax.legend()
    return ax


def frontier(curve: Frontier, ax: Any = None, **style: Any) -> Any:
    ax = _axes(ax)
    levels = np.arange(1, len(curve) + 1) if curve.classes else curve.levels
    _steps(ax, levels, curve.probabilities, curve.cost, **style)
    if len(curve.upper_levels):
        _steps(ax, curve.upper_levels, curve.upper_probabilities, curve.cost, alpha=0.5)
    ax.set_xlabel("cost" if curve.cost else "total reward")
    if curve.classes:
        _name_classes(ax, [shown(level) for level in curve.classes])
    ax.set_ylabel("greatest P(at most this)" if curve.cost else "greatest P(at least this)")
    ax.set_ylim(0, 1.02)
    return ax


def tradeoff(curve: Tradeoff, ax: Any = None, **style: Any) -> Any:
    ax = _axes(ax)
    x = [point.level if curve.by == "level" else float(point.probability) for point in curve.points]
    ax.plot(x, [float(point.mean) for point in curve.points], marker=".", **style)
    ax.set_xlabel("promised level" if curve.by == "level" else "P(promise kept)")
    ax.set_ylabel("mean")
    return ax


def criterion_curve(curve: CriterionCurve, ax: Any = None, **style: Any) -> Any:
    ax = _axes(ax)
    if curve.criterion == "mean-variance":
        ax.plot(curve.variances**0.5, curve.means, marker=".", **style)
        ax.set_xlabel("standard deviation")
        ax.set_ylabel("mean")
        return ax
    ax.plot(curve.taus, curve.values, marker=".", **style)
    ax.set_xlabel("tau")
    ax.set_ylabel(f"greatest {curve.criterion}")
    return ax


__all__ = ["criterion_curve", "distribution", "frontier", "result", "tradeoff"]
