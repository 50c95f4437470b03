"""Other structures than sums: every combination of the table is answered truly, or refused for a stated reason."""

import pytest

from sample import judge, name, questions

CASES = questions(structures=True, infinite=False) + questions(structures=True, infinite=True)


@pytest.mark.parametrize("case", CASES, ids=name)
def test_every_answer_is_true(case):
    judge(*case)
