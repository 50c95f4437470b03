// Models that declare a structure and hold some rewards of it, for the tests of structures.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "quantiplan/model.hpp"
#include "quantiplan/structure.hpp"
#include "wealth_of_kind.hpp"

namespace quantiplan::testing {

inline Wealth labelled(WealthKind kind, std::vector<std::string> labels) {
  Wealth wealth = of_kind(kind);
  wealth.labels = std::move(labels);
  return wealth;
}

// ok -A-> seen A -B-> bad: B must not be done after A. Everything else stays.
inline Wealth no_b_after_a() {
  Wealth wealth = labelled(WealthKind::automaton, {"A", "B"});
  wealth.nodes = {"ok", "seen A", "bad"};
  wealth.next = {1, 0, 1, 2, 2, 2};
  wealth.classes = {"violated", "fine"};
  wealth.class_of = {1, 1, 0};
  return wealth;
}

// One state, one action for each reward, in the order given.
template <class Rewards>
Model model_with(const Wealth& wealth, const Rewards& rewards) {
  ModelBuilder builder;
  builder.horizon(3).initial("s").wealth(wealth);
  for (std::size_t i = 0; i < rewards.size(); ++i) {
    builder.begin_choice("s", std::string("a").append(std::to_string(i)));
    if constexpr (std::is_same_v<typename Rewards::value_type, Rational>)
      builder.add_outcome("s", 1, rewards[i]);
    else
      builder.add_outcome("s", 1, builder.reward(rewards[i]).value());
  }
  builder.begin_choice("s", "none");
  builder.add_outcome("s", 1, wealth.has_labels() ? Number(Wealth::kNoLabel) : Number(1));
  return builder.build();
}

// Runs rewards, by the position of their actions, through a structure.
class Told {
 public:
  explicit Told(const Model& model) : Told(model, structure_of(model)) {}
  Told(const Model& model, std::shared_ptr<Structure> structure)
      : model_(model), structure_(std::move(structure)) {}
  WealthId operator()(const std::vector<std::size_t>& actions) {
    WealthId wealth = structure_->initial();
    for (const std::size_t a : actions) wealth = structure_->update(wealth, reward(a));
    return wealth;
  }
  std::string text(const std::vector<std::size_t>& actions) {
    return structure_->text((*this)(actions));
  }
  std::weak_ordering order(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
    const WealthId left = (*this)(a);
    const WealthId right = (*this)(b);
    return structure_->order(left, right);
  }
  [[nodiscard]] NumberId reward(std::size_t action) const {
    return model_.outcomes(model_.choices(State{0})[action])[0].reward;
  }
  Structure& structure() { return *structure_; }

 private:
  const Model& model_;
  std::shared_ptr<Structure> structure_;
};

}  // namespace quantiplan::testing
