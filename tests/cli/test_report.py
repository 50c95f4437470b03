"""`report`: the data of the page, files, refusals. The page itself is tested in a browser (web/test)."""

import json

import pytest

from conftest import COMMUTE, SOURCE


def has_page(quantiplan):
    return quantiplan("report", "model.json", "--out", "page.html").returncode == 0


def page_data(quantiplan, path, *args, code=0):
    return json.loads(quantiplan("report", path, *args, "--data", "--out", "-", code=code).stdout)


def data(quantiplan, *args, code=0):
    return page_data(quantiplan, "model.json", *args, code=code)


@pytest.fixture
def commute(quantiplan):
    quantiplan.write("model.json", COMMUTE)
    return quantiplan


def test_data_are_those_of_solve(commute):
    page = data(commute, "--tau", "0.3", "--side", "both")
    results = commute.json("solve", "model.json", "--tau", "0.3", "--side", "both")["results"]
    asked = [p for p in page["points"] if p["asked"]]
    assert [(p["tau"], p["side"], p["quantile"]) for p in asked] == [
        (r["tau"], r["side"], str(r["quantile"])) for r in results
    ]
    assert all(p["check"]["passed"] for p in asked)
    assert len(page["points"]) == 20
    frontier = commute.json("frontier", "model.json")
    assert [step[0] for step in page["frontier"]["steps"]] == [str(s["wealth"]) for s in frontier["steps"]]
    assert page["command"] == "quantiplan report model.json --tau 0.3 --side both --out - --data"


def test_one_table_serves_every_tau(commute):
    table = data(commute)["table"]
    assert table["by"] == "index" and table["exact"] and table["unit"] == "5"
    # At home at time 0 and for at most -40, the bike; for more, the train; beyond what is possible, the best mean.
    assert table["rules"][0][0][0] == 0


def test_the_default_is_tau_a_tenth(commute):
    assert [p["tau"] for p in data(commute)["points"] if p["asked"]] == ["0.1"]
    assert "check" not in [p for p in data(commute, "--no-check")["points"] if p["asked"]][0]


def test_other_criteria_are_added(commute):
    page = data(commute, "--criterion", "cvar,worst-case")
    assert [c["name"] for c in page["criteria"]] == ["cvar", "worst-case"]


def test_the_page_is_written_or_it_says_how_to_get_it(commute):
    done = commute("report", "model.json", "--tau", "0.1")
    page = commute.folder / "report.html"
    if done.returncode == 2:
        assert "scripts/web.sh" in done.stderr and not page.exists()
        return
    assert done.returncode == 0 and done.stdout == "Written to report.html\n"
    text = page.read_text(encoding="utf-8")
    assert len(text) < 2_000_000
    assert "default-src 'none'; script-src 'sha256-" in text
    assert "http://" not in text.replace("http://www.w3.org/", "")


def test_names_cannot_leave_the_data(commute):
    if not has_page(commute):
        pytest.skip("built without the page")
    hostile = "</script><img src=x onerror=alert(1)>"
    commute.write("model.json", COMMUTE.replace('"commute"', json.dumps(hostile)))
    commute("report", "model.json", "--out", "page.html", code=0)
    text = (commute.folder / "page.html").read_text(encoding="utf-8")
    assert "<img" not in text and "\\u003cimg src=x" in text


def test_bad_requests_leave_no_file(commute):
    assert "--tau" in commute.fails("report", "model.json", "--tau", "2", "--data")[0]
    assert "cannot write" in commute.fails("report", "model.json", "--data", "--out", "no/such/folder/page.html")[0]
    assert "--out" in commute.fails("report", "model.json", "--data", "--out", "model.json")[0]
    assert "--criterion" in commute.fails("report", "model.json", "--data", "--criterion", "luck")[0]
    assert not (commute.folder / "report.html").exists()


def test_what_there_is_not_is_said(commute):
    commute.write("model.json", (SOURCE / "examples" / "treatment.json").read_text(encoding="utf-8"))
    done = commute("report", "model.json", "--data", "--out", "page.json", code=0)
    assert done.stderr.startswith("quantiplan: report: left out: The price of the promise, tau 0.1: ")
    assert commute("report", "model.json", "--data", "--out", "page.json", "--quiet", code=0).stderr == ""
    page = json.loads((commute.folder / "page.json").read_text(encoding="utf-8"))
    assert len(page["left_out"]) == 1 and page["prices"] == []


def test_without_end_the_curve_goes_as_far_as_it_is_asked(commute):
    commute.write("model.json", (SOURCE / "examples" / "upload.json").read_text(encoding="utf-8"))
    page = data(commute)
    assert page["frontier"]["steps"] and page["points"][2]["best"]["table"]["stationary"]
    assert any("The price of the promise" in what for what in page["left_out"])


def test_a_report_of_several_initial_states_is_about_the_worst(quantiplan):
    quantiplan.write("m.drn", """@type: MDP
@parameters

@reward_models
r
@nr_states
3
@nr_choices
3
@model
state 0 [0] init
\taction go [1]
\t\t2 : 1
state 1 [0] init
\taction go [4]
\t\t2 : 1
state 2 [0]
\taction stay [0]
\t\t2 : 1
""")
    page = page_data(quantiplan, "m.drn", "--horizon", "2", "--tau", "0.1")
    assert page["starts"]["shown"] == "0" and page["starts"]["of"] == 2
    [question] = page["starts"]["questions"]
    assert [(name, lower, upper) for name, lower, upper, _ in question["rows"]] == [("0", "1", "1"), ("1", "4", "4")]
    assert page["points"][0]["quantile"] == "1"
    one = page_data(quantiplan, "m.drn", "--horizon", "2", "--initial", "1")
    assert "starts" not in one and one["points"][0]["quantile"] == "4"


def test_wealths_that_are_no_sums_travel_as_a_table(quantiplan):
    page = page_data(quantiplan, SOURCE / "examples" / "delivery.json", "--tau", "0.05")
    wealth = page["wealth"]
    assert wealth["texts"][0] == "(0 late, 0 euros)" and "(0 late, 42 euros)" in wealth["classes"]
    assert len(wealth["steps"]) == len(wealth["texts"]) == len(wealth["class_of"])
    for steps in wealth["steps"]:
        assert len(steps) % 2 == 0 and all(w < len(wealth["texts"]) for w in steps[1::2])
    sums = page_data(quantiplan, SOURCE / "examples" / "commute.json")
    assert "wealth" not in sums
