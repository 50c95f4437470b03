#include "attitudes/attitude_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "attitudes/attitude_grid.hpp"
#include "attitudes/exact_numbers.hpp"
#include "attitudes/plays.hpp"
#include "attitudes/regrets.hpp"
#include "attitudes/resolute.hpp"
#include "attitudes/selves.hpp"
#include "attitudes/sophisticated.hpp"
#include "finite/solve/finite_layout.hpp"
#include "finite/solve/plan.hpp"
#include "finite/tabulate.hpp"
#include "numbers/rounding_bound.hpp"
#include "problem/quantile_problem.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

class AttitudeProblem {
 public:
  AttitudeProblem(FiniteLayout& layout,
                  const std::vector<Attitude>& attitudes,
                  const std::vector<Question>& questions,
                  FoundAttitudes& out)
      : layout_(layout),
        stages_(*layout.stages),
        numbers_(layout.model),
        attitudes_(attitudes),
        out_(out) {
    asked_.questions = questions;
    for (const Attitude& attitude : attitudes) {
      asked_.replan = asked_.replan || attitude.kind() == Attitude::Kind::replan;
      if (attitude.delta()) asked_.deltas.push_back(*attitude.delta());
    }
  }

  ~AttitudeProblem() { layout_.limits.give_back(held_); }
  AttitudeProblem(const AttitudeProblem&) = delete;
  AttitudeProblem& operator=(const AttitudeProblem&) = delete;

  // What does not fit the memory, or the time, is left out, and said to be.
  void run() {
    find_wishes();
    std::size_t at = 0;
    for (std::size_t i = 0; i < asked_.questions.size(); ++i) {
      for (const Attitude& attitude : attitudes_) {
        FoundAttitude& found = out_.results[at++];
        attempt(found, [&] {
          find_policy(attitude, i, found);
          found.status = Status::solved;
        });
        if (found.policy) attempt(found, [&] { add_regret(i, found); });
      }
    }
  }

 private:
  void find_wishes() {
    FoundAttitude found;
    attempt(found,
            [&] { selves_ = find_selves(stages_, numbers_, asked_, layout_.limits, out_.work); });
    no_selves_ = found.left_out;
  }

  template <class Do>
  void attempt(FoundAttitude& found, const Do& work) {
    const std::string what = found.policy ? "the regret: " : "";
    try {
      work();
    } catch (const WorkEnded&) {
      found.status = ended_status();
      found.left_out = what + "a limit was met before it was found";
    } catch (const Error& error) {
      if (error.code() != ErrorCode::refused) throw;
      found.left_out = what + error.problems().front().message;
      if (!found.policy) found.status = ended_status();
    }
  }

  [[nodiscard]] Status ended_status() const {
    const Status status = layout_.limits.status();
    return status == Status::solved ? Status::limit_reached : status;
  }

  void find_policy(const Attitude& attitude, std::size_t i, FoundAttitude& found) {
    const Question& question = asked_.questions[i];
    Limits& limits = layout_.limits;
    switch (attitude.kind()) {
      case Attitude::Kind::resolute:
        add_play(resolute_play(layout_, ChoiceFilter(), question, out_.work), found);
        break;
      case Attitude::Kind::replan:
        require_selves();
        found.policy = tabulate(stages_, selves_[i].replanned, limits);
        break;
      case Attitude::Kind::subgame_perfect:
        found.policy =
            tabulate(stages_,
                     subgame_perfect_choices(stages_, numbers_, question, limits, out_.work),
                     limits);
        break;
      case Attitude::Kind::recursive: {
        const RecursiveChoices best = recursive_choices(stages_, numbers_, question, limits);
        found.policy = tabulate(stages_, best.choices, limits);
        found.nested = best.value;
        break;
      }
      case Attitude::Kind::within:
        add_play(resolute_play(layout_, allowed(attitude, i), question, out_.work), found);
        break;
    }
  }

  void add_play(ResolutePlay play, FoundAttitude& found) {
    found.policy = std::move(play.policy);
    set_first_self(play.level, play.chance, found);
  }

  // A total is rounded by no more than the slack, and so is a quantile.
  void set_first_self(std::int64_t level, double chance, FoundAttitude& found) const {
    const WealthScale& scale = stages_.scale();
    if (scale.slack() == 0) return;
    const auto bound =
        RoundingBound::of_backward_pass(stages_.horizon(), layout_.model.most_outcomes());
    const Rational lower = scale.wealth({level});
    found.first = {lower, lower + scale.slack(), Value::at_least(bound.least(chance))};
  }

  void add_regret(std::size_t i, FoundAttitude& found) {
    require_selves();
    const Regrets regrets =
        find_regrets(layout_, numbers_, *found.policy, asked_.questions[i], selves_[i], out_.work);
    found.regret = regrets.greatest;
    if (!regrets.greatest) {
      found.left_out = "the regret: " + regrets.left_out;
    } else if (!found.first) {
      set_first_self(regrets.level, regrets.chance, found);
    }
    if (found.first) found.first->mean = regrets.mean;
  }

  [[nodiscard]] ChoiceFilter allowed(const Attitude& attitude, std::size_t i) const {
    if (!attitude.delta()) return {};
    require_selves();
    const auto at = std::ranges::find(asked_.deltas, *attitude.delta()) - asked_.deltas.begin();
    return ChoiceFilter(selves_[i].allowed[static_cast<std::size_t>(at)]);
  }

  void require_selves() const {
    if (!selves_.empty()) return;
    if (layout_.limits.ended()) throw WorkEnded();
    throw Error(ErrorCode::refused, "memory", no_selves_);
  }

  FiniteLayout& layout_;
  const Stages& stages_;
  ExactNumbers numbers_;
  const std::vector<Attitude>& attitudes_;
  FoundAttitudes& out_;
  SelvesAsked asked_;
  std::vector<Selves> selves_;  // by question; empty if they were not found
  std::string no_selves_;       // why
  std::uint64_t held_ = 0;
};

EngineReport attitude_report(const Options& options, const Rational& slack) {
  EngineReport report = no_engine_report(options);
  report.used = slack == 0
                    ? "attitudes (exact levels, doubles, open comparisons in rationals)"
                    : "attitudes (levels rounded down, doubles, open comparisons in rationals)";
  report.why = slack == 0
                   ? "every comparison with 1 - tau, and of choices, is certified or made in "
                     "rationals"
                   : "exact levels of wealth are too many, or have no common unit, so that "
                     "choices are those of the problem rounded down to a grid";
  return report;
}

}  // namespace

FoundAttitudes find_attitudes(const Model& model,
                              const ResolvedSetting& setting,
                              const std::vector<Attitude>& attitudes,
                              const std::vector<Question>& questions,
                              const Options& options) {
  FoundAttitudes out;
  out.engine = no_engine_report(options);
  out.results.resize(attitudes.size() * questions.size());
  auto layout = std::make_shared<FiniteLayout>(model, setting, options);
  const auto end_early = [&] {
    for (FoundAttitude& found : out.results) {
      found.status = layout->limits.status();
      found.left_out = "a limit was met before it was found";
    }
    out.work.peak_bytes = layout->limits.peak();
    return out;
  };
  if (!layout->lay_out()) return end_early();
  const Plan plan = choose_plan(*layout, questions.size());
  if (plan.bracket) {
    const auto grid = attitude_grid(layout);
    if (!grid) return end_early();
    layout = std::make_shared<FiniteLayout>(layout, *grid, Rounding::down);
    if (!layout->lay_out()) return end_early();
  }
  out.slack = layout->stages->scale().slack();
  AttitudeProblem(*layout, attitudes, questions, out).run();
  out.engine = attitude_report(options, out.slack);
  out.work.peak_bytes = layout->limits.peak();
  return out;
}

}  // namespace quantiplan
