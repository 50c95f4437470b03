#include "check/classes/wealth_check.hpp"

#include <optional>
#include <string>
#include <utility>

#include "check/classes/class_course.hpp"
#include "check/classes/class_means.hpp"
#include "check/classes/wealth_graph.hpp"
#include "check/common/overrides.hpp"
#include "check/finite/exact_check.hpp"
#include "check/finite/optimality.hpp"
#include "check/infinite/undiscounted_check.hpp"

namespace quantiplan {
namespace checking {
namespace {

// Rationals at once: nobody notices the time they take.
constexpr std::size_t kFewPlaces = 2'000;

// Numbers speak for themselves, names are quoted.
std::string shown_level(const Structure& structure, const std::string& text) {
  const bool is_number = structure.size() > 0 && structure.number(WealthId{0}).has_value();
  return is_number ? text : "'" + text + "'";
}

void refute_class(const CheckCase& task) {
  task.findings.refute("No policy comes to the claimed class " + task.claim.own.user_text() + ".");
}

void leave_class_open(const CheckCase& task) {
  task.findings.leave_open("The claimed class " + task.claim.own.user_text() +
                           " was not met: too many places can be reached.");
}

// Over the steps of a finite horizon.
class StepwiseWealthCheck {
 public:
  StepwiseWealthCheck(Structure& structure, std::string level)
      : structure_(structure), level_text_(std::move(level)) {}

  void confirm_policy(const CheckCase& task) {
    const Ends ends(task.model, task.policy.setting, task.claim.own);
    ClassCourse course(structure_, task.policy);
    const Coverage coverage = PlaceWalk<ClassCourse>(task, ends, course).run();
    if (!coverage.report(task.findings)) return;
    const auto say_places = [&](std::uint64_t) {
      task.findings.say("The policy has a rule wherever it comes: " +
                        std::to_string(coverage.places) + " places (time, state, wealth).");
    };
    level_ = WealthLevel::find(structure_, level_text_, task.limits);
    if (!level_ && task.claim.is_threshold && !find_elsewhere(task, ends)) return;
    if (level_) {
      confirm_chance(task, ends, course, ClassOutlook(ends, *level_), say_places, kAnyPlaces, [] {
        return false;
      });
      if (task.claim.mean && task.findings.passed()) confirm_class_mean(task, ends, structure_);
    } else {
      say_places(0);
      ClaimReport(task.claim, {}, task.findings).report_level(/*is_met=*/false);
    }
  }
  void confirm_optimum(const CheckCase& task) {
    const Ends ends(task.model, task.policy.setting, task.claim.beyond);
    ClassCourse course(structure_, task.policy);
    const auto greatest =
        greatest_chance(task.model,
                        ends,
                        course,
                        ClassOutlook(ends, *level_),
                        kFewPlaces,
                        task.limits,
                        [&](const Bounds& b) { return task.claim.beyond_demand.is_settled_by(b); });
    if (!greatest || !task.optimum().report(*greatest))
      task.optimum().leave_out(task.limits, greatest.has_value());
    if (task.claim.mean_bound && task.findings.passed())
      confirm_class_mean_bound(task, ends, structure_, *level_);
  }

 private:
  // A policy may pass over the class itself, which others end in. False, with a finding, if there is
  // none or it cannot be told.
  bool find_elsewhere(const CheckCase& task, const Ends& ends) {
    level_ = WealthLevel::without_member(structure_, task.model.wealth(), level_text_);
    if (level_) return true;
    WholeCourse all(task.model, structure_);
    const Coverage met = PlaceWalk<WholeCourse>(task, ends, all).run();
    level_ = WealthLevel::find(structure_, level_text_, task.limits);
    if (level_) return true;
    if (met.doubt)
      leave_class_open(task);
    else
      refute_class(task);
    return false;
  }

  Structure& structure_;
  std::string level_text_;
  std::optional<WealthLevel> level_;
};

// Of a stationary policy at an infinite horizon.
class InfiniteWealthCheck {
 public:
  InfiniteWealthCheck(Structure& structure, std::string level)
      : structure_(structure), level_text_(std::move(level)) {}

  void confirm_policy(const CheckCase& task) {
    WealthGraph chain = chain_of_policy(task.model, structure_, task.policy, task.limits);
    if (chain.fault) {
      task.findings.refute(*chain.fault);
      return;
    }
    if (!chain.is_complete()) {
      leave_policy_open(task);
      return;
    }
    all_.emplace(graph_of_all(task.model, structure_, task.policy.setting, task.limits));
    // Another policy may come to the class, if this one does not.
    level_ = WealthLevel::find(structure_, level_text_, task.limits);
    if (!level_ && task.claim.is_threshold)
      level_ = WealthLevel::without_member(structure_, task.model.wealth(), level_text_);
    if (level_) {
      const StationaryWalk walk = walk_by_class(task.model, std::move(chain), *level_, task.limits);
      confirm_walk(task, walk, /*asks_level=*/walk.some_at);
    } else if (all_->is_complete()) {
      refute_class(task);
    } else {
      leave_class_open(task);
    }
  }
  void confirm_optimum(const CheckCase& task) {
    OptimumReport report = task.optimum();
    if (!all_->is_complete()) {
      report.leave_out(task.limits, /*left_open=*/false);
      return;
    }
    if (!all_->rises && !all_->falls) {
      report.leave_out("classes can rise and fall.");
      return;
    }
    const auto greatest = greatest_limit_chance(task.model,
                                                task.policy.setting.initial,
                                                *std::move(all_),
                                                *level_,
                                                task.claim,
                                                task.limits);
    if (!greatest || !report.report(*greatest)) report.leave_out(task.limits, /*left_open=*/true);
  }

 private:
  Structure& structure_;
  std::string level_text_;
  std::optional<WealthGraph> all_;
  std::optional<WealthLevel> level_;
};

template <class Check>
void run_wealth_check(const CheckCase& task, Check check) {
  run_both(
      task,
      [&](const CheckCase& t) { check.confirm_policy(t); },
      [&](const CheckCase& t) { check.confirm_optimum(t); });
}

}  // namespace
}  // namespace checking

CheckReport check_wealth(const Model& model,
                         const std::shared_ptr<Structure>& structure,
                         const Policy& policy,
                         const PolicyClaim& claim,
                         const Options& options) {
  CheckReport report;
  report.findings = checking::malformed_by_wealth(model, policy);
  // The first wealth is there before anything is asked of the structure.
  const bool is_number = structure->number(structure->initial()).has_value();
  if (std::string wrong = checking::wrong_wealth_claim(policy, claim, is_number); !wrong.empty())
    report.findings.push_back(wrong);
  if (!report.findings.empty()) return report;

  checking::Findings findings;
  checking::note_overrides(model, policy.setting, findings);
  checking::CheckLimits limits(options);
  const checking::CountedClaim counted(checking::shown_level(*structure, *claim.level), claim);
  const checking::CheckCase task{model, policy, counted, limits, findings};
  if (policy.setting.is_infinite())
    checking::run_wealth_check(task, checking::InfiniteWealthCheck(*structure, *claim.level));
  else
    checking::run_wealth_check(task, checking::StepwiseWealthCheck(*structure, *claim.level));
  return findings.take();
}

}  // namespace quantiplan
