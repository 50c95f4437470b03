#include <algorithm>

#include "endless_series.hpp"
#include "endless_solve.hpp"
#include "plan.hpp"
#include "recast.hpp"

namespace quantiplan {
namespace {

// The greatest chance of one target, and the problem whose policy has it.
struct FoundChance {
  std::shared_ptr<WeightedGround> ground;
  EndlessSeries::Chance low;
  Value high;
};

// Exactly where that is affordable, else between rounded problems that grow finer until the two
// chances are a millionth apart.
class EndlessTargets {
 public:
  explicit EndlessTargets(std::shared_ptr<EndlessGround> ground) : ground_(std::move(ground)) {
    auto weights = exact_weights(ground_->moves);
    const bool exactly = ground_->options.arithmetic == Arithmetic::exact;
    if (!weights && exactly) refuse_without_unit();
    if (weights) exact_ = make(*std::move(weights), exactly ? ~0ULL : kExactWork);
  }

  std::optional<FoundChance> find(const Total& target, bool strictly) {
    if (exact_) {
      if (auto chance = exact_->chance(target, strictly)) {
        const Value high = chance->upper;
        return FoundChance{exact_->ground(), *std::move(chance), high};
      }
    }
    std::optional<FoundChance> best;
    Rational unit = greatest_reward_size(ground_->moves) / 4;
    constexpr int kMostRounds = 24;
    constexpr double kClose = 1e-6;
    for (int round = 0; round < kMostRounds && !ground_->limits.ended(); ++round, unit /= 4) {
      auto next = between(unit, target, strictly);
      if (!next) break;
      was_rounded_ = true;
      best = std::move(next);
      if (best->high.nearest - best->low.value.nearest <= kClose) break;
    }
    return best;
  }
  [[nodiscard]] EngineReport report() const {
    EngineReport report = no_engine_report(ground_->options);
    if (exact_ && !was_rounded_) return epochs_report(ground_->options, *exact_);
    report.used = "epochs (double, rounded grids)";
    report.why = "there are too many exact levels, so rewards are rounded down and up to a grid";
    return report;
  }
  void add_work(Work& work) const {
    if (exact_) exact_->add_work(work);
  }

 private:
  std::unique_ptr<EndlessSeries> make(Weights weights, std::uint64_t most_work) {
    return std::make_unique<EndlessSeries>(
        std::make_shared<WeightedGround>(ground_, std::move(weights)), most_work);
  }

  std::optional<FoundChance> between(const Rational& unit, const Total& target, bool strictly) {
    const bool gains = ground_->event.gains;
    auto smaller = rounded_weights(ground_->moves, unit, Rounding::down);
    auto larger = rounded_weights(ground_->moves, unit, Rounding::up);
    if (!smaller || !larger) return std::nullopt;
    const auto low = make(gains ? *std::move(smaller) : *std::move(larger), kRoundedWork);
    const auto high = make(gains ? *std::move(larger) : *std::move(smaller), kRoundedWork);
    auto below = low->chance(target, strictly);
    const auto above = high->chance(target, strictly);
    if (!below || !above) return std::nullopt;
    return FoundChance{low->ground(), *std::move(below), above->upper};
  }

  std::shared_ptr<EndlessGround> ground_;
  std::unique_ptr<EndlessSeries> exact_;
  bool was_rounded_ = false;
};

}  // namespace

ThresholdAnswer threshold_endless(const Model& model,
                                  const ResolvedSetting& setting,
                                  const std::vector<Total>& targets,
                                  const Options& options) {
  ThresholdAnswer answer;
  require_endless_engine(options);
  const auto ground = lay_out_endless(model, setting, options);
  const auto unknown = [&](const Total& target) {
    return unknown_chance(target, ground ? ended_status(*ground) : ended_status(options));
  };
  if (!ground) {
    answer.engine = no_engine_report(options);
    for (const Total& target : targets) answer.results.push_back(unknown(target));
    return answer;
  }
  EndlessTargets all(ground);
  for (const Total& target : targets) {
    const bool adversarial = setting.adversarial;
    const auto found = adversarial ? all.find(target.negated(), true) : all.find(target, false);
    if (!found) {
      answer.results.push_back(unknown(target));
      continue;
    }
    const EndlessSeries::Chance& chance = found->low;
    const WeightedGround& weighted = *found->ground;
    ThresholdResult result;
    result.target = target;
    result.status = Status::solved;
    const bool exact = chance.method == Method::exact && weighted.weights.is_exact;
    result.certificate = exact ? Certificate::exact : Certificate::bracket;
    result.probability = adversarial ? complement(found->high) : chance.value;
    const Value high = adversarial ? complement(chance.value) : found->high;
    if (!exact) {
      result.probability = Value::at_least(result.probability->least());
      result.upper = Value::at_most(high.greatest());
    }
    PolicyClaim claim;
    claim.kind = PolicyClaim::Kind::threshold;
    claim.quantile = target;
    claim.set_probability(*result.probability);
    if (!exact) claim.most_probability = result.upper->nearest;
    LocatedLevel where = chance.where;
    if (adversarial && where.lower.is_finite()) {
      // W < target is to be met: the adversary's own target is the next level above.
      const Rational steps = where.lower.value() / weighted.weights.unit;
      Integer down;
      mpz_fdiv_q(down.get_mpz_t(), steps.get_num_mpz_t(), steps.get_den_mpz_t());
      where.lower = Rational(Rational(down + 1) * weighted.weights.unit);
    }
    result.policy = [own = found->ground, where, method = chance.method, claim] {
      Policy policy = endless_policy(own, where, method);
      policy.claim = claim;
      return policy;
    };
    answer.results.push_back(std::move(result));
  }
  answer.engine = all.report();
  all.add_work(answer.work);
  answer.work.peak_bytes = ground->limits.peak();
  return answer;
}

}  // namespace quantiplan
