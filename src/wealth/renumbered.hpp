// A structure as a smaller model sees it, which numbers its rewards otherwise.
//
//     update(w, r)  =  own.update(w, r in the numbers of the structure's own model)
//
// Wealths, classes and texts are those of the structure itself, so what is found by the one can be
// judged by the other.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "quantiplan/structure.hpp"

namespace quantiplan {

class Renumbered final : public Structure {
 public:
  // Every reward of `smaller` occurs in `model`, the structure's own. Cost: O(outcomes).
  Renumbered(std::shared_ptr<Structure> own, const Model& model, const Model& smaller)
      : own_(std::move(own)), number_of_(smaller.rewards().size(), kNone) {
    std::map<Rational, NumberId> numbers;
    std::vector<bool> is_known(model.rewards().size(), false);
    for_rewards(model, [&](NumberId id) {
      if (is_known[index(id)]) return;
      is_known[index(id)] = true;
      numbers.emplace(model.rewards().rational(id), id);
    });
    for_rewards(smaller, [&](NumberId id) {
      NumberId& number = number_of_[index(id)];
      if (number == kNone) number = numbers.at(smaller.rewards().rational(id));
    });
  }

  WealthId initial() override { return own_->initial(); }
  WealthId update(WealthId wealth, NumberId reward) override {
    return own_->update(wealth, number_of_[index(reward)]);
  }
  [[nodiscard]] std::weak_ordering order(WealthId a, WealthId b) const override {
    return own_->order(a, b);
  }
  [[nodiscard]] std::string text(WealthId wealth) const override { return own_->text(wealth); }
  [[nodiscard]] std::string class_text(WealthId wealth) const override {
    return own_->class_text(wealth);
  }
  [[nodiscard]] std::optional<Total> number(WealthId wealth) const override {
    return own_->number(wealth);
  }
  [[nodiscard]] std::size_t declared_classes() const override { return own_->declared_classes(); }
  [[nodiscard]] std::size_t declared_rank(WealthId wealth) const override {
    return own_->declared_rank(wealth);
  }
  [[nodiscard]] bool has_residuals() const override { return own_->has_residuals(); }
  [[nodiscard]] std::size_t size() const override { return own_->size(); }
  [[nodiscard]] std::uint64_t bytes() const override {
    return own_->bytes() + number_of_.capacity() * sizeof(NumberId);
  }

 private:
  static constexpr NumberId kNone{~std::uint32_t{0}};

  template <class Visit>
  static void for_rewards(const Model& model, const Visit& visit) {
    for (std::uint32_t c = 0; c < model.choice_count(); ++c) {
      for (const Outcome& o : model.outcomes(Choice{c})) visit(o.reward);
    }
  }

  std::shared_ptr<Structure> own_;
  std::vector<NumberId> number_of_;  // by id of the smaller model
};

}  // namespace quantiplan
