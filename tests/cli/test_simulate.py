"""quantiplan simulate: seeded episodes."""

from conftest import seconds_beyond_reading


def simulate(quantiplan, *more, policy="expectation"):
    return quantiplan.json("simulate", "commute.json", "--policy", policy, *more)


def test_episodes_and_seed_have_defaults(quantiplan):
    simulation = quantiplan.json("simulate", "commute.json", "--policy", "expectation")
    assert (simulation["seed"], simulation["count"]) == (1, 1000)


def test_the_same_seed_gives_the_same_episodes(quantiplan):
    first = simulate(quantiplan, "--episodes", "50", "--seed", "7")
    again = simulate(quantiplan, "--episodes", "50", "--seed", "7")
    other = simulate(quantiplan, "--episodes", "50", "--seed", "8")
    assert first == again
    assert first["episodes"] != other["episodes"]


def test_totals_are_counted_and_near_the_distribution(quantiplan):
    simulation = simulate(quantiplan, "--episodes", "20000", "--seed", "1")
    assert list(simulation) == [
        "format", "model", "policy", "seed", "asked", "count", "mean", "mean_exact", "slack", "totals", "episodes",
    ]
    assert simulation["slack"] == 0
    assert simulation["format"] == "quantiplan-simulation/1"
    assert (simulation["seed"], simulation["count"]) == (1, 20000)
    counts = {t["wealth"]: t["count"] for t in simulation["totals"]}
    assert sum(counts.values()) == 20000 == len(simulation["episodes"])
    assert set(counts) <= {-65, -55, -35, -30, -25}
    # Five standard deviations: sqrt(20000 * 0.72 * 0.28) = 63.5.
    assert abs(counts[-25] - 14400) < 318
    assert sum(w * n for w, n in counts.items()) / 20000 == simulation["mean"]


def test_a_trace_shows_steps_that_add_up(quantiplan):
    simulation = simulate(quantiplan, "--episodes", "20", "--seed", "3", "--trace")
    for episode in simulation["episodes"]:
        assert sum(step["reward"] for step in episode["steps"]) == episode["wealth"]
        assert [step["time"] for step in episode["steps"]] == list(range(len(episode["steps"])))
        assert episode["steps"][0]["state"] == "home"
        for before, after in zip(episode["steps"], episode["steps"][1:]):
            assert before["next"] == after["state"]
    assert "steps" not in simulate(quantiplan, "--episodes", "1", "--seed", "3")["episodes"][0]


def test_a_policy_file_is_played(quantiplan, policy):
    simulation = simulate(quantiplan, "--episodes", "10", "--seed", "0", policy=policy)
    assert simulation["totals"] == [{"wealth": -40, "count": 10}]
    assert simulation["policy"] == policy


def test_text_counts_totals_and_traces(quantiplan, policy):
    text = quantiplan(
        "simulate", "commute.json", "--policy", policy, "--episodes", "30", "--seed", "5", "--trace", code=0
    ).stdout
    assert "Policy 'policy.json', seed 5\n" in text
    assert "episode 1: total -40\n  time  state   action  reward  next\n     0  'home'  'bike'     -40  'office'\n" in text
    assert "... 6 more (use --all or --json)\n" in text
    assert "30 episodes, mean total -40\n" in text
    assert "    -40        30      1  ##############################\n" in text
    every = quantiplan(
        "simulate", "commute.json", "--policy", policy, "--episodes", "30", "--seed", "5", "--trace", "--all", code=0
    ).stdout
    assert "episode 15: total -40\n" in every


def test_setting_options_reach_the_expectation_policy(quantiplan):
    simulation = simulate(
        quantiplan, "--episodes", "5", "--seed", "2", "--horizon", "1", "--initial", "home", "--discount", "1"
    )
    assert simulation["totals"] == [{"wealth": -10, "count": 5}]


def test_episodes_and_seed_must_be_whole_numbers(quantiplan):
    args = ["simulate", "commute.json", "--policy", "expectation"]
    assert quantiplan.fails(*args, "--episodes", "0", "--seed", "1") == [
        "quantiplan: --episodes: found '0', expected a whole number from 1 to 2^64 - 1"
    ]
    assert quantiplan.fails(*args, "--episodes", "3", "--seed", "-1") == [
        "quantiplan: --seed: found '-1', expected a whole number from 0 to 2^64 - 1"
    ]
    assert quantiplan.fails(*args, "--episodes", "3", "--seed", "99999999999999999999") == [
        "quantiplan: --seed: found '99999999999999999999', expected a whole number from 0 to 2^64 - 1"
    ]


def test_a_time_limit_ends_with_the_episodes_so_far(quantiplan):
    args = ["simulate", "commute.json", "--policy", "expectation", "--episodes", "1000000000", "--seed", "1"]
    limit = seconds_beyond_reading(quantiplan, "commute.json", 0.2)
    simulation = quantiplan.json(*args, "--time-limit", limit, code=1)
    assert simulation["asked"] == 1000000000
    assert 0 < simulation["count"] == len(simulation["episodes"]) < 1000000000
    text = quantiplan(*args, "--time-limit", limit, code=1).stdout
    assert "Ended early: 1000000000 episodes were asked for.\n" in text


def test_a_policy_on_a_grid_is_played_by_its_index(quantiplan, grid_policy):
    simulation = simulate(quantiplan, "--episodes", "2000", "--seed", "4", policy=grid_policy)
    counts = {t["wealth"]: t["count"] for t in simulation["totals"]}
    assert set(counts) <= {-55.45, -50.5, -31.15, -27.1, -23.5}
    # Five standard deviations: sqrt(2000 * 0.72 * 0.28) = 20.1.
    assert abs(counts[-23.5] - 1440) < 101


def test_totals_that_do_not_repeat_are_drawn(quantiplan):
    args = ["simulate", "-", "--policy", "expectation", "--episodes", "500"]
    model = quantiplan("generate", "machine", code=0).stdout
    text = quantiplan(*args, stdin=model, code=0).stdout
    assert "different totals (use --all or --json)\n" in text
    assert "different totals" not in quantiplan(*args, "--all", stdin=model, code=0).stdout
