#include "preferences/preference_judge.hpp"

#include <algorithm>

namespace quantiplan::testing {
namespace {

std::size_t whole(const Rational& value) { return value.get_num().get_ui(); }

}  // namespace

Holding Judge::start() const {
  switch (declared_.kind) {
    case WealthKind::max:
    case WealthKind::min:
      return {};
    case WealthKind::product:
      return {1};
    case WealthKind::lexicographic:
      return Holding(declared_.components.size());
    case WealthKind::counts:
      return Holding(declared_.labels.size());
    case WealthKind::automaton:
    case WealthKind::table:
      return {Rational(declared_.start)};
    default:
      return {0};
  }
}

Holding Judge::after(const Holding& wealth, const Rational& reward) const {
  if (declared_.has_labels() && reward < 0) return wealth;
  Holding next = wealth;
  switch (declared_.kind) {
    case WealthKind::max:
      return wealth.empty() ? Holding{reward} : Holding{std::max(wealth[0], reward)};
    case WealthKind::min:
      return wealth.empty() ? Holding{reward} : Holding{std::min(wealth[0], reward)};
    case WealthKind::product:
      next[0] *= reward;
      return next;
    case WealthKind::lexicographic:
      for (std::size_t i = 0; i < next.size(); ++i) next[i] += declared_.vectors[whole(reward)][i];
      return next;
    case WealthKind::counts:
      next[whole(reward)] += 1;
      return next;
    case WealthKind::weighted_counts:
      next[0] += declared_.weights[whole(reward)];
      return next;
    case WealthKind::automaton:
    case WealthKind::table:
      return {Rational(declared_.next[whole(wealth[0]) * declared_.labels.size() + whole(reward)])};
    case WealthKind::sum:
      break;
  }
  next[0] += reward;
  return next;
}

std::vector<Rational> Judge::merit(const Holding& wealth) const {
  std::vector<Rational> merit = wealth;
  switch (declared_.kind) {
    case WealthKind::max:  // () is below every (r)
      return merit;
    case WealthKind::min:  // (-1, 0) for nothing met is above every (-2, r)
      return wealth.empty() ? std::vector<Rational>{-1, 0} : std::vector<Rational>{-2, wealth[0]};
    case WealthKind::lexicographic:
      for (std::size_t i = 0; i < merit.size(); ++i)
        if (declared_.components[i].less_is_better) merit[i] = -merit[i];
      return merit;
    case WealthKind::counts:
      if (declared_.best_first) {
        merit[0] = -merit[0];
        std::reverse(merit.begin(), merit.end());
      } else {
        for (std::size_t i = 0; i + 1 < merit.size(); ++i) merit[i] = -merit[i];
      }
      return merit;
    case WealthKind::automaton:
    case WealthKind::table:
      return {Rational(declared_.class_of[whole(wealth[0])])};
    default:
      return merit;
  }
}

std::string Judge::counts_text(const Holding& wealth) const {
  std::string text;
  for (std::size_t back = 0; back < wealth.size(); ++back) {
    const std::size_t label = wealth.size() - 1 - back;
    if (wealth[label] == 0) continue;
    text.append(text.empty() ? "" : ", ").append(wealth[label].get_str());
    text.append(" ").append(declared_.labels[label]);
  }
  return text.empty() ? "nothing" : text;
}

std::string Judge::text(const Holding& wealth) const {
  switch (declared_.kind) {
    case WealthKind::max:
      return wealth.empty() ? "-inf" : to_text(wealth[0]);
    case WealthKind::min:
      return wealth.empty() ? "inf" : to_text(wealth[0]);
    case WealthKind::lexicographic: {
      std::string text;
      for (std::size_t i = 0; i < wealth.size(); ++i) {
        text.append(i == 0 ? "(" : ", ").append(to_text(wealth[i]));
        const std::string& name = declared_.components[i].name;
        if (!name.empty()) text.append(" ").append(name);
      }
      return text.append(")");
    }
    case WealthKind::counts:
      return counts_text(wealth);
    case WealthKind::automaton:
    case WealthKind::table:
      return declared_.nodes[whole(wealth[0])];
    default:
      return to_text(wealth[0]);
  }
}

std::string Judge::class_text(const Holding& wealth) const {
  if (!declared_rank(wealth)) return text(wealth);
  return declared_.classes[*declared_rank(wealth) - 1];
}

std::optional<Rational> Judge::number(const Holding& wealth) const {
  if (wealth.empty() || !(declared_.has_numbers() || declared_.kind == WealthKind::weighted_counts))
    return std::nullopt;
  return wealth[0];
}

std::optional<std::size_t> Judge::declared_rank(const Holding& wealth) const {
  if (declared_.kind != WealthKind::automaton && declared_.kind != WealthKind::table)
    return std::nullopt;
  return declared_.class_of[whole(wealth[0])] + 1;
}

}  // namespace quantiplan::testing
