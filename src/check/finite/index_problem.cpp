#include "check/finite/index_problem.hpp"

#include <algorithm>

#include "numbers/floor.hpp"

namespace quantiplan::checking {
namespace {

constexpr unsigned kBits = 62;
// Between two times, so that a shift is one of 64-bit numbers.
constexpr unsigned long kMostShift = 61;
// Words of p^t and q^t that are written over all times.
constexpr double kMostPowerWords = 4e9;
// (time, state) pairs, and steps over their outcomes.
constexpr std::uint64_t kMostStatesInTime = 4'000'000;
constexpr std::uint64_t kMostOutcomesInTime = 200'000'000;

bool is_small(const Integer& value) { return mpz_sizeinbase(value.get_mpz_t(), 2) <= kBits; }

}  // namespace

std::optional<IndexProblem> IndexProblem::make(const Model& model,
                                               const Ends& ends,
                                               IndexQuestion question,
                                               CheckLimits& limits) {
  IndexProblem problem(model, ends, std::move(question));
  if (!problem.is_affordable() || !problem.fits(limits)) return std::nullopt;
  return problem;
}

IndexProblem::IndexProblem(const Model& model, const Ends& ends, IndexQuestion question)
    : model_(&model),
      ends_(&ends),
      question_(std::move(question)),
      wealth_(ends.event().numbers() == Event::Numbers::compared ? ends.event().level().value()
                                                                 : question_.start),
      above_(question_.grid.unit.get_den()),
      below_(question_.grid.unit.get_num()),
      known_at_(model.rewards().size(), 0),
      keys_(model.rewards().size(), 0),
      enough_known_at_(model.rewards().size(), 0),
      enough_(model.rewards().size(), 0) {}

unsigned long IndexProblem::halvings(std::uint64_t time) const {
  const auto& times = question_.grid.halved_at;
  return static_cast<unsigned long>(std::upper_bound(times.begin(), times.end(), time) -
                                    times.begin());
}

Integer IndexProblem::limit(std::uint64_t time) const {
  Rational steps = (question_.start - wealth_) / question_.grid.unit;
  mpq_mul_2exp(steps.get_mpq_t(), steps.get_mpq_t(), halvings(time));
  return ends_->event().is_strict() ? Integer(ceiling_of(steps) - 1) : floor_of(steps);
}

bool IndexProblem::is_affordable() const {
  const std::uint64_t times = horizon();
  if (times >= kMostStatesInTime / model_->state_count() ||
      times > kMostOutcomesInTime / (1 + model_->outcome_count()))
    return false;
  if (ends_->setting().discount == 1) return true;
  const auto steps = static_cast<double>(times);
  const auto bits =
      static_cast<double>(mpz_sizeinbase(ends_->setting().discount.get_den_mpz_t(), 2));
  return steps * steps * bits / 64 <= kMostPowerWords;
}

// From a time to the next: what is met then, and the largest reward between them.
Rational IndexProblem::spread(std::uint64_t time, CheckLimits& limits) {
  const std::size_t states = model_->state_count();
  std::vector<bool> seen(model_->rewards().size(), false);
  Rational largest = 0;
  for (std::size_t i = 0; i < states; ++i) {
    const State s{static_cast<std::uint32_t>(i)};
    limits.require(5);
    if (!is_met(time, s) || ends_->is_end(s)) continue;
    for (const Choice c : model_->choices(s)) {
      limits.require(10 * model_->outcomes(c).size());
      for (const Outcome& o : model_->outcomes(c)) {
        met_[(time + 1) * states + index(o.next)] = true;
        if (seen[index(o.reward)]) continue;
        seen[index(o.reward)] = true;
        largest = std::max(largest, Rational(abs(model_->reward(o))));
      }
    }
  }
  return largest;
}

// An episode changes the need by at most the largest keys and deltas of all times, in the units of
// each time; so no bound that the windows compute is farther from 0 than their sum.
bool IndexProblem::fits(CheckLimits& limits) {
  const Integer first = floor_of(question_.start / question_.grid.unit) - limit(0);
  met_.assign((horizon() + 1) * model_->state_count(), false);
  for (const State s : initial().states()) met_[index(s)] = true;
  Integer sum = abs(first);
  // The last need is counted in steps of the last time.
  Rational tail = ends_->largest_tail() / question_.grid.unit;
  mpq_mul_2exp(tail.get_mpq_t(), tail.get_mpq_t(), halvings(horizon()));
  sum += ceiling_of(tail) + 2;
  for (std::uint64_t time = 0; time < horizon(); ++time) {
    if (halvings(time + 1) - halvings(time) > kMostShift) return false;
    // Words of the powers are moved, multiplied and divided.
    limits.require(1000 + 20 * (mpz_size(above_.get_mpz_t()) + mpz_size(below_.get_mpz_t())));
    move_to(time);
    const Rational largest = spread(time, limits);
    sum += abs(exact_key(largest)) + abs(exact_key(-largest)) + 2;
    if (!is_small(sum)) return false;
  }
  first_ = first.get_si();
  near_ = Integer(Integer(kFarNeed) - sum).get_si();
  move_to(0);
  return true;
}

void IndexProblem::move_to(std::uint64_t time) {
  const Rational& gamma = ends_->setting().discount;
  above_ >>= halvings(time_);
  for (; time_ < time; ++time_) {
    if (gamma == 1) continue;
    above_ *= gamma.get_num();
    below_ *= gamma.get_den();
  }
  for (; time_ > time; --time_) {
    if (gamma == 1) continue;
    mpz_divexact(above_.get_mpz_t(), above_.get_mpz_t(), gamma.get_num_mpz_t());
    mpz_divexact(below_.get_mpz_t(), below_.get_mpz_t(), gamma.get_den_mpz_t());
  }
  above_ <<= halvings(time);
  limit_ = limit(time);
  shift_ = static_cast<unsigned>(halvings(time + 1) - halvings(time));
  const Integer delta = limit(time + 1) - (limit_ << shift_);
  delta_ = delta.get_si();
}

Integer IndexProblem::exact_key(const Rational& reward) const {
  // Only divided, so it need not be in lowest terms.
  const Rational key(Integer(above_ * reward.get_num()), Integer(below_ * reward.get_den()));
  return question_.rounding == Rounding::down ? floor_of(key) : ceiling_of(key);
}

std::int64_t IndexProblem::key(NumberId reward) {
  const std::size_t id = index(reward);
  if (known_at_[id] != time_ + 1) {
    const Rational counted = counted_sign(ends_->setting()) * model_->rewards().rational(reward);
    keys_[id] = exact_key(counted).get_si();
    const Integer whole = Integer(keys_[id]) * below_ * counted.get_den();
    is_rounded_ = is_rounded_ || whole != above_ * counted.get_num();
    known_at_[id] = time_ + 1;
  }
  return keys_[id];
}

// (start - w + tail) / H_t + gamma^t r / H_t is x / y + u / v.
Integer IndexProblem::exact_enough(const Rational& reward, const Rational& tail) const {
  Rational steps = (question_.start - wealth_ + tail) / question_.grid.unit;
  mpq_mul_2exp(steps.get_mpq_t(), steps.get_mpq_t(), halvings(time_));
  const Integer u = above_ * reward.get_num();
  const Integer v = below_ * reward.get_den();
  const Rational sum(Integer(steps.get_num() * v + u * steps.get_den()),
                     Integer(steps.get_den() * v));
  return (ends_->event().is_strict() ? Integer(ceiling_of(sum) - 1) : floor_of(sum)) - limit_;
}

std::int64_t IndexProblem::enough(const Outcome& outcome) {
  const int sign = counted_sign(ends_->setting());
  const Rational& tail = ends_->tail(outcome.next);
  if (tail != 0) return exact_enough(Rational(sign * model_->reward(outcome)), tail).get_si();
  const std::size_t id = index(outcome.reward);
  if (enough_known_at_[id] != time_ + 1) {
    enough_[id] = exact_enough(Rational(sign * model_->reward(outcome)), 0).get_si();
    enough_known_at_[id] = time_ + 1;
  }
  return enough_[id];
}

std::int64_t IndexProblem::need(const Rational& index) const {
  const Integer need = floor_of(index) - limit_;
  if (is_small(need)) return need.get_si();
  return need < 0 ? -kFarNeed : kFarNeed;
}

}  // namespace quantiplan::checking
