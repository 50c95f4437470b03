"""Holds every number of an answer to the truth, by its label; says what is wrong, in sentences.

    exact         probability_exact is the truth, to the digit
    lower bound   no more than the truth, as text and as the double it reads back as; probability_upper no less
    rounded       the double that is nearest to the truth

The truth of a probability is an interval where the oracle could not go to the end: then only what is certainly wrong
counts.
"""

from fractions import Fraction as F

from player import Number, Player, Stuck, total
from tiny_models import INFINITE, text
from truth import FAR, INF, MINUS_INF, MISS, NEAR, holds


def nearest(value):
    """Python divides whole numbers to the nearest double."""
    return value.numerator / value.denominator


def by_label(entry, lo, hi, attained=None, label=None):
    """What is wrong with a probability whose truth lies in [lo, hi]. `attained`: what the returned policy has."""
    label = label or entry.get("probability_is")
    found = entry["probability"]
    if found is None:
        return [] if label is None else [f"no probability, labelled {label}"]
    if not 0 <= found <= 1:
        return [f"probability {float(found)} is none"]
    if attained is not None:
        lo, hi = attained
    if label == "exact":
        exact = F(entry["probability_exact"]) if entry.get("probability_exact") is not None else None
        if exact is None and label == entry.get("probability_is"):
            return ["exact, but no exact probability stands there"]
        if exact is not None and not lo <= exact <= hi:
            return [f"exact probability {exact}, truth {shown(lo, hi)}"]
        if lo == hi and found.double != nearest(lo):
            return [f"exact probability written as {found.double!r}, truth {shown(lo, hi)}"]
    elif label == "lower bound":
        if found > hi:
            return [f"lower bound {float(found)!r} (as text) above the truth {shown(lo, hi)} by {float(found - hi)}"]
        top = entry.get("probability_upper")
        if top is not None and (top < lo or F(top.double) < lo):
            return [f"upper bound {top.double!r} below the truth {shown(lo, hi)}"]
        if F(found.double) > hi:
            return [f"lower bound {found.double!r} (as double) above the truth {shown(lo, hi)} by {float(F(found.double) - hi)}"]
    elif label == "upper bound":
        if found < lo or F(found.double) < lo:
            return [f"upper bound {found.double!r} below the truth {shown(lo, hi)}"]
    elif label == "rounded":
        if lo == hi and found.double != nearest(lo):
            return [f"rounded probability {found.double!r}, truth {shown(lo, hi)}, off by {float(F(found.double) - lo)}"]
        if lo != hi and not nearest(lo) <= found.double <= nearest(hi):
            return [f"rounded probability {found.double!r}, truth {shown(lo, hi)}"]
    elif label != "uncertified":
        return [f"unknown label {label!r}"]
    return []


def mean_by_label(entry, mean):
    """What is wrong with a mean of a finite horizon: exact, the nearest double, or between two."""
    found = entry["mean"]
    if entry.get("mean_exact") is not None:
        right = F(entry["mean_exact"]) == mean and found.double == nearest(mean)
    elif entry["mean_is"] == "rounded":
        right = found.double == nearest(mean)
    else:
        top = entry["mean_upper"]
        right = entry["mean_is"] == "lower bound" and max(found, F(found.double)) <= mean <= min(top, F(top.double))
    return [] if right else [f"mean {entry.get('mean_exact') or found.double} ({entry.get('mean_is')}), truth {mean}"]


def shown(lo, hi):
    return f"{lo} ({nearest(lo)!r})" if lo == hi else f"in [{nearest(lo)!r}, {nearest(hi)!r}]"


def wealth_of(model, value):
    """A total of a report as wealth."""
    value = total(value)
    if model.cost and value != MISS:
        return {INF: MINUS_INF, MINUS_INF: INF}.get(value, None) if isinstance(value, str) else -value
    return value


def judge_solve(model, truth, answer, policies):
    """`policies` maps (tau, side) to the policy file that was written, parsed."""
    wrong = []
    for result in answer["results"]:
        tau, side = F(result["tau"]), result["side"]
        where = f"tau {result['tau']} {side}: "
        policy = policies.get((result["tau"], side))
        wrong += [where + w for w in judge_result(model, truth, result, tau, side, policy)]
    return wrong


def player_of(truth, model, policy):
    """One player for all policies that say the same, as those of most engines do."""
    if not hasattr(truth, "players"):
        truth.players = {}
    key = repr({k: v for k, v in policy.items() if k != "claim"})
    if key not in truth.players:
        truth.players[key] = Player(model, policy)
    return truth.players[key]


def judge_result(model, truth, result, tau, side, policy):
    if result["certificate"] is None:
        label = result.get("probability_is")
        return [] if label in (None, "uncertified") else [f"no certificate, but {label!r}"]
    if model.wealth.kind != "sum":
        return judge_class(truth, result, tau, side, policy, model)
    q = wealth_of(model, result["quantile"])
    ends = [wealth_of(model, e) for e in result["bracket"]]
    low, high = ends if not model.cost else ends[::-1]
    wrong = judge_bracket(truth, low, high, tau, side)
    if q != low:
        wrong.append(f"quantile {q} is not the end of {low} .. {high} that is reached")
    if result["certificate"] == "exact" and low != high:
        wrong.append(f"exact, but the bracket is {low} .. {high}")
    attained = None
    if policy is not None:
        try:
            wrong += judge_claim(model, truth, policy)
            if not model.adversarial:
                attained = player_of(truth, model, policy).at_least(q)
        except Stuck as stuck:
            wrong.append(f"the policy is stuck: {stuck}")
    wrong += by_label(result, *truth.at_least(q), attained)
    if policy is not None and result.get("mean") is not None and model.horizon is not INFINITE and not model.goal:
        law = player_of(truth, model, policy).laws()
        mean = sum(w * p for w, p in law.items()) * (-1 if model.cost else 1)
        wrong += mean_by_label(result, mean)
    wrong += judge_comparison(model, truth, result, q)
    return wrong


def judge_bracket(truth, low, high, tau, side):
    """The optimum q has G(q) enough and G(w) not enough for every w above."""
    wrong = []
    if not holds(truth.at_least(low)[1], tau, side):
        wrong.append(f"P(W >= {low}) is {shown(*truth.at_least(low))}, not enough for the lower end")
    beyond = {INF: None, MISS: MINUS_INF, MINUS_INF: -FAR}.get(high, None) if isinstance(high, str) else high + NEAR
    if beyond is not None and holds(truth.at_least(beyond)[0], tau, side):
        wrong.append(f"P(W >= {beyond}) is {shown(*truth.at_least(beyond))}, enough for more than the upper end {high}")
    return wrong


def judge_class(truth, result, tau, side, policy, model):
    """Structures without numbers: a class is its text."""
    by_text = {t: k for k, t in truth.texts.items()}
    ends = [by_text.get(class_text(e)) for e in result["bracket"]]
    if None in ends or class_text(result["quantile"]) not in by_text:
        return [f"unknown class among {result['bracket']}"]
    q = by_text[class_text(result["quantile"])]
    wrong = []
    if not holds(truth.at_least(ends[0])[1], tau, side):
        wrong.append(f"P(W >= {truth.texts[ends[0]]}) is {shown(*truth.at_least(ends[0]))}, not enough")
    better = [k for k in truth.keys if k > ends[1]]
    if better and holds(truth.at_least(better[0])[0], tau, side):
        wrong.append(f"{truth.texts[better[0]]} has {shown(*truth.at_least(better[0]))}, better than {truth.texts[ends[1]]}")
    attained = None
    if policy is not None:
        try:
            player = player_of(truth, model, policy)
            attained = player.at_least(q)
            wrong += judge_class_claim(truth, policy, player)
        except Stuck as stuck:
            wrong.append(f"the policy is stuck: {stuck}")
    return wrong + by_label(result, *truth.at_least(q), attained)


def class_text(value):
    return value if isinstance(value, str) else text(value)


def claim_of(policy):
    """A claim whose probabilities are numbers, also where they were written as texts."""
    claim = policy.get("claim")
    return claim and {k: Number(v) if k.endswith("probability") and isinstance(v, str) else v for k, v in claim.items()}


def judge_class_claim(truth, policy, player):
    claim = claim_of(policy)
    if claim is None:
        return ["the policy has no claim"]
    named = claim.get("quantile", claim.get("target"))
    q = {t: k for k, t in truth.texts.items()}.get(class_text(named))
    if q is None:
        return [f"the policy claims an unknown class {named}"]
    player.walk()
    if "target" in claim:
        return judge_target_claim(claim, named, player.at_least(q), truth.at_least(q))
    tau, side = F(claim["tau"]), claim["side"]
    lo, hi = player.at_least(q)
    found = [] if holds(hi, tau, side) else [f"played {shown(lo, hi)}: no support for {claim['quantile']}"]
    better = [k for k in truth.keys if k > q]
    if better and holds(truth.at_least(better[0])[0], tau, side):
        found.append(f"{truth.texts[better[0]]} is better than {claim['quantile']}")
    exact = claim.get("exact_probability")
    if exact is not None and not lo <= F(exact) <= hi:
        found.append(f"claimed exactly {exact}, played {shown(lo, hi)}")
    elif exact is None and lo == hi and unlike(claim["probability"], lo):
        found.append(f"claimed {claim['probability'].double!r}, played {shown(lo, hi)}")
    return found


def judge_claim(model, truth, policy):
    """A claim of sums, by playing the policy. An adversary's quantile speaks of P(W <= quantile)."""
    claim = claim_of(policy)
    if claim is None:
        return []
    player = player_of(truth, model, policy)
    player.walk()
    if "quantile" in claim:
        return judge_quantile_claim(model, truth, claim, player)
    target = total(claim["target"])
    return judge_target_claim(claim, target, player.at_least(target), truth.at_least(target), model.adversarial)


def judge_target_claim(claim, target, played, true, adversarial=False):
    (lo, hi), (least, most), found = played, true, []
    exact, top = claim.get("exact_probability"), claim.get("most_probability")
    if top is not None:
        if (claim["probability"] > most) or F(top) < least:
            found.append(f"claims {float(claim['probability'])!r} to {float(top)!r} at {target}, truth {shown(least, most)}")
        if not adversarial and claim["probability"] > hi:
            found.append(f"claims {float(claim['probability'])!r} at {target}, played {shown(lo, hi)}")
    elif exact is not None:
        if not (lo <= F(exact) <= hi and least <= F(exact) <= most):
            found.append(f"claims exactly {exact} at {target}, played {shown(lo, hi)}, truth {shown(least, most)}")
    elif lo == hi and unlike(claim["probability"], lo):
        found.append(f"claims {claim['probability'].double!r} at {target}, played {shown(lo, hi)}")
    return found


def judge_quantile_claim(model, truth, claim, player):
    tau, side = F(claim["tau"]), claim["side"]
    stated = total(claim["quantile"])
    top = total(claim["upper"]) if "upper" in claim else stated
    found = judge_bracket(truth, stated, top, tau, side)
    if model.adversarial:
        beyond, name = above(top), f"P(W <= {top})"
        lo, hi = (F(1), F(1)) if beyond is None else tuple(1 - p for p in reversed(player.at_least(beyond)))
    else:
        lo, hi = player.at_least(stated)
        name = f"P(W >= {stated})"
    if not enough(hi, tau, side, model.adversarial):
        found.append(f"the policy's {name} is {shown(lo, hi)}: no support for the claim")
    exact, bracket = claim.get("exact_probability"), "upper" in claim
    if exact is not None:
        if F(exact) > hi or (F(exact) < lo and not bracket):
            found.append(f"the policy claims {name} = {exact}, played {shown(lo, hi)}")
    elif bracket:
        if claim["probability"] > hi:
            found.append(f"the policy claims {name} >= {float(claim['probability'])!r}, played {shown(lo, hi)}")
    elif lo == hi and unlike(claim["probability"], lo):
        found.append(f"the policy claims {name} = {claim['probability'].double!r}, played {shown(lo, hi)}")
    return found


def unlike(claimed, value):
    """A claimed double is the nearest one where the value is known exactly, else not above it."""
    return claimed.double != nearest(value) and (claimed > value or F(claimed.double) > value)


def above(w):
    """What is tested for W > w; None where nothing is."""
    if w == INF:
        return None
    if w == MISS:
        return MINUS_INF
    return -FAR if w == MINUS_INF else w + NEAR


def enough(probability, tau, side, adversarial):
    if not adversarial:
        return holds(probability, tau, side)
    return probability >= tau if side == "lower" else probability > tau


def judge_comparison(model, truth, result, q):
    """The expectation-optimal policy: its mean is unique, its probabilities lie between those of all such policies."""
    entry = result.get("expectation_policy")
    if entry is None or model.horizon is INFINITE or model.goal or isinstance(q, str):
        return []
    mean, _ = truth.greatest_mean()
    shown_mean = -mean if model.cost else mean
    wrong = []
    wrong += ["greatest " + w for w in mean_by_label(entry, shown_mean)]
    lo, hi = truth.of_best_means(q)
    wrong += ["expectation policy: " + w for w in by_label(entry, lo, hi)]
    return wrong


def judge_threshold(model, truth, answer, policies):
    wrong = []
    classes = model.wealth.kind != "sum"
    by_text = {t: k for k, t in truth.texts.items()} if classes else {}
    for result in answer["results"]:
        w = by_text[class_text(result["target"])] if classes else wealth_of(model, result["target"])
        where = f"target {result['target']}: "
        lo, hi = truth.at_least(w)
        found = by_label(result, lo, hi)
        if result["bracket"] is not None:
            least, most = result["bracket"]
            if least > hi:
                found.append(f"bracket from {float(least)!r}, truth {shown(lo, hi)}")
            if F(most) < lo or F(most.double) < lo:
                found.append(f"bracket up to {float(most)!r}, truth {shown(lo, hi)}")
        if result["certificate"] == "exact" and result["probability_is"] not in ("exact", "rounded"):
            found.append(f"exact, but the probability is a {result['probability_is']!r}")
        policy = policies.get(result["target"])
        if policy is not None:
            try:
                found += (judge_class_claim(truth, policy, player_of(truth, model, policy)) if classes
                          else judge_claim(model, truth, policy))
            except Stuck as stuck:
                found.append(f"the policy is stuck: {stuck}")
        wrong += [where + f for f in found]
    return wrong


def judge_frontier(model, truth, answer):
    wrong = []
    classes = model.wealth.kind != "sum"
    error = F(answer["relative_error"])
    by_text = {t: k for k, t in truth.texts.items()} if classes else {}

    def key(value):
        return by_text[class_text(value)] if classes else wealth_of(model, value)

    def curve(steps):
        points = [(key(s["wealth"]), s) for s in steps]
        return points[::-1] if model.cost else points

    def at(points, w):
        return next((F(s.get("probability_exact", s["probability"])) for k, s in points if not_below(k, w)), F(0))

    def not_below(k, w):
        rank = {MISS: 0, MINUS_INF: 1, INF: 3}
        a = (rank[k], 0) if isinstance(k, str) else (2, k)
        b = (rank[w], 0) if isinstance(w, str) else (2, w)
        return a >= b

    steps, upper = curve(answer["steps"]), answer.get("upper_steps")
    upto = None if answer.get("upto") is None else wealth_of(model, answer["upto"])
    if upper is None and error == 0:
        for k, step in steps:
            wrong += [f"frontier at {k}: {w}" for w in by_label(step, *truth.at_least(k), label="exact")]
    error = max(error, F(1, 2**52))  # what stands there is a double
    keys = truth.keys if classes else truth.totals()
    for w in [*keys, *(k for k, _ in steps)]:
        if upto is not None and not isinstance(w, str) and w > upto:
            continue
        lo, hi = truth.at_least(w)
        below = at(steps, w)
        top = at(curve(upper), w) if upper is not None else below
        if below * (1 - error) > hi:
            wrong.append(f"frontier at {w}: {float(below)!r}, truth {shown(lo, hi)}")
        if top * (1 + error) < lo:
            wrong.append(f"frontier at {w}: at most {float(top)!r}, truth {shown(lo, hi)}")
    for result in answer["quantiles"]:
        tau, side = F(result["tau"]), result["side"]
        if result["certificate"] is None:
            continue
        ends = [key(e) for e in result["bracket"]]
        if classes:
            continue
        low, high = ends[::-1] if model.cost else ends
        wrong += [f"tau {result['tau']} {side}: {w}" for w in judge_bracket(truth, low, high, tau, side)]
    return wrong
