"""A second opinion: Storm's probabilities of goals within a cost, on the levels around the quantile.

Only where stormpy is installed (tests/python/requirements-storm.txt, `scripts/test.sh python-storm`).
"""

from __future__ import annotations

import math
import tempfile
from pathlib import Path

import pytest

import quantiplan as qp

stormpy = pytest.importorskip("stormpy")


MODELS = [
    ("examples/dice.prism", {}, "flips", "thrown"),
    ("tests/prism/models/backoff.prism", {"most": 2}, "slots", "sent"),
    ("tests/prism/models/backoff.prism", {"most": 2}, "collisions", "sent"),
]


def within(path: str, const: dict[str, int], reward: str, goal: str, cost: int) -> float:
    """Storm's greatest probability of reaching the goal at no more than this cost."""
    text = Path(path).read_text()
    for name, value in const.items():
        text = text.replace(f"const int {name};", f"const int {name} = {value};")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "program.prism"
        file.write_text(text)
        program = stormpy.parse_prism_program(str(file))
    properties = stormpy.parse_properties(f'Pmax=? [F{{"{reward}"}}<={cost} "{goal}"]', program)
    model = stormpy.build_model(program, properties)
    result = stormpy.model_checking(model, properties[0], only_initial_states=True)
    return float(result.get_value(model.initial_states[0]))


@pytest.mark.filterwarnings("ignore::quantiplan.QuantiplanWarning")
@pytest.mark.parametrize("tau", [0.1, 0.3, 0.5])
@pytest.mark.parametrize("case", MODELS, ids=lambda case: f"{case[0].split('/')[-1]}-{case[2]}")
def test_quantiles_of_goal_models_agree(case, tau):
    path, const, reward, goal = case
    m = qp.read(path, const=const, reward=reward, goal=goal, cost=True, horizon=math.inf)
    r = m.solve(tau=tau, prefer="probability")[tau]
    cost = int(r.quantile)
    assert within(*case, cost) > 1 - tau
    assert cost == 0 or within(*case, cost - 1) < 1 - tau
    assert within(*case, cost) == pytest.approx(float(r.probability))
