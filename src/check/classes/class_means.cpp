#include "check/classes/class_means.hpp"

#include <optional>
#include <string>
#include <vector>

#include "check/classes/class_course.hpp"
#include "check/common/policy_reach.hpp"
#include "check/finite/forward_pass.hpp"
#include "check/finite/optimality.hpp"

namespace quantiplan::checking {
namespace {

constexpr std::size_t kMostMasses = 500'000;  // of all times together

// Nullopt where it is none.
std::optional<Rational> number_of_wealth(const Structure& structure, WealthId wealth) {
  const auto number = structure.number(wealth);
  if (!number || !number->is_finite()) return std::nullopt;
  return number->value();
}

// Nullopt if there are too many places, or a final wealth is no number.
std::optional<Rational> followed_mean(const CheckCase& task,
                                      const Ends& ends,
                                      Structure& structure) {
  using Here = Mass<WealthId, Rational>;
  ClassCourse course(structure, task.policy);
  MemoryShare share(task.limits);
  Rational mean = 0;
  std::size_t masses = 0;
  std::vector<Here> layer;
  for (const auto& [state, probability] : ends.setting().initial)
    layer.push_back({{state, course.start()}, probability});
  for (std::uint64_t time = 0; !layer.empty(); ++time) {
    std::vector<Here> next;
    for (const Here& here : layer) {
      const auto& [state, wealth] = here.place;
      if (time == ends.horizon() || ends.is_end(state)) {
        const auto number = number_of_wealth(structure, wealth);
        if (!number) return std::nullopt;
        mean += here.mass * *number;
        continue;
      }
      const auto choice = course.decide(time, state, wealth);
      if (!choice) return std::nullopt;
      for (const Outcome& o : task.model.outcomes(*choice)) {
        task.limits.require(100 + nanoseconds_of(here.mass));
        next.push_back(
            {{o.next, course.after(wealth, o)}, Rational(here.mass * task.model.probability(o))});
      }
      share.set(2 * next.size() * (sizeof(Here) + bytes_beside(here.mass)) + course.bytes());
    }
    merge_places(next, task.limits);
    masses += next.size();
    if (masses > kMostMasses) return std::nullopt;
    layer.swap(next);
  }
  return mean;
}

// Nothing is decided before the end; an end is worth its number and the prize, all of it above `base`.
// Where there is no prize, the promise must be kept: an end without it is worth -1.
class WorthOutlook {
 public:
  WorthOutlook(const Structure& structure,
               const WealthLevel& level,
               const std::optional<Rational>& weight)
      : structure_(structure), level_(level), weight_(weight) {}

  // False if some wealth that was met is no number.
  bool find_base() {
    for (std::size_t i = 0; i < structure_.size(); ++i) {
      const auto number = structure_.number(WealthId{static_cast<std::uint32_t>(i)});
      if (!number) return false;
      if (number->is_finite() && (!base_ || number->value() < *base_)) base_ = number->value();
    }
    return base_.has_value();
  }
  [[nodiscard]] const Rational& base() const { return *base_; }

  [[nodiscard]] static std::optional<Decided> decided(std::uint64_t, State, WealthId) {
    return std::nullopt;
  }
  [[nodiscard]] EndWorth end(State, WealthId wealth) const {
    const bool kept = level_.is_reached_by(wealth);
    const auto number = number_of_wealth(structure_, wealth);
    Rational worth = number ? Rational(*number - *base_) : Rational(0);
    if (weight_ && kept) worth += *weight_;
    if (!weight_ && !kept) worth = -1;
    return {worth, worth, false};
  }

 private:
  const Structure& structure_;
  const WealthLevel& level_;
  const std::optional<Rational>& weight_;
  std::optional<Rational> base_;
};

// Less than 0: the promise is not kept surely.
class WorthMix : public RationalMix {
 public:
  using RationalMix::RationalMix;
  [[nodiscard]] static Rational zero() { return -1; }
  static void add(Rational& sum, const Rational& p, const Rational& value) {
    if (value < 0)
      sum = -1;
    else if (sum >= 0)
      sum += p * value;
  }
};

}  // namespace

void confirm_class_mean(const CheckCase& task, const Ends& ends, Structure& structure) {
  const Value& claimed = *task.claim.mean;
  std::optional<Rational> mean;
  try {
    mean = followed_mean(task, ends, structure);
  } catch (const LimitMet&) {
    task.findings.leave_out("Its mean was not recomputed: " + task.limits.reason());
    return;
  }
  if (!mean) {
    task.findings.leave_out("Its mean was not recomputed: too many places can be reached.");
    return;
  }
  const bool is_so =
      claimed.exact ? *claimed.exact == *mean : claimed.nearest == to_nearest_double(*mean);
  if (is_so)
    task.findings.say("Its mean is " + mean_text(claimed) + ", as claimed.");
  else
    task.findings.refute("Its mean is not " + mean_text(claimed) + ", as claimed: it is " +
                         level_text(*mean) + ".");
}

void confirm_class_mean_bound(const CheckCase& task,
                              const Ends& ends,
                              Structure& structure,
                              const WealthLevel& level) {
  const Value& claimed = *task.claim.mean_bound;
  const std::string by = task.claim.weight ? "with the weight " + level_text(*task.claim.weight)
                                           : std::string("for those who keep it surely");
  ClassCourse course(structure, task.policy);
  WorthOutlook outlook(structure, level, task.claim.weight);
  Optimality optimality(task.model, ends, course, outlook, task.limits);
  std::optional<Rational> best;
  if (optimality.expand() && outlook.find_base()) best = optimality.best(WorthMix(task.model));
  if (!best) {
    task.findings.leave_out(
        "The bound of the mean was not rechecked: " +
        (task.limits.ended(0) ? task.limits.reason() : "too many places can be reached."));
    return;
  }
  Rational dual = *best + outlook.base();
  if (task.claim.weight) dual -= *task.claim.weight * task.claim.demand.theta;
  // Where nobody keeps the promise surely, any bound holds; but then the claim fails elsewhere.
  const Rational bound = claimed.exact ? *claimed.exact : Rational(claimed.nearest);
  if (dual <= bound || *best < 0)
    task.findings.say("No policy that keeps the promise has a mean above " + mean_text(claimed) +
                      ": proved " + by + ".");
  else
    task.findings.refute("The bound of the mean, " + mean_text(claimed) + ", is not proved " + by +
                         ", which shows no less than " + level_text(dual) + ".");
}

}  // namespace quantiplan::checking
