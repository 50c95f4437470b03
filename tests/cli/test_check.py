"""quantiplan check: holds a policy to its claim; exit code 4 if it fails."""


def test_a_true_claim_passes(quantiplan, policy):
    checked = quantiplan.json("check", "commute.json", policy)
    assert list(checked) == ["format", "model", "policy", "claim", "passed", "ended_early", "optimality_checked", "findings"]
    assert checked["format"] == "quantiplan-check/1"
    assert checked["passed"] is True
    assert checked["optimality_checked"] is True
    assert checked["claim"]["tau"] == "0.1"
    assert checked["claim"]["side"] == "upper"
    assert checked["claim"]["quantile"] == -40
    assert checked["claim"]["probability"] == 1
    assert quantiplan("check", "commute.json", policy, code=0).stdout.endswith("Check passed.\n")


def test_a_false_claim_fails_with_exit_code_4(quantiplan, policy):
    checked = quantiplan.json("check", "commute.json", policy, "--quantile", "-35", code=4)
    assert checked["passed"] is False
    text = quantiplan("check", "commute.json", policy, "--quantile", "-35", code=4).stdout
    assert text.endswith("Check FAILED.\n")


def test_a_policy_that_is_not_optimal_for_another_tau_fails(quantiplan, policy):
    checked = quantiplan.json("check", "commute.json", policy, "--tau", "0.5", code=4)
    assert checked["passed"] is False
    assert checked["optimality_checked"] is True
    assert quantiplan.json("check", "commute.json", policy, "--side", "lower")["passed"] is True


def test_a_false_probability_in_the_file_fails(quantiplan, policy):
    text = (quantiplan.folder / policy).read_text()
    assert '"probability": 1' in text
    quantiplan.write("forged.json", text.replace('"probability": 1', '"probability": 0.5', 1))
    assert quantiplan.json("check", "commute.json", "forged.json", code=4)["passed"] is False


def test_side_and_numbers_of_a_claim_are_read_exactly(quantiplan, policy):
    assert quantiplan.fails("check", "commute.json", policy, "--side", "both") == [
        "quantiplan: --side: found 'both', expected lower or upper"
    ]
    assert quantiplan.fails("check", "commute.json", policy, "--quantile", "x") == [
        "quantiplan: --quantile: 'x' is no number: it does not begin with a digit; expected a decimal such as -0.5 "
        "or 1e-3, or a fraction such as 1/3"
    ]


def test_a_bracket_passes_and_forged_brackets_fail(quantiplan, grid_policy):
    checked = quantiplan.json("check", "commute.json", grid_policy)
    assert checked["passed"] is True and checked["optimality_checked"] is True
    assert (checked["claim"]["quantile"], checked["claim"]["upper"]) == (-24, -23)
    text = (quantiplan.folder / grid_policy).read_text()
    for true, false in [
        ('"probability": 0.72', '"probability": 0.73'),
        ('"quantile": -24', '"quantile": -23.4'),
        ('"upper": -23', '"upper": -24'),
        ('"tau": 0.5', '"tau": 0.1'),
    ]:
        assert true in text
        quantiplan.write("forged.json", text.replace(true, false, 1))
        assert quantiplan.json("check", "commute.json", "forged.json", code=4)["passed"] is False, false


def test_a_bracket_of_another_level_claims_what_its_tau_demands(quantiplan, grid_policy):
    checked = quantiplan.json("check", "commute.json", grid_policy, "--quantile", "-32", "--tau", "0.25")
    assert checked["passed"] is True
    assert 0.7499999 < checked["claim"]["probability"] < 0.75
    assert quantiplan.json("check", "commute.json", grid_policy, "--quantile", "-20", code=4)["passed"] is False
