"""Names that others chose never steer a terminal: every way out spells them out, data keeps them exact."""

import json
import os
import pty
import subprocess
import unicodedata

import pytest
from conftest import PROGRAM, model_text

EVIL = "\x1b]0;x\x07\x1b[2J\x9b31m\u202eabc\u2066\u200b\u061c\ufeff\U000e0041\x7f\r\t"
SHOWN = (
    "\\x1b]0;x\\x07\\x1b[2J\\u{9b}31m\\u{202e}abc\\u{2066}\\u{200b}\\u{61c}\\u{feff}\\u{e0041}\\x7f\\x0d\\x09"
)


def is_hidden(character):
    return unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp", "Zs") and character not in " \n"


def assert_clean(text):
    assert [hex(ord(c)) for c in text if is_hidden(c)] == []


@pytest.fixture
def classes(quantiplan):
    """A model whose state, action, label and classes all have the evil name."""
    text = json.dumps({
        "format": "quantiplan-model/1", "name": EVIL, "horizon": 1, "initial": EVIL,
        "wealth": {
            "kind": "automaton", "labels": [EVIL, "b"], "start": "zero" + EVIL,
            "states": ["zero" + EVIL, "one" + EVIL],
            "transitions": [
                {"from": "zero" + EVIL, "label": EVIL, "to": "zero" + EVIL},
                {"from": "zero" + EVIL, "label": "b", "to": "one" + EVIL},
                {"from": "one" + EVIL, "label": EVIL, "to": "zero" + EVIL},
                {"from": "one" + EVIL, "label": "b", "to": "one" + EVIL},
            ],
            "classes": [
                {"name": "bad" + EVIL, "states": ["zero" + EVIL]},
                {"name": "good" + EVIL, "states": ["one" + EVIL]},
            ],
        },
        "choices": [{
            "state": EVIL, "action": EVIL,
            "next": [
                {"to": "end" + EVIL, "probability": "1/2", "reward": EVIL},
                {"to": "end" + EVIL, "probability": "1/2", "reward": "b"},
            ],
        }],
    })
    return quantiplan.write("classes.json", text)


@pytest.fixture
def evil_policy(quantiplan, classes):
    quantiplan("solve", classes, "--tau", "0.4", "--policy-out", "p.json", code=0)
    return "p.json"


def test_reports_of_classes_show_names_and_obey_none(quantiplan, classes, evil_policy):
    for command in (
        ["solve", classes, "--tau", "0.4", "--distribution", "--check"],
        ["frontier", classes],
        ["evaluate", classes, "--policy", evil_policy, "--at-least", "good" + EVIL],
        ["simulate", classes, "--policy", evil_policy, "--episodes", "3", "--trace"],
        ["check", classes, evil_policy],
        ["info", classes],
    ):
        done = quantiplan(*command, code=0, env={"LC_ALL": "C.UTF-8"})
        assert_clean(done.stdout)
        assert_clean(done.stderr)
        assert SHOWN[:12] in done.stdout, command


def test_reports_of_sums_show_names_and_obey_none(quantiplan):
    model = quantiplan.write(
        "sum.json",
        model_text({EVIL: {EVIL: [("end" + EVIL, "1/2", 1), (EVIL, "1/2", 0)], "b" + EVIL: [("end" + EVIL, 1, 0)]}},
                   name=EVIL, horizon=2, labels={EVIL: [EVIL]}),
    )
    quantiplan("solve", model, "--tau", "0.5", "--policy-out", "p.json", code=0)
    for command in (
        ["solve", model, "--tau", "0.5", "--distribution", "--check"],
        ["solve", model, "--tau", "0.5", "--mixed", "--policy-out", EVIL.replace("\t", "") + "{tau}.json"],
        ["solve", model, "--tau", "0.5", "--attitude", "all"],
        ["solve", model, "--tau", "0.5", "--compare", "all"],
        ["solve", model, "--tau", "0.5", "--criterion", "cvar", "--check"],
        ["solve", model, "--criterion", "entropic:1", "--check"],
        ["threshold", model, "--target", "1", "--check"],
        ["frontier", model],
        ["frontier", model, "--criterion", "mean-variance"],
        ["tradeoff", model, "--tau", "0.5"],
        ["evaluate", model, "--policy", "p.json"],
        ["simulate", model, "--policy", "p.json", "--episodes", "3", "--trace"],
        ["explain", model, "--policy", "p.json", "--state", EVIL],
        ["explain", model, "--tau", "0.5", "--summary"],
        ["check", model, "p.json"],
        ["info", model],
        ["convert", model, "model.umb"],
        ["convert", model, "chain.json", "--policy", "p.json"],
        ["report", model, "--tau", "0.5", "--data", "--out", EVIL.replace("\t", "") + ".json"],
    ):
        done = quantiplan(*command, code=0)
        assert_clean(done.stdout)
        assert_clean(done.stderr)


def test_questions_show_labels_and_obey_none(quantiplan):
    label = "\u202eabc\u2066"
    model = quantiplan.write(
        "labelled.json", model_text({"s": {"a": [("end", 1, 1)]}}, horizon=1, labels={label: ["end"]})
    )
    shown = quantiplan("solve", model, "--prop", f'Pmax=? [F "{label}"]', code=0).stdout
    assert_clean(shown)
    assert "\\u{202e}abc" in shown and "result       1\n" in shown


def test_json_keeps_the_exact_text_and_shows_no_control(quantiplan, classes, evil_policy):
    done = quantiplan("evaluate", classes, "--policy", evil_policy, "--json", code=0)
    assert_clean(done.stdout)
    report = json.loads(done.stdout)
    assert report["model"]["initial"] == EVIL
    assert [atom["wealth"] for atom in report["distribution"]] == ["bad" + EVIL, "good" + EVIL]
    quantiplan("convert", classes, "copy.json", code=0)
    assert_clean((quantiplan.folder / "copy.json").read_text(encoding="utf-8"))
    assert json.loads((quantiplan.folder / "copy.json").read_text(encoding="utf-8"))["initial"] == EVIL


@pytest.mark.parametrize(
    "arguments",
    [
        [EVIL],
        ["solve", EVIL],
        ["solve", "commute.json", "--" + EVIL],
        ["solve", "commute.json", "--tau", EVIL],
        ["solve", "commute.json", "--tau", "0.1", "--side", EVIL],
        ["solve", "commute.json", "--tau", "0.1", "--initial", EVIL],
        ["solve", "commute.json", "--tau", "0.1", "--goal", EVIL],
        ["solve", "commute.json", "--tau", "0.1", "--engine", EVIL],
        ["solve", "commute.json", "--tau", "0.1", EVIL],
        ["solve", EVIL, "--tau", "0.1"],
        ["solve", "commute.json", "--tau", "0.1", "-o", EVIL + "/x"],
        ["solve", "commute.json", "--tau", "0.1", "--policy-out", EVIL + "/x"],
        ["evaluate", "commute.json", "--policy", EVIL],
        ["check", "commute.json", EVIL],
        ["convert", "commute.json", EVIL],
        ["convert", "commute.json", "x.json", "--to", EVIL],
        ["generate", EVIL],
        ["generate", "garnet", "--seed", EVIL],
        ["experiment", EVIL],
        ["experiment", "fig1", "--out", "commute.json/" + EVIL],
        ["simulate", "commute.json", "--policy", "expectation", "--episodes", EVIL],
        ["solve", "commute.json", "--tau", "0.1", "--criterion", EVIL],
        ["solve", "commute.json", "--tau", "0.1", "--criterion", "utility:" + EVIL],
        ["solve", "commute.json", "--tau", "0.1", "--attitude", EVIL],
        ["solve", "commute.json", "--tau", "0.1", "--compare", EVIL],
        ["solve", "commute.json", "--prop", EVIL],
        ["solve", "commute.json", "--props", EVIL],
        ["tradeoff", "commute.json", "--tau", EVIL],
        ["explain", "commute.json", "--tau", "0.1", "--state", EVIL],
        ["report", "commute.json", "--tau", "0.1", "--criterion", EVIL],
    ],
)
def test_errors_spell_out_what_they_echo(quantiplan, arguments):
    lines = quantiplan.fails(*arguments)
    assert len(lines) >= 1
    for line in lines:
        assert_clean(line)


def test_notices_and_places_spell_out_file_names(quantiplan):
    quantiplan.write("m\x1b[2J.json", "{")
    [line] = quantiplan.fails("info", "m\x1b[2J.json")
    assert line.startswith("m\\x1b[2J.json:1: ")
    done = quantiplan("convert", "commute.json", "m\u202e.csv", code=0)
    assert done.stderr.startswith("notice: m\\u{202e}.csv: ")


def test_a_terminal_receives_no_hidden_character_of_a_name(quantiplan, classes):
    """Standard output and error on a terminal: what arrives is what a person sees."""
    control, terminal = pty.openpty()
    running = subprocess.Popen(
        [PROGRAM, "solve", classes, "--tau", "0.4", "--distribution", "--initial", "x\x1b[2J"],
        cwd=quantiplan.folder, stdin=subprocess.DEVNULL, stdout=terminal, stderr=terminal,
    )
    os.close(terminal)
    written = b""
    while True:
        try:
            part = os.read(control, 65536)
        except OSError:  # the terminal is gone with its last writer
            break
        if not part:
            break
        written += part
    os.close(control)
    assert running.wait(timeout=600) == 2
    assert b"\x1b[2J" not in written and b"\\x1b[2J" in written


def test_every_hidden_character_of_unicode_is_spelt_out(quantiplan):
    """All assigned characters of the categories, some in each label of one model; `info` tells its labels."""
    hidden = [chr(c) for c in range(1, 0x110000) if is_hidden(chr(c))]
    assert len(hidden) > 200
    names = ["".join(hidden[i : i + 50]) for i in range(0, len(hidden), 50)]
    model = quantiplan.write(
        "m.json",
        model_text({"s": {"a": [("end", 1, 1)]}}, horizon=1, labels={name: ["s"] for name in names}),
    )
    shown = quantiplan("info", model, code=0).stdout
    assert_clean(shown)
    for name in names:
        spelt = "".join(f"\\x{ord(c):02x}" if ord(c) < 0x80 else f"\\u{{{ord(c):x}}}" for c in name)
        assert f"'{spelt}'" in shown
    assert set(quantiplan.json("info", model)["labels"]) == set(names)
