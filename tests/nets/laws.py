"""The laws of all deterministic policies of a tiny model, and what they are worth; in fractions, by definition.

    laws(s, k) = { mixtures over the outcomes of a choice of r + discount * a law of the next state }

A policy may go by the whole history, so each outcome has a law of its own. What is no fraction (logarithms, exponentials)
has 60 digits, and stands as an interval that is wider than their error.
"""

from decimal import Decimal, localcontext
from fractions import Fraction as F
from functools import lru_cache
from itertools import product

MOST_LAWS = 4000
DIGITS = 60
WIDTH = F(1, 10**30)


class TooMany(Exception):
    """More laws than a test has time for."""


def laws(model):
    """The laws of the total, as tuples of (total, probability), ascending; costs count as negative wealth."""
    @lru_cache(maxsize=None)
    def of(state, left):
        options = model.options(state) if left else []
        if not options:
            return frozenset([((F(0), F(1)),)])
        found = set()
        for _, outcomes in options:
            found |= mixtures([(p, [shifted(law, r, model.discount) for law in of(to, left - 1)]) for to, p, r in outcomes])
        return frozenset(found)

    return mixtures([(p, of(s, model.horizon)) for s, p in model.starts])


def shifted(law, r, discount):
    return tuple((r + discount * w, p) for w, p in law)


def mixtures(parts):
    count = 1
    for _, choices in parts:
        count *= len(choices)
        if count > MOST_LAWS:
            raise TooMany
    found = set()
    for chosen in product(*(choices for _, choices in parts)):
        total = {}
        for (share, _), law in zip(parts, chosen):
            for w, p in law:
                total[w] = total.get(w, F(0)) + share * p
        found.add(tuple(sorted(total.items())))
    if len(found) > MOST_LAWS:
        raise TooMany
    return found


def mean(law):
    return sum(w * p for w, p in law)


def at_least(law, w):
    return sum((p for v, p in law if v >= w), F(0))


def cvar(law, tau):
    """The mean of the worst share tau."""
    left, total = tau, F(0)
    for w, p in law:
        taken = min(p, left)
        total, left = total + taken * w, left - taken
    return total / tau


def quantile(law, tau, side):
    """lower: least w with P(W <= w) >= tau; upper: greatest w with P(W >= w) >= 1 - tau."""
    below = F(0)
    for w, p in law:
        below += p
        if below > tau or (side == "lower" and below == tau):
            return w
    return law[-1][0]


def mean_variance(law, weight):
    m = mean(law)
    return m - weight * (sum(w * w * p for w, p in law) - m * m)


def interval(value):
    """Around a Decimal."""
    value = F(value)
    return value - WIDTH * (1 + abs(value)), value + WIDTH * (1 + abs(value))


def decimal(x):
    return Decimal(x.numerator) / Decimal(x.denominator)


def entropic_decimal(law, beta):
    """-(1/beta) ln E exp(-beta W)"""
    least = law[0][0]
    return decimal(least) - sum(decimal(p) * (-beta * decimal(w - least)).exp() for w, p in law).ln() / beta


def entropic(law, beta):
    with localcontext() as context:
        context.prec = DIGITS
        return interval(entropic_decimal(law, decimal(beta)))


def exponential(law, beta):
    """E (1 - exp(-beta W)) / beta"""
    with localcontext() as context:
        context.prec = DIGITS
        b = decimal(beta)
        return interval(sum(decimal(p) * (1 - (-b * decimal(w)).exp()) / b for w, p in law))


def evar(law, tau):
    """sup over x = 1/beta >= 0 of  entropic(1/x) + x ln tau, which is concave in x; at x = 0 it is the worst case."""
    if tau == 1:
        return mean(law), mean(law)
    least, most = law[0][0], law[-1][0]
    if law[0][1] >= tau:
        return least, least
    with localcontext() as context:
        context.prec = DIGITS
        log = decimal(tau).ln()

        def f(x):
            return entropic_decimal(law, 1 / x) + x * log

        # It lies below the worst case once x ln(1/tau) > most - least.
        low, high = Decimal(0), decimal(most - least) / -log
        for _ in range(120):
            third = (high - low) / 3
            if f(low + third) < f(high - third):
                low += third
            else:
                high -= third
        value = F(f((low + high) / 2))
    # The search compares what agrees in the last digits: half of them are sure.
    return max(least, value - F(1, 10**20)), max(least, value + F(1, 10**20))


def nested_cvar(model, tau):
    """V_k(s) = max_a CVaR_tau(r + discount * V_{k-1}(s'))"""
    @lru_cache(maxsize=None)
    def value(state, left):
        options = model.options(state) if left else []
        best = min if model.adversarial else max
        return best((cvar(law_of((r + model.discount * value(to, left - 1), p) for to, p, r in o), tau)
                     for _, o in options), default=F(0))

    return cvar(law_of((value(s, model.horizon), p) for s, p in model.starts), tau)


def law_of(atoms):
    total = {}
    for w, p in atoms:
        total[w] = total.get(w, F(0)) + p
    return sorted(total.items())


def best_mean(pairs, theta, side):
    """Of (probability, mean) pairs and all coins between them: the greatest mean with P >= theta (lower side: its limit
    for P > theta); None where no policy keeps the promise."""
    keeps = (lambda p: p >= theta) if side == "upper" else (lambda p: p > theta)
    if not any(keeps(p) for p, _ in pairs):
        return None
    best = max(m for p, m in pairs if keeps(p))
    for p, m in pairs:
        for q, n in pairs:
            if q < theta < p or (side == "lower" and q == theta < p):
                best = max(best, n + (m - n) * (theta - q) / (p - q))
    return best
