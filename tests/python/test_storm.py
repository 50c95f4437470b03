"""A second opinion: Storm's probabilities of goals within a cost, on the levels around the quantile.

Only where stormpy is installed (the group `storm` of tests/python/requirements.txt).
"""

from __future__ import annotations

import math

import pytest

import quantiplan as qp

stormpy = pytest.importorskip("stormpy")


PATH = "examples/dice.prism"


def within(cost: int) -> float:
    """Storm's greatest probability of both dice being thrown by so many flips."""
    program = stormpy.parse_prism_program(PATH)
    formula = f'Pmax=? [F{{"flips"}}<={cost} "thrown"]'
    properties = stormpy.parse_properties(formula, program)
    model = stormpy.build_model(program, properties)
    result = stormpy.model_checking(model, properties[0], only_initial_states=True)
    return float(result.get_value(model.initial_states[0]))


@pytest.mark.parametrize("tau", [0.1, 0.3, 0.5])
def test_quantiles_of_goal_models_agree(tau):
    m = qp.read(PATH, goal="thrown", cost=True, horizon=math.inf)
    r = m.solve(tau=tau, prefer="probability")[tau]
    cost = int(r.quantile)
    assert within(cost) > 1 - tau >= within(cost - 1) - 1e-12
    assert within(cost) == pytest.approx(float(r.probability))
