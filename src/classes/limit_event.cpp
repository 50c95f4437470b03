#include "classes/limit_event.hpp"

#include <algorithm>

#include "base/node_table.hpp"
#include "base/quoted.hpp"
#include "quantiplan/error.hpp"
#include "wealth/ranking.hpp"

namespace quantiplan {
namespace {

// A transition of an automaton that raises or lowers the class.
struct Steps {
  std::string rises;
  std::string falls;
};

Steps steps_of(const Wealth& wealth) {
  Steps out;
  const std::size_t labels = wealth.labels.size();
  for (std::size_t n = 0; n < wealth.nodes.size(); ++n) {
    for (std::size_t l = 0; l < labels; ++l) {
      const std::uint32_t to = wealth.next[n * labels + l];
      const std::string text = in_quotes(wealth.nodes[n]) + " to " + in_quotes(wealth.nodes[to]) +
                               " by " + in_quotes(wealth.labels[l]);
      if (wealth.class_of[to] > wealth.class_of[n] && out.rises.empty()) out.rises = text;
      if (wealth.class_of[to] < wealth.class_of[n] && out.falls.empty()) out.falls = text;
    }
  }
  return out;
}

Direction direction_of(const Wealth& wealth) {
  switch (wealth.kind) {
    case WealthKind::max:
      return Direction::rises;
    case WealthKind::min:
      return Direction::falls;
    case WealthKind::automaton:
    case WealthKind::table: {
      const Steps steps = steps_of(wealth);
      if (!steps.rises.empty() && !steps.falls.empty()) {
        throw Error(ErrorCode::refused,
                    "--horizon",
                    "infinite, but the class may go up (" + steps.rises + ") and down (" +
                        steps.falls +
                        "), so that an infinite episode may have none; expected a finite "
                        "--horizon, or classes that only rise or only fall");
      }
      return steps.falls.empty() ? Direction::rises : Direction::falls;
    }
    default:
      throw Error(ErrorCode::refused,
                  "--horizon",
                  "infinite, which wealth by " + std::string(to_text(wealth.kind)) +
                      " has no limit for; expected a finite --horizon");
  }
}

}  // namespace

LimitEvents::LimitEvents(const Model& model,
                         const ResolvedSetting& setting,
                         std::shared_ptr<Structure> structure,
                         Limits& limits)
    : model_(model),
      setting_(setting),
      structure_(std::move(structure)),
      direction_(direction_of(model.wealth())),
      in_state_(model.wealth().has_labels()) {
  expand(limits);
  if (complete_) sort();
}

void LimitEvents::expand(Limits& limits) {
  constexpr std::uint64_t kBytesPerOutcome = 140;  // the derived model's share included
  NodeTable met;
  const WealthId none{0};
  const auto node = [&](State s, WealthId w) {
    return Node{static_cast<std::uint32_t>(index(s)),
                static_cast<std::int64_t>(index(in_state_ ? w : none))};
  };
  const WealthId first = structure_->initial();
  for (const State s : setting_.initial.states()) met.insert(node(s, first));
  for (std::uint32_t i = 0; i < met.size(); ++i) {
    if (limits.ended()) return;
    const State s{met.nodes()[i].slot};
    const WealthId w =
        in_state_ ? WealthId{static_cast<std::uint32_t>(met.nodes()[i].level)} : first;
    pairs_.push_back({s, in_state_ ? std::optional(w) : std::nullopt});
    std::vector<std::uint32_t> next;
    std::vector<WealthId> after;
    for (const Choice c : model_.choices(s)) {
      for (const Outcome& o : model_.outcomes(c)) {
        after.push_back(structure_->update(w, o.reward));
        next.push_back(met.insert(node(o.next, after.back())));
      }
    }
    limits.take(kBytesPerOutcome * (next.size() + 1), "the reachable states and wealths");
    next_.push_back(std::move(next));
    after_.push_back(std::move(after));
  }
  complete_ = true;
}

void LimitEvents::sort() {
  std::vector<WealthId> all;
  // An episode that is over at once keeps what it began with.
  const bool may_be_over = std::ranges::any_of(
      setting_.initial, [&](const auto& drawn) { return model_.is_terminal(drawn.state); });
  if (in_state_ || may_be_over) all.push_back(structure_->initial());
  for (const auto& after : after_) all.insert(all.end(), after.begin(), after.end());
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  classes_ = Ranking::of(*structure_, std::move(all)).representative;
}

bool LimitEvents::has_happened(WealthId wealth, std::uint32_t k) const {
  const bool reaches = structure_->order(wealth, classes_[k]) >= 0;
  return direction_ == Direction::rises ? reaches : !reaches;
}

LimitEvents::Event LimitEvents::event(std::uint32_t k) const {
  Event out;
  if (in_state_ && has_happened(*pairs_.front().wealth, k)) {
    out.is_sure = direction_ == Direction::rises;
    return out;
  }
  ModelBuilder builder;
  for (std::size_t i = 0; i < pairs_.size(); ++i) builder.declare_state(std::to_string(i));
  const State goal{static_cast<std::uint32_t>(pairs_.size())};
  builder.declare_state("goal");
  for (std::uint32_t i = 0; i < pairs_.size(); ++i) {
    // Once it has happened, nothing that follows matters.
    if (in_state_ && has_happened(*pairs_[i].wealth, k)) continue;
    std::size_t at = 0;
    for (const Choice c : model_.choices(pairs_[i].state)) {
      builder.begin_choice(State{i}, model_.action_name(c));
      for (const Outcome& o : model_.outcomes(c)) {
        const bool happens = has_happened(after_[i][at], k);
        builder.add_outcome(
            happens ? goal : State{next_[i][at]}, Number(model_.probability(o)), Number(0));
        ++at;
      }
    }
  }
  out.model = builder.build();
  out.setting.horizon = kInfiniteHorizon;
  // The first pairs are those of the initial states, in their order.
  std::vector<InitialStates::Drawn> drawn;
  for (std::uint32_t i = 0; i < setting_.initial.size(); ++i)
    drawn.push_back({State{i}, setting_.initial[i].probability});
  out.setting.initial = InitialStates(std::move(drawn));
  out.setting.goal = {goal};
  out.setting.adversarial = direction_ == Direction::falls;
  return out;
}

}  // namespace quantiplan
