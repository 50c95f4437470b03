"""Quantiplan against the model checker Storm, on programs of our own: equal answers first, then times.

    build/venv/bin/python bench/python/storm.py [--program FILE] [--quick] [--json] [--page FILE] [--cpu]
                                                [--only NAME] [--runs N]

`make bench-peers` installs stormpy into build/venv. Of each program: exploration, the 0.1-quantile of the cost to a
goal (the least budget that suffices with probability more than 0.9), and the greatest probability of keeping it;
where another event than the goal is undecided, its greatest probability, in doubles and in rationals.
They run in turn, Quantiplan on one thread and on all cores, and each keeps its best. Storm's time is that of its
process, which has one thread; Quantiplan's is that of its own clock on the wall: what else the machine does counts
against Quantiplan, and so it has three tries in each of three rounds. With --cpu its clock is that of its process.
Exploration is the time of the process of a whole run of `info`.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import programs

SOURCE = Path(__file__).resolve().parents[2]
PROGRAMS = SOURCE / "tests" / "prism" / "models"
RUNS = 3
TRIES = 3  # of Quantiplan, in each run

# Loaded before the C library: whoever asks for the steady clock is told the time of the process.
PROCESS_CLOCK = """
#include <time.h>
#include <sys/syscall.h>
#include <unistd.h>
int clock_gettime(clockid_t id, struct timespec* now) {
  return syscall(SYS_clock_gettime, id == CLOCK_MONOTONIC ? CLOCK_PROCESS_CPUTIME_ID : id, now);
}
"""


@dataclass(frozen=True)
class Case:
    name: str
    text: str
    constants: dict[str, int | float]
    reward: str
    goal: str
    event: str | None = None  # may happen or not, without bound

    def definitions(self) -> str:
        return ",".join(f"{name}={value}" for name, value in self.constants.items())


def text_of(file: Path, constants: dict[str, int | float]) -> str:
    """A program, with constants that it defines itself left open where they are given."""
    text = file.read_text(encoding="utf-8")
    for name in constants:
        text = re.sub(rf"^const (int|double) {name} = [^;]*;", rf"const \1 {name};", text, flags=re.M)
    return text


def cases(quick: bool) -> list[Case]:
    def consensus(n: int, k: int) -> Case:
        text = text_of(PROGRAMS / "consensus.prism", {})
        return Case(f"consensus N={n} K={k}", text, {"N": n, "K": k}, "steps", "decided", "disagree")

    def named_coin(n: int, k: int) -> Case:
        return Case(f"named coin N={n} K={k}", programs.named_coin(n, k), {}, "steps", "decided", "disagree")

    def backoff(stations: int, most: int) -> Case:
        name = f"backoff, {stations} stations, most={most}"
        return Case(name, programs.backoff(stations, most), {}, "slots", "sent")

    def listening(stations: int, most: int, length: int, delay: int) -> Case:
        name = f"listening, {stations} stations, most={most}"
        return Case(name, programs.listening(stations, most, length, delay), {}, "ticks", "sent")

    def acknowledged(most: int, shortest: int, longest: int) -> Case:
        name = f"acknowledged most={most}, {shortest} to {longest} ticks"
        return Case(name, programs.acknowledged(most, shortest, longest, 5), {}, "ticks", "sent")

    def contention(pause: int, fast: tuple[int, int], slow: tuple[int, int], delay: int) -> Case:
        name = f"root contention, delay={delay}"
        return Case(name, programs.root_contention(pause, fast, slow, delay), {}, "ticks", "chosen")

    def gathering(size: int) -> Case:
        constants = {"danger": 0.1, "width": size, "height": size}
        text = text_of(SOURCE / "examples" / "gathering.prism", constants)
        return Case(f"gathering {size}x{size}", text, constants, "steps", "rich")

    if quick:
        few = [consensus(2, 2), named_coin(2, 2), backoff(2, 2), gathering(3)]
        return [*few, listening(2, 1, 3, 1), acknowledged(1, 2, 3), contention(2, (2, 3), (5, 6), 1)]
    small = [consensus(2, 2), consensus(4, 2), backoff(3, 2), backoff(2, 4), gathering(3), gathering(10)]
    small += [named_coin(2, 2), named_coin(3, 2), listening(2, 4, 20, 4), acknowledged(1, 4, 6)]
    small += [contention(4, (5, 6), (12, 14), 2), contention(20, (24, 26), (50, 60), 10)]
    large = [consensus(6, 2), backoff(2, 6), backoff(3, 4), gathering(70)]
    large += [named_coin(4, 2), named_coin(4, 4), named_coin(5, 2), listening(2, 6, 60, 5), listening(3, 3, 16, 4)]
    return small + large + [acknowledged(5, 20, 80), contention(60, (40, 42), (100, 120), 20)]


class Storm:
    def __init__(self, case: Case, path: Path) -> None:
        import stormpy

        self.stormpy = stormpy
        program = stormpy.parse_prism_program(str(path))
        if case.constants:
            program, _ = stormpy.instantiate_constants(program, case.definitions())
        self.program = program
        self.case = case
        self.parsed: dict[str, list] = {}  # a quantile's variable is declared once

    def property(self, formula: str) -> list:
        if formula not in self.parsed:
            self.parsed[formula] = self.stormpy.parse_properties(formula, self.program)
        return self.parsed[formula]

    def explore(self) -> tuple[float, int]:
        wanted = self.property(f'Pmax=? [F{{"{self.case.reward}"}}<=1 "{self.case.goal}"]')
        if self.case.event:
            wanted = wanted + self.property(f'Pmax=? [F "{self.case.event}"]')
        begin = time.process_time()
        self.model = self.stormpy.build_model(self.program, wanted)
        return time.process_time() - begin, self.model.nr_states

    def check(self, formula: str) -> tuple[float, float]:
        wanted = self.property(formula)[0]
        begin = time.process_time()
        result = self.stormpy.model_checking(self.model, wanted, only_initial_states=True)
        seconds = time.process_time() - begin
        return seconds, float(result.get_value(self.model.initial_states[0]))

    def unbounded(self) -> tuple[float, float]:
        return self.check(f'Pmax=? [F "{self.case.event}"]')

    def exactly(self) -> tuple[float, Fraction]:
        rational = self.stormpy.numbers.Rational
        wanted = self.property(f'Pmax=? [F "{self.case.event}"]')
        model = self.stormpy.build_model[rational](self.program, wanted)
        exact = self.stormpy.environments.exact()
        begin = time.process_time()
        result = self.stormpy.model_checking(model, wanted[0], only_initial_states=True, environment=exact)
        seconds = time.process_time() - begin
        return seconds, Fraction(str(result.get_value(model.initial_states[0])))

    def quantile(self) -> tuple[float, float]:
        return self.check(f'quantile(min B, Pmax>0.9 [F{{"{self.case.reward}"}}<=B "{self.case.goal}"])')

    def bounded(self, budget: float) -> tuple[float, float]:
        return self.check(f'Pmax=? [F{{"{self.case.reward}"}}<={budget:g} "{self.case.goal}"]')


class Quantiplan:
    def __init__(self, case: Case, path: Path, program: Path, clock: Path | None) -> None:
        self.case = case
        self.program = program
        self.environment = os.environ | ({"LD_PRELOAD": str(clock)} if clock else {})
        constants = ["--const", case.definitions()] if case.constants else []
        self.model = [str(path), *constants, "--reward", case.reward]
        self.question = [*self.model, "--goal", case.goal, "--cost", "--horizon", "infinite"]

    def run(self, command: str, *arguments: str) -> dict:
        done = subprocess.run(
            [str(self.program), command, *arguments, "--json"],
            check=True,
            capture_output=True,
            encoding="utf-8",
            env=self.environment,
        )
        return json.loads(done.stdout)

    def explore(self) -> tuple[float, int]:
        begin = time_of_children()
        answer = self.run("info", *self.model)
        return time_of_children() - begin, answer["model"]["states"]

    def quantile(self, *threads: str) -> tuple[float, float]:
        answer = self.run("solve", *self.question, *threads, "--tau", "0.1", "--no-comparison")
        return answer["work"]["seconds"], answer["results"][0]["quantile"]

    def bounded(self, budget: float, *threads: str) -> tuple[float, float]:
        answer = self.run("threshold", *self.question, *threads, "--target", f"{budget:g}")
        return answer["work"]["seconds"], answer["results"][0]["probability"]

    def unbounded(self, *threads: str) -> tuple[float, float]:
        answer = self.reach(*threads)
        return answer["work"]["seconds"], answer["results"][0]["probability"]

    def exactly(self, *threads: str) -> tuple[float, Fraction]:
        answer = self.reach(*threads, "--exact")
        return answer["work"]["seconds"], Fraction(answer["results"][0]["probability_exact"])

    def reach(self, *arguments: str) -> dict:
        goal = ["--goal", self.case.event, "--cost", "--horizon", "infinite"]
        return self.run("threshold", *self.model, *goal, "--target", "inf", *arguments)


def time_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def process_clock(folder: Path) -> Path:
    source, library = folder / "process_clock.c", folder / "process_clock.so"
    source.write_text(PROCESS_CLOCK, encoding="utf-8")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
    return library


def best_of_tries(ask: Callable[[], tuple[float, float]]) -> tuple[float, float]:
    return min(ask() for _ in range(TRIES))


def same(case: Case, question: str, storm: float, ours: float) -> None:
    # Storm's default precision is 1e-6, relatively.
    is_rounded = question in ("bounded", "unbounded")
    if not (math.isclose(storm, ours, rel_tol=2e-6) if is_rounded else storm == ours):
        sys.exit(f"{case.name}, {question}: Storm says {storm}, Quantiplan {ours}")


def compare(case: Case, program: Path, folder: Path, runs: int, clock: Path | None) -> list[dict]:
    path = folder / "program.prism"
    path.write_text(case.text, encoding="utf-8")
    storm, ours = Storm(case, path), Quantiplan(case, path, program, clock)
    one = ["--threads", "1"]
    best: dict[str, list[float]] = {}
    states = 0
    for _ in range(runs):
        found = {
            "exploration": (storm.explore(), best_of_tries(ours.explore)),
            "quantile": (storm.quantile(), best_of_tries(lambda: ours.quantile(*one)), best_of_tries(ours.quantile)),
        }
        budget = found["quantile"][1][1]
        found["bounded"] = (
            storm.bounded(budget),
            best_of_tries(lambda budget=budget: ours.bounded(budget, *one)),
            best_of_tries(lambda budget=budget: ours.bounded(budget)),
        )
        if case.event:
            for question in ("unbounded", "exactly"):
                ask = getattr(ours, question)
                found[question] = (
                    getattr(storm, question)(),
                    best_of_tries(lambda ask=ask: ask(*one)),
                    best_of_tries(ask),
                )
        states = found["exploration"][1][1]
        for question, (theirs, *own) in found.items():
            for _, answer in own:
                same(case, question, theirs[1], answer)
            seconds = [each for each, _ in (theirs, *own)]
            best[question] = [min(pair) for pair in zip(best.get(question, seconds), seconds, strict=True)]
    rows = []
    for question, (theirs, *own) in best.items():
        row = {"program": case.name, "states": states, "question": question, "storm": theirs, "quantiplan": own[0]}
        rows.append(row | ({"all_cores": own[1]} if len(own) > 1 and clock is None else {}))
    return rows


def table(rows: list[dict]) -> str:
    lines = [
        "| program | states | question | Storm | Quantiplan | all cores | Storm / Quantiplan |",
        "|---|---:|---|---:|---:|---:|---:|",
    ]
    for row in rows:
        ratio = row["storm"] / row["quantiplan"]
        all_cores = f"{row['all_cores']:.3g} s" if "all_cores" in row else ""
        lines.append(
            f"| {row['program']} | {row['states']} | {row['question']} | {row['storm']:.3g} s "
            f"| {row['quantiplan']:.3g} s | {all_cores} | {ratio:.2f} |"
        )
    return "\n".join(lines) + "\n" + summary(rows)


LARGE = 10_000  # states


def summary(rows: list[dict]) -> str:
    """The ratios of solving in one line, those of large programs and those without a bound apart."""

    def ratios(least: int, *questions: str) -> list[float]:
        solved = [row for row in rows if row["question"] in questions and row["states"] >= least]
        return [row["storm"] / row["quantiplan"] for row in solved]

    words = f"Storm / Quantiplan, solved: at least {min(ratios(0, 'quantile', 'bounded')):.2f}"
    if large := ratios(LARGE, "quantile", "bounded"):
        mean = math.exp(sum(map(math.log, large)) / len(large))
        words += f"; with {LARGE} states and more at least {min(large):.2f}, their geometric mean {mean:.1f}"
    if any(row["question"] == "unbounded" for row in rows):
        words += f". Without a bound at least {min(ratios(0, 'unbounded')):.2f} in doubles"
        words += f" and {min(ratios(0, 'exactly')):.2f} in rationals"
    return f"\n{words}.\n"


def put_into(page: Path, rows: list[dict], version: str, by_process: bool) -> None:
    text = page.read_text(encoding="utf-8")
    begin, end = "<!-- peers: storm -->\n", "<!-- end of peers -->\n"
    head, rest = text.split(begin)
    _, tail = rest.split(end)
    load = f"{os.cpu_count()} core(s), whose load was {os.getloadavg()[0]:.1f} at the end"
    clock = "times of the processes, of one thread each" if by_process else "one thread each, unless all are named"
    words = f"Storm by stormpy {version}; {clock}. {load}."
    page.write_text(f"{head}{begin}{words}\n\n{table(rows)}{end}{tail}", "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, default=SOURCE / "build" / "release" / "quantiplan")
    parser.add_argument("--quick", action="store_true", help="tiny programs, once: do both agree?")
    parser.add_argument("--only", help="programs whose names have this in them")
    parser.add_argument("--runs", type=int, default=RUNS, help=f"interleaved rounds; default {RUNS}")
    parser.add_argument("--json", action="store_true", help="print one object instead of a table")
    parser.add_argument("--page", type=Path, help="put the table into this page")
    parser.add_argument("--cpu", action="store_true", help="all times are those of processes, on one thread")
    options = parser.parse_args()
    try:
        from importlib.metadata import version

        stormpy_version = version("stormpy")
    except ImportError:
        sys.exit("stormpy is not installed for this Python: make bench-peers")
    rows: list[dict] = []
    with tempfile.TemporaryDirectory() as folder:
        clock = process_clock(Path(folder)) if options.cpu else None
        for case in cases(options.quick):
            if options.only and options.only not in case.name:
                continue
            rows += compare(case, options.program, Path(folder), 1 if options.quick else options.runs, clock)
            print(f"{case.name}: done", file=sys.stderr)
    print(json.dumps({"stormpy": stormpy_version, "rows": rows}) if options.json else table(rows))
    if options.page:
        put_into(options.page, rows, stormpy_version, options.cpu)


if __name__ == "__main__":
    main()
