"""quantiplan evaluate --measures, --beta, --utility: what a distribution is worth."""

import json
import math

import pytest

from conftest import SOURCE

EXAMPLES = SOURCE / "examples"
COMMUTE = ("evaluate", "commute.json", "--policy", "expectation")


def measures(quantiplan, *arguments):
    return quantiplan.json(*COMMUTE, *arguments)["measures"]


def test_all_measures_of_the_distribution_computed_by_hand(quantiplan):
    found = measures(quantiplan, "--tau", "0.1", "--beta", "0.1", "--utility", "target(-40, 2)")
    assert [m["measure"] for m in found] == [
        "quantile", "cvar", "evar", "mean", "standard-deviation", "worst-case", "best-case", "entropic", "utility",
    ]
    values = {m["measure"]: m["value"] for m in found}
    assert values["quantile"] == -55
    assert values["cvar"] == -56.8  # (0.018 * -65 + 0.082 * -55) / 0.1
    assert values["mean"] == -31.89
    assert (values["worst-case"], values["best-case"]) == (-65, -25)
    assert values["utility"] == -38.19  # 2 * (0.018 * 25 + 0.18 * 15) less than the mean
    atoms = [(-65, 0.018), (-55, 0.18), (-35, 0.072), (-30, 0.01), (-25, 0.72)]
    assert values["entropic"] == pytest.approx(-10 * math.log(sum(p * math.exp(-0.1 * w) for w, p in atoms)))
    assert values["standard-deviation"] == pytest.approx(
        math.sqrt(sum(p * w * w for w, p in atoms) - 31.89**2)
    )
    assert -65 < values["evar"] < values["cvar"]
    for m in found:
        low, high = m["bracket"]
        assert low <= m["value"] <= high and m["is_exact"] == (low == high)


def test_measures_selects(quantiplan):
    found = measures(quantiplan, "--tau", "0.1,0.5", "--measures", "evar,mean")
    assert [(m["measure"], m.get("tau")) for m in found] == [("evar", "0.1"), ("evar", "0.5"), ("mean", None)]
    text = quantiplan(*COMMUTE, "--tau", "0.1", "--measures", "cvar", code=0).stdout
    assert text.endswith("\ntau   CVaR\n0.1  -56.8\n")
    assert "quantile" not in text


def test_text_shows_measures_in_two_tables(quantiplan):
    text = quantiplan(*COMMUTE, "--tau", "0.1", "--beta", "1", "--utility", "power(2)", code=0).stdout
    assert "\ntau   CVaR      EVaR\n0.1  -56.8  -60.5459\n" in text
    assert "\nstandard deviation   12.2792\nworst case               -65\n" in text
    assert "\nutility power(2)    -1167.75\n" in text


def test_costs_are_measured_as_costs(quantiplan):
    (quantiplan.folder / "bill.csv").write_text(
        "idstatefrom,idaction,idstateto,probability,reward\na,pay,b,0.1,10\na,pay,b,0.9,2\n"
    )
    found = quantiplan.json(
        "evaluate", "bill.csv", "--policy", "expectation", "--horizon", "1", "--initial", "a", "--cost",
        "--tau", "0.2", "--beta", "1", "--utility", "target(-5, 0)",
    )["measures"]
    values = {m["measure"]: m["value"] for m in found}
    assert (values["quantile"], values["cvar"], values["mean"]) == (2, 6, 2.8)
    assert (values["worst-case"], values["best-case"]) == (10, 2)
    assert values["entropic"] == pytest.approx(math.log(0.1 * math.exp(10) + 0.9 * math.exp(2)))
    assert values["standard-deviation"] == pytest.approx(2.4)
    assert values["utility"] == -2.8  # of wealth, minus the cost


def test_misses_leave_some_undefined(quantiplan):
    (quantiplan.folder / "gate.csv").write_text(
        "idstatefrom,idaction,idstateto,probability,reward\na,go,goal,0.9,1\na,go,pit,0.1,0\n"
    )
    arguments = ("evaluate", "gate.csv", "--policy", "expectation", "--horizon", "1", "--initial", "a", "--goal", "goal")
    found = quantiplan.json(*arguments, "--tau", "0.5")["measures"]
    values = {m["measure"]: m["value"] for m in found}
    assert (values["quantile"], values["cvar"], values["evar"], values["entropic"]) == (1, "miss", "miss", "miss")
    assert {m["measure"]: m["why"] for m in found if m["value"] is None} == {
        "mean": "an episode may miss its goal", "standard-deviation": "an episode may miss its goal",
    }
    text = quantiplan(*arguments, "--tau", "0.5", code=0).stdout
    assert '"-": not defined, for an episode may miss its goal\n' in text


def test_wealth_that_is_no_number_has_no_measures(quantiplan):
    model = EXAMPLES / "service.json"
    quantiplan("solve", model, "--tau", "0.5", "--policy-out", "p.json", code=0)
    arguments = ("evaluate", model, "--policy", "p.json", "--tau", "0.5")
    found = quantiplan.json(*arguments)["measures"]
    assert found and all(m["value"] is None and m["why"] == "wealth is not a number" for m in found)
    assert "CVaR" not in quantiplan(*arguments, code=0).stdout


def test_a_utility_of_points_is_read_from_a_file(quantiplan):
    (quantiplan.folder / "bonus.csv").write_text("wealth,utility\n-40,0\n-40,1\n")
    found = measures(quantiplan, "--measures", "utility", "--utility", "bonus.csv")
    assert found == [
        {"measure": "utility", "utility": "table of 2 points", "value": 0.802, "is_exact": True, "bracket": [0.802, 0.802]}
    ]
    (quantiplan.folder / "bonus.csv").write_text("wealth,utility\n-40,0\n-50,1\nx\n")
    assert quantiplan.fails(*COMMUTE, "--utility", "bonus.csv") == [
        "quantiplan: bonus.csv:3: found a point at -50 after one at -40, expected ascending wealths",
        "quantiplan: bonus.csv:4: found 1 field, expected two: wealth,utility",
    ]


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("--measures", "cvra"), "--measures: found 'cvra', expected some of all, quantile, cvar, evar, mean, "
         "standard-deviation, worst-case, best-case, entropic, utility; did you mean 'cvar'?"),
        (("--measures", "utility"), "--measures: utility needs --utility, which is missing"),
        (("--beta", "0"), "--beta: found 0, expected more than 0"),
        (("--utility", "power(0)"), "--utility: power: found 0, expected an exponent other than 0"),
    ],
)
def test_what_makes_no_sense_is_refused(quantiplan, arguments, message):
    assert quantiplan.fails(*COMMUTE, *arguments) == [f"quantiplan: {message}"]


def page_table():
    """Offer -> its row of the table in docs/criteria.md."""
    page = (SOURCE / "docs" / "criteria.md").read_text(encoding="utf-8")
    table = page[page.index("| offer |"):].split("\n\n")[0].splitlines()
    columns = [cell.strip() for cell in table[0].split("|")[2:-1]]
    rows = {}
    for line in table[2:]:
        name, *cells = [cell.strip() for cell in line.split("|")[1:-1]]
        rows[name.split(":")[0]] = dict(zip(columns, cells))
    return rows


def test_each_criterion_of_the_page_takes_another_offer(quantiplan):
    model = EXAMPLES / "harvest.json"
    names = {"worst case": "worst-case", "EVaR": "evar", "CVaR": "cvar"}
    values = {}
    for offer, row in page_table().items():
        quantiplan.write("policy.json", json.dumps({
            "format": "quantiplan-policy/1", "horizon": 1, "discount": 1, "initial": "harvest",
            "rules": [{"time": 0, "state": "harvest", "choose": [{"action": offer}]}],
        }))
        found = quantiplan.json(
            "evaluate", model, "--policy", "policy.json", "--tau", "0.2", "--beta", "0.02", "--utility", "target(95, 2)"
        )["measures"]
        worth = {m["measure"]: m["value"] for m in found}
        worth["mean-variance"] = worth["mean"] - 0.01 * worth["standard-deviation"] ** 2
        for column, cell in row.items():
            values[offer, column] = worth[names.get(column, column)]
            assert float(cell.strip("*")) == pytest.approx(values[offer, column], abs=0.0501), (offer, column)
    marked = {column: offer for offer, row in page_table().items() for column, cell in row.items() if "**" in cell}
    assert len(set(marked.values())) == len(marked) == 8
    for column, offer in marked.items():
        best = max(page_table(), key=lambda other: values[other, column])
        assert best == offer, column


@pytest.mark.parametrize("criterion", [["evar", "--tau", "0.1"], ["nested-cvar", "--tau", "0.3"], ["entropic:1/100"]])
def test_rules_that_hold_for_ever_are_followed_as_far_as_is_asked(quantiplan, criterion):
    """Policies of time and state may be the same from the start on; what they are worth does not depend on that."""
    for_ever = ["--horizon", "infinite", "--discount", "0.9"]
    result = quantiplan.json("solve", EXAMPLES / "commute.json", *for_ever, "--criterion", *criterion,
                             "--no-comparison", "--policy-out", "p.json")["results"][0]
    found = {}
    for epsilon in ("1", "0.01"):
        found = {m["measure"]: m["bracket"] for m in quantiplan.json(
            "evaluate", EXAMPLES / "commute.json", *for_ever, "--policy", "p.json", "--epsilon", epsilon,
            "--tau", "0.1", "--beta", "0.01")["measures"]}
        assert all(high - low <= 2 * float(epsilon) for low, high in found.values()), found
    if criterion[0] != "nested-cvar":
        low, high = found[criterion[0].split(":")[0]]
        assert low <= result["bracket"][1] and result["bracket"][0] <= high
    sure = str(found["worst-case"][0] - 1)
    quantiplan("check", EXAMPLES / "commute.json", "p.json", "--tau", "0.1", "--side", "lower", "--quantile", sure, code=4)
    done = quantiplan("check", EXAMPLES / "commute.json", "p.json", "--tau", "0.1", "--side", "lower", "--quantile", sure)
    assert "truncated at a time that is none" not in done.stdout and "it is more than 0.9, as claimed" in done.stdout
