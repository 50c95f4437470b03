"""One cell of the table: a model, a command, and all that must hold of what comes out."""

from fractions import Fraction as F
from random import Random

from judge import judge_frontier, judge_solve, judge_threshold
from player import read
from table import explained, refusal
from tiny_models import random_model, text, with_drawn_start
from truth import Classes, Sums


class Case:
    """A model of a question, with its truth and what to ask of it."""

    def __init__(self, question, seed):
        self.question, self.random = question, Random(f"{question} {seed}")
        q = question
        self.model = random_model(self.random, q.structure, q.horizon, q.discount, q.goal, q.cost, q.adversarial)
        if q.drawn:
            self.model = with_drawn_start(Random(f"{question} {seed} start"), self.model)
        self.prepare()

    @classmethod
    def of(cls, question, model, random):
        """A given model."""
        case = cls.__new__(cls)
        case.question, case.model, case.random = question, model, random
        case.prepare()
        return case

    def prepare(self):
        q, m, random = self.question, self.model, self.random
        plain = q.structure == "sum"
        self.truth = None
        self.taus, self.targets = [F(1, 2)], [F(1)]
        if not plain and (q.discount != 1 or q.goal or q.cost or q.adversarial or (q.infinite and m.wealth.limit() is None)):
            return  # out of scope: nothing is asked
        if plain and q.infinite and q.discount == 1 and min(m.gains()) < 0 < max(m.gains()) and m.has_cycle():
            return
        self.truth = Sums(m) if plain else Classes(m)
        levels = self.truth.totals() if plain else self.truth.keys
        ties = []
        for w in random.sample(levels, min(3, len(levels))):
            lo, hi = self.truth.at_least(w)
            if lo == hi and lo.denominator < 10**12:
                ties.append(1 - lo)
        others = [F(0), F(1), F(1, 3), F(1, 10), F(random.randint(1, 99), 100)]
        self.taus = sorted({*ties[:2], *random.sample(others, 2)})
        if plain:
            self.targets = random.sample(levels, min(2, len(levels))) + [random.choice(levels) + F(1, 7)]
            self.targets = [text(-w if m.cost else w) for w in self.targets]
            if m.goal:
                self.targets.append("inf" if m.cost else "-inf")
        else:
            self.targets = [self.truth.texts[k] for k in random.sample(levels, min(2, len(levels)))]


def options(question, engine, arithmetic):
    found = ["--engine", engine, "--arithmetic", arithmetic]
    if question.adversarial:
        found.append("--adversarial")
    if question.infinite and question.discount < 1 and question.cost:
        found += ["--epsilon", "1/8"]  # else the default
    return found


def verdict(case, desk, engine, arithmetic, query):
    """(command, what is wrong with it, policies that were written)"""
    q, m = case.question, case.model
    arguments = {
        "solve": ["--tau", ",".join(map(text, case.taus)), "--side", "both", "--check", "--policy-out", "p-{tau}-{side}.json"],
        "threshold": [*(f"--target={t}" for t in case.targets), "--check", "--policy-out", "p-{target}.json"],
        "frontier": ["--tau", ",".join(map(text, case.taus)), "--side", "both"],
    }[query]
    code, report, error, command = desk.report(query, "model.json", *arguments, *options(q, engine, arithmetic))
    files = desk.take("p-*.json")
    must = refusal(q, m, engine, arithmetic, query)
    if code == 2:
        if explained(error, q, m, engine, arithmetic, query):
            return command, [], {}
        return command, [f"refused: {error.strip()}" + (f"; expected {must.message}" if must else "")], {}
    if must:
        return command, [f"exit code {code}; expected a refusal: {must.message}"], {}
    if case.truth is None:
        return command, [] if code == 0 else [f"exit code {code}"], {}
    if code not in (0, 1):
        return command, [f"exit code {code}: {error.strip()} {failed_checks(report)}"], {}
    wrong = [] if code == 0 else ended_early(q, report, engine)
    policies = {name: read(content) for name, content in files.items()}
    if query == "frontier":
        return command, wrong + judge_frontier(m, case.truth, report), {}
    if query == "solve":
        named = {(r["tau"], r["side"]): policies.get(f"p-{r['tau'].replace('/', '_')}-{r['side']}.json")
                 for r in report["results"]}
        return command, wrong + judge_solve(m, case.truth, report, named), files
    named = {r["target"]: policies.get(f"p-{target_name(r['target'])}.json") for r in report["results"]}
    return command, wrong + judge_threshold(m, case.truth, report, named), files


def target_name(target):
    return target.replace("/", "_") if isinstance(target, str) else text(target)


def failed_checks(report):
    found = []
    for result in (report or {}).get("results", []):
        check = result.get("check")
        if check and not check["passed"]:
            found.append(f"{result.get('tau', result.get('target'))}: {check['findings']}")
    return " ".join(map(str, found))


def ended_early(question, report, engine):
    """Exit code 1 without a limit that was set: `levels` may not be able to tell, all others must; nobody met a limit."""
    statuses = [r["status"] for r in report.get("results", [report])]
    checks = [r["check"] for r in report.get("results", []) if r.get("check")]
    if any(s == "limit_reached" for s in statuses):
        return ["a limit was reached, none was set"]
    if any(s == "unsettled" for s in statuses):
        return [] if engine == "levels" else ["unsettled, though only levels may not be able to tell"]
    if any(c["ended_early"] for c in checks):
        return ["a check ended early, no limit was set: "
                + "; ".join(f for c in checks if c["ended_early"] for f in c["findings"])]
    return ["exit code 1, and nothing ended early"]
