#include "preference.hpp"

#include <algorithm>

#include "class_search.hpp"
#include "expected_wealth.hpp"
#include "instance.hpp"
#include "plan.hpp"
#include "preference_result.hpp"
#include "quantiplan/error.hpp"
#include "quantiplan/solve.hpp"

namespace quantiplan {
namespace {

// Up to so many products rationals cost no more than a moment.
constexpr std::uint64_t kFewProducts = 20'000;

struct Chosen {
  std::shared_ptr<PreferenceProblem> problem;
  std::string why;
};

Chosen choose_engine(const Model& model,
                     const ResolvedSetting& setting,
                     const std::shared_ptr<Structure>& structure,
                     const Options& options) {
  switch (options.engine) {
    case Engine::forward:
      return {forward_problem(model, setting, structure), "asked for"};
    case Engine::ranked:
      if (!structure->has_residuals()) {
        throw Error(ErrorCode::refused,
                    "--engine",
                    "found 'ranked', expected forward or auto: it needs residuals, which this "
                    "structure does not have");
      }
      return {ranked_problem(model, setting, structure), "asked for"};
    case Engine::automatic:
      break;
    default:
      throw Error(ErrorCode::refused,
                  "--engine",
                  "found one that is made for sums of rewards, expected auto, ranked or forward");
  }
  if (structure->has_residuals())
    return {ranked_problem(model, setting, structure),
            "the structure has residuals, so one pass over what is still to come answers for every "
            "class"};
  return {forward_problem(model, setting, structure),
          "the structure has no residuals, so the wealth so far is part of the state"};
}

// One call: the problem laid out, and the questions put to it.
class Preference {
 public:
  Preference(const Model& model,
             const ResolvedSetting& setting,
             const std::shared_ptr<Structure>& structure,
             const Options& options)
      : model_(model),
        setting_(setting),
        structure_(structure),
        options_(options),
        limits_(options),
        chosen_(choose_engine(model, setting, structure, options)) {}

  bool lay_out(std::size_t questions) {
    if (!chosen_.problem->lay_out(limits_)) return false;
    classes_ = std::make_shared<WealthClasses>(structure_, chosen_.problem->classes());
    exactly_ =
        options_.arithmetic == Arithmetic::exact || (options_.arithmetic == Arithmetic::automatic &&
                                                     chosen_.problem->products() <= kFewProducts);
    const auto bound = RoundingBound::of_backward_pass(setting_.horizon, model_.most_outcomes());
    search_.emplace(chosen_.problem, bound, exactly_, limits_);
    relative_error_ = exactly_ ? 0 : to_nearest_double(bound.relative);
    if (questions > 0) search_->prepare(questions);
    return true;
  }
  [[nodiscard]] const std::shared_ptr<const WealthClasses>& classes() const { return classes_; }
  [[nodiscard]] Limits& limits() { return limits_; }
  [[nodiscard]] double relative_error() const { return relative_error_; }
  ClassSearch& search() { return *search_; }

  Result result(const Question& question) {
    const FoundClass found = search_->find(question);
    Result out = preference_result(question, found, limits_.status());
    add_policy(out, found);
    return out;
  }

  [[nodiscard]] EngineReport report() const {
    EngineReport report = no_engine_report(options_);
    report.used = chosen_.problem->name() + (exactly_ ? " (exact)" : " (double)");
    report.why = chosen_.why;
    if (search_ && search_->asked_all_at_once())
      report.why += "; all classes were asked for together, eight at a time";
    else if (search_ && !chosen_.problem->answers_all_at_once())
      report.why += "; classes were found by binary search, a pass each";
    return report;
  }
  void add_work(Work& work) const {
    chosen_.problem->add_work(work);
    work.peak_bytes = limits_.peak();
  }

 private:
  void add_policy(Result& out, const FoundClass& found) const {
    if (found.ended && found.position == 0 && found.beyond > 1) return;
    const auto claim = preference_claim(out, *classes_);
    out.policy = [problem = chosen_.problem, found, claim, kept = for_later(options_)] {
      const LaterWork later(kept);
      Limits limits(later.options());
      Policy policy = problem->policy(found.position, found.method, limits);
      policy.claim = claim;
      return policy;
    };
    out.distribution =
        [&model = model_, structure = structure_, make = out.policy, kept = for_later(options_)] {
          const LaterWork later(kept);
          return evaluate(model, structure, make(), later.options());
        };
  }

  const Model& model_;
  ResolvedSetting setting_;
  std::shared_ptr<Structure> structure_;
  Options options_;
  Limits limits_;
  Chosen chosen_;
  std::shared_ptr<const WealthClasses> classes_;
  std::optional<ClassSearch> search_;
  bool exactly_ = false;
  double relative_error_ = 0;
};

}  // namespace

Answer solve_preference(const Model& model,
                        const ResolvedSetting& setting,
                        const std::shared_ptr<Structure>& structure,
                        const std::vector<Question>& asked,
                        bool compare,
                        const Options& options) {
  Preference preference(model, setting, structure, options);
  Answer answer;
  answer.model = facts_of(model, setting);
  if (preference.lay_out(asked.size())) {
    answer.classes = preference.classes();
    for (const Question& question : asked) answer.results.push_back(preference.result(question));
    if (compare) compare_expectations(model, setting, structure, options, answer);
  } else {
    for (const Question& question : asked)
      answer.results.push_back(unknown_class(question, preference.limits().status()));
  }
  answer.engine = preference.report();
  preference.add_work(answer.work);
  return answer;
}

Frontier frontier_preference(const Model& model,
                             const ResolvedSetting& setting,
                             const std::shared_ptr<Structure>& structure,
                             const std::vector<Question>& asked,
                             const Options& options) {
  Preference preference(model, setting, structure, options);
  Frontier out;
  out.model = facts_of(model, setting);
  std::optional<std::vector<Value>> chances;
  if (preference.lay_out(0)) {
    out.classes = preference.classes();
    chances = preference.search().all();
  }
  if (chances) {
    out.relative_error = preference.relative_error();
    out.steps = class_steps(*chances, out.relative_error);
    for (const Question& question : asked) {
      const Result result = preference.result(question);
      out.quantiles.push_back({question.tau,
                               question.side,
                               result.certificate,
                               *result.quantile,
                               result.upper.value_or(*result.quantile)});
    }
  }
  out.status = preference.limits().status();
  out.engine = preference.report();
  preference.add_work(out.work);
  return out;
}

}  // namespace quantiplan
