// Without end: each class is a question of reachability or safety, put to the endless engine.
#include <algorithm>

#include "endless_solve.hpp"
#include "instance.hpp"
#include "limit_event.hpp"
#include "plan.hpp"
#include "preference.hpp"
#include "preference_result.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/solve.hpp"
#include "recast.hpp"
#include "wealth_rule_maker.hpp"

namespace quantiplan {
namespace {

class EndlessPreference {
 public:
  EndlessPreference(const Model& model,
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

  [[nodiscard]] const std::shared_ptr<const WealthClasses>& classes() const { return classes_; }
  [[nodiscard]] bool is_laid_out() const { return events_->complete(); }
  [[nodiscard]] Limits& limits() { return limits_; }
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(classes_->size()); }

  Result result(const Question& question) {
    if (!events_->complete()) return unknown_class(question, limits_.status());
    std::uint32_t low = 0;
    std::uint32_t high = count();
    std::optional<Result> best;
    FoundClass found;
    while (high - low > 1) {
      if (limits_.ended()) {
        found.ended = true;
        break;
      }
      const std::uint32_t middle = low + (high - low) / 2;
      auto answer = test(middle, question);
      if (!answer) {
        found.ended = true;
        break;
      }
      if (answer->meets) {
        low = middle;
        best = std::move(answer->result);
      } else {
        high = middle;
      }
    }
    found.beyond = high;
    if (low > 0 && best) {
      if (const auto known = probability_of(low, *best)) {
        found.probability = *known;
      } else {
        low = 0;  // every policy has the least class
        found.ended = true;
      }
    }
    found.position = low;
    Result out = preference_result(question, found, limits_.status());
    add_policy(out, low, low > 0 ? best : std::nullopt);
    return out;
  }

  // The greatest chance of class k, within the double error of the endless engine.
  std::optional<Value> chance(std::uint32_t k) {
    const LimitEvents::Event event = events_->event(k);
    if (!event.model) return certain(event.is_sure);
    // Nothing and everything are questions of the graph, which no rounding may blur.
    const auto possible = test(k, {Rational(1), Side::lower});
    const auto sure = possible ? test(k, {Rational(0), Side::upper}) : std::nullopt;
    if (!sure) return std::nullopt;
    if (!possible->meets || sure->meets) return certain(sure->meets);
    const ThresholdAnswer answer =
        threshold_endless(*event.model, event.setting, {Total::minus_infinity()}, options_);
    add(answer.work);
    const ThresholdResult& result = answer.results.front();
    if (result.status != Status::solved) return std::nullopt;
    const Value& most = result.upper ? *result.upper : *result.probability;
    const Value reached = Value::between(result.probability->least(), most.greatest());
    return events_->direction() == Direction::rises ? reached : complement(reached);
  }

  [[nodiscard]] EngineReport report() const {
    EngineReport report = no_engine_report(options_);
    report.used = "epochs";
    report.why = events_->direction() == Direction::rises
                     ? "without end: each class is a question of reachability"
                     : "without end: each class is a question of safety";
    return report;
  }
  [[nodiscard]] const Work& work() const { return work_; }

 private:
  struct Tested {
    bool meets = false;
    std::shared_ptr<const Model> model;
    Result result;
  };

  static Value certain(bool sure) { return sure ? Value::exactly(1) : Value::exactly(0); }

  // Whether the chance of class k meets 1 - tau, decided soundly: by a quantile of the event.
  //   rises   some policy reaches it: its quantile at (tau, side) is no miss
  //   falls   some policy avoids the goal: what is guaranteed of reaching it, at 1 - tau on the
  //           other side, is a miss
  std::optional<Tested> test(std::uint32_t k, const Question& question) {
    LimitEvents::Event event = events_->event(k);
    if (!event.model) return Tested{event.is_sure, nullptr, {}};
    const bool rises = events_->direction() == Direction::rises;
    const Question asked = rises
                               ? question
                               : Question{Rational(1 - question.tau),
                                          question.side == Side::lower ? Side::upper : Side::lower};
    auto model = std::make_shared<const Model>(*std::move(event.model));
    const Answer answer = solve_endless(*model, event.setting, {asked}, options_);
    add(answer.work);
    const Result& result = answer.results.front();
    if (result.status != Status::solved || result.certificate != Certificate::exact)
      return std::nullopt;
    Tested out{result.quantile->is_miss() != rises, model, result};
    // The model must outlive what is made from it.
    if (result.policy) {
      out.result.policy = [model, make = result.policy] { return make(); };
      out.result.distribution = [model, make = result.distribution] { return make(); };
    }
    return out;
  }

  // Nullopt if the limits ended it.
  [[nodiscard]] std::optional<Value> probability_of(std::uint32_t k, const Result& result) const {
    if (!events_->event(k).model) return certain(true);
    try {
      const Value reached = result.distribution().at_least(Total::minus_infinity());
      if (events_->direction() == Direction::rises) return reached;
      return complement(reached);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::refused || !limits_.ended()) throw;
      return std::nullopt;
    }
  }

  void add_policy(Result& out, std::uint32_t k, const std::optional<Result>& found) const {
    const auto claim = preference_claim(out, *classes_);
    std::function<Policy()> make;
    if (found && found->policy) make = found->policy;
    out.policy = [events = events_,
                  &model = model_,
                  setting = setting_,
                  structure = structure_,
                  make,
                  claim,
                  k] {
      Policy policy = followed(model, setting, *structure, *events, make, k);
      policy.claim = claim;
      return policy;
    };
    out.distribution = [&model = model_,
                        structure = structure_,
                        make_policy = out.policy,
                        kept = for_later(options_)] {
      const LaterWork later(kept);
      return evaluate(model, structure, make_policy(), later.options());
    };
  }

  // Where the event decides nothing any more, the first choice does.
  static Policy followed(const Model& model,
                         const ResolvedSetting& setting,
                         const Structure& structure,
                         const LimitEvents& events,
                         const std::function<Policy()>& make,
                         std::uint32_t k) {
    std::vector<std::uint32_t> chosen(events.pairs().size(), 0);
    if (make) {
      const Policy derived = make();
      const LimitEvents::Event event = events.event(k);
      for (const PolicyRule& rule : derived.rules) {
        const Choice c =
            derived.choose(*event.model, rule.time, rule.state, derived.first_residual());
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

  const Model& model_;
  ResolvedSetting setting_;
  std::shared_ptr<Structure> structure_;
  Options options_;
  Limits limits_;
  std::shared_ptr<LimitEvents> events_;
  std::shared_ptr<const WealthClasses> classes_;
  Work work_;
};

}  // namespace

Answer solve_preference_endless(const Model& model,
                                const ResolvedSetting& setting,
                                const std::shared_ptr<Structure>& structure,
                                const std::vector<Question>& asked,
                                const Options& options) {
  EndlessPreference preference(model, setting, structure, options);
  Answer answer;
  answer.model = facts_of(model, setting);
  if (preference.is_laid_out()) answer.classes = preference.classes();
  for (const Question& question : asked) answer.results.push_back(preference.result(question));
  answer.engine = preference.report();
  answer.work = preference.work();
  return answer;
}

Frontier frontier_preference_endless(const Model& model,
                                     const ResolvedSetting& setting,
                                     const std::shared_ptr<Structure>& structure,
                                     const std::vector<Question>& asked,
                                     const Options& options) {
  EndlessPreference preference(model, setting, structure, options);
  Frontier out;
  out.model = facts_of(model, setting);
  out.status = preference.limits().status();
  if (preference.is_laid_out()) out.classes = preference.classes();
  std::vector<Value> chances{Value::exactly(1)};
  for (std::uint32_t k = 1; k < preference.count(); ++k) {
    auto chance = preference.chance(k);
    if (!chance) {
      out.status =
          preference.limits().ended() ? preference.limits().status() : Status::limit_reached;
      break;
    }
    chances.push_back(*std::move(chance));
  }
  if (out.status == Status::solved) {
    for (const Value& chance : chances)
      out.relative_error = std::max(out.relative_error, relative_error(chance));
    out.steps = class_steps(chances, out.relative_error);
    for (const Question& question : asked) {
      const Result result = preference.result(question);
      out.quantiles.push_back({question.tau,
                               question.side,
                               result.certificate,
                               *result.quantile,
                               result.upper.value_or(*result.quantile)});
    }
  }
  out.engine = preference.report();
  out.work = preference.work();
  return out;
}

}  // namespace quantiplan
