// What the rounds of Brackets found, as results, curves and words.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "finite/solve/brackets.hpp"
#include "finite/solve/plain.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {

std::vector<Result> Brackets::results(const Wishes& wishes) {
  // Many taus have one bracket: what they have in common is found once, and shared.
  std::map<std::tuple<const void*, std::int64_t, bool, Rational, Rational>, std::size_t> known;
  std::vector<Result> results;
  results.reserve(open_.size());
  for (std::size_t i = 0; i < open_.size(); ++i) {
    const Open& open = open_[i];
    const auto [place, is_new] = known.emplace(std::tuple(open.from.get(),
                                                          open.located.range.lower,
                                                          open.located.settled.has_value(),
                                                          open.lower,
                                                          open.upper),
                                               i);
    results.push_back(is_new ? result_of(i) : results[place->second]);
    results[i].tau = open.question.tau;
    results[i].side = open.question.side;
  }
  if (compare_) add_comparison(results);
  prefer(wishes, results);
  return results;
}

// With its mean, where that is wanted.
Result Brackets::result_of(std::size_t i) {
  const Open& open = open_[i];
  open.from->find_expectation();
  Result result = open.from->result_of(open.question, open.located);
  const Value probability = open.from->probability_at(open.located);
  result.quantile = open.lower;
  result.upper = open.upper;
  const bool rounds = beyond(open.from) != 0;
  result.certificate = open.lower == open.upper ? Certificate::exact : Certificate::bracket;
  result.status = open.width() <= epsilon_ ? Status::solved : status();
  // The true probability may be greater than that of the rounded problem.
  result.probability = rounds ? Value::at_least(probability.least()) : probability;
  if (compare_) set_mean(i, result);
  return result;
}

// Grid by grid.
void Brackets::prefer(const Wishes& wishes, std::vector<Result>& results) {
  if (!wants_better_policies(wishes)) return;
  std::vector<Rounded> done;
  for (const Open& open : open_) {
    if (std::ranges::find(done, open.from) != done.end()) continue;
    done.push_back(open.from);
    try {
      prefer_on(open.from, wishes, results);
    } catch (const Error& error) {
      // The answer itself is there.
      if (error.code() != ErrorCode::refused) throw;
      left_out_ = error.problems().front().message;
    }
  }
}

// Promises are kept on the grid that gave the lower end of the bracket, rounded down; bounds come
// from the same grid rounded up. The finest grid is there for windows alone: no pass over it is
// affordable. On a coarser one the same level may be kept by another policy, and bounds hold as well.
void Brackets::prefer_on(const Rounded& found_on,
                         const Wishes& wishes,
                         std::vector<Result>& results) {
  const bool by_windows = found_on == finest_ && plan_.engine != Engine::paper;
  const Rounded from = by_windows ? affordable() : found_on;
  if (from == nullptr) return;
  const WealthScale& scale = from->layout()->stages->scale();
  std::vector<PromisedLevel> promised;
  for (std::size_t k = 0; k < open_.size(); ++k) {
    if (open_[k].from != found_on) continue;
    const std::int64_t level =
        by_windows ? scale.ceiling(open_[k].lower).value : open_[k].located.range.lower;
    // A policy that is sure of it has no pass to be preferred by: it is measured itself.
    if (by_windows && !results[k].mean && !wishes.goal) set_mean(k, results[k]);
    promised.push_back({open_[k].question, level, &results[k]});
  }
  Rounded up;
  if (scale.grid() && beyond(from) != 0) {
    up = make(*scale.grid(), Rounding::up);
    if (up == nullptr) return;
  }
  from->prefer(wishes, promised, up.get());
  if (left_out_.empty()) left_out_ = from->left_out();
  if (left_out_.empty() && up) left_out_ = up->left_out();
  const bool is_missing = std::ranges::any_of(
      promised, [](const PromisedLevel& each) { return each.result->prefer != Prefer::mean; });
  if (by_windows && is_missing && left_out_.empty() && wishes.prefer != Prefer::probability)
    left_out_ = "a level that is sure is so only on steps too fine for a pass";
}

// The grid of the last round, or of one for epsilon.
Brackets::Rounded Brackets::affordable() {
  return down_ != nullptr ? down_ : make(choice_.within(epsilon_), Rounding::down);
}

// By the round that the policy comes from.
void Brackets::set_mean(std::size_t i, Result& result) {
  std::vector<Result> one{result};
  open_[i].from->set_means(one, {open_[i].located});
  result.mean = one[0].mean;
}

void Brackets::add_comparison(std::vector<Result>& results) {
  if (down_ != nullptr && up_ == nullptr)
    up_ = make(*down_->layout()->stages->scale().grid(), Rounding::up);
  if (down_ == nullptr || up_ == nullptr) return;
  down_->run_comparison();
  up_->run_comparison();
  const bool are_bounds = beyond(down_) != 0 || down_->rounds_probabilities();
  constexpr std::size_t kPerPoll = 256;
  // Of the two rounded problems, and what follows from both.
  using Compared = Shared<ExpectationComparison>;
  std::map<const void*, std::map<const void*, Compared>> known;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i % kPerPoll == kPerPoll - 1 && layout_->limits.ended()) break;
    const std::int64_t level = down_->layout()->stages->scale().ceiling(open_[i].lower).value;
    auto low = down_->compare(open_[i].question, level);
    const auto high = up_->compare(open_[i].question, level);
    if (!low || !high) continue;
    // Where wealth or probabilities were rounded, all of it are bounds.
    Compared& both = known[&*low][&*high];
    if (are_bounds && !both) {
      low.change([&](ExpectationComparison& bounds) {
        if (high->quantile) bounds.upper = Rational(high->quantile->value() + beyond(up_));
        bounds.probability = Value::at_least(bounds.probability.least());
      });
    }
    if (!both) both = std::move(low);
    results[i].expectation_policy = both;
  }
}

Rational Brackets::beyond(const Rounded& rounded) {
  return rounded->layout()->stages->scale().beyond_target();
}

std::vector<FrontierStep> Brackets::curve_of(const Rounded& rounded) {
  const bool up = rounded->layout()->stages->scale().rounding() == Rounding::up;
  const Rational more = up ? beyond(rounded) : Rational(0);
  const Curve<double>& curve = rounded->curve();
  const RoundingBound& bound = rounded->bound();
  Limits& limits = rounded->layout()->limits;
  take_steps(curve.value.size(), limits);
  std::vector<FrontierStep> steps;
  steps.push_back({Rational(rounded->wealth(curve.sure) + more), Value::exactly(1)});
  for (std::size_t i = 0; i < curve.value.size(); ++i) {
    if (i % kStepsPerPoll == 0 && limits.ended()) {
      // Half a curve would look like one that ends there: what holds without it.
      steps.resize(1);
      if (up) steps[0] = {Rational(rounded->wealth(curve.possible) + more), Value::at_most(1)};
      return steps;
    }
    const double computed = curve.value[i];
    steps.push_back(
        {Rational(rounded->wealth(curve.upto[i]) + more),
         up ? Value::at_most(bound.most(computed)) : Value::at_least(bound.least(computed))});
  }
  return steps;
}

double Brackets::relative_error() const {
  return down_ ? to_nearest_double(down_->bound().relative) : 0;
}

std::string Brackets::rounds_text() const {
  return fmt::format("{} round{}", rounds_, rounds_ == 1 ? "" : "s");
}

std::string Brackets::summary() const {
  if (rounds_ == 0) return "windows only";
  if (plan_.engine == Engine::paper) return fmt::format("sparse, double, to epsilon");
  if (searches_ > 0 && rounds_ == coarse_rounds_)
    return fmt::format("{} targets searched", searches_);
  if (levels_ > 0) return fmt::format("{}, {} probability levels", rounds_text(), levels_);
  const Grid& grid = *down_->layout()->stages->scale().grid();
  const double first = to_nearest_double(grid.unit);
  const double last = to_nearest_double(grid.step(grid.halvings.size() - 1));
  if (first == last) return fmt::format("{}, step {:.3g}", rounds_text(), first);
  return fmt::format("{}, steps {:.3g} to {:.3g}", rounds_text(), first, last);
}

std::vector<FrontierQuantile> Brackets::quantiles() const {
  std::vector<FrontierQuantile> out;
  for (const Open& open : open_) {
    out.push_back({open.question.tau,
                   open.question.side,
                   open.lower == open.upper ? Certificate::exact : Certificate::bracket,
                   open.lower,
                   open.upper});
  }
  return out;
}

}  // namespace quantiplan
