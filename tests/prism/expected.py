"""Expected values of the models in models/: one JSON file beside each, with where each value is from.

    python3 expected.py           fills in what is still null, from the oracle
    python3 expected.py --check   recomputes everything and says what differs (tests/cli/test_prism.py does so, too)

    {"cases": [{"constants": "N=2,K=1", "counts": {states, choices, transitions},
                "chances":   [{"goal", "greatest", "least"}],                      P(reach the goal)
                "quantiles": [{"goal", "reward", "cost", "adversarial", "horizon", "tau", "side",
                               "quantile", "probability"}]}]}

Each entry has "from": "closed form: why", or "oracle". Absent: no constants, the first reward structure, rewards, no
adversary, no end, the lower side; a quantile without a goal is of the total.
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from levels import Levels, Steps  # noqa: E402: the folder is not a package
from oracle import explore  # noqa: E402

MODELS = pathlib.Path(__file__).resolve().parent / "models"


def programs():
    return sorted(MODELS.rglob("*.prism"))


def explored(path, case, reward=None):
    given = dict(pair.split("=") for pair in case.get("constants", "").split(",") if pair)
    return explore(path.read_text(encoding="utf-8"), given, reward)


def counts_of(path, case):
    return explored(path, case).counts()


def chances_of(path, case, question):
    model = explored(path, case)
    goal = model.where(question["goal"])
    return {
        name: str(Levels(model, goal, True, least).possible()) for name, least in (("greatest", False), ("least", True))
    }


def quantile_of(path, case, question):
    """The quantile and the probability with which it is kept."""
    model = explored(path, case, question.get("reward"))
    goal = model.where(question["goal"]) if "goal" in question else None
    cost, least = question.get("cost", False), question.get("adversarial", False)
    if "horizon" in question:
        steps = Steps(model, question["horizon"], goal, cost, least)
        quantile, probability = steps.quantile(question["tau"], question.get("side", "lower")), steps.probability
    else:
        levels = Levels(model, goal, cost, least)
        quantile = levels.quantile(question["tau"], question.get("side", "lower"))
        assert quantile is not None, (path, question)

        def probability(level):
            return levels.at(model.initial, int(level * levels.scale))

    return {"quantile": str(quantile), "probability": None if quantile == "miss" else str(probability(quantile))}


def entries(path, data):
    """(entry, computed values) of everything in a file."""
    for case in data["cases"]:
        yield case, {"counts": counts_of(path, case)}
        for question in case.get("chances", []):
            yield question, chances_of(path, case, question)
        for question in case.get("quantiles", []):
            yield question, quantile_of(path, case, question)


def differences(path):
    """What the oracle says otherwise: [(entry, computed)]."""
    data = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    return [(entry, new) for entry, new in entries(path, data) if any(entry.get(key) != new[key] for key in new)]


def fill(path):
    file = path.with_suffix(".json")
    data = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {"cases": [{}]}
    for entry, computed in entries(path, data):
        for key, value in computed.items():
            if entry.get(key) is None:
                entry[key] = value
        if "counts" in computed:
            entry.setdefault("counts_from", "oracle")
        else:
            entry.setdefault("from", "oracle")
    file.write_text(json_text(data), encoding="utf-8")


def json_text(data):
    """One entry a line."""
    cases = []
    for case in data["cases"]:
        keys = [k for k in ("constants", "counts", "counts_from", "chances", "quantiles") if k in case]
        parts = [
            f'"{k}": ' + (json.dumps(case[k]) if k[0:2] not in ("ch", "qu")
                          else "[\n      " + ",\n      ".join(map(json.dumps, case[k])) + "]")
            for k in keys
        ]
        cases.append("    {" + ",\n     ".join(parts) + "}")
    return '{"cases": [\n' + ",\n".join(cases) + "\n]}\n"


if __name__ == "__main__":
    for program in programs():
        if sys.argv[1:] == ["--check"]:
            for entry, computed in differences(program):
                print(program.name, entry, "but the oracle says", computed)
        else:
            fill(program)
