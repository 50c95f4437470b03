"""Random small PRISM programs: what the program makes of them against the oracle.

    QUANTIPLAN=build/quantiplan python3 random_programs.py [--seeds 1000] [--from 0] [--save FOLDER]

A seed gives one text. Both readers must come to the same model (or both refuse), and questions about it to the same
quantiles. A failing text is shrunk by leaving out what can be left out, saved, and shown with its seed.
"""

import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
from fractions import Fraction

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from compare import differences, number  # noqa: E402: the folder is not a package
from levels import Levels, Steps  # noqa: E402
from oracle import OracleError, explore  # noqa: E402

MOST_STATES = 120  # for quantiles in fractions
ACTIONS = ["a", "b", "c"]


class Writer:
    """Expressions of a type over what may be named; every call draws anew."""

    def __init__(self, draw, ints, bools):
        self.draw, self.ints, self.bools = draw, ints, bools  # names; ints with their ranges
        self.int_names, self.bool_names = list(ints), list(bools)

    def whole(self, depth=2):
        d = self.draw
        if depth == 0 or d.random() < 0.3:
            return d.choice(self.int_names + [str(d.randint(0, 4))]) if self.int_names else str(d.randint(0, 4))
        x, y = (lambda: self.whole(depth - 1)), (lambda: self.whole(depth - 1))
        return d.choice([
            lambda: f"{x()}+{y()}", lambda: f"{x()}-{y()}", lambda: f"({x()}-{y()})",
            lambda: f"{d.randint(0, 3)}*({x()})",
            lambda: f"min({x()},{y()})", lambda: f"max({x()},{y()},1)", lambda: f"floor(({x()})/{d.randint(1, 3)})",
            lambda: f"ceil(({x()})/{d.randint(1, 3)})", lambda: f"round(({x()})/2)",
            lambda: f"mod({x()},{d.randint(1, 4)})",
            lambda: f"pow({d.randint(0, 2)},mod({x()},3))", lambda: f"({self.truth(depth - 1)}?{x()}:{y()})",
            lambda: f"-({x()})", lambda: f"{x()}- -{d.randint(0, 2)}",
        ])()

    def truth(self, depth=2):
        d = self.draw
        if depth == 0 or d.random() < 0.3:
            if self.bool_names and d.random() < 0.4:
                return d.choice(["", "!"]) + d.choice(self.bool_names)
            return f"{self.whole(0)}{d.choice(['=', '!=', '<', '<=', '>', '>='])}{self.whole(1)}"
        x, y = (lambda: self.truth(depth - 1)), (lambda: self.truth(depth - 1))
        return d.choice([
            lambda: f"{x()}&{y()}", lambda: f"{x()} | {y()}", lambda: f"({x()}|{y()})", lambda: f"!({x()})",
            lambda: f"!{self.whole(1)}={self.whole(1)}", lambda: f"{x()}=>{y()}", lambda: f"({x()})<=>{y()}",
            lambda: f"({x()}=>{y()})", lambda: f"({x()}<=>{y()})", lambda: f"({x()}?{y()}:{x()})",
            lambda: f"({self.whole(1)}+1/2<{self.whole(1)})",
        ])()

    def probabilities(self, count):
        """Texts that sum to 1 in every state."""
        d = self.draw
        if count == 1:
            return [d.choice([None, "1", "2/2", "0.5+0.5"])]
        if count == 2:
            x = d.choice(self.int_names) if self.int_names else "1"
            p = d.choice(["1/2", "0.3", "p", "p*p", "1/3+1/3", f"({self.truth(1)}?1/4:0.75)", f"1/(2+pow({x},2))",
                          f"min(1,max(0,({self.whole(1)})/5))", "0", "1e-1"])
            return [p, f"1-({p})" if d.random() < 0.8 else f"1-{p}" if "+" not in p and "?" not in p else f"1-({p})"]
        return ["1/6", "p/3", "5/6-p/3"][:count]


def draw_program(seed):
    """{part: lines}; modules are (head, variables, commands); every line and module may be left out by the shrinker."""
    d = random.Random(seed)
    kind = d.choices(["mdp", "dtmc"], [3, 1])[0]
    lines = {"head": [kind, "const double p = " + d.choice(["1/2", "0.25", "1/3+0.1", "2*0.3"]) + ";",
                      "const int n = " + str(d.randint(1, 3)) + ";"]}
    modules = d.randint(1, 3)
    ints, bools, owned = {}, {}, {}
    has_init = d.random() < 0.15
    declared = []  # (line, owner)
    for owner in [*range(modules)] + (["global"] if d.random() < 0.3 else []):
        owned[owner] = []
        for i in range(d.choices([1, 2], [3, 1])[0]):
            name = f"{'xyz'[owner] if owner != 'global' else 'g'}{i}"
            owned[owner].append(name)
            if d.random() < 0.75:
                low = d.choice([0, 0, 0, -1, 1])
                high = low + d.randint(1, 3)
                ints[name] = (low, high)
                first = d.choice(["", f" init {d.randint(low, high)}"])
                high_text = d.choice([str(high), f"{high - 1}+1"])
                declared.append((f"{name} : [{low}..{high_text}]{'' if has_init else first};", owner))
            else:
                bools[name] = None
                first = d.choice(["", " init true", " init false"])
                declared.append((f"{name} : bool{'' if has_init else first};", owner))
    write = Writer(d, ints, bools)
    lines["formulas"] = []
    for i in range(d.randint(0, 2)):
        if d.random() < 0.5:
            lines["formulas"].append(f"formula f{i} = {write.whole(2)};")
            write.int_names.append(f"f{i}")
        else:
            lines["formulas"].append(f"formula f{i} = {write.truth(2)};")
            write.bool_names.append(f"f{i}")
    write.int_names.append("n")
    lines["globals"] = [f"global {line}" for line, owner in declared if owner == "global"]
    lines["modules"] = []
    for m in range(modules):
        shared = owned.get("global", [])
        commands = [draw_command(d, write, ints, bools, owned[m], shared) for _ in range(d.randint(1, 5))]
        lines["modules"].append((f"module m{m}", [line for line, owner in declared if owner == m], commands))
    names = [f"m{m}" for m in range(modules)]
    if d.random() < 0.35 and modules < 3:
        names.append("copy")
        lines["modules"].append((draw_copy(d, owned, bools, modules), None, None))
        for x in owned[0]:
            (ints if x in ints else bools)[x + "c"] = ints.get(x)
    known = sorted({c[1:c.index("]")] for _, _, commands in lines["modules"] for c in commands or []} - {""})
    lines["system"] = [f"system {draw_system(d, names, known)} endsystem"] if d.random() < 0.3 else []
    write.int_names, write.bool_names = list(ints) + ["n"], list(bools)
    lines["init"] = []
    if has_init:
        parts = [f"{x}={d.randint(*ints[x])}" for x in ints] + [d.choice([x, f"!{x}", f"{x}=true"]) for x in bools]
        lines["init"] = ["init " + " & ".join(parts) + " endinit"]
    lines["labels"] = [f'label "goal" = {write.truth(2)};', f'label "other" = {write.truth(1)};']
    lines["rewards"] = [draw_rewards(d, write, i) for i in range(d.randint(0, 2))]
    return lines


def draw_command(d, write, ints, bools, own, shared):
    action = d.choice(["", "", *ACTIONS])
    writable = own + (shared if not action else [])
    count = d.choices([1, 2, 3], [4, 4, 1])[0]
    updates = []
    for p in write.probabilities(count):
        chosen = d.sample(writable, d.choices([0, 1, min(2, len(writable))], [1, 6, 3])[0])
        parts = []
        for x in chosen:
            if x in bools:
                parts.append(f"({x}'={write.truth(1)})")
                continue
            low, high = ints[x]
            e = write.whole(2)
            safe = d.choice([
                f"max({low},min({high},{e}))", f"mod({e},{high - low + 1})+{low}", f"{x}={high}?{low}:{x}+1",
            ])
            parts.append(f"({x}'={safe if d.random() < 0.97 else e})")
        updates.append((f"{p} : " if p else "") + (" & ".join(parts) or "true"))
    # Guards that often hold: most texts drawn at random would stand still.
    x = d.choice(own)
    wide = f"{x}{d.choice(['<', '>=', '!='])}{d.randint(*ints[x])}" if x in ints else d.choice([x, f"!{x}", "true"])
    guard = d.choices(["true", wide, write.truth(1), write.truth(2)], [1, 3, 2, 2])[0]
    return f"[{action}] {guard} -> {' + '.join(updates)};"


def draw_copy(d, owned, bools, modules):
    renamed = {x: x + "c" for x in owned[0]}
    if modules > 1 and d.random() < 0.5:  # what it reads of another module
        other, new = d.choice(owned[1]), d.choice(owned[0])
        if (other in bools) == (new in bools):
            renamed[other] = new
    for action in ACTIONS:
        if d.random() < 0.3:
            renamed[action] = d.choice(ACTIONS + ["d"])
    if d.random() < 0.2:
        renamed["p"] = "q"
    return f"module copy = m0 [ {', '.join(f'{a}={b}' for a, b in renamed.items())} ] endmodule"


def draw_system(d, names, known):
    """A term over these modules; `known` are actions that the program has somewhere."""
    def some():
        return ",".join(d.sample(known, d.randint(1, min(2, len(known)))))
    if len(names) == 1:
        term = names[0]
    else:
        cut = d.randint(1, len(names) - 1)
        left, right = draw_system(d, names[:cut], known), draw_system(d, names[cut:], known)
        term = f"({left} {d.choice(['||', '||', '|||', f'|[{some()}]|' if known else '||'])} {right})"
    if known and d.random() < 0.3:
        old, new = d.choice(known), d.choice(ACTIONS)
        swap = f"{{{old}<-{new}" + (f",{new}<-{old}}}" if new in known and new != old else "}")
        term += d.choice([f" / {{{some()}}}", f"{{{old}<-{new}}}", swap, f"{{{old}<-e}}"])
    return term


def draw_rewards(d, write, i):
    items = []
    for _ in range(d.randint(1, 3)):
        value = d.choice(["1", "2", "1/2", f"max(0,{write.whole(1)})", "0"])
        action = d.choice(["", "[a] ", "[b] ", "[] ", ""])
        target = f" -> {write.truth(1)}" if action and d.random() < 0.3 else ""
        items.append(f"  {action}{d.choice(['true', write.truth(1)])}{target} : {value};")
    return "\n".join([f'rewards "r{i}"', *items, "endrewards"])


def text_of(lines):
    out = list(lines["head"])
    if any("p=q" in m[0] for m in lines["modules"]):
        out.append("const double q = 1/5;")
    out += lines["formulas"] + lines["globals"]
    for head, variables, commands in lines["modules"]:
        out.append(head)
        if variables is not None:
            out += ["  " + v for v in variables] + ["  " + c for c in commands] + ["endmodule"]
    for part in ("system", "init", "labels", "rewards"):
        out += lines[part]
    return "\n".join(out) + "\n"


# Comparing, shrinking.


class Failure(Exception):
    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind


def run(program, *args, text):
    return subprocess.run([program, *args], input=text, capture_output=True, encoding="utf-8", timeout=600)


def compare(program, lines, seed):
    """Raises Failure; gives the number of questions compared. Another exception: the text is none of the language."""
    text = text_of(lines)
    try:
        model = explore(text)
    except OracleError as error:
        done = run(program, "convert", "-", "-", "--to", "json", "-q", text=text)
        if done.returncode != 2 or done.stdout:
            raise Failure("taken", f"taken, but the oracle says {error}") from error
        return 0
    done = run(program, "convert", "-", "-", "--to", "json", "-q", text=text)
    if model.counts()["choices"] == 0 and done.returncode == 2:
        return 0  # nothing can be done: no model for the program
    if done.returncode != 0:
        raise Failure("refused", done.stderr)
    found = differences(done.stdout, model, len(lines["modules"]))
    if found:
        raise Failure("model", "\n".join(found[:5]))
    if not 1 < len(model.states) <= MOST_STATES:
        return 0
    d, asked = random.Random(f"questions {seed}"), 0
    for _ in range(3):
        asked += ask(program, text, model, d)
    return asked


def ask(program, text, model, d):
    cost, least = d.random() < 0.6, d.random() < 0.4
    tau, side = d.choice(["0.5", "0.1", "0.9", "1/3", "0.75", "0.01", "0.999"]), d.choice(["lower", "upper"])
    horizon = d.choice([None, None, 1, 3, 6])
    goal = None if horizon and d.random() < 0.3 else draw_goal(model, d)
    for _ in range(6 if least and goal else 0):  # an adversary avoids most goals: take one that he cannot
        if Levels(model, model.where(goal), True, True).possible() > 0:
            break
        goal = draw_goal(model, d)
    states = goal and model.where(goal)
    solver = Steps(model, horizon, states, cost, least) if horizon else Levels(model, states, cost, least)
    wanted = solver.quantile(tau, side) if horizon else solver.quantile(tau, side, most=40)
    if wanted is None:
        return 0
    args = ["solve", "-", "--prefer", "probability", "--tau", tau, "--side", side, "--json", "-q", "--exact", "--check"]
    args += ["--cost"] * cost + ["--adversarial"] * least + (["--goal", goal] if goal else [])
    args += ["--horizon", str(horizon)] if horizon else []
    done = run(program, *args, text=text)
    if done.returncode != 0:
        raise Failure("unsolved", f"{args}: exit code {done.returncode}: {done.stderr}")
    result = json.loads(done.stdout, parse_float=str)["results"][0]
    found = result["quantile"] if result["quantile"] == "miss" else number(result["quantile"])
    if found != wanted:
        raise Failure("quantile", f"{args}: {found}, expected {wanted}")
    if wanted != "miss":
        p = solver.probability(wanted) if horizon else solver.at(model.initial, int(wanted * solver.scale))
        # A fraction of hundreds of digits is left out: the nearest double remains.
        exact = result.get("probability_exact")
        if number(exact) != p if exact else float(result["probability"]) != float(p):
            raise Failure("probability", f"{args}: {result}, expected {p}")
    return 1


def draw_goal(model, d):
    """A label or a condition that the initial state does not have, but some other state."""
    for goal in d.sample(["goal", "other", '!"goal"', '"other" => "goal"', '"goal" & "other"'], 5):
        if all(name in model.labels for name in ("goal", "other")):
            states = model.where(goal)
            if states and model.initial not in states:
                return goal
    state = d.choice(model.states[1:])
    first = model.valuations[model.initial]
    return d.choice([f"{x}={str(v).lower()}" for x, v in model.valuations[state].items() if v != first[x]])


def smaller(lines):
    """Every program with one thing less."""
    for part in ("formulas", "globals", "system", "init", "labels", "rewards", "modules"):
        for i in range(len(lines[part])):
            yield {**lines, part: lines[part][:i] + lines[part][i + 1:]}
    for i, block in enumerate(lines["rewards"]):
        rows = block.split("\n")
        for j in range(1, len(rows) - 1):
            less = "\n".join(rows[:j] + rows[j + 1:])
            yield {**lines, "rewards": [*lines["rewards"][:i], less, *lines["rewards"][i + 1:]]}
    for i, (head, variables, commands) in enumerate(lines["modules"]):
        for k, items in enumerate((variables or [], commands or [])):
            for j in range(len(items)):
                parts = [variables, commands]
                parts[k] = items[:j] + items[j + 1:]
                yield {**lines, "modules": [*lines["modules"][:i], (head, *parts), *lines["modules"][i + 1:]]}


def shrink(program, lines, seed, kind):
    again = True
    while again:
        again = False
        for candidate in smaller(lines):
            try:
                compare(program, candidate, seed)
            except Failure as failure:
                if failure.kind == kind:
                    lines, again = candidate, True
                    break
            except Exception:  # no program any more
                continue
    return lines


def check_seed(program, seed, folder):
    """The number of questions compared; None if the seed gave nonsense. Raises AssertionError with the shrunk text."""
    lines = draw_program(seed)
    try:
        return compare(program, lines, seed)
    except Failure as failure:
        lines = shrink(program, lines, seed, failure.kind)
        try:
            compare(program, lines, seed)
        except Failure as last:
            failure = last
        path = pathlib.Path(folder) / f"seed-{seed}.prism"
        path.write_text(f"// {failure.kind}\n" + text_of(lines), encoding="utf-8")
        raise AssertionError(f"seed {seed}, {failure.kind}: {failure}\nsaved as {path}:\n{text_of(lines)}") from failure


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seeds", type=int, default=200)
    options.add_argument("--from", dest="first", type=int, default=0)
    options.add_argument("--save", default=".")
    given = options.parse_args()
    failed = asked = empty = 0
    for seed in range(given.first, given.first + given.seeds):
        try:
            count = check_seed(os.environ["QUANTIPLAN"], seed, given.save)
            asked += count
            empty += count == 0
        except AssertionError as error:
            failed += 1
            print(error)
    print(f"{given.seeds} programs, {asked} questions, {empty} programs without one, {failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
