// A preference order over histories, as the engines see it, and how to write one's own.
//
//     struct Longest {                                  // the longest run of heads
//       struct Wealth { int now = 0, best = 0; auto operator<=>(const Wealth&) const = default; };
//       Wealth initial() const { return {}; }
//       Wealth update(const Wealth& w, const Reward& r) const;
//       std::weak_ordering order(const Wealth& a, const Wealth& b) const { return a.best <=> b.best; }
//       std::string text(const Wealth& w) const { return std::to_string(w.best) + " in a row"; }
//     };
//     query.setting.structure = make_structure(model, Longest{});
//     Answer answer = solve(model, query);
//
// initial    the wealth of the empty history
// update     w o r, after one more reward
// order      of final wealths: a total preorder; quantiles live on its classes
// text       of a wealth; two wealths that are not equal have different texts
//
// and, if they hold,
//
// kHasResiduals = true    the order in which rewards come does not matter, and the same reward
//                         keeps the order of any two wealths: w <= w' implies w o r <= w' o r.
//                         Then r o w' >= y iff w' >= y / r for some y / r, and one backward pass
//                         over what is still to come does; else the wealth so far is part of the
//                         state.
// class_text              the class of a final wealth, if it is not named by the text
// number                  the wealth as a number, where it has an expectation
// classes, class_of       where classes are known beforehand: how many, and which a wealth is
//                         in, 0 the worst; ranks then count the classes that no history reaches,
//                         too
//
// Wealth is a regular type with operator<, any strict total order, which is used as a key only.
//
// Thread safety: a Structure hands out numbers as wealths are met, so it is used by one thread at a
// time; a WealthClasses reads only, but not while its structure is in use elsewhere.
#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "quantiplan/model.hpp"
#include "quantiplan/number.hpp"
#include "quantiplan/total.hpp"
#include "quantiplan/wealth.hpp"

namespace quantiplan {

// The reward of an outcome, in the terms of the model's own declaration.
struct Reward {
  const Rational& number;            // itself; of a label or a vector, its position
  std::string_view label;            // "" where there is none
  std::span<const Rational> vector;  // empty where it is no vector
};

template <class S>
concept WealthStructure = requires(const S& structure,
                                   const typename S::Wealth& wealth,
                                   const Reward& reward) {
  { structure.initial() } -> std::convertible_to<typename S::Wealth>;
  { structure.update(wealth, reward) } -> std::convertible_to<typename S::Wealth>;
  { structure.order(wealth, wealth) } -> std::convertible_to<std::weak_ordering>;
  { structure.text(wealth) } -> std::convertible_to<std::string>;
  { wealth < wealth } -> std::convertible_to<bool>;
};

// Wealths by number, each handed out once.
enum class WealthId : std::uint32_t {};
constexpr std::size_t index(WealthId w) noexcept { return static_cast<std::size_t>(w); }

class Structure {
 public:
  virtual ~Structure() = default;
  virtual WealthId initial() = 0;
  virtual WealthId update(WealthId wealth, NumberId reward) = 0;
  [[nodiscard]] virtual std::weak_ordering order(WealthId a, WealthId b) const = 0;
  [[nodiscard]] virtual std::string text(WealthId wealth) const = 0;
  [[nodiscard]] virtual std::string class_text(WealthId wealth) const = 0;
  [[nodiscard]] virtual std::optional<Total> number(WealthId wealth) const = 0;
  // How many classes were declared, 0 if none were; and where a wealth stands among them, from 1.
  [[nodiscard]] virtual std::size_t declared_classes() const = 0;
  [[nodiscard]] virtual std::size_t declared_rank(WealthId wealth) const = 0;
  [[nodiscard]] virtual bool has_residuals() const = 0;
  [[nodiscard]] virtual std::size_t size() const = 0;  // wealths met so far
  // About, for the memory limit.
  [[nodiscard]] virtual std::uint64_t bytes() const = 0;
};

template <WealthStructure S>
class StructureOf final : public Structure {
 public:
  using Value = typename S::Wealth;

  StructureOf(const Model& model, S structure) : model_(model), structure_(std::move(structure)) {}

  WealthId initial() override { return intern(structure_.initial()); }
  WealthId update(WealthId wealth, NumberId reward) override {
    const std::uint64_t step =
        (std::uint64_t{index(wealth)} << 32U) | static_cast<std::uint64_t>(index(reward));
    const auto known = steps_.find(step);
    if (known != steps_.end()) return known->second;
    const Rational number = model_.rewards().rational(reward);
    const WealthId next = intern(structure_.update(*values_[index(wealth)], reward_of(number)));
    steps_.emplace(step, next);
    return next;
  }
  [[nodiscard]] std::weak_ordering order(WealthId a, WealthId b) const override {
    return structure_.order(*values_[index(a)], *values_[index(b)]);
  }
  [[nodiscard]] std::string text(WealthId wealth) const override {
    return structure_.text(*values_[index(wealth)]);
  }
  [[nodiscard]] std::string class_text(WealthId wealth) const override {
    if constexpr (requires(const S& s, const Value& v) { s.class_text(v); })
      return structure_.class_text(*values_[index(wealth)]);
    else
      return text(wealth);
  }
  [[nodiscard]] std::optional<Total> number(WealthId wealth) const override {
    if constexpr (requires(const S& s, const Value& v) { s.number(v); })
      return structure_.number(*values_[index(wealth)]);
    else
      return std::nullopt;
  }
  [[nodiscard]] std::size_t declared_classes() const override {
    if constexpr (has_classes())
      return structure_.classes();
    else
      return 0;
  }
  [[nodiscard]] std::size_t declared_rank(WealthId wealth) const override {
    if constexpr (has_classes())
      return structure_.class_of(*values_[index(wealth)]) + 1;
    else
      return 0;
  }
  [[nodiscard]] bool has_residuals() const override {
    if constexpr (requires { S::kHasResiduals; })
      return S::kHasResiduals;
    else
      return false;
  }
  [[nodiscard]] std::size_t size() const override { return values_.size(); }
  [[nodiscard]] std::uint64_t bytes() const override {
    constexpr std::uint64_t kPerNode = 48;
    return values_.size() * (sizeof(Value) + 2 * kPerNode) + steps_.size() * kPerNode;
  }

 private:
  static constexpr bool has_classes() {
    return requires(const S& s, const Value& v) {
      s.classes();
      s.class_of(v);
    };
  }
  WealthId intern(Value value) {
    const auto [at, is_new] =
        ids_.try_emplace(std::move(value), WealthId{static_cast<std::uint32_t>(values_.size())});
    if (is_new) values_.push_back(&at->first);
    return at->second;
  }
  [[nodiscard]] Reward reward_of(const Rational& number) const {
    const Wealth& wealth = model_.wealth();
    if (wealth.has_numbers() || number < 0) return {number, {}, {}};
    const auto at = static_cast<std::size_t>(number.get_num().get_ui());
    if (wealth.has_vectors()) return {number, {}, wealth.vectors[at]};
    return {number, wealth.labels[at], {}};
  }

  Model model_;
  S structure_;
  std::map<Value, WealthId> ids_;
  std::vector<const Value*> values_;
  std::unordered_map<std::uint64_t, WealthId> steps_;
};

template <WealthStructure S>
std::shared_ptr<Structure> make_structure(const Model& model, S structure) {
  return std::make_shared<StructureOf<S>>(model, std::move(structure));
}
// The one that the model declares.
std::shared_ptr<Structure> structure_of(const Model& model);

// The classes of the final wealths that were met, from worst to best, in the user's terms. A Level is
// one of them: its position in this list, from 1; `rank` is what to show.
class WealthClasses {
 public:
  // One wealth of each class, ascending.
  WealthClasses(std::shared_ptr<const Structure> structure, std::vector<WealthId> representatives)
      : structure_(std::move(structure)), representatives_(std::move(representatives)) {}
  [[nodiscard]] std::size_t size() const noexcept { return representatives_.size(); }
  [[nodiscard]] WealthId operator[](std::size_t position) const {
    return representatives_[position - 1];
  }
  [[nodiscard]] std::string text(std::size_t position) const {
    return structure_->class_text((*this)[position]);
  }
  [[nodiscard]] std::optional<Total> number(std::size_t position) const {
    return structure_->number((*this)[position]);
  }
  // Its rank among all classes, and how many those are.
  [[nodiscard]] std::size_t rank(std::size_t position) const {
    return structure_->declared_classes() == 0 ? position
                                               : structure_->declared_rank((*this)[position]);
  }
  [[nodiscard]] std::size_t count() const {
    return structure_->declared_classes() == 0 ? size() : structure_->declared_classes();
  }
  [[nodiscard]] const Structure& structure() const { return *structure_; }

 private:
  std::shared_ptr<const Structure> structure_;
  std::vector<WealthId> representatives_;
};
// The position of the worst class that is as good as a level or better; size() + 1 if there is none.
// A level is a class by its text, met or only declared, or any number where wealth is one; nullopt
// for every other text.
std::optional<std::size_t> position_of(std::string_view level,
                                       const WealthClasses& classes,
                                       const Wealth& declared);

}  // namespace quantiplan
