// Infinite horizon: each class is a question of reachability or safety, put to the infinite engine.
#include <algorithm>

#include "classes/class_problems.hpp"
#include "classes/class_results.hpp"
#include "classes/limit_event.hpp"
#include "classes/wealth_rule_maker.hpp"
#include "evaluate/classes/wealth_distribution.hpp"
#include "infinite/infinite_problem.hpp"
#include "policy/residual_rules.hpp"
#include "problem/quantile_problem.hpp"
#include "quantiplan/error.hpp"

namespace quantiplan {
namespace {

class InfiniteClassProblem : public QuantileProblem {
 public:
  InfiniteClassProblem(const Model& model,
                       const ResolvedSetting& setting,
                       const std::shared_ptr<Structure>& structure,
                       const Options& options)
      : model_(model),
        setting_(setting),
        structure_(structure),
        options_(options),
        limits_(options),
        events_(std::make_shared<LimitEvents>(model, setting, structure, limits_)),
        classes_(std::make_shared<WealthClasses>(structure, events_->classes())) {
    if (options.engine != Engine::automatic && options.engine != Engine::epochs) {
      throw Error(ErrorCode::refused,
                  "--engine",
                  "found one that does not do without an end, expected auto or epochs");
    }
  }

  FoundQuantiles quantiles(const std::vector<Question>& asked, const Wishes& wishes) override {
    refuse_best_mean(wishes, "where wealth is no sum and has no end, for which it is not searched");
    FoundQuantiles out;
    if (events_->complete()) out.classes = classes_;
    for (const Question& question : asked) out.results.push_back(found(question));
    report(out);
    return out;
  }

  FoundChances chances(const std::vector<Total>& targets) override {
    return class_chances(as_levels(targets));
  }

  FoundChances class_chances(const std::vector<std::string>& levels) override {
    FoundChances out;
    if (events_->complete()) {
      out.classes = classes_;
      for (const std::size_t position : positions_of(levels, *classes_, model_.wealth()))
        out.chances.push_back(found_chance(position));
    } else {
      out.chances.assign(levels.size(), unknown_chance(limits_.status()));
    }
    report(out);
    return out;
  }

  Frontier curve(const std::vector<Question>& asked) override {
    Frontier out;
    out.status = limits_.status();
    if (events_->complete()) out.classes = classes_;
    std::vector<Value> all{Value::exactly(1)};
    for (std::uint32_t k = 1; k < count(); ++k) {
      auto next = chance(k);
      if (!next) {
        out.status = limits_.ended() ? limits_.status() : Status::limit_reached;
        break;
      }
      all.push_back(std::move(next->value));
    }
    if (out.status == Status::solved) {
      for (const Value& each : all)
        out.relative_error = std::max(out.relative_error, relative_error(each));
      out.steps = class_steps(all, classes_, out.relative_error);
      for (const Question& question : asked)
        out.quantiles.push_back(class_quantile(found(question).result));
    }
    report(out);
    return out;
  }

  Distribution law(const Policy& policy) override {
    return evaluate_wealth(model_, structure_, policy, options_);
  }

  Policy expectation_policy() override { refuse_class_expectation(); }

 private:
  struct Tested {
    bool meets = false;
    std::optional<Model> model;  // what the policy is one of; absent: any policy will do
    ResolvedSetting setting;
    Later<Policy> policy;
  };

  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(classes_->size()); }

  FoundQuantile found(const Question& question) {
    if (!events_->complete()) return {unknown_class(question, limits_.status())};
    std::uint32_t low = 0;
    std::uint32_t high = count();
    std::optional<Tested> best;
    FoundClass where;
    while (high - low > 1) {
      if (limits_.ended()) {
        where.ended = true;
        break;
      }
      const std::uint32_t middle = low + (high - low) / 2;
      auto answer = test(middle, question);
      if (!answer) {
        where.ended = true;
        break;
      }
      if (answer->meets) {
        low = middle;
        best = std::move(answer);
      } else {
        high = middle;
      }
    }
    where.beyond = high;
    if (low > 0 && best) {
      if (const auto known = probability_of(*best)) {
        where.probability = *known;
      } else {
        low = 0;  // every policy has the least class
        where.ended = true;
      }
    }
    where.position = low;
    FoundQuantile out = class_found(question, where, classes_, limits_.status());
    out.result.policy = policy_of(low > 0 && best ? best->policy : nullptr, low);
    return out;
  }

  // The greatest chance of class k, within the double error of the infinite engine, and a policy of
  // the event that attains it; none: any policy does.
  struct KnownChance {
    Value value;
    Later<Policy> policy;
  };
  std::optional<KnownChance> chance(std::uint32_t k) {
    // The least class is where every policy ends.
    if (k == 0) return KnownChance{certain(true), nullptr};
    LimitEvents::Event event = events_->event(k);
    if (!event.model) return KnownChance{certain(event.is_sure), nullptr};
    // Nothing and everything are questions of the graph, which no rounding may blur.
    const auto possible = test(k, {Rational(1), Side::lower});
    const auto sure = possible ? test(k, {Rational(0), Side::upper}) : std::nullopt;
    if (!sure) return std::nullopt;
    if (!possible->meets) return KnownChance{certain(false), nullptr};
    if (sure->meets) return KnownChance{certain(true), sure->policy};
    const FoundChances answer =
        infinite_problem(*event.model, event.setting, options_)->chances({Total::minus_infinity()});
    add(answer.work);
    const FoundChance& found = answer.chances.front();
    if (found.status != Status::solved) return std::nullopt;
    const Value reached = Value::between(found.low.least(), found.high.greatest());
    return KnownChance{events_->direction() == Direction::rises ? reached : complement(reached),
                       found.policy};
  }

  FoundChance found_chance(std::size_t position) {
    FoundChance out = unknown_chance(Status::solved);
    out.position = position;
    const auto k = static_cast<std::uint32_t>(position - 1);
    const auto known =
        k < count() ? chance(k) : std::optional(KnownChance{certain(false), nullptr});
    if (!known) {
      out.status = limits_.ended() ? limits_.status() : Status::limit_reached;
      return out;
    }
    out.low = out.high = known->value;
    if (!known->value.exact) {
      out.low = Value::at_least(known->value.least());
      out.high = Value::at_most(known->value.greatest());
    }
    out.policy = policy_of(known->policy, k);
    return out;
  }

  void report(auto& out) const {
    out.engine = no_engine_report(options_);
    out.engine.used = "epochs";
    out.engine.why = events_->direction() == Direction::rises
                         ? "infinite horizon: each class is a question of reachability"
                         : "infinite horizon: each class is a question of safety";
    out.work = work_;
  }

  static Value certain(bool sure) { return sure ? Value::exactly(1) : Value::exactly(0); }

  // Whether the chance of class k meets 1 - tau, decided soundly: by a quantile of the event.
  //   rises   some policy reaches it: its quantile at (tau, side) is no miss
  //   falls   some policy avoids the goal: what is guaranteed of reaching it, at 1 - tau on the
  //           other side, is a miss
  std::optional<Tested> test(std::uint32_t k, const Question& question) {
    const LimitEvents::Event event = events_->event(k);
    if (!event.model) return Tested{event.is_sure, std::nullopt, {}, nullptr};
    const bool rises = events_->direction() == Direction::rises;
    const Question asked = rises
                               ? question
                               : Question{Rational(1 - question.tau),
                                          question.side == Side::lower ? Side::upper : Side::lower};
    const FoundQuantiles answer = infinite_problem(*event.model, event.setting, options_)
                                      ->quantiles({asked}, {false, Prefer::probability});
    add(answer.work);
    const Result& result = answer.results.front().result;
    if (result.status != Status::solved || result.certificate != Certificate::exact)
      return std::nullopt;
    return Tested{result.quantile->is_miss() != rises, event.model, event.setting, result.policy};
  }

  // Nullopt if the limits ended it.
  [[nodiscard]] std::optional<Value> probability_of(const Tested& tested) const {
    if (!tested.model) return certain(true);
    try {
      const LaterWork later(for_later(options_));
      const Value reached = infinite_problem(*tested.model, tested.setting, later.options())
                                ->law(tested.policy())
                                .at_least(Total::minus_infinity());
      if (events_->direction() == Direction::rises) return reached;
      return complement(reached);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::refused || !limits_.ended()) throw;
      return std::nullopt;
    }
  }

  // `make`: a policy of the event of class k; none: any policy will do.
  [[nodiscard]] Later<Policy> policy_of(Later<Policy> make, std::uint32_t k) const {
    return [events = events_,
            model = model_,
            setting = setting_,
            structure = structure_,
            make = std::move(make),
            k] { return followed(model, setting, *structure, *events, make, k); };
  }

  // Where the event decides nothing any more, the first choice does.
  static Policy followed(const Model& model,
                         const ResolvedSetting& setting,
                         const Structure& structure,
                         const LimitEvents& events,
                         const Later<Policy>& make,
                         std::uint32_t k) {
    std::vector<std::uint32_t> chosen(events.pairs().size(), 0);
    if (make) {
      const Policy derived = make();
      const LimitEvents::Event event = events.event(k);
      for (const PolicyRule& rule : derived.rules) {
        const Choice c = choose_by_residual(
            *event.model, derived, rule.time, rule.state, first_residual(derived));
        const auto first = index(event.model->choices(rule.state).front());
        chosen[index(rule.state)] = static_cast<std::uint32_t>(index(c) - first);
      }
    }
    Policy out;
    out.setting = setting;
    WealthRuleMaker rules(structure);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const Pair& pair = events.pairs()[i];
      if (model.is_terminal(pair.state)) continue;
      // One wealth stands for all where none is part of the state.
      rules.add(
          0, pair.state, pair.wealth.value_or(WealthId{0}), model.choices(pair.state)[chosen[i]]);
    }
    rules.fill(out);
    return out;
  }

  void add(const Work& work) {
    work_.passes += work.passes + 1;
    work_.levels += work.levels;
    work_.backups += work.backups;
    work_.multiply_adds += work.multiply_adds;
    work_.exact_nodes += work.exact_nodes;
    work_.peak_bytes = std::max(work_.peak_bytes, work.peak_bytes);
  }

  Model model_;
  ResolvedSetting setting_;
  std::shared_ptr<Structure> structure_;
  Options options_;
  Limits limits_;
  std::shared_ptr<LimitEvents> events_;
  std::shared_ptr<const WealthClasses> classes_;
  Work work_;
};

}  // namespace

std::unique_ptr<QuantileProblem> infinite_class_problem(const Model& model,
                                                        const ResolvedSetting& setting,
                                                        const std::shared_ptr<Structure>& structure,
                                                        const Options& options) {
  return std::make_unique<InfiniteClassProblem>(model, setting, structure, options);
}

}  // namespace quantiplan
