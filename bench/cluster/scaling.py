#!/usr/bin/env python3
"""Strong and weak scaling over processes of one machine, and what they send, as the tables of docs/scaling.md.

    bench/cluster/scaling.py --program build/release/quantiplan --ranks 1,2,4,8,16

Each run is `mpirun -n P quantiplan solve` with one thread a process; the time is that of the solve alone, as the report has
it. Before a table is printed, the answers of all runs are compared.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/quantiplan")
    parser.add_argument("--ranks", default="1,2,4,8,16")
    parser.add_argument("--states", type=int, default=20000)
    parser.add_argument("--horizon", type=int, default=20)
    parser.add_argument("--rewards", type=int, default=100)
    parser.add_argument("--branching", type=int, default=16)
    parser.add_argument("--weak-states", type=int, default=2500)
    parser.add_argument("--repeat", type=int, default=2)
    return parser.parse_args()


class Bench:
    def __init__(self, given, folder):
        self.given, self.folder = given, folder
        self.environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}

    def model(self, states, actions):
        path = self.folder / f"garnet-{states}-{actions}.umb"
        if not path.exists():
            values = {"states": states, "actions": actions, "branching": self.given.branching,
                      "horizon": self.given.horizon, "greatest-reward": self.given.rewards}
            sets = [f"--{name}={value}" for name, value in values.items()]
            subprocess.run([self.given.program, "generate", "garnet", *sets, "-o", path, "-q"], check=True)
        return path

    def solve(self, model, ranks):
        """The answer without its work, and the best run's work."""
        launch = ["mpirun", "--oversubscribe", "--bind-to", "none", "-n", str(ranks)] if ranks > 1 else []
        best = None
        for _ in range(self.given.repeat):
            done = subprocess.run(
                [*launch, self.given.program, "solve", model, "--horizon", str(self.given.horizon),
                 "--tau", "0.1", "--no-comparison",
                 "--representation", "dense", "--reduce", "none", "--threads", "1", "--json"],
                env=self.environment, check=True, capture_output=True, text=True)
            answer = json.loads(done.stdout)
            work = answer.pop("work")
            print(f"  {model.stem}, {ranks}: {work}", file=sys.stderr, flush=True)
            if best is None or work["seconds"] < best[1]["seconds"]:
                best = answer, work
        return best


def table(head, rows):
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")
    print(flush=True)


def main():
    given = arguments()
    sizes = [int(text) for text in given.ranks.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(given, pathlib.Path(folder))
        print(f"Strong scaling: garnet {given.states}x5x{given.branching}, T = {given.horizon}, R = {given.rewards}\n")
        rows, expected, alone = [], None, None
        for ranks in sizes:
            answer, work = bench.solve(bench.model(given.states, 5), ranks)
            expected = expected or answer
            assert answer == expected, ranks
            alone = alone or ranks * work["seconds"]
            sent = work.get("sent_bytes", 0)
            rows.append([ranks, f"{work['seconds']:.2f} s", f"{work['multiply_adds'] / work['seconds'] / 1e9:.2f}",
                         f"{alone / work['seconds']:.2f}", f"{100 * alone / ranks / work['seconds']:.0f} %",
                         f"{sent / 1e6:.0f} MB", f"{work['peak_bytes'] / 2**20:.0f} MiB"])
        table(["processes", "time", "10^9 multiply-adds/s", "speed-up", "efficiency", "sent by all", "memory each"], rows)
        print(f"Weak scaling: {given.weak_states} states a process\n")
        rows, alone = [], None
        for ranks in sizes:
            _, work = bench.solve(bench.model(given.weak_states * ranks, 5), ranks)
            rate = work["multiply_adds"] / work["seconds"] / ranks
            alone = alone or rate
            rows.append([ranks, given.weak_states * ranks, f"{work['seconds']:.2f} s", f"{rate / 1e9:.2f}",
                         f"{100 * rate / alone:.0f} %"])
        table(["processes", "states", "time", "10^9 multiply-adds/s each", "efficiency"], rows)
        print("Volume: one action a state, so that hardly any decisions are sent\n")
        rows = []
        for ranks in sizes[1:]:
            _, work = bench.solve(bench.model(given.states, 1), ranks)
            most = 8 * given.states * given.rewards * (ranks - 1) * given.horizon
            rows.append([ranks, f"{work['sent_bytes'] / 1e6:.0f} MB", f"{most / 1e6:.0f} MB",
                         f"{work['sent_bytes'] / most:.2f}"])
        table(["processes", "sent by all", "8 S R (P - 1) T", "ratio"], rows)


if __name__ == "__main__":
    main()
