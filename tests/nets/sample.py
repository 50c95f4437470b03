"""How much of the table a run takes: QUANTIPLAN_PROPERTY_CASES, 2000 unless it is set.

At 2000 every question without an end, and every question at one of the four finite horizons, is asked of one model with
every engine, arithmetic and query; every other one from a distribution over initial states. Less takes that share of the
answers; more takes further models, at further horizons. What is taken depends on nothing else: not on the time, not on the
machine.
"""

import os
from dataclasses import replace
from random import Random

from net import Case, verdict
from program import Desk
from shrinking import shrunk
from table import ANSWERS, QUESTIONS

CASES = int(os.environ.get("QUANTIPLAN_PROPERTY_CASES", "2000"))
ROUNDS = max(1, CASES // 2000)
SHOWN = 4  # failures of a question that are printed


def questions(structures, infinite):
    """(question, seed) pairs; of finite horizons one a round, in turn."""
    asked = [q for q in QUESTIONS if (q.structure != "sum") == structures and q.infinite == infinite]
    found = []
    for seed in range(ROUNDS):
        found += [(q, seed) for i, q in enumerate(asked) if infinite or (i + i // 4 + i // 64 + seed) % 4 + 1 == q.horizon]
    return [(replace(q, drawn=Random(f"{q} {seed} drawn").random() < 0.5), seed) for q, seed in found]


def answers(question, seed):
    share = min(1.0, CASES / 2000)
    if question.structure != "sum" and (question.discount != 1 or question.goal or question.cost or question.adversarial):
        share /= 27  # refused before anything is looked at: three of the 81 ways to ask
    random = Random(f"{question} {seed} answers")
    return random.sample(ANSWERS, max(1, round(share * len(ANSWERS))))


def name(case):
    q, seed = case
    marks = [m for m, on in (("goal", q.goal), ("cost", q.cost), ("adversarial", q.adversarial), ("drawn", q.drawn)) if on]
    return "-".join([q.structure, str(q.horizon or "infinite"), str(q.discount).replace("/", "_"), *marks, str(seed)])


def judge(question, seed):
    """Asks a question in all ways that are taken; fails with the first models and commands that go wrong, made small."""
    case, failures = Case(question, seed), []
    with Desk(case.model) as desk:
        for engine, arithmetic, query in answers(question, seed):
            command, wrong, _ = verdict(case, desk, engine, arithmetic, query)
            if wrong:
                failures.append((engine, arithmetic, query, command, wrong))
    if not failures:
        return
    lines = [f"{len(failures)} of the answers are wrong", case.model.json()]
    for engine, arithmetic, query, command, wrong in failures[:SHOWN]:
        lines += ["", *wrong[:4], command]
    engine, arithmetic, query, command, wrong = failures[0]
    small, command, wrong = shrunk(case, engine, arithmetic, query, command, wrong)
    raise AssertionError("\n".join([*lines, "", "The first, made small:", *wrong[:4], command, small.model.json()]))
