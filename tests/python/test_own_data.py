"""Data as people have it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import quantiplan as qp


def test_a_reward_of_many_digits_leaves_the_others_as_they_are():
    R = np.random.default_rng(5).random((2, 30, 30))
    R[0, 3, 4], R[1, 7, 7] = 1.2345678901234567e-05, 1e300
    P = np.full((2, 30, 30), 1 / 32)
    P[:, :, 0] += 2 / 32
    with pytest.warns(qp.QuantiplanWarning):
        m = qp.Model.from_arrays(P, R, horizon=2, initial=0)
    for a, s, s2 in [(0, 3, 4), (1, 7, 7), (1, 0, 29)]:
        assert m.choices(s)[a][s2] == (s2, Fraction(str(P[a, s, s2])), Fraction(repr(float(R[a, s, s2]))))
