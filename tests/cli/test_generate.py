"""quantiplan generate: models of the known domains, with the parameters that the page lists."""

import json
import re

import pytest

from conftest import SOURCE

DOMAINS = ["garnet", "datacenter", "machine", "gambler", "river", "cliff", "inventory", "hiv", "seats", "gamble"]
NAMES = ", ".join(DOMAINS)
PAGE = SOURCE / "docs" / "domains.md"


def generated(quantiplan, *args):
    return json.loads(quantiplan("generate", *args, code=0).stdout)


def listed(quantiplan):
    """domain -> [(flag and placeholder, default, meaning)], as --list prints it."""
    found = {}
    for block in quantiplan("generate", "--list", code=0).stdout.rstrip("\n").split("\n\n"):
        head, *rows = block.split("\n")
        parts = [re.fullmatch(r"  (--\S+ \S+)  +(\S+)  +(\S.*)", row) for row in rows]
        assert all(parts), block
        found[head.split(":")[0]] = [part.groups() for part in parts]
    return found


def test_the_list_has_every_domain(quantiplan):
    assert list(listed(quantiplan)) == DOMAINS
    text = quantiplan("generate", "--help", code=0).stdout
    assert re.findall(r"^  (\w+)  ", text.split("Domains:\n")[1], re.MULTILINE) == DOMAINS


def test_the_page_lists_the_parameters_of_every_domain(quantiplan):
    parts = re.split(r"^## (.*)$", PAGE.read_text(), flags=re.MULTILINE)
    page = {
        name: re.findall(r"^\| `(--.*?)` \| (.*?) \| (.*?) \|$", text, re.MULTILINE)
        for name, text in zip(parts[1::2], parts[2::2])
    }
    assert page == listed(quantiplan)


@pytest.mark.parametrize("domain", DOMAINS)
def test_help_agrees_with_the_list_and_fits_a_terminal(quantiplan, domain):
    text = quantiplan("generate", domain, "--help", code=0).stdout
    assert f"Usage: quantiplan generate {domain} [OPTIONS]" in text
    assert max(map(len, text.splitlines())) <= 80
    words = re.sub(r"\s+", " ", text)
    for flag, usual, meaning in listed(quantiplan)[domain]:
        assert f" {flag} {meaning}; default {usual} " in words


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_default_model_is_complete_and_the_same_every_time(quantiplan, domain):
    quantiplan("generate", domain, "-o", "model.json", code=0)
    text = (quantiplan.folder / "model.json").read_text()
    assert text == quantiplan("generate", domain, code=0).stdout
    model = json.loads(text)
    assert {"name", "horizon", "discount", "initial", "states"} <= model.keys()
    assert quantiplan.json("info", "model.json")["model"]["name"] == model["name"]


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_short_model_is_solved_as_it_is(quantiplan, domain):
    quantiplan("generate", domain, "--horizon", "4", "--output", "model.json", code=0)
    answer = quantiplan.json("solve", "model.json", "--tau", "0.1")
    assert answer["model"]["horizon"] == 4
    assert answer["results"][0]["certificate"] == "exact"


def test_the_chance_of_the_goal_is_that_of_the_formula(quantiplan):
    """From 1 to 3 by fair bets of 1 within four steps: 1/4 + 1/16."""
    quantiplan(
        "generate", "gambler", "--goal", 3, "--initial-capital", 1, "--win", "1/2", "--least-bet", 1,
        "--greatest-bet", 1, "--horizon", 4, "-o", "game.json", code=0,
    )
    steps = quantiplan.json("frontier", "game.json")["steps"]
    assert steps[-1]["wealth"] == 2
    assert steps[-1]["probability_exact"] == "0.3125"


def test_the_seed_names_the_model(quantiplan):
    first = generated(quantiplan, "garnet", "--seed", "1")
    assert first == generated(quantiplan, "garnet")
    other = generated(quantiplan, "garnet", "--seed", "2")
    assert other["choices"] != first["choices"]
    assert other["name"] == first["name"]


def test_the_papers_garnets_have_real_rewards(quantiplan):
    model = generated(quantiplan, "garnet", "--states", 8, "--branching", 3, "--greatest-reward", 1,
                      "--reward-digits", 15)
    rewards = [choice["reward"] for choice in model["choices"]]
    assert all(0 <= reward <= 1 for reward in rewards)
    assert len(set(rewards)) == len(rewards) == 40


def test_values_may_be_negative_fractions_and_lists(quantiplan):
    model = generated(quantiplan, "garnet", "--least-reward", "-9", "--greatest-reward", "-8", "--discount", "2/3")
    assert model["discount"] == "2/3"
    assert {choice["reward"] for choice in model["choices"]} == {-9, -8}
    model = generated(quantiplan, "inventory", "--demand", "1/3,2/3")
    assert {"state": "stock=3", "action": "order 0", "next": [
        {"to": "stock=3", "probability": "1/3", "reward": -3},
        {"to": "stock=2", "probability": "2/3", "reward": 5}]} in model["choices"]


def test_the_ending_of_the_file_or_to_decides_the_format(quantiplan):
    done = quantiplan("generate", "river", "-o", "river.csv", code=0)
    assert done.stdout == ""
    assert done.stderr == (
        "notice: river.csv: CSV has no place for the name, the horizon, the discount, the initial state\n"
    )
    written = (quantiplan.folder / "river.csv").read_text()
    assert written.splitlines()[:2] == ["idstatefrom,idaction,idstateto,probability,reward", "s0,left,s0,1,5"]
    done = quantiplan("generate", "river", "--to", "csv", "--quiet", code=0)
    assert done.stdout == written
    assert done.stderr == ""
    quantiplan("generate", "river", "-o", "river.txt", "--to", "json", code=0)
    assert json.loads((quantiplan.folder / "river.txt").read_text())["name"] == "river-6"


@pytest.mark.parametrize(
    "args, message",
    [
        ([], f"generate: found none, expected a domain: {NAMES}; see quantiplan generate --help"),
        (["lake"], f"generate: found 'lake', expected a domain: {NAMES}; see quantiplan generate --help"),
        (
            ["river", "--seed", "3"],
            "generate river: found '--seed', expected an option of this command; see quantiplan generate river --help",
        ),
        (
            ["river", "6"],
            "generate river: found '6', expected no further argument; see quantiplan generate river --help",
        ),
        (
            ["--states", "6", "river"],
            "generate: found '--states', expected an option of this command; see quantiplan generate --help",
        ),
        (
            ["river", "--states"],
            "generate river: --states: found no value, expected N; see quantiplan generate river --help",
        ),
        (
            ["river", "--states", "6", "--states", "7"],
            "generate river: --states: found it 2 times, expected once; see quantiplan generate river --help",
        ),
        (["river", "--states", "six"], "--states: found 'six', expected a whole number from 0 to 2^32 - 1"),
        (["river", "--states", "1", "--initial", "0"], "--states: found 1, must be from 2 to 1000000"),
        (["river", "--forward", "1.5"], "--forward: found 1.5, must be from 0 to 1"),
        (["river", "--horizon", "0"], "--horizon: found 0, must be from 1 to 1000000000"),
        (["river", "--discount", "1.1"], "--discount: found 1.1, must be above 0 and at most 1"),
        (
            ["river", "--back", "x"],
            "--back: 'x' is no number: it does not begin with a digit; "
            "expected a decimal such as -0.5 or 1e-3, or a fraction such as 1/3",
        ),
        (["gambler", "--reward-of", "fun"], "--reward-of: found 'fun', expected capital or goal"),
        (["inventory", "--demand", "1/2"], "--demand: found a sum of 0.5, must be probabilities of sum 1"),
        (
            ["river", "-o", "river.txt"],
            "--output: found 'river.txt', expected a name ending in .json, .csv, .prism, .tra, .drn or .umb, or --to",
        ),
        (["river", "-o", ""], "--output: found '', expected a name ending in .json, .csv, .prism, .tra, .drn or .umb, or --to"),
        (["river", "--to", "xml"], "--to: found 'xml', expected json, csv, prism, tra, drn, umb, tra-decimals or storm-tra"),
    ],
)
def test_what_does_not_fit_is_named(quantiplan, args, message):
    assert quantiplan.fails("generate", *args) == [f"quantiplan: {message}"]
    assert not (quantiplan.folder / "river.txt").exists()


def test_all_wrong_values_are_named_at_once(quantiplan):
    assert quantiplan.fails("generate", "machine", "--levels", "1", "--wear", "-1", "--horizon", "0") == [
        "quantiplan: --levels: found 1, must be from 2 to 1000000",
        "quantiplan: --horizon: found 0, must be from 1 to 1000000000",
        "quantiplan: --wear: found -1, must be from 0 to 1",
    ]


def test_a_folder_that_does_not_exist_is_an_error(quantiplan):
    assert quantiplan.fails("generate", "river", "-o", "nowhere/river.json") == [
        "nowhere/river.json: cannot write: No such file or directory"
    ]


def test_what_is_wrong_is_said_of_what_was_given(quantiplan):
    """Of two parameters that do not fit, the one that was given; else it is said that it was not."""
    quantiplan("generate", "garnet", "--rewards", "uniform", "--reward-digits", "15", code=0)
    assert quantiplan.fails("generate", "garnet", "--reward-digits", "15") == [
        "quantiplan: --reward-digits: found 15, must be at most 13 with rewards from 0 to 100"
    ]
    assert quantiplan.fails("generate", "garnet", "--greatest-reward", "2000000000000000") == [
        "quantiplan: --greatest-reward: found 2000000000000000, must be at most 10^15"
    ]
    assert quantiplan.fails("generate", "garnet", "--states", "3") == [
        "quantiplan: --branching: found 7, must be from 1 to states; it was not given, that is its default"
    ]
    assert quantiplan.fails("generate", "garnet", "--greatest-reward", "-5") == [
        "quantiplan: --least-reward: found 0, must be at most greatest-reward; it was not given, that is its default"
    ]
    assert quantiplan.fails("generate", "garnet", "--branching", "200") == [
        "quantiplan: --branching: found 200, must be from 1 to states"
    ]
