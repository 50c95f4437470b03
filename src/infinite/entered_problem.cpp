#include "infinite/entered_problem.hpp"

#include <string>
#include <utility>

namespace quantiplan {
namespace {

// A name that no state has.
std::string entry_name(const Model& model) {
  std::string name = "(start)";
  while (model.find_state(name)) name += '\'';
  return name;
}

Model with_entry(const Model& model, const InitialStates& initial) {
  ModelBuilder builder;
  builder.name(model.name());
  for (std::uint32_t i = 0; i < model.state_count(); ++i)
    builder.declare_state(model.state_name(State{i}));
  builder.declare_state(entry_name(model));
  for (std::uint32_t i = 0; i < model.state_count(); ++i) {
    for (const Choice c : model.choices(State{i})) {
      builder.begin_choice(State{i}, model.action_name(c));
      for (const Outcome& o : model.outcomes(c))
        builder.add_outcome(o.next, Number(model.probability(o)), Number(model.reward(o)));
    }
  }
  builder.begin_choice(State{static_cast<std::uint32_t>(model.state_count())}, "start");
  for (const auto& [state, mu] : initial) builder.add_outcome(state, Number(mu), Number(0));
  return builder.build();
}

class EnteredProblem final : public QuantileProblem {
 public:
  EnteredProblem(const Model& model, const ResolvedSetting& setting, const MakeProblem& make)
      : setting_(setting), entry_{static_cast<std::uint32_t>(model.state_count())} {
    ResolvedSetting from_entry = setting;
    from_entry.initial = entry_;
    from_start_ = make(model, setting);
    from_entry_ = make(with_entry(model, setting.initial), from_entry);
  }

  std::unique_ptr<QuantileProblem> from_start(State start) override {
    return from_start_->from_start(start);
  }

  FoundQuantiles quantiles(const std::vector<Question>& asked, const Wishes& wishes) override {
    FoundQuantiles out = from_entry_->quantiles(asked, wishes);
    for (FoundQuantile& found : out.results) {
      Result& result = found.result;
      result.policy = without_entry(std::move(result.policy));
      if (result.mixed)
        result.mixed.change(
            [&](Mixed& mixed) { mixed.policy = without_entry(std::move(mixed.policy)); });
    }
    return out;
  }

  FoundQuantiles optima(const CriterionQuestions& asked) override {
    FoundQuantiles out = from_entry_->optima(asked);
    for (FoundQuantile& found : out.results)
      found.result.policy = without_entry(std::move(found.result.policy));
    return out;
  }

  FoundChances chances(const std::vector<Total>& targets) override {
    FoundChances out = from_entry_->chances(targets);
    for (FoundChance& found : out.chances) found.policy = without_entry(std::move(found.policy));
    return out;
  }

  Frontier curve(const std::vector<Question>& asked) override { return from_entry_->curve(asked); }

  // What becomes of a policy needs no entry.
  Distribution law(const Policy& policy) override { return from_start_->law(policy); }

  Policy expectation_policy() override {
    return without_entry([this] { return from_entry_->expectation_policy(); })();
  }

 private:
  [[nodiscard]] Later<Policy> without_entry(Later<Policy> make) const {
    if (!make) return make;
    return [make = std::move(make), setting = setting_, entry = entry_] {
      Policy policy = make();
      std::erase_if(policy.rules, [&](const PolicyRule& rule) { return rule.state == entry; });
      policy.setting = setting;
      return policy;
    };
  }

  ResolvedSetting setting_;
  State entry_;
  std::unique_ptr<QuantileProblem> from_start_;
  std::unique_ptr<QuantileProblem> from_entry_;
};

}  // namespace

std::unique_ptr<QuantileProblem> entered_problem(const Model& model,
                                                 const ResolvedSetting& setting,
                                                 const MakeProblem& make) {
  return std::make_unique<EnteredProblem>(model, setting, make);
}

}  // namespace quantiplan
