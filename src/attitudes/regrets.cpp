#include "attitudes/regrets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "attitudes/futures.hpp"
#include "attitudes/rests.hpp"
#include "base/memory.hpp"
#include "finite/mean_error.hpp"
#include "model/model_facts.hpp"
#include "numbers/mean_value.hpp"

namespace quantiplan {
namespace {

// Some seconds.
constexpr double kMostLawWork = 5e9;

// Why the laws cannot be had; empty if they can.
std::string unaffordable(const Rests& rests, const FiniteLayout& layout) {
  const Rests::Cost cost = rests.cost_of_laws(*layout.windows);
  const auto bytes = static_cast<std::uint64_t>(std::min(cost.bytes, 0x1p62));
  if (!layout.limits.would_fit(bytes)) {
    return fmt::format("a law for each place met, levels squared, may need {}, the limit is {}",
                       bytes_text(bytes),
                       bytes_text(layout.limits.limit()));
  }
  if (cost.multiply_adds <= kMostLawWork) return {};
  return fmt::format(
      "a law for each place met, levels squared, may need {:.2g} multiply-adds, the limit is "
      "{:.2g}",
      cost.multiply_adds,
      kMostLawWork);
}

// M_t = sum p ( r + gamma M_{t+1} ), in units of its time.
double mean_of(const Stages& stages, const Rests& rests, const Limits& limits) {
  const Model& model = stages.model();
  const double gamma = to_nearest_double(stages.setting().discount);
  std::vector<Choice> choices;
  std::vector<double> later(rests.nodes(stages.horizon()), 0);
  for (std::uint64_t t = stages.horizon(); t-- > 0;) {
    if (limits.ended()) throw WorkEnded();
    std::vector<double> now(rests.nodes(t), 0);
    for (std::uint32_t node = 0; node < now.size(); ++node) {
      rests.choices(t, node, choices);
      if (choices.empty()) continue;
      std::size_t which = 0;
      for (const Outcome& o : model.outcomes(choices[0])) {
        now[node] +=
            model.probabilities().nearest(o.probability) *
            (model.rewards().nearest(o.reward) + gamma * later[rests.next(t, node, which++, o)]);
      }
    }
    later = std::move(now);
  }
  return later[0];
}

// The greatest regret of a time, in its steps, and the first slot that has it.
struct RegretAt {
  std::int64_t steps = 0;
  std::optional<std::uint32_t> slot = std::nullopt;
};

class RegretPass {
 public:
  RegretPass(const FiniteLayout& layout,
             const ExactNumbers& numbers,
             const Rests& rests,
             const Question& question,
             const Selves& selves)
      : layout_(layout),
        stages_(*layout.stages),
        rests_(rests),
        selves_(selves),
        laws_(stages_, numbers, rests, layout.limits),
        bar_(question, laws_.bound()),
        by_time_(stages_.horizon() + 1) {}

  void run(Regrets& out, Work& work) {
    const std::uint64_t horizon = stages_.horizon();
    for (std::uint64_t t = horizon; t-- > 1;) {
      for (std::uint32_t node = 0; node < rests_.nodes(t); ++node) look_at(t, node);
      laws_.make_layer(t);
      layout_.limits.report("regrets of later selves",
                            static_cast<double>(horizon - t) / static_cast<double>(horizon));
    }
    if (horizon > 0) {
      rests_.choices(0, 0, choices_);
      out.level = laws_.quantile(0, 0, choices_[0], bar_);
      out.chance = laws_.chance(0, 0, choices_[0], out.level);
    }
    laws_.count(work);
    out.greatest = greatest();
  }

 private:
  void look_at(std::uint64_t t, std::uint32_t node) {
    rests_.choices(t, node, choices_);
    if (choices_.empty()) return;
    if (layout_.limits.ended()) throw WorkEnded();
    const std::uint32_t slot = rests_.slot(t, node);
    const std::int64_t lost = selves_.best[t][slot] - laws_.quantile(t, node, choices_[0], bar_);
    RegretAt& most = by_time_[t];
    const bool comes_first = lost == most.steps && most.slot && slot < *most.slot;
    if (lost > most.steps || comes_first) most = {lost, slot};
  }

  // All that totals can differ by from a time on, in its units.
  [[nodiscard]] Rational greatest_difference(std::uint64_t time) const {
    const auto [least, most] = reward_range(stages_.model());
    const Rational a_step = std::max<Rational>(most, 0) - std::min<Rational>(least, 0);
    const Rational& gamma = stages_.setting().discount;
    const Rational steps(Integer(static_cast<unsigned long>(stages_.horizon() - time)));
    return gamma < 1 ? a_step * std::min<Rational>(steps, 1 / (1 - gamma)) : a_step * steps;
  }

  [[nodiscard]] Regret greatest() const {
    const std::uint64_t horizon = stages_.horizon();
    const WealthScale& scale = stages_.scale();
    const bool is_rounded = scale.slack() != 0;
    std::vector<Rational> slack(horizon + 1);  // what rounding can hide from each time on
    for (std::uint64_t t = horizon; is_rounded && t-- > 0;)
      slack[t] = slack[t + 1] + scale.wealth({1}, t);
    Regret regret;
    Rational power = stages_.setting().discount;
    for (std::uint64_t t = 1; t < horizon; ++t, power *= stages_.setting().discount) {
      const Rational lost = scale.wealth({by_time_[t].steps}, t);
      const Rational least = (lost - slack[t]) / power;
      Rational most = (lost + slack[t]) / power;
      if (is_rounded) most = std::min<Rational>(most, greatest_difference(t));
      regret.most = std::max<Rational>(regret.most, most);
      if (least <= regret.least) continue;
      regret.least = least;
      regret.time = t;
      regret.state = stages_.model().state_name(stages_.layer(t).state(*by_time_[t].slot));
    }
    return regret;
  }

  const FiniteLayout& layout_;
  const Stages& stages_;
  const Rests& rests_;
  const Selves& selves_;
  Futures laws_;
  Bar bar_;
  std::vector<RegretAt> by_time_;
  std::vector<Choice> choices_;
};

}  // namespace

Regrets find_regrets(const FiniteLayout& layout,
                     const ExactNumbers& numbers,
                     const Policy& policy,
                     const Question& question,
                     const Selves& selves,
                     Work& work) {
  const Rests rests(*layout.stages, policy, layout.limits);
  Regrets out;
  const Rational error = Rational(error_of_means(*layout.stages)) * layout.stages->scale().unit();
  out.mean = mean_within(Rational(mean_of(*layout.stages, rests, layout.limits)), error);
  out.left_out = unaffordable(rests, layout);
  if (out.left_out.empty()) RegretPass(layout, numbers, rests, question, selves).run(out, work);
  return out;
}

}  // namespace quantiplan
