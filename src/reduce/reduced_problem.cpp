#include "reduce/reduced_problem.hpp"

#include <algorithm>
#include <utility>

#include "base/call.hpp"
#include "quantiplan/error.hpp"
#include "reduce/quotient.hpp"

namespace quantiplan {
namespace {

// A pass that takes less than this many outcomes is over before the states have been compared.
constexpr std::uint64_t kWorthComparing = 1 << 14;
// The part of the states that has to go, where nobody asked.
constexpr double kLeastGain = 0.1;

// Whether passes over the model take so long that comparing its states is nothing to them. Few steps
// touch a small part of it.
bool is_worth_comparing(const Model& model, const ResolvedSetting& setting) {
  constexpr std::uint64_t kFewSteps = 8;
  constexpr std::uint64_t kEndless = 16;  // levels, at the very least
  if (setting.horizon < kFewSteps) return false;
  const std::uint64_t steps = std::min<std::uint64_t>(setting.horizon, kWorthComparing);
  return model.outcome_count() * (setting.is_infinite() ? kEndless : steps) >= kWorthComparing;
}

std::shared_ptr<const ReducedModel> reduced_model(const Model& model,
                                                  const ResolvedSetting& setting,
                                                  const Options& options) {
  const bool automatic = options.reduce == Reduce::automatic;
  if (options.reduce == Reduce::none) return nullptr;
  if (automatic && !is_worth_comparing(model, setting)) return nullptr;
  Limits limits(options);
  try {
    auto found = quotient_of(model, setting, automatic ? kLeastGain : 0, limits);
    return found ? std::make_shared<const ReducedModel>(*std::move(found)) : nullptr;
  } catch (const Error& error) {
    // What does not fit into memory is not worth it.
    if (error.code() != ErrorCode::refused) throw;
    return nullptr;
  }
}

class ReducedProblem final : public QuantileProblem {
 public:
  ReducedProblem(const Model& model,
                 const ResolvedSetting& setting,
                 const Options& options,
                 MakeAnyProblem make)
      : model_(model), setting_(setting), options_(options), make_(std::move(make)) {}

  FoundQuantiles quantiles(const std::vector<Question>& asked, const Wishes& wishes) override {
    return in_own_terms(inner().quantiles(asked, wishes));
  }

  FoundQuantiles optima(const CriterionQuestions& asked) override {
    return in_own_terms(inner().optima(asked));
  }

  FoundChances chances(const std::vector<Total>& targets) override {
    return in_own_terms(inner().chances(targets));
  }

  FoundChances class_chances(const std::vector<std::string>& levels) override {
    return in_own_terms(inner().class_chances(levels));
  }

  Frontier curve(const std::vector<Question>& asked) override {
    Frontier out = inner().curve(asked);
    tell(out.engine);
    return out;
  }

  Tradeoff tradeoff(const TradeoffQuestion& question) override {
    Tradeoff out = inner().tradeoff(question);
    tell(out.engine);
    for (TradeoffPoint& point : out.points) point.policy = lifted_later(std::move(point.policy));
    return out;
  }

  // A policy that somebody hands over is followed on the model itself.
  Distribution law(const Policy& policy) override { return own().law(policy); }

  std::optional<Distribution> computed_law(const Policy& policy) override {
    inner();
    if (reduced_) {
      if (const auto small = lowered(*reduced_, policy)) return inner().computed_law(*small);
    }
    return own().computed_law(policy);
  }

  Policy expectation_policy() override {
    Policy small = inner().expectation_policy();
    return lifted_later([&small] { return std::move(small); })();
  }

 private:
  QuantileProblem& inner() {
    if (!inner_) {
      reduced_ = reduced_model(model_, setting_, options_);
      inner_ = reduced_ ? make_(reduced_->model, reduced_->setting, options_)
                        : make_(model_, setting_, options_);
    }
    return *inner_;
  }

  QuantileProblem& own() {
    if (!own_) own_ = make_(model_, setting_, options_);
    return *own_;
  }

  void tell(EngineReport& engine) const {
    if (reduced_)
      engine.reduction =
          Reduction{"bisimulation", model_.state_count(), reduced_->model.state_count()};
  }

  [[nodiscard]] std::function<Policy()> lifted_later(std::function<Policy()> small) const {
    if (!small || !reduced_) return small;
    return [model = model_,
            setting = setting_,
            reduced = reduced_,
            make = std::move(small),
            kept = for_later(options_)] {
      const Policy policy = make();
      const LaterWork later(kept);
      const Limits limits(later.options());
      return lifted(model, setting, *reduced, policy, limits);
    };
  }

  FoundQuantiles in_own_terms(FoundQuantiles out) {
    tell(out.engine);
    if (!reduced_) return out;
    for (FoundQuantile& found : out.results) {
      Result& result = found.result;
      // Its distribution is that of the policy that it becomes.
      if (result.policy && !result.distribution && !out.classes)
        result.distribution = law_later(result.policy);
      result.policy = lifted_later(std::move(result.policy));
      if (result.mixed) result.mixed->policy = lifted_later(std::move(result.mixed->policy));
    }
    return out;
  }

  FoundChances in_own_terms(FoundChances out) {
    tell(out.engine);
    for (FoundChance& found : out.chances) found.policy = lifted_later(std::move(found.policy));
    return out;
  }

  [[nodiscard]] std::function<Distribution()> law_later(std::function<Policy()> small) const {
    return [reduced = reduced_,
            make_problem = make_,
            make = std::move(small),
            kept = for_later(options_)] {
      const Policy policy = make();
      const LaterWork later(kept);
      return make_problem(reduced->model, reduced->setting, later.options())->law(policy);
    };
  }

  Model model_;
  ResolvedSetting setting_;
  Options options_;
  MakeAnyProblem make_;
  std::shared_ptr<const ReducedModel> reduced_;
  std::unique_ptr<QuantileProblem> inner_;
  std::unique_ptr<QuantileProblem> own_;
};

}  // namespace

std::unique_ptr<QuantileProblem> reduced_problem(const Model& model,
                                                 const ResolvedSetting& setting,
                                                 const Options& options,
                                                 MakeAnyProblem make) {
  if (options.reduce == Reduce::none) return make(model, setting, options);
  return std::make_unique<ReducedProblem>(model, setting, options, std::move(make));
}

}  // namespace quantiplan
