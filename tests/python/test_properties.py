"""Hypothesis on conversions: whatever goes in comes out, exactly."""

from __future__ import annotations

import math
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import quantiplan as qp
from quantiplan._numbers import bracket_shown, exact, text_of

# A busy machine is no failure.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

finite = st.floats(allow_nan=False, allow_infinity=False)


def through(reward: object) -> Fraction:
    """A reward on its way through the library."""
    values = np.array([reward, 0], dtype=object if not isinstance(reward, (float, np.float32)) else type(reward))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        m = qp.Model.from_arrays([[[0, 1], [0, 1]]], values, horizon=1, initial=0)
    return m.choices(0)[0][0][2]


@given(finite)
def test_floats_mean_their_shortest_decimals(value):
    assert through(value) == Fraction(repr(value)) and float(through(value)) == value


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_floats_of_single_precision_too(value):
    single = np.float32(value)
    assert through(single) == Fraction(str(single)) and np.float32(float(through(single))) == single
    assert exact(single) == through(single)


@given(st.fractions(max_denominator=10**30))
def test_fractions_are_exact(value):
    assert through(value) == value == exact(value)


@given(st.decimals(allow_nan=False, allow_infinity=False, places=6))
def test_decimals_are_exact(value):
    assert through(value) == Fraction(value) == exact(Decimal(value))


@given(st.integers(-(10**60), 10**60))
def test_integers_are_exact(value):
    assert through(value) == value


@given(st.sampled_from([math.nan, math.inf, -math.inf]))
def test_what_is_no_number_is_refused(value):
    with pytest.raises(qp.NumberError):
        text_of(value)
    with pytest.raises((qp.ModelError, qp.NumberError)):
        through(value)


rows = st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any)


@settings(max_examples=50)
@given(st.lists(rows, min_size=3, max_size=3), st.lists(st.integers(-3, 3), min_size=3, max_size=3))
def test_arrays_keep_their_probabilities(weights, rewards):
    P = [[Fraction(w, sum(row)) for w in row] for row in weights]
    m = qp.Model.from_arrays(np.array([P], dtype=object), rewards, horizon=2, initial=0)
    for s, row in enumerate(P):
        assert {s2: p for s2, p, _ in m.choices(s)[0]} == {i: p for i, p in enumerate(row) if p}
    floats = np.array([[[float(p) for p in row] for row in P]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        near = qp.Model.from_arrays(floats, rewards, horizon=2, initial=0)
    for s in range(3):
        assert sum(p for _, p, _ in near.choices(s)[0]) == 1


@settings(max_examples=30)
@given(st.lists(st.text(min_size=1, max_size=8).filter(lambda t: "\0" not in t), min_size=2, max_size=5, unique=True))
def test_any_names_of_states_survive(names):
    try:
        "".join(names).encode()
    except UnicodeEncodeError:
        return
    n = len(names)
    P = [np.roll(np.eye(n), 1, axis=1)]
    m = qp.Model.from_arrays(P, 0, horizon=1, initial=names[0], states=names)
    assert m.states == names and list(m.choices(names[0]).values()) == [[(names[1], 1, 0)]]


@settings(max_examples=200)
@given(st.fractions(-(10**6), 10**6), st.fractions(0, 10**3).filter(bool))
def test_brackets_are_shown_rounded_outwards(low, width):
    ends = [Fraction(end) for end in bracket_shown(low, low + width)[1:-1].split(", ")]
    assert 0 <= low - ends[0] <= width / 10 and 0 <= ends[1] - low - width <= width / 10
