"""Draws one figure of the experiments: python3 experiment_plots.py fig1|fig2|fig3 FOLDER

Reads FOLDER/FIGURE.csv (and fig3-summary.csv), writes FOLDER/FIGURE.svg and FIGURE.png. The same rows give the same
bytes of SVG. Exit codes: 0 drawn, 1 the data do not allow it (one line says why), 3 there is no matplotlib.
The program carries this text and runs it with `python3 -`; it needs what Debian 12 calls python3-matplotlib.
"""

import collections
import contextlib
import csv
import itertools
import math
import os
import statistics
import sys

try:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot, ticker
    from matplotlib.lines import Line2D
except ImportError:
    print("no matplotlib, so no figures: apt-get install python3-matplotlib", file=sys.stderr)
    sys.exit(3)

# Okabe and Ito's colours: told apart by the colour-blind, and in print.
BLUE, ORANGE, GREEN, PURPLE, GREY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#555555"

LOOK = {
    "figure.figsize": (8.0, 5.0),
    "figure.facecolor": "white",
    "font.family": "DejaVu Sans",  # comes with matplotlib, so that every machine has it
    "font.size": 10.5,
    "axes.titlesize": 12.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.7,
    "lines.linewidth": 1.8,
    "lines.markersize": 5,
    "legend.frameon": False,
    "legend.fontsize": 9.5,
    "svg.hashsalt": "quantiplan",
}

LEAST_SECONDS = 1e-6  # what the clock calls 0 has a place on a logarithmic axis, too


class Problem(Exception):
    """One line that says why there is no figure."""


# Reading


def read_rows(folder, name, numbers, words=()):
    """The rows as dictionaries; `numbers` become floats, `words` stay; other columns are left alone."""
    path = os.path.join(folder, name)
    try:
        with open(path, newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file)
            rows = [read_row(path, reader.line_num, row, numbers, words) for row in reader]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise Problem(f"{path}: cannot read: {getattr(error, 'strerror', None) or error}") from error
    if not rows:
        raise Problem(f"{path}: found no rows, expected at least one point")
    return rows


def read_row(path, line, row, numbers, words):
    found = {}
    for column in (*numbers, *words):
        text = row.get(column)
        if text is None:
            raise Problem(f"{path}:{line}: found no column '{column}'")
        found[column] = as_number(text) if column in numbers else text
        if found[column] is None:
            raise Problem(f"{path}:{line}: {column}: found '{text}', expected a number")
    return found


def as_number(text):
    try:
        return float(text) if math.isfinite(float(text)) else None
    except ValueError:
        return None


def largest(rows):
    """Of models of several sizes, as a quick run and a full one leave them, the largest."""
    states = max(row["states"] for row in rows)
    return [row for row in rows if row["states"] == states]


def timings(rows, method, key, column="seconds"):
    """(x, times) of the points where every run finished, and (x, limit) of those where one did not."""
    points = collections.defaultdict(list)
    for row in rows:
        if row["method"] == method:
            points[row[key]].append(row)
    finished, stopped = [], []
    for x in sorted(points):
        limits = [row["limit_seconds"] for row in points[x] if row["certificate"] == "limit"]
        if limits:
            stopped.append((x, max(limits)))
        else:
            finished.append((x, [max(row[column], LEAST_SECONDS) for row in points[x]]))
    return finished, stopped


# Drawing


def spaced(number):
    return f"{number:,.0f}".replace(",", "\u2009") if number >= 10000 else f"{number:.6g}"


def seconds_text(seconds, _position=None):
    if seconds >= 0.9995:
        return f"{spaced(seconds)} s"
    return f"{seconds * 1e3:.6g} ms" if seconds >= 0.9995e-3 else f"{seconds * 1e6:.6g} µs"


def count_text(count, _position=None):
    return spaced(count)


def rounded(number):
    return f"{number:.4g}"


def head(axes, title, *lines):
    axes.set_title(title, pad=12 + 14 * len(lines))
    axes.annotate("\n".join(lines), (0, 1), (0, 9), xycoords="axes fraction", textcoords="offset points", color=GREY,
                  fontsize=9.5)


def scale_axes(axes, x_label, xs):
    """Both logarithmic: what grows as a power is a straight line, and its slope is the power."""
    axes.set_xscale("log")
    axes.set_yscale("log")
    xs = sorted(set(xs))
    steps = (1, 2, 5) if xs[-1] / xs[0] < 200 else (1,)
    few = len(xs) <= 4
    axes.xaxis.set_major_locator(ticker.FixedLocator(xs) if few else ticker.LogLocator(subs=steps, numticks=20))
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(count_text))
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.yaxis.set_major_locator(ticker.LogLocator(numticks=20))
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(seconds_text))
    axes.yaxis.set_minor_locator(ticker.NullLocator())
    axes.set_xlabel(x_label)
    axes.set_ylabel("time")


def legend_below(axes, left, right):
    """Two columns under the figure, where no curve can be in the way."""
    blank = Line2D([], [], linestyle="none", label=" ")
    rows = max(len(left), len(right))
    columns = [[*column, *[blank] * (rows - len(column))] for column in (left, right)]
    axes.legend(handles=columns[0] + columns[1], ncol=2, loc="upper left", bbox_to_anchor=(0, -0.13),
                borderaxespad=0, handlelength=3, columnspacing=4)


OPEN_TRIANGLE = {"marker": "^", "linestyle": "none", "markerfacecolor": "white", "markersize": 8,
                 "markeredgewidth": 1.5}


def draw_stopped(axes, stopped, colour):
    if stopped:
        axes.plot(*zip(*stopped), markeredgecolor=colour, zorder=4, **OPEN_TRIANGLE)


def did_not_finish():
    return Line2D([], [], markeredgecolor=GREY, label="did not finish in that time", **OPEN_TRIANGLE)


# Figure 1


def fig1(folder):
    numbers = ("states", "actions", "horizon", "seconds", "seconds_per_pass", "limit_seconds")
    rows = read_rows(folder, "fig1.csv", numbers, ("seed", "method", "certificate"))
    series = (
        ("paper", "seconds", "the paper's algorithm, whole problem", ORANGE, "-", "o"),
        ("paper", "seconds_per_pass", "the paper's algorithm, one induction", ORANGE, "--", "s"),
        ("quantiplan-99", "seconds", "Quantiplan, all 99 percentiles", GREEN, "-", "D"),
        ("quantiplan", "seconds", "Quantiplan, one tau", BLUE, "-", "o"),
    )
    _, axes = pyplot.subplots()
    theirs, ours, any_stopped = [], [], False
    for method, column, label, colour, line, marker in series:
        finished, stopped = timings(rows, method, "states", column)
        if finished:
            states, times = zip(*finished)
            means = [statistics.fmean(each) for each in times]
            axes.fill_between(states, [min(t) for t in times], [max(t) for t in times], color=colour, alpha=0.18, lw=0)
            handles = theirs if method == "paper" else ours
            handles += axes.plot(states, means, color=colour, linestyle=line, marker=marker, label=label)
        if column == "seconds":
            draw_stopped(axes, stopped, colour)
            any_stopped = any_stopped or bool(stopped)
    if any_stopped:
        theirs.append(did_not_finish())
    head(axes, "Random models (Garnets): time against size",
         f"{span(row['actions'] for row in rows)} actions, horizon {span(row['horizon'] for row in rows)}; "
         f"mean of {span(models_per_point(rows))} models, shaded from the fastest to the slowest")
    scale_axes(axes, "number of states", [row["states"] for row in rows])
    legend_below(axes, theirs, ours)


def models_per_point(rows):
    return collections.Counter((row["states"], row["method"]) for row in rows).values()


def span(values):
    values = sorted(set(values))
    return rounded(values[0]) if len(values) == 1 else f"{rounded(values[0])} to {rounded(values[-1])}"


# Figure 2


def fig2(folder):
    rows = read_rows(folder, "fig2.csv", ("servers", "horizon", "seconds", "limit_seconds"),
                     ("method", "certificate"))
    styles = (
        ("paper", "the paper's algorithm", "--", "s"),
        ("quantiplan-99", "Quantiplan, all 99 percentiles", ":", "D"),
        ("quantiplan", "Quantiplan, one tau", "-", "o"),
    )
    sizes = sorted({row["servers"] for row in rows})
    colours = dict(zip(sizes, itertools.cycle((BLUE, ORANGE, GREEN, PURPLE))))
    _, axes = pyplot.subplots()
    met, any_stopped = {}, False
    for servers in sizes:
        of_size = [row for row in rows if row["servers"] == servers]
        for method, label, line, marker in styles:
            look = {"linestyle": line, "marker": marker, "markersize": 4}
            finished, stopped = timings(of_size, method, "horizon")
            draw_stopped(axes, stopped, colours[servers])
            any_stopped = any_stopped or bool(stopped)
            if finished:
                axes.plot([x for x, _ in finished], [statistics.fmean(t) for _, t in finished],
                          color=colours[servers], **look)
            if finished or stopped:
                met[method] = Line2D([], [], color=GREY, label=label, **look)
    head(axes, "The data centre: time against horizon",
         "lower 0.1-quantile and its policy; n servers make 3 n² states with n choices each")
    scale_axes(axes, "horizon (number of steps)", [row["horizon"] for row in rows])
    legend_below(axes,
                 [met[method] for method, *_ in styles if method in met] + [did_not_finish()] * any_stopped,
                 [Line2D([], [], color=colours[n], linewidth=4, label=f"{n:.0f} servers") for n in sizes])


# Figure 3


def fig3(folder):
    atoms = largest(read_rows(folder, "fig3.csv", ("states", "seed", "tau", "wealth", "cumulative"), ("policy",)))
    summary = largest(
        read_rows(folder, "fig3-summary.csv", ("states", "seed", "quantile", "mean", "at_least"), ("policy",)))
    seed = min(row["seed"] for row in atoms)
    tau = next(row["tau"] for row in atoms if row["seed"] == seed)
    curves, facts = {}, {}
    for policy in ("quantile", "expectation"):
        curves[policy] = [(row["wealth"], row["cumulative"]) for row in atoms
                          if row["seed"] == seed and row["policy"] == policy]
        found = [row for row in summary if row["seed"] == seed and row["policy"] == policy]
        if not curves[policy] or not found:
            raise Problem(f"{folder}: found no rows of policy '{policy}' with seed {seed:.0f}, expected some")
        facts[policy] = found[0]
    draw_promises(tau, curves, facts)


def draw_promises(tau, curves, facts):
    _, axes = pyplot.subplots(figsize=(8.0, 5.2))
    left, right = limits(curves, facts)
    handles = {}
    for policy, other, colour in (("expectation", "quantile", ORANGE), ("quantile", "expectation", BLUE)):
        curve = thinned([(left, 0.0), *curves[policy], (right, 1.0)])
        handles[policy], = axes.step(*zip(*curve), where="post", color=colour, label=f"{policy}-optimal policy")
        mean = facts[policy]["mean"]
        at_mean = max((height for wealth, height in curves[policy] if wealth <= mean), default=0.0)
        mark(axes, "o", f"{rounded(tau)}-quantile", facts[policy]["quantile"], tau, curves[other], colour)
        mark(axes, "D", "mean", mean, at_mean, curves[other], colour)
    axes.axhline(tau, color="black", linestyle=":", linewidth=1.3)
    axes.annotate(f"tau = {rounded(tau)}", (1, tau), (0, 4), xycoords=("axes fraction", "data"),
                  textcoords="offset points", ha="right")
    promise = rounded(facts["quantile"]["quantile"])
    head(axes, "The best promise beside the best average",
         f"Quantile-optimal: with probability at least {rounded(1 - tau)} you get at least {promise}; "
         "no policy promises more.",
         f"Expectation-optimal: the best mean there is; it gets {promise} or more with probability "
         f"{facts['expectation']['at_least']:.3g}.")
    axes.set_xlabel("total reward w of an episode")
    axes.set_ylabel("probability of a total of at most w")
    axes.set_xlim(left, right)
    axes.set_ylim(0, 1.03)
    if all(curve[0][0] >= 0 for curve in curves.values()):  # no numbers where no total can be
        axes.set_xticks([tick for tick in axes.get_xticks() if 0 <= tick <= right])
    legend_below(axes, [handles["quantile"]], [handles["expectation"]])


def limits(curves, facts):
    """Wide enough for all atoms, and on the left for the label of the smaller quantile."""
    low = min(curve[0][0] for curve in curves.values())
    high = max(curve[-1][0] for curve in curves.values())
    margin = 0.04 * (high - low or 1)
    left, right = low - margin, high + margin
    label = 0.28  # share of the width
    first = min(fact["quantile"] for fact in facts.values())
    return min(left, (first - label * right) / (1 - label)), right


def mark(axes, marker, name, x, height, other, colour):
    """A mark on the curve with its label where no curve can be.

    Curves ascend: right of both and below, or left of both and above, is free. So the label is on the side where
    the other curve is not, at that height.
    """
    other_x = next((wealth for wealth, cumulative in other if cumulative >= height), other[-1][0])
    shift, align = ((10, -15), "left") if x >= other_x else ((-10, 6), "right")
    axes.plot([x], [height], marker=marker, color=colour, markersize=8, zorder=5)
    axes.annotate(f"{name} {rounded(x)}", (x, height), shift, textcoords="offset points", ha=align, color=colour,
                  fontweight="bold", zorder=6)


def thinned(curve, columns=2000):
    """The last point in each of so many columns: finer than a pixel, whatever the number of atoms."""
    low, high = curve[0][0], curve[-1][0]
    kept = {int((wealth - low) / (high - low) * columns): (wealth, cumulative) for wealth, cumulative in curve}
    return [curve[0], *kept.values()]


def save(folder, figure):
    """Under another name first, so that nobody ever sees half a figure."""
    for ending, metadata in (("svg", {"Date": None}), ("png", {"Software": None})):
        path = os.path.join(folder, f"{figure}.{ending}")
        partial = f"{path}.partial"
        try:
            with open(partial, "wb") as file:
                pyplot.savefig(file, format=ending, dpi=150, bbox_inches="tight", metadata=metadata)
                file.flush()
                os.fsync(file.fileno())
            os.replace(partial, path)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.remove(partial)
            raise Problem(f"{path}: cannot write: {error.strerror}") from error


def main(args):
    figures = {"fig1": fig1, "fig2": fig2, "fig3": fig3}
    if len(args) != 2 or args[0] not in figures:
        raise Problem("expected two arguments: fig1, fig2 or fig3, and the folder of its data")
    figure, folder = args
    with pyplot.rc_context(LOOK):
        figures[figure](folder)
        save(folder, figure)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Problem as problem:
        # A folder may be called anything: what is not printable is spelt out.
        shown = (c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(problem))
        print("".join(shown), file=sys.stderr)
        sys.exit(1)
