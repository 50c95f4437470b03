"""The table of combinations, and what is out of scope today.

Every combination is answered, or refused for a reason that stands below. What does neither fails: so nothing is left out
silently, and what becomes possible must be struck off the list.
"""

import itertools
import re
from dataclasses import dataclass, field
from fractions import Fraction as F

from tiny_models import INFINITE

HORIZONS = [1, 2, 3, 4, INFINITE]
DISCOUNTS = [F(1), F(1, 2), F(1, 3), F(9, 10)]
STRUCTURES = ["sum", "max", "min", "product", "lexicographic", "counts", "automaton", "table"]
ENGINES = ["auto", "steps", "lattice", "levels", "search", "epochs", "ranked", "forward", "paper"]
ARITHMETICS = ["auto", "double", "exact"]
QUERIES = ["solve", "threshold", "frontier"]


@dataclass(frozen=True)
class Question:
    """What a model is about; the rest of a combination says how it is answered."""

    horizon: object
    discount: F
    goal: bool
    cost: bool
    adversarial: bool
    structure: str
    # A distribution over initial states; which questions have one, the sample says.
    drawn: bool = field(default=False, repr=False)

    @property
    def infinite(self):
        return self.horizon is INFINITE


QUESTIONS = [Question(*c) for c in itertools.product(
    HORIZONS, DISCOUNTS, [False, True], [False, True], [False, True], STRUCTURES)]
ANSWERS = list(itertools.product(ENGINES, ARITHMETICS, QUERIES))


@dataclass(frozen=True)
class Refusal:
    message: str  # found in the message, as a regular expression
    applies: object  # (question, model, engine, arithmetic, query) -> bool
    always: bool = True  # else it depends on more than this table says


def by_classes(engine):
    return engine in ("ranked", "forward")


def no_residuals(q):
    return q.structure in ("automaton", "table")


def mixed(model):
    """Gains and losses: where no state is met twice, the horizon is in truth finite, and every engine will do."""
    return min(model.gains()) < 0 < max(model.gains())


def no_limit(q, model):
    """No final class at an infinite horizon: the wealth may change for ever, or both ways."""
    return q.infinite and q.structure != "sum" and model.wealth.limit() is None


# Where several apply, any of their messages will do.
REFUSALS = [
    # Other structures than sums.
    Refusal("(discount|goal|cost|adversarial): found with wealth by", lambda q, m, e, a, query:
            q.structure != "sum" and (q.discount != 1 or q.goal or q.cost or q.adversarial)),
    Refusal("engine: found one that is made for sums of rewards", lambda q, m, e, a, query:
            q.structure != "sum" and not q.infinite and e not in ("auto", "ranked", "forward")),
    Refusal("engine: found one that does not do without an end, expected auto or epochs", lambda q, m, e, a, query:
            q.structure != "sum" and q.infinite and e not in ("auto", "epochs")),
    Refusal("engine: found 'ranked', expected forward or auto: it needs residuals", lambda q, m, e, a, query:
            no_residuals(q) and e == "ranked" and not q.infinite),
    Refusal("infinite, (which wealth by .* has no limit for|but the class may go up .* and down)", lambda q, m, e, a, query: no_limit(q, m)),
    # Engines by classes, for sums.
    Refusal("(discount|goal|cost|adversarial): found with an engine that goes by classes of wealth", lambda q, m, e, a, query:
            q.structure == "sum" and by_classes(e) and (q.discount != 1 or q.goal or q.cost or q.adversarial)),
    Refusal("engine: found one that goes by classes of wealth, which only solve and frontier do", lambda q, m, e, a, query:
            q.structure == "sum" and by_classes(e) and query == "threshold"),
    Refusal("horizon: infinite, which wealth by sum has no limit for", lambda q, m, e, a, query:
            q.structure == "sum" and by_classes(e) and q.infinite),
    # Sums at an infinite horizon.
    Refusal("engine: found 'epochs', expected another: it is for the infinite horizon without discount",
            lambda q, m, e, a, query: q.structure == "sum" and e == "epochs"
            and not (q.infinite and q.discount == 1 and not mixed(m))),
    Refusal("expected auto(, epochs or paper| or epochs): the horizon is infinite and there is no discount",
            lambda q, m, e, a, query: q.structure == "sum" and q.infinite and q.discount == 1
            and e not in ("auto", "epochs") and (e != "paper" or query != "solve") and not mixed(m)),
    Refusal("found 'paper', whose iteration never ends here", lambda q, m, e, a, query: q.structure == "sum" and q.infinite
            and q.discount == 1 and e == "paper" and query == "solve" and m.has_cycle(), always=False),
    Refusal("sign", lambda q, m, e, a, query: q.structure == "sum" and q.infinite and q.discount == 1
            and mixed(m) and m.has_cycle(), always=False),
]


def refusal(q, model, engine, arithmetic, query):
    """A refusal that must be met, or None."""
    return next((r for r in REFUSALS if r.always and r.applies(q, model, engine, arithmetic, query)), None)


def explained(message, q, model, engine, arithmetic, query):
    return any(re.search(r.message, message) and r.applies(q, model, engine, arithmetic, query) for r in REFUSALS)
