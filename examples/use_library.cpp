// A commute of at most three steps: which way to work has the best worst tenth?
#include <iostream>
#include <quantiplan/quantiplan.hpp>

int main() {
  using namespace quantiplan;
  ModelBuilder builder;
  builder.horizon(3).initial("home");
  builder.begin_choice("home", "bike").add_outcome("office", 1, -40);
  builder.begin_choice("home", "train")
      .add_outcome("station", "9/10", -10)
      .add_outcome("home", "0.1", -10);
  builder.begin_choice("station", "wait")
      .add_outcome("office", "0.8", -15)
      .add_outcome("office", "0.2", -45);
  const Model model = builder.build();

  const Answer answer = solve(model, {.taus = {Rational(1, 10)}, .sides = Sides::upper});
  const Result& best = answer.results.front();
  std::cout << "at least " << to_text(*best.quantile) << " with probability "
            << best.probability->nearest << '\n';
}
