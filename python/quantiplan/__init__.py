"""Quantile-optimal policies of Markov decision processes, exactly.

>>> import quantiplan as qp
>>> m = qp.read("examples/commute.json")
>>> r = m.solve(tau=.3)[.3]
>>> r.quantile, r.probability.exact, r.policy.start().act("home")
(-25.0, Fraction(18, 25), 'train')

Models come from arrays, data frames, Gymnasium environments and files; answers carry certificates and policies that
run. docs/python.md is the tutorial.
"""

from . import domains, gym
from ._core import version as _version
from ._errors import (
    Error,
    FileError,
    ModelError,
    NumberError,
    PolicyError,
    Problem,
    QuantiplanWarning,
    RefusedError,
    RequestError,
)
from ._numbers import Value
from .answers import Answer
from .attitudes import AttitudeResult, Attitudes
from .by_state import AnswerByState, FrontierByState, ThresholdByState
from .comparison import ComparedPolicy, CriteriaTable
from .criteria import Criterion, CriterionCurve, Measured, Measures
from .curves import Frontier, Threshold, ThresholdResult, Tradeoff, TradeoffPoint
from .distribution import Distribution, Sample
from .model import Model
from .policy import Policy
from .reading import generate, load_policy, read
from .results import Check, Comparison, Mixed, NextClass, Result
from .run import ActionOutlook, Explanation, Run, WealthRange
from .simulation import PolicySummary, Simulation, StateSummary
from .structures import Structure

__version__ = _version()
__all__ = [
    "ActionOutlook",
    "Answer",
    "AnswerByState",
    "AttitudeResult",
    "Attitudes",
    "Check",
    "ComparedPolicy",
    "Comparison",
    "CriteriaTable",
    "Criterion",
    "CriterionCurve",
    "Distribution",
    "Error",
    "Explanation",
    "FileError",
    "Frontier",
    "FrontierByState",
    "Measured",
    "Measures",
    "Mixed",
    "Model",
    "ModelError",
    "NextClass",
    "NumberError",
    "Policy",
    "PolicyError",
    "PolicySummary",
    "Problem",
    "QuantiplanWarning",
    "RefusedError",
    "RequestError",
    "Result",
    "Run",
    "Sample",
    "Simulation",
    "StateSummary",
    "Structure",
    "Threshold",
    "ThresholdByState",
    "ThresholdResult",
    "Tradeoff",
    "TradeoffPoint",
    "Value",
    "WealthRange",
    "domains",
    "generate",
    "gym",
    "load_policy",
    "read",
]
