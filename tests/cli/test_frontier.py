"""quantiplan frontier: every level with its best probability, and tau -> quantile."""

import json

import pytest

from conftest import large_model


def test_every_level_has_its_best_probability(quantiplan):
    curve = quantiplan.json("frontier", "commute.json", "--tau", "0.1,0.28", "--side", "both")
    assert list(curve) == [
        "format", "model", "status", "epsilon", "steps", "upper_steps", "upto", "relative_error", "quantiles", "engine", "work",
    ]
    assert curve["format"] == "quantiplan-frontier/1"
    assert (curve["status"], curve["epsilon"]) == ("solved", None)
    assert (curve["upper_steps"], curve["upto"]) == (None, None)
    assert [s["wealth"] for s in curve["steps"]] == [-40, -35, -30, -25]
    assert [s["probability"] for s in curve["steps"]] == pytest.approx([1, 0.802, 0.73, 0.72])
    assert curve["steps"][0]["probability"] == 1
    assert [(q["tau"], q["side"], q["quantile"], q["bracket"], q["certificate"]) for q in curve["quantiles"]] == [
        ("0.1", "lower", -40, [-40, -40], "exact"),
        ("0.1", "upper", -40, [-40, -40], "exact"),
        ("0.28", "lower", -30, [-30, -30], "exact"),
        ("0.28", "upper", -25, [-25, -25], "exact"),
    ]


def test_exact_arithmetic_gives_exact_probabilities(quantiplan):
    curve = quantiplan.json("frontier", "commute.json", "--exact")
    assert curve["relative_error"] == 0
    assert [s["probability_exact"] for s in curve["steps"]] == ["1", "0.802", "0.73", "0.72"]
    assert [s["probability"] for s in curve["steps"]] == [1, 0.802, 0.73, 0.72]


def test_the_usual_taus_are_shown_where_none_is_given(quantiplan):
    curve = quantiplan.json("frontier", "commute.json")
    assert [q["tau"] for q in curve["quantiles"]] == [
        "0.01", "0.05", "0.1", "0.25", "0.5", "0.75", "0.9", "0.95", "0.99",
    ]
    assert [q["quantile"] for q in curve["quantiles"]] == [-40, -40, -40, -35, -25, -25, -25, -25, -25]


def test_text_is_a_table(quantiplan):
    text = quantiplan("frontier", "commute.json", "--tau", "0.1", code=0).stdout
    assert "total w  best P(W >= w)\n    -40               1  ########################################\n" in text
    assert "tau  side   quantile  certificate\n0.1  lower       -40  exact\n" in text


def test_long_curves_are_abbreviated_unless_all_is_given(quantiplan):
    model = quantiplan.write("model.json", large_model(states=4, horizon=4))
    steps = len(quantiplan.json("frontier", model)["steps"])
    assert steps > 24
    assert f"... {steps - 24} more (use --all or --json)\n" in quantiplan("frontier", model, code=0).stdout
    everything = quantiplan("frontier", model, "--all", code=0).stdout
    assert "more (use" not in everything
    assert len(everything.splitlines()) > steps


def test_output_file_and_overrides(quantiplan):
    quantiplan(
        "frontier", "commute.json", "--horizon", "1", "--initial", "station", "--discount", "1", "-q", "--json",
        "-o", "curve.json", code=0,
    )
    curve = json.loads((quantiplan.folder / "curve.json").read_text())
    assert [(s["wealth"], s["probability"]) for s in curve["steps"]] == [(-45, 1), (-15, 0.8)]


def value_at(steps, wealth):
    """Of a curve P(W >= w): that of the first step at or above w."""
    return next((s["probability"] for s in steps if s["wealth"] >= wealth), 0)


def test_curves_without_an_exact_grid_come_as_a_bracket(quantiplan):
    args = ["--discount", "0.9", "--horizon", "30", "--engine", "lattice", "--epsilon", "0.5", "--tau", "0.5"]
    curve = quantiplan.json("frontier", "commute.json", *args)
    assert curve["epsilon"] == 0.5
    # The exact curve of the model at discount 0.9, by hand: -23.5 is reached with probability 0.72 at best.
    lower, upper = curve["steps"], curve["upper_steps"]
    assert value_at(lower, -24.5) == pytest.approx(0.72) == pytest.approx(value_at(upper, -23.5))
    assert value_at(lower, -23) == 0 == value_at(upper, -22)
    [quantile] = curve["quantiles"]
    assert quantile["certificate"] == "bracket"
    assert quantile["bracket"][0] <= -23.5 <= quantile["bracket"][1] <= quantile["bracket"][0] + 0.5
    text = quantiplan("frontier", "commute.json", *args, code=0).stdout
    assert "best P(W >= w)\n" in text
    assert ["total", "w", "at", "least", "at", "most"] in [line.split() for line in text.splitlines()]
