"""Every policy that is written can be read: by the program, which plays it as the player here does, and by the checker,
which refuses what was tampered with. What passes the checker is true, and has a rule wherever it comes.
"""

from random import Random

import pytest

from net import Case, verdict
from player import read
from program import Desk
from readback import read_back, unsupported
from sample import CASES, name, questions
from table import ARITHMETICS, ENGINES
from tampering import tampered

SHARE = min(1.0, CASES / 2000)
TAMPERINGS = 2  # of one policy of each engine; every kind occurs in a run


def in_scope(q):
    return q.structure == "sum" or (q.discount == 1 and not (q.goal or q.cost or q.adversarial))


ASKED = [case for structures in (False, True) for infinite in (False, True)
         for case in questions(structures, infinite) if in_scope(case[0])]


def policies(case, desk, random):
    """One policy of each engine: (command, name, text)."""
    for engine in random.sample(ENGINES, max(1, round(SHARE * len(ENGINES)))):
        query = random.choice(["solve", "threshold"]) if case.question.structure == "sum" else "solve"
        command, _, files = verdict(case, desk, engine, random.choice(ARITHMETICS), query)
        if files:
            file = random.choice(sorted(files))
            yield command, file, files[file]


@pytest.mark.parametrize("asked", ASKED, ids=name)
def test_policies_are_read_back_and_tampering_is_found(asked):
    case, random, wrong = Case(*asked), Random(f"policies {asked}"), []
    with Desk(case.model) as desk:
        for command, file, text in policies(case, desk, random):
            wrong += [(command, c, w) for c, w in read_back(desk, case.model, file, text)]
            policy = read(text)
            if "claim" not in policy:
                continue
            changes = list(tampered(case.model, policy))
            for what, changed in random.sample(changes, min(TAMPERINGS, len(changes))):
                desk.write("tampered.json", changed)
                code, _, _ = desk.run("check", "model.json", "tampered.json")
                if code == 0 and unsupported(case.model, read(changed)):
                    wrong.append((command, f"{what}: {changed}", unsupported(case.model, read(changed))))
                elif code not in (0, 1, 2, 4):
                    wrong.append((command, f"{what}: {changed}", f"exit code {code}"))
    assert not wrong, "\n".join([f"{len(wrong)} wrong", case.model.json(), *(map(str, wrong[:4]))])
