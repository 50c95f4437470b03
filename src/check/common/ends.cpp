#include "check/common/ends.hpp"

namespace quantiplan::checking {

Ends::Ends(const Model& model, const ResolvedSetting& setting, const Event& event)
    : setting_(setting), event_(event) {
  for (std::uint32_t i = 0; i < model.state_count(); ++i)
    is_end_.push_back(model.is_terminal(State{i}) || setting.is_goal(State{i}));
  const int at_miss = event.holds_at_miss() ? 1 : 0;
  missed_ = {at_miss, at_miss};
  at_horizon_ = setting.goal.empty() ? counted_ : missed_;
}

Ends::Ends(const Model& model,
           const ResolvedSetting& setting,
           const Event& event,
           std::uint64_t steps,
           Cut cut)
    : Ends(model, setting, event) {
  setting_.horizon = steps;
  cut_ = std::move(cut);
}

bool Ends::is_counted(State s) const { return setting_.goal.empty() || setting_.is_goal(s); }

Rational Ends::largest_tail() const {
  Rational largest = 0;
  for (const Rational& tail : cut_.tail)
    if (abs(tail) > largest) largest = abs(tail);
  return largest;
}

}  // namespace quantiplan::checking
