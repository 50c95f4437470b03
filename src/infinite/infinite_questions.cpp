#include "infinite/infinite_questions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "infinite/budget_promises.hpp"
#include "promise/wanted.hpp"

namespace quantiplan {
namespace {

Status status_of(const InfiniteLayout& layout, const LocatedLevel& where) {
  if (!where.ended) return Status::solved;
  return layout.limits.ended() ? layout.limits.status() : Status::unsettled;
}

Certificate certificate_of(const WeightedLayout& layout, const LocatedLevel& where) {
  if (where.lower == where.upper) return Certificate::exact;
  if (!where.is_open || where.ended || !layout.weights.is_exact) return Certificate::bracket;
  // A tie is between two neighbours.
  const bool neighbours = where.lower.is_finite() && where.upper.is_finite() &&
                          where.upper.value() - where.lower.value() <= layout.weights.unit;
  return neighbours ? Certificate::tie : Certificate::bracket;
}

bool is_narrow(const LocatedLevel& where, const std::optional<Rational>& epsilon) {
  if (where.lower == where.upper) return true;
  return epsilon && where.lower.is_finite() && where.upper.is_finite() &&
         where.upper.value() - where.lower.value() <= *epsilon;
}

FoundQuantile as_found(const Question& question,
                       const FoundLevel& answer,
                       const std::optional<Rational>& epsilon) {
  const std::shared_ptr<WeightedLayout>& layout = answer.layout;
  const LevelSeries::Found& found = answer.what;
  const InfiniteLayout& common = *layout->layout;
  const LocatedLevel& where = found.where;
  const bool adversarial = common.setting.adversarial;
  FoundQuantile out;
  Result& result = out.result;
  result.tau = question.tau;
  result.side = question.side;
  result.status = status_of(common, where);
  result.certificate = certificate_of(*layout, where);
  // What is too close to call, and not a tie of two neighbours, is no solution.
  if (result.certificate == Certificate::bracket) {
    if (is_narrow(where, epsilon)) {
      result.status = Status::solved;
    } else if (result.status == Status::solved) {
      result.status = Status::unsettled;
    }
  }
  result.quantile = adversarial ? where.upper.negated() : where.lower;
  result.upper = adversarial ? where.lower.negated() : where.upper;
  result.attained = where.attained || adversarial;
  // What is known of a rounded problem bounds the true one.
  const bool rounded = !layout->weights.is_exact;
  std::optional<Value> own = found.probability;
  if (own && rounded) own = Value::at_least(own->least());
  if (!adversarial) {
    if (result.attained) result.probability = own;
  } else if (found.beyond && where.lower == where.upper && !rounded) {
    const Value least = complement(*found.beyond);
    result.probability =
        Value::between(std::max<Rational>(1 - question.tau, least.least()), least.greatest());
  } else {
    // No less than what was asked for.
    result.probability = Value::at_least(1 - question.tau);
  }
  if (!where.attained && !adversarial) return out;
  if (where.ended && where.place != LocatedLevel::Place::level) return out;
  // What is attained only above every number cannot be shown by one probability.
  if ((rounded || result.certificate == Certificate::exact) && own &&
      where.place != LocatedLevel::Place::above_limit)
    out.claims = *result.upper == *result.quantile ? Claims::optimum : Claims::bracket;
  out.own = own;
  result.policy = [layout, where, method = found.method] {
    return infinite_policy(layout, where, method);
  };
  return out;
}

}  // namespace

InfiniteQuestions::InfiniteQuestions(std::shared_ptr<InfiniteLayout> layout,
                                     const std::vector<Question>& asked)
    : layout_(std::move(layout)), asked_(asked), epsilon_(layout_->options.epsilon) {
  for (const Question& question : asked)
    questions_.push_back(counted(question, layout_->setting.adversarial));
}

void InfiniteQuestions::run() {
  if (auto weights = exact_weights(layout_->moves)) {
    exact_ = make(*std::move(weights), kExactWork);
    for (auto& found : exact_->find(questions_)) found_.push_back({exact_->layout(), found});
  }
  const auto is_done = [&](const FoundLevel& found) { return !found.what.where.ended; };
  if (!exact_ && layout_->options.arithmetic == Arithmetic::exact) refuse_without_unit();
  const bool done = exact_ && std::ranges::all_of(found_, is_done);
  if (done || layout_->limits.ended() || layout_->options.arithmetic == Arithmetic::exact) return;
  run_rounded();
}

std::vector<FoundQuantile> InfiniteQuestions::results() const {
  std::vector<FoundQuantile> out;
  for (std::size_t i = 0; i < asked_.size(); ++i) {
    const bool known = i < found_.size() && found_[i].layout;
    out.push_back(
        known ? as_found(asked_[i], found_[i], epsilon_)
              : FoundQuantile{unknown_result(layout_->setting, asked_[i], ended_status(*layout_))});
  }
  return out;
}

std::vector<FoundQuantile> InfiniteQuestions::preferred_results(const Wishes& wishes) {
  std::vector<FoundQuantile> out = results();
  if (!exact_ || !layout_->has_budget() || !wants_better_policies(wishes)) return out;
  std::vector<PromisedBudget> promised;
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const LocatedLevel& where = found_[i].what.where;
    const bool is_kept = found_[i].layout == exact_->layout() && out[i].result.policy &&
                         where.place == LocatedLevel::Place::level && where.lower.is_finite();
    if (is_kept) promised.push_back({asked_[i], where.lower, &out[i]});
  }
  prefer_arrivals(exact_->layout(), wishes, promised, work_);
  return out;
}

void InfiniteQuestions::add_work(Work& work) const {
  if (exact_) exact_->add_work(work);
  work.passes += work_.passes;
  work.levels += work_.levels;
  work.multiply_adds += work_.multiply_adds;
  work.backups += work_.backups;
  work.breakpoints += work_.breakpoints;
}

std::unique_ptr<LevelSeries> InfiniteQuestions::make(Weights weights, std::uint64_t most_work) {
  auto weighted = std::make_shared<WeightedLayout>(layout_, std::move(weights));
  const bool forever = layout_->options.arithmetic == Arithmetic::exact;
  return std::make_unique<LevelSeries>(std::move(weighted), forever ? ~0ULL : most_work);
}

void InfiniteQuestions::run_rounded() {
  constexpr int kMostRounds = 24;
  const Rational greatest = greatest_reward_size(layout_->moves);
  if (!epsilon_) epsilon_ = Rational(greatest / 1000);
  Rational unit = greatest / 4;
  for (int round = 0; round < kMostRounds && !layout_->limits.ended(); ++round, unit /= 4) {
    if (!refine(unit)) return;
    ++rounds_;
    const auto narrow = [&](const FoundLevel& found) {
      return is_narrow(found.what.where, epsilon_);
    };
    if (std::ranges::all_of(found_, narrow)) return;
  }
}

bool InfiniteQuestions::refine(const Rational& unit) {
  const bool gains = layout_->event.gains;
  auto for_low = rounded_weights(layout_->moves, unit, gains ? Rounding::down : Rounding::up);
  auto for_high = rounded_weights(layout_->moves, unit, gains ? Rounding::up : Rounding::down);
  if (!for_low || !for_high) return false;
  // Rounded up, no reward becomes 0: infinities and misses are those of the truth.
  const auto low = make(*std::move(for_low), kRoundedWork);
  const auto high = make(*std::move(for_high), kRoundedWork);
  const auto below = low->find(questions_);
  const auto above = high->find(questions_);
  low->add_work(work_);
  high->add_work(work_);
  const auto& true_signs = gains ? above : below;
  bool useful = false;
  for (std::size_t i = 0; i < questions_.size(); ++i) {
    const LocatedLevel& sign = true_signs[i].where;
    if (!sign.ended && !sign.is_open && sign.place != LocatedLevel::Place::level) {
      set(i, {(gains ? high : low)->layout(), true_signs[i]});
      continue;
    }
    FoundLevel next{low->layout(), below[i]};
    next.what.where.upper = above[i].where.upper;
    next.what.where.ended = false;
    useful = useful || !below[i].where.ended || !above[i].where.ended;
    combine(i, std::move(next));
  }
  return useful;
}

void InfiniteQuestions::set(std::size_t i, FoundLevel found) {
  if (found_.size() <= i) found_.resize(i + 1);
  found_[i] = std::move(found);
}

void InfiniteQuestions::combine(std::size_t i, FoundLevel next) {
  if (found_.size() <= i || !found_[i].layout) {
    set(i, std::move(next));
    return;
  }
  FoundLevel& known = found_[i];
  if (is_narrow(known.what.where, std::nullopt) && !known.what.where.ended) return;
  const Total upper = std::min(known.what.where.upper, next.what.where.upper);
  if (next.what.where.lower > known.what.where.lower) known = std::move(next);
  known.what.where.upper = std::max(upper, known.what.where.lower);
  known.what.where.ended = false;
}

EngineReport InfiniteQuestions::report() const {
  if (rounds_ == 0 && !exact_) return no_engine_report(layout_->options);
  if (rounds_ == 0) return epochs_report(layout_->options, *exact_);
  EngineReport report = no_engine_report(layout_->options);
  report.used = fmt::format("epochs (double, {} rounded grids)", rounds_);
  report.why =
      "infinite horizon without discount, so the residual target is gone through level by level; "
      "there are too many exact levels, so rewards are rounded down and up to a grid";
  return report;
}

}  // namespace quantiplan
