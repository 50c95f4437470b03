"""quantiplan convert: between JSON and CSV, lossless in value."""

import json


def answer(quantiplan, model, *more):
    return quantiplan.json("solve", model, "--tau", "0.1,0.28,0.5", "--side", "both", *more)["results"]


def test_json_survives_a_round_trip(quantiplan):
    quantiplan("convert", "commute.json", "again.json", code=0)
    quantiplan("convert", "again.json", "third.json", code=0)
    assert (quantiplan.folder / "again.json").read_bytes() == (quantiplan.folder / "third.json").read_bytes()
    assert answer(quantiplan, "commute.json") == answer(quantiplan, "again.json")
    assert json.loads((quantiplan.folder / "again.json").read_text())["name"] == "commute"


def test_csv_keeps_the_values_and_says_what_is_lost(quantiplan):
    done = quantiplan("convert", "commute.json", "moves.csv", code=0)
    assert done.stdout == ""
    assert done.stderr == (
        "notice: moves.csv: CSV has no place for the name, the horizon, the discount, the initial state, "
        "the order of the states\n"
    )
    assert answer(quantiplan, "moves.csv", "--horizon", "3", "--initial", "home") == answer(quantiplan, "commute.json")
    assert quantiplan("convert", "commute.json", "moves.csv", "--quiet", code=0).stderr == ""


def test_standard_input_and_output(quantiplan):
    text = (quantiplan.folder / "commute.json").read_text()
    csv = quantiplan("convert", "-", "-", "--to", "csv", stdin=text, code=0).stdout
    assert csv.splitlines()[0].count(",") >= 4
    back = quantiplan("convert", "-", "-", "--to", "json", stdin=csv, code=0).stdout
    assert json.loads(back)["format"] == "quantiplan-model/1"


def test_to_decides_against_the_ending(quantiplan):
    quantiplan("convert", "commute.json", "model.txt", "--to", "json", code=0)
    assert json.loads((quantiplan.folder / "model.txt").read_text())["horizon"] == 3


def test_a_format_that_cannot_be_known_is_an_error(quantiplan):
    assert quantiplan.fails("convert", "commute.json", "-") == [
        "quantiplan: OUT: found '-', expected a name ending in .json, .csv, .prism, .tra, .drn or .umb, or --to"
    ]
    assert quantiplan.fails("convert", "commute.json", "model.txt") == [
        "quantiplan: OUT: found 'model.txt', expected a name ending in .json, .csv, .prism, .tra, .drn or .umb, or --to"
    ]
    assert quantiplan.fails("convert", "commute.json", "-", "--to", "xml") == [
        "quantiplan: --to: found 'xml', expected json, csv, prism, tra, drn, umb, tra-decimals or storm-tra"
    ]
