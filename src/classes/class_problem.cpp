#include <algorithm>

#include "classes/class_problems.hpp"
#include "classes/class_promises.hpp"
#include "classes/class_results.hpp"
#include "classes/class_search.hpp"
#include "classes/expected_wealth.hpp"
#include "evaluate/classes/wealth_distribution.hpp"
#include "problem/quantile_problem.hpp"
#include "quantiplan/error.hpp"

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

class ClassProblem : public QuantileProblem {
 public:
  ClassProblem(const Model& model,
               const ResolvedSetting& setting,
               const std::shared_ptr<Structure>& structure,
               const Options& options)
      : model_(model),
        setting_(setting),
        structure_(structure),
        options_(options),
        limits_(options) {}

  FoundQuantiles quantiles(const std::vector<Question>& asked, const Wishes& wishes) override {
    FoundQuantiles out;
    if (lay_out(asked.size())) {
      out.classes = classes_;
      for (const Question& question : asked) out.results.push_back(found(question));
      prefer_classes(
          {model_, setting_, structure_, classes_, chosen_.problem->expansion(), options_},
          wishes,
          limits_,
          out);
      if (wishes.compare) compare_expectations(model_, setting_, structure_, options_, out);
    } else {
      for (const Question& question : asked)
        out.results.push_back({unknown_class(question, limits_.status())});
    }
    report(out, kBySearch);
    return out;
  }

  FoundChances chances(const std::vector<Total>& targets) override {
    return class_chances(as_levels(targets));
  }

  FoundChances class_chances(const std::vector<std::string>& levels) override {
    FoundChances out;
    if (lay_out(0)) {
      out.classes = classes_;
      const auto positions = positions_of(levels, *classes_, model_.wealth());
      std::vector<std::uint32_t> asked;
      for (const std::size_t position : positions)
        if (position <= classes_->size()) asked.push_back(static_cast<std::uint32_t>(position - 1));
      search_->ask_together(asked);
      for (const std::size_t position : positions) out.chances.push_back(found_chance(position));
    } else {
      out.chances.assign(levels.size(), unknown_chance(limits_.status()));
    }
    report(out, "; the classes asked for were put to passes of their own, eight at a time");
    return out;
  }

  Frontier curve(const std::vector<Question>& asked) override {
    Frontier out;
    std::optional<std::vector<Value>> all;
    if (lay_out(0)) {
      out.classes = classes_;
      all = search_->all();
    }
    if (all) {
      out.relative_error = relative_error_;
      out.steps = class_steps(*all, classes_, relative_error_);
      for (const Question& question : asked)
        out.quantiles.push_back(class_quantile(found(question).result));
    }
    out.status = limits_.status();
    report(out, kBySearch);
    return out;
  }

  Distribution law(const Policy& policy) override {
    return evaluate_wealth(model_, structure_, policy, options_);
  }

  Policy expectation_policy() override {
    auto found = expected_wealth_policy(model_, setting_, structure_, options_, ~std::uint64_t{0});
    if (found) return *std::move(found);
    refuse_class_expectation();
  }

 private:
  // False if a limit ended it.
  bool lay_out(std::size_t questions) {
    chosen_ = choose_engine(model_, setting_, structure_, options_);
    if (!chosen_.problem->lay_out(limits_)) return false;
    classes_ = std::make_shared<WealthClasses>(structure_, chosen_.problem->classes());
    exactly_ =
        options_.arithmetic == Arithmetic::exact || (options_.arithmetic == Arithmetic::automatic &&
                                                     chosen_.problem->products() <= kFewProducts);
    // The draw of an initial state is one more sum.
    const auto bound =
        RoundingBound::of_backward_pass(setting_.horizon + (setting_.initial.is_certain() ? 0 : 1),
                                        std::max(model_.most_outcomes(), setting_.initial.size()));
    search_.emplace(chosen_.problem, bound, exactly_, limits_);
    relative_error_ = exactly_ ? 0 : to_nearest_double(bound.relative);
    if (questions > 0) search_->prepare(questions);
    return true;
  }

  FoundQuantile found(const Question& question) {
    const FoundClass where = search_->find(question);
    FoundQuantile out = class_found(question, where, classes_, limits_.status());
    if (where.ended && where.position == 0 && where.beyond > 1) return out;
    out.result.policy = policy_of(where.position, where.method);
    return out;
  }

  FoundChance found_chance(std::size_t position) {
    FoundChance out = unknown_chance(Status::solved);
    out.position = position;
    if (position > classes_->size()) {
      // Any policy will do.
      out.low = out.high = Value::exactly(0);
      out.policy = policy_of(0, exactly_ ? PreferenceMethod::exact : PreferenceMethod::sure);
      return out;
    }
    const auto k = static_cast<std::uint32_t>(position - 1);
    if (const auto known = search_->chance(k)) {
      out.low = known->low;
      out.high = known->high;
      out.policy = policy_of(k, known->method);
    } else {
      out.status = limits_.ended() ? limits_.status() : Status::limit_reached;
    }
    return out;
  }

  [[nodiscard]] Later<Policy> policy_of(std::uint32_t k, PreferenceMethod method) const {
    return [problem = chosen_.problem, k, method, kept = for_later(options_)] {
      const LaterWork later(kept);
      Limits limits(later.options());
      return problem->policy(k, method, limits);
    };
  }

  static constexpr const char* kBySearch = "; classes were found by binary search, a pass each";

  // `how`: classes were asked for, where a pass does not answer for all of them.
  void report(auto& out, const char* how) const {
    std::string left_out = std::move(out.engine.left_out);
    out.engine = no_engine_report(options_);
    out.engine.left_out = std::move(left_out);
    out.engine.used = chosen_.problem->name() + (exactly_ ? " (exact)" : " (double)");
    out.engine.why = chosen_.why;
    if (search_ && search_->asked_all_at_once())
      out.engine.why += "; all classes were asked for together, eight at a time";
    else if (search_ && !chosen_.problem->answers_all_at_once())
      out.engine.why += how;
    chosen_.problem->add_work(out.work);
    out.work.peak_bytes = limits_.peak();
  }

  Model model_;
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

std::unique_ptr<QuantileProblem> class_problem(const Model& model,
                                               const ResolvedSetting& setting,
                                               const std::shared_ptr<Structure>& structure,
                                               const Options& options) {
  return std::make_unique<ClassProblem>(model, setting, structure, options);
}

}  // namespace quantiplan
