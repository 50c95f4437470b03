"""quantiplan experiment: the paper's figures in their quick form, and the models they are made of."""

import csv
import json
import math
import os
import shutil
import signal
import subprocess
import time
import xml.etree.ElementTree
from collections import Counter
from fractions import Fraction

import pytest

FIGURES = ["fig1", "fig2", "fig3"]
METHODS = ["paper", "quantiplan", "quantiplan-99"]
EPSILON = 1e-3
MEASURED = [
    "outcomes", "seconds", "passes", "seconds_per_pass", "quantile", "upper", "certificate", "limit_seconds",
]


QUESTION = ["tau", "side", "epsilon"]
GARNET_PARAMETERS = [
    "states", "actions", "branching", "horizon", "discount", "reward_of", "rewards", "least_reward",
    "greatest_reward", "reward_digits", "grid", "seed",
]


def parameters_of(quantiplan, domain):
    """The columns of a domain's parameters, from the help of the program."""
    lines = quantiplan("generate", "--list", code=0).stdout.splitlines()
    found = []
    for line in lines[[line.split(":")[0] for line in lines].index(domain) + 1 :]:
        if not line:
            break
        found.append(line.split()[0].removeprefix("--").replace("-", "_"))
    return found


def experiment(quantiplan, figure, *args, code=0, **more):
    return quantiplan("experiment", figure, "--quick", "--out", "out", *args, code=code, **more)


def table(quantiplan, figure, *args):
    experiment(quantiplan, figure, "--no-plot", *args)
    return rows_of(quantiplan, figure)


def rows_of(quantiplan, name):
    with open(quantiplan.folder / "out" / f"{name}.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def keys(rows, *columns):
    return Counter(tuple(row[column] for column in columns) for row in rows)


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# The tables


def test_fig1_has_every_point_once(quantiplan):
    rows = table(quantiplan, "fig1")
    assert list(rows[0]) == [*GARNET_PARAMETERS, *QUESTION, "threads", "method", *MEASURED]
    expected = {(n, seed, method): 1 for n in ("20", "40") for seed in ("1", "2") for method in METHODS}
    assert keys(rows, "states", "seed", "method") == expected
    for row in rows:
        states, branching = int(row["states"]), int(row["branching"])
        assert branching == math.ceil(math.log2(states))
        assert int(row["outcomes"]) == states * 5 * branching
        assert (row["actions"], row["horizon"], row["rewards"]) == ("5", "5", "uniform")
        assert (row["tau"], row["side"], row["epsilon"], row["threads"]) == ("0.1", "lower", "0.001", "1")


def test_fig2_has_every_point_once(quantiplan):
    rows = table(quantiplan, "fig2")
    names = parameters_of(quantiplan, "datacenter")
    assert names[:2] == ["servers", "horizon"]
    assert list(rows[0]) == [*names, *QUESTION, "threads", "method", *MEASURED]
    assert {(row["mean_halves"], row["power"], row["initial_on"]) for row in rows} == {("1;3;5", "2", "auto")}
    expected = {(n, horizon, method): 1 for n in "23" for horizon in "123" for method in METHODS}
    assert keys(rows, "servers", "horizon", "method") == expected


def test_every_table_says_what_its_models_are_made_from(quantiplan):
    assert parameters_of(quantiplan, "garnet") == GARNET_PARAMETERS
    table(quantiplan, "fig3")
    summary = rows_of(quantiplan, "fig3-summary")
    assert list(summary[0]) == [*GARNET_PARAMETERS, *QUESTION, "policy", "quantile", "mean", "at_least"]
    laws = rows_of(quantiplan, "fig3")
    shared = ["states", "actions", "branching", "horizon", "rewards", "seed", *QUESTION, "policy"]
    assert list(laws[0]) == [*shared, "wealth", "probability", "cumulative"]
    assert set(keys(laws, *shared)) == set(keys(summary, *shared))
    assert {row["states"] for row in summary} == {"30"}
    # The models can be made again from their row.
    for row in summary:
        given = [part for name in GARNET_PARAMETERS for part in (f"--{name.replace('_', '-')}", row[name])]
        quantiplan("generate", "garnet", *given, "-o", "again.json", code=0)
        if row["policy"] == "quantile":
            [result] = quantiplan.json(
                "solve", "again.json", "--tau", row["tau"], "--side", row["side"], "--epsilon", row["epsilon"]
            )["results"]
            assert float(result["quantile"]) == float(row["quantile"])


def test_points_of_other_sizes_are_not_taken_for_these(quantiplan):
    """A quick run and a full one may share a folder: rows of other parameters stay, and do not count."""
    table(quantiplan, "fig3")
    path = quantiplan.folder / "out" / "fig3-summary.csv"
    path.write_text(path.read_text().replace("\n30,", "\n31,"))
    table(quantiplan, "fig3")
    assert sorted(row["states"] for row in rows_of(quantiplan, "fig3-summary")) == ["30"] * 4 + ["31"] * 4


@pytest.mark.parametrize("figure, column, far", [("fig1", "states", 80), ("fig2", "horizon", 6)])
def test_beyond_adds_points_that_the_papers_algorithm_is_spared(quantiplan, figure, column, far):
    near = table(quantiplan, figure)
    rows = table(quantiplan, figure, "--beyond")
    assert rows[: len(near)] == near  # kept, times included
    added = rows[len(near):]
    assert {int(row[column]) for row in added} == {far}
    assert {row["method"] for row in added} == {"quantiplan", "quantiplan-99"}


@pytest.mark.parametrize("figure, model", [("fig1", ["states", "seed"]), ("fig2", ["servers", "horizon"])])
def test_all_methods_agree_on_every_model(quantiplan, figure, model):
    """Brackets hold the optimum, so those of one model have a point in common; they are as narrow as asked for."""
    brackets = {}
    for row in table(quantiplan, figure):
        low, high = float(row["quantile"]), float(row["upper"])
        assert low <= high
        assert row["certificate"] in ("exact", "bracket")
        if row["certificate"] == "exact":
            assert low == high
        elif figure == "fig1":
            assert high - low <= EPSILON * (1 + 1e-9)
        brackets.setdefault(tuple(row[column] for column in model), []).append((low, high))
    for found in brackets.values():
        assert len(found) == len(METHODS)
        assert max(low for low, _ in found) <= min(high for _, high in found) + 1e-12


@pytest.mark.parametrize("figure", ["fig1", "fig2"])
def test_times_fit_together(quantiplan, figure):
    for row in table(quantiplan, figure):
        seconds, passes = float(row["seconds"]), int(row["passes"])
        assert seconds > 0 and passes >= 1
        assert float(row["seconds_per_pass"]) == pytest.approx(seconds / passes, rel=1e-6)


def test_the_papers_algorithm_searches_and_quantiplan_does_not(quantiplan):
    """A total of five rewards in [0, 1], to a thousandth: at most ceil(log2 5000) halvings, and one try more."""
    for row in table(quantiplan, "fig1"):
        if row["method"] == "paper":
            assert 2 <= int(row["passes"]) <= math.ceil(math.log2(5 / EPSILON)) + 1
        else:
            assert (row["passes"], row["certificate"]) == ("1", "exact")


def test_a_run_that_meets_its_limit_says_so(quantiplan):
    rows = table(quantiplan, "fig1", "--limit", "1e-6")
    stopped = [row for row in rows if row["certificate"] == "limit"]
    assert [row for row in stopped if row["method"] == "paper"] == [row for row in rows if row["method"] == "paper"]
    for row in stopped:
        assert float(row["seconds"]) == float(row["limit_seconds"])
        assert row["method"] != "paper" or float(row["limit_seconds"]) == 1e-6


# The third figure: two distributions


def summary_by_seed(quantiplan):
    table(quantiplan, "fig3")
    found = {}
    for row in rows_of(quantiplan, "fig3-summary"):
        numbers = {name: float(row[name]) for name in ("tau", "quantile", "mean", "at_least")}
        assert row["policy"] not in found.setdefault(row["seed"], {})
        found[row["seed"]][row["policy"]] = numbers
    assert sorted(found) == ["1", "2"]
    for each in found.values():
        assert sorted(each) == ["expectation", "quantile"]
    return found


def curve(rows, seed, policy):
    return [
        (float(row["wealth"]), float(row["probability"]), float(row["cumulative"]))
        for row in rows
        if (row["seed"], row["policy"]) == (seed, policy)
    ]


def test_the_best_quantile_and_the_best_mean_are_what_they_say(quantiplan):
    for each in summary_by_seed(quantiplan).values():
        best, other = each["quantile"], each["expectation"]
        assert best["quantile"] >= other["quantile"] - EPSILON
        assert best["mean"] <= other["mean"] + 1e-9
        assert best["at_least"] >= 0.9
        assert other["at_least"] <= best["at_least"] or other["quantile"] >= best["quantile"] - EPSILON


def test_the_two_policies_differ(quantiplan):
    """Otherwise the figure shows nothing: somewhere the best mean has a smaller quantile, and breaks the promise."""
    found = summary_by_seed(quantiplan).values()
    assert any(each["expectation"]["quantile"] < each["quantile"]["quantile"] - EPSILON for each in found)
    assert any(each["expectation"]["mean"] > each["quantile"]["mean"] + EPSILON for each in found)
    assert any(each["expectation"]["at_least"] < 0.9 for each in found)


@pytest.mark.parametrize("policy", ["quantile", "expectation"])
def test_distributions_ascend_to_one_and_give_the_numbers_of_the_summary(quantiplan, policy):
    summary = summary_by_seed(quantiplan)
    rows = rows_of(quantiplan, "fig3")
    for seed, facts in summary.items():
        atoms = curve(rows, seed, policy)
        wealths = [wealth for wealth, _, _ in atoms]
        assert wealths == sorted(set(wealths)) and len(wealths) > 1
        assert all(probability > 0 for _, probability, _ in atoms)
        below = 0.0
        for _, probability, cumulative in atoms:
            assert cumulative >= below
            assert cumulative == pytest.approx(below + probability, abs=2e-9)
            below = cumulative
        assert abs(below - 1) <= 1e-9
        # The lower quantile: the first wealth at which the cumulative reaches tau.
        tau = facts[policy]["tau"]
        assert facts[policy]["quantile"] == next(w for w, _, cumulative in atoms if cumulative >= tau)
        assert facts[policy]["mean"] == pytest.approx(sum(w * p for w, p, _ in atoms), abs=1e-7)
        promise = facts["quantile"]["quantile"]
        assert facts[policy]["at_least"] == pytest.approx(sum(p for w, p, _ in atoms if w >= promise), abs=1e-7)


# Begun again, and what stands in the way


@pytest.mark.parametrize("figure", FIGURES)
def test_a_second_run_computes_nothing_again(quantiplan, figure):
    out = quantiplan.folder / "out"
    experiment(quantiplan, figure, "--no-plot")
    first = contents(out)
    experiment(quantiplan, figure, "--no-plot")
    assert contents(out) == first


def test_missing_points_are_computed_and_the_others_kept(quantiplan):
    rows = table(quantiplan, "fig1")
    path = quantiplan.folder / "out" / "fig1.csv"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:4] + lines[6:]))
    again = table(quantiplan, "fig1")
    assert len(again) == len(rows)
    kept = [row for row in again if row in rows]
    assert len(kept) >= len(rows) - 2
    assert keys(again, "states", "seed", "method") == keys(rows, "states", "seed", "method")


def test_a_seed_whose_summary_is_missing_is_computed_again(quantiplan):
    """As an interruption between the two tables leaves them."""
    table(quantiplan, "fig3")
    out = quantiplan.folder / "out"
    first = contents(out)
    path = out / "fig3-summary.csv"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:3]))
    table(quantiplan, "fig3")
    assert contents(out) == first


def run_until_rows(quantiplan, count):
    """The full form, stopped by Ctrl-C as soon as its table has so many rows; the lines of the table."""
    path = quantiplan.folder / "out" / "fig1.csv"
    running = quantiplan.start("experiment", "fig1", "--out", "out", "--no-plot", "--limit", "600", "--quiet")
    for _ in range(24000):
        if path.exists() and len(path.read_text().splitlines()) > count:
            break
        assert running.poll() is None, running.communicate()
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=1200)
    assert (running.returncode, out) == (1, "")
    assert err == "quantiplan: interrupted; finished points are in out, run this again to go on\n"
    return path.read_text().splitlines()


def test_an_interrupted_run_keeps_its_points_and_goes_on(quantiplan):
    first = run_until_rows(quantiplan, 1)
    assert len(first) > 1 and len({line.count(",") for line in first}) == 1
    second = run_until_rows(quantiplan, len(first))
    assert len(second) > len(first)
    assert second[: len(first)] == first  # times included


def test_a_row_that_is_cut_off_is_one_clear_error(quantiplan):
    experiment(quantiplan, "fig1", "--no-plot")
    path = quantiplan.folder / "out" / "fig1.csv"
    lines = path.read_text().splitlines()
    lines[2] = lines[2].rpartition(",")[0]
    damaged = "\n".join(lines) + "\n"
    path.write_text(damaged)
    [message] = quantiplan.fails("experiment", "fig1", "--quick", "--out", "out", "--no-plot")
    assert message == (
        "out/fig1.csv:3: found 24 cells, expected 25; remove the line to have it computed again"
    )
    assert path.read_text() == damaged


@pytest.mark.parametrize("figure", [*FIGURES, "fig3-summary"])
def test_a_file_of_something_else_is_one_clear_error_and_survives(quantiplan, figure):
    (quantiplan.folder / "out").mkdir()
    quantiplan.write(f"out/{figure}.csv", "my,own,notes\n1,2,3\n")
    [message] = quantiplan.fails("experiment", figure[:4], "--quick", "--out", "out", "--no-plot")
    assert message.startswith(f"out/{figure}.csv:1: no table of this experiment, expected the columns ")
    assert (quantiplan.folder / "out" / f"{figure}.csv").read_text() == "my,own,notes\n1,2,3\n"


def test_a_folder_that_cannot_be_made_is_an_error(quantiplan):
    quantiplan.write("out", "a file\n")
    [message] = quantiplan.fails("experiment", "fig3", "--quick", "--out", "out/deep")
    assert message.startswith("out/deep: cannot make the folder: ")


def test_a_figure_must_be_named(quantiplan):
    for args in ([], ["fig4"]):
        [message] = quantiplan.fails("experiment", *args)
        assert "fig1, fig2, fig3" in message


# The figures


def imports_matplotlib(python):
    return subprocess.run([python, "-c", "import matplotlib"], capture_output=True, check=False).returncode == 0


def with_first(folder):
    return {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}"}


@pytest.fixture(scope="module")
def drawing():
    """An environment whose python3 has matplotlib: Debian's, if the first one in PATH has not."""
    for folder in [*os.environ["PATH"].split(os.pathsep), "/usr/bin"]:
        python = shutil.which("python3", path=folder)
        if python and imports_matplotlib(python):
            return with_first(folder)
    pytest.skip("no python3 with matplotlib")


def check_svg(path):
    root = xml.etree.ElementTree.parse(path).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert len(list(root.iter("{http://www.w3.org/2000/svg}path"))) > 20


def check_png(path):
    """Its chunks are walked from the signature to the end, and there is nothing behind."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, names = 8, []
    while at < len(data):
        length = int.from_bytes(data[at: at + 4], "big")
        names.append(data[at + 4: at + 8])
        at += 12 + length
    assert at == len(data)
    assert (names[0], names[-1]) == (b"IHDR", b"IEND") and b"IDAT" in names
    width, height = (int.from_bytes(data[start: start + 4], "big") for start in (16, 20))
    assert width >= 600 and height >= 400


@pytest.mark.parametrize("figure", FIGURES)
def test_figures_are_drawn_and_the_same_data_give_the_same_svg(quantiplan, drawing, figure):
    done = experiment(quantiplan, figure, env=drawing)
    assert done.stderr == ""
    out = quantiplan.folder / "out"
    named = done.stdout.splitlines()
    assert {f"out/{figure}.csv", f"out/{figure}.svg", f"out/{figure}.png"} <= set(named)
    assert sorted(f"out/{path.name}" for path in out.iterdir()) == sorted(named)  # nothing else is left
    check_svg(out / f"{figure}.svg")
    check_png(out / f"{figure}.png")
    first = (out / f"{figure}.svg").read_bytes()
    (out / f"{figure}.svg").unlink()
    experiment(quantiplan, figure, env=drawing)
    assert (out / f"{figure}.svg").read_bytes() == first


@pytest.mark.parametrize("figure", ["fig1", "fig2"])
def test_runs_that_did_not_finish_are_drawn_too(quantiplan, drawing, figure):
    experiment(quantiplan, figure, "--limit", "1e-6", env=drawing)
    check_svg(quantiplan.folder / "out" / f"{figure}.svg")


def test_without_matplotlib_the_tables_are_there_and_the_remedy_is_named(quantiplan):
    bare = quantiplan.folder / "bare"
    bare.mkdir()
    python = bare / "python3"
    python.write_text("#!/bin/sh\nexit 1\n")
    python.chmod(0o755)
    done = experiment(quantiplan, "fig3", env={"QUANTIPLAN_PYTHON": str(python)})
    assert "install python3-matplotlib" in done.stderr and len(done.stderr.splitlines()) == 1
    assert done.stdout == "out/fig3.csv\nout/fig3-summary.csv\n"
    assert sorted(contents(quantiplan.folder / "out")) == ["fig3-summary.csv", "fig3.csv"]
    assert experiment(quantiplan, "fig3", "--quiet", env=with_first(bare)).stderr == ""
    assert experiment(quantiplan, "fig3", "--no-plot", env=with_first(bare)).stderr == ""


# The models


def exact(value):
    return value if isinstance(value, Fraction) else Fraction(value)


def generated(quantiplan, *args):
    text = quantiplan("generate", *args, code=0).stdout
    return json.loads(text, parse_float=Fraction, parse_int=Fraction)


def outcomes(choice):
    """[(next state, probability, reward)], all numbers exact."""
    common = exact(choice.get("reward", 0))
    if isinstance(choice["next"], dict):
        return [(state, exact(probability), common) for state, probability in choice["next"].items()]
    return [
        (each["to"], exact(each["probability"]), common + exact(each.get("reward", 0))) for each in choice["next"]
    ]


GARNET = ["garnet", "--states", 40, "--actions", 3, "--branching", 6]


@pytest.mark.parametrize("kind", ["uniform", "integer", "skewed"])
def test_the_seed_decides_the_bytes_of_a_garnet(quantiplan, kind):
    texts = {
        seed: quantiplan("generate", *GARNET, "--rewards", kind, "--seed", seed, code=0).stdout
        for seed in (1, 2, 2**40)
    }
    assert len(set(texts.values())) == 3
    for seed, text in texts.items():
        name = f"garnet-{seed}.json"
        quantiplan("generate", *GARNET, "--rewards", kind, "--seed", seed, "-o", name, code=0)
        assert (quantiplan.folder / name).read_bytes() == text.encode()


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("kind", ["uniform", "integer", "skewed"])
def test_garnets_are_built_as_specified(quantiplan, kind, seed):
    model = generated(quantiplan, *GARNET, "--rewards", kind, "--seed", seed)
    states = [f"s{i}" for i in range(40)]
    assert model["states"] == states
    assert keys(model["choices"], "state", "action") == {(s, f"a{i}"): 1 for s in states for i in range(3)}
    for choice in model["choices"]:
        following = outcomes(choice)
        assert len({state for state, _, _ in following} & set(states)) == len(following) == 6
        assert all(probability > 0 for _, probability, _ in following)
        assert sum(probability for _, probability, _ in following) == 1
        greatest = 100 if kind == "integer" else 1
        assert all(0 <= reward <= greatest for _, _, reward in following)
        assert kind != "integer" or all(reward.denominator == 1 for _, _, reward in following)


def test_uniform_rewards_fill_the_interval_and_skewed_ones_lean(quantiplan):
    """600 choices. Of uniform rewards about half are below 1/2 (5 standard deviations: 61); skewed ones lean to 0."""

    def rewards(kind):
        model = generated(quantiplan, "garnet", "--states", 120, "--rewards", kind)
        assert len(model["choices"]) == 600
        return sorted(reward for choice in model["choices"] for _, _, reward in outcomes(choice))

    uniform = rewards("uniform")[::7]  # one for each choice, whatever its outcome
    assert abs(sum(reward < Fraction(1, 2) for reward in uniform) - 300) <= 61
    assert uniform[0] < Fraction(1, 20) and uniform[-1] > Fraction(19, 20)
    assert len(set(uniform)) == 600
    skewed = rewards("skewed")
    median, mean = skewed[len(skewed) // 2], sum(skewed) / len(skewed)
    assert median < mean < Fraction(1, 2)


def truncated_poisson(mean, greatest):
    """Conditioned on 1 .. greatest, in exact fractions."""
    weights = [Fraction(mean**jobs, math.factorial(jobs)) for jobs in range(1, greatest + 1)]
    return {jobs: weight / sum(weights) for jobs, weight in enumerate(weights, start=1)}


@pytest.mark.parametrize("servers", [2, 5, 6])
def test_the_load_of_a_data_centre_is_poisson_by_regime(quantiplan, servers):
    model = generated(quantiplan, "datacenter", "--servers", servers)
    most, grid = 3 * servers, 10**6
    assert model["states"] == [f"on={on},jobs={j}" for on in range(1, servers + 1) for j in range(1, most + 1)]
    assert len(model["states"]) == 3 * servers**2
    assert keys(model["choices"], "state", "action") == {
        (state, f"{on} on"): 1 for state in model["states"] for on in range(1, servers + 1)
    }
    for choice in model["choices"]:
        jobs = int(choice["state"].partition("jobs=")[2])
        regime = 0 if jobs <= servers else 1 if jobs <= 2 * servers else 2
        law = truncated_poisson(-(-(2 * regime + 1) * servers // 2), most)
        found = {state: probability for state, probability, _ in outcomes(choice)}
        assert sum(found.values()) == 1
        on = choice["action"].split()[0]
        assert set(found) <= {f"on={on},jobs={each}" for each in law}
        difference = {each: found.get(f"on={on},jobs={each}", 0) - share for each, share in law.items()}
        assert all(abs(each) < Fraction(1, grid) for each in difference.values())
        assert abs(sum(each * gap for each, gap in difference.items())) < Fraction(most * (most + 1), 2 * grid)


def test_thirty_servers_are_the_papers_2700_states(quantiplan):
    quantiplan("generate", "datacenter", "--servers", 30, "-o", "model.json", code=0)
    assert quantiplan.json("info", "model.json")["model"]["states"] == 2700
