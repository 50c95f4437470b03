"""Policies that were written are read back: by `check`, `evaluate` and `simulate`, and by the player."""

from fractions import Fraction as F

from judge import by_label, judge_claim, judge_class_claim, shown
from player import Player, Stuck, read, total
from tiny_models import text
from truth import INF, MINUS_INF, Classes, Sums


def read_back(desk, model, name, content):
    """What is wrong when the program reads its own policy; [(command, sentence)]."""
    wrong = []
    desk.write(name, content)
    policy = read(content)
    code, report, error, command = desk.report("check", "model.json", name)
    if code != 0 and policy.get("claim") is not None:
        wrong.append((command, f"exit code {code}: {error} {report and report.get('findings')}"))
    code, _, error, command = desk.report("simulate", "model.json", "--policy", name, "--episodes", 5)
    if code != 0:
        wrong.append((command, f"exit code {code}: {error}"))
    claim = policy.get("claim", {})
    asked = claim.get("quantile", claim.get("target"))
    extra = [] if asked in (None, INF, "miss") else [f"--at-least={asked_for(model, asked)}"]
    code, report, error, command = desk.report("evaluate", "model.json", "--policy", name, *extra)
    if code != 0:
        wrong.append((command, f"exit code {code}: {error}"))
    elif extra:
        [entry] = report["at_least"]
        wrong += [(command, w) for w in judge_evaluation(model, policy, report, entry, asked)]
    return wrong


def asked_for(model, asked):
    if model.wealth.kind != "sum":
        return asked if isinstance(asked, str) else text(asked)
    value = total(asked)
    if value == MINUS_INF:
        return "inf" if model.cost else "-inf"
    return text(-value if model.cost else value)


def judge_evaluation(model, policy, report, entry, asked):
    try:
        player = Player(model, policy)
        if model.wealth.kind != "sum":
            texts = {t: k for k, t in Classes(model).texts.items()}
            lo, hi = player.at_least(texts[asked if isinstance(asked, str) else text(asked)])
        else:
            lo, hi = player.at_least(total(asked))
    except Stuck as stuck:
        return [f"evaluated, but the policy is stuck: {stuck}"]
    if entry.get("bracket") is not None:
        least, most = entry["bracket"]
        bad = least > hi or most < lo
        return [f"bracket {float(least)!r} to {float(most)!r}, played {shown(lo, hi)}"] if bad else []
    if report["relative_error"] == 0:
        return by_label(entry, lo, hi, label="exact")
    error = F(report["relative_error"]) + F(1, 2**52)
    bad = not lo * (1 - error) <= entry["probability"] <= hi * (1 + error)
    return [f"probability {entry['probability'].double!r}, played {shown(lo, hi)}"] if bad else []


def unsupported(model, policy):
    """Why a claim does not hold, by the player and the oracle; an empty list if it may."""
    try:
        player = Player(model, policy)
        if model.wealth.kind != "sum":
            return judge_class_claim(Classes(player.model), policy, player)
        return judge_claim(player.model, Sums(player.model), policy)
    except Stuck as stuck:
        return [f"stuck: {stuck}"]
