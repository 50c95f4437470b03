"""Sums at finite horizons: every combination of the table is answered truly, or refused for a stated reason."""

import pytest

from sample import judge, name, questions


@pytest.mark.parametrize("case", questions(structures=False, infinite=False), ids=name)
def test_every_answer_is_true(case):
    judge(*case)
