#include "infinite/layout.hpp"

#include <fmt/format.h>

#include "base/quoted.hpp"
#include "infinite/levels/whole.hpp"
#include "problem/quantile_problem.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

[[noreturn]] void refuse_mixed_signs(const Moves& moves, const Signs& signs) {
  const auto named = [&](const Signs::Where& where) {
    return fmt::format("state {}, choice {}",
                       in_quotes(moves.model.state_name(moves.state[where.slot])),
                       in_quotes(moves.model.action_name(moves.choice[where.choice])));
  };
  const bool flipped = moves.sign < 0;
  throw Error(
      ErrorCode::refused,
      "rewards",
      fmt::format("at the infinite horizon without discount, {} can give a reward above 0 and {} "
                  "one below 0, and episodes can go in circles; expected rewards of one sign, a "
                  "--discount below 1, or a finite --horizon",
                  named(flipped ? *signs.loss : *signs.gain),
                  named(flipped ? *signs.gain : *signs.loss)));
}

}  // namespace

const BestArrivals* InfiniteLayout::arrivals(Limits& limits_of_asker) const {
  const std::scoped_lock lock(one_at_a_time_);
  if (!has_looked_) {
    arrivals_ = best_arrivals(moves, true, false, Whence::everywhere, limits_of_asker);
    has_looked_ = arrivals_ || !limits_of_asker.ended();
  }
  return arrivals_ ? &*arrivals_ : nullptr;
}

LostBudget lost_budget(const WeightedLayout& layout, Limits& limits) {
  const Moves& moves = layout.layout->moves;
  LostBudget out{least_costs(moves, layout.weights), {}};
  if (const BestArrivals* best = layout.layout->arrivals(limits)) {
    out.choice = best->choice;
    return out;
  }
  const auto base = base_of<Real>(layout.problem, limits);
  const auto limit = base ? limit_of<Real>(layout.problem, *base, limits) : std::nullopt;
  if (!limit) refuse_unfinished("policy");
  out.choice = limit->choice;
  return out;
}

std::shared_ptr<InfiniteLayout> lay_out_infinite(const Model& model,
                                                 const ResolvedSetting& setting,
                                                 const Options& options) {
  options.validate();
  auto layout = std::make_shared<InfiniteLayout>(model, setting, options);
  auto moves = Moves::lay_out(model, setting, layout->limits);
  if (!moves) return nullptr;
  layout->moves = *std::move(moves);
  const Signs signs = signs_of(layout->moves);
  if (signs.gain && signs.loss) refuse_mixed_signs(layout->moves, signs);
  layout->event.gains = !signs.loss;
  if (!setting.goal.empty()) layout->event.miss = setting.adversarial ? Miss::best : Miss::worst;
  return layout;
}

void require_infinite_engine(const Options& options, bool may_be_paper) {
  if (options.engine == Engine::automatic || options.engine == Engine::epochs ||
      (may_be_paper && options.engine == Engine::paper))
    return;
  throw Error(ErrorCode::bad_request,
              "--engine",
              fmt::format("found '{}', expected auto{}: the horizon is infinite and there is no "
                          "discount",
                          no_engine_report(options).given,
                          may_be_paper ? ", epochs or paper" : " or epochs"));
}

void refuse_without_unit() {
  throw Error(ErrorCode::refused,
              "rewards",
              "their common unit is too small for 64-bit integers, which --exact needs; expected "
              "--arithmetic auto, or rewards with a coarser common denominator");
}

Question counted(const Question& question, bool adversarial) {
  if (!adversarial) return question;
  return {Rational(1 - question.tau), question.side == Side::lower ? Side::upper : Side::lower};
}

Status ended_status(const InfiniteLayout& layout) {
  return layout.limits.ended() ? layout.limits.status() : Status::limit_reached;
}

}  // namespace quantiplan
