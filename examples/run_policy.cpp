// Runs one episode of a policy: the model of a file, a policy for a tau, and a world that answers.
//
//     run_policy MODEL TAU
#include <exception>
#include <iostream>
#include <quantiplan/quantiplan.hpp>
#include <random>

// Stands for whatever carries actions out: draws an outcome of the model. The same everywhere.
quantiplan::Outcome world(const quantiplan::Model& model, quantiplan::Choice action) {
  static std::mt19937 random(2);
  double left = static_cast<double>(random()) / 4294967296.0;
  for (const quantiplan::Outcome& outcome : model.outcomes(action)) {
    left -= model.probabilities().nearest(outcome.probability);
    if (left < 0) return outcome;
  }
  return model.outcomes(action).back();
}

int main(int count, char** arguments) try {
  using namespace quantiplan;
  if (count != 3) throw Error(ErrorCode::bad_request, "usage", "run_policy MODEL TAU");
  const Model model = read_model(arguments[1]).model;
  Query query;
  query.taus = {Number(arguments[2]).rational()};
  const Answer answer = solve(model, query);
  Run run = start(model, answer.results.front().policy());
  while (!run.is_over()) {
    const Choice action = run.act();
    std::cout << model.state_name(run.state()) << ": " << model.action_name(action);
    if (const auto target = run.target()) std::cout << ", target " << to_text(*target);
    std::cout << ", kept with probability " << run.chance()->nearest << '\n';
    const Outcome seen = world(model, action);
    run.observe(model.reward(seen), seen.next);
  }
  const bool is_kept = run.chance()->nearest == 1;
  std::cout << model.state_name(run.state()) << ": the promise was "
            << (is_kept ? "kept" : "not kept") << '\n';
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
