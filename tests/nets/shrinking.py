"""Makes a failing case smaller while it fails in the same way, so that what is printed can be read."""

import re

from net import Case, verdict
from program import Desk
from tiny_models import F


def kind_of(sentence):
    return re.sub(r"-?\d[\d./e+-]*", "#", sentence)[:60]


def smaller(model):
    """Models with one thing less."""
    if len(model.starts) > 1:
        yield from (model.with_(initial=state) for state, _ in model.starts)
    for state, options in model.choices.items():
        others = {s: o for s, o in model.choices.items() if s != state}
        if state not in [s for s, _ in model.starts]:
            yield model.with_(choices=others)
        for i, (action, outcomes) in enumerate(options):
            rest = options[:i] + options[i + 1:]
            if rest:
                yield model.with_(choices={**model.choices, state: rest})
            if len(outcomes) > 1:
                for to, _, r in outcomes:
                    changed = options[:i] + [(action, [(to, F(1), r)])] + options[i + 1:]
                    yield model.with_(choices={**model.choices, state: changed})


def shrunk(case, engine, arithmetic, query, command, wrong, attempts=30):
    """(case, command, sentences) of the smallest case found."""
    best, kind = (case, command, wrong), kind_of(wrong[0])
    progress = True
    while progress and attempts > 0:
        progress = False
        for tau in [*case.taus] if len(best[0].taus) > 1 and query == "solve" else []:
            attempts -= 1
            found = retry(best[0], best[0].model, [tau], engine, arithmetic, query, kind)
            if found:
                best, progress = found, True
                break
        for model in smaller(best[0].model):
            attempts -= 1
            found = retry(best[0], model, best[0].taus, engine, arithmetic, query, kind)
            if found:
                best, progress = found, True
                break
            if attempts <= 0:
                break
    return best


def retry(case, model, taus, engine, arithmetic, query, kind):
    other = Case.of(case.question, model, case.random)
    other.taus, other.targets = taus, case.targets
    try:
        with Desk(model) as desk:
            command, wrong, _ = verdict(other, desk, engine, arithmetic, query)
    except Exception:  # a model that makes no sense fails otherwise
        return None
    return (other, command, wrong) if any(kind_of(w) == kind for w in wrong) else None
