"""Models that cannot be read: the whole message of each mistake, and exit code 2."""

import pytest

NUMBER = "expected a decimal such as -0.5 or 1e-3, or a fraction such as 1/3"
HEAD = '{"format": "quantiplan-model/1", "horizon": 1, "initial": "a", '
CHOICES = '"choices": [{"state": "a", "action": "go", "next": {"b": 1}}]'
EMPTY = (
    "the text is empty, must be a model: a JSON object, or CSV with the header "
    "idstatefrom,idaction,idstateto,probability,reward"
)
COLUMNS = "idstatefrom,idaction,idstateto,probability,reward\n"


def model(body, head=HEAD):
    return head + body + "}"


JSON = [
    pytest.param(
        '',
        [
            f'model.json: {EMPTY}',
        ],
        id='empty file',
    ),
    pytest.param(
        ' \n ',
        [
            f'model.json: {EMPTY}',
        ],
        id='only blanks',
    ),
    pytest.param(
        'hello',
        [
            "model.json:1: no valid JSON: found 'hello', expected a value",
        ],
        id='not json',
    ),
    pytest.param(
        '{"format": "quantiplan-model/1", "choices": [\n{"state": "a"',
        [
            "model.json:2: no valid JSON: found the end of the text, expected ',' or '}'",
        ],
        id='cut off',
    ),
    pytest.param(
        model(CHOICES) + ' x',
        [
            "model.json:1: no valid JSON: found 'x', expected the end of the text",
        ],
        id='trailing text',
    ),
    pytest.param(
        model(CHOICES).replace('go','g\x01o'),
        [
            "model.json:1: no valid JSON: found '\\x01o', expected an escape such as \\n or \\u00e9",
        ],
        id='control character',
    ),
    pytest.param(
        '{"format": "other/3", "choices": []}',
        [
            "model.json:1: format: found 'other/3', must be 'quantiplan-model/1'",
        ],
        id='foreign format',
    ),
    pytest.param(
        '{"horizon": 1, ' + CHOICES + '}',
        [
            "model.json:1: missing key 'format' in the model",
        ],
        id='no format',
    ),
    pytest.param(
        model('"horizont": 3, ' + CHOICES),
        [
            "model.json:1: unknown key 'horizont' in the model, must be one of 'format', 'name', 'horizon', 'discount', 'initial', 'kind', 'goal', 'labels', 'rewards', 'wealth', 'states', 'choices'; did you mean 'horizon'?",
        ],
        id='unknown key',
    ),
    pytest.param(
        model('"choices": [{"state": "a", "action": "go", "rewards": 1, "next": {"b": 1}}]'),
        [
            "model.json:1: state 'a', choice 'go': unknown key 'rewards' in a choice, must be one of 'state', 'action', 'reward', 'next'; did you mean 'reward'?",
        ],
        id='unknown key in choice',
    ),
    pytest.param(
        model('"horizon": 2, ' + CHOICES),
        [
            "model.json:1: key 'horizon' is given twice in the model, must be given once",
        ],
        id='duplicate key',
    ),
    pytest.param(
        model('"name": 3, ' + CHOICES),
        [
            'model.json:1: name: found a number, expected a string',
        ],
        id='wrong kind',
    ),
    pytest.param(
        model('"choices": {"a": 1}'),
        [
            'model.json:1: choices: found an object, expected a list',
        ],
        id='wrong kind choices',
    ),
    pytest.param(
        model('"choices": []'),
        [
            'model.json:1: choices: the list is empty, must have at least one choice',
        ],
        id='no choices',
    ),
    pytest.param(
        model('"choices": [{"state": "a", "action": "go"}]'),
        [
            "model.json:1: state 'a', choice 'go': missing key 'next' in a choice",
        ],
        id='missing next',
    ),
    pytest.param(
        model('"states": ["a", "bee"], "choices": [{"state": "a", "action": "go", "next": {"be": 1}}]'),
        [
            "model.json:1: state 'a', choice 'go': unknown state 'be', must be one of the declared states; did you mean 'bee'?",
        ],
        id='unknown state',
    ),
    pytest.param(
        model('"states": ["a", "b", "a"], ' + CHOICES),
        [
            "model.json:1: states: 'a' is declared twice, must be declared once",
        ],
        id='duplicate state',
    ),
    pytest.param(
        model('"choices": [{"state": "a", "action": "go", "next": {"b": 1}},\n {"state": "a", "action": "go", "next": {"a": 1}}]'),
        [
            "model.json:2: state 'a', choice 'go': given twice, first on line 1; actions of one state must have different names",
        ],
        id='duplicate action',
    ),
    pytest.param(
        model('"choices": [{"state": "a", "action": "go", "next": {"b": 0.5, "b": 0.5}}]'),
        [
            "model.json:1: state 'a', choice 'go': next state 'b' is given twice in 'next', must be given once",
        ],
        id='duplicate next',
    ),
    pytest.param(
        model('"choices": [{"state": "a", "action": "go", "next": {"b": -0.5, "a": 1.5}}]'),
        [
            "model.json:1: state 'a', choice 'go': next state 'b': probability is -0.5, must be from 0 to 1",
            "model.json:1: state 'a', choice 'go': next state 'a': probability is 1.5, must be from 0 to 1",
        ],
        id='negative probability',
    ),
    pytest.param(
        model('"choices": [{"state": "a", "action": "go", "next": {"b": 0.5, "a": 0.49}}]'),
        [
            "model.json:1: state 'a', choice 'go': probabilities sum to 0.99, must be 1",
        ],
        id='sum',
    ),
    pytest.param(
        model('"choices": [{"state": "a", "action": "go", "reward": "NaN", "next": {"b": 1}}]'),
        [
            f"model.json:1: state 'a', choice 'go': reward: 'NaN' is no number: it is not finite; {NUMBER}",
        ],
        id='nan',
    ),
    pytest.param(
        model('"choices": [{"state": "a", "action": "go", "reward": "-inf", "next": {"b": 1}}]'),
        [
            f"model.json:1: state 'a', choice 'go': reward: '-inf' is no number: it is not finite; {NUMBER}",
        ],
        id='infinite',
    ),
    pytest.param(
        model('"choices": [{"state": "a", "action": "go", "reward": NaN, "next": {"b": 1}}]'),
        [
            "model.json:1: no valid JSON: found 'NaN', expected a value",
        ],
        id='bare NaN',
    ),
    pytest.param(
        model('"choices": [{"state": "a", "action": "go", "reward": 1e999999999, "next": {"b": 1}}]'),
        [
            f"model.json:1: state 'a', choice 'go': reward: '1e999999999' is no number: the exponent must be from -1000 to 1000; {NUMBER}",
        ],
        id='exponent',
    ),
    pytest.param(
        model('"choices": [{"state": "a", "action": "go", "reward": "1/0", "next": {"b": 1}}]'),
        [
            f"model.json:1: state 'a', choice 'go': reward: '1/0' is no number: the denominator is 0; {NUMBER}",
        ],
        id='zero denominator',
    ),
    pytest.param(
        model('"name": ' + '['*100000),
        [
            'model.json:1: name: found a list, expected a string',
            'model.json:1: nested too deeply, must be at most 64 levels',
        ],
        id='brackets',
    ),
    pytest.param(
        '{"format": "quantiplan-model/1", "horizon": 0, "initial": "a", ' + CHOICES + '}',
        [
            'model.json:1: horizon: found 0, must be from 1 to 1000000000, or infinite',
        ],
        id='horizon 0',
    ),
    pytest.param(
        '{"format": "quantiplan-model/1", "horizon": 1.5, "initial": "a", ' + CHOICES + '}',
        [
            "model.json:1: horizon: found '1.5', must be a whole number from 1 to 1000000000, or 'infinite'",
        ],
        id='horizon 1.5',
    ),
    pytest.param(
        '{"format": "quantiplan-model/1", "horizon": 1, "discount": 1.5, "initial": "a", ' + CHOICES + '}',
        [
            'model.json:1: discount: found 1.5, must be above 0 and at most 1',
        ],
        id='discount',
    ),
    pytest.param(
        '{"format": "quantiplan-model/1", "horizon": 1, "initial": "x", ' + CHOICES + '}',
        [
            "model.json:1: initial: unknown state 'x', must be a state of the model",
        ],
        id='unknown initial',
    ),
    pytest.param(
        '{"format": "quantiplan-model/1", "initial": "a", ' + CHOICES + '}',
        [
            'quantiplan: no horizon: the model has none; give --horizon N, or --horizon infinite',
        ],
        id='no horizon',
    ),
    pytest.param(
        '{"format": "quantiplan-model/1", "horizon": 1, ' + CHOICES + '}',
        [
            'quantiplan: no initial state: the model has none; give --initial STATE',
        ],
        id='no initial',
    ),
    pytest.param(
        model('"choices": [{"state": "", "action": "go", "next": {"b": 1}}]'),
        [
            'model.json:1: a state name is empty, must have at least one character',
        ],
        id='empty name',
    ),
    pytest.param(
        model('"states": ["a", "b"], "choices": [{"state": "", "action": "go", "next": {"b": 1}}]'),
        [
            'model.json:1: a state name is empty, must have at least one character',
        ],
        id='empty name beside declared states',
    ),
    pytest.param(
        model('"choices": [{"state": "a", "action": "go", "next": [{"to": 1, "probability": 1}]}]'),
        [
            "model.json:1: state 'a', choice 'go': to: found a number, expected a string",
        ],
        id='number as next state',
    ),
    pytest.param(
        model(CHOICES + ', "states": ["ho')[:-1],
        [
            "model.json:1: no valid JSON: found the end of the text, expected '\"' at the end of the string",
        ],
        id='cut off in the list of states',
    ),
    pytest.param(
        '[' + model(CHOICES) + ']',
        [
            'model.json:1: found a list, expected an object',
        ],
        id='list',
    ),
    pytest.param(
        model('"states": [], ' + CHOICES),
        [
            'model.json:1: states: the list is empty, must name every state',
        ],
        id='empty states',
    ),
    pytest.param(
        model('"choices": [{"state": "a", "action": "go", "next": {}}]'),
        [
            "model.json:1: state 'a', choice 'go': no outcomes, must have at least one",
        ],
        id='empty next',
    ),
]


CSV = [
    pytest.param(
        '',
        [
            f'model.csv: {EMPTY}',
        ],
        id='empty',
    ),
    pytest.param(
        'idstatefrom,idaction,idstateto,probability,rewart\n',
        [
            "model.csv:1: header: unknown column 'rewart', must be one of idstatefrom,idaction,idstateto,probability,reward,idoutcome; did you mean 'reward'?",
            "model.csv:1: header: missing column 'reward'",
        ],
        id='unknown column',
    ),
    pytest.param(
        'idstatefrom,idaction,idstateto,probability\n1,1,1,1\n',
        [
            "model.csv:1: header: missing column 'reward'",
        ],
        id='missing column',
    ),
    pytest.param(
        'reward,' + COLUMNS + '1,1,1,1,1,1\n',
        [
            "model.csv:1: header: column 'reward' is given twice, must be given once",
        ],
        id='twice',
    ),
    pytest.param(
        COLUMNS,
        [
            'model.csv:1: found no rows below the header, must be one for each outcome',
        ],
        id='no rows',
    ),
    pytest.param(
        COLUMNS + '1,1,2,1\n',
        [
            'model.csv:2: the row has 4 fields, must have 5 as the header',
        ],
        id='short row',
    ),
    pytest.param(
        COLUMNS + '1,,2,1,0\n',
        [
            'model.csv:2: idaction: the field is empty, must have a name',
        ],
        id='empty field',
    ),
    pytest.param(
        COLUMNS + '1,1,2,one,0\n',
        [
            f"model.csv:2: state '1', choice '1': probability: 'one' is no number: it does not begin with a digit; {NUMBER}",
        ],
        id='bad number',
    ),
    pytest.param(
        COLUMNS + '1,1,2,0.5,0\n',
        [
            "model.csv:2: state '1', choice '1': probabilities sum to 0.5, must be 1",
        ],
        id='sum',
    ),
    pytest.param(
        COLUMNS + '1,"1,2,1,0\n',
        [
            'model.csv:2: found a quote that is never closed, must have a second one',
        ],
        id='quote',
    ),
]


@pytest.mark.parametrize("text, lines", JSON)
def test_json_mistakes_are_named_with_line_and_place(quantiplan, text, lines):
    quantiplan.write("model.json", text)
    assert quantiplan.fails("solve", "model.json", "--tau", "0.5") == lines


@pytest.mark.parametrize("text, lines", CSV)
def test_csv_mistakes_are_named_with_line_and_place(quantiplan, text, lines):
    quantiplan.write("model.csv", text)
    assert quantiplan.fails("solve", "model.csv", "--tau", "0.5", "--horizon", "1", "--initial", "1") == lines


def test_up_to_twenty_problems_come_at_once(quantiplan):
    def lines_of(count):
        choices = ",\n".join(
            f'{{"state": "a", "action": "go {i}", "next": {{"b": 0.5}}}}' for i in range(count)
        )
        quantiplan.write("model.json", model(f'"choices": [{choices}]'))
        return quantiplan.fails("solve", "model.json", "--tau", "0.5")

    assert len(lines_of(20)) == 20
    lines = lines_of(21)
    assert len(lines) == 20
    assert lines[19] == (
        "model.json:20: state 'a', choice 'go 19': probabilities sum to 0.5, must be 1 (further problems not shown)"
    )


def test_mistakes_on_standard_input_name_it(quantiplan):
    assert quantiplan.fails("solve", "-", "--tau", "0.5", stdin="[]") == [
        "standard input:1: found a list, expected an object"
    ]
    assert quantiplan.fails("solve", "-", "--tau", "0.5", stdin="") == [f"standard input: {EMPTY}"]
    assert quantiplan.fails("solve", "-", "--tau", "0.5", stdin="{") == [
        "standard input:1: no valid JSON: found the end of the text, expected a key in double quotes"
    ]


def test_broken_bytes_are_named(quantiplan):
    (quantiplan.folder / "model.json").write_bytes(b'{"format":\n"\xff"}')
    [line] = quantiplan.fails("solve", "model.json", "--tau", "0.5")
    assert line.startswith("model.json:2: ") and "UTF-8" in line


def test_a_sum_that_is_one_but_for_rounding_is_normalised_with_a_notice(quantiplan):
    text = model('"choices": [{"state": "a", "action": "go", "next": {"b": 0.3333333333, "a": 0.6666666666}}]')
    quantiplan.write("model.json", text)
    done = quantiplan("solve", "model.json", "--tau", "0.5", code=0)
    assert done.stderr == (
        "notice: model.json:1: state 'a', choice 'go': probabilities sum to 0.9999999999, normalised to 1\n"
    )
    assert quantiplan("solve", "model.json", "--tau", "0.5", "--quiet", code=0).stderr == ""


def test_the_tolerance_of_sums_can_be_chosen(quantiplan):
    text = model('"choices": [{"state": "a", "action": "go", "next": {"b": 0.3, "a": 0.69}}]')
    quantiplan.write("model.json", text)
    sums = "model.json:1: state 'a', choice 'go': probabilities sum to 0.99, must be 1"
    assert quantiplan.fails("info", "model.json") == [sums]
    done = quantiplan("info", "model.json", "--tolerance", "0.01", code=0)
    assert done.stderr == "notice: " + sums.replace("must be", "normalised to") + "\n"
    assert quantiplan.fails("info", "model.json", "--tolerance", "1") == [
        "quantiplan: --tolerance: found 1, expected a number from 0 to below 1"
    ]


def test_rewards_without_a_unit_are_named_and_rounded_if_asked(quantiplan):
    outcome = '"next": [{"to": "a", "probability": 1, "reward": 0.30000000000000004}]'
    quantiplan.write("model.json", model('"choices": [{"state": "a", "action": "go", ' + outcome + "}]"))
    done = quantiplan("info", "model.json", code=0)
    assert "0.30000000000000004" in done.stderr and "--round-rewards 6" in done.stderr
    answer = quantiplan.json("solve", "model.json", "--tau", "0.5", "--round-rewards", "6", "--horizon", "10", "--quiet")
    assert answer["results"][0]["quantile"] == 3
    assert quantiplan.fails("info", "model.json", "--round-rewards", "x") == [
        "quantiplan: --round-rewards: found 'x', expected a whole number of decimals"
    ]
    assert quantiplan.fails("info", "model.json", "--round-rewards", "19") == [
        "quantiplan: --round-rewards: found 19, expected a whole number of decimals, at most 18"
    ]


POLICY = """{"format": "quantiplan-policy/1", "horizon": 3, "discount": 1, "initial": "home",
  "rules": [
    {"time": 0, "state": "home", "choose": [{"action": "bike"}]}
  ]}
"""


@pytest.mark.parametrize(
    "old, new, line",
    [
        ("quantiplan-policy/1", "x", "policy.json:1: format: found 'x', must be 'quantiplan-policy/1'"),
        ('"horizon": 3', '"horizon": 0', "policy.json:1: horizon: found 0, must be from 1 to 1000000000, or infinite"),
        ('"horizon": 3', '"horizon": 0.5', "policy.json:1: horizon: found '0.5', must be a whole number or 'infinite'"),
        ('"discount": 1', '"discount": 0', "policy.json:1: discount: found 0, must be above 0 and at most 1"),
        (
            '"initial": "home"',
            '"initial": "hom"',
            "policy.json:1: initial: unknown state 'hom', must be a state of the model; did you mean 'home'?",
        ),
        (
            '"state": "home"',
            '"state": "pub"',
            "policy.json:3: time 0, state 'pub': unknown state, must be a state of the model",
        ),
        (
            '"bike"',
            '"bikes"',
            "policy.json:3: time 0, state 'home': unknown action 'bikes', must be an action of the state; "
            "did you mean 'bike'?",
        ),
        (
            '{"action": "bike"}',
            "",
            "policy.json:3: time 0, state 'home': 'choose' is empty, must name an action",
        ),
        (
            '{"action": "bike"}',
            '{"action": "bike", "upto": 3}',
            "policy.json:3: time 0, state 'home': the last action has an 'upto', must have none",
        ),
        (
            '{"action": "bike"}',
            '{"action": "bike"}, {"action": "train"}',
            "policy.json:3: time 0, state 'home': an action has no 'upto', only the last may have none",
        ),
        (
            '{"action": "bike"}',
            '{"action": "bike", "upto": 3}, {"action": "train", "upto": 2}, {"action": "bike"}',
            "policy.json:3: time 0, state 'home': 'upto' is 2 after 3, must ascend",
        ),
        (
            '"time": 0',
            '"time": 3',
            "policy.json:3: time 3, state 'home': the time must be below the horizon 3",
        ),
        ('"action": "bike"', '"upto": "x"', None),
    ],
)
def test_policy_mistakes_are_named_with_line_and_place(quantiplan, old, new, line):
    assert POLICY.count(old) == 1
    quantiplan.write("policy.json", POLICY.replace(old, new))
    lines = quantiplan.fails("evaluate", "commute.json", "--policy", "policy.json")
    if line is None:
        assert len(lines) == 2 and all(found.startswith("policy.json:3: ") for found in lines)
    else:
        assert lines == [line]


def test_a_policy_written_by_hand_works_and_needs_a_claim_to_be_checked(quantiplan):
    quantiplan.write("policy.json", POLICY)
    assert quantiplan.json("evaluate", "commute.json", "--policy", "policy.json")["mean"] == -40
    [line] = quantiplan.fails("check", "commute.json", "policy.json")
    assert line.startswith("quantiplan: policy.json: makes no claim to be held to")
    for given, missing in [
        (["--tau", "0.1"], "--side"),
        (["--tau", "0.1", "--side", "lower"], "--quantile"),
    ]:
        assert quantiplan.fails("check", "commute.json", "policy.json", *given) == [
            f"quantiplan: {missing}: not given, and the policy file makes no claim; expected it on the command line"
        ]
    claim = ["--tau", "0.1", "--side", "lower", "--quantile", "-40"]
    assert quantiplan.json("check", "commute.json", "policy.json", *claim)["passed"] is True


def test_a_policy_without_a_rule_where_it_comes_is_an_error(quantiplan):
    quantiplan.write("policy.json", POLICY.replace('"bike"', '"train"'))
    assert quantiplan.fails("evaluate", "commute.json", "--policy", "policy.json") == [
        "policy.json: no rule for state 'station' at time 1 with a total of -10 so far, expected one since the policy "
        "can get there"
    ]
    [line] = quantiplan.fails(
        "simulate", "commute.json", "--policy", "policy.json", "--episodes", "5", "--seed", "1"
    )
    assert line == "policy.json: time 1, state 'station': no rule, the policy must have one"
