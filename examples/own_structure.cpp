// A preference of one's own: shifts are compared by the longest run of good days, and among equal
// runs by fewer bad days at all.
#include <algorithm>
#include <iostream>
#include <quantiplan/quantiplan.hpp>

struct LongestRun {
  struct Wealth {
    int now = 0, longest = 0, bad = 0;
    auto operator<=>(const Wealth&) const = default;
  };
  Wealth initial() const { return {}; }
  Wealth update(const Wealth& w, const quantiplan::Reward& day) const {
    if (day.number < 0) return {0, w.longest, w.bad + 1};
    return {w.now + 1, std::max(w.longest, w.now + 1), w.bad};
  }
  // The run that is under way matters while the episode lasts, but not in the end.
  std::weak_ordering order(const Wealth& a, const Wealth& b) const {
    if (a.longest != b.longest) return a.longest <=> b.longest;
    return b.bad <=> a.bad;
  }
  std::string class_text(const Wealth& w) const {
    return std::to_string(w.longest) + " good days in a row, " + std::to_string(w.bad) + " bad";
  }
  std::string text(const Wealth& w) const {
    return class_text(w) + ", " + std::to_string(w.now) + " just now";
  }
};

int main() {
  using namespace quantiplan;
  ModelBuilder builder;
  builder.horizon(3).initial("rested");
  builder.begin_choice("rested", "push")
      .add_outcome("rested", "19/20", 1)
      .add_outcome("tired", "1/20", -1);
  builder.begin_choice("rested", "ease")
      .add_outcome("rested", "9/10", 1)
      .add_outcome("rested", "1/10", -1);
  builder.begin_choice("tired", "rest").add_outcome("rested", 1, -1);
  builder.begin_choice("tired", "push")
      .add_outcome("tired", "1/2", 1)
      .add_outcome("tired", "1/2", -1);
  const Model model = builder.build();

  Query query;
  query.taus = {Rational(1, 10)};
  query.setting.structure = make_structure(model, LongestRun{});
  const Answer answer = solve(model, query);
  const Result& best = answer.results.front();
  std::cout << "at least " << to_text(*best.quantile) << ", with probability "
            << best.probability->nearest << " (rank " << best.quantile->rank() << " of "
            << best.quantile->class_count() << ")\n";
}
