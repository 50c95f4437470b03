"""quantiplan info: what a model is like."""


def test_size_rewards_grid_and_memory(quantiplan):
    info = quantiplan.json("info", "commute.json")
    assert list(info) == [
        "format", "model", "transitions", "labels", "terminal_states", "reachable_states", "rewards", "model_bytes", "bytes_per_outcome",
        "wealth", "estimated_bytes",
    ]
    assert info["format"] == "quantiplan-info/1"
    assert info["model"]["outcomes"] == 5
    assert info["terminal_states"] == 1
    assert info["reachable_states"] == 3
    # The reward of a choice is added to that of its outcomes.
    assert info["rewards"] == [-45, -10]
    assert info["wealth"]["exact"] is True
    assert info["wealth"]["least"] == -65
    assert info["wealth"]["greatest"] == -25
    assert info["wealth"]["unit"] in (1, 5)
    assert info["bytes_per_outcome"] == info["model_bytes"] / 5
    assert info["estimated_bytes"] > 0


def test_text_is_a_list(quantiplan):
    text = quantiplan("info", "commute.json", code=0).stdout
    assert text.startswith("name         'commute'\nstates       3 (1 terminal, 3 reachable from 'home')\nchoices      3\n")
    assert "rewards      -45 to -10\ntotals       -65 to -25\nexact        yes: every total is a multiple of " in text


def test_a_model_without_a_setting_has_no_totals(quantiplan):
    model = quantiplan.write(
        "moves.csv", "idstatefrom,idaction,idstateto,probability,reward\n1,1,2,1,5\n"
    )
    info = quantiplan.json("info", model)
    assert info["model"]["horizon"] is None
    assert info["model"]["initial"] is None
    assert info["reachable_states"] is None
    assert info["wealth"] is None
    assert info["estimated_bytes"] is None
    assert "horizon      not set\n" in quantiplan("info", model, code=0).stdout
    info = quantiplan.json("info", model, "--horizon", "4", "--initial", "1", "--discount", "0.5", "-q")
    assert info["model"]["horizon"] == 4
    assert info["model"]["discount"] == 0.5
    assert info["wealth"]["greatest"] == 5


def test_totals_without_a_grid_are_said_to_have_none(quantiplan):
    info = quantiplan.json("info", "commute.json", "--discount", "0.123456789", "--horizon", "50")
    assert info["wealth"] == {"exact": False, "unit": None, "least": None, "greatest": None}
    assert info["estimated_bytes"] is None
    text = quantiplan("info", "commute.json", "--discount", "0.123456789", "--horizon", "50", code=0).stdout
    assert "totals       unknown: no exact grid of 64-bit levels\n" in text
    assert "exact        no: the totals have no common 64-bit integer grid\n" in text
    assert "dense solve" not in text
